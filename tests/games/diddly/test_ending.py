"""How rounds and games of Diddly end (closing, limits, ties), and the parameters."""

from __future__ import annotations

import pytest
from tests.games.diddly.play import QUIET, Table, numbers, playing, rig, words

from kitchentable.games.diddly import GAME

# --- End of a round -----------------------------------------------------------------------------


def almost_closed(**params) -> Table:
    """Return a table where player_0, to act, has one card face down; player_1 changed slot 0."""
    then = "10 " + "9 D " * 4
    table = playing("1 2 P S R 6", "6 5 P S R 1", then=then, **params)
    for slot in (2, 3, 4):
        table.play(f"draw {slot} draw 0")
    return table


def test_closing_gives_every_other_seat_one_more_turn():
    table = Table(rig(*[QUIET] * 3, then="10 7 7 7 8"), num_players=3).play("0 1 0 1 0 1 draw 0")
    table.state.face_up[1, 2:5] = 1
    assert table.play("draw 5").state.closer == 1
    assert table.play("draw 0").asks == "0 source"
    assert not table.state.hand_over
    table.play("draw 0")
    assert table.state.hand_over
    assert [words(table.state.last_boards[seat, :6]) for seat in range(3)] == [
        ["8", "2", "3", "4", "5", "6"],
        ["1", "2", "3", "4", "5", "7"],
        ["7", "2", "3", "4", "5", "6"],
    ]


def test_the_closer_takes_no_more_turns():
    table = almost_closed()
    assert table.state.closer == -1
    table.play("draw 5")
    assert table.state.closer == 0
    assert table.asks == "1 source"
    table.play("draw 0")
    assert table.state.hand_over
    assert table.asks == "1 flip"


def test_cards_turned_up_at_the_end_do_nothing_and_score():
    """Player_1's Peek, Swap and Recycle are face down to the end."""
    table = almost_closed(rounds=1).play("take 5 take 1")
    assert words(table.state.last_boards[1, :6]) == ["D", "6", "P", "S", "R", "1"]
    assert table.state.terminated
    assert table.legal == []
    # Columns 1 9, 2 9, 9 D; D S, 6 R, P 1.
    assert table.batch.scores(table.state).tolist() == [30, 27]
    assert table.state.face_up[:2, :6].all()


def test_the_deal_passes_to_the_left():
    table = almost_closed(num_players=2, rounds=3).play("draw 5 draw 0")
    assert table.state.dealer == 0
    assert table.asks == "1 flip"
    assert not table.state.face_up.any()
    assert table.state.turns.sum() == 0
    while table.asks.endswith(("flip", "peek")) or "swap" in table.asks:
        table.play("pass" if "pass" in table.legal else table.legal[0].removeprefix("slot:"))
    assert table.asks == "1 source"


# --- Deck, limits, end of the game --------------------------------------------------------------


def test_an_empty_deck_is_made_of_the_pile_but_its_top_card():
    table = playing()
    assert not table.state.reshuffled
    state = table.empty_deck().state
    gathered, top = table.pile[:-1], table.pile[-1]
    assert "draw" in table.legal
    table.play("draw")
    assert table.pile == [top]
    rest = words(state.deck[: state.deck_size])
    drawn = words([state.held])
    assert sorted(rest + drawn) == sorted(gathered)
    assert rest + drawn != gathered
    assert state.pile_counts.sum() == 1
    assert state.reshuffled


def test_draw_is_illegal_when_no_card_can_be_drawn():
    table = playing()
    table.state.deck_size = 0
    table.batch.look()
    assert table.pile == ["9"]
    assert table.legal == ["take"]
    table.state.pile[1], table.state.pile_size = table.state.pile[0], 2
    table.batch.look()
    assert table.legal == ["draw", "take"]


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_a_turn_beyond_the_limit_truncates_the_game(reward):
    table = playing(then="9 10 8 8", turn_limit=2, reward=reward, rounds=3)
    table.play("draw 0 take 0 draw 0")
    assert not table.state.truncated
    table.play("take 0")
    assert table.state.truncated
    assert not table.state.terminated
    assert table.batch.dones[0]
    assert table.legal == []
    assert table.batch.scores(table.state).tolist() == [0, 0]
    assert table.batch.rewards.tolist() == [[0.0, 0.0]]


def test_a_truncated_game_is_paid_by_its_finished_rounds():
    table = playing(then="9 10 8", turn_limit=1, rounds=3)
    table.state.totals[:2] = 30, 20
    table.state.round_scores[:2, 0] = 30, 20
    table.state.rounds_done = 1
    table.play("draw 0 draw 0")
    assert table.state.truncated
    assert table.batch.ranks(table.state).tolist() == [2, 1]
    assert table.batch.rewards.tolist() == [[-1.0, 1.0]]


def finished(*rounds: list[int]) -> Table:
    """Return a finished game with these points, one list per seat."""
    table = Table(num_players=len(rounds), rounds=len(rounds[0]))
    state = table.state
    for seat, points in enumerate(rounds):
        state.totals[seat] = sum(points)
        state.round_scores[seat, : len(points)] = points
    state.rounds_done = len(rounds[0])
    state.terminated = True
    return table


