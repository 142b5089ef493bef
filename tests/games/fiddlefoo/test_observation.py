"""Observations of Fiddlefoo: every part follows from what the seat may know, in every variant."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import COMPILED, scaled
from tests.contract.reference_players import at_random
from tests.games.fiddlefoo.cards import ACTION_CARDS, color, notes, number
from tests.games.fiddlefoo.duel import ASKS, Duel
from tests.games.fiddlefoo.play import Table
from tests.games.fiddlefoo.test_play import generous, spreads

from kitchentable.core.state import slices
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo.state import PHASES

VARIANTS = [
    {},
    {"wildcard": True, "num_players": 3, "games": 2},
    {"cooperative": True, "games": 2},
    {"talkytoot": "all", "map_size": 8},
    {"talkytoot": "all", "cooperative": True, "num_players": 3},
    {"talkytoot": ["swap_map", "instaplay", "draw", "wildcard_pair"], "num_players": 6},
]


def one_hot(size, place=None):
    """Return zeros, with a one at the given place if there is one."""
    return [float(i == place) for i in range(size)]


def flat(*rows):
    return [value for row in rows for value in row]


class Seen:
    """The expected observation of a reference game, part by part."""

    def __init__(self, game, viewer: int) -> None:
        self.game, self.viewer, self.seats = game, viewer, game.num_players
        self.order = [(viewer + i) % self.seats for i in range(self.seats)]

    def parts(self) -> dict[str, list[float]]:
        """Return the parts that follow from the rules and the hands alone."""
        game = self.game
        parts = self.cards() | self.decision() | self.table() | {"map": self.map()}
        if game.cooperative:
            parts |= self.piles()
        if len(game.cards) > 54:
            parts |= self.talkytoot()
        return parts

    def marks(self, cards) -> list[float]:
        return [float(card in cards) for card in self.game.cards]

    def seat(self, player) -> list[float]:
        return one_hot(self.seats, None if player is None else self.order.index(player))

    def cards(self) -> dict[str, list[float]]:
        game, own = self.game, self.game.hands[self.viewer]
        open_cards = {*game.map.values(), *game.out, *own}.union(*game.known, *game.piles.values())
        deciding = game.asks in ("card", "play again") and game.player == self.viewer
        how = {c: game.fits(c, game.pair) for c in game.cards} if game.asks == "throw" else {}
        return {
            "hand": self.marks(own),
            "shown": self.marks(game.known[self.viewer]),
            "playable": self.marks([name[5:] for name in game.legal if deciding]),
            "chosen": self.marks([game.chosen]),
            "known": flat(*(self.marks(game.known[seat]) for seat in self.order[1:])),
            "unseen": [1.0 - mark for mark in self.marks(open_cards)],
            "fits_range": self.marks([c for c in how if how[c] == "range"]),
            "fits_notes": self.marks([c for c in how if how[c] == "notes"]),
        }

    def decision(self) -> dict[str, list[float]]:
        game, over = self.game, self.game.terminated
        active = game.turn if game.active is None else game.active
        return {
            "phase": one_hot(10, None if over else PHASES.index(ASKS[game.asks])),
            "to_act": self.seat(None if over else game.player),
            "active": self.seat(None if over else active),
            "pair": self.pair(),
            "thrown": [float(game.asks == "throw" and game.in_range)],
        }

    def pair(self) -> list[float]:
        game, pair = self.game, self.game.pair
        if pair is None:
            return [0.0] * 10
        low, high = sorted(map(number, pair.cards))
        wild = game.wildcard and "P" in map(color, pair.cards)
        every = wild or "throw_other_colors" in pair.cards
        colors = [float(not every and one in pair.colors) for one in "YRBP"]
        numbers = [low / 16, high / 16, len(pair.between) / 14, pair.distance / 14]
        return [*numbers, float(game.safe), float(every), *colors]

    def table(self) -> dict[str, list[float]]:
        game, total = self.game, len(self.game.cards)
        sizes = [len(game.hands[seat]) for seat in self.order]
        points = [game.totals[seat] for seat in self.order]
        best = 4 * game.games
        shares = [(p + 10 * game.games) / (210 * game.games) for p in points]
        leads = [max(-40, min(40, p - points[0])) for p in points[1:]]
        done = len(game.history[0])
        return {
            "hand_sizes": [size / total for size in sizes],
            "few_cards": flat(*(one_hot(4, size - 1) for size in sizes)),
            "draw_pile": [len(game.pile) / total, float(not game.pile)],
            "blocked": [game.stuck / self.seats],
            "starter": self.seat(game.starter),
            "hands_done": [done / game.games, float(done == game.games - 1)],
            "totals": [p / best for p in points] if game.cooperative else shares,
            "lead": [0.5 if game.cooperative else 0.5 + lead / 80 for lead in leads],
        }

    def piles(self) -> dict[str, list[float]]:
        piles = self.game.piles
        tops = {one: max([0, *map(number, pile)]) for one, pile in piles.items()}
        return {
            "pile_tops": [top / 16 for top in tops.values()],
            "pile_notes": flat(*(one_hot(12, min(11, sum(map(notes, p)))) for p in piles.values())),
            "on_piles": self.marks([card for pile in piles.values() for card in pile]),
            "fits_piles": [float(number(c) > tops[color(c)]) for c in self.game.cards],
        }

    def talkytoot(self) -> dict[str, list[float]]:
        game = self.game
        return {
            "removed": self.marks(game.out),
            "received": self.marks(game.received),
            "swapped": self.marks(game.swapped),
            "last_added": self.marks([game.last]),
            "turn": self.seat(game.turn),
            "turn_color": one_hot(4, "YRBP".index(color(game.first)) if game.first else None),
        }

    def map(self) -> list[float]:
        game, size = self.game, self.game.map_size
        planes = np.zeros((11 if len(game.cards) > 54 else 10, size, size))
        for cell, card in game.map.items():
            planes[("YRBP".index(color(card)), *cell)] = 1
            planes[(4, *cell)], planes[(5, *cell)] = number(card) / 16, notes(card) / 4
            if card in ACTION_CARDS:
                planes[(10, *cell)] = (list(ACTION_CARDS).index(card) + 1) / 21
        for cell in game.spots if game.pair else ():
            planes[(6, *cell)] = 1
        for cell in game.map.cells(game.chosen) if game.asks == "cell" else ():
            pair = game.map.pair_at(game.chosen, cell)
            planes[(7, *cell)] = number(pair.old) / 16
            planes[(8, *cell)] = len(pair.between) / 14
            planes[(9, *cell)] = (pair.distance + 1) / 15
        return planes.ravel().tolist()


def assert_seen(duel: Duel) -> None:
    """Check the observation of every seat in every game."""
    batch = duel.batch
    places = slices(GAME.rules.observation_layout(batch.params))
    for viewer in range(batch.num_players):
        seen = batch.observe(np.full(batch.num_envs, viewer))
        for row, game in zip(seen, duel.references, strict=True):
            wanted = Seen(game, viewer).parts()
            assert set(places) - set(wanted) <= {"to_come", "outer", "outer_pair"}
            for name, values in wanted.items():
                if not game.terminated or name not in ("pair", "map", "fits_range", "fits_notes"):
                    ours, theirs = row[places[name]], np.array(values, np.float32)
                    assert ours.shape == theirs.shape, name
                    # Ten times as fast as `allclose`; this runs half a million times.
                    off = np.abs(ours - theirs).max(initial=0.0)
                    assert off < 2e-6, (name, game.asks, ours, theirs)


@pytest.mark.parametrize("params", VARIANTS)
@pytest.mark.parametrize("player", [at_random, generous, spreads])
def test_every_part_is_what_the_seat_may_know(params, player):
    duel, rng = Duel(scaled(4), 9, **params), np.random.default_rng(2)
    for step in range(200 if COMPILED else 40):
        if not any(game.legal for game in duel.references):
            break
        if step % 2 == 0:
            assert_seen(duel)
        duel.step([player(game, rng) if game.legal else "" for game in duel.references])
    assert sum(duel.asked.values()) >= 20


# --- Positions set up by hand -------------------------------------------------------------------


def part(table: Table, name: str, viewer: int = 0) -> list[float]:
    """Return one part of a seat's observation."""
    seen = table.env.observe(f"player_{viewer}")["observation"]
    return [round(float(value), 3) for value in seen[table.env.observation_parts[name]]]


