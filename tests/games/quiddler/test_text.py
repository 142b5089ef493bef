"""Quiddler tables in 80 columns, and the sentences that the pictures share."""

from __future__ import annotations

import numpy as np
from tests.games.quiddler.pictures import (
    KIND,
    copied,
    golden,
    played,
    positions,
    view,
)

from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME


def test_the_text_of_a_table():
    batch = golden()
    state = batch.states[0]
    assert view(state, batch.params, 0).text().splitlines()[:-1] == [
        "Quiddler, hand 1 of 2 (3 cards), dealer player_1, as player_0 sees it",
        'player_1 spells "(qu)i"',
        "player_0 has gone out; 1 last turn to go. It has taken the x.",
        "Longest word so far: player_0 (3 letters).",
        "Draw pile 110. Discard pile 1, e on top: e x1.",
        "",
        "  player_0 0 pts turn 1, 1 word for 13 [you] [out] [longest]",
        "    hand   none",
        "    words  cat 13 (3 letters)",
        "> player_1 0 pts turn 1 [dealer]",
        "    hand   [x12]  [ ]",
        "    words  (qu)i.. 11",
        "",
    ]
    assert "    hand   x12*  z14" in view(state, batch.params, 1).text().splitlines()
    written = view(state, batch.params, 0).draw().texts
    assert {'player_1 spells "(qu)i"', "spelling", "11", "13 points", "3 letters"} <= set(written)


def test_the_text_of_the_next_hand():
    batch = played(golden(), "spell:z word discard:x")
    text = view(batch.states[0], batch.params, ALL_SEEING).text()
    for told in (
        "Hand 1 is over and scored; the next one is dealt.",
        "Longest word in hand 1: player_1.",
        "Last hand 13: cat 13",
        "Last hand 35: (qu)iz 25, longest word 10",
        "hand 2 of 2",
    ):
        assert told in text
        assert told in " ".join(view(batch.states[0], batch.params, ALL_SEEING).draw().texts)


def test_what_was_shuffled_again_is_counted_before_the_letters():
    batch = golden()
    state = copied(batch.states[0])
    state.reshuffled = True
    state.recycled[[KIND["a"], KIND["qu"]]] = 3, 1
    told = "Reshuffled into the draw pile: 3a 1qu"
    table = view(state, batch.params, 0)
    assert told in table.text().splitlines()
    for tall in (False, True):
        assert {told, "In the discard pile"} <= {*table.draw(tall=tall).texts}


def test_the_winner_is_named_and_a_tie_told():
    params, states = positions("four, challenges")
    state = copied(states[-1])
    state.totals[:4] = (5, 9, 2, 1)
    assert "player_1 wins" in view(state, params, ALL_SEEING).text()
    assert "player_1 wins" in view(state, params, ALL_SEEING).draw().texts
    state.totals[:4] = (9, 9, 2, 1)
    assert "player_0 and player_1 share the win" in view(state, params, ALL_SEEING).text()
    state.totals[:] = 9
    assert "4 seats share the win" in view(state, params, ALL_SEEING).text()


def test_a_called_hand_is_told():
    batch = Batch(GAME, 1, seed=1, autoreset=False, max_turns=1, hand_sizes=(3,))
    while not batch.states[0].called:
        batch.step(int(np.flatnonzero(batch.masks[0])[-1]))  # discard, never lay
    told = "Nobody went out in time; 2 last turns to go."
    assert told in view(batch.states[0], batch.params, 0).text()
