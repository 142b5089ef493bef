"""What the page needs of Fiddlefoo: places to click, a picture for phones, words for a learner."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from tests.contract import pictures as drawing_checks
from tests.contract.redeal_checks import redealt
from tests.games.fiddlefoo.play import Table
from tests.games.fiddlefoo.test_drawing import TABLES, code, copied, crowded, sample

from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo import state as table
from kitchentable.games.fiddlefoo.cards import ACTION_CARDS, CARD_NAMES, COLOR, has
from kitchentable.games.fiddlefoo.render.cards import (
    BY_NOTES,
    CHOICE,
    CHOSEN,
    MARKS,
    PAIR,
    draw_frame,
)
from kitchentable.games.fiddlefoo.render.effects import EFFECTS, in_words
from kitchentable.render.picture import Picture, Text
from kitchentable.render.view import View

every_table = pytest.mark.parametrize("name", TABLES)
every_layout = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])


def legal(state, params):
    """Names of the legal actions."""
    names = table.action_names(params)
    mask = np.zeros(len(names), np.bool_)
    if state.phase != table.OVER:
        GAME.rules.legal_action_mask(state, mask)
    return [names[i] for i in np.flatnonzero(mask)]


def by_phase(name):
    """Parameters, and a position of each phase."""
    params, states = sample(name, 1)
    return params, list({int(state.phase): state for state in states}.values())


def after(state, params, action):
    """The table after an action."""
    played = copied(state)
    GAME.rules.step(played, table.action_names(params).index(action))
    return played


def written_in(picture, shape):
    """What is written inside of a shape."""
    left, top, right, bottom = shape.bounds
    texts = [text for text in picture.shapes if isinstance(text, Text)]
    return [text.text for text in texts if left < text.x < right and top < text.y < bottom]


def told(game, viewer=NOBODY):
    """The situation of a table set up by hand."""
    return View(GAME, game.state, game.env._batch.params, viewer).situation()


# --- Places to click ------------------------------------------------------------------------------


@every_table
@every_layout
def test_all_but_passing_can_be_clicked(name, tall):
    params, states = by_phase(name)
    for state in states:
        for viewer in (NOBODY, int(state.current_player)):
            picture = View(GAME, state, params, viewer).draw(tall=tall)
            named = [action for spot in picture.spots for action in spot.actions]
            assert sorted(named) == sorted(set(legal(state, params)) - {"pass"})


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
                card, shown = CARD_NAMES.index(what), picture
            assert code(card) in written_in(shown, spot.shape)


@every_layout
def test_throwing_a_card_and_putting_it_on_its_pile_is_one_click(tall):
    params, states = sample("cooperative", 20)
    spots = [
        spot
        for state in states
        if state.phase == table.THROW
        for spot in View(GAME, state, params, int(state.current_player)).draw(tall=tall).spots
    ]
    both = [spot.actions for spot in spots if len(spot.actions) == 2]
    assert both
    for throw, pile in both:
        assert (throw.partition(":")[0], pile.partition(":")[0]) == ("throw", "pile")
        assert throw.partition(":")[2] == pile.partition(":")[2]


# --- Choices are made before all eyes -------------------------------------------------------------


@every_table
def test_every_choice_of_a_card_is_seen_by_all(name):
    params, states = by_phase(name)
    for state in states:
        for action in legal(state, params):
            kind, _, what = action.partition(":")
            played = after(state, params, action)
            if kind in ("cell", "pass") or played.hand_over:
                continue
            card = CARD_NAMES.index(what)
            open_cards = [*played.known, played.on_map, played.removed, played.on_piles]
            assert any(has(cards, card) for cards in open_cards), (kind, what)


# --- The picture for phones -----------------------------------------------------------------------


@every_table
def test_a_tall_picture_has_room_for_all_that_there_can_be(name):
    params, states = sample(name, 4)
    sizes = set()
    for i, state in enumerate([*states, *map(crowded, states[::2])]):
        picture = View(GAME, state, params, (0, NOBODY)[i % 2]).draw(tall=True)
        drawing_checks.check_places(picture, outlined=False)
        sizes.add((picture.width, picture.height))
    assert len(sizes) == 1


def test_the_own_hand_is_large_and_the_first_on_a_phone():
    params, states = sample("six", 1)
    for viewer in range(params.num_players):
        picture = View(GAME, states[0], params, viewer).draw(tall=True)
        names = [text.split()[0] for text in picture.texts if text.startswith("player_")]
        assert names[1] == f"player_{viewer}"  # after who decides
    mover = int(states[0].current_player)
    picture = View(GAME, states[0], params, mover).draw(tall=True)
    widths = [spot.shape.width for spot in picture.spots]
    assert min(widths) > picture.width / 7  # 44 pixels, a finger, are an eighth of a phone


def test_a_name_that_has_no_room_is_a_mark_that_is_explained():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 move@5,5", "Y12 swap_map", "Y4", pile="")
    picture = View(GAME, game.state, game.env._batch.params, 0).draw(tall=True)
    assert "MO" in picture.texts
    assert "swap" in " ".join(picture.texts).split()
    assert any("MO move" in text for text in picture.texts)


def test_every_action_card_has_its_own_mark_and_is_explained():
    assert list(MARKS) == list(EFFECTS) == list(ACTION_CARDS)
    assert len(set(MARKS.values())) == len(MARKS)


def test_frames_differ_by_more_than_their_color():
    def gray(colour):
        picture = Picture(100, 100, "#000000")
        draw_frame(picture, 20, 20, 60, colour)
        return [replace(shape, fill=bool(shape.fill), outline=None) for shape in picture.shapes]

    frames = [gray(colour) for colour in (CHOICE, BY_NOTES, CHOSEN, PAIR)]
    assert all(one != other for one, other in combinations(frames, 2))


# --- Words ----------------------------------------------------------------------------------------


@every_table
def test_passing_is_explained_where_it_is_possible(name):
    params, states = by_phase(name)
    for state in states:
        words = View(GAME, state, params, int(state.current_player)).situation()
        assert ("pass" in words.split()) == ("pass" in legal(state, params))
        assert state.phase == table.OVER or f"player_{state.current_player}" in words


@every_table
def test_cards_are_named_as_sentences_have_it(name):
    params, states = sample(name, 20)
    for state in states:
        words = View(GAME, state, params, NOBODY).situation()
        words += " ".join(
            View(GAME, state, params, NOBODY).explain(action) for action in legal(state, params)
        )
        assert "_" not in words.replace("player_", "")


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("discard", "discard is in the pair that player_0 has made"),
        ("move", "move is in the pair that player_0 has made"),
        ("remove_cards", "player_0 may take up to 3 cards on the map"),
    ],
)
def test_the_effect_of_a_pair_is_explained(card, words):
    color = {"Y": "Y3", "P": "P1", "R": "R16"}["YRBP"[ACTION_CARDS[card][0]]]
    game = Table.at(f"{color}@5,2 B1@5,3 B7@6,3 B3@5,1", f"{card} Y16 R12", "B5", pile="")
    name = in_words(CARD_NAMES.index(card))
    assert f"{name}: {EFFECTS[card]}" in told(game, 0)
    assert name not in told(game, 1)
    game.play(f"card:{card}")
    assert f"{name}: {EFFECTS[card]}" in told(game, 1)
    game.play("cell:5,4")
    assert words in told(game, 1)


def test_what_follows_from_a_draw_is_explained():
    game = Table.at("Y3@5,5 R5@5,6", "Y16 R1", "P4", pile="swap_map B9").play("Y16@5,7")
    assert "player_1 has drawn swap map" in told(game, 0)
    game.play("card:P4")
    assert "player_1 gives P4 to the map, by the effect of swap map" in told(game, 0)


def test_a_play_in_the_middle_of_another_one_is_explained():
    places = "Y3@5,2 B7@6,2 R1@5,3 B1@5,4 R8@5,5 Y9@5,8 B2@5,7"
    game = Table.at(places, "Y12 B5", "draw Y5 R7", pile="instaplay P4").play("Y12@5,6")
    assert f"draw: {EFFECTS['draw']}" in told(game, 1)
    assert EFFECTS["draw"] not in told(game, 0)
    game.play("throw:draw")
    words = told(game, 0)
    assert "player_1 has drawn instaplay, which must be played at once" in words
    assert "Afterwards goes on: Y12 and Y3 of player_0" in words


def test_cards_received_and_throws_before_are_told():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 R8@5,5", "Y12 B5", "Y4 Y5 R7", pile="P4").play("Y12@5,6")
    assert told(game).startswith(
        "player_1 may throw yellow 4 to 11 (between 3 and 12), or one card with 3 notes "
        "(the distance is 3), open into the hand of player_0, who has made the pair Y12 and Y3."
    )
    assert told(game).endswith("to pass throws nothing.")
    game.play("throw:Y4")
    assert told(game).startswith("player_1 may throw more: yellow 4 to 11 (between 3 and 12), open")
    assert "In this turn player_0 has received Y4." in told(game)


def test_endings_are_told():
    params, states = sample("two", 1)
    last = next(state for state in states if state.phase == table.OVER)
    first = next(state for state in states if state.hand_over and state.phase != table.OVER)
    assert View(GAME, first, params, 0).situation().startswith("Game 1 is over. The notes left")
    words = View(GAME, last, params, 0).situation()
    assert words.startswith("The game is over: ")
    assert "Points of all 2 games: " in words
    params, states = sample("cooperative", 1)
    last = next(state for state in states if state.phase == table.OVER)
    words = View(GAME, last, params, 0).situation()
    assert "each had to have exactly 10" in words
    assert "The team has lost" in words


def test_secrets_of_others_are_not_told():
    batch = Batch(GAME, 1, seed=4, autoreset=False, talkytoot="all", num_players=4)
    state = copied(batch.states[0])
    held = [CARD_NAMES[i] for i in range(len(CARD_NAMES)) if has(state.hands[0], i)]
    secret = [in_words(CARD_NAMES.index(name)) for name in held if name in ACTION_CARDS]
    assert secret
    for viewer in (1, 2, 3):
        assert not any(
            name in View(GAME, state, batch.params, viewer).situation() for name in secret
        )


# --- What each action means -----------------------------------------------------------------------


def explained(batch, state):
    """What each legal action means."""
    return {
        action: View(GAME, state, batch.params, NOBODY).explain(action)
        for action in legal(state, batch.params)
    }


@pytest.mark.parametrize("variant", GAME.rules.variants, ids=range(len(GAME.rules.variants)))
def test_every_legal_action_is_explained_by_what_its_seat_may_know(variant):
    batch = Batch(GAME, 1, seed=5, autoreset=False, **variant)
    for i in range(40):
        words = explained(batch, batch.states[0])
        assert len(set(words.values())) == len(words)
        assert all(5 < len(text) <= 100 for text in words.values())
        twin = redealt(batch, [int(batch.states[0].current_player)], i)
        assert explained(twin, twin.states[0]) == words
        batch.step(batch.sample_actions())
        if batch.dones[0]:
            break


@every_table
def test_actions_are_explained_in_every_phase(name):
    params, states = by_phase(name)
    for state in states:
        words = [
            View(GAME, state, params, NOBODY).explain(action) for action in legal(state, params)
        ]
        assert len(set(words)) == len(words)
        with pytest.raises(ValueError, match=r"'cell:99,0' is not possible now; choose from"):
            View(GAME, state, params, NOBODY).explain("cell:99,0")


def says(game, action):
    return View(GAME, game.state, game.env._batch.params, NOBODY).explain(action)


def test_a_cell_is_explained_by_its_pair():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 R8@5,5", "Y12 B5", "Y4 Y8 R7", pile="P4")
    assert says(game, "card:Y12").startswith("play Y12 (3 notes): ")
    game.play("card:Y12")
    assert says(game, "cell:5,6") == "row 5, column 6: pair with Y3, range 8, distance 3"
    game.play("cell:5,6")
    assert says(game, "pass") == "throw nothing at player_0"
    assert says(game, "throw:Y4") == "give player_0 Y4: 4 is in the range 4 to 11"
    assert says(game, "throw:R7") == "give player_0 R7: 3 notes for distance 3, the only throw"
    game.play("throw:Y4")
    assert says(game, "pass") == "throw nothing more at player_0"
    with pytest.raises(ValueError, match="'throw:R7' is not possible now; choose from throw:Y8"):
        says(game, "throw:R7")


def test_a_safe_song_is_told_before_it_is_made():
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 R8@5,5 B6@5,6", "Y12 B5", "Y4 Y8 R7", pile="P4")
    game.play("card:Y12")
    told = says(game, "cell:5,7")
    assert told == "row 5, column 7: pair with Y3, range 8, distance 4, Safe Song"


def test_a_throw_that_makes_its_seat_draw_says_so():
    places = "Y3@5,2 B7@6,2 R1@5,3 B1@5,4 R8@5,5 Y9@5,8 B2@5,7"
    game = Table.at(places, "Y12 B5", "draw Y5 R7", pile="P4 P7").play("Y12@5,6")
    told = "give player_0 draw (B5): 3 notes for distance 3, the only throw, then draw 1"
    assert says(game, "throw:draw") == told


def test_a_pile_is_explained_by_how_full_it_would_be():
    params, states = sample("cooperative", 40)
    told = [
        (state, action, View(GAME, state, params, NOBODY).explain(action))
        for state in states
        for action in legal(state, params)
        if action.startswith("pile:")
    ]
    assert told
    for state, action, words in told:
        played = after(state, params, action)
        if not played.hand_over:
            color = COLOR[CARD_NAMES.index(action.removeprefix("pile:"))]
            assert f": {played.pile_notes[color]} of 10 notes" in words


@pytest.mark.parametrize(
    ("card", "explanations"),
    [
        ("discard", {"card:Y16": "take Y16 (1 note) out of the game", "pass": "keep all cards"}),
        ("move", {"map:B7": "move B7 from row 6, column 3", "pass": "move no card"}),
        ("remove_cards", {"map:B7": "take B7 in row 6, column 3 out", "pass": "take no cards"}),
    ],
)
def test_an_effect_is_explained_by_what_it_asks_for(card, explanations):
    color = {"Y": "Y3", "P": "P1", "R": "R16"}["YRBP"[ACTION_CARDS[card][0]]]
    game = Table.at(f"{color}@5,2 B1@5,3 B7@6,3 B3@5,1", f"{card} Y16 R12", "B5", pile="")
    game.play(f"card:{card} cell:5,4")
    for action, words in explanations.items():
        assert says(game, action).startswith(words)
