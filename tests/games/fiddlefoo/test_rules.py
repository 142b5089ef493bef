"""Examples of Fiddlefoo's rules: the deal, pairs, throws, both variants, the end, parameters."""

from itertools import permutations

import numpy as np
import pytest
from tests.conftest import play_batch
from tests.games.fiddlefoo.cards import ACTION_CARDS, BASE, full_deck, notes, ways_to_fill
from tests.games.fiddlefoo.play import Table

from kitchentable import Batch
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.rules import team_potential

WILD = {"wildcard": True}

# --- The material and the deal ------------------------------------------------------------------


def test_the_deck_has_the_cards_of_the_rules_page():
    deck = GAME.rules.deck(GAME.make_params())
    assert list(deck) == BASE
    assert set(deck.values()) == {1}
    totals = [sum(notes(card) for card in deck if card[0] == color) for color in "YRBP"]
    assert totals == [38, 38, 38, 12]
    every = GAME.rules.deck(GAME.make_params(talkytoot="all"))
    assert list(every) == [*BASE, *ACTION_CARDS]


@pytest.mark.parametrize("talkytoot", [[], ["draw"], ["move"], ["remove_cards"], ["swap_map"]])
def test_actions_have_the_names_of_the_rules_page_in_order(talkytoot):
    """Cards of the map are named where an effect chooses them."""
    cells = [f"cell:{row},{column}" for row in range(6) for column in range(6)]
    card, throw, pile, place = (
        [f"{what}:{name}" for name in full_deck(talkytoot)]
        for what in ("card", "throw", "pile", "map")
    )
    place = [] if talkytoot in ([], ["draw"]) else place
    options = {"map_size": 6, "hand": 1, "talkytoot": talkytoot}
    base = [*card, *cells, *throw, "pass"]
    for cooperative, piles in ((False, []), (True, pile)):
        params = GAME.make_params(cooperative=cooperative, **options)
        assert list(GAME.rules.action_names(params)) == [*base, *piles, *place]


def test_the_first_card_of_each_color_makes_the_block_and_the_others_keep_their_order():
    """Action cards are no part of the block."""
    table = Table("Y1 R1 B1 P1", "", "", talkytoot="all")
    deck = "discard Y3 Y5 R5 Y7 B9 R1 Y9 P10 B1 P1 B2"
    table.batch.reset(top=GAME.read_deck(table.batch.params, deck.split()))
    table.follow("-> map = Y3@5,5 R5@5,6 P10@6,5 B9@6,6; asks = 0 choose a card to play")
    for seat, first in enumerate((["discard", "Y7", "Y9", "P1"], ["Y5", "R1", "B1", "B2"])):
        assert set(first) <= set(table.hand(seat).split())
        assert len(table.hand(seat).split()) == 8


def test_a_shortened_deck_deals_its_cards_and_lays_out_its_colors():
    copies = dict.fromkeys(("Y1", "Y5", "Y9", "R2", "R6", "R10", "B3"), 1)
    options = {"hand": 1, "map_size": 4, "copies": copies | {"P1": 0}}
    table = Table("R6 Y1 B3", "Y9", "R2", then="R10 Y5", **options)
    table.follow("-> map = R6@1,1 Y1@1,2 B3@2,2; hand 0 = Y9; hand 1 = R2; pile = R10 Y5")
    assert table.batch.params.plain()["copies"] == copies
    with pytest.raises(ValueError, match=r"block of 3 and 2 hands of 3 need 9, and .* has 7"):
        GAME.make_params(hand=3, copies=copies)


# --- Where a card may go ------------------------------------------------------------------------

EXAMPLE = "Y3@5,2 Y9@5,8 R16@5,5"
"""The map of the rules page's examples."""
BESIDE = "Y3@5,5 R5@5,6 B7@6,6"
CELLS = [
    ("the page's example", EXAMPLE, "Y12", "5,4 5,6", {}),
    ("the page's example", EXAMPLE, "Y4", "5,4 5,6", {}),
    ("beside the map, in line with its color", BESIDE, "R1", "5,4 7,6", {}),
    ("not beside its own color", "Y3@5,5 R5@5,6 Y9@4,7 B1@4,5", "Y12", "3,5 4,4", {}),
    ("the map ends at the window", "Y3@1,6 R5@1,7", "Y12", "", {"map_size": 8}),
    ("no row goes on in the next", "R5@2,15 Y3@3,15", "Y12", "1,15", {"map_size": 16}),
    ("no row goes on in the last", "Y3@3,0 R5@4,0", "Y12", "5,0", {"map_size": 16}),
    ("over cards and gaps", "Y3@5,2 R5@5,3 B7@5,4 P1@9,2", "Y12", "5,5 8,2 10,2", {}),
    ("purple pairs with all", BESIDE, "P16", "4,6 5,4 5,7 7,6", WILD),
    ("purple pairs with purple alone", BESIDE, "P16", "", {}),
    ("all pair with purple", "P4@5,5 R5@5,6", "Y16", "5,7", WILD),
    ("not beside purple", "Y3@5,5 P4@5,6 B9@5,8", "P16", "5,4 5,9", WILD),
]


