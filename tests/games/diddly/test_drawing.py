"""What tables of Diddly look like, as text and in pictures: everything a viewer knows is shown."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.games.diddly.pictures import (
    TABLES,
    after,
    both_layouts,
    changed,
    every_table,
    games,
    label_of,
    position_with,
    positions,
    sample,
    spots,
    with_long_words,
    without_colours,
    words_in,
    written_in,
)

from kitchentable.core.state import ALL_SEEING, NOBODY
from kitchentable.games.diddly import GAME, rules
from kitchentable.games.diddly import state as table
from kitchentable.games.diddly.render.cards import FACES
from kitchentable.games.diddly.render.sentences import last_board
from kitchentable.render.phrases import GLUE
from kitchentable.render.picture import Text
from kitchentable.render.view import View


def test_the_positions_have_every_phase():
    phases = {int(state.phase) for table in TABLES for state in positions(*table)[1]}
    assert phases == set(range(len(table.PHASES)))


# --- What is known is shown -----------------------------------------------------------------------


@every_table
def test_every_card_that_a_viewer_knows_changes_what_it_sees(seats, cards):
    params, states = positions(seats, cards)
    for state in (states[len(states) // 4], states[len(states) // 3]):
        for viewer in (0, ALL_SEEING):
            text, picture = (
                View(GAME, state, params, viewer).text(),
                View(GAME, state, params, viewer).draw(),
            )
            for player in range(seats):
                for slot in range(cards):
                    other = changed(state)
                    kind = (other.boards[player, slot] + 1) % table.NUM_KINDS
                    other.boards[player, slot] = kind
                    known = table.is_known(state, viewer, player, slot)
                    assert (View(GAME, other, params, viewer).text() != text) == known
                    assert (
                        View(GAME, other, params, viewer).draw().shapes != picture.shapes
                    ) == known


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("deck_size", lambda state: state.deck_size - 1),
        ("totals", lambda state: state.totals + 1),
        ("face_up", lambda state: 1 - state.face_up),
        ("peeked", lambda state: 1 - state.peeked),
        ("dealer", lambda state: (state.dealer + 1) % state.num_players),
        ("closer", lambda state: state.current_player),
        ("held", lambda state: (state.held + 1) % table.NUM_KINDS),
        ("pile_counts", lambda state: state.pile_counts + 1),
        ("current_player", lambda state: (state.current_player + 1) % state.num_players),
        ("phase", lambda _: table.USE_PEEK),
        ("rounds_done", lambda state: state.rounds_done + 1),
    ],
)
def test_what_is_public_is_shown(field, change):
    def is_plain(state):
        return state.phase == table.PLACE and state.pile_size > 5 and state.closer == NOBODY

    params, state = position_with(4, 8, is_plain)
    other = changed(state)
    other[field] = change(state)
    assert View(GAME, other, params, 0).text() != View(GAME, state, params, 0).text()
    assert View(GAME, other, params, 0).draw().shapes != View(GAME, state, params, 0).draw().shapes


def test_a_peeked_card_is_hidden_from_rivals_and_looks_face_down():
    params, state = position_with(3, 9, lambda state: state.peeked.any() and state.peeked[0].any())
    slot = int(np.flatnonzero(state.peeked[0])[0])
    for kind, name in enumerate(table.CARD_NAMES):
        state = changed(state)
        state.boards[0, slot] = kind
        assert f"[{name:>2}*]" in View(GAME, state, params, 0).text()
        assert f"[{name:>2}*]" not in View(GAME, state, params, 1).text()
        assert f"[{name:>2}*]" in View(GAME, state, params, ALL_SEEING).text()
        open_state = changed(state)
        open_state.face_up[0, slot] = 1
        shown = View(GAME, state, params, 0).draw()
        assert shown.shapes != View(GAME, open_state, params, 0).draw().shapes
        assert len(shown.texts) == len(View(GAME, state, params, 1).draw().texts) + 1


@every_table
def test_every_seat_and_total_is_shown(seats, cards):
    params, states = sample(seats, cards, 6)
    for state in states:
        text = View(GAME, state, params, 0).text()
        written = words_in(View(GAME, state, params, 0).draw().texts)
        for player in range(seats):
            assert f"player_{player} {state.totals[player]} pts" in text
            assert f"player_{player}" in written
            assert str(state.totals[player]) in written


@both_layouts
@every_table
def test_a_finished_round_shows_its_boards_and_scores(seats, cards, tall):
    params, state = position_with(seats, cards, lambda state: state.hand_over)
    view = View(GAME, state, params, 0)
    text, texts = view.text(), view.draw(tall=tall).texts
    for player in range(seats):
        names = [table.CARD_NAMES[kind] for kind in state.last_boards[player, :cards]]
        board, _, score = last_board(state, player).partition(f" ={GLUE}")
        assert board.replace("/ ", "") == " ".join(names)
        assert score == str(state.last_scores[player])
        assert f"player_{player}: {board} = {score}" in text
        assert f"{board} = {score}" in " ".join(texts)
        assert any(line.endswith(f"= {score}") for line in texts)


def test_the_winner_is_named():
    params, states = positions(5, 9)
    rank = np.zeros(5, np.int32)
    rules.ranks(states[-1], rank)
    winner = f"player_{np.argmin(rank)} wins"
    assert winner in View(GAME, states[-1], params, ALL_SEEING).text()
    assert winner in View(GAME, states[-1], params, ALL_SEEING).draw().texts


def test_a_tie_and_a_stopped_game_are_told():
    params, states = positions(8, 6)
    state = changed(states[-1])
    state.totals[:] = 7
    state.round_scores[:] = 3
    assert "8 seats share the win" in View(GAME, state, params, 0).text()
    state.terminated, state.truncated = False, True
    assert "Stopped at the turn limit" in View(GAME, state, params, 0).text()
    assert "winner" not in View(GAME, state, params, 0).text()
    state.rounds_done = 0
    assert "Stopped at the turn limit, nobody ahead" in View(GAME, state, params, 0).text()


def test_cards_are_told_apart_by_their_label():
    assert tuple(face.label for face in FACES) == table.CARD_NAMES


# --- Where it is ----------------------------------------------------------------------------------


@every_table
def test_the_longest_words_fit(seats, cards):
    params, states = sample(seats, cards, 2)
    games.check_fits(params, [with_long_words(state) for state in states])


def test_a_tall_picture_begins_with_the_viewer_and_keeps_the_order_of_turns():
    params, states = positions(8, 6)
    for viewer in (*range(8), ALL_SEEING):
        names = [
            text
            for text in View(GAME, states[50], params, viewer).draw(tall=True).texts
            if re.fullmatch(r"player_\d", text)
        ]
        first = max(viewer, 0)
        assert names == [f"player_{(first + i) % 8}" for i in range(8)]


@every_table
def test_own_cards_are_the_largest(seats, cards):
    params, states = positions(seats, cards)
    sizes = {}
    for viewer in (0, 1):
        state = changed(states[0])
        state.current_player = viewer
        own = spots(View(GAME, state, params, viewer).draw(tall=True))["slot:0"]
        sizes[viewer] = own[2] - own[0]
        shown_to_all = spots(View(GAME, state, params, ALL_SEEING).draw(tall=True))["slot:0"]
        assert (shown_to_all[2] - shown_to_all[0] == sizes[viewer]) == (viewer == 0)
    assert sizes[0] == sizes[1] > 90


@both_layouts
@pytest.mark.parametrize(
    ("field", "phase"),
    [("swap_slot", table.SWAP_SECOND), ("current_player", table.SOURCE), ("held", table.PLACE)],
)
def test_colour_is_never_the_only_sign(field, phase, tall):
    params, states = positions(4, 8)
    state = next(state for state in states if state.phase == phase)
    other = changed(state)
    # Slots, seats and kinds all begin with 0 and 1.
    other[field] = 1 if state[field] == 0 else 0

    def drawn(state):
        words = "swaps slot|player_|Swap"
        shapes = without_colours(View(GAME, state, params, ALL_SEEING).draw(tall=tall))
        return [s for s in shapes if not (isinstance(s, Text) and re.search(words, s.text))]

    assert drawn(other) != drawn(state)


# --- Places to click ------------------------------------------------------------------------------


@both_layouts
@every_table
def test_a_click_on_a_card_is_about_that_card(seats, cards, tall):
    params, states = positions(seats, cards)
    # One position of each phase, the one in which the seat to act knows most.
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
        picture = View(GAME, state, params, ALL_SEEING).draw(tall=tall)
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


def test_an_empty_deck_is_clicked_where_it_lay():
    params, states = positions(2, 6)
    state = next(state for state in states if state.phase == table.SOURCE and state.pile_size > 1)
    before = spots(View(GAME, state, params, ALL_SEEING).draw())
    empty = changed(state)
    empty.deck_size = 0
    assert spots(View(GAME, empty, params, ALL_SEEING).draw()) == before
    assert "The deck is empty" in View(GAME, empty, params, 0).situation()
    empty.pile_size = 1
    assert "draw" not in spots(View(GAME, empty, params, ALL_SEEING).draw())
    assert "draw" not in View(GAME, empty, params, 0).situation()
