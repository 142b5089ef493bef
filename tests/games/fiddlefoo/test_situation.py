"""The sentences that explain a table of Fiddlefoo to beginners."""

from __future__ import annotations

import pytest
from tests.games.fiddlefoo.pictures import (
    by_phase,
    every_table,
    said,
    sample,
)
from tests.games.fiddlefoo.play import Table

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.render.action_cards import EFFECTS, in_words
from kitchentable.render.view import View


@every_table
def test_passing_is_explained_where_it_is_possible(name):
    params, states = by_phase(name)
    for state in states:
        words = View(GAME, state, params, int(state.current_player)).situation()
        assert ("pass" in words.split()) == ("pass" in View(GAME, state, params, ALL_SEEING).legal)
        assert state.phase == s.OVER or f"player_{state.current_player}" in words


@every_table
def test_cards_are_named_as_sentences_have_it(name):
    params, states = sample(name, 20)
    for state in states:
        view = View(GAME, state, params, ALL_SEEING)
        words = " ".join([view.situation(), *(view.explain(action) for action in view.legal)])
        assert "_" not in words.replace("player_", "")


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("discard", "discard is in the pair that player_0 has made"),
        ("move", "move is in the pair that player_0 has made"),
        ("remove_cards", "player_0 may take up to 3 cards on the map"),
    ],
)
def test_the_effect_of_a_pair_is_explained(card, words):
    color = {"Y": "Y3", "P": "P1", "R": "R16"}["YRBP"[c.ACTION_CARDS[card][0]]]
    game = Table.at(f"{color}@5,2 B1@5,3 B7@6,3 B3@5,1", f"{card} Y16 R12", "B5", pile="")
    name = in_words(c.CARD_NAMES.index(card))
    assert f"{name}: {EFFECTS[card]}" in said(game, 0)
    assert name not in said(game, 1)
    game.play(f"card:{card}")
    assert f"{name}: {EFFECTS[card]}" in said(game, 1)
    game.play("cell:5,4")
    assert words in said(game, 1)


def test_what_follows_from_a_draw_is_explained():
    game = Table.at("Y3@5,5 R5@5,6", "Y16 R1", "P4", pile="swap_map B9").play("Y16@5,7")
    assert "player_1 has drawn swap map" in said(game, 0)
    game.play("card:P4")
    assert "player_1 gives P4 to the map, by the effect of swap map" in said(game, 0)


def test_a_play_in_the_middle_of_another_one_is_explained():
    places = "Y3@5,2 B7@6,2 R1@5,3 B1@5,4 R8@5,5 Y9@5,8 B2@5,7"
    game = Table.at(places, "Y12 B5", "draw Y5 R7", pile="instaplay P4").play("Y12@5,6")
    assert f"draw: {EFFECTS['draw']}" in said(game, 1)
    assert EFFECTS["draw"] not in said(game, 0)
    game.play("throw:draw")
    words = said(game, 0)
    assert "player_1 has drawn instaplay, which must be played at once" in words
    assert "Interrupted: Y12 and Y3 of player_0" in words


def test_cards_received_and_throws_before_are_told():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 R8@5,5", "Y12 B5", "Y4 Y5 R7", pile="P4").play("Y12@5,6")
    assert said(game).startswith(
        "player_1 may throw yellow 4 to 11 (between 3 and 12), or one card with 3 notes "
        "(the distance is 3), open into the hand of player_0, who has made the pair Y12 and Y3."
    )
    assert said(game).endswith("to pass throws nothing.")
    game.play("throw:Y4")
    assert said(game).startswith("player_1 may throw more: yellow 4 to 11 (between 3 and 12), open")
    assert "In this turn player_0 has received Y4." in said(game)


def test_endings_are_told():
    params, states = sample("two", 1)
    last = next(state for state in states if state.phase == s.OVER)
    first = next(state for state in states if state.hand_over and state.phase != s.OVER)
    assert View(GAME, first, params, 0).situation().startswith("Game 1 is over. The notes left")
    words = View(GAME, last, params, 0).situation()
    assert words.startswith("The game is over: ")
    assert "Totals after 2 games: " in words
    params, states = sample("cooperative", 1)
    last = next(state for state in states if state.phase == s.OVER)
    words = View(GAME, last, params, 0).situation()
    assert "each had to have exactly 10" in words
    assert "The team has lost" in words