def test_hidden_cards_change_nothing_that_others_see():
    """Two tables that differ in a hand and the draw pile look the same to everybody else."""
    places = "Y3@5,5 R5@5,6"
    first = Table.at(places, "Y16 R3", "Y5 B2", "B9 B10", pile="P4 P1")
    second = Table.at(places, "Y16 R3", "P4 P1", "B9 B10", pile="B2 Y5")
    for viewer in (0, 2):
        seen = [t.env.observe(f"player_{viewer}")["observation"] for t in (first, second)]
        assert np.array_equal(*seen)
    own = [t.env.observe("player_1")["observation"] for t in (first, second)]
    assert not np.array_equal(*own)


def test_unseen_are_the_pile_and_what_is_not_known_of_other_hands():
    """Cards out of the game, as most are here, are not unseen."""
    table = Table.at("Y3@5,5 R5@5,6", "Y16 R3", "Y5 B2 R4", "B9", pile="P4 P1")
    table.play("Y16@5,7 >Y5")
    deck = list(table.env.game.rules.deck(table.env.params))
    for viewer, unseen in enumerate(("B2 R4 B9 P4 P1", "R3 B9 P4 P1", "R3 B2 R4 P4 P1")):
        marks = part(table, "unseen", viewer)
        assert {card for card, mark in zip(deck, marks, strict=True) if mark} == set(unseen.split())


