"""Explanations of Fiddlefoo's actions at a given table."""

from __future__ import annotations

import pytest
from tests.games.fiddlefoo.pictures import (
    after,
    sample,
    seen,
)
from tests.games.fiddlefoo.play import Table

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.render.view import View


def says(game, action):
    return seen(game).explain(action)


def test_a_cell_is_explained_by_its_pair():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 R8@5,5", "Y12 B5", "Y4 Y8 R7", pile="P4")
    assert says(game, "card:Y12").startswith("play Y12 (3 notes): ")
    game.play("card:Y12")
    assert says(game, "cell:5,6") == "row 5, column 6: pair with Y3, range 8, distance 3"
    game.play("cell:5,6")
    assert says(game, "pass") == "throw nothing at player_0"
    assert says(game, "throw:Y4") == "give player_0 Y4: 4 is in the range 4 to 11"
    assert says(game, "throw:R7") == "give player_0 R7: 3 notes for distance 3, the only throw"
    game.play("throw:Y4")
    assert says(game, "pass") == "throw nothing more at player_0"
    with pytest.raises(ValueError, match="'throw:R7' is not possible now; choose from throw:Y8"):
        says(game, "throw:R7")


def test_a_safe_song_is_told_before_it_is_made():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 R8@5,5 B6@5,6", "Y12 B5", "Y4 Y8 R7", pile="P4")
    game.play("card:Y12")
    told = says(game, "cell:5,7")
    assert told == "row 5, column 7: pair with Y3, range 8, distance 4, Safe Song"


def test_a_throw_that_makes_its_seat_draw_says_so():
    places = "Y3@5,2 B7@6,2 R1@5,3 B1@5,4 R8@5,5 Y9@5,8 B2@5,7"
    game = Table.at(places, "Y12 B5", "draw Y5 R7", pile="P4 P7").play("Y12@5,6")
    told = "give player_0 draw (B5): 3 notes for distance 3, the only throw, then draw 1"
    assert says(game, "throw:draw") == told


def test_a_pile_is_explained_by_how_full_it_would_be():
    params, states = sample("cooperative", 40)
    told = [
        (state, action, View(GAME, state, params, ALL_SEEING).explain(action))
        for state in states
        for action in View(GAME, state, params, ALL_SEEING).legal
        if action.startswith("pile:")
    ]
    assert told
    for state, action, words in told:
        played = after(state, params, action)
        if not played.hand_over:
            color = c.COLOR[c.CARD_NAMES.index(action.removeprefix("pile:"))]
            assert f": {played.pile_notes[color]} of 10 notes" in words


@pytest.mark.parametrize(
    ("card", "explanations"),
    [
        ("discard", {"card:Y16": "take Y16 (1 note) out of the game", "pass": "keep all cards"}),
        ("move", {"map:B7": "move B7 from row 6, column 3", "pass": "move no card"}),
        ("remove_cards", {"map:B7": "take B7 in row 6, column 3 out", "pass": "take no cards"}),
    ],
)
def test_an_effect_is_explained_by_what_it_asks_for(card, explanations):
    color = {"Y": "Y3", "P": "P1", "R": "R16"}["YRBP"[c.ACTION_CARDS[card][0]]]
    game = Table.at(f"{color}@5,2 B1@5,3 B7@6,3 B3@5,1", f"{card} Y16 R12", "B5", pile="")
    game.play(f"card:{card} cell:5,4")
    for action, words in explanations.items():
        assert says(game, action).startswith(words)
