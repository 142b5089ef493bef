"""What only Diddly shows: cards that some seats know, boards of a finished round, piles."""

import pytest
from tests.games.diddly.play import Table, playing
from tests.games.positions import Positions, both_layouts, places, written_in

from kitchentable.core.state import ALL_SEEING, NOBODY
from kitchentable.games.diddly import GAME
from kitchentable.games.diddly import state as table
from kitchentable.games.diddly.render.cards import FACES

TABLES = [(3, 9), (8, 6)]
every_table = pytest.mark.parametrize(("seats", "cards"), TABLES)
NOUGHT = "0"
"""Marks a card worth nothing; no card has this name."""

games = Positions(
    GAME, lambda seats, cards: {"seed": seats, "num_players": seats, "cards": cards, "rounds": 2}
)
copied, look, positions = games.copied, games.look, games.positions


def first_with(phase, condition=lambda _: True):
    for seats_and_cards in TABLES:
        params, states = positions(*seats_and_cards)
        for state in states:
            if state.phase == phase and condition(state):
                return params, copied(state)
    raise AssertionError("there is no such position")


def told(state, params):
    return look(state, params, int(state.current_player)).situation()


def written_on(picture, shape):
    """Return the texts on a card or a pile, except the mark of a worthless card."""
    return {*written_in(picture, shape)} - {NOUGHT}


def with_long_words(state):
    """Return a copy with the longest possible texts about a seat or a turn."""
    state = copied(state)
    state.totals[:] = table.WORST_HAND * table.MAX_ROUNDS
    state.last_scores[:] = state.round_scores[:] = table.WORST_HAND
    state.last_boards[:] = table.CARD_NAMES.index("10")
    if state.phase in (table.PLACE, table.SWAP_FIRST, table.SWAP_SECOND, table.USE_PEEK):
        state.held = table.RECYCLE
        state.source = table.FROM_RECYCLING
        state.closer = state.dealer = state.current_player
    return state


# --- Cards ----------------------------------------------------------------------------------------


def test_a_peeked_card_is_shown_to_its_owner_and_looks_face_down():
    game = Table("P 2 3 4 5 6", "1 2 3 4 5 6").play("0 1 2")
    seen = [viewer for viewer in (0, 1, ALL_SEEING) if "[ 3*]" in game.view(viewer).text()]
    assert seen == [0, ALL_SEEING]
    drawn = game.view(0).draw()
    assert len(drawn.texts) == len(game.view(1).draw().texts) + 1
    game.state.face_up[0, 2] = 1
    assert drawn.shapes != game.view(0).draw().shapes


@both_layouts
@every_table
def test_a_click_on_a_card_is_about_that_card(seats, cards, tall):
    params, states = games.last(seats, cards)
    assert {table.FLIP, table.PLACE} <= {int(state.phase) for state in states}
    for state in states:
        mover = int(state.current_player)
        shown = look(state, params, mover).draw(tall=tall)
        for action, box in places(shown).items():
            if action.startswith("slot:"):
                slot = int(action.removeprefix("slot:"))
                for moment in (state, games.after(state, params, action)):
                    known = table.is_known(moment, mover, mover, slot)
                    label = {FACES[moment.boards[mover, slot]].label} if known else set()
                    written = written_on(look(moment, params, mover).draw(tall=tall), box)
                    assert label <= written
                    assert bool(label) == bool(written)


@both_layouts
@pytest.mark.parametrize("seats", [2, 8])
def test_piles_and_kinds_are_clicked_where_they_lie(seats, tall):
    boards = ["R 2 3 4 5 6", *["1 2 3 4 5 6"] * (seats - 1)]
    game = Table(*boards, then="9 D")
    game.play(" ".join(["0 1"] * seats + ["draw 1"] + ["take 1"] * (seats - 1)))
    picture = game.view(ALL_SEEING).draw(tall=tall)
    spots = places(picture)
    assert game.pile[-1] in written_on(picture, spots["take"])
    assert spots["take"].bounds[1] == spots["draw"].bounds[1]
    recycled = {action: box for action, box in spots.items() if action.startswith("recycle:")}
    assert recycled.keys() == {f"recycle:{kind}" for kind in game.pile}
    for action, box in recycled.items():
        kind = action.removeprefix("recycle:")
        assert written_on(picture, box) == {kind, f"x{game.pile.count(kind)}"}


