"""The actions, the parameters and the state record of Quiddler."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.parameters import (
    Copies,
    TableParams,
    check_range,
    plain_with_copies,
    read_copies,
)
from kitchentable.core.piles import deck_with
from kitchentable.core.state import Tables, TableState
from kitchentable.games.quiddler.cards import CARD_NAMES, DECK, MAX_HAND, NUM_CARDS, NUM_KINDS
from kitchentable.games.quiddler.words.lexicon import (
    FINGERPRINT,
    SHIPPED,
    Lexicon,
    find_lexicon,
    read_lexicon,
)
from kitchentable.games.quiddler.words.solver import BLOCKS, MAX_HELD, MAX_WORDS

MAX_PLAYERS = 8
MIN_HAND = 3
MAX_HANDS = 40
MAX_TURNS = 1000

# --- Actions ------------------------------------------------------------------------------------

DRAW = 0
TAKE = 1
# With meld="spell":
SPELL = 2  # + kind
WORD = SPELL + NUM_KINDS
DISCARD = WORD + 1  # + kind
CHALLENGE = DISCARD + NUM_KINDS  # + word
PASS = CHALLENGE + MAX_WORDS
# With meld="auto":
STAY = 2  # + kind, as for the next two
LAY_LONGEST = STAY + NUM_KINDS
LAY_MOST = LAY_LONGEST + NUM_KINDS

# What the current player decides; `TURN_OVER` only occurs within a step.
SOURCE, MELD, JUDGE, OVER, TURN_OVER = range(5)
PHASES = ("draw or take", "meld and discard", "challenge", "over")

# Parameter values; records store their indices.
Meld = Literal["spell", "auto"]
MELDS: tuple[str, ...] = get_args(Meld)
BY_SPELLING, BY_ITSELF = range(2)
Bonus = Literal["longest", "most", "none"]
BONUSES: tuple[str, ...] = get_args(Bonus)
BONUS_LONGEST, BONUS_MOST, NO_BONUS = range(3)

# Verdicts on a laid word.
UNCHALLENGED, UPHELD, REJECTED = range(3)

NO_NODE = -1
"""Stands for no node of the word graph: no word begins with the cards being spelled."""


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    """Parameters of a game of Quiddler.

    Raises:
        ValueError: a value is not possible; the message says what is.
    """

    num_players: int = 2
    """Number of seats, 2 to 8."""
    hand_sizes: tuple[int, ...] = tuple(range(MIN_HAND, MAX_HAND + 1))
    """Cards dealt to a seat in each hand of the game, each 3 to 10; 1 to 40 hands."""
    meld: Meld = "spell"
    """``"spell"``: words are spelled card by card; ``"auto"``: the best arrangement is laid."""
    two_player_bonus: Bonus = "longest"
    """``"longest"``, ``"most"`` or ``"none"``; three seats or more have both bonuses."""
    lexicon: str | os.PathLike[str] | Lexicon | Sequence[str] = "scowl60"
    """``"scowl60"``, ``"scowl35"``, a path to a word list, a `Lexicon`, or a list of words."""
    challenges: bool = False
    """Whether any two cards may be laid as a word, and be challenged; only with ``"spell"``."""
    forbid_returning_discard: bool = False
    """Whether the card taken from the discard pile must not be discarded in the same turn."""
    min_turns_before_out: int = 0
    """Turns that a seat must have begun before it may go out, 0 to ``max_turns``."""
    max_turns: int = 50
    """Turns a seat after which a hand is called, 1 to 1,000."""
    copies: Mapping[str, int] | Copies | None = None
    """Copies of each kind in a shortened deck, such as ``{"c": 2, "th": 1}``; None: the real
    deck."""

    def __post_init__(self) -> None:
        check_range("quiddler", "num_players", self.num_players, 2, MAX_PLAYERS)
        object.__setattr__(self, "hand_sizes", _read_hand_sizes(self.hand_sizes))
        if self.challenges and self.meld != "spell":
            raise ValueError(
                f"quiddler: challenges=True is not possible with meld={self.meld!r}, "
                "which only ever lays words; choose meld='spell'"
            )
        check_range("quiddler", "max_turns", self.max_turns, 1, MAX_TURNS)
        check_range(
            "quiddler", "min_turns_before_out", self.min_turns_before_out, 0, self.max_turns
        )
        object.__setattr__(self, "lexicon", read_lexicon(self.lexicon))
        needed = self.num_players * max(self.hand_sizes) + 2
        what_for = "the largest hands, the first discard and one card to draw"
        copies = read_copies("quiddler", self.copies, DECK, needed, what_for)
        object.__setattr__(self, "copies", copies)

    def plain(self) -> dict[str, Any]:
        """Return the parameters as JSON values, without ``copies`` for the real deck.

        A custom word list is written out, or replaced by its fingerprint if it has more than
        `MOST_PLAIN_WORDS` words; ``make_params`` cannot restore it from the fingerprint.
        """
        values = self.as_dict() | {"hand_sizes": list(self.hand_sizes)}
        return plain_with_copies(values | {"lexicon": plain_lexicon(self.lexicon)})


MOST_PLAIN_WORDS = 1000
"""Maximum number of words of a custom list that `Params.plain` writes out."""


def plain_lexicon(value: str | os.PathLike[str] | Lexicon | Sequence[str]) -> str | list[str]:
    """Return a shipped word list's name, or a custom one's words or fingerprint."""
    lexicon = find_lexicon(value)
    if lexicon.name in SHIPPED and lexicon == Lexicon.shipped(lexicon.name):
        return lexicon.name
    if len(lexicon) <= MOST_PLAIN_WORDS:
        return list(lexicon)
    return f"{FINGERPRINT}{lexicon.fingerprint}"


def _read_hand_sizes(value: Any) -> tuple[int, ...]:
    """Check ``hand_sizes`` and return it as a tuple; files have a list."""
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= MAX_HANDS:
        raise ValueError(
            f"quiddler: hand_sizes={value!r} is not possible; "
            f"give a list of 1 to {MAX_HANDS} whole numbers from {MIN_HAND} to {MAX_HAND}"
        )
    for size in value:
        check_range("quiddler", "hand_sizes", size, MIN_HAND, MAX_HAND)
    return tuple(int(size) for size in value)


class State(TableState):
    """The complete state of one game."""

    # Parameters.
    num_hands: Annotated[int, np.int8]
    hand_sizes: Annotated[NDArray[np.int8], np.int8, (MAX_HANDS,)]
    meld: Annotated[int, np.int8]
    two_player_bonus: Annotated[int, np.int8]
    challenges: Annotated[bool, np.bool_]
    forbid_returning_discard: Annotated[bool, np.bool_]
    min_turns_before_out: Annotated[int, np.int16]
    max_turns: Annotated[int, np.int16]
    copies: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Copies of each kind in the deck."""
    # The game.
    hands_done: Annotated[int, np.int8]
    """Number of finished hands."""
    dealer: Annotated[int, np.int8]
    totals: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    # The decision. The fields that a step reads and writes are adjacent, which is faster.
    phase: Annotated[int, np.int8]
    taken: Annotated[int, np.int8]
    """The kind taken from the discard pile in this turn, or `NO_CARD`."""
    forbidden: Annotated[int, np.int8]
    """The kind that must not be discarded in this turn, or `NO_CARD`."""
    going_out: Annotated[bool, np.bool_]
    """Whether the current player has begun to lay words before the last turns and must go out."""
    accused: Annotated[int, np.int8]
    """The seat whose words may be challenged, or `NOBODY`."""
    may_end: Annotated[bool, np.bool_]
    """Whether the word being spelled may end here."""
    out_by_taking: Annotated[bool, np.bool_]
    """``"auto"``, before drawing: whether the top discard lets words use up all cards but one."""
    node: Annotated[int, np.int32]
    """The node of the word graph that the word being spelled has reached, or `NO_NODE`."""
    left: Annotated[int, np.int16]
    """The set of ``cards`` still in the hand: bit p is card p."""
    next_kinds: Annotated[int, np.uint32]
    """The set of kinds that may be spelled next: bit k is kind k."""
    cards: Annotated[NDArray[np.int8], np.int8, (MAX_HELD,)]
    """The current player's cards after drawing, also laid ones, rarest first; then `NO_CARD`."""
    worth_of_hand: Annotated[int, np.int16]
    """``"auto"``, before drawing: points of the best arrangement of the hand as it is."""
    worth_of_taking: Annotated[int, np.int16]
    """``"auto"``, before drawing: points if it takes the top discard and makes the best discard."""
    # The table.
    deck_size: Annotated[int, np.int8]
    pile_size: Annotated[int, np.int8]
    reshuffled: Annotated[bool, np.bool_]
    """Whether the discards were reshuffled into a new draw pile in this hand."""
    out: Annotated[int, np.int8]
    """The seat that has gone out, or `NOBODY`."""
    called: Annotated[bool, np.bool_]
    """Whether the hand was called because nobody went out in time."""
    last_turns: Annotated[int, np.int8]
    """Number of last turns left, including the current one; 0 before they begin."""
    num_laid: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    num_words: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    """Number of finished words."""
    turns: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS,)]
    """Turns begun in this hand."""
    lost: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS,)]
    """Points lost by challenging valid words in this hand."""
    word_ends: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_WORDS)]
    """The index in ``laid`` after the last card of each word."""
    in_lexicon: Annotated[NDArray[np.uint8], np.uint8, (MAX_PLAYERS, MAX_WORDS)]
    """Whether each word is valid; hidden from everybody until it is challenged."""
    verdicts: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_WORDS)]
    """The verdict on each word: `UNCHALLENGED`, `UPHELD` or `REJECTED`."""
    laid: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_HAND)]
    """Kinds in the order laid, word after word, the word being spelled last."""
    pile_counts: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    hands: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, NUM_KINDS)]
    """Number of cards of each kind in each hand, without laid cards."""
    picked_up: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, NUM_KINDS)]
    """Those cards of ``hands`` that everybody saw the seat take from the discard pile."""
    drawn_since: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, NUM_KINDS)]
    """Cards that each seat drew since the last reshuffle of this hand, also those that left."""
    left_since: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, NUM_KINDS)]
    """Cards that left each hand since then, except those that the seat was seen to pick up."""
    recycled: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Number of cards of each kind in the last reshuffle of this hand."""
    ends: Annotated[NDArray[np.uint64], np.uint64, (BLOCKS,)]
    """Bitmap of sets of ``cards``: bit ``set & 63`` of element ``set >> 6``. ``"spell"``: the sets
    that may be left when a word ends; ``"auto"``: the sets that words use up."""
    worth: Annotated[NDArray[np.int16], np.int16, (NUM_KINDS,)]
    """``"auto"``: points of the best arrangement, by discarded kind."""
    deck: Annotated[NDArray[np.int8], np.int8, (NUM_CARDS,)]
    """Kinds in the draw pile; the next card to draw is at ``deck_size - 1``."""
    pile: Annotated[NDArray[np.int8], np.int8, (NUM_CARDS,)]
    """Kinds in the discard pile; its top card is at ``pile_size - 1``."""
    # The history, and fields for display.
    last_scores: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    """Points of the last finished hand."""
    hand_points: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS, MAX_HANDS)]
    last_laid: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_HAND)]
    """The words laid in that hand, stored as in ``laid`` and ``word_ends``."""
    last_word_ends: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_WORDS)]
    last_num_words: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    last_verdicts: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_WORDS)]
    last_longest: Annotated[int, np.int8]
    """The seat that got the bonus for the longest word in that hand, or `NOBODY`."""
    last_most: Annotated[int, np.int8]


UNRECORDED = ("lexicon", "copies")
"""Parameters of `tables` and `derive`."""


def derive(state: State, params: Params) -> None:
    """Write what follows from the hand sizes, and the deck, into a record."""
    state.num_hands = len(params.hand_sizes)
    state.copies[:] = list(deck(params).values())


def tables(params: Any) -> Tables:
    """Return the word graph and the hand index of the lexicon, see `lexicon.Tables`."""
    return find_lexicon(params.lexicon).tables()


def info(params: Any) -> dict[str, str]:
    """Return the fingerprint of the lexicon, for the infos."""
    return {"lexicon": find_lexicon(params.lexicon).fingerprint}


def action_names(params: Params) -> tuple[str, ...]:
    """Return the name of each action."""
    discards = [f"discard:{name}" for name in CARD_NAMES]
    if params.meld == "auto":
        longest = [f"longest:{name}" for name in CARD_NAMES]
        return ("draw", "take", *discards, *longest, *(f"most:{name}" for name in CARD_NAMES))
    spell = [f"spell:{name}" for name in CARD_NAMES]
    judge = (*(f"challenge:{i}" for i in range(MAX_WORDS)), "pass") if params.challenges else ()
    return ("draw", "take", *spell, "word", *discards, *judge)


def deck(params: Params) -> Mapping[str, int]:
    """Return the number of copies of each kind by name (sheet: The Deck)."""
    return deck_with(params.copies, DECK)
