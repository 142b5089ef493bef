"""Add-Too's rules one by one: the booklet's examples, ordinary plays, drawing, passing."""

import numpy as np
import pytest
from tests.games.addtoo.layout import DIAMONDS
from tests.games.addtoo.play import Table, members, placed

from kitchentable.games.addtoo import GAME

# --- The booklet's examples ---------------------------------------------------------------------

FIG_5 = "1-9@0,0,0,0 1-10@-1,0,0,1 3-10@-1,-1,0,0"
EXAMPLES = {
    "Fig. 5": (f"{FIG_5} 3-4@-2,-1,0,1", "9-10@0,-1,0,1", 20 + 10),
    "Fig. 5's note": (FIG_5, "9-10@0,-1,0,1", 20),
    "Fig. 6": (
        "3-7@0,0,0,0 7-9@0,1,0,1 7-8@-1,1,0,0 1-3@-2,1,0,1 4-6@-2,0,0,0 5-9@-3,0,0,1",
        "3-6@-1,0,0,1",
        30 + 15,
    ),
    "Fig. 7": ("3-10@0,0,0,0 5-9@0,1,0,1 7-10@-1,1,0,0 3-8@-2,1,0,1", "3-6@-1,0,0,1", 10 + 10),
    "four sides": (
        "3-10@0,0,0,0 1-3@-1,0,0,1 1-4@-1,-1,0,0 1-2@-1,-2,0,1 1-9@0,-2,0,0 4-8@1,-2,0,1 "
        "2-8@1,-1,0,0 3-9@2,-1,0,1",
        "1-7@0,-1,0,1",
        30 + 20,
    ),
    "turned Fig. 5": ("7-9@0,0,0,0 5-9@0,-1,0,1 3-10@-1,-1,0,0 1-3@-2,0,2,1", "9-10@-1,0,0,1", 30),
    "turned Fig. 7": ("2-7@0,0,0,0 2-3@-1,1,2,1 3-5@-1,2,2,0 5-6@-1,3,2,1", "3-7@0,1,0,1", 20),
}


def lay_all(table, text):
    for diamond, page in placed(text).items():
        table.lay(diamond, *page)
    return table


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_come_out_when_played_from_the_deal(example):
    """Three seats play them from the deal, so every diamond is laid by a legal play."""
    lying, play, score = EXAMPLES[example]
    laid = [*placed(f"{lying} {play}")]
    hands = [laid[seat::3] for seat in range(3)]
    if "1-2" not in laid:
        hands[0].append("1-2")  # the lowest diamond, so player_0 begins
    table = lay_all(Table(*map(" ".join, hands), max_hands=1), lying)
    before, seat = table.points, int(table.state.current_player)
    assert seat == (len(laid) - 1) % 3
    before[seat] += score
    assert lay_all(table, play).points == before
    assert table.over == (example == "four sides")
    assert [*table.layout.items()] == [*placed(f"{lying} {play}").items()]


@pytest.mark.parametrize(
    ("first", "second", "score"), [("1-9", "9-10", 0), ("2-10", "5-6", 15), ("1-5", "5-8", 10)]
)
def test_figures_2_to_4(first, second, score):
    """Orange on orange, on either orange side, parallel or turned."""
    ways = ["last:0,0", "last:0,1", "last:1,0", "last:1,1"]
    table = Table.at(f"{first}@0,0,0,0", f"{second} 6-8", "4-7 6-9")
    table.play(second)
    assert [name for name in table.legal if name in ways] == ways
    for way in ways:
        again = Table.at(f"{first}@0,0,0,0", f"{second} 6-8", "4-7 6-9").play(f"{second}@{way}")
        assert again.points == [score, 0]


