"""Kuhn poker, a poker of three cards that can be solved on paper; `rulebook` has the rules.

The winner's points are the chips that it takes from the loser, who has none; so a margin, in
points, is the number of chips won or lost. In equilibrium the first seat loses 1/18 of a chip per
game (H. W. Kuhn, "A simplified two-person poker", 1950).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.game import Game, Players, Rules
from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import TableParams, check_range
from kitchentable.core.piles import stack, take_top
from kitchentable.core.rng import start_game, start_stream
from kitchentable.core.state import BoolArray, FloatArray, Stream, TableState
from kitchentable.games import poker
from kitchentable.games.poker import NO_CARD, NO_PLAY, SEATS, is_hidden
from kitchentable.games.poker_render import Move, Poker, face
from kitchentable.render.phrases import count, listed
from kitchentable.render.rulebook import SETUP, Figure, Sections, cards_picture
from kitchentable.render.scene import GREEN

# --- Cards, parameters and state ------------------------------------------------------------------

CARDS = ("J", "Q", "K")
"""The cards, from low to high; there is one of each."""
NUM_CARDS = len(CARDS)
JACK, QUEEN, KING = range(NUM_CARDS)
PASS, BET = range(2)
ACTIONS = ("pass", "bet")
ACTION_HELP = {
    "pass": "Bet nothing; after a bet you fold, and the other player takes the pot.",
    "bet": "Bet a chip; after a bet this is a call, and the higher card takes the pot.",
}
MOST_PLAYS = 3
"""The maximum number of decisions in a game: pass, bet, and the answer to the bet."""
ANTE = STAKE = 1
"""The chips that each seat pays before the deal, and those of a bet."""
WORST_HAND = ANTE + STAKE
VARIANTS: tuple[dict[str, Any], ...] = ({}, {"reward": "margin"})


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    """The parameters, which are only those that every game has."""

    def __post_init__(self) -> None:
        check_range("kuhn_poker", "num_players", self.num_players, SEATS, SEATS)


class State(TableState):
    """The complete state of one game."""

    deck: Annotated[NDArray[np.int8], np.int8, (NUM_CARDS,)]
    """The first ``deck_size`` cards have not been dealt; the last of them is dealt next."""
    deck_size: Annotated[int, np.int8]
    hands: Annotated[NDArray[np.int8], np.int8, (SEATS,)]
    """The card of each seat."""
    plays: Annotated[NDArray[np.int8], np.int8, (MOST_PLAYS,)]
    """The first ``num_plays`` are the actions so far."""
    num_plays: Annotated[int, np.int8]
    shown: Annotated[bool, np.bool_]
    """Whether both cards are face up."""
    points: Annotated[NDArray[np.int32], np.int32, (SEATS,)]


def action_names(params: Params) -> tuple[str, ...]:
    """Return the names of the actions."""
    del params
    return ACTIONS


def deck(params: Params) -> dict[str, int]:
    """Return the number of copies of each card by its name."""
    del params
    return dict.fromkeys(CARDS, 1)


# --- The rules ------------------------------------------------------------------------------------


@kernel
def init(state: State, top: NDArray[np.int8]) -> None:
    """Deal a new game; ``top`` are the first cards of the deck, and the rest is shuffled."""
    start_game(state)
    start_stream(state, 0)
    for card in range(NUM_CARDS):
        state.deck[card] = card
    stack(state, NUM_CARDS, top)
    for player in range(SEATS):
        state.hands[player] = take_top(state)
    state.plays[:] = 0
    state.num_plays = 0
    state.points[:] = 0
    state.current_player = 0
    state.shown = False


@kernel
def legal_action_mask(state: State, mask: BoolArray) -> None:  # noqa: ARG001
    """Mark both actions, which are always legal."""
    mask[:] = True


@kernel
def step(state: State, action: int) -> None:
    """Pass or bet; this may end the game."""
    after_bet = state.num_plays > 0 and state.plays[state.num_plays - 1] == BET
    state.plays[state.num_plays] = action
    state.num_plays += 1
    state.current_player = 1 - state.current_player
    if after_bet and action == PASS:
        _end(state, state.current_player, ANTE)
    elif after_bet or (action == PASS and state.num_plays == SEATS):
        state.shown = True
        _end(state, int(state.hands[1] > state.hands[0]), WORST_HAND if after_bet else ANTE)


@kernel
def _end(state: State, winner: int, chips: int) -> None:
    """End the game: the winner takes chips from the loser."""
    state.points[winner] = chips
    state.terminated = True
    state.hand_over = True


# --- Observations ---------------------------------------------------------------------------------

CARD_PARTS = ("hand", "shown")


def observation_layout(params: Params) -> dict[str, int]:
    """Return the length of each part by name, in order."""
    del params
    return {
        "hand": NUM_CARDS,  # one-hot: the own card
        "shown": NUM_CARDS,  # one-hot: the other seat's card, after a showdown
        "plays": MOST_PLAYS * len(ACTIONS),  # one-hot each: the actions so far
    }


@kernel
def observe(state: State, viewer: int, out: FloatArray) -> None:
    """Write what seat ``viewer`` sees into ``out``, which is zero on entry."""
    at = state.at
    out[at.hand + int(state.hands[viewer])] = 1.0
    if state.shown:
        out[at.shown + int(state.hands[1 - viewer])] = 1.0
    for i in range(state.num_plays):
        out[at.plays + i * len(ACTIONS) + int(state.plays[i])] = 1.0


class Knowledge:
    """What a seat knows, for players."""

    hand: Annotated[int, np.int8]
    """The own card."""
    shown: Annotated[int, np.int8]
    """The other seat's card after a showdown, else `NO_CARD`."""
    plays: Annotated[NDArray[np.int8], np.int8, (MOST_PLAYS,)]
    """The actions so far, then `NO_PLAY`."""


