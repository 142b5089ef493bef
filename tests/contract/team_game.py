"""A tiny game for two to four seats, rivals or a team, for tests of what teams change.

Pool: each seat in turn draws a card of 1 to 6, twice a hand, and keeps it or, once a hand, burns
it. Among rivals the most points win. A team wants 6 points a seat together in every hand, give or
take one. Kept and burnt cards lie in a public map: its rows are the seats, the viewer's first.
"""

import sys
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from kitchentable.core.game import Game, Players, Rules
from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import TableParams, check_range
from kitchentable.core.rewards import MARGIN, pay_margins, pay_winners
from kitchentable.core.rng import shuffle, start_stream
from kitchentable.core.state import ALL_SEEING, TableState

KINDS, COPIES, SEATS, TURNS, HANDS, WANTED = 6, 4, 4, 2, 3, 6
CARDS = KINDS * COPIES
FACTS = {"word": "x", "number": 7, "share": 0.5, "flag": True}
DRAW, KEEP, BURN = range(3)
PLANE = SEATS * TURNS
MAP, HELD, TOTAL, HAND = 0, 2 * PLANE, 2 * PLANE + KINDS, 2 * PLANE + KINDS + 1


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    cooperative: bool = False
    hands: int = 1

    def __post_init__(self):
        check_range("pool", "num_players", self.num_players, 2, SEATS)
        check_range("pool", "hands", self.hands, 1, HANDS)


class State(TableState):
    cooperative: Annotated[bool, np.bool_]
    hands: Annotated[int, np.int8]
    hand: Annotated[int, np.int8]
    """Number of finished hands."""
    deck: Annotated[np.ndarray, np.int8, (CARDS,)]
    drawn: Annotated[int, np.int8]
    """Number of cards kept or burnt; the next one, if any, is being held."""
    holds: Annotated[bool, np.bool_]
    kept: Annotated[np.ndarray, np.uint8, (SEATS * TURNS,)]
    """For each card drawn in this hand, whether it was kept."""
    last: Annotated[np.ndarray, np.int32, (SEATS,)]
    """Points of the last finished hand; all seats of a team have the team's points."""
    totals: Annotated[np.ndarray, np.int32, (SEATS,)]
    points: Annotated[np.ndarray, np.int32, (HANDS, SEATS)]
    share: Annotated[float, np.float32]
    """For a team, how close the last hand came to its target."""
    shares: Annotated[float, np.float32]
    hands_won: Annotated[int, np.int8]


@kernel
def init(state, top):
    state.seed += np.uint64(1)
    state.hand = state.hands_won = 0
    state.share = state.shares = 0.0
    state.points[:] = 0
    state.totals[:] = 0
    state.last[:] = 0
    state.hand_over = state.terminated = state.truncated = False
    deal(state)
    for i in range(top.shape[0]):
        j = i
        while state.deck[j] != top[i]:
            j += 1
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    shuffle(state, state.deck, top.shape[0], CARDS)


@kernel
def deal(state):
    state.current_player = state.hand % state.num_players
    state.drawn = 0
    state.holds = False
    state.kept[:] = 0
    start_stream(state, state.hand)
    for i in range(CARDS):
        state.deck[i] = i // COPIES
    shuffle(state, state.deck, 0, CARDS)


@kernel
def seat_of(state, card):
    """Return the seat that drew a card of this hand."""
    return (state.hand + card) % state.num_players


@kernel
def legal_action_mask(state, mask):
    burnt = False
    for i in range(state.drawn):
        burnt |= (seat_of(state, i) == state.current_player) & (state.kept[i] == 0)
    mask[DRAW] = not state.holds
    mask[KEEP] = state.holds
    mask[BURN] = state.holds & (not burnt)


@kernel
def step(state, action):
    state.hand_over = False
    if action == DRAW:
        state.holds = True
        return
    state.kept[state.drawn] = action == KEEP
    state.drawn += 1
    state.holds = False
    state.current_player = seat_of(state, state.drawn)
    if state.drawn == state.num_players * TURNS:
        end_hand(state)


