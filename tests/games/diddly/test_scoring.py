"""Scoring of Diddly: the rule sheets' tables and examples, and random boards."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.diddly.play import numbers
from tests.games.diddly.reference import COPIES, KINDS, score, worth

from kitchentable.games.diddly import GAME
from kitchentable.games.diddly.scoring import board_score
from kitchentable.games.diddly.state import Params

POINTS = dict(zip(KINDS, [*range(1, 11), 0, 0, 0, 10, 10], strict=True))
HALVED = {"P": 5, "R": 5, "10": 5, "9": 5, "8": 4, "7": 4, "6": 3, "5": 3, "4": 2, "3": 2}
HALVED |= {"2": 1, "1": 1, "D": 0, "S": 0, "H": 0}


def engine_score(board: str) -> int:
    kinds = board.replace("/", " ").split()
    return int(board_score(numbers(kinds)))


EXAMPLES = [
    ("4 7 2 / 1 7 D", 7),  # the sheet's first picture: 4+1, Diddly, 2+0
    ("H 9 P / 9 9 R", 25),
    ("P R H / P R H", 0),
    ("H 10 3 / R 10 S", 8),
    ("5 5 5 / 5 2 9 / 5 9 H", 11),
    ("7 1 2 / 3 7 4 / 5 6 7", 21),
    ("1 2 3 / 4 H 6 / 7 8 9", 22),
    # More than the sheet has.
    ("1 H 1 D / H 10 1 D", 1 + 5 + 0 + 0),
    ("H / 9", 5),
    # Six cards: equal cards in a row or diagonal do not match.
    ("7 7 7 / 1 2 3", 27),
    # Nine cards: two equal cards in a line do not match, three do, in every direction.
    ("7 7 1 / 1 2 3 / 4 5 6", 36),
    ("1 1 1 / 2 2 2 / 3 3 3", 0),
    ("1 9 7 / 9 7 9 / 7 9 1", 1 + 1 + 36),
    # A Half in a corner affects its row, column and diagonal; a card is halved only once.
    ("H 9 H / 10 9 10 / 8 7 6", 5 + 5 + 5 + 5 + 4 + 7 + 3),
    # A Half on an edge affects no diagonal.
    ("10 H 9 / 8 7 6 / 5 4 3", 5 + 5 + 8 + 4 + 6 + 5 + 2 + 3),
    # Three Halves match, and still halve the cards of the lines that cross theirs.
    ("H H H / 9 8 7 / 9 8 6", 5 + 5 + 4 + 4 + 4 + 3),
    # A halved card still matches its own kind.
    ("9 9 H / 9 10 9 / 1 2 9", 5 + 5 + 9 + 5 + 5 + 1 + 2 + 5),
]


@pytest.mark.parametrize(("board", "points"), EXAMPLES)
def test_examples(board, points):
    assert engine_score(board) == points
    assert score(board.replace("/", " ").split()) == points


@pytest.mark.parametrize("kind", KINDS)
def test_points_of_a_lone_card(kind):
    """By the sheet: beside a Diddly a card scores its points, beside a Half half of them."""
    assert worth(kind) == POINTS[kind]
    assert engine_score(f"{kind} D S / D S D") == POINTS[kind]
    assert engine_score(f"{kind} D S / H S D") == HALVED[kind]
    assert engine_score(f"{kind} D S / D H D / D S D") == HALVED[kind]


def boards(cards: int) -> st.SearchStrategy[list[str]]:
    """Draw boards of few kinds, so that lines match, and of many."""
    few = st.lists(st.sampled_from(KINDS), min_size=2, max_size=4).flatmap(
        lambda kinds: st.lists(st.sampled_from([*kinds, "H"]), min_size=cards, max_size=cards)
    )
    return few | st.lists(st.sampled_from(KINDS), min_size=cards, max_size=cards)


@pytest.mark.parametrize("cards", [2, 6, 8, 9])
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_random_boards_score_as_in_the_reference(cards, data):
    board = data.draw(boards(cards))
    assert engine_score(" ".join(board)) == score(board)


def test_the_deck_has_the_cards_of_the_sheet():
    assert sum(COPIES.values()) == 104
    assert dict(GAME.rules.deck(Params())) == COPIES
    assert list(GAME.rules.deck(Params())) == KINDS
