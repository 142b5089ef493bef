"""What Quiddler is played with: actions, parameters, and the record of a game."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.parameters import (
    Copies,
    TableParams,
    check_choice,
    check_range,
    plain_with_copies,
    read_copies,
)
from kitchentable.core.piles import deck_with
from kitchentable.core.rewards import REWARDS
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
STAY = 2  # + kind, likewise
LAY_LONGEST = STAY + NUM_KINDS
LAY_MOST = LAY_LONGEST + NUM_KINDS

# What the current player decides; `TURN_OVER` only on the way from one turn to the next.
SOURCE, MELD, JUDGE, OVER, TURN_OVER = range(5)
PHASES = ("draw or take", "meld and discard", "challenge", "over")

# Values of parameters, in the order that records store them.
MELDS = ("spell", "auto")
BY_SPELLING, BY_ITSELF = range(2)
BONUSES = ("longest", "most", "none")
BONUS_LONGEST, BONUS_MOST, NO_BONUS = range(3)

# What has become of a laid word.
UNCHALLENGED, UPHELD, REJECTED = range(3)

NO_NODE = -1
"""A place outside the graph of words: what is being spelled begins no word."""


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    """Parameters of a game of Quiddler.

    Raises:
        ValueError: a value is impossible; says what is possible.
    """

    hand_sizes: tuple[int, ...] = tuple(range(MIN_HAND, MAX_HAND + 1))
    """Cards dealt to a seat in each hand of the game, each 3 to 10; 1 to 40 hands."""
    meld: str = "spell"
    """``"spell"``: words are spelled card by card; ``"auto"``: the best arrangement is laid."""
    two_player_bonus: str = "longest"
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
        check_choice("quiddler", "reward", self.reward, REWARDS)
        object.__setattr__(self, "hand_sizes", _read_hand_sizes(self.hand_sizes))
        check_choice("quiddler", "meld", self.meld, MELDS)
        check_choice("quiddler", "two_player_bonus", self.two_player_bonus, BONUSES)
        for name in ("challenges", "forbid_returning_discard"):
            check_choice("quiddler", name, getattr(self, name), (False, True))
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
        """Return the parameters as JSON has them; the real deck goes without saying.

        An own word list is given by its words, a long one only by its fingerprint, of which
        ``make_params`` cannot make it again.
        """
        values = self.as_dict() | {"hand_sizes": list(self.hand_sizes)}
        return plain_with_copies(values | {"lexicon": plain_lexicon(self.lexicon)})


MOST_PLAIN_WORDS = 1000
"""Words of an own list that plain parameters hold; of a longer one they hold the fingerprint."""


def plain_lexicon(value: str | os.PathLike[str] | Lexicon | Sequence[str]) -> str | list[str]:
    """Return the name of a shipped word list, and an own one's words or its fingerprint."""
    lexicon = find_lexicon(value)
    if lexicon.name in SHIPPED and lexicon == Lexicon.shipped(lexicon.name):
        return lexicon.name
    if len(lexicon) <= MOST_PLAIN_WORDS:
        return list(lexicon)
    return f"{FINGERPRINT}{lexicon.fingerprint}"


def _read_hand_sizes(value: Any) -> tuple[int, ...]:
    """Return the hands of a game; a list, as files have it, becomes a tuple."""
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= MAX_HANDS:
        raise ValueError(
            f"quiddler: hand_sizes={value!r} is not possible; "
            f"give a list of 1 to {MAX_HANDS} whole numbers from {MIN_HAND} to {MAX_HAND}"
        )
    for size in value:
        check_range("quiddler", "hand_sizes", size, MIN_HAND, MAX_HAND)
    return tuple(int(size) for size in value)