@kernel
def end_hand(state):
    state.last[:] = 0
    for i in range(state.drawn):
        for player in range(state.num_players):
            if state.cooperative or player == seat_of(state, i):
                state.last[player] += state.kept[i] * (state.deck[i] + 1)
    for player in range(state.num_players):
        state.points[state.hand, player] = state.last[player]
        state.totals[player] += state.last[player]
    wanted = WANTED * state.num_players
    off = abs(state.last[0] - wanted)
    state.share = max(0.0, 1.0 - off / wanted)
    state.shares += state.share
    state.hands_won += off <= 1
    state.hand += 1
    state.hand_over = True
    state.terminated = state.hand == state.hands
    if not state.terminated:
        deal(state)


@kernel
def rewards(state, out):
    if state.reward == MARGIN and state.hand_over and state.cooperative:
        out[: state.num_players] = state.share
    elif state.reward == MARGIN and state.hand_over:
        pay_margins(state.last, state.num_players, 1, out)
    elif state.reward != MARGIN and state.terminated and state.cooperative:
        out[: state.num_players] = state.hands_won == state.hands
    elif state.reward != MARGIN and state.terminated:
        ranks(state, out)
        pay_winners(out, state.num_players)


@kernel
def scores(state, out):
    for player in range(state.num_players):
        out[player] = state.totals[player]


@kernel
def ranks(state, out):
    lost = not (state.terminated and state.hands_won == state.hands)
    for player in range(state.num_players):
        out[player] = 1 + (state.cooperative and lost)
        for other in range(state.num_players):
            ahead = state.totals[other] > state.totals[player]
            out[player] += ahead and not state.cooperative


def hand_scores(state, player):
    return state.points[: state.hand, player].tolist()


@kernel
def observe(state, viewer, out):
    total = 0
    for i in range(state.drawn):
        row = (seat_of(state, i) - viewer) % state.num_players
        place = row * TURNS + i // state.num_players
        value = state.deck[i] + 1
        out[MAP + (1 - state.kept[i]) * PLANE + place] = value / KINDS
        total += state.kept[i] * value
    if state.holds and viewer == state.current_player:
        out[HELD + state.deck[state.drawn]] = 1.0
    out[TOTAL] = total / (KINDS * PLANE)
    out[HAND] = state.hand / HANDS


@kernel
def redeal(state, viewer):
    known = state.holds and viewer == state.current_player
    shuffle(state, state.deck, state.drawn + known, CARDS)


class Knowledge:
    num_players: Annotated[int, np.int8]
    cooperative: Annotated[bool, np.bool_]
    map: Annotated[np.ndarray, np.int8, (2, PLANE)]
    """The values of kept and burnt cards, seat by seat from the viewer."""
    held: Annotated[int, np.int8]
    """The value of the card in hand, 0 for none and for the other seats."""
    hand: Annotated[int, np.int8]


@kernel
def know(state, viewer, known):
    seats, first = state.num_players, max(int(viewer), 0)
    known.num_players, known.cooperative, known.hand = seats, state.cooperative, state.hand
    known.map[:] = 0
    for i in range(state.drawn):
        place = (seat_of(state, i) - first) % seats * TURNS + i // seats
        known.map[1 - state.kept[i], place] = state.deck[i] + 1
    known.held = 0
    sees = viewer == ALL_SEEING or viewer == state.current_player  # noqa: PLR1714
    if state.holds and sees:
        known.held = state.deck[state.drawn] + 1


@kernel
def greedy(known, mask, rng):
    return DRAW if mask[DRAW] else KEEP


@kernel
def careful(known, mask, rng):
    """Play like `greedy`, but burn a card that exceeds the team's target."""
    total = known.map[0].sum() + known.held
    if mask[BURN] and known.cooperative and total > WANTED * known.num_players + 1:
        return BURN
    return greedy(known, mask, rng)


POOL = Game(
    name="pool",
    version=0,
    title="Pool",
    about="A game of the tests.",
    rules=Rules.of(
        sys.modules[__name__],
        worst_hand=20,
        action_names=lambda _: ("draw", "keep", "burn"),
        deck=lambda _: dict.fromkeys("123456", COPIES),
        observation_layout=lambda _: {"map": 2 * PLANE, "held": KINDS, "total": 1, "hand": 1},
        card_parts=("held",),
        cooperative=lambda params: params.cooperative,
        info=lambda _: FACTS,
    ),
    players=Players(scripted={"greedy": greedy, "careful": careful}),
)
