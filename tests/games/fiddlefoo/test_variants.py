"""Examples of Fiddlefoo's variants (purple as any color, cooperative piles), and its parameters."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.fiddlefoo.cards import ACTION_CARDS
from tests.games.fiddlefoo.play import Table

from kitchentable import fiddlefoo_v0, make_batch
from kitchentable.games.fiddlefoo import GAME

YELLOW = "Y3@5,5 R5@5,6"
"""``Y16@5,7`` makes a pair of distance 1 with 4 to 15 in its range."""


# --- Wildcard -----------------------------------------------------------------------------------


def wild(*args, **options) -> Table:
    """Return a position of the wildcard variant."""
    return Table.at(*args, wildcard=True, **options)


def test_purple_pairs_with_any_card_but_its_neighbours():
    places = "Y3@5,5 R5@5,6 B9@6,6"
    table = wild(places, "P16 R16", "R8 B8")
    assert table.cells("P16") == {"4,6", "5,4", "5,7", "7,6"}
    assert Table.at(places, "P16 R16", "R8 B8").cells("P16") == set()


def test_purple_may_lie_beside_another_color_but_not_beside_purple():
    table = wild("Y3@5,5 P4@5,6 B9@5,8", "P16 Y16", "R8 B8")
    assert table.cells("P16") == {"5,4", "5,9"}


def test_purple_in_the_range_can_always_be_thrown():
    hand = "P7 P13 Y5 R8 B7"
    assert wild(YELLOW, "Y16 R1", hand).play("Y16@5,7").options("throw") == "Y5 P7 P13"
    assert Table.at(YELLOW, "Y16 R1", hand).play("Y16@5,7").options("throw") == "Y5"
    table = wild(YELLOW, "Y12 R1", "P7 P13 P1 R8").play("Y12@5,7")
    assert table.options("throw") == "P1 P7"  # 13 is outside the range; P1 has one note


@pytest.mark.parametrize(("places", "card"), [
    ("P4@5,5 R5@5,6", "Y10"), ("Y4@5,5 R5@5,6", "P10"), ("P4@5,5 R5@5,6", "P10"),
])  # fmt: skip
def test_with_a_purple_card_in_the_pair_any_card_in_the_range_can_be_thrown(places, card):
    table = wild(places, f"{card} R1", "Y5 R9 B7 B11 P7 B15 R13").play(f"{card}@5,7")
    assert table.options("throw") == "Y5 R9 B7 B15 P7"


def test_equal_ranges_of_other_colors_are_decided_by_distance_and_direction():
    away = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
    for first, low in enumerate(away.values()):
        for second, high in enumerate(away.values()):
            if first == second:
                continue
            near, far = (f"{6 + 2 * row},{6 + 2 * col}" for row, col in (low, high))
            beside = f"{6 + low[0]},{6 + low[1]}"
            table = wild(f"Y7@{near} R13@{far} B16@{beside}", "P10", "B8 B12").play("P10@6,6")
            assert table.options("throw") == ("B8" if first < second else "B12")


# --- Cooperative --------------------------------------------------------------------------------


def together(*args, **options) -> Table:
    """Return a position of the cooperative variant."""
    return Table.at(*args, cooperative=True, **options)


def test_what_could_be_thrown_may_go_on_its_own_colors_pile():
    table = together(YELLOW, "Y16 R1", "Y5 Y15 R15 B3").play("Y16@5,7")
    assert table.options("throw") == table.options("pile") == "Y5 Y15 R15"
    table.play("pile:Y15")
    assert table.stack("Y") == ["Y15"]
    assert table.hand(1) == "Y5 R15 B3"
    assert table.hand(0) == "R1"
    assert table.legal == ["throw:Y5", "pass"]  # 5 is not above 15
    table = together(YELLOW, "Y16 R1", "Y5 Y15 R15 B3").play("Y16@5,7 pile:Y5")
    assert table.legal == ["throw:Y15", "pass", "pile:Y15"]
    table.play(">Y15")
    assert table.asks == "1 choose a card to play"
    assert table.hand(0) == "Y15 R1"


def test_a_number_must_be_higher_than_the_top_of_its_pile():
    hand = "safety_rule_disable R10 R8"
    table = together("R1@5,5 Y5@5,6", "R16 B1", hand, piles="R2 R9").play("R16@5,7")
    assert table.options("throw") == "R8 R10 safety_rule_disable"
    assert table.options("pile") == "R10"
    assert table.play("pile:R10").stack("R") == ["R2", "R9", "R10"]


def test_effects_of_throws_happen_to_cards_put_on_piles_too():
    table = together("B1@5,5 Y1@5,6", "B16 R1", "draw Y3", pile="P4 P1").play("B16@5,7 pile:draw")
    assert table.hand(1) == "Y3 P4"
    assert table.stack("B") == ["draw"]
    hands = ("Y3 R16", "notes_match_penalty R1")
    table = together("Y1@5,4 R5@5,6", *hands, pile="P4 P1 P7")
    table.play("Y3@5,7 pile:notes_match_penalty")
    assert table.hand(1) == "R1 P1 P4"
    table = together("P1@5,5 R5@5,6", "P16 B8", "cant_throw P7 R3").play("P16@5,7")
    assert table.options("pile") == "P7"
    table = together("Y3@5,2 R5@5,6", "Y16 R1", "wildcard_throw Y5", pile="B1").play("Y16@5,7")
    assert table.legal == ["throw:wildcard_throw", "pass", "pile:wildcard_throw"]


def test_a_seat_without_cards_is_out_and_skipped():
    table = together(YELLOW, "Y16", "R3 P7", "R4 P10").play("Y16@5,7")
    assert not table.over
    table.play("R3@5,4")
    assert table.asks == "2 throw"
    table.play("pass R4@5,8")
    assert table.over  # player_1 and player_2 still have cards but cannot play
    assert table.hand(1) == "P7"


FULL = "Y5 Y6 Y8 R6 R7 R9 B5 B6 B8 P1 P7 P10 P13 P16"
"""Ten notes on each pile."""


@pytest.mark.parametrize(("piles", "exact"), [
    (FULL, 4), (FULL.replace(" P16", ""), 3), (f"{FULL} R15", 3), ("", 0), ("Y5 Y6 Y8 B1 B16", 1),
])  # fmt: skip
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_all_win_together_if_every_pile_holds_ten_notes(piles, exact, reward):
    table = together(YELLOW, "Y16", "R4 R12", piles=piles, reward=reward).play("Y16@5,7")
    assert table.over
    assert table.env.scores.tolist() == [exact] * 2
    assert table.env.ranks.tolist() == [1 if exact == 4 else 2] * 2
    wanted = exact / 4 if reward == "margin" else float(exact == 4)
    assert list(table.env.rewards.values()) == [wanted] * 2
    infos = table.env.infos.values()
    assert [info["is_winner"] for info in infos] == [exact == 4] * 2
    assert [info["hand_scores"] for info in infos] == [[exact]] * 2


@pytest.mark.parametrize(("first", "second"), [(FULL, FULL), (FULL, "Y8"), ("R9", FULL)])
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_several_games_are_won_together_if_each_was_won(first, second, reward):
    table = together(YELLOW, "Y16", "R4 R12", piles=first, games=2, reward=reward).play("Y16@5,7")
    assert not table.over
    paid = list(table.env.rewards.values())
    assert paid == [(first == FULL) * (reward == "margin")] * 2
    table.place(YELLOW, "R4 R12", "Y16", seat=1, piles=second).play("Y16@5,7")
    assert table.over
    exact = [4 * (piles == FULL) for piles in (first, second)]
    assert table.env.scores.tolist() == [sum(exact)] * 2
    won = first == second == FULL
    assert table.env.ranks.tolist() == [1 if won else 2] * 2
    last = exact[1] / 4 if reward == "margin" else float(won)
    assert list(table.env.rewards.values()) == [last] * 2
    assert table.env.infos["player_1"]["hand_scores"] == exact


# --- Parameters ---------------------------------------------------------------------------------


def test_defaults():
    params = fiddlefoo_v0.raw_env().params
    assert params.plain() == {
        "num_players": 2, "reward": "win", "games": 1, "map_size": 12, "wildcard": False,
        "cooperative": False, "talkytoot": [],
    }  # fmt: skip
    assert fiddlefoo_v0.raw_env(cooperative=True).params.num_players == 4
    assert fiddlefoo_v0.raw_env(cooperative=True, num_players=2).params.num_players == 2


def test_wildcard_with_cooperative_is_refused_with_the_reason():
    with pytest.raises(ValueError, match=r"wildcard.*cooperative.*pile.*purple"):
        make_batch("fiddlefoo", 1, wildcard=True, cooperative=True)


@pytest.mark.parametrize(("name", "values"), [
    ("num_players", [1, 7, "2", 2.0, True]),
    ("games", [0, 101, -1, None, 1.5]),
    ("map_size", [6, 9, 18, "12", None]),
    ("wildcard", [1, "yes", None]),
    ("cooperative", [0, "no", None]),
    ("reward", ["score", None]),
    ("talkytoot", ["draw", None, 3, ("fly",), ("draw", "draw"), ["all"], [["draw"]],
                   np.array(["draw", "move"])]),
])  # fmt: skip
def test_impossible_values_are_refused_by_name(name, values):
    for value in values:
        with pytest.raises(ValueError, match=name):
            GAME.make_params(**{name: value})


def test_action_cards_are_kept_in_the_order_of_the_rules_page():
    assert GAME.make_params(talkytoot=["swap_map", "draw"]).talkytoot == ("draw", "swap_map")
    assert GAME.make_params(talkytoot="all").talkytoot == tuple(ACTION_CARDS)
    assert GAME.make_params(talkytoot=()).talkytoot == ()
    batch = make_batch("fiddlefoo", 1, talkytoot=("swap_map", "draw"))
    assert batch.action_names[54:56] == ("card:draw", "card:swap_map")