def test_effects_to_come_are_seen():
    """A second play, the effects of the pair on 2, removals and swaps on 3, draws on 4."""
    table = Table.at("R1@5,5 Y1@5,6 B2@6,6", "remove_cards R16", "R4 P4").play("remove_cards@5,7")
    assert part(table, "to_come") == [0, 0, 1, 0, 0]
    assert part(table.play("map:Y1"), "to_come", 1) == [0, 0, 0.667, 0, 0]
    places = "discard@5,5 R5@5,6 B2@6,6"
    table = Table.at(places, "move Y16", "R4 P4", wildcard=True).play("move@5,7")
    assert part(table, "to_come") == [0, 0.5, 0, 0, 0]
    assert part(table.play("pass"), "to_come") == [0, 0, 0, 0, 0]


def test_a_play_in_the_middle_of_another_shows_the_other():
    """Marked by a one, with the outer play's active seat, the seat asked to throw, and the pair."""
    hands = ("B16 B2 R16", "draw B4 R9", "B9 Y4 R12")
    table = Table.at("B1@5,5 Y1@5,6", *hands, pile="instaplay P1").play("B16@5,7")
    assert part(table, "outer") == [0] * 7
    table.play(">draw")
    for viewer in range(3):
        active, thrower = one_hot(3, -viewer % 3), one_hot(3, (1 - viewer) % 3)
        assert part(table, "outer", viewer) == [1, *active, *thrower]
    blue = [1 / 16, 1, 1, 1 / 14, 0, 0, 0, 0, 1, 0]
    assert part(table, "outer_pair") == pytest.approx(blue, abs=1e-3)
    assert part(table, "active") == part(table, "to_act") == one_hot(3, 1)
    assert part(table, "pair") == [0] * 10
    assert not np.any(table.env.images(table.env.observe("player_0")["observation"])["map"][6])
    table.play("cell:5,8")
    yellow = [1 / 16, 6 / 16, 4 / 14, 1 / 14, 0, 0, 1, 0, 0, 0]
    assert part(table, "pair") == pytest.approx(yellow, abs=1e-3)
    assert part(table, "outer_pair") == pytest.approx(blue, abs=1e-3)
    table.play("pass pass")
    assert part(table, "outer") == [0] * 7
    assert part(table, "pair") == pytest.approx(blue, abs=1e-3)


def test_draws_that_wait_and_swaps_are_seen():
    hands = ("Y3 R16 Y2", "notes_match_penalty R1 R3 P4")
    table = Table.at("Y1@5,4 R5@5,6", *hands, pile="swap_map instaplay P1")
    table.play("Y3@5,7 >notes_match_penalty")
    assert part(table, "to_come")[3:] == [1, 0.25]
    table.play("card:R3 map:Y1")
    assert part(table, "to_come")[3:] == [0.667, 0.25]


def test_another_play_is_seen_during_the_throws():
    table = Table.at("P10@5,5 R5@5,6 Y1@6,5", "play_again R1 Y16", "P7 B12").play("play_again@5,7")
    assert part(table, "to_come")[0] == 1
    assert part(table.play("pass"), "to_come")[0] == 0


def test_a_new_game_is_not_stuck():
    table = Table.at("Y3@5,5 R5@5,6", "Y16 P1", "P4 P13", games=2).play("Y16@5,7")
    assert table.state.hand_over
    assert part(table, "blocked") == [0]
    assert part(table, "hands_done") == [0.5, 1]


def test_points_of_finished_games_are_seen():
    table = Table.at("Y3@5,5 R5@5,6", "Y16", "R3 P7", games=2).play("Y16@5,7")
    assert table.env.scores.tolist() == [0, 5]
    for viewer, (own, other, lead) in enumerate(((0, 5, 5), (5, 0, -5))):
        shares = [(points + 20) / 420 for points in (own, other)]
        assert part(table, "totals", viewer) == pytest.approx(shares, abs=1e-3)
        assert part(table, "lead", viewer) == pytest.approx([0.5 + lead / 80], abs=1e-3)


def test_the_map_is_an_image():
    params = GAME.make_params(talkytoot="all", map_size=10)
    assert GAME.rules.image_parts(params) == {"map": (11, 10, 10)}
    assert GAME.rules.image_parts(GAME.make_params()) == {"map": (10, 12, 12)}
    assert GAME.rules.observation_layout(params)["map"] == 1100