class State(TableState):
    """Everything there is to know about one game."""

    # Parameters.
    num_hands: Annotated[int, np.int8]
    hand_sizes: Annotated[NDArray[np.int8], np.int8, (MAX_HANDS,)]
    largest_hand: Annotated[int, np.int8]
    meld: Annotated[int, np.int8]
    two_player_bonus: Annotated[int, np.int8]
    challenges: Annotated[bool, np.bool_]
    forbid_returning: Annotated[bool, np.bool_]
    min_turns: Annotated[int, np.int16]
    max_turns: Annotated[int, np.int16]
    copies: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Of each kind in the deck."""
    # The game.
    hands_done: Annotated[int, np.int8]
    """Hands finished."""
    dealer: Annotated[int, np.int8]
    totals: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    # The decision. What a step reads and writes stands close together: it saves time.
    phase: Annotated[int, np.int8]
    taken: Annotated[int, np.int8]
    """The kind taken from the discard pile in this turn."""
    forbidden: Annotated[int, np.int8]
    """The kind that must not be discarded in this turn."""
    going_out: Annotated[bool, np.bool_]
    """Whether the current player has begun to lay words, and must go out."""
    accused: Annotated[int, np.int8]
    """The seat whose words may be challenged, or `NOBODY`."""
    may_end: Annotated[bool, np.bool_]
    """Whether the word being spelled may end here."""
    out_by_taking: Annotated[bool, np.bool_]
    """By itself: whether all cards could then be laid."""
    node: Annotated[int, np.int32]
    """Where the word being spelled has led to in the graph of words, or `NO_NODE`."""
    left: Annotated[int, np.int16]
    """Which of ``cards`` are still in the hand: bit p is card p."""
    next_kinds: Annotated[int, np.uint32]
    """The kinds that may be spelled next: bit k is kind k."""
    cards: Annotated[NDArray[np.int8], np.int8, (MAX_HELD,)]
    """The current player's cards as they were after drawing, the rarest kind first."""
    worth_of_hand: Annotated[int, np.int16]
    """By itself: of the hand as it is before drawing, nothing discarded."""
    worth_of_taking: Annotated[int, np.int16]
    """By itself: likewise, of the best discard, were the top discard taken."""
    # The table.
    deck_size: Annotated[int, np.int8]
    pile_size: Annotated[int, np.int8]
    reshuffled: Annotated[bool, np.bool_]
    """Whether the draw pile was made anew from the discards in this hand."""
    out: Annotated[int, np.int8]
    """The seat that has gone out, or `NOBODY`."""
    called: Annotated[bool, np.bool_]
    """Whether the hand was called because nobody went out in time."""
    last_turns: Annotated[int, np.int8]
    """Last turns still to be finished, the running one included; 0 before they begin."""
    num_laid: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    num_words: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    """Words finished."""
    turns: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS,)]
    """Turns begun in this hand."""
    lost: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS,)]
    """Points lost by challenging valid words in this hand."""
    word_ends: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_WORDS)]
    """Where each word ends in ``laid``."""
    in_lexicon: Annotated[NDArray[np.uint8], np.uint8, (MAX_PLAYERS, MAX_WORDS)]
    """Whether a word is valid: hidden from everybody until it is challenged."""
    verdicts: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_WORDS)]
    """What has become of each word: `UNCHALLENGED`, `UPHELD` or `REJECTED`."""
    laid: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_HAND)]
    """Kinds in the order laid, word after word, the one being spelled last."""
    pile_counts: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    hands: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, NUM_KINDS)]
    """Cards of each kind in a hand, laid ones not counted."""
    picked_up: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, NUM_KINDS)]
    """Cards of ``hands`` that everybody has seen the seat take from the discard pile."""
    drawn_since: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, NUM_KINDS)]
    """Cards of ``hands`` drawn since the last reshuffle: they come from its cards."""
    recycled: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Cards of each kind that the last reshuffle of this hand made the draw pile of."""
    ends: Annotated[NDArray[np.uint64], np.uint64, (BLOCKS,)]
    """Spelling: which sets of ``cards`` may be left when a word ends. By itself: which ones words
    use up. Bit ``set & 63`` of number ``set >> 6``."""
    worth: Annotated[NDArray[np.int16], np.int16, (NUM_KINDS,)]
    """By itself: the points of the best arrangement, by the kind discarded."""
    deck: Annotated[NDArray[np.int8], np.int8, (NUM_CARDS,)]
    """Kinds; the next card to draw is the last of ``deck_size``."""
    pile: Annotated[NDArray[np.int8], np.int8, (NUM_CARDS,)]
    """The discard pile; its top is the last of ``pile_size``."""
    # The history, and what people look at.
    last_scores: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    """Points of the hand that finished last."""
    hand_points: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS, MAX_HANDS)]
    last_laid: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_HAND)]
    """The words of that hand, for people to look at, as ``laid`` and ``word_ends`` have them."""
    last_word_ends: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_WORDS)]
    last_num_words: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    last_verdicts: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_WORDS)]
    last_longest: Annotated[int, np.int8]
    """The seat that had the bonus for the longest word in that hand, or `NOBODY`."""
    last_most: Annotated[int, np.int8]


def configure(state: State, params: Params) -> None:
    """Write the parameters into a record."""
    state.num_players = params.num_players
    state.reward = REWARDS.index(params.reward)
    state.num_hands = len(params.hand_sizes)
    state.hand_sizes[: len(params.hand_sizes)] = params.hand_sizes
    state.largest_hand = max(params.hand_sizes)
    state.meld = MELDS.index(params.meld)
    state.two_player_bonus = BONUSES.index(params.two_player_bonus)
    state.challenges = params.challenges
    state.forbid_returning = params.forbid_returning_discard
    state.min_turns = params.min_turns_before_out
    state.max_turns = params.max_turns
    state.copies[:] = list(deck(params).values())


# Places in what players are told.
(
    V_PLAYERS, V_REWARD, V_MELD, V_BONUS, V_CHALLENGES, V_FORBID, V_MIN_TURNS, V_MAX_TURNS,
    V_LARGEST, V_HANDS,
) = range(10)  # fmt: skip


def variant(params: Params) -> NDArray[np.int64]:
    """Return what players are told of the parameters, by ``V_...``; last the size of each hand."""
    numbers = (
        params.num_players,
        REWARDS.index(params.reward),
        MELDS.index(params.meld),
        BONUSES.index(params.two_player_bonus),
        params.challenges,
        params.forbid_returning_discard,
        params.min_turns_before_out,
        params.max_turns,
        max(params.hand_sizes),
        len(params.hand_sizes),
        *params.hand_sizes,
    )
    return np.array(numbers, np.int64)


def tables(params: Any) -> Tables:
    """Return the graphs of the words that count, see `graph`."""
    return find_lexicon(params.lexicon).tables()


def info(params: Any) -> dict[str, str]:
    """Return which words count, for the infos: their fingerprint."""
    return {"lexicon": find_lexicon(params.lexicon).fingerprint}


def action_names(params: Params) -> tuple[str, ...]:
    """Name each action."""
    discards = [f"discard:{name}" for name in CARD_NAMES]
    if params.meld == "auto":
        longest = [f"longest:{name}" for name in CARD_NAMES]
        return ("draw", "take", *discards, *longest, *(f"most:{name}" for name in CARD_NAMES))
    spell = [f"spell:{name}" for name in CARD_NAMES]
    judge = (*(f"challenge:{i}" for i in range(MAX_WORDS)), "pass") if params.challenges else ()
    return ("draw", "take", *spell, "word", *discards, *judge)


def deck(params: Params) -> Mapping[str, int]:
    """Return the copies of each kind of card by name (sheet: The Deck)."""
    return deck_with(params.copies, DECK)
