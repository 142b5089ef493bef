"""How rounds and games of Diddly end (closing, limits, ties), and the parameters."""

import pytest
from tests.games.diddly.play import QUIET, Table, playing, words

from kitchentable.games.diddly import GAME

# --- End of a round -----------------------------------------------------------------------------


def test_closing_gives_every_other_seat_one_more_turn():
    table = Table(*[QUIET] * 3, then="10 7 7 7 8").play("0 1 0 1 0 1 draw 0")
    table.state.face_up[1, 2:5] = 1
    table.follow("draw 5 -> closer = 1", "draw 0 -> asks = 0 source", "draw 0 -> hand_over = True")
    boards = [words(table.state.last_boards[seat, :6]) for seat in range(3)]
    assert list(map(" ".join, boards)) == ["8 2 3 4 5 6", "1 2 3 4 5 7", "7 2 3 4 5 6"]


def almost_closed(**params) -> Table:
    """Return a table where player_0, to act, has one card face down; player_1 changed slot 0."""
    then = "10 " + "9 D " * 4
    table = playing("1 2 P S R 6", "6 5 P S R 1", then=then, **params)
    for slot in (2, 3, 4):
        table.play(f"draw {slot} draw 0")
    return table


def test_cards_turned_up_at_the_end_do_nothing_and_score():
    """Player_1's Peek, Swap and Recycle are face down to the end."""
    table = almost_closed(rounds=1).play("take 5 take 1")
    assert words(table.state.last_boards[1, :6]) == ["D", "6", "P", "S", "R", "1"]
    # Columns 1 9, 2 9, 9 D; D S, 6 R, P 1.
    table.follow("-> over = True; terminated = True; totals = 30 27")
    assert table.state.face_up[:2, :6].all()


def test_the_deal_passes_to_the_left():
    table = almost_closed(rounds=3).follow("draw 5 draw 0 -> asks = 1 flip")
    assert not table.state.face_up.any()
    assert table.state.turns.sum() == 0


# --- Deck, limits, end of the game --------------------------------------------------------------


def test_an_empty_deck_is_made_of_the_pile_but_its_top_card():
    table = playing().put_deck_under_pile()
    *gathered, top = table.pile
    table.follow(f"draw -> pile = {top}; reshuffled = True")
    state = table.state
    made = words([*state.deck[: state.deck_size], state.held])
    assert sorted(made) == sorted(gathered)
    assert made != gathered


def test_draw_is_illegal_when_no_card_can_be_drawn():
    table = playing()
    table.state.deck_size = 0
    table.batch.look()
    assert table.legal == ["take"]
    table.state.pile[1], table.state.pile_size = table.state.pile[0], 2
    table.batch.look()
    assert table.legal == ["draw", "take"]


def test_a_turn_beyond_the_limit_ends_a_game_that_is_paid_by_its_finished_rounds():
    table = playing(then="9 10 8", turn_limit=1, rounds=3)
    table.state.totals[:2] = 30, 20
    table.state.round_scores[:2, 0] = 30, 20
    table.state.rounds_done = 1
    table.follow(
        "draw 0 -> over = False",
        "draw 0 -> truncated = True; terminated = False; over = True; ranks = 2 1; paid = -1 1",
    )


@pytest.mark.parametrize(
    ("rounds", "ranks"),
    [
        ([[5, 5], [4, 5]], [2, 1]),
        ([[10, 20], [15, 15]], [1, 2]),  # same total: the lowest round decides
        ([[20, 10], [15, 15], [10, 20]], [1, 3, 1]),  # a shared win
        ([[10, 20, 30], [10, 25, 25], [60, 0, 1]], [1, 2, 3]),  # then the next lowest decides
        ([[5, 5, 20], [0, 15, 15]], [2, 1]),  # a higher best round does not help
        ([[90, 0], [1, 89]], [1, 2]),  # 90: the highest round score possible
    ],
)
def test_ties_are_broken_by_the_lowest_rounds(rounds, ranks):
    table = Table(num_players=len(rounds), rounds=len(rounds[0]))
    table.state.rounds_done = len(rounds[0])
    for seat, points in enumerate(rounds):
        table.state.totals[seat] = sum(points)
        table.state.round_scores[seat, : len(points)] = points
    assert table.ranks == ranks


# --- Parameters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"num_players": 7, "cards": 8}, "num_players=7.*2 to 6"),
        ({"cards": 7}, r"cards=7.*2, 6, 8 or 9"),
        ({"copies": {"11": 1}}, r"copies: there is no card '11'; choose from 1, 2, .*R"),
        ({"copies": {"1": 9}}, "copies of '1'=9 .* from 0 to 8"),
        ({"copies": {"S": -1}}, "copies of 'S'=-1 .* from 0 to 4"),
        ({"copies": {"1": 2.0}}, "copies of '1'=2.0 .* whole number"),
        ({"copies": {1: 2, "1": 2}}, "copies: the card '1' is given twice"),
        ({"copies": ["1", "10"]}, r"copies=\['1', '10'\] is not possible"),
        ({"copies": {"1": 8, "2": 5}}, "too few cards: the boards, .* at least 14, .* has 13"),
    ],
)
def test_impossible_parameters_are_refused_by_name(params, message):
    with pytest.raises(ValueError, match=message):
        GAME.make_params(**params)


def test_a_shortened_deck_is_the_same_however_it_is_given():
    given = {"D": 2, 5: 3, "1": 2, "H": 0}  # 5: as YAML parses it
    params = GAME.make_params(cards=2, copies=given)
    assert params.plain()["copies"] == {"1": 2, "5": 3, "D": 2}
    again = GAME.make_params(cards=2, copies=[["D", 2], ["5", 3], ["1", 2]])
    assert again == params
    assert hash(again) == hash(params)
    assert "copies" not in GAME.make_params(cards=2).plain()


def test_two_cards_are_flipped_placed_and_scored():
    Table(
        "7 9", "4 7", then="H 4", cards=2, rounds=1, copies={"4": 2, "7": 2, "9": 1, "H": 1}
    ).follow(
        "0 1 -> asks = 0 source; board 0 = 7 (9); board 1 = (4) 7; pile = H",
        "take 1 -> pile = 9",  # player_0 has closed with 7 and H
        "draw 1 -> deck_size = 0; terminated = True; totals = 4 0",
    )