@kernel
def know(state: State, viewer: int, known: Knowledge) -> None:
    """Write what seat ``viewer`` knows; an onlooker is at seat 0, whose card it may not know."""
    seat = max(int(viewer), 0)
    known.hand = NO_CARD if is_hidden(state, seat, viewer) else state.hands[seat]
    known.shown = NO_CARD if is_hidden(state, 1 - seat, viewer) else state.hands[1 - seat]
    for i in range(MOST_PLAYS):
        known.plays[i] = state.plays[i] if i < state.num_plays else NO_PLAY


# --- Players and texts ----------------------------------------------------------------------------


@kernel
def cautious(known: Knowledge, _mask: BoolArray, _rng: Stream) -> int:
    """Bet with the king, and call with the queen."""
    has_bet = known.plays[0] == BET or known.plays[1] == BET
    return BET if known.hand == KING or (known.hand == QUEEN and has_bet) else PASS


def rounds(state: State) -> list[list[int]]:
    """Return the actions so far, in one round."""
    return [state.plays[: state.num_plays].tolist()]


def move(action: int, _round: int, own: int, other: int) -> Move:
    """Return what an action means when both seats have paid so many chips."""
    if action == PASS:
        return Move("fold" if other > own else "check", own)
    return Move("call" if other > own else "bet", ANTE + STAKE)


def rulebook(params: Params) -> Sections:
    """Return the rules."""
    low, middle, high = CARDS
    return {
        "Components": [
            f"{NUM_CARDS} cards, one each of {listed(CARDS)}, from low to high (jack, queen and "
            f"king), and chips for {params.num_players} players.",
            Figure(
                "The cards, from low to high.",
                cards_picture([(face(card), "") for card in CARDS], GREEN),
            ),
        ],
        SETUP: [
            f"Each player puts {count(ANTE, 'chip')} into the pot, the ante, and is dealt one "
            "card, which only its owner sees. The third card stays hidden."
        ],
        "A turn": [
            "The first player begins, and the players take turns. There are two actions:",
            [
                f"Bet: put {count(STAKE, 'more chip')} into the pot. After the other player's bet "
                "this is a call.",
                "Pass: put in nothing, a check. After the other player's bet this is a fold: the "
                "other player wins the pot, and no card is shown.",
            ],
        ],
        "End of the game": [
            "After a fold the game is over. After two passes, or two bets, both cards are shown, "
            "and the higher one wins the pot."
        ],
        "Scoring": [
            f"The winner's points are the chips that come from the loser: {ANTE}, or "
            f"{ANTE + STAKE} if both have bet.",
            f"Example: you have {middle} and pass. The other player bets, and you call with a bet. "
            f"The other player shows {low}: the bet was a bluff, and you win {ANTE + STAKE} "
            f"points. Against {high} the other player would have won them.",
            Figure(
                f"Example: you win with {middle}.",
                cards_picture([(face(middle), "You"), (face(low), "The other player")], GREEN),
            ),
        ],
    }


SHOWN = Poker(cards=CARDS, ante=ANTE, rounds=rounds, move=move)
GAME = Game(
    name="kuhn_poker",
    version=0,
    title="Kuhn poker",
    about="Bet on the higher of three cards, or bluff: the smallest poker.",
    rules=Rules.of(sys.modules[__name__], poker),
    players=Players(scripted={"cautious": cautious}),
    render=SHOWN.render(rulebook=rulebook, action_help=ACTION_HELP),
)