@pytest.mark.parametrize(
    ("rounds", "ranks"),
    [
        ([[5, 5], [4, 5]], [2, 1]),
        ([[10, 20], [15, 15]], [1, 2]),  # same total: the lowest round decides
        ([[20, 10], [15, 15], [10, 20]], [1, 3, 1]),  # a shared win
        ([[10, 20, 30], [10, 25, 25], [60, 0, 1]], [1, 2, 3]),  # then the next lowest decides
        ([[30, 20, 10], [25, 10, 25], [60, 0, 0]], [2, 3, 1]),
        ([[10, 10, 40], [10, 20, 30], [20, 20, 20]], [1, 2, 3]),
        ([[5, 5, 20], [0, 15, 15]], [2, 1]),  # a higher best round does not help
        ([[90, 0], [1, 89]], [1, 2]),  # 90: the highest round score possible
        ([[7], [7], [7]], [1, 1, 1]),
        ([[0, 0], [0, 0], [0, 1]], [1, 1, 3]),
    ],
)
def test_ties_are_broken_by_the_lowest_rounds(rounds, ranks):
    table = finished(*rounds)
    assert table.batch.ranks(table.state).tolist() == ranks


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"num_players": 7, "cards": 8}, "num_players=7.*2 to 6"),
        ({"num_players": 7, "cards": 9}, "num_players=7.*2 to 6"),
        ({"cards": 7}, r"cards=7.*2, 6, 8, 9"),
        ({"cards": True}, "cards=True"),
        ({"rounds": 0}, "rounds=0"),
        ({"rounds": 101}, "rounds=101"),
        ({"turn_limit": 0}, "turn_limit=0"),
        ({"turn_limit": 10_001}, "turn_limit=10001"),
        ({"copies": {"11": 1}}, r"copies: there is no card '11'; choose from 1, 2, .*R"),
        ({"copies": {None: 1}}, "copies: there is no card None"),
        ({"copies": {"1": 9}}, "copies of '1'=9 .* from 0 to 8"),
        ({"copies": {"S": -1}}, "copies of 'S'=-1 .* from 0 to 4"),
        ({"copies": {"1": 2.0}}, "copies of '1'=2.0 .* whole number"),
        ({"copies": {1: 2, "1": 2}}, "copies: the card '1' is given twice"),
        ({"copies": 12}, "copies=12 .* by its name, or None"),
        ({"copies": ["1", "10"]}, r"copies=\['1', '10'\] is not possible"),
        ({"copies": {"1": 8, "2": 5}}, "too few cards: the boards, .* at least 14, .* has 13"),
        ({"copies": {}, "cards": 2}, "need at least 6, and it has 0"),
    ],
)
def test_impossible_parameters_are_refused_by_name(params, message):
    with pytest.raises(ValueError, match=message):
        Table(**params)


def test_a_shortened_deck_is_the_same_however_it_is_given():
    given = {"D": 2, 5: 3, "1": 2, "H": 0}  # 5: as YAML parses it
    params = GAME.make_params(cards=2, copies=given)
    assert params.copies == (("1", 2), ("5", 3), ("D", 2))
    assert params.plain()["copies"] == {"1": 2, "5": 3, "D": 2}
    pairs = [["D", 2], ["5", 3], ["1", 2]]
    assert GAME.make_params(cards=2, copies=pairs) == params
    assert hash(GAME.make_params(cards=2, copies=params.plain()["copies"])) == hash(params)
    assert "copies" not in GAME.make_params(cards=2).plain()
    assert [name for name, number in GAME.rules.deck(params).items() if number] == ["1", "5", "D"]


def test_a_shortened_deck_has_no_other_cards_to_lie_on_top():
    table = Table(cards=2, copies={"1": 2, "5": 4})
    with pytest.raises(ValueError, match="deck has no card 0, or not so many"):
        table.batch.reset(top=numbers("111"))


def test_two_cards_are_flipped_placed_and_scored():
    table = Table("7 4 9 7 H 4", cards=2, rounds=1, copies={"4": 2, "7": 2, "9": 1, "H": 1})
    assert table.play("0").asks == "1 flip"
    assert table.play("1").asks == "0 source"
    assert (table.board(0), table.board(1), table.pile) == ("7 (9)", "(4) 7", ["H"])
    table.play("take 1")  # player_0 has closed with 7 and H
    assert table.pile == ["9"]
    table.play("draw 1")  # the last card
    assert table.state.terminated
    assert table.state.last_scores[:2].tolist() == [4, 0]
    assert table.state.deck_size == 0


def test_defaults_are_those_of_the_rules_page():
    table = Table()
    params = table.batch.params
    assert (params.num_players, params.cards, params.rounds) == (2, 6, 5)
    assert (params.reward, params.turn_limit) == ("win", 100)
    kinds = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "D", "S", "H", "P", "R"]
    slots = [f"slot:{i}" for i in range(6)]
    names = ("draw", "take", *(f"recycle:{kind}" for kind in kinds), "pass", *slots)
    assert table.batch.action_names == names
