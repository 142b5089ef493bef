"""What a table of Quiddler looks like: nothing hidden is shown, everything visible is."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from tests.contract import pictures as drawing_checks

from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME
from kitchentable.games.quiddler import state as table
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES, LETTERS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.render.scene import FACES
from kitchentable.games.quiddler.render.text import ACTION_HELP
from kitchentable.games.quiddler.render.view import ALPHABETICAL, last_words, words
from kitchentable.render.view import View

KIND = {name: kind for kind, name in enumerate(CARD_NAMES)}
TABLES = {
    "two": {"hand_sizes": (3, 10)},
    "three, auto": {"num_players": 3, "hand_sizes": (4, 9), "meld": "auto"},
    "four, challenges": {"num_players": 4, "hand_sizes": (3, 4, 10), "challenges": True},
    "eight": {"num_players": 8, "hand_sizes": (5, 10)},
}
every_table = pytest.mark.parametrize("name", TABLES)


SEED = 0
"""Of games in which words are both upheld and rejected, see the first test."""


def copied(state):
    return drawing_checks.copied(GAME, state)


@cache
def positions(name):
    """Parameters and positions of one game, in which whoever can lay a word mostly does."""
    batch = Batch(GAME, 1, seed=SEED, autoreset=False, **TABLES[name])
    lays = [action.split(":")[0] in LAYING for action in batch.action_names]
    rng = np.random.default_rng(1)
    states = [copied(batch.states[0])]
    while not batch.dones[0]:
        legal = np.flatnonzero(batch.masks[0])
        laying = np.flatnonzero(batch.masks[0] & lays)
        eager = laying.size and rng.random() < 0.9
        batch.step(int(rng.choice(laying if eager else legal)))
        states.append(copied(batch.states[0]))
    return batch.params, states


LAYING = ("spell", "word", "longest", "most")


def sample(name, count):
    """Positions spread over a game; its last and those that end a hand among them."""
    params, states = positions(name)
    spread = states[:: max(1, len(states) // count)]
    return params, [*spread, *(state for state in states if state.hand_over)]


def position_with(name, condition):
    params, states = positions(name)
    return params, next(state for state in states if condition(state))


def shown(state, params, viewer):
    """All that a viewer sees, to compare."""
    picture = View(GAME, state, params, viewer).draw()
    return View(GAME, state, params, viewer).text(), picture.shapes


def is_shown(state, other, params, viewer):
    return drawing_checks.is_shown(shown(state, params, viewer), shown(other, params, viewer))


def test_the_positions_have_every_phase():
    states = [state for name in TABLES for state in positions(name)[1]]
    assert {int(state.phase) for state in states} == set(range(len(table.PHASES)))
    verdicts = {int(verdict) for state in states for verdict in state.verdicts.flat}
    assert verdicts == {table.UNCHALLENGED, table.UPHELD, table.REJECTED}


# --- Nothing hidden is shown --------------------------------------------------------------------


@every_table
def test_hidden_cards_change_nothing(name):
    params, states = sample(name, 12)
    seats = params.num_players
    scratch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
    redealt = 0
    for i, state in enumerate(states):
        for viewer in {i % seats, int(state.current_player)}:
            scratch.states[0] = state
            scratch.redeal(np.array([viewer]), seed=i)
            other = copied(scratch.states[0])
            redealt += not np.array_equal(other.hands, state.hands)
            assert shown(other, params, viewer) == shown(state, params, viewer)
    assert redealt > len(states) / 2  # else this would test nothing


@every_table
def test_validity_and_the_order_of_the_deck_show_to_nobody(name):
    params, states = sample(name, 20)
    for state in states:
        other = copied(state)
        other.in_lexicon = 1 - state.in_lexicon
        other.deck[: state.deck_size] = np.roll(state.deck[: state.deck_size], 1)
        for viewer in (NOBODY, 0, int(state.current_player)):
            assert shown(other, params, viewer) == shown(state, params, viewer)


@every_table
def test_a_hand_shows_to_its_owner_and_who_sees_all(name):
    def is_plain(state):
        return state.phase == table.SOURCE and state.hands[: state.num_players].sum(axis=1).all()

    params, state = position_with(name, is_plain)
    for player in range(params.num_players):
        other = copied(state)
        kind = int(np.flatnonzero(state.hands[player])[0])
        other.hands[player, kind] -= 1
        other.hands[player, (kind + 1) % NUM_KINDS] += 1
        for viewer in (NOBODY, *range(params.num_players)):
            assert is_shown(state, other, params, viewer) == (viewer in (NOBODY, player))


@every_table
def test_what_a_seat_was_seen_to_pick_up_shows_to_all(name):
    params, state = position_with(name, lambda state: state.picked_up.any())
    player = int(np.flatnonzero(state.picked_up.any(axis=1))[0])
    kind = int(np.flatnonzero(state.picked_up[player])[0])
    card = f"{CARD_NAMES[kind]}{VALUES[kind]}"
    for viewer in (NOBODY, *range(params.num_players)):
        expected = f"{card}*" if viewer in (NOBODY, player) else f"[{card}]"
        assert expected in View(GAME, state, params, viewer).text()
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
        picture, other_picture = (View(GAME, s, params, mover).draw() for s in (state, other))
        assert picture.shapes != other_picture.shapes
        assert shown(state, params, 1 - mover) == shown(other, params, 1 - mover)


def test_worths_show_to_who_discards():
    params, state = position_with("three, auto", lambda state: state.phase == table.MELD)
    mover = int(state.current_player)
    other = copied(state)
    other.worth += 1
    for viewer in (NOBODY, *range(params.num_players)):
        assert is_shown(state, other, params, viewer) == (viewer in (NOBODY, mover))


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
        ("phase", lambda _: table.MELD),
        ("hands_done", lambda state: state.hands_done - 1),
        ("hand_points", lambda state: state.hand_points + 1),
        ("reshuffled", lambda _: True),
    ],
)
def test_what_is_public_is_shown(field, change):
    def is_plain(state):
        laid = state.out != NOBODY and state.num_words.sum() > 1
        return laid and state.hands_done == 2 and state.phase == table.SOURCE

    params, state = position_with("four, challenges", is_plain)
    other = copied(state)
    other[field] = change(state)
    assert is_shown(state, other, params, 0)


@every_table
def test_every_seat_and_total_is_shown(name):
    params, states = sample(name, 6)
    for state in states:
        text = View(GAME, state, params, 0).text()
        written = View(GAME, state, params, 0).draw().texts
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
            View(GAME, state, params, 0).text(),
            View(GAME, state, params, 0).draw().texts,
        )
        text = " ".join(text.split())
        for player in range(params.num_players):
            for number, word in enumerate(words(state, player)):
                if word.finished:
                    assert word.kinds == laid_word(state, player, number)
                    sign = -1 if state.verdicts[player, number] == table.REJECTED else 1
                    points = sign * sum(VALUES[list(word.kinds)])
                    letters = sum(LETTERS[list(word.kinds)])
                    assert f"{word} {points} ({letters} letters" in text
                    assert f"{points} points" in written
                    assert f"{letters} letters" in written
        rejected = int((state.verdicts == table.REJECTED).sum())
        assert written.count("rejected") == rejected
        assert written.count("upheld") == int((state.verdicts == table.UPHELD).sum())


def laid_word(state, player, number):
    start = state.word_ends[player, number - 1] if number else 0
    return tuple(state.laid[player, start : state.word_ends[player, number]])


@every_table
def test_a_finished_hand_shows_its_words_and_points(name):
    params, states = positions(name)
    for before, state in pairwise(states):
        if state.hand_over:
            text = " ".join(View(GAME, state, params, 0).text().split())
            written = " ".join(View(GAME, state, params, 0).draw().texts)
            for player in range(params.num_players):
                told = f"Last hand {state.last_scores[player]}:"
                told += " no words" * (not last_words(state, player))
                assert told in text
                assert told in written
                kept = [word.kinds for word in last_words(state, player)]
                laid = [word.kinds for word in words(before, player)]
                assert kept[: len(laid)] == laid or player == before.current_player


def golden():
    """A hand in which player_0 has gone out with a word, and player_1 spells its own."""
    top = ["c", "qu", "a", "i", "t", "z", "e", "x"]
    batch = Batch(GAME, 1, seed=1, autoreset=False, hand_sizes=(3, 3))
    batch.reset(top=np.array([KIND[name] for name in top], np.int8))
    moves = "draw spell:c spell:a spell:t word discard:x take spell:qu spell:i"
    return played(batch, moves)


def played(batch, moves):
    for move in moves.split():
        batch.step(batch.action_names.index(move))
    return batch


def test_the_text_of_a_table():
    batch = golden()
    state = batch.states[0]
    assert View(GAME, state, batch.params, 0).text().splitlines()[:-1] == [
        "Quiddler, hand 1 of 2 (3 cards), dealer player_1, as player_0 sees it",
        'player_1 spells "(qu)i"',
        "player_0 has gone out; last turns still to be finished: 1. It has taken the x.",
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
    assert "    hand   x12*  z14" in View(GAME, state, batch.params, 1).text().splitlines()
    written = View(GAME, state, batch.params, 0).draw().texts
    assert {'player_1 spells "(qu)i"', "spelling", "11", "13 points", "3 letters"} <= set(written)


def test_the_text_of_the_next_hand():
    batch = played(golden(), "spell:z word discard:x")
    text = View(GAME, batch.states[0], batch.params, NOBODY).text()
    for told in (
        "Hand 1 is over and scored; the next one is dealt.",
        "Longest word in hand 1: player_1.",
        "Last hand 13: cat 13",
        "Last hand 35: (qu)iz 25, longest word 10",
        "hand 2 of 2",
    ):
        assert told in text
        assert told in " ".join(View(GAME, batch.states[0], batch.params, NOBODY).draw().texts)


def test_the_winner_is_named_and_a_tie_told():
    params, states = positions("four, challenges")
    state = copied(states[-1])
    state.totals[:4] = (5, 9, 2, 1)
    assert "player_1 wins" in View(GAME, state, params, NOBODY).text()
    assert "player_1 wins" in View(GAME, state, params, NOBODY).draw().texts
    state.totals[:4] = (9, 9, 2, 1)
    assert "player_0 and player_1 share the win" in View(GAME, state, params, NOBODY).text()
    state.totals[:] = 9
    assert "4 seats share the win" in View(GAME, state, params, NOBODY).text()


def test_a_called_hand_is_told():
    batch = Batch(GAME, 1, seed=1, autoreset=False, max_turns=1, hand_sizes=(3,))
    while not batch.states[0].called:
        batch.step(int(np.flatnonzero(batch.masks[0])[-1]))  # discards, never lays
    told = "Nobody went out in time; last turns still to be finished: 2."
    assert told in View(GAME, batch.states[0], batch.params, 0).text()


def test_hands_are_in_the_order_of_the_alphabet():
    names = [CARD_NAMES[kind] for kind in ALPHABETICAL]
    assert names == sorted(CARD_NAMES)
    assert tuple(face.label for face in FACES) == CARD_NAMES
    assert [int(face.points) for face in FACES] == VALUES.tolist()


@pytest.mark.parametrize("params", [{}, {"meld": "auto"}, {"challenges": True}])
def test_every_action_has_help(params):
    for action in GAME.rules.action_names(GAME.make_params(**params)):
        kind, _, what = action.partition(":")
        told = ACTION_HELP[kind].format(what)
        assert what in told.replace(",", " ").split() or not what


# --- Form ---------------------------------------------------------------------------------------


@every_table
def test_text_fits_a_terminal(name):
    params, states = sample(name, 20)
    for state in [*states, *(crowded(state) for state in states)]:
        for viewer in (params.num_players - 1, NOBODY):
            text = View(GAME, state, params, viewer).text()
            assert max(map(len, text.splitlines())) <= 80
            assert text.isascii()


@every_table
def test_shapes_lie_inside_and_texts_apart_in_their_boxes(name):
    params, states = sample(name, 4)
    for state in [*states, *(crowded(state) for state in states)]:
        for viewer in (0, NOBODY):
            drawing_checks.check_places(View(GAME, state, params, viewer).draw())


def crowded(state):
    """A copy with as much on the table, and to say, as there can be."""
    state = copied(state)
    state.totals[:] = 4321
    state.last_scores[:] = 150
    state.hand_points[:] = 150
    state.turns[:] = 1000
    state.lost[:] = 100
    state.pile_counts[:] = 12
    state.reshuffled, state.recycled[:] = True, COPIES
    most = int(state.largest_hand)
    pairs = most // 2
    state.last_num_words[:] = pairs
    state.last_verdicts[:] = table.UPHELD if state.challenges else table.UNCHALLENGED
    state.last_longest = state.last_most = 0
    for laid, ends in ((state.last_laid, state.last_word_ends), (state.laid, state.word_ends)):
        laid[:] = KIND["qu"]
        ends[:, :pairs] = 2 * np.arange(1, pairs + 1)
    if state.phase == table.SOURCE:
        state.hand_over, state.out, state.last_turns = False, 0, 1
        state.num_laid[:] = 2 * pairs
        state.num_words[:] = pairs
        if state.challenges:
            state.verdicts[:] = table.REJECTED
            state.verdicts[0] = table.UPHELD
        state.hands[:] = state.picked_up[:] = 0
        state.hands[:, KIND["er"]] = state.picked_up[:, KIND["er"]] = most + 1 - 2 * pairs
    elif state.phase == table.JUDGE:
        state.dealer = state.out = state.accused
    return state


@every_table
def test_pixels_have_the_size_that_the_parameters_give(name):
    params, states = sample(name, 10)
    drawing_checks.check_pixels([View(GAME, state, params, 0).draw() for state in states])


@every_table
def test_svg_is_xml_and_says_the_same(name):
    params, states = positions(name)
    drawing_checks.check_svg(View(GAME, states[-1], params, 0).draw())