# --- The start (booklet: How to Start) ------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "starter"),
    [
        (("9-10 8-9 7-8 6-7 5-6", "1-2 8-10 7-10 6-10 5-10"), 1),
        # 1-4 and 2-3 are equal; then 1-6 is lower than 2-6.
        (("2-3 1-6 8-9 8-10 9-10", "1-4 2-6 7-8 7-9 7-10"), 0),
        # Two diamonds with the lowest total beat one.
        (("3-4 3-5 7-8 7-9 7-10", "1-6 2-5 8-9 8-10 9-10"), 1),
        # Totals that are equal but for the last: 5, 7, 9, 11, 13 against 5, 7, 9, 11, 12.
        (("1-4 2-5 3-6 4-7 5-8", "2-3 1-6 2-7 1-10 3-9"), 1),
        # All are equal: the lowest seat begins.
        (("9-10 8-10 7-8 6-7 5-6", "1-4 2-5 3-6 4-7 5-8", "2-3 1-6 2-7 1-10 3-10"), 1),
    ],
)
def test_lowest_diamond_starts(hands, starter):
    table = Table(*hands)
    assert table.state.current_player == table.state.starter == starter
    tile = table.tiles.split()[0]
    assert table.play(tile).layout == {tile: (0, 0, 0, 0)}


# --- Ordinary play ------------------------------------------------------------------------------


def test_numbers_that_fit():
    """Worked out by hand: 1 fits 1, 4 and 9; 5 fits 5 and 10; 10 fits 5 and 10."""
    partners = {
        1: {1, 4, 9}, 2: {2, 3, 8}, 3: {3, 2, 7}, 4: {4, 1, 6}, 5: {5, 10},
        6: {6, 4, 9}, 7: {7, 3, 8}, 8: {8, 2, 7}, 9: {9, 1, 6}, 10: {10, 5},
    }  # fmt: skip
    orange, fits = GAME.rules.tables(GAME.make_params())
    for number, wanted in partners.items():
        for color in (0, 1):
            found = {int(orange[color, DIAMONDS.index(d)]) for d in members(fits[color, number])}
            assert found == wanted


def test_each_diamond_has_its_numbers():
    """Parity print: the lower number is orange where the sum is odd."""
    table, _ = GAME.rules.tables(GAME.make_params())
    for i, diamond in enumerate(DIAMONDS):
        low, high = map(int, diamond.split("-"))
        assert table[:, i].tolist() == ([low, high] if (low + high) % 2 else [high, low])
    lower = [int(d.split("-")[0]) for d in DIAMONDS]
    table, _ = GAME.rules.tables(GAME.make_params(orange=lower))
    assert table.T.tolist() == [list(map(int, diamond.split("-"))) for diamond in DIAMONDS]


SAME_COLOR = "1-9@0,0,0,0 3-10@1,-1,1,0"
"""Laid at 1,0,2,1, a diamond is orange to orange with 3-10 and blue to blue with 1-9."""
OTHER_COLOR = "1-9@0,0,0,0 3-10@1,0,2,1"
"""Laid at 1,-1,1,0, a diamond is orange to orange with 3-10 and blue to orange with 1-9."""


@pytest.mark.parametrize("strict", [False, True])
def test_a_side_that_touches_by_the_way_scores_without_bonus_and_need_not_fit(strict):
    """First orange 2 on 3 and blue 9 on 1; then orange 3 matches, blue 6 on 1 scores nothing."""
    for diamond, score in (("2-9", 5 + 10), ("3-6", 0), ("7-10", 10)):
        table = Table.at(SAME_COLOR, f"{diamond} 6-8", "1-2", strict_colors=strict)
        assert table.play(f"{diamond}@last:1,0").points == [score, 0]
        assert table.layout[diamond] == (1, 0, 2, 1)


def test_a_side_of_the_other_color_by_the_way_is_free_and_scores_nothing():
    """Blue 6 and orange 9 would add up to 15."""
    table = Table.at(OTHER_COLOR, "3-6 6-8", "1-2").play("3-6@last:0,1")
    assert table.layout["3-6"] == (1, -1, 1, 0)
    assert table.points == [0, 0]


# --- Drawing and passing (booklet: Drawing Diamonds) ----------------------------------------------

LOW = "1-2 2-5 2-7 6-7 5-6"
BLOCKED = "5-10 7-10 2-9 6-9 5-7"
"""None of these fits 1-2, whose orange number is 1."""


def test_a_seat_that_can_play_must():
    """Passing is not legal, even where the only possible play is a bonus play."""
    table = Table.at(f"{FIG_5} 3-4@-2,-1,0,1", "9-10 5-10", "6-8", park=False)
    assert table.tiles == "9-10"
    assert table.play("9-10").legal == ["on:1-9,1,1"]


