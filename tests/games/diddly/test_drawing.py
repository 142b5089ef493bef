"""What a table of Diddly looks like: nothing hidden is shown, everything visible is."""

from __future__ import annotations

import builtins
import importlib.util
import sys
import warnings
from functools import cache
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.contract.pictures import overlapping, sticking_out

from kitchentable.core.rng import NOT_ZERO
from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME, rules
from kitchentable.games.diddly import state as table
from kitchentable.games.diddly.render.cards import FACES
from kitchentable.render.picture import Circle, Picture, Polygon, Rectangle, Text
from kitchentable.render.view import View
from kitchentable.render.window import Window

TABLES = [(2, 6), (3, 9), (4, 8), (5, 9), (6, 8), (8, 6)]
every_table = pytest.mark.parametrize(("seats", "cards"), TABLES)


def copied(state):
    return state.copy().view(np.recarray)


@cache
def positions(seats, cards):
    """Parameters and positions of one random game, in all its phases, its end included."""
    batch = Batch(GAME, 1, seed=seats, num_players=seats, cards=cards, rounds=2, autoreset=False)
    states = [copied(batch.states[:1])[0]]
    while not batch.dones[0]:
        batch.step(batch.sample_actions())
        states.append(copied(batch.states[:1])[0])
    return batch.params, states


