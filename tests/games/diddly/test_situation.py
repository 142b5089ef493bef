"""The sentences that describe a situation of Diddly."""

from __future__ import annotations

import re

import pytest
from tests.games.diddly.pictures import changed, every_table, first_with, positions

from kitchentable.core.state import ALL_SEEING, NOBODY
from kitchentable.games.diddly import GAME
from kitchentable.games.diddly import state as table
from kitchentable.render.view import View


def told(state, params):
    return View(GAME, state, params, int(state.current_player)).situation()


@every_table
def test_a_situation_has_one_to_four_sentences(seats, cards):
    params, states = positions(seats, cards)
    for state in states[::5]:
        text = told(state, params)
        assert 1 <= len(re.findall(r"\.(?: |$)", text)) <= 4
        assert text.startswith(("player_", "Round ", "The game "))
        assert (f"player_{state.current_player} " in text) or state.phase == table.OVER
        assert text == View(GAME, state, params, ALL_SEEING).situation()


def test_what_is_in_hand_is_told_with_its_worth():
    params, state = first_with(table.PLACE, lambda s: s.cards == 6 and s.source == table.FROM_DECK)
    for kind, worth in (
        (table.CARD_NAMES.index("8"), "drew an 8 and must put it face up"),
        (table.CARD_NAMES.index("8"), "counts 8, but 0 with an equal card in its column"),
        (table.DIDDLY, "a Diddly and must put it face up in place of one of its cards, seen or "),
        (table.HALF, "counts 0 and halves the other card of its column"),
        (table.PEEK, "counts 10"),
    ):
        state.held = kind
        assert worth in told(state, params)
    state.source = table.FROM_RECYCLING
    assert "recycled a Peek and must put it face up in place of its face-up Recycle" in told(
        state, params
    )


def test_closing_is_told_before_and_after():
    params, state = first_with(table.PLACE, lambda s: s.source == table.FROM_DECK)
    mover = int(state.current_player)
    state.closer = NOBODY
    state.face_up[mover] = 1
    state.face_up[mover, 0] = 0
    assert "it closes the round" in told(state, params)
    state.face_up[mover, 1] = 0
    assert "it closes the round" not in told(state, params)
    state.closer = (mover + 1) % state.num_players
    assert f"player_{state.closer} has all its cards face up" in told(state, params)


@pytest.mark.parametrize(
    ("phase", "in_setup", "words"),
    [
        (table.USE_PEEK, True, "turned up a Peek and must look"),
        (table.USE_PEEK, False, "Peek itself takes the place of"),
        (table.SWAP_FIRST, True, "turned up a Swap and may exchange"),
        (table.SWAP_FIRST, False, "or passes"),
        (table.SWAP_SECOND, False, "with another one"),
    ],
)
def test_special_cards_are_explained(phase, in_setup, words):
    params, state = first_with(phase, lambda state: (state.seats_to_flip > 0) == in_setup)
    assert words in told(state, params)


def test_a_swap_says_which_card_was_chosen():
    params, state = first_with(table.SWAP_SECOND, lambda state: state.cards == 8)
    state.swap_slot = 6
    assert "its card in row 2, column 3 with another one" in told(state, params)


def test_cards_still_to_be_used_are_told_in_order():
    params, state = first_with(table.FLIP, lambda state: state.cards == 9)
    assert "A Peek or a Swap that shows up is used" in told(state, params)
    state.abilities[:2] = table.SWAP, table.PEEK
    state.num_abilities = 2
    assert "The Swap and Peek it has turned up are used after that." in told(state, params)


def test_a_scored_round_is_told():
    params, state = first_with(table.FLIP, lambda state: state.hand_over and state.cards == 9)
    one, two, three = state.last_scores[:3]
    scores = f"{one} for player_0, {two} for player_1 and {three} for player_2"
    assert told(state, params).startswith(f"Round 1 was scored: {scores}. ")


def test_the_end_is_told_with_ties_and_limits():
    params, states = positions(3, 9)
    state = changed(states[-1])
    state.totals[:3] = 7, 7, 9
    state.round_scores[:2, :2] = ((3, 4), (2, 5))
    assert told(state, params).startswith(
        "player_1 wins with the lowest total, 7 points after 2 rounds. player_0 has as many"
    )
    state.round_scores[0, :2] = (5, 2)
    assert told(state, params).startswith("player_0 and player_1 share the win")
    state.truncated, state.terminated = True, False
    assert "player_0 and player_1 are ahead with 7 points" in told(state, params)
    state.rounds_done = 0
    assert "No round was finished" in told(state, params)
