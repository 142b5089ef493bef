"""Add-Too tables as text: sentences, the layout in characters, how a game ended."""

from __future__ import annotations

import pytest
from tests.games.addtoo.pictures import (
    FARTHEST,
    chain,
    copied,
    every_table,
    figure_5,
    look,
    positions,
    texts_in,
)
from tests.games.addtoo.play import Table

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.addtoo.render.view import offers, tiles_of
from kitchentable.games.addtoo.state import OVER

# --- The table ------------------------------------------------------------------------------------


def test_the_text_of_a_table():
    game = figure_5()
    game.play("9-10")
    params = game.env._batch.params
    assert look(game.state, params, 1).text().splitlines()[:-3] == [
        "Add-Too, hand 1 of at most 50, to 200 points, as player_1 sees it",
        "player_0 chooses a place for 9-10",
        "Last played: 3-4, orange 3 takes 2, 3 or 7 (open: above), blue 4 takes 1, 4 or 6",
        "  (open: upper left and below).",
        "Places for bonus plays: 1; with a diamond of a hand: 1.",
        "Bonus plays: on:1-9,1,1 (0,-1,0,1): 9-10 of player_0.",
        "37 in the pile, face down.",
        "",
        "                  ------- -------",
        "               /b10 o1 /o9  b1 /",
        "      ####### ------- -------",
        "   #b4  o3 #o3  b10/   A",
        "  ####### -------",
        "",
        "Laid in this order: 1-9 (0,0,0,0), 1-10 (-1,0,0,1), 3-10 (-1,-1,0,0),",
        "  3-4 (-2,-1,0,1).",
        "Places for 9-10, and points: A on:1-9,1,1 (0,-1,0,1) 30.",
        "",
        "> player_0 0 points  this hand 0  [began]",
        "    hand  o5-b6  o9-b10",
        "  player_1 0 points  this hand 0  [you]",
        "    hand  o1-b2  b1-o3",
    ]


def test_turned_diamonds_in_characters():
    """The turned Figure 5 of the rules page."""
    lying = "7-9@0,0,0,0 5-9@0,-1,0,1 3-10@-1,-1,0,0 1-3@-2,0,2,1"
    game = Table.at(lying, "9-10 2-6", "1-2 1-4", park=False)
    game.play("9-10")
    lines = look(game.state, game.env._batch.params, 1).text().splitlines()
    at = lines.index("") + 1
    assert lines[at : lines.index("", at)] == [
        "                     -------",
        "  #b1 #       A   /o9  b7 /",
        "         ------- -------",
        "  #o3 #o3  b10/b5  o9 /",
        "     ------- -------",
    ]


@pytest.mark.parametrize("direction", FARTHEST)
def test_a_layout_that_is_too_wide_is_cut_around_the_last_diamond(direction):
    params, state = chain(direction, 2)
    lines = look(state, params).text().splitlines()
    end = lines.index("  (The layout is wider: this is the part around the last diamond.)")
    drawn = lines[lines.index("") + 1 : end - 1]
    assert 3 <= len(drawn) < 48
    assert drawn[0].strip()
    for told in ("o10", "b8", "#", *(offer.letter for offer in offers(look(state, params)))):
        assert any(told in line for line in drawn)


# --- The end ----------------------------------------------------------------------------------


@every_table
def test_a_finished_hand_shows_its_scores(name):
    params, states = positions(name)
    over = [state for state in states if state.hand_over and state.phase != OVER]
    assert over
    for state in over:
        note = f"Hand {state.hands_done} is over and scored; the next one is dealt."
        for seen in texts_in(state, params, 0):
            assert note in seen
            for player in range(params.num_players):
                assert f"hand {state.hands_done}: {state.last_scores[player]}" in seen


@every_table
def test_the_end_shows_what_was_left_and_how_hands_add_up(name):
    params, states = positions(name)
    state = states[-1]
    for seen in texts_in(state, params, 0):
        assert "Game over" in seen
        assert ("the target not reached" in seen) == bool(state.truncated)
        for player in range(params.num_players):
            left = len(tiles_of(state.hands[player]))
            lost = f" - {10 * left} = {state.last_scores[player]}" if left else ""
            assert f"last hand {state.points[player]}{lost}" in seen
            assert look(state, params).hands_sum(player, 20) in seen


def test_the_sum_of_hands_is_cut_to_the_last_ones():
    params, states = positions("two")
    state = copied(states[-1])
    state.hands_done = 4
    state.hand_points[0, :4] = (-10, 25, 130, 0)
    assert look(state, params).hands_sum(0, 20) == "-10+25+130+0"
    assert look(state, params).hands_sum(0, 11) == "..+25+130+0"
    assert look(state, params).hands_sum(0, 8) == "..+130+0"
    state.hands_done = 1
    assert look(state, params).hands_sum(0, 20) == ""


def test_the_winner_is_named_and_a_tie_told():
    params, states = positions("six")
    state = copied(states[-1])
    state.totals[:] = (3, 9, 9, 7, 8, 6)
    state.last_scores[:] = (0, 1, 2, 3, 4, 5)
    assert all("player_2 wins" in told for told in texts_in(state, params, ALL_SEEING))
    state.last_scores[:] = 0
    assert all("player_1 and player_2 share the win" in t for t in texts_in(state, params, 0))
    state.totals[:] = 2
    assert all("6 seats share the win" in told for told in texts_in(state, params, 0))


def test_why_the_last_hand_ended_is_told():
    params, states = positions("two")
    state = copied(states[-1])
    state.hands[0], state.hands[1] = 1, 0
    state.room[:] = 1
    assert all("player_1 has laid all diamonds" in told for told in texts_in(state, params, 0))
    state.hands[1] = 2
    assert all("no seat can play" in told for told in texts_in(state, params, 0))
    state.room[:] = 0
    assert all("no room at the last diamond" in told for told in texts_in(state, params, 0))
    state.sealed_ends_hand = False
    assert all("no seat can play" in told for told in texts_in(state, params, 0))
    state.grid[:] = 0
    assert all("touched on all sides" in told for told in texts_in(state, params, 0))