def test_five_diamonds_and_no_play_pass_without_drawing():
    Table(LOW, BLOCKED, then="1-9 3-10").follow(
        "1-2 -> hand 1 = 2-9 5-7 5-10 6-9 7-10; asks = 0 choose a diamond; passes = 1"
    )


def test_fewer_draw_until_one_can_be_played_and_play_it():
    """Orange 3 and blue 8 are required: 5-6 and 1-10 do not fit, 3-10 does."""
    Table.at("1-2@0,0,0,0", "3-8 6-7", "5-10", pile="5-6 1-10 3-10 4-9").follow(
        "3-8@last:2,0 -> points = 10 0; asks = 1 choose a diamond; tiles = 3-10",
        "-> hand 1 = 1-10 3-10 5-6 5-10; pile = 4-9",
    )


def test_the_fifth_diamond_may_be_played_at_once():
    Table(LOW, BLOCKED, then="1-9 3-10").follow(
        "1-2 -> tiles = 1-9; pile lacks 1-9", "1-9@last:0,0 -> points = 10 0; passes = 0"
    )


def test_the_fifth_diamond_waits_by_the_other_reading():
    """player_0 draws 1-9 and passes; player_1 passes; then player_0 may play it.

    One pass is counted, as player_0's had a draw.
    """
    Table(LOW, BLOCKED, then="1-9 3-10", fifth_draw_plays=False).follow(
        "1-2 -> asks = 0 choose a diamond; tiles = 1-9; passes = 1; pile has 3-10"
    )


def test_only_five_are_drawn():
    """The hand is full after one diamond that does not fit; with that, all have passed."""
    Table(LOW, BLOCKED, then="3-10 1-9", max_hands=1).follow(
        "1-2 -> over = True; hand 0 = 2-5 2-7 3-10 5-6 6-7; pile has 1-9"
    )


def test_pile_runs_out_and_play_goes_on():
    """player_1 draws the last diamond, which does not fit either, and passes."""
    Table.at("1-2@0,0,0,0", "3-8 6-7", "5-10", pile="5-6").follow(
        "3-8@last:2,0 -> pile = ; hand 1 = 5-6 5-10; passes = 1",
        "-> asks = 0 choose a diamond; tiles = 6-7",  # blue 7 and 8
        "6-7 -> legal = last:3,0 last:3,1",  # side 2 is touched
    )


# --- Actions and parameters -----------------------------------------------------------------------


def test_actions_are_numbered_as_on_the_page():
    ways = [f"{side},{turn}" for side in range(4) for turn in range(2)]
    assert list(GAME.rules.action_names(GAME.make_params())) == [
        *(f"tile:{diamond}" for diamond in DIAMONDS),
        *(f"last:{way}" for way in ways),
        *(f"on:{diamond},{way}" for diamond in DIAMONDS for way in ways),
    ]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("turned", 1, "choose False or True"),
        ("fifth_draw_plays", None, "choose False or True"),
        ("orange", "lower", "give 'parity' or a list of 45 numbers"),
        ("orange", [1] * 44, "give 'parity' or a list of 45 numbers"),
        ("orange", np.arange(45), "give 'parity' or a list of 45 numbers"),
        ("orange", [1] * 45, "1 is not possible for the diamond 2-3; it has 2 and 3"),
        ("orange", [[1]] * 45, r"\[1\] is not possible for the diamond 1-2; it has 1 and 2"),
        ("diamonds", [np.array(["1-2", "1-4"])], "there is no diamond array"),
        ("diamonds", DIAMONDS[:9], "9 are too few; 2 hands of 5 need 10 or more"),
        ("hand", 6, "whole number from 1 to 5"),
    ],
)
def test_impossible_parameters_are_refused(name, value, message):
    with pytest.raises(ValueError, match=f"{name}.*{message}"):
        GAME.make_params(**{name: value})


def test_diamonds_in_play_are_kept_in_one_order():
    params = GAME.make_params(diamonds=["2-3", "9-10", "1-4"], hand=1)
    assert params.diamonds == ("1-4", "2-3", "9-10")
    copies = GAME.rules.deck(params)
    assert list(copies) == DIAMONDS
    assert [name for name, count in copies.items() if count] == ["1-4", "2-3", "9-10"]
    assert GAME.make_params(diamonds=DIAMONDS[::-1]) == GAME.make_params()
