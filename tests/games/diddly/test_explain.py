"""Explanations of Diddly's actions at a given table."""

from __future__ import annotations

import pytest
from tests.games.diddly.pictures import first_with

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.diddly import GAME
from kitchentable.games.diddly import state as table
from kitchentable.render.view import View


def all_explained(state, params):
    """Return the explanation of each legal action by name."""
    view = View(GAME, state, params, ALL_SEEING)
    return {action: view.explain(action) for action in view.legal}


def explained(state, params, slot):
    return View(GAME, state, params, ALL_SEEING).explain(f"slot:{slot}")


def with_own_cards(phase):
    """Return a table of six cards where the seat to act has a 3 face up and has seen a Diddly."""
    params, state = first_with(phase, lambda state: state.cards == 6)
    mover = int(state.current_player)
    state.boards[mover, :6] = 2, table.DIDDLY, 4, 5, 6, 7
    state.face_up[mover], state.peeked[mover] = 0, 0
    state.face_up[mover, 0] = state.peeked[mover, 1] = 1
    return params, state


def test_a_card_is_explained_by_its_place_and_what_is_known_of_it():
    params, state = with_own_cards(table.FLIP)
    assert explained(state, params, 3) == "turn up the unseen card in row 2, column 1"
    params, state = with_own_cards(table.USE_PEEK)
    assert explained(state, params, 5) == "look at the unseen card in row 2, column 3"
    assert explained(state, params, 1) == "look again at the face-down Diddly in row 1, column 2"


def test_both_choices_of_a_swap_are_explained():
    params, state = with_own_cards(table.SWAP_FIRST)
    assert explained(state, params, 0) == "swap the 3 in row 1, column 1 with another"
    assert View(GAME, state, params, ALL_SEEING).explain("pass") == "leave the cards as they are"
    params, state = with_own_cards(table.SWAP_SECOND)
    state.swap_slot = 4
    assert explained(state, params, 1) == (
        "swap row 2, column 2 with the face-down Diddly in row 1, column 2"
    )
    with pytest.raises(ValueError, match="'slot:4' is not possible now; choose from slot:0, slot"):
        explained(state, params, 4)


def test_placing_is_explained_by_what_is_discarded():
    params, state = with_own_cards(table.PLACE)
    state.source, state.held = table.FROM_DECK, table.HALF
    assert explained(state, params, 0) == "put the Half in row 1, column 1; discard the 3"
    assert explained(state, params, 2) == (
        "put the Half in row 1, column 3; discard the unseen card"
    )
    mover = int(state.current_player)
    state.source = table.FROM_RECYCLING
    state.boards[mover, 0] = table.RECYCLE
    assert explained(state, params, 0).endswith("discard the Recycle")
    with pytest.raises(ValueError, match="'slot:1' is not possible now; choose from slot:0"):
        explained(state, params, 1)


def test_where_a_card_comes_from_is_explained():
    params, state = with_own_cards(table.SOURCE)
    mover = int(state.current_player)
    state.boards[mover, 0] = table.RECYCLE
    state.pile_size, state.pile_counts[:] = 4, 0
    state.pile[:4] = table.DIDDLY, table.SWAP, 2, table.PEEK
    state.pile_counts[state.pile[:4]] = 1
    assert all_explained(state, params) == {
        "draw": "draw the unseen top card of the deck",
        "take": "take the Peek from the discard pile and use it",
        "recycle:3": "get the 3 back for the face-up Recycle",
        "recycle:D": "get the Diddly back for the face-up Recycle",
        "recycle:S": "get the Swap back for the face-up Recycle and use it",
        "recycle:P": "get the Peek back for the face-up Recycle and use it",
    }
    state.face_up[mover], state.deck_size = 1, 0
    assert (
        View(GAME, state, params, ALL_SEEING).explain("take")
        == "take the Peek from the discard pile"
    )
    assert (
        View(GAME, state, params, ALL_SEEING).explain("draw")
        == "shuffle all discards but the top one, then draw"
    )
