"""How hands and games of Quiddler end: last turns, scoring, bonuses and rewards."""

from __future__ import annotations

import pytest
from tests.games.quiddler.play import Table, few

SOME = few("cat", "at", "act", "on", "one", "quiz", "to", "no", "thin", "than", "xy", "jinx", "ox")


def out(*hands: str, then: str = "z z q", discard: str = "z", **params) -> Table:
    """Return a table where player_0 has just gone out with ``cat``, or ``cat`` and ``on``."""
    table = Table(*hands, then=then, **{"lexicon": SOME} | params).play("draw c-a-t.")
    return table.play("o-n." if len(hands[0].split()) > 4 else "").play(f"-{discard}")


# --- Last turns -----------------------------------------------------------------------------------


def test_all_others_have_one_last_turn_in_order():
    table = Table("k l m", "c a t", "o n e", "x y z", then="u s r n b", lexicon=SOME)
    table.play("draw -s draw c-a-t. -r")
    assert table.state.last_turns == 3
    for left, seat in ((3, 2), (2, 3), (1, 0)):
        assert table.asks == f"{seat} draw or take"
        assert table.state.last_turns == left
        table.play("draw")
        table.play(next(name for name in table.legal if name.startswith("discard")))
    assert table.state.terminated
    assert table.state.turns[:4].tolist() == [2, 1, 1, 1]


def test_a_last_turn_lays_what_it_likes():
    out("c a t", "a t o", then="z z n").follow(
        "draw -> options discard = a n o t; options spell = a n o t",
        "+a -> legal = spell:t",
        "+t -> legal = word",
        # `on` would leave nothing to discard.
        "word -> options spell = ; options discard = n o",
        f"-n -> scores = {13 + 10} {5 - 2}",
    )


def test_by_itself_a_last_turn_lays_the_most_points_for_its_discard():
    words = few("cat", "xy", "oxy", "to", "on", "no")
    table = Table("c a t o", "x y o t", then="z n n", meld="auto", lexicon=words)
    table.play("draw")
    assert table.legal == ["discard:a", "discard:c", "discard:n", "discard:o", "discard:t"]
    table = Table("c a t", "x y o", then="z k n", meld="auto", lexicon=words).play("draw")
    assert table.options("longest") == table.options("most") == "k"
    table.play("longest:k draw")
    assert not table.options("discard")
    assert table.options("most") == table.options("longest") == "n o x y"
    table.play("longest:x")  # without it, only `o n` or `n o` can be laid
    assert table.scores == [13 + 10, 7 - 4]
    assert table.state.last_num_words[:2].tolist() == [1, 1]


@pytest.mark.parametrize(("objective", "words"), [("longest", 1), ("most", 2)])
def test_by_itself_equal_points_go_by_the_objective(objective, words):
    lexicon = few("cation", "cat", "ion")
    table = Table("c a t i o n", "z z q q x x", then="k k", meld="auto", lexicon=lexicon)
    table.play(f"draw {objective}:k")
    assert table.state.num_words[0] == words


# --- Scoring ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "turn", "points"),
    [
        ("z k j", "draw", 0),  # 7 - 13: a hand scores at least zero
        ("z k j", "take", 0),  # 7 - 8
        ("e k e", "draw", 5),
    ],
)
def test_unused_cards_count_against_but_for_the_discard(then, turn, points):
    table = out("c a t", "o n z", then=then, discard="k", two_player_bonus="none")
    assert table.play(f"{turn} o-n. -z").scores == [13, points]


def test_bonuses_are_outside_the_floor():
    table = Table("a t o n", "th i n x", then="j e q", lexicon=few("at", "on", "thi"))
    table.play("draw a-t. o-n. -e take th-i. -e")
    assert table.scores == [12, 0 + 10]  # 11 - 5 - 12 is below zero


@pytest.mark.parametrize(
    ("bonus", "scores"), [("longest", [12, 18]), ("most", [22, 8]), ("none", [12, 8])]
)
def test_two_players_have_one_bonus(bonus, scores):
    table = Table("a t o n", "c a t d", then="z k j", lexicon=SOME, two_player_bonus=bonus)
    assert table.play("draw a-t. o-n. -k draw c-a-t. -j").scores == scores


def test_both_bonuses_can_go_to_one_seat():
    table = Table("c a t o n", "x x k k d", "o n z z d", then="y j d l", lexicon=SOME)
    table.play("draw c-a-t. o-n. -j draw -x draw o-n. -z")
    assert table.scores == [40, 0, 0]


def test_in_a_tie_nobody_has_the_bonus():
    table = Table("c a t", "o n e", "k k d", then="z j d d", lexicon=SOME)
    table.play("draw c-a-t. -j draw o-n-e. -d draw -k")
    assert table.scores == [13, 9, 0]
    assert [table.state.last_longest, table.state.last_most] == [-1, -1]


def test_without_words_nobody_has_a_bonus():
    table = Table("c a t", "o n e", then="k s u b f d d", max_turns=1, num_players=2)
    for _ in range(4):
        table.play("draw").play(next(n for n in table.legal if n.startswith("discard")))
    assert table.scores == [0, 0]
    assert [table.state.last_longest, table.state.last_most] == [-1, -1]
    assert table.batch.rewards.tolist() == [[0, 0]]