def sample(seats, cards, count):
    """Positions spread over a game; its last and those that end a round among them."""
    params, states = positions(seats, cards)
    spread = states[:: max(1, len(states) // count)]
    return params, [*spread, *(state for state in states if state.hand_over)]


def position_with(seats, cards, condition):
    params, states = positions(seats, cards)
    return params, next(state for state in states if condition(state))


def changed(state):
    """A copy of a record to change."""
    return copied(np.array([state.item()], GAME.rules.state_dtype))[0]


def words_in(texts):
    return " ".join(texts).split()


def test_the_positions_have_every_phase():
    phases = {int(state.phase) for table in TABLES for state in positions(*table)[1]}
    assert phases == set(range(len(table.PHASES)))


# --- Nothing hidden is shown --------------------------------------------------------------------


@every_table
def test_hidden_cards_change_nothing(seats, cards):
    params, states = sample(seats, cards, 12)
    redealt_boards = 0
    for i, state in enumerate(states):
        for viewer in {i % seats, seats - 1}:
            other = changed(state)
            other.rng = NOT_ZERO ^ np.uint64(1 + i)
            GAME.rules.redeal(other, viewer)
            redealt_boards += not np.array_equal(other.boards, state.boards)
            assert (
                View(GAME, other, params, viewer).text() == View(GAME, state, params, viewer).text()
            )
            before, after = (
                View(GAME, state, params, viewer).draw(),
                View(GAME, other, params, viewer).draw(),
            )
            assert after.shapes == before.shapes
    assert redealt_boards > len(states) / 2  # else this would test nothing


@every_table
def test_every_card_that_a_viewer_knows_changes_what_it_sees(seats, cards):
    params, states = positions(seats, cards)
    for state in (states[len(states) // 4], states[len(states) // 3]):
        for viewer in (0, NOBODY):
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


def test_a_peeked_card_is_shown_to_its_owner_alone_and_as_face_down():
    params, state = position_with(3, 9, lambda state: state.peeked.any() and state.peeked[0].any())
    slot = int(np.flatnonzero(state.peeked[0])[0])
    for kind, name in enumerate(table.CARD_NAMES):
        state = changed(state)
        state.boards[0, slot] = kind
        assert f"[{name:>2}*]" in View(GAME, state, params, 0).text()
        assert f"[{name:>2}*]" not in View(GAME, state, params, 1).text()
        assert f"[{name:>2}*]" in View(GAME, state, params, NOBODY).text()
        open_state = changed(state)
        open_state.face_up[0, slot] = 1
        shown = View(GAME, state, params, 0).draw()
        assert shown.shapes != View(GAME, open_state, params, 0).draw().shapes
        assert len(shown.texts) == len(View(GAME, state, params, 1).draw().texts) + 1


# --- Everything visible is shown ----------------------------------------------------------------


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


@every_table
def test_a_finished_round_shows_its_boards_and_scores(seats, cards):
    params, state = position_with(seats, cards, lambda state: state.hand_over)
    text, written = View(GAME, state, params, 0).text(), View(GAME, state, params, 0).draw().texts
    for player in range(seats):
        names = [table.CARD_NAMES[kind] for kind in state.last_boards[player, :cards]]
        line = next(line for line in written if line.replace("/ ", "").startswith(" ".join(names)))
        assert line.endswith(f"= {state.last_scores[player]}")
        assert f"player_{player}: {line}" in text


def test_the_winner_is_named():
    params, states = positions(5, 9)
    rank = np.zeros(5, np.int32)
    rules.ranks(states[-1], rank)
    winner = f"player_{np.argmin(rank)} wins"
    assert winner in View(GAME, states[-1], params, NOBODY).text()
    assert winner in View(GAME, states[-1], params, NOBODY).draw().texts


def test_a_tie_and_a_stopped_game_are_told():
    params, states = positions(8, 6)
    state = changed(states[-1])
    state.totals[:] = 7
    state.round_scores[:] = 3
    assert "8 seats share the win" in View(GAME, state, params, 0).text()
    state.terminated, state.truncated = False, True
    assert "Stopped at the turn limit" in View(GAME, state, params, 0).text()
    assert "winner" not in View(GAME, state, params, 0).text()


def test_cards_are_told_apart_by_their_label():
    assert tuple(face.label for face in FACES) == table.CARD_NAMES


# --- Form ---------------------------------------------------------------------------------------


@every_table
def test_text_fits_a_terminal(seats, cards):
    params, states = positions(seats, cards)
    for state in states[::3]:
        wide = changed(state)
        wide.totals[:] = 10 * table.MAX_CARDS * table.MAX_ROUNDS
        for viewer in (seats - 1, NOBODY):
            text = View(GAME, wide, params, viewer).text()
            assert max(map(len, text.splitlines())) <= 80
            assert text.isascii()


@every_table
def test_shapes_lie_inside_and_texts_apart_in_their_boxes(seats, cards):
    params, states = sample(seats, cards, 3)
    for i, state in enumerate(states):
        # A seat and all there is in turns; the longest words where all is shown.
        for shown, viewer in ((state, (0, NOBODY)[i % 2]), (with_long_words(state), NOBODY)):
            picture = View(GAME, shown, params, viewer).draw()
            boxes = [shape.bounds for shape in picture.shapes]
            assert min(min(left, top) for left, top, _, _ in boxes) >= 0
            assert max(right for _, _, right, _ in boxes) <= picture.width
            assert max(bottom for _, _, _, bottom in boxes) <= picture.height
            texts = [shape for shape in picture.shapes if isinstance(shape, Text)]
            rectangles = [shape for shape in picture.shapes if isinstance(shape, Rectangle)]
            assert overlapping(texts) == []
            assert sticking_out(texts, rectangles) == []


def with_long_words(state):
    """A copy with the longest things to say about a seat or a turn."""
    state = changed(state)
    state.totals[:] = 10 * table.MAX_CARDS * table.MAX_ROUNDS
    state.last_scores[:] = 90
    state.round_scores[:] = 90
    state.last_boards[:] = table.CARD_NAMES.index("10")
    if state.phase in (table.PLACE, table.SWAP_FIRST, table.SWAP_SECOND, table.USE_PEEK):
        state.held = table.RECYCLE
        state.source = table.FROM_RECYCLING
        state.closer = state.dealer = state.current_player
    return state


def test_overlap_and_sticking_out_are_noticed():
    here, there = (Text(x, 20, "7", 20, "#000000") for x in (10, 12))
    away = Text(50, 20, "8", 20, "#000000")
    assert overlapping([here, there, away]) == [("7", "7")]
    assert sticking_out([here, there, away], [Rectangle(0, 0, 90, 40)]) == []
    assert sticking_out([here, away], [Rectangle(0, 0, 90, 40), Rectangle(48, 0, 9, 40)]) == ["8"]


@every_table
def test_pixels_have_the_size_that_the_parameters_give(seats, cards):
    params, states = positions(seats, cards)
    sizes = {(p.height, p.width) for p in (View(GAME, s, params, 0).draw() for s in states[::20])}
    ((height, width),) = sizes
    rgb = View(GAME, states[-1], params, 0).draw().to_rgb()
    assert rgb.shape == (height, width, 3)
    assert rgb.dtype == np.uint8
    assert height % 2 == width % 2 == 0  # video formats want it
    assert len(np.unique(rgb[::5, ::5] @ np.array([65536, 256, 1]))) > 100  # it is not blank


@every_table
def test_svg_is_xml_and_says_the_same(seats, cards):
    params, states = positions(seats, cards)
    picture = View(GAME, states[-1], params, 0).draw()
    root = ET.fromstring(picture.to_svg())
    assert [element.text for element in root if element.tag.endswith("text")] == picture.texts
    assert len(root) == len(picture.shapes) + 1


def test_svg_escapes_what_is_written():
    picture = Picture(50, 20, "#ffffff")
    picture.text(0, 10, "<&>", size=10, colour="#000000", bold=True)
    assert ET.fromstring(picture.to_svg())[1].text == "<&>"


def test_shapes_are_painted_where_they_say():
    picture = Picture(40, 20, "#ffffff")
    picture.rectangle(2, 2, 10, 10, fill="#ff0000")
    picture.circle(25, 10, 5, fill="#00ff00")
    picture.polygon([(32, 2), (38, 2), (38, 18), (32, 18)], fill="#0000ff")
    assert [type(shape) for shape in picture.shapes] == [Rectangle, Circle, Polygon]
    rgb = picture.to_rgb()
    assert rgb[7, 7].tolist() == [255, 0, 0]
    assert rgb[10, 25].tolist() == [0, 255, 0]
    assert rgb[10, 35].tolist() == [0, 0, 255]
    left, top, right, bottom = picture.shapes[0].bounds
    painted = np.argwhere((rgb == (255, 0, 0)).all(axis=2))
    assert painted.min(axis=0).tolist() == [top, left]
    assert (painted.max(axis=0) + 1).tolist() == [bottom, right]


# --- Without Pillow, without a screen -----------------------------------------------------------


def without(monkeypatch, package):
    """Make the import of a package fail."""
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.split(".")[0] == package:
            raise ImportError(f"No module named {package!r}")
        return real(name, *args, **kwargs)

    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", refuse)


def test_missing_pillow_is_explained(monkeypatch):
    without(monkeypatch, "PIL")
    params, states = positions(2, 6)
    picture = View(GAME, states[0], params, 0).draw()
    assert picture.to_svg()
    with pytest.raises(ImportError, match=r'pip install "kitchentable\[render\]"'):
        picture.to_rgb()


@pytest.mark.parametrize("lacks", ["screen", "tkinter"])
def test_no_screen_warns_once(monkeypatch, lacks):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if lacks == "tkinter":
        without(monkeypatch, "tkinter")
    elif sys.platform != "linux" or not importlib.util.find_spec("tkinter"):
        pytest.skip("a screen cannot be taken away here")
    rgb = np.zeros((4, 4, 3), np.uint8)
    window = Window()
    with pytest.warns(UserWarning, match=r'no screen was found.*"ansi" or "rgb_array"') as seen:
        window.show(rgb)
    assert len(seen) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        window.show(rgb)
        window.close()
        window.show(rgb)
        window.close()
