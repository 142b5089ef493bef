"""What tables of Quiddler look like: everything visible is shown, and nothing hidden."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from tests.games.quiddler.pictures import (
    TABLES,
    both_layouts,
    copied,
    crowded,
    every_table,
    games,
    is_shown,
    position_with,
    positions,
    sample,
    shown,
    view,
)
from tests.games.quiddler.play import Table

from kitchentable.core.state import ALL_SEEING, NOBODY
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, LETTERS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.render.cards import FACES
from kitchentable.games.quiddler.render.view import ALPHABETICAL, last_words, words
from kitchentable.render.picture import TALL, Text


def test_the_positions_have_every_phase():
    states = [state for name in TABLES for state in positions(name)[1]]
    assert {int(state.phase) for state in states} == set(range(len(s.PHASES)))
    verdicts = {int(verdict) for state in states for verdict in state.verdicts.flat}
    assert verdicts == {s.UNCHALLENGED, s.UPHELD, s.REJECTED}


# --- Nothing hidden is shown --------------------------------------------------------------------


@every_table
def test_validity_and_the_order_of_the_deck_show_to_nobody(name):
    params, states = sample(name, 20)
    for state in states:
        other = copied(state)
        other.in_lexicon = 1 - state.in_lexicon
        other.deck[: state.deck_size] = np.roll(state.deck[: state.deck_size], 1)
        for viewer in (ALL_SEEING, 0, int(state.current_player)):
            assert shown(other, params, viewer) == shown(state, params, viewer)


@every_table
def test_a_hand_shows_to_its_owner_and_who_sees_all(name):
    def is_plain(state):
        return state.phase == s.SOURCE and state.hands[: state.num_players].sum(axis=1).all()

    params, state = position_with(name, is_plain)
    for player in range(params.num_players):
        other = copied(state)
        kind = int(np.flatnonzero(state.hands[player])[0])
        other.hands[player, kind] -= 1
        other.hands[player, (kind + 1) % NUM_KINDS] += 1
        for viewer in (ALL_SEEING, *range(params.num_players)):
            assert is_shown(state, other, params, viewer) == (viewer in (ALL_SEEING, player))


@every_table
def test_what_a_seat_was_seen_to_pick_up_shows_to_all(name):
    params, state = position_with(name, lambda state: state.picked_up.any())
    player = int(np.flatnonzero(state.picked_up.any(axis=1))[0])
    kind = int(np.flatnonzero(state.picked_up[player])[0])
    card = f"{CARD_NAMES[kind]}{VALUES[kind]}"
    for viewer in (ALL_SEEING, *range(params.num_players)):
        expected = f"{card}*" if viewer in (ALL_SEEING, player) else f"[{card}]"
        assert expected in view(state, params, viewer).text()
        other = copied(state)
        other.picked_up[player, kind] = 0
        assert is_shown(state, other, params, viewer)


def test_what_may_be_laid_shows_to_who_lays():
    params, state = position_with("two", lambda state: state.may_end)
    for change in (
        {"may_end": False},
        {"next_kinds": int(state.next_kinds) ^ int(sum(1 << k for k in range(NUM_KINDS)))},
    ):
        other = copied(state)
        for field, value in change.items():
            other[field] = value
        mover = int(state.current_player)
        picture, other_picture = (view(s, params, mover).draw() for s in (state, other))
        assert picture.shapes != other_picture.shapes
        assert shown(state, params, 1 - mover) == shown(other, params, 1 - mover)


def test_worths_show_to_who_discards():
    params, state = position_with("three, auto", lambda state: state.phase == s.MELD)
    mover = int(state.current_player)
    other = copied(state)
    other.worth += 1
    for viewer in (ALL_SEEING, *range(params.num_players)):
        assert is_shown(state, other, params, viewer) == (viewer in (ALL_SEEING, mover))


# --- Everything visible is shown ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("deck_size", lambda state: state.deck_size - 1),
        ("totals", lambda state: state.totals + 1),
        ("last_scores", lambda state: state.last_scores + 1),
        ("last_laid", lambda state: (state.last_laid + 1) % NUM_KINDS),
        ("last_longest", lambda state: (state.last_longest + 2) % state.num_players),
        ("last_most", lambda state: (state.last_most + 2) % state.num_players),
        ("last_verdicts", lambda state: (state.last_verdicts + 1) % 3),
        ("laid", lambda state: (state.laid + 1) % NUM_KINDS),
        ("verdicts", lambda state: (state.verdicts + 1) % 3),
        ("lost", lambda state: state.lost + 1),
        ("turns", lambda state: state.turns + 1),
        ("dealer", lambda state: (state.dealer + 1) % state.num_players),
        ("out", lambda state: (state.out + 1) % state.num_players),
        ("called", lambda _: True),
        ("last_turns", lambda state: state.last_turns + 1),
        ("pile_counts", lambda state: state.pile_counts + 1),
        ("pile", lambda state: (state.pile + 1) % NUM_KINDS),
        ("current_player", lambda state: (state.current_player + 1) % state.num_players),
        ("phase", lambda _: s.MELD),
        ("hands_done", lambda state: state.hands_done - 1),
        ("hand_points", lambda state: state.hand_points + 1),
        ("reshuffled", lambda _: True),
    ],
)
def test_what_is_public_is_shown(field, change):
    def is_plain(state):
        laid = state.out != NOBODY and state.num_words.sum() > 1
        return laid and state.hands_done == 2 and state.phase == s.SOURCE

    params, state = position_with("four, challenges", is_plain)
    other = copied(state)
    other[field] = change(state)
    assert is_shown(state, other, params, 0)


@every_table
def test_every_seat_and_total_is_shown(name):
    params, states = sample(name, 6)
    for state in states:
        text = view(state, params, 0).text()
        written = view(state, params, 0).draw().texts
        for player in range(params.num_players):
            assert f"player_{player} {state.totals[player]} pts" in text
            assert f"player_{player}" in written
            assert str(state.totals[player]) in written


@every_table
def test_words_show_their_points_letters_and_verdicts(name):
    params, states = sample(name, 30)
    assert any(state.num_words.any() for state in states)
    for state in states:
        text, written = (
            view(state, params, 0).text(),
            view(state, params, 0).draw().texts,
        )
        text = " ".join(text.split())
        for player in range(params.num_players):
            for number, word in enumerate(words(state, player)):
                if word.finished:
                    assert word.kinds == laid_word(state, player, number)
                    sign = -1 if state.verdicts[player, number] == s.REJECTED else 1
                    points = sign * sum(VALUES[list(word.kinds)])
                    letters = sum(LETTERS[list(word.kinds)])
                    assert f"{word} {points} ({letters} letters" in text
                    assert f"{points} points" in written
                    assert f"{letters} letters" in written
        rejected = int((state.verdicts == s.REJECTED).sum())
        assert written.count("rejected") == rejected
        assert written.count("upheld") == int((state.verdicts == s.UPHELD).sum())


def laid_word(state, player, number):
    start = state.word_ends[player, number - 1] if number else 0
    return tuple(state.laid[player, start : state.word_ends[player, number]])


@every_table
def test_a_finished_hand_shows_its_words_and_points(name):
    params, states = positions(name)
    for before, state in pairwise(states):
        if state.hand_over:
            text = " ".join(view(state, params, 0).text().split())
            written = " ".join(view(state, params, 0).draw().texts)
            for player in range(params.num_players):
                told = f"Last hand {state.last_scores[player]}:"
                told += " no words" * (not last_words(state, player))
                assert told in text
                assert told in written
                kept = [word.kinds for word in last_words(state, player)]
                laid = [word.kinds for word in words(before, player)]
                assert kept[: len(laid)] == laid or player == before.current_player


def test_what_is_spelled_lies_open_at_once():
    game = Table("c a t", "d o g", then="z s x e").play("draw")
    game.play("+c +a")
    for tall in (False, True):
        picture = game.view(1).draw(tall=tall)
        assert {"spelling", "c", "a"} <= set(picture.texts)


def test_hands_are_in_the_order_of_the_alphabet():
    names = [CARD_NAMES[kind] for kind in ALPHABETICAL]
    assert names == sorted(CARD_NAMES)
    assert tuple(face.label for face in FACES) == CARD_NAMES
    assert [int(face.points) for face in FACES] == VALUES.tolist()


# --- Places to click ----------------------------------------------------------------------------


def letters_in(picture, spot):
    """Return the names of the cards drawn in a clickable place, from left to right."""
    left, top, right, bottom = spot.shape.bounds
    labels = [
        (shape.x, shape.text)
        for shape in picture.shapes
        if isinstance(shape, Text)
        and shape.text in CARD_NAMES
        and left < shape.x < right
        and top < shape.y < bottom
    ]
    return [text for _, text in sorted(labels)]


def places(picture):
    """Return the clickable places by action."""
    return {action: spot for spot in picture.spots for action in spot.actions}


@both_layouts
@every_table
def test_a_click_on_a_card_is_about_that_card(name, tall):
    params, states = sample(name, 25)
    clicked = set()
    for i, state in enumerate(states):
        picture = view(state, params, (ALL_SEEING, int(state.current_player))[i % 2]).draw(
            tall=tall
        )
        where = places(picture)
        assert set(where) == set(view(state, params, ALL_SEEING).legal) - {"pass"}
        for action, spot in where.items():
            kind, _, what = action.partition(":")
            clicked.add(kind)
            if kind in ("spell", "discard", "longest", "most"):
                assert set(letters_in(picture, spot)) == {what}
    expected = {"draw", "take", *(("discard", "longest", "most") if "auto" in name else ())}
    assert expected <= clicked


@both_layouts
def test_what_may_be_done_with_a_card_has_one_place(tall):
    game = Table("c a t", "z x v", then="e s").play("draw")
    picture = game.view(0).draw(tall=tall)
    where = places(picture)
    assert where["spell:c"] == where["discard:c"]
    assert where["spell:c"] != where["discard:t"]
    assert where["discard:s"].shape.width >= (60 if tall else 40)


@both_layouts
def test_the_piles_are_what_is_drawn_and_taken(tall):
    game = Table("c a t", "z x v", then="e s")
    picture = game.view(0).draw(tall=tall)
    where = places(picture)
    assert list(where) == ["draw", "take"]
    assert letters_in(picture, where["take"]) == ["e"]
    assert letters_in(picture, where["draw"]) == []


@both_layouts
def test_the_word_being_spelled_ends_by_a_click_on_it(tall):
    game = Table("c qu i t", "z x v w", then="a e").play("draw +qu +i")
    for card in ("t", "e"):  # after quit, two cards would be left
        assert "word" not in places(game.view(0).draw(tall=tall))
        game.play(f"+{card}")
    picture = game.view(0).draw(tall=tall)
    assert letters_in(picture, places(picture)["word"]) == ["qu", "i", "t", "e"]


@both_layouts
def test_a_word_is_challenged_by_a_click_on_it(tall):
    params, state = position_with(
        "four, challenges",
        lambda state: state.phase == s.JUDGE and state.num_words[state.accused] > 1,
    )
    picture = view(state, params, int(state.current_player)).draw(tall=tall)
    where = places(picture)
    judged = [i for i, v in enumerate(state.verdicts[state.accused]) if not v]
    laid = words(state, int(state.accused))
    assert set(where) == {f"challenge:{i}" for i in judged if i < len(laid)}
    for action, spot in where.items():
        kinds = laid[int(action.partition(":")[2])].kinds
        assert letters_in(picture, spot) == [CARD_NAMES[kind] for kind in kinds]


@both_layouts
def test_cards_of_a_kind_that_lie_together_are_one_place(tall):
    game = Table("b e e e t h o u s", "z x v w a j g f c", then="k e").play("draw")
    picture = game.view(0).draw(tall=tall)
    # There are four: on a phone they are in the row of five that begins with the b.
    assert letters_in(picture, places(picture)["discard:e"]) == ["e"] * 4


def test_a_kind_split_over_two_rows_is_clicked_in_its_longer_part():
    game = Table("b c d e e e e h o u", "z x v w a j g f k l", then="m n").play("draw")
    picture = game.view(0).draw(tall=True)
    assert letters_in(picture, places(picture)["discard:e"]) == ["e"] * 3


# --- Where things lie ---------------------------------------------------------------------------


@every_table
def test_as_much_as_there_can_be_has_room(name):
    params, states = sample(name, 20)
    games.check_fits(params, [crowded(state) for state in states])


@every_table
def test_small_letters_keep_their_dots(name):
    """A bold i of this size would look like an l."""
    params, states = sample(name, 20)
    for state in states:
        for shape in view(state, params, 0).draw().shapes:
            if isinstance(shape, Text) and shape.bold and shape.size < 18:
                assert not {"i", "j"} & {*shape.text}


@every_table
def test_a_phone_shows_what_a_wide_screen_shows(name):
    """Except that longer texts are broken into lines, and the legend lists only what is shown."""
    params, states = sample(name, 6)
    for state in states:
        for viewer in (0, ALL_SEEING):
            wide, tall = (view(state, params, viewer).draw(tall=t) for t in (False, True))
            told = " ".join(tall.texts)
            for text in wide.texts:
                if text in CARD_NAMES or text in told or text.startswith("another"):
                    continue
                # Points of single cards are left out where the cards are small.
                assert text.isdecimal() or ".." in told or "+" in text, text
            for word in words(state, int(state.current_player)):
                assert word.finished is False or f"{word.points} points" in told


def test_the_own_cards_come_first_and_are_large():
    params, state = position_with("eight", lambda state: state.phase == s.MELD)
    mover = int(state.current_player)
    for viewer in (mover, ALL_SEEING):
        picture = view(state, params, viewer).draw(tall=True)
        names = [text for text in picture.texts if text.startswith("player_")]
        seats = [text for text in names if re.fullmatch(r"player_\d", text)]
        assert seats == [f"player_{(mover + i) % 8}" for i in range(8)]
        widths = [spot.shape.width for spot in picture.spots]
        assert min(widths) > TALL / 8


def test_the_accused_comes_second():
    params, state = position_with("four, challenges", lambda state: state.phase == s.JUDGE)
    for viewer in set(range(4)) - {int(state.accused)}:
        texts = view(state, params, viewer).draw(tall=True).texts
        seats = [text for text in texts if re.fullmatch(r"player_\d", text)]
        assert seats[:2] == [f"player_{viewer}", f"player_{state.accused}"]
        assert sorted(seats) == [f"player_{i}" for i in range(4)]