def test_an_empty_deck_is_clicked_where_it_lay():
    game = playing().play("draw 0")
    params, empty = game.batch.params, copied(game.state)
    empty.deck_size = 0
    assert places(look(empty, params, ALL_SEEING).draw()) == places(game.view(ALL_SEEING).draw())
    assert "The deck is empty" in told(empty, params)


@every_table
def test_the_longest_words_fit(seats, cards):
    params, states = games.last(seats, cards)
    games.check_fits(params, map(with_long_words, states))


# --- Words ----------------------------------------------------------------------------------------


def test_closing_is_told_before_and_after():
    params, state = first_with(table.PLACE, lambda state: state.source == table.FROM_DECK)
    mover = int(state.current_player)
    state.closer = NOBODY
    state.face_up[mover] = 1
    state.face_up[mover, 0] = 0
    assert "they close the round" in told(state, params)
    state.face_up[mover, 1] = 0
    assert "they close the round" not in told(state, params)
    state.closer = (mover + 1) % state.num_players
    assert f"player_{state.closer} has all their cards face up" in told(state, params)


def test_ends_are_told_with_ties_and_limits():
    params, states = positions(3, 9)
    state = copied(next(state for state in states if state.hand_over))
    one, two, three = state.last_scores[:3]
    scores = f"{one} for player_0, {two} for player_1 and {three} for player_2"
    assert told(state, params).startswith(f"Round 1 was scored: {scores}. ")
    state = copied(states[-1])
    state.totals[:3] = 7, 7, 9
    state.round_scores[:2, :2] = ((3, 4), (2, 5))
    assert told(state, params).startswith(
        "player_1 wins with the lowest total, 7 points after 2 rounds. player_0 has the same"
    )
    state.round_scores[0, :2] = (5, 2)
    assert told(state, params).startswith("player_0 and player_1 share the win")
    state.truncated, state.terminated = True, False
    assert "player_0 and player_1 are ahead with 7 points" in told(state, params)
    state.rounds_done = 0
    assert "Stopped at the turn limit, nobody ahead" in look(state, params, 0).text()


def with_own_cards(phase):
    """Return a table of six cards where the seat to act has a 3 face up and has seen a Diddly."""
    params, state = first_with(phase, lambda state: state.cards == 6)
    mover = int(state.current_player)
    state.boards[mover, :6] = 2, table.DIDDLY, 4, 5, 6, 7
    state.face_up[mover], state.peeked[mover] = 0, 0
    state.face_up[mover, 0] = state.peeked[mover, 1] = 1
    return params, state


@pytest.mark.parametrize(
    ("phase", "action", "words"),
    [
        (table.FLIP, "slot:3", "turn up the unseen card in row 2, column 1"),
        (table.USE_PEEK, "slot:1", "look again at the face-down Diddly in row 1, column 2"),
        (table.SWAP_FIRST, "slot:0", "swap the 3 in row 1, column 1 with another"),
        (
            table.SWAP_SECOND, "slot:1",
            "swap row 2, column 2 with the face-down Diddly in row 1, column 2",
        ),
        (table.PLACE, "slot:2", "put the Half in row 1, column 3; discard the unseen card"),
    ],
)  # fmt: skip
def test_a_card_is_explained_by_its_place_and_what_is_known_of_it(phase, action, words):
    params, state = with_own_cards(phase)
    state.swap_slot = 4
    if phase == table.PLACE:
        state.source, state.held = table.FROM_DECK, table.HALF
    assert look(state, params, ALL_SEEING).explain(action) == words


def test_a_card_that_cannot_be_used_is_not_said_to_be_used():
    params, state = with_own_cards(table.SOURCE)
    state.pile[state.pile_size - 1] = table.PEEK
    told = "take the Peek from the discard pile"
    for face_up, words in ((0, f"{told} and use it"), (1, told)):
        state.face_up[int(state.current_player)] = face_up
        assert look(state, params, ALL_SEEING).explain("take") == words
