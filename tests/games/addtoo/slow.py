"""The search of Add-Too's players: a slow one on the reference's layout, and the engine's own."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from tests.games.addtoo.layout import DIAMONDS, Layout, Play, place_of
from tests.games.addtoo.play import layout_of, members, pile_of, plain

from kitchentable.core.kernels import subroutine
from kitchentable.engine.compiling import loop
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.players.lookahead import OUTLOOK, make_paper, search
from kitchentable.games.addtoo.players.reading import read
from kitchentable.games.addtoo.rules import legal_action_mask

if TYPE_CHECKING:
    from kitchentable.engine.batch import Batch


# --- Slowly ---------------------------------------------------------------------------------------


class UnclearError(Exception):
    """Two bonus plays of a rival score the same, and the rules do not define an order of them."""


@dataclass
class Slow:
    """A hand in progress on the reference's layout; seat 0 is the one that searches."""

    layout: Layout
    hands: list[list[str]]
    pile: list[str]
    points: list[int]
    sealed_ends_hand: bool
    hand: int

    @classmethod
    def of(cls, batch: Batch, i: int) -> Slow:
        """Return the current position of a game in a batch."""
        state, params = plain(batch.states[i]), batch.params
        turn = [(state.current_player + seat) % state.num_players for seat in range(6)]
        turn = turn[: state.num_players]
        layout = Layout(
            turned=params.turned, strict_colors=params.strict_colors, orange=params.orange
        )
        for diamond, page in layout_of(state).items():
            layout.lay(diamond, place_of(*page))
        hands = [members(state.hands[seat]) for seat in turn]
        points = [state.points[seat] for seat in turn]
        return cls(layout, hands, pile_of(state), points, params.sealed_ends_hand, params.hand)

    def after(self, seat: int, play: Play) -> Slow:
        """Return the position after a play."""
        layout = copy(self.layout)
        layout.places, layout.at = dict(layout.places), dict(layout.at)
        layout.lay(play.diamond, play.place)
        hands, points = [list(hand) for hand in self.hands], list(self.points)
        hands[seat].remove(play.diamond)
        points[seat] += play.score
        return Slow(layout, hands, self.pile, points, self.sealed_ends_hand, self.hand)

    def worth(self, seat: int, play: Play, depth: int) -> float:
        """Return the value of a seat's play for seat 0, searching ``depth`` plays ahead."""
        table, following = self.after(seat, play), (seat + 1) % len(self.hands)
        if table.ends_with(seat):
            return table.mean_lead([p - 10.0 * len(hand) for p, hand in table.both()])
        plays = table.layout.plays(table.hands[following])
        if depth == 1 or not plays:
            return table.estimate(following, plays)
        if following and len(self.hands) > 2:
            plays = [first_of(plays)]
        values = [table.worth(following, reply, depth - 1) for reply in plays]
        return min(values) if following else max(values)

    def both(self):
        """Return the points and the hand of each seat."""
        return zip(self.points, self.hands, strict=True)

    def ends_with(self, seat: int) -> bool:
        """Return whether the seat's last play has ended the hand."""
        sealed = self.sealed_ends_hand and not self.layout.has_room()
        return not self.hands[seat] or not self.layout.open_sides() or sealed

    @staticmethod
    def mean_lead(points: list[float]) -> float:
        """Return the lead of seat 0 over the mean of the others."""
        return points[0] - sum(points[1:]) / (len(points) - 1)

    def estimate(self, seat: int, plays: list[Play]) -> float:
        """Return the value of a leaf where a seat is about to make its highest play, or to draw."""
        size, rest = len(self.hands[seat]), len(self.pile)
        if plays:
            return self.outcome(seat, max(play.score for play in plays), size - 1)
        drawn = self.layout.plays(self.pile)
        good = len({play.diamond for play in drawn})
        mean = sum(play.score for play in drawn) / max(len(drawn), 1)
        draws = min(max(self.hand - size, 0), rest)
        # Probability that the first k draws bring no playable diamond.
        missed = [comb(rest - good, k) / comb(rest, k) for k in range(draws + 1)]
        value = missed[-1] * self.outcome(seat, 0, size + draws)
        for k in range(draws):
            value += (missed[k] - missed[k + 1]) * self.outcome(seat, mean, size + k)
        return value

    def outcome(self, seat: int, score: float, size: int) -> float:
        """Return the expected lead once a seat has scored and holds ``size`` diamonds."""
        sizes, points = [len(hand) for hand in self.hands], [float(p) for p in self.points]
        sizes[seat], points[seat] = size, points[seat] + score
        to_come = 0.0
        for rival in range(1, len(sizes)):
            if seat < rival:  # the rival plays before seat 0, which has had its turn
                to_come += OUTLOOK[sizes[0], sizes[rival]]
            else:
                to_come -= OUTLOOK[sizes[rival], sizes[0]]
        return self.mean_lead(points) + to_come / (len(sizes) - 1)


def first_of(plays: list[Play]) -> Play:
    """Return the play that scores most.

    Among equals an ordinary play comes before a bonus play, then the lower side and turn, then the
    lower diamond.
    """
    best = [play for play in plays if play.score == max(play.score for play in plays)]
    if len({play.name for play in best}) > 1 and all(play.is_bonus for play in best):
        raise UnclearError
    ordinary = [play for play in best if not play.is_bonus] or best
    return min(ordinary, key=lambda play: (play.name, DIAMONDS.index(play.diamond)))


# --- The engine's search --------------------------------------------------------------------------


@subroutine
def think_on(paper, observation, variant, depth, every, plays, values, numbers, fits):
    read(observation, variant, numbers, fits, paper.tables[0])
    best = search(paper, depth, every, numbers, fits)
    for i in range(paper.counts[0]):
        values[i] = paper.values[i]
        for column in range(3):
            plays[i, column] = paper.plays[0, i, column]
    return best, paper.counts[0]


def think(observation, variant, depth, every, plays, values, numbers, fits):
    paper = make_paper(depth)
    return think_on(paper, observation, variant, depth, every, plays, values, numbers, fits)


@cache
def thinker():
    return loop(think, game=GAME, name="test-search", allocates=True)


def found_by_search(batch: Batch, i: int, depth: int, *, every: bool):
    """Return diamond, action, points and value of each play, and the index of the best.

    The diamond and the action are names.
    """
    rows, values = np.zeros((1000, 3), np.int64), np.zeros(1000)
    seen = batch.observations[i], batch.variant
    best, count = thinker()(*seen, depth, every, rows, values, *batch.tables)
    plays = [(DIAMONDS[row[0]], batch.action_names[row[1]], int(row[2])) for row in rows[:count]]
    return plays, values[:count].tolist(), int(best)


def read_all(observations, variant, records, masks, numbers, fits):
    """Read every observation into a record, and write the legal actions there."""
    for i in range(observations.shape[0]):
        read(observations[i], variant, numbers, fits, records[i])
        masks[i, :] = False
        legal_action_mask(records[i], masks[i], numbers, fits)


@cache
def reader():
    return loop(read_all, game=GAME, name="test-reading", allocates=True)
