"""What observations of Fiddlefoo tell of plays inside others; all other parts are in duels."""

import numpy as np
import pytest
from tests.games.duel import one_hot
from tests.games.fiddlefoo.play import Table

from kitchentable.core.state import slices
from kitchentable.games.fiddlefoo import GAME


def part(table: Table, name: str, viewer: int = 0) -> list[float]:
    """Return one part of a seat's observation."""
    seen = table.batch.observe(np.array([viewer]))[0]
    where = slices(GAME.rules.observation_layout(table.batch.params))
    return [round(float(value), 3) for value in seen[where[name]]]


def marked(table: Table) -> list[list[int]]:
    """Return the cells of the map that are marked as those of the pair."""
    seen = table.batch.observe(np.array([0]))[0]
    return np.argwhere(GAME.images(table.batch.params, seen)["map"][6]).tolist()


def test_effects_to_come_are_seen():
    """A second play, the effects of the pair on 2, removals and swaps on 3, draws on 4."""
    table = Table.at("R1@5,5 Y1@5,6 B2@6,6", "remove_cards R16", "R4 P4").play("remove_cards@5,7")
    assert part(table, "to_come") == [0, 0, 1, 0, 0]
    assert part(table.play("map:Y1"), "to_come", 1) == [0, 0, 0.667, 0, 0]
    places = "discard@5,5 R5@5,6 B2@6,6"
    table = Table.at(places, "move Y16", "R4 P4", wildcard=True).play("move@5,7")
    assert part(table, "to_come") == [0, 0.5, 0, 0, 0]
    assert part(table.play("pass"), "to_come") == [0, 0, 0, 0, 0]
    table = Table.at("P10@5,5 R5@5,6 Y1@6,5", "play_again R1 Y16", "P7 B12").play("play_again@5,7")
    assert part(table, "to_come")[0] == 1
    assert part(table.play("pass"), "to_come")[0] == 0
    hands = ("Y3 R16 Y2", "notes_match_penalty R1 R3 P4")
    table = Table.at("Y1@5,4 R5@5,6", *hands, pile="swap_map instaplay P1")
    table.play("Y3@5,7 >notes_match_penalty")
    assert part(table, "to_come")[3:] == [1, 0.25]
    table.play("card:R3 map:Y1")
    assert part(table, "to_come")[3:] == [0.667, 0.25]


def test_a_play_in_the_middle_of_another_shows_the_other():
    """Marked by a one, with the outer play's active seat, the seat asked to throw, and the pair."""
    hands = ("B16 B2 R16", "draw B4 R9", "B9 Y4 R12")
    table = Table.at("B3@5,5 Y1@5,6", *hands, pile="instaplay P1").play("B16@5,7")
    cards = table.state.card, table.state.partner
    assert part(table, "outer") + part(table, "outer_active") == [0] * 4
    table.play(">draw")
    for viewer in range(3):
        assert part(table, "outer", viewer) == [1]
        assert part(table, "outer_active", viewer) == one_hot(3, -viewer % 3)
        assert part(table, "outer_thrower", viewer) == one_hot(3, (1 - viewer) % 3)
    blue = [3 / 16, 1, 12 / 14, 1 / 14, 0, 0, 0, 0, 1, 0]
    assert part(table, "outer_pair") == pytest.approx(blue, abs=1e-3)
    assert part(table, "active") == part(table, "to_act") == one_hot(3, 1)
    assert part(table, "pair") == [0] * 10
    assert marked(table) == []
    table.play("cell:5,8")
    yellow = [1 / 16, 6 / 16, 4 / 14, 1 / 14, 0, 0, 1, 0, 0, 0]
    assert part(table, "pair") == pytest.approx(yellow, abs=1e-3)
    assert part(table, "outer_pair") == pytest.approx(blue, abs=1e-3)
    table.play("pass pass")
    assert part(table, "outer") + part(table, "outer_active") == [0] * 4
    assert part(table, "pair") == pytest.approx(blue, abs=1e-3)
    assert (part(table, "active"), marked(table)) == (one_hot(3, 0), [[5, 5], [5, 7]])
    assert (table.state.card, table.state.partner) == cards
