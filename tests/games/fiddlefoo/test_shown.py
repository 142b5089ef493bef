"""What only Fiddlefoo shows: the map, pairs and what may be thrown at them, action cards, piles."""

import pytest
from tests.games.fiddlefoo.play import Table
from tests.games.positions import Positions, both_layouts, written_in

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.render.action_cards import EFFECTS, MARKS, words
from kitchentable.games.fiddlefoo.render.cards import BY_NOTES, CHOICE, CHOSEN
from kitchentable.games.fiddlefoo.render.view import cards_of, code, prospects
from kitchentable.render.picture import Rectangle

TABLES = {
    "two": {"games": 2, "map_size": 8},
    "cooperative": {"cooperative": True, "talkytoot": "all", "games": 2},
    "six": {"num_players": 6, "map_size": 16, "talkytoot": "all", "games": 2},
}
every_table = pytest.mark.parametrize("name", TABLES)
RULES_EXAMPLE = "Y3@5,2 R1@5,3 B1@5,4 R8@5,5"

games = Positions(GAME, lambda name: {"seed": 2, **TABLES[name]})
copied, look, positions, texts_in = games.copied, games.look, games.positions, games.texts_in


def frames(view, color):
    """Return the number of frames of a color in the picture."""
    shapes = [shape for shape in view.draw().shapes if isinstance(shape, Rectangle)]
    return sum(shape.outline == color and shape.fill is None for shape in shapes)


def says(game, action):
    return game.view(ALL_SEEING).explain(action)


def crowded(state):
    """Return a copy with as many cards on the table, and the longest texts, as possible."""
    state = copied(state)
    state.totals[:] = 12345
    state.hand_points[:] = 222
    state.last_scores[:] = 222
    state.removed[:] = c.set_of(range(c.NUM_CARDS - 5, c.NUM_CARDS))
    state.blocked = 5
    state.received[:] = state.in_play
    state.again = True
    state.known[:] = state.hands
    state.pile_notes[:] = 38
    state.on_piles[:] = c.set_of(range(c.NUM_BASE))
    spare = [int(card) for card in state.deck[: state.deck_size]]
    size = len(cards_of(state.hands[0]))
    if state.hand_over:
        state.last_hands[:] = c.set_of(range(0, c.NUM_CARDS, 8))
        state.last_hands[0] = c.set_of(range(0, c.NUM_CARDS, 3))
    else:
        state.hands[0] = c.set_of([*cards_of(state.hands[0]), *spare[: 25 - size]])
        state.deck_size = 0
    return state


# --- A table in words -----------------------------------------------------------------------------


def test_the_text_of_a_table():
    """The example of the rules page: Y12 pairs with Y3, four cells away."""
    game = Table.at(f"{RULES_EXAMPLE} Y9@5,8 B2@5,7", "Y12 B5", "Y4 Y5 R7", pile="P4")
    game.play("card:Y12 cell:5,6")
    lines = game.view(1).text().splitlines()
    assert lines[:5] == [
        "Fiddlefoo, game 1 of 1, as player_1 sees it",
        "player_1 may throw cards at player_0",
        "Y12 and Y3: 8 numbers in range, distance 3. May be thrown: yellow 4 to 11, or",
        "  one card with 3 notes.",
        "player_0's turn.",
    ]
    assert "  5    .    .  =Y3   R1   B1   R8 =Y12   B2   Y9    .    .    ." in lines
    assert lines[-9:-4] == [
        "  player_0 0 points 1 card [began] [turn] [active]",
        "    hand  [ ] x1",
        "> player_1 0 points 3 cards, cost 8",
        "    hand  Y4  Y5  R7",
        "    may throw: Y4 Y5 R7",
    ]
    assert [frames(game.view(1), color) for color in (BY_NOTES, CHOICE)] == [2, 3]
    game.play("throw:Y4")
    assert "[Y4]<" in game.view(1).text()
    assert "Y4*<" in game.view(0).text()


def test_a_play_in_the_middle_of_another_one_is_told():
    """Player_1 throws `draw` at Y12 and draws `instaplay`, which it plays at once."""
    places = f"{RULES_EXAMPLE} B7@6,2 Y9@5,8 B2@5,7"
    game = Table.at(places, "Y12 B5", "draw Y5 R7", pile="instaplay P4").play("Y12@5,6 >draw")
    for lines in (game.view(0).text().split(), game.view(0).draw().texts):
        told = " ".join(lines)
        assert "player_1 chooses a cell for instaplay" in told
        assert "Interrupted: player_0's pair of Y12 and Y3 (numbers 3 and 12, distance 3)" in told
        assert not any(words in told for words in ("[active]", "May be thrown", "=Y12"))
    assert "player_1 has drawn instaplay, which must be played at once" in game.view(0).situation()


