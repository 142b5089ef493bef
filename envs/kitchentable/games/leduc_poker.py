"""Leduc poker, a poker of six cards and two rounds of betting; `rulebook` has the rules.

The winner's points are the chips that it takes from the loser, who has none; so a margin, in
points, is the number of chips won or lost. In equilibrium the first seat loses 0.0856 chips per
game. The game is from F. Southey et al., "Bayes' bluff: opponent modelling in poker", 2005.
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
from kitchentable.core.state import (
    NOBODY,
    BoolArray,
    FloatArray,
    Stream,
    TableState,
)
from kitchentable.games import poker
from kitchentable.games.poker import NO_CARD, NO_PLAY, SEATS, is_hidden
from kitchentable.games.poker_render import Move, Poker, face
from kitchentable.render.phrases import count, listed, number_word
from kitchentable.render.rulebook import SETUP, Figure, Sections, cards_picture
from kitchentable.render.scene import GREEN

# --- Cards, parameters and state ------------------------------------------------------------------

CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
"""The cards, from low to high, each in two suits, which do not matter; there is one of each."""
NUM_CARDS, SUITS = len(CARDS), 2
JACK, _, KING = range(NUM_CARDS // SUITS)
FOLD, CALL, RAISE = range(3)
ACTIONS = ("fold", "call", "raise")
ACTION_HELP = {
    "fold": "Give up; the other player takes the pot.",
    "call": "Pay as much as the other player has paid, which may be nothing more.",
    "raise": "Pay more than the other player: 2 chips in the first round, 4 in the second.",
}
ANTE = 1
RAISES = (2, 4)
"""The chips of a raise in each round."""
ROUNDS, MOST_RAISES = len(RAISES), 2
MOST_PLAYS = MOST_RAISES + 2
"""The maximum number of decisions in a round: call, raise, raise, call."""
WORST_HAND = ANTE + MOST_RAISES * sum(RAISES)
"""The chips of a seat that has paid the ante and all raises."""
VARIANTS: tuple[dict[str, Any], ...] = ({}, {"reward": "margin"})


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    """The parameters, which are only those that every game has."""

    def __post_init__(self) -> None:
        check_range("leduc_poker", "num_players", self.num_players, SEATS, SEATS)


class State(TableState):
    """The complete state of one game."""

    deck: Annotated[NDArray[np.int8], np.int8, (NUM_CARDS,)]
    """The first ``deck_size`` cards have not been dealt; the last of them is dealt next."""
    deck_size: Annotated[int, np.int8]
    hands: Annotated[NDArray[np.int8], np.int8, (SEATS,)]
    """The card of each seat."""
    board: Annotated[int, np.int8]
    """The card that is up, or `NO_CARD` in the first round."""
    stage: Annotated[int, np.int8]
    """The round of betting, 0 or 1."""
    plays: Annotated[NDArray[np.int8], np.int8, (ROUNDS, MOST_PLAYS)]
    """The actions so far by round, and then `NO_PLAY`."""
    num_plays: Annotated[int, np.int8]
    """The number of actions in this round."""
    raises: Annotated[int, np.int8]
    """The number of raises in this round."""
    paid: Annotated[NDArray[np.int8], np.int8, (SEATS,)]
    """The chips that each seat has paid into the pot."""
    shown: Annotated[bool, np.bool_]
    """Whether the cards of both seats are face up."""
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
    state.board = NO_CARD
    state.stage = 0
    state.plays[:] = NO_PLAY
    state.num_plays = 0
    state.raises = 0
    state.paid[:] = ANTE
    state.points[:] = 0
    state.current_player = 0
    state.shown = False


@kernel
def legal_action_mask(state: State, mask: BoolArray) -> None:
    """Mark a call, and the actions that the raises so far allow."""
    player = state.current_player
    mask[FOLD] = state.paid[player] < state.paid[1 - player]
    mask[CALL] = True
    mask[RAISE] = state.raises < MOST_RAISES


@kernel
def step(state: State, action: int) -> None:
    """Fold, call or raise; this may end the round or the game."""
    player, other = int(state.current_player), 1 - int(state.current_player)
    state.plays[state.stage, state.num_plays] = action
    state.num_plays += 1
    state.current_player = other
    if action == FOLD:
        _end(state, other)
        return
    state.paid[player] = state.paid[other]
    if action == RAISE:
        state.paid[player] += RAISES[state.stage]
        state.raises += 1
    elif state.num_plays >= SEATS:
        _end_round(state)


@kernel
def _end_round(state: State) -> None:
    """Turn up a card after the first round, and show all cards after the second one."""
    if state.stage + 1 < ROUNDS:
        state.stage += 1
        state.num_plays = 0
        state.raises = 0
        state.current_player = 0
        state.board = take_top(state)
        return
    state.shown = True
    first, second = _strength(state, 0), _strength(state, 1)
    if first == second:
        _end(state, NOBODY)
    else:
        _end(state, int(second > first))


@kernel
def _strength(state: State, player: int) -> int:
    """Return the rank of a seat's card, or a higher number if it pairs with the card that is up."""
    rank = state.hands[player] // SUITS
    return int(KING + 1 if rank == state.board // SUITS else rank)


@kernel
def _end(state: State, winner: int) -> None:
    """End the game: the winner, if there is one, takes what the loser has paid."""
    if winner != NOBODY:
        state.points[winner] = state.paid[1 - winner]
    state.terminated = True
    state.hand_over = True


# --- Observations ---------------------------------------------------------------------------------

CARD_PARTS = ("hand", "board", "shown")


def observation_layout(params: Params) -> dict[str, int]:
    """Return the length of each part by name, in order."""
    del params
    return {
        "hand": NUM_CARDS,  # one-hot: the own card
        "board": NUM_CARDS,  # one-hot: the card that is up, from the second round on
        "shown": NUM_CARDS,  # one-hot: the other seat's card, after a showdown
        "plays": ROUNDS * MOST_PLAYS * len(ACTIONS),  # one-hot each: the actions by round
    }


@kernel
def observe(state: State, viewer: int, out: FloatArray) -> None:
    """Write what seat ``viewer`` sees into ``out``, which is zero on entry."""
    at = state.at
    out[at.hand + int(state.hands[viewer])] = 1.0
    if state.board != NO_CARD:
        out[at.board + int(state.board)] = 1.0
    if state.shown:
        out[at.shown + int(state.hands[1 - viewer])] = 1.0
    for i in range(ROUNDS * MOST_PLAYS):
        action = int(state.plays[i // MOST_PLAYS, i % MOST_PLAYS])
        if action != NO_PLAY:
            out[at.plays + i * len(ACTIONS) + action] = 1.0


class Knowledge:
    """What a seat knows, for players."""

    hand: Annotated[int, np.int8]
    """The own card."""
    board: Annotated[int, np.int8]
    """The card that is up, or `NO_CARD`."""
    shown: Annotated[int, np.int8]
    """The other seat's card after a showdown, else `NO_CARD`."""
    plays: Annotated[NDArray[np.int8], np.int8, (ROUNDS, MOST_PLAYS)]
    """The actions by round, then `NO_PLAY`."""


@kernel
def know(state: State, viewer: int, known: Knowledge) -> None:
    """Write what seat ``viewer`` knows; an onlooker is at seat 0, whose card it may not know."""
    seat = max(int(viewer), 0)
    known.hand = NO_CARD if is_hidden(state, seat, viewer) else state.hands[seat]
    known.shown = NO_CARD if is_hidden(state, 1 - seat, viewer) else state.hands[1 - seat]
    known.board = state.board
    for stage in range(ROUNDS):
        for i in range(MOST_PLAYS):
            known.plays[stage, i] = state.plays[stage, i]


# --- Players and texts ----------------------------------------------------------------------------


@kernel
def cautious(known: Knowledge, mask: BoolArray, _rng: Stream) -> int:
    """Raise with a king or a pair, call with a queen, and fold a jack after a raise."""
    rank, board = known.hand // SUITS, known.board // SUITS  # no card has a rank of -1
    if mask[RAISE] and rank in (KING, board):
        return RAISE
    return FOLD if mask[FOLD] and rank == JACK and board != JACK else CALL


def rounds(state: State) -> list[list[int]]:
    """Return the actions so far by round, up to the present one."""
    plays = state.plays[: int(state.stage) + 1].tolist()
    return [[action for action in of_round if action != NO_PLAY] for of_round in plays]


def move(action: int, stage: int, own: int, other: int) -> Move:
    """Return what an action means when both seats have paid so many chips."""
    if action == FOLD:
        return Move("fold", own)
    if action == CALL:
        return Move(f"call {other - own}" if other > own else "check", other)
    raised = other + RAISES[stage]
    return Move(f"raise to {raised}", raised)


def rulebook(params: Params) -> Sections:
    """Return the rules."""
    first, second = RAISES
    return {
        "Components": [
            f"{NUM_CARDS} cards: {listed(CARDS)}, that is {number_word(SUITS)} jacks, queens and "
            "kings each; the suits do not matter. The king is the highest rank. And chips for "
            f"{params.num_players} players.",
            Figure(
                "The cards, from low to high.",
                cards_picture([(face(card), "") for card in CARDS], GREEN),
            ),
        ],
        SETUP: [
            f"Each player puts {count(ANTE, 'chip')} into the pot, the ante, and is dealt one "
            "card, which only its owner sees."
        ],
        "A turn": [
            f"There are {number_word(ROUNDS)} rounds of betting. In each, the first player begins, "
            "and the players take turns:",
            [
                "Fold, which is possible after a raise: the other player wins the pot.",
                "Call: pay as much as the other player has paid. If that is nothing more, it is a "
                "check.",
                f"Raise: pay {first} chips more than that in the first round, {second} in the "
                f"second. There are at most {MOST_RAISES} raises in a round.",
            ],
            "A round ends with a call, unless it was the first action of the round. After the "
            "first round one card is turned up for both players.",
        ],
        "End of the game": [
            "After a fold the game is over. After the second round both cards are shown: a card "
            "of the same rank as the one that is up, a pair, wins the pot; else the higher rank "
            "wins; equal ranks share the pot."
        ],
        "Scoring": [
            "The winner's points are the chips that come from the loser.",
            "Example: you have Qh, the other player Ks. Both call in the first round, and Qs is "
            f"turned up. The other player raises by {second}, and you call. You win with a pair "
            f"of queens: {count(ANTE + second, 'point')}, for the ante and the raise.",
            Figure(
                "Example: you win with a pair of queens.",
                cards_picture(
                    [
                        (face("Qh"), "You"),
                        (face("Qs"), "Turned up"),
                        (face("Ks"), "The other player"),
                    ],
                    GREEN,
                ),
            ),
        ],
    }


SHOWN = Poker(cards=CARDS, ante=ANTE, rounds=rounds, move=move)
GAME = Game(
    name="leduc_poker",
    version=0,
    title="Leduc poker",
    about="Bet in two rounds on a hidden card and one that is turned up between them.",
    rules=Rules.of(sys.modules[__name__], poker),
    players=Players(scripted={"cautious": cautious}),
    render=SHOWN.render(rulebook=rulebook, action_help=ACTION_HELP),
)
