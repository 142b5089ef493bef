"""What tables of Fiddlefoo look like: everything visible is shown, and nothing hidden."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from tests.games.fiddlefoo.pictures import (
    TABLES,
    after,
    by_phase,
    code,
    copied,
    crowded,
    every_table,
    frames,
    games,
    is_shown,
    position_with,
    positions,
    sample,
    seen,
    shown,
    texts_in,
    written_in,
)
from tests.games.fiddlefoo.play import Table

from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.render.action_cards import EFFECTS, MARKS, in_words
from kitchentable.games.fiddlefoo.render.cards import draw_frame
from kitchentable.games.fiddlefoo.render.look import BY_NOTES, CHOICE, CHOSEN, PAIR
from kitchentable.games.fiddlefoo.render.view import cards_of, hand, map_cards, pair, prospects
from kitchentable.render.picture import Picture
from kitchentable.render.view import View

every_layout = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])


# --- Nothing hidden is shown ----------------------------------------------------------------------


def test_the_positions_have_every_phase():
    states = [state for name in TABLES for state in positions(name)[1]]
    assert {int(state.phase) for state in states} == set(range(len(s.PHASES)))
    assert any(state.safe and pair(state) for state in states)


@every_table
def test_the_order_of_the_deck_shows_to_nobody(name):
    params, states = positions(name)
    for state in states[::40]:
        other = copied(state)
        other.deck[: state.deck_size] = np.roll(state.deck[: state.deck_size], 1)
        for viewer in (ALL_SEEING, 0):
            assert shown(other, params, viewer) == shown(state, params, viewer)


@every_table
def test_a_hand_shows_to_its_owner_and_who_sees_all(name):
    params, state = positions(name)[0], positions(name)[1][0]
    assert state.phase == s.CARD
    for player in range(params.num_players):
        other = copied(state)
        other.hands[player] = c.set_of([*cards_of(state.hands[player])[1:], state.deck[0]])
        for viewer in (ALL_SEEING, *range(params.num_players)):
            assert is_shown(state, other, params, viewer) == (viewer in (ALL_SEEING, player))


@every_table
def test_known_cards_show_to_all(name):
    params, state = position_with(name, lambda state: state.known.any() and state.phase == s.CARD)
    player = int(np.flatnonzero(state.known.any(axis=1))[0])
    card = cards_of(state.known[player])[0]
    label = c.CARD_NAMES[card] if card < c.NUM_BASE else f"{c.CARD_NAMES[card]} ({code(card)})"
    other = copied(state)
    other.known[player] = 0
    for viewer in (ALL_SEEING, *range(params.num_players)):
        expected = f"{label}*" if viewer in (ALL_SEEING, player) else f"[{label}]"
        text, _ = texts_in(state, params, viewer)
        assert expected in text
        assert is_shown(state, other, params, viewer)


@every_table
def test_what_may_be_played_or_thrown_shows_to_who_decides(name):
    for phase in (s.CARD, s.THROW):
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
            for viewer in (mover, ALL_SEEING, (mover + 1) % params.num_players)
        ]
        # The seat to act has an extra frame around its panel, and the legend has two.
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
        ("phase", lambda _: s.DISCARD),
        ("distance", lambda state: state.distance % 4 + 1),
        ("safe", lambda state: not state.safe),
        ("low", lambda state: state.low - 1),
        ("color", lambda state: (state.color + 1) % 4),
        ("again", lambda state: not state.again),
        ("effects", lambda _: c.CARD_NAMES.index("move")),
        ("draws", lambda state: state.draws + 1),
        ("turn_color", lambda state: (state.turn_color + 1) % 4),
        ("thrown", lambda _: s.RANGE_CARDS),
        ("blocked", lambda state: state.blocked + 1),
        ("nested", lambda _: True),
        ("removed", lambda _: c.set_of([c.CARD_NAMES.index("discard")])),
        ("known", lambda state: state.hands),
        ("received", lambda state: ~state.received),
    ],
)
def test_what_is_public_is_shown(field, change):
    def is_plain(state):
        throws = state.phase == s.THROW and state.thrown == 0 and not state.nested
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
            assert (code(card) if card < c.NUM_BASE else c.CARD_NAMES[card]) in text


@pytest.mark.parametrize(("name", "unit"), [("two", "point"), ("cooperative", "full pile")])
def test_a_single_point_or_pile_is_told_as_one(name, unit):
    params, states = sample(name, 1)
    for total, told in ((1, unit), (2, f"{unit}s")):
        state = copied(states[0])
        state.totals[:] = total
        assert f"player_0 {total} {told} " in texts_in(state, params, 0)[0]
        assert told in View(GAME, state, params, 0).draw().texts


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
            assert (f" {low} to {high}" in written) == (state.phase != s.AGAIN)
        assert frames(state, params, 0, PAIR) >= 2


@every_table
def test_each_possible_cell_shows_its_pair(name):
    params, states = positions(name)
    choosing = [state for state in states if state.phase == s.CELL]
    for state in choosing[:: max(1, len(choosing) // 4)]:
        text, written = texts_in(state, params, ALL_SEEING)
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
        assert frames(state, params, ALL_SEEING, CHOSEN) >= 1


@every_table
def test_a_finished_game_shows_its_hands_and_scores(name):
    params, states = positions(name)
    for state in (state for state in states if state.hand_over):
        text, written = texts_in(state, params, 0)
        for player in range(params.num_players):
            for card in cards_of(state.last_hands[player]):
                assert code(card) in written
                assert c.CARD_NAMES[card] in text
            assert str(state.last_scores[player]) in written
            if params.games > 1 and state.terminated:
                added = "+".join(map(str, GAME.hand_scores(state, player)))
                assert added in text
                assert added in written
    assert all(
        held.is_open
        for p in range(params.num_players)
        for held in hand(View(GAME, states[-1], params, 0), p)
    )


def test_the_winner_is_named_and_a_tie_told():
    params, states = positions("six")
    state = copied(states[-1])
    state.totals[:] = (5, 3, 9, 7, 8, 6)
    assert all("player_1 wins" in told for told in texts_in(state, params, ALL_SEEING))
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
    """Return the example of the rules page: Y12 pairs with Y3, four cells away."""
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
    (held,) = [held for held in hand(seen(game, 1), 0) if held.known]
    assert (c.CARD_NAMES[held.card], held.received) == ("Y4", True)
    assert "[Y4]<" in View(GAME, state, params, 1).text()
    assert "Y4*<" in View(GAME, state, params, 0).text()


def test_a_play_in_the_middle_of_another_one_is_told():
    places = "Y3@5,2 B7@6,2 R1@5,3 B1@5,4 R8@5,5 Y9@5,8 B2@5,7"
    game = Table.at(places, "Y12 B5", "draw Y5 R7", pile="instaplay P4")
    game.play("card:Y12 cell:5,6 throw:draw")
    assert game.state.nested
    for told in texts_in(game.state, game.env._batch.params, 0):
        assert "player_1 chooses a cell for instaplay" in told
        assert "Interrupted: Y12 and Y3 of player_0 (numbers 3 and 12, distance 3)" in told
        assert not any(words in told for words in ("[active]", "May be thrown", "=Y12"))


# --- Places to click, and the picture for phones --------------------------------------------------


@every_table
@every_layout
def test_a_click_is_about_the_card_that_lies_there(name, tall):
    params, states = by_phase(name)
    for state in states:
        mover = int(state.current_player)
        picture = View(GAME, state, params, mover).draw(tall=tall)
        for spot in picture.spots[:3]:
            kind, _, what = spot.actions[0].partition(":")
            if kind == "cell":
                card = int(state.chosen)
                played = after(state, params, spot.actions[0])
                shown = View(GAME, played, params, mover).draw(tall=tall)
            else:
                card, shown = c.CARD_NAMES.index(what), picture
            assert code(card) in written_in(shown, spot.shape)


@every_layout
def test_throwing_a_card_and_putting_it_on_its_pile_is_one_click(tall):
    params, states = sample("cooperative", 20)
    spots = [
        spot
        for state in states
        if state.phase == s.THROW
        for spot in View(GAME, state, params, int(state.current_player)).draw(tall=tall).spots
    ]
    both = [spot.actions for spot in spots if len(spot.actions) == 2]
    assert both
    for throw, pile in both:
        assert (throw.partition(":")[0], pile.partition(":")[0]) == ("throw", "pile")
        assert throw.partition(":")[2] == pile.partition(":")[2]


@every_table
def test_every_choice_of_a_card_is_seen_by_all(name):
    params, states = by_phase(name)
    for state in states:
        for action in View(GAME, state, params, ALL_SEEING).legal:
            kind, _, what = action.partition(":")
            played = after(state, params, action)
            if kind in ("cell", "pass") or played.hand_over:
                continue
            card = c.CARD_NAMES.index(what)
            open_cards = [*played.known, played.on_map, played.removed, played.on_piles]
            assert any(c.has(cards, card) for cards in open_cards), (kind, what)


def test_the_own_hand_is_large_and_the_first_on_a_phone():
    params, states = sample("six", 1)
    for viewer in range(params.num_players):
        picture = View(GAME, states[0], params, viewer).draw(tall=True)
        names = [text.split()[0] for text in picture.texts if text.startswith("player_")]
        assert names[1] == f"player_{viewer}"  # after the line about the decision
    mover = int(states[0].current_player)
    picture = View(GAME, states[0], params, mover).draw(tall=True)
    widths = [spot.shape.width for spot in picture.spots]
    assert min(widths) > picture.width / 7  # a finger's width, 44 pixels, is an eighth of a phone's


def test_a_name_that_has_no_room_is_a_mark_that_is_explained():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 move@5,5", "Y12 swap_map", "Y4", pile="")
    picture = seen(game, 0).draw(tall=True)
    assert "MO" in picture.texts
    assert "swap" in " ".join(picture.texts).split()
    assert any("MO move" in text for text in picture.texts)


def test_every_action_card_has_its_own_mark_and_is_explained():
    assert list(MARKS) == list(EFFECTS) == list(c.ACTION_CARDS)
    assert len(set(MARKS.values())) == len(MARKS)


def test_frames_differ_by_more_than_their_color():
    def gray(colour):
        picture = Picture(100, 100, "#000000")
        draw_frame(picture, 20, 20, 60, colour)
        return [replace(shape, fill=bool(shape.fill), outline=None) for shape in picture.shapes]

    frames = [gray(colour) for colour in (CHOICE, BY_NOTES, CHOSEN, PAIR)]
    assert all(one != other for one, other in combinations(frames, 2))


# --- Form -----------------------------------------------------------------------------------------


@every_table
def test_as_much_as_there_can_be_has_room(name):
    params, states = sample(name, 8)
    games.check_fits(params, [crowded(state) for state in states])


def test_every_action_card_shows_its_name():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 R8@5,5", f"Y12 {' '.join(c.ACTION_CARDS)}", "Y4", pile="")
    written = " ".join(seen(game, 0).draw().texts)
    for name in c.ACTION_CARDS:
        assert name.replace("_", " ") in written