@every_table
def test_each_possible_cell_shows_its_pair(name):
    params, states = positions(name)
    choosing = [state for state in states if state.phase == s.CELL]
    for state in choosing[:: max(1, len(choosing) // 4)]:
        text, written = texts_in(state, params, ALL_SEEING)
        found = prospects(state)
        legal = look(state, params, ALL_SEEING).legal
        assert {f"cell:{row},{column}" for row, column in found} == set(legal)
        for (row, column), offer in found.items():
            label = code(offer.cards[1])
            assert f"{row},{column} {label} {offer.span}, {offer.distance}" in text
            short, whole = f" r{offer.span} ", f"{label} range {offer.span} "
            assert whole in written or short in written, "in words where there is room"
            assert ("r numbers in range" in written) == (whole not in written)
        assert frames(look(state, params, ALL_SEEING), CHOSEN) >= 1


def test_ends_are_told():
    params, states = positions("two")
    for told in texts_in(states[-1], params, 0):
        for player in range(2):
            assert all(code(card) in told for card in cards_of(states[-1].last_hands[player]))
            assert "+".join(map(str, GAME.hand_scores(states[-1], player))) in told
    state = copied(states[-1])
    state.totals[:] = 2
    assert all("player_0 and player_1 share the win" in t for t in texts_in(state, params, 0))
    params, states = positions("cooperative")
    state = copied(states[-1])
    for won, outcome in ((1, "lost"), (2, "won")):
        state.games_won = won
        assert all(f"The team has {outcome}" in told for told in texts_in(state, params, 0))


def test_plays_and_throws_are_explained():
    game = Table.at(RULES_EXAMPLE, "Y12 B5", "Y4 Y8 R7", pile="P4")
    assert says(game, "card:Y12").startswith("play Y12 (3 notes): ")
    game.play("card:Y12")
    assert says(game, "cell:5,6") == "row 5, column 6: pair with Y3, 8 numbers in range, distance 3"
    game.play("cell:5,6")
    told = game.view(ALL_SEEING).situation()
    assert told.startswith(
        "player_0 made a pair with Y12 and Y3. player_1 may throw at player_0: yellow 4 to 11 "
    )
    assert says(game, "throw:Y4") == "give player_0 Y4: 4 is in the range 4 to 11"
    by_notes = "give player_0 R7: its notes, 3, equal the distance; thrown alone"
    assert says(game, "throw:R7") == by_notes
    game.play("throw:Y4")
    told = game.view(ALL_SEEING).situation()
    assert told.startswith("player_0 made a pair with Y12 and Y3. player_1 may throw more at ")
    assert "In this turn player_0 has received Y4." in told
    game = Table.at(f"{RULES_EXAMPLE} B6@5,6", "Y12 B5", "Y4 Y8 R7", pile="P4").play("card:Y12")
    safe = "row 5, column 7: pair with Y3, 8 numbers in range, distance 4, Safe Song"
    assert says(game, "cell:5,7") == safe


def test_what_cannot_come_any_more_is_not_offered():
    """A card on the map cannot be thrown; one that works when it is thrown has no effect there."""
    game = Table.at("Y3@5,2 wildcard_throw@5,5", "R1 B5", "Y4 R7", pile="P4").play("R1@5,3")
    told = game.view(ALL_SEEING).situation()
    assert "made a pair with R1 and wildcard throw" in told
    assert "at any pair" not in told
    assert "Effects to come" not in game.view(ALL_SEEING).text()


# --- Places to click and pictures -----------------------------------------------------------------


@every_table
@both_layouts
def test_a_click_is_about_the_card_that_lies_there(name, tall):
    params, states = games.last(name)
    for state in states:
        mover = int(state.current_player)
        picture = look(state, params, mover).draw(tall=tall)
        for spot in picture.spots[:3]:
            kind, _, what = spot.actions[0].partition(":")
            if kind == "cell":
                card = int(state.chosen)
                # Another part of the map may be shown then.
                shown = look(games.after(state, params, spot.actions[0]), params, mover).draw(
                    tall=tall
                )
                assert code(card) in shown.texts
            else:
                card = c.CARD_NAMES.index(what)
                assert code(card) in written_in(picture, spot.shape)


@both_layouts
def test_throwing_a_card_and_putting_it_on_its_pile_is_one_click(tall):
    params, states = positions("cooperative")
    both = set()
    for state in [state for state in states if state.phase == s.THROW][::6]:
        picture = look(state, params, int(state.current_player)).draw(tall=tall)
        both |= {spot.actions for spot in picture.spots if len(spot.actions) == 2}
    assert both
    for throw, pile in both:
        assert (throw, pile) == (f"throw:{throw[6:]}", f"pile:{throw[6:]}")


def test_action_cards_have_names_and_marks_that_are_explained():
    assert list(EFFECTS) == list(c.ACTION_CARDS)
    assert len(set(MARKS.values())) == len(MARKS)
    game = Table.at(RULES_EXAMPLE, f"Y12 {' '.join(c.ACTION_CARDS)}", "Y4", pile="")
    picture = game.view(0).draw()
    written = " ".join(picture.texts)
    for name in c.ACTION_CARDS:
        said = words(name)
        assert said in written or MARKS[name] in picture.texts
        assert any(note.text.lower().startswith(f"{said} (") for note in picture.notes)
    game = Table.at("Y3@5,2 R1@5,3 B1@5,4 move@5,5", "Y12 swap_map", "Y4", pile="")
    assert any("MO move" in text for text in game.view(0).draw(tall=True).texts)


@pytest.mark.parametrize("name", ["cooperative", "six"])
def test_as_much_as_there_can_be_has_room(name):
    params, states = games.last(name)
    games.check_fits(params, map(crowded, states))
