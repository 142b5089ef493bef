"""Each rule of Diddly in a position set up by hand.

``(7)`` is a face-down card, ``[7]`` a face-down card that its owner has looked at.
"""

import pytest
from tests.games.diddly.play import OTHER, Table, playing

ALL_SLOTS = "slot:0 slot:1 slot:2 slot:3 slot:4 slot:5"
HIDDEN_SLOTS = "slot:2 slot:3 slot:4 slot:5"


def recycling(mine: str = "R 2 3 4 5 6", then: str = "9 10") -> Table:
    return playing(mine=mine, then=then)


EXAMPLES = {
    # Set-up
    "set-up abilities come in the order flipped": lambda: (
        Table("P S 3 4 5 6", OTHER).follow(
            "1 0 -> asks = 0 swap first", "pass -> asks = 0 peek", "5 -> asks = 1 flip"
        ),
        Table("P S 3 4 5 6", OTHER).follow(
            "0 1 -> asks = 0 peek", "2 -> asks = 0 swap first",
            "1 2 -> asks = 1 flip; board 0 = P [3] S (4) (5) (6)",
        ),
    ),
    "a seat uses its abilities before the next seat flips": lambda: Table(
        "1 2 3 4 5 6", "P 2 3 4 5 6", "7 8 9 10 D S"
    ).follow("0 1 0 1 -> asks = 1 peek", "5 -> asks = 2 flip; board 1 = P 2 (3) (4) (5) [6]"),
    # A turn
    "a turn draws, places face up and discards": lambda: playing(then="9 10").follow(
        f"draw -> asks = 0 place; legal = {ALL_SLOTS}; pile = 9",
        "3 -> board 0 = 1 2 (3) 10 (5) (6); pile = 9 4; asks = 1 source",
    ),
    "a Peek looks at a face-down card before it is placed": lambda: [
        playing(then="P P").follow(
            f"{source} -> asks = 0 peek; legal = {HIDDEN_SLOTS}",
            "3 -> board 0 = 1 2 (3) [4] (5) (6); asks = 0 place",
            "3 -> board 0 = 1 2 (3) P (5) (6)",
        )
        for source in ("draw", "take")
    ],
    "a Swap moves cards with facing and knowledge": lambda: playing(then="P 10 S").follow(
        "take 2 0 draw 0 draw -> board 0 = P 2 [3] (4) (5) (6); asks = 0 swap first",
        f"-> legal = pass {ALL_SLOTS}",
        "2 -> asks = 0 swap second; legal = slot:0 slot:1 slot:3 slot:4 slot:5",
        "0 -> board 0 = [3] 2 P (4) (5) (6); asks = 0 place",
        "5 -> board 0 = [3] 2 P (4) (5) S",
    ),
    "a Swap may be declined only before the first slot": lambda: (
        playing(then="S 9").follow(
            "take pass -> asks = 0 place", "2 -> board 0 = 1 2 S (4) (5) (6)"
        ),
        playing(then="S 9").follow("take 4 -> legal lacks pass"),
    ),
    "the replaced card does nothing": lambda: Table("1 2 P S 5 6", OTHER, then="9 9 9 9").follow(
        "0 1 0 1 draw 2 -> asks = 1 source; pile = 9 P",
        "draw 0 draw 3 -> asks = 1 source; pile = 9 P 6 S",
    ),
    # Recycle
    "a Recycle needs to lie face up": lambda: (
        recycling().follow("-> legal = draw take recycle:9"),
        recycling("1 2 3 4 5 R").follow("-> legal = draw take"),
    ),
    "recycling replaces a face-up Recycle only": lambda: Table(
        "R 2 R 4 5 R", OTHER, then="9 9"
    ).follow(
        "0 2 0 1 recycle:9 -> asks = 0 place; legal = slot:0 slot:2",
        "2 -> board 0 = R (2) 9 (4) (5) (R); pile = R; asks = 1 source",
    ),
    "recycling gets any kind of the pile and its topmost copy": lambda: recycling(
        then="9 10 9 D 7"
    ).follow(
        "draw 1 draw 0 draw 1 draw 0 -> pile = 9 2 6 10 9",
        "-> legal = draw take recycle:2 recycle:6 recycle:9 recycle:10",
        "recycle:9 -> pile = 9 2 6 10",
        "0 -> pile = 9 2 6 10 R; board 0 = 9 D (3) (4) (5) (6)",
    ),
    "a recycled Swap is used before the Recycle is replaced": lambda: recycling(then="S 10").follow(
        "recycle:S -> asks = 0 swap first",
        "0 5 -> board 0 = (6) 2 (3) (4) (5) R; legal = slot:5",
        "5 -> board 0 = (6) 2 (3) (4) (5) S",
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", EXAMPLES)
def test_examples(rule):
    EXAMPLES[rule]()


def test_a_peek_is_skipped_when_nothing_lies_face_down():
    table = playing(then="P 9")
    table.state.face_up[0, :6] = 1
    table.follow("take -> asks = 0 place")


@pytest.mark.parametrize(("cards", "flips"), [(2, 1), (6, 2), (8, 2), (9, 3)])
def test_each_seat_flips_in_turn_then_the_first_discard_is_turned_over(cards, flips):
    board = ["1", "2", "3", "4", "5", "6", "7", "8", "9"][:cards]
    table = Table(*[" ".join(board)] * 3, then="10 D", cards=cards)
    for seat in range(3):
        for slot in range(flips):
            slots = " ".join(f"slot:{i}" for i in range(slot, cards))
            table.follow(f"-> asks = {seat} flip; pile =; legal = {slots}", f"{slot}")
    assert table.follow("-> asks = 0 source; pile = 10", "draw").state.held == 10
