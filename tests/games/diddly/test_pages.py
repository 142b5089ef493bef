"""What only Diddly promises of its page: where to click, the drawing for phones, the sentences."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from tests.contract.pictures import check_pixels, check_places
from tests.games.diddly.test_drawing import changed, positions, sample, with_long_words

from kitchentable.core.state import NOBODY
from kitchentable.games.diddly import GAME, rules
from kitchentable.games.diddly import state as table
from kitchentable.games.diddly.render.cards import FACES
from kitchentable.games.diddly.render.text import ACTION_HELP, last_board
from kitchentable.render.picture import Text
from kitchentable.render.view import View

TABLES = [(2, 6), (3, 9), (4, 8), (8, 6)]
every_table = pytest.mark.parametrize(("seats", "cards"), TABLES)
both_layouts = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
NOUGHT = "0"
"""Marks a card worth nothing; no card is called so."""


def legal(state, params):
    mask = np.zeros(len(table.action_names(params)), np.bool_)
    if state.phase != table.OVER:
        rules.legal_action_mask(state, mask)
    return [table.action_names(params)[i] for i in np.flatnonzero(mask)]


def after(state, params, action):
    """The table after an action, chosen by its name."""
    state = changed(state)
    rules.step(state, table.action_names(params).index(action))
    return state


def written_in(picture, box):
    """The letters in a box but for the marks."""
    left, top, right, bottom = box
    texts = [shape for shape in picture.shapes if isinstance(shape, Text)]
    inside = [text.text for text in texts if left < text.x < right and top < text.y < bottom]
    return {text for text in inside if text != NOUGHT}


def spots(picture):
    """The box of each action that can be clicked."""
    return {action: spot.shape.bounds for spot in picture.spots for action in spot.actions}


def label_of(state, viewer, player, slot):
    """What a viewer reads on a card of a board."""
    if not table.is_known(state, viewer, player, slot):
        return set()
    return {FACES[state.boards[player, slot]].label}


# --- Places to click ------------------------------------------------------------------------------


@both_layouts
@every_table
def test_a_click_on_a_card_is_about_that_card(seats, cards, tall):
    params, states = positions(seats, cards)
    # One of each phase, where the seat to act knows most.
    by_phase = {int(state.phase): state for state in states if state.phase != table.OVER}
    for state in by_phase.values():
        mover = int(state.current_player)
        shown = View(GAME, state, params, mover).draw(tall=tall)
        for action, box in spots(shown).items():
            if not action.startswith("slot:"):
                continue
            slot = int(action.removeprefix("slot:"))
            then = after(state, params, action)
            picture = View(GAME, then, params, mover).draw(tall=tall)
            for moment, drawn in ((state, shown), (then, picture)):
                label = label_of(moment, mover, mover, slot)
                assert label <= written_in(drawn, box)
                assert bool(label) == bool(written_in(drawn, box))
            if state.phase == table.PLACE and not then.hand_over:
                assert FACES[state.held].label in written_in(picture, box)
    assert {table.FLIP, table.PLACE} <= set(by_phase)


def has_recycle(state):
    mover = int(state.current_player)
    return ((state.boards[mover] == table.RECYCLE) & (state.face_up[mover] == 1)).any()


@both_layouts
@pytest.mark.parametrize(("seats", "cards"), [(4, 8), (8, 6)])
def test_piles_and_kinds_are_clicked_where_they_lie(seats, cards, tall):
    params, states = positions(seats, cards)
    seen = set()
    for state in [s for s in states if s.phase == table.SOURCE and has_recycle(s)][:10]:
        picture = View(GAME, state, params, NOBODY).draw(tall=tall)
        places = spots(picture)
        seen |= set(places)
        _, deck_top, _, _ = places["draw"]
        for action, box in places.items():
            if action == "take":
                assert FACES[state.pile[state.pile_size - 1]].label in written_in(picture, box)
                assert box[1] == deck_top
            elif action.startswith("recycle:"):
                kind = action.removeprefix("recycle:")
                count = state.pile_counts[table.CARD_NAMES.index(kind)]
                assert written_in(picture, box) == {kind, f"x{count}"}
    assert {"draw", "take"} < seen


@both_layouts
def test_all_but_passing_has_its_place(tall):
    for seats, cards in ((2, 6), (3, 9)):
        params, states = sample(seats, cards, 15)
        for state in states:
            for viewer in (int(state.current_player), NOBODY):
                named = set(spots(View(GAME, state, params, viewer).draw(tall=tall)))
                assert named == set(legal(state, params)) - {"pass"}


def test_an_empty_deck_is_clicked_where_it_lay():
    params, states = positions(2, 6)
    state = next(state for state in states if state.phase == table.SOURCE and state.pile_size > 1)
    before = spots(View(GAME, state, params, NOBODY).draw())
    empty = changed(state)
    empty.deck_size = 0
    assert spots(View(GAME, empty, params, NOBODY).draw()) == before
    assert "The deck is empty" in View(GAME, empty, params, 0).situation()
    empty.pile_size = 1
    assert "draw" not in spots(View(GAME, empty, params, NOBODY).draw())
    assert "draw" not in View(GAME, empty, params, 0).situation()


# --- Drawings -------------------------------------------------------------------------------------


@every_table
def test_a_tall_picture_is_in_order(seats, cards):
    params, states = sample(seats, cards, 2)
    pictures = []
    for i, state in enumerate(states):
        for shown, viewer in ((state, i % seats), (with_long_words(state), NOBODY)):
            picture = View(GAME, shown, params, viewer).draw(tall=True)
            check_places(picture)
            pictures.append(picture)
    check_pixels(pictures)


def test_a_tall_picture_begins_with_the_viewer_and_keeps_the_order_of_turns():
    params, states = positions(8, 6)
    for viewer in (*range(8), NOBODY):
        names = [
            text
            for text in View(GAME, states[50], params, viewer).draw(tall=True).texts
            if re.fullmatch(r"player_\d", text)
        ]
        first = max(viewer, 0)
        assert names == [f"player_{(first + i) % 8}" for i in range(8)]


@every_table
def test_a_tall_picture_tells_how_a_round_was_scored(seats, cards):
    params, states = positions(seats, cards)
    state = next(state for state in states if state.hand_over)
    texts = View(GAME, state, params, 0).draw(tall=True).texts
    for player in range(seats):
        assert last_board(state, player) in " ".join(texts)
        assert any(line.endswith(f"= {state.last_scores[player]}") for line in texts)


@every_table
def test_own_cards_are_the_largest(seats, cards):
    params, states = positions(seats, cards)
    sizes = {}
    for viewer in (0, 1):
        state = changed(states[0])
        state.current_player = viewer
        own = spots(View(GAME, state, params, viewer).draw(tall=True))["slot:0"]
        sizes[viewer] = own[2] - own[0]
        shown_to_all = spots(View(GAME, state, params, NOBODY).draw(tall=True))["slot:0"]
        assert (shown_to_all[2] - shown_to_all[0] == sizes[viewer]) == (viewer == 0)
    assert sizes[0] == sizes[1] > 90


def without_colours(picture):
    """Its shapes as somebody sees them who cannot tell colours apart."""

    def grey(shape):
        names = {"fill", "outline", "colour"} & {field.name for field in dataclasses.fields(shape)}
        drawn = {name: getattr(shape, name) is not None for name in names}
        return dataclasses.replace(shape, **drawn)

    return [grey(shape) for shape in picture.shapes]


@both_layouts
@pytest.mark.parametrize(
    ("field", "phase"),
    [("swap_slot", table.SWAP_SECOND), ("current_player", table.SOURCE), ("held", table.PLACE)],
)
def test_colour_is_never_the_only_sign(field, phase, tall):
    params, states = positions(4, 8)
    state = next(state for state in states if state.phase == phase)
    other = changed(state)
    # Slots, seats and kinds all begin with these two.
    other[field] = 1 if state[field] == 0 else 0

    def drawn(state):
        words = "swaps slot|player_|Swap"
        shapes = without_colours(View(GAME, state, params, NOBODY).draw(tall=tall))
        return [s for s in shapes if not (isinstance(s, Text) and re.search(words, s.text))]

    assert drawn(other) != drawn(state)


# --- Words ----------------------------------------------------------------------------------------


def told(state, params):
    return View(GAME, state, params, int(state.current_player)).situation()


def first_with(phase, condition=lambda _: True):
    for seats_and_cards in TABLES:
        params, states = positions(*seats_and_cards)
        for state in states:
            if state.phase == phase and condition(state):
                return params, changed(state)
    raise AssertionError("there is no such position")


@every_table
def test_a_situation_has_one_to_four_sentences(seats, cards):
    params, states = positions(seats, cards)
    for state in states[::5]:
        text = told(state, params)
        assert 1 <= len(re.findall(r"\.(?: |$)", text)) <= 4
        assert text.startswith(("player_", "Round ", "The game "))
        assert (f"player_{state.current_player} " in text) or state.phase == table.OVER
        assert text == View(GAME, state, params, NOBODY).situation()


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


def test_every_action_has_a_general_explanation():
    params = GAME.make_params(cards=9)
    for action in table.action_names(params):
        kind, _, what = action.partition(":")
        assert what in ACTION_HELP[kind].format(what)
    assert set(ACTION_HELP) == {"draw", "take", "recycle", "slot", "pass"}
