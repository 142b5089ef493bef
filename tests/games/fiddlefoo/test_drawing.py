"""What a table of Fiddlefoo looks like: nothing hidden is shown, everything visible is."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.contract import pictures as drawing_checks
from tests.games.fiddlefoo.play import Table

from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo import state as table
from kitchentable.games.fiddlefoo.cards import (
    ACTION_CARDS,
    CARD_NAMES,
    COLOR,
    COLOR_CODES,
    NUM_BASE,
    NUM_CARDS,
    NUMBER,
    set_of,
)
from kitchentable.games.fiddlefoo.render.cards import BY_NOTES, CHOICE, CHOSEN, PAIR
from kitchentable.games.fiddlefoo.render.effects import in_words
from kitchentable.games.fiddlefoo.render.text import ACTION_HELP
from kitchentable.games.fiddlefoo.render.view import cards_of, hand, map_cards, pair, prospects
from kitchentable.render.letters import text_width
from kitchentable.render.picture import Rectangle, Text
from kitchentable.render.view import View

TABLES = {
    "two": {"games": 2, "map_size": 8},
    "wildcard": {"wildcard": True, "num_players": 3, "talkytoot": "all"},
    "cooperative": {"cooperative": True, "talkytoot": "all", "games": 2},
    "six": {"num_players": 6, "map_size": 16, "talkytoot": "all", "games": 2},
}
every_table = pytest.mark.parametrize("name", TABLES)


def copied(state):
    return drawing_checks.copied(GAME, state)


@cache
def positions(name):
    """Parameters and positions of one random game."""
    batch = Batch(GAME, 1, seed=2, autoreset=False, **TABLES[name])
    states = [copied(batch.states[0])]
    while not batch.dones[0]:
        batch.step(batch.sample_actions())
        states.append(copied(batch.states[0]))
    return batch.params, states


def sample(name, count):
    """Positions spread over a game, one of each phase, its last and those that end a hand."""
    params, states = positions(name)
    spread = states[:: max(1, len(states) // count)]
    by_phase = {int(state.phase): state for state in states}
    return params, [*spread, *by_phase.values(), *(s for s in states if s.hand_over)]


def position_with(name, condition):
    params, states = positions(name)
    return params, next(state for state in states if condition(state))


def shown(state, params, viewer):
    """All that a viewer sees, to compare."""
    return View(GAME, state, params, viewer).text(), View(GAME, state, params, viewer).draw().shapes


def is_shown(state, other, params, viewer):
    return drawing_checks.is_shown(shown(state, params, viewer), shown(other, params, viewer))


def texts_in(state, params, viewer):
    """The text on one line, and all that is written in the picture."""
    text = " ".join(View(GAME, state, params, viewer).text().split())
    return text, " ".join(View(GAME, state, params, viewer).draw().texts)


def code(card):
    return f"{COLOR_CODES[COLOR[card]]}{NUMBER[card]}"


def frames(state, params, viewer, colour):
    return sum(
        isinstance(shape, Rectangle) and shape.outline == colour and shape.fill is None
        for shape in View(GAME, state, params, viewer).draw().shapes
    )


def test_the_positions_have_every_phase():
    states = [state for name in TABLES for state in positions(name)[1]]
    assert {int(state.phase) for state in states} == set(range(len(table.PHASES)))
    assert any(state.safe and pair(state) for state in states)


# --- Nothing hidden is shown ----------------------------------------------------------------------


@every_table
def test_hidden_cards_change_nothing(name):
    params, states = sample(name, 6)
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
def test_the_order_of_the_deck_shows_to_nobody(name):
    params, states = positions(name)
    for state in states[::40]:
        other = copied(state)
        other.deck[: state.deck_size] = np.roll(state.deck[: state.deck_size], 1)
        for viewer in (NOBODY, 0):
            assert shown(other, params, viewer) == shown(state, params, viewer)


@every_table
def test_a_hand_shows_to_its_owner_and_who_sees_all(name):
    params, state = positions(name)[0], positions(name)[1][0]
    assert state.phase == table.CARD
    for player in range(params.num_players):
        other = copied(state)
        other.hands[player] = set_of([*cards_of(state.hands[player])[1:], state.deck[0]])
        for viewer in (NOBODY, *range(params.num_players)):
            assert is_shown(state, other, params, viewer) == (viewer in (NOBODY, player))


@every_table
def test_known_cards_show_to_all(name):
    params, state = position_with(
        name, lambda state: state.known.any() and state.phase == table.CARD
    )
    player = int(np.flatnonzero(state.known.any(axis=1))[0])
    card = cards_of(state.known[player])[0]
    label = CARD_NAMES[card] if card < NUM_BASE else f"{CARD_NAMES[card]} ({code(card)})"
    other = copied(state)
    other.known[player] = 0
    for viewer in (NOBODY, *range(params.num_players)):
        expected = f"{label}*" if viewer in (NOBODY, player) else f"[{label}]"
        text, _ = texts_in(state, params, viewer)
        assert expected in text
        assert is_shown(state, other, params, viewer)


@every_table
def test_what_may_be_played_or_thrown_shows_to_who_decides(name):
    for phase in (table.CARD, table.THROW):
        params, state = position_with(name, lambda state, phase=phase: state.phase == phase)
        mover = int(state.current_player)
        batch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
        batch.states[0] = state
        batch.look()
        legal = np.array(batch.action_names)[batch.masks[0].astype(bool)]
        kinds = [action.split(":")[0] for action in legal]
        offered = sum(kind in ("card", "throw") for kind in kinds)
        marked = [
            sum(frames(state, params, viewer, colour) for colour in (CHOICE, BY_NOTES))
            for viewer in (mover, NOBODY, (mover + 1) % params.num_players)
        ]
        # The seat to act has a frame of its own around its panel, and the legend has two.
        assert marked[0] == marked[1] == offered + marked[2] == offered + 2


# --- Everything visible is shown ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("deck_size", lambda state: state.deck_size - 1),
        ("totals", lambda state: state.totals + 1),
        ("games_done", lambda state: state.games_done - 1),
        ("starter", lambda state: (state.starter + 1) % 6),
        ("turn", lambda state: (state.turn + 1) % 6),
        ("player", lambda state: (state.player + 1) % 6),
        ("current_player", lambda state: (state.current_player + 1) % 6),
        ("phase", lambda _: table.DISCARD),
        ("distance", lambda state: state.distance % 4 + 1),
        ("safe", lambda state: not state.safe),
        ("low", lambda state: state.low - 1),
        ("color", lambda state: (state.color + 1) % 4),
        ("again", lambda state: not state.again),
        ("effects", lambda _: CARD_NAMES.index("move")),
        ("draws", lambda state: state.draws + 1),
        ("turn_color", lambda state: (state.turn_color + 1) % 4),
        ("thrown", lambda _: table.RANGE_CARDS),
        ("blocked", lambda state: state.blocked + 1),
        ("nested", lambda _: True),
        ("removed", lambda _: set_of([CARD_NAMES.index("discard")])),
        ("known", lambda state: state.hands),
        ("received", lambda state: ~state.received),
    ],
)
def test_what_is_public_is_shown(field, change):
    def is_plain(state):
        throws = state.phase == table.THROW and state.thrown == 0 and not state.nested
        return throws and state.games_done == 1 and 1 < state.low < state.high and not state.safe

    params, states = positions("six")
    state = next(state for state in states if is_plain(state))
    other = copied(state)
    other[field] = change(state)
    assert is_shown(state, other, params, int(state.current_player))


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("pile_notes", lambda state: state.pile_notes + 1),
        ("on_piles", lambda state: state.on_piles ^ np.uint64(1)),
        ("last_pile_notes", lambda state: state.last_pile_notes + 1),
        ("games_won", lambda state: state.games_won + 1),
    ],
)
def test_what_is_public_of_the_piles_is_shown(field, change):
    params, state = position_with("cooperative", lambda state: state.games_done == 1)
    other = copied(state)
    other[field] = change(state)
    assert is_shown(state, other, params, 0)


@every_table
def test_every_seat_total_and_map_card_is_shown(name):
    params, states = sample(name, 5)
    for state in states:
        text, written = texts_in(state, params, 0)
        for player in range(params.num_players):
            assert f"player_{player} {state.totals[player]} " in text
            assert f"player_{player}" in written
            assert str(state.totals[player]) in written
        labels = written.split()
        for card in map_cards(state).values():
            assert code(card) in labels
            assert (code(card) if card < NUM_BASE else CARD_NAMES[card]) in text


@every_table
def test_the_pair_and_what_may_be_thrown_are_told(name):
    params, states = sample(name, 25)
    made = [(state, pair(state)) for state in states if pair(state)]
    assert len(made) > 5
    for state, found in made:
        text, written = texts_in(state, params, 0)
        names = " and ".join(in_words(card) for card in found.cards)
        for told in (f"{names}: {found.span} number", f"distance {found.distance}."):
            assert told in text
            assert told in written
        assert ("Safe Song." in written) == found.safe == ("Safe Song." in text)
        low, high = int(state.low) + 1, int(state.high) - 1
        if low < high and not found.safe:
            assert f" {low} to {high}" in written
        assert frames(state, params, 0, PAIR) >= 2


@every_table
def test_each_possible_cell_shows_its_pair(name):
    params, states = positions(name)
    choosing = [state for state in states if state.phase == table.CELL]
    for state in choosing[:: max(1, len(choosing) // 4)]:
        text, written = texts_in(state, params, NOBODY)
        batch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
        batch.states[0] = state
        batch.look()
        legal = [batch.action_names[i] for i in np.flatnonzero(batch.masks[0])]
        found = prospects(state)
        assert sorted(f"cell:{row},{column}" for row, column in found) == sorted(legal)
        for (row, column), offer in found.items():
            label = code(offer.cards[1])
            assert f"{row},{column} {label} {offer.span}, {offer.distance}" in text
            assert f"{label} range {offer.span} " in written
        assert frames(state, params, NOBODY, CHOSEN) >= 1


@every_table
def test_a_finished_game_shows_its_hands_and_scores(name):
    params, states = positions(name)
    for state in (state for state in states if state.hand_over):
        text, written = texts_in(state, params, 0)
        for player in range(params.num_players):
            for card in cards_of(state.last_hands[player]):
                assert code(card) in written
                assert CARD_NAMES[card] in text
            assert str(state.last_scores[player]) in written
            if params.games > 1 and state.terminated:
                added = "+".join(map(str, GAME.hand_scores(state, player)))
                assert added in text
                assert added in written
    assert all(held.is_open for p in range(params.num_players) for held in hand(states[-1], 0, p))


def test_the_winner_is_named_and_a_tie_told():
    params, states = positions("six")
    state = copied(states[-1])
    state.totals[:] = (5, 3, 9, 7, 8, 6)
    assert all("player_1 wins" in told for told in texts_in(state, params, NOBODY))
    state.totals[:2] = 2
    assert all("player_0 and player_1 share the win" in t for t in texts_in(state, params, 0))
    state.totals[:] = 2
    assert all("6 seats share the win" in told for told in texts_in(state, params, 0))


def test_a_team_wins_or_loses():
    params, states = positions("cooperative")
    state = copied(states[-1])
    state.games_won = 1
    assert all("The team has lost" in told for told in texts_in(state, params, 0))
    state.games_won = 2
    assert all("The team has won" in told for told in texts_in(state, params, 0))


# --- A table in words -----------------------------------------------------------------------------


def rules_example():
    """The example of the rules page: Y12 pairs with Y3, four cells away."""
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 R8@5,5 Y9@5,8 B2@5,7", "Y12 B5", "Y4 Y5 R7", pile="P4")
    game.play("card:Y12 cell:5,6")
    return game


def test_the_text_of_a_table():
    game = rules_example()
    state = game.state
    params = game.env._batch.params
    lines = View(GAME, state, params, 1).text().splitlines()
    assert lines[:5] == [
        "Fiddlefoo, game 1 of 1, as player_1 sees it",
        "player_1 may throw cards at player_0",
        "Y12 and Y3: 8 numbers in range, distance 3. May be thrown: yellow 4 to 11, or",
        "  one card with 3 notes.",
        "Turn of player_0.",
    ]
    assert "  5    .    .  =Y3   R1   B1   R8 =Y12   B2   Y9    .    .    ." in lines
    assert lines[-9:-4] == [
        "  player_0 0 points 1 card [began] [turn] [active]",
        "    hand  [ ] x1",
        "> player_1 0 points 3 cards, cost 8 [you]",
        "    hand  Y4  Y5  R7",
        "    may throw: Y4 Y5 R7",
    ]
    written = View(GAME, state, params, 1).draw().texts
    assert {"player_1 may throw cards at player_0", "Y12", "3 cards, cost 8"} <= set(written)
    assert [frames(state, params, 1, colour) for colour in (BY_NOTES, CHOICE)] == [2, 3]


def test_what_was_received_is_marked():
    game = rules_example()
    game.play("throw:Y4")
    state, params = game.state, game.env._batch.params
    (held,) = [held for held in hand(state, 1, 0) if held.known]
    assert (CARD_NAMES[held.card], held.received) == ("Y4", True)
    assert "[Y4]<" in View(GAME, state, params, 1).text()
    assert "Y4*<" in View(GAME, state, params, 0).text()


def test_a_play_in_the_middle_of_another_one_is_told():
    places = "Y3@5,2 B7@6,2 R1@5,3 B1@5,4 R8@5,5 Y9@5,8 B2@5,7"
    game = Table.at(places, "Y12 B5", "draw Y5 R7", pile="instaplay P4")
    game.play("card:Y12 cell:5,6 throw:draw")
    assert game.state.nested
    for told in texts_in(game.state, game.env._batch.params, 0):
        assert "player_1 chooses a cell for instaplay" in told
        assert "Afterwards goes on: Y12 and Y3 of player_0 (numbers 3 and 12, distance 3)" in told


def test_every_action_is_explained():
    for params in TABLES.values():
        made = GAME.make_params(**params)
        for action in table.action_names(made):
            kind, _, what = action.partition(":")
            assert what in ACTION_HELP[kind].format(what)
    assert set(ACTION_HELP) == {"card", "cell", "throw", "pass", "pile", "map"}


# --- Form -----------------------------------------------------------------------------------------


def crowded(state):
    """A copy with as much on the table, and to say, as there can be."""
    state = copied(state)
    state.totals[:] = 12345
    state.hand_points[:] = 222
    state.last_scores[:] = 222
    state.removed[:] = set_of(range(NUM_CARDS - 5, NUM_CARDS))
    state.blocked = 5
    state.received[:] = state.in_play
    state.again = True
    state.known[:] = state.hands
    state.pile_notes[:] = 38
    state.on_piles[:] = set_of(range(NUM_BASE))
    spare = [int(card) for card in state.deck[: state.deck_size]]
    size = len(cards_of(state.hands[0]))
    if state.hand_over:
        state.last_hands[:] = set_of(range(0, NUM_CARDS, 8))
        state.last_hands[0] = set_of(range(0, NUM_CARDS, 3))
    else:
        state.hands[0] = set_of([*cards_of(state.hands[0]), *spare[: 25 - size]])
        state.deck_size = 0
    return state


@every_table
def test_text_fits_a_terminal(name):
    params, states = sample(name, 8)
    for state in [*states, *map(crowded, states)]:
        for viewer in (params.num_players - 1, NOBODY):
            text = View(GAME, state, params, viewer).text()
            assert max(map(len, text.splitlines())) <= 80
            assert text.isascii()


@every_table
def test_shapes_lie_inside_and_texts_apart_in_their_boxes(name):
    params, states = sample(name, 4)
    for i, state in enumerate([*states, *map(crowded, states[::2])]):
        picture = View(GAME, state, params, (0, NOBODY)[i % 2]).draw()
        drawing_checks.check_places(picture, outlined=False)  # outlines are marks on the map


def test_widths_of_text_are_those_of_the_font():
    for text in ("player_0 may throw", "score minus conditional", "Y16 B4 P10 R9", "WAM (=) {}~"):
        for size in (9, 13, 20, 34):
            left, _, right, _ = Text(0, 0, text, size, "#000000", bold=True).bounds
            assert right - left <= text_width(text, size) <= 1.15 * (right - left) + 3


@every_table
def test_pixels_have_the_size_that_the_parameters_give(name):
    params, states = sample(name, 4)
    drawing_checks.check_pixels([View(GAME, state, params, 0).draw() for state in states])


@every_table
def test_svg_is_xml_and_says_the_same(name):
    params, states = positions(name)
    drawing_checks.check_svg(View(GAME, states[-1], params, 0).draw())


def test_every_action_card_shows_its_name():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 R8@5,5", f"Y12 {' '.join(ACTION_CARDS)}", "Y4", pile="")
    written = " ".join(View(GAME, game.state, game.env._batch.params, 0).draw().texts)
    for name in ACTION_CARDS:
        assert name.replace("_", " ") in written