@pytest.mark.parametrize(("rule", "places", "card", "cells", "options"), CELLS)
def test_where_a_card_may_go(rule, places, card, cells, options):
    table = Table.at(places, f"{card} R14", "R8 B8", **options)
    assert table.cells(card) == set(cells.split()), rule


# --- What may be thrown at a pair -----------------------------------------------------------------

PAIR = "Y3@5,5 R5@5,6"
"""``Y16@5,7`` makes a pair of distance 1 with 4 to 15 in its range."""
AWAY = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Up, right, down, left."""
ALL = "R1 R3 R6 R8 P1 P4 P7"
THROWS = [
    ("the page's first example", EXAMPLE, "Y12@5,6", "Y5 Y11 Y2 R10 B7 P13 R1 R8", "Y5 Y11 R10 B7"),
    ("the page's second example", EXAMPLE, "Y4@5,6", "Y5 Y8 Y10 R10 P13 R1 B15", "Y5 Y8 R1 B15"),
    ("the range is strictly between", PAIR, "Y7@5,7", "Y4 Y6 Y8 Y9", "Y4 Y6"),
    ("distance 1", "Y8@5,2 R5@5,3", "Y7@5,4", ALL, "R1 P1"),
    ("distance 3", "Y8@5,2 R5@5,5", "Y7@5,6", ALL, "R6 P7"),
    ("the largest range", "Y7@6,8 Y1@3,6 R1@5,6", "Y10@6,6", "Y5 Y9 Y12 P1 P4", "Y5 Y9 P4"),
    ("then the smaller distance", "Y4@6,8 Y12@3,6 R1@5,6", "Y8@6,6", "Y6 Y10", "Y6"),
]
THROWS_WILD = [
    ("purple in the range", PAIR, "Y16@5,7", "P7 P13 Y5 R8 B7", "Y5 P7 P13"),
    ("not outside it", PAIR, "Y12@5,7", "P7 P13 P1 R8", "P1 P7"),
    ("purple in the pair", "P4@5,5 R5@5,6", "Y10@5,7", "Y5 R9 B7 B11 P7 B15", "Y5 R9 B7 B15 P7"),
    ("purple in the pair", "Y4@5,5 R5@5,6", "P10@5,7", "Y5 R9 B7 B11 P7 R13", "Y5 R9 B7 P7"),
    ("of other colors", "Y7@6,4 R13@6,8 B16@6,5", "P10@6,6", "B8 B12", "B12"),
]


@pytest.mark.parametrize(
    ("rule", "places", "play", "hand", "fits", "options"),
    [*((*row, {}) for row in THROWS), *((*row, WILD) for row in THROWS_WILD)],
)
def test_what_may_be_thrown(rule, places, play, hand, fits, options):
    table = Table.at(places, play.partition("@")[0], hand, **options).play(play)
    assert table.options("throw") == fits, rule


def test_among_equal_distances_the_direction_counts():
    for (one, first), (two, second) in permutations(enumerate(AWAY), 2):
        (row, column), (other_row, other_column) = first, second
        places = f"Y4@{6 + 2 * row},{6 + 2 * column} Y12@{6 + 2 * other_row},{6 + 2 * other_column}"
        table = Table.at(f"{places} R1@{6 + row},{6 + column}", "Y8", "Y6 Y10").play("Y8@6,6")
        assert table.options("throw") == ("Y6" if one < two else "Y10")


MANY = (PAIR, "Y16 B1", "Y4 Y5 Y15 R15 B2 P4")
"""After ``Y16@5,7`` seat 1 has two cards in the range, one that fits both ways and two by notes."""


def together(*args, **options) -> Table:
    """Return a position of the cooperative variant."""
    return Table.at(*args, cooperative=True, **options)


EXAMPLES = {
    "a distance over three is a Safe Song": lambda: Table.at(
        "Y3@5,2 R5@5,6", "Y12 R1", "Y5 R8 R4", pile="B1 B2"
    ).follow("Y12@5,7 -> asks = 1 choose a card to play; hand 0 = R1 B1; known 0 =; pile = B2"),
    # Y15 fits both ways.
    "after a range card only range cards follow": lambda: Table.at(*MANY).follow(
        "Y16@5,7 -> legal = throw:Y4 throw:Y5 throw:Y15 throw:R15 throw:B2 pass",
        ">Y15 -> legal = throw:Y4 throw:Y5 pass",
        "pass -> hand 0 = Y15 B1; asks = 1 choose a card to play",
    ),
    "a notes card ends the throws of its seat": lambda: Table.at(*MANY).follow(
        "Y16@5,7 >R15 -> asks = 0 choose a card to play"  # as seat 1 has nothing to play
    ),
    # The end
    "the last card played ends the game": lambda: Table.at(PAIR, "Y16", "R3 P7").follow(
        "Y16@5,7 -> over = True; totals = 0 5; ranks = 1 2; paid = 1 -1"
    ),
    "the others throw in turn, and what is thrown is known before the next decides": lambda: (
        Table.at(PAIR, "Y7 Y8", "Y16 R1", "Y5 R3", "P4 R4", seat=1).follow(
            "Y16@5,7 -> asks = 2 throw",
            ">Y5 -> known 1 = Y5; asks = 0 throw",  # seat 3 has nothing to throw
            ">Y8 pass -> hand 1 = Y5 Y8 R1; asks = 2 choose a card to play",
        )
    ),
    "a card thrown at an empty hand lets the game go on": lambda: Table.at(
        PAIR, "Y16", "Y5 R3"
    ).follow("Y16@5,7 >Y5 -> over = False; hand 0 = Y5; asks = 1 choose a card to play"),
    "the others throw first at whoever throws the last card away": lambda: Table.at(
        PAIR, "Y16 B1 R1", "Y5", "Y6 Y7"
    ).follow(
        "Y16@5,7 >Y5 -> over = False; asks = 2 throw",
        ">Y6 pass -> over = True; totals = 8 0 3; ranks = 3 1 2; paid = -0.5 1 -0.5",
    ),
    # The card drawn is not played in that turn.
    "a seat that cannot play draws one without a decision": lambda: Table.at(
        PAIR, "Y16 R1", "P4 P13", pile="R16 B2"
    ).follow(
        "Y16@5,7 -> asks = 0 choose a card to play; hand 1 = R16 P4 P13; known 1 =; pile = B2"
    ),
    "the game ends where nobody can play and the pile is empty": lambda: Table.at(
        PAIR, "Y16 P1", "P4 P13", pile="P7"
    ).follow("Y16@5,7 -> over = True; hand 1 = P4 P7 P13; totals = 1 7; ranks = 1 2"),
    "every seat must be stuck": lambda: Table.at(PAIR, "Y16 P7", "P4 P13", "R1 P10").follow(
        "Y16@5,7 pass -> asks = 2 choose a card to play",
        "R1@5,4 -> over = True; totals = 3 4 3; ranks = 1 3 1",
    ),
    # Cooperative
    "what could be thrown may go on its own color's pile": lambda: together(
        PAIR, "Y16 R1", "Y5 Y15 R15 B3"
    ).follow(
        "Y16@5,7 -> options throw = Y5 Y15 R15; options pile = Y5 Y15 R15",
        "pile:Y15 -> stack Y = Y15; hand 0 = R1; hand 1 = Y5 R15 B3; legal = throw:Y5 pass",
    ),
    "a number must be higher than the top of its pile": lambda: together(
        "R1@5,5 Y5@5,6", "R16 B1", "safety_rule_disable R10 R8", piles="R2 R9"
    ).follow(
        "R16@5,7 -> options throw = R8 R10 safety_rule_disable; options pile = R10",
        "pile:R10 -> stack R = R2 R9 R10",
    ),
    "effects of throws happen to cards put on piles too": lambda: together(
        "B1@5,5 Y1@5,6", "B16 R1", "draw Y3", pile="P4 P1"
    ).follow("B16@5,7 pile:draw -> hand 1 = Y3 P4; stack B = draw"),
    # In the end player_1 and player_2 still have cards but cannot play.
    "a seat without cards is out and skipped": lambda: together(
        PAIR, "Y16", "R3 P7", "R4 P10"
    ).follow(
        "Y16@5,7 -> over = False", "R3@5,4 -> asks = 2 throw",
        "pass R4@5,8 -> over = True; hand 1 = P7",
    ),
    "it ends when at most one seat has cards": lambda: together(
        PAIR, "Y16", "R3", "R4 P10"
    ).follow("Y16@5,7 R3@5,4 -> over = False", "pass -> over = True"),
}  # fmt: skip


@pytest.mark.parametrize("rule", EXAMPLES)
def test_examples(rule):
    EXAMPLES[rule]()


# --- A team's result ----------------------------------------------------------------------------


FULL = "Y5 Y6 Y8 R6 R7 R9 B5 B6 B8 P1 P7 P10 P13 P16"
"""Ten notes on each pile."""


@pytest.mark.parametrize("reward", ["win", "margin"])
@pytest.mark.parametrize(
    ("piles", "exact"), [(FULL, 4), (FULL.replace(" P16", ""), 3), (f"{FULL} R15", 3), ("", 0)]
)
def test_all_win_together_if_every_pile_holds_ten_notes(piles, exact, reward):
    rank, paid = 1 if exact == 4 else 2, exact / 4 if reward == "margin" else exact // 4
    together(PAIR, "Y16", "R4 R12", piles=piles, reward=reward).follow(
        f"Y16@5,7 -> over = True; totals = {exact} {exact}; ranks = {rank} {rank}",
        f"-> paid = {paid:g} {paid:g}",
    )


@pytest.mark.parametrize(("first", "second"), [(FULL, FULL), (FULL, "Y8"), ("R9", FULL)])
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_several_games_are_won_together_if_each_was_won(first, second, reward):
    exact, won = [4 * (piles == FULL) for piles in (first, second)], first == second == FULL
    paid = [exact[0] // 4, exact[1] // 4] if reward == "margin" else [0, int(won)]
    table = together(PAIR, "Y16", "R4 R12", piles=first, games=2, reward=reward)
    table.follow(f"Y16@5,7 -> over = False; paid = {paid[0]} {paid[0]}")
    table.place(PAIR, "R4 R12", "Y16", seat=1, piles=second).follow(
        f"Y16@5,7 -> over = True; totals = {sum(exact)} {sum(exact)}",
        f"-> ranks = {2 - won} {2 - won}; paid = {paid[1]} {paid[1]}",
    )


def worth_of_pile(state, color: int) -> float:
    """Return the value of a pile, 0 to 1."""
    table, have = state.on_map | state.on_piles | state.removed, int(state.pile_notes[color])
    left = [one for one in range(c.NUM_CARDS) if c.has(state.in_play & ~table, one)]
    pile = [c.CARD_NAMES[one] for one in left if c.COLOR[one] == color]
    can_be_full = ways_to_fill(pile, int(state.pile_tops[color]), 10 - have) > 0
    return can_be_full * (0.5 + have / 20)


@pytest.mark.parametrize("talkytoot", [[], "all"], ids=str)
def test_the_potential_of_a_team_is_that_of_the_piles_that_can_still_be_full(talkytoot):
    batch, seen = Batch(GAME, 1, seed=1, cooperative=True, talkytoot=talkytoot), set()
    for _ in play_batch(batch, 250):
        worth = [worth_of_pile(batch.states[0], one) for one in range(c.NUM_COLORS)]
        assert team_potential(batch.states) == pytest.approx(sum(worth) / 4)
        seen |= {int(2 * one) for one in worth}
    assert seen >= {0, 1}


# --- Parameters ---------------------------------------------------------------------------------


def test_a_team_has_four_seats_if_none_are_given_and_no_wildcard():
    assert GAME.make_params().num_players == 2
    assert GAME.make_params(cooperative=True).num_players == 4
    with pytest.raises(ValueError, match=r"wildcard.*cooperative.*pile.*purple"):
        GAME.make_params(wildcard=True, cooperative=True)


@pytest.mark.parametrize(("name", "values"), [
    ("map_size", [2, 9, 18, "12", None]),
    ("copies", [{}, {"Y1": 2}, {"draw": 1}, {"Y17": 1}, 54]),
    ("wildcard", [1, "yes", None]),
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
