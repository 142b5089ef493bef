"""Examples of challenges in Quiddler: who may challenge which words when, and what it costs."""

from __future__ import annotations

from tests.games.quiddler.play import Table, few

LEXICON = few("cat", "on", "at", "one", "to")


def bluff(*words: str, others: str = "", then: str = "l d d d", seats: int = 3) -> Table:
    """Return a table where player_0 has just laid all its words and discarded ``k``.

    Args:
        words: the words' cards, separated by dashes.
        others: the cards of player_1, by default all ``e``; player_2 has all ``i``.
        then: the cards to be drawn afterwards.
        seats: number of seats, two or three.
    """
    cards = "-".join(words).split("-")
    hands = [others or " ".join("e" * len(cards)), " ".join("i" * len(cards))][: seats - 1]
    table = Table(
        " ".join(cards), *hands, then=f"j k {then}", challenges=True, lexicon=LEXICON
    ).play("draw")
    return table.play(" ".join(f"{word}." for word in words)).play("-k")


def finish(table: Table) -> Table:
    """Let all other seats pass and lay nothing."""
    while not table.state.terminated:
        plays = [n for n in table.legal if n in {"draw", "pass"} or n.startswith("discard")]
        table.play(plays[0])
    return table


def test_any_two_cards_may_be_laid():
    table = Table("x q z", "o n e", then="k j s", challenges=True, lexicon=LEXICON).play("draw")
    assert table.options("spell") == table.options("discard") == "j q x z"
    assert table.play("+x").legal == ["spell:j", "spell:q", "spell:z"]
    assert table.play("+j").legal == ["spell:q", "spell:z"]
    assert table.play("+q").legal == ["word"]
    assert table.play("word").legal == ["discard:z"]


def test_a_word_that_would_leave_two_cards_must_go_on():
    table = Table("x q z b b", "o n e i i", then="k j s", challenges=True, lexicon=LEXICON)
    table.play("draw +x +q")
    assert "word" in table.legal  # four are left: a word of two or three, and the discard
    table.play("+z")
    assert "word" in table.legal  # three are left: a word and the discard
    table.play("+b")
    assert table.legal == ["spell:b", "spell:j"]  # two are left
    assert table.play("+b").legal == ["word"]


def test_a_bluff_that_nobody_challenges_stands():
    table = finish(bluff("q-z-w-x"))
    assert table.scores == [15 + 14 + 10 + 12 + 20, 0, 0]
    assert table.state.last_verdicts[0, 0] == 0


def test_a_challenged_bluff_counts_against():
    table = bluff("c-a-t", "q-z-w-x", then="w u d").play("challenge:1 pass pass draw")
    assert table.state.out == 0  # the hand is not reopened
    assert table.hand(0) == ""
    finish(table)
    assert table.scores == [20, 0, 0]  # 13 - 51, and `cat` has both bonuses
    table = bluff("q-z", "c-a-t", "o-n-e").play("challenge:0 pass pass")
    assert finish(table).scores == [20, 0, 0]  # 13 + 9 - 29
    table = bluff("e-h", "c-a-t", "o-n-e").play("challenge:0 pass pass")
    assert finish(table).scores == [13 + 9 - 9 + 20, 0, 0]


def test_rejected_words_make_nobody_longest_or_most():
    """Player_0 has laid two words and the longest, but one is rejected: both bonuses are tied."""
    table = bluff("c-a-t", "q-z-w-x", others="o n e b b l l", then="l d d")
    table.play("challenge:1 pass pass draw o-n-e. -b pass pass")
    finish(table)
    assert table.scores == [0, 0, 0]
    assert [table.state.last_longest, table.state.last_most] == [-1, -1]


def test_a_valid_word_costs_its_challenger_its_value():
    table = bluff("c-a-t", others="o n e", then="y d").play("challenge:0")
    assert table.state.lost[:3].tolist() == [0, 13, 0]
    finish(table.play("draw y-o-n. -e pass pass"))
    assert table.scores == [13, 0, 0]  # 11 - 13; the longest words are equally long
    table = bluff("c-a-t", others="o n z", then="y d").play("challenge:0")
    finish(table.play("draw y-o-z. -n pass pass"))
    assert table.scores == [13, 4 + 2 + 14 - 13, 0]


def test_points_lost_are_inside_the_floor_and_bonuses_outside():
    table = bluff("c-a-t", others="o n th", then="y d").play("challenge:0 draw y-th. -o pass pass")
    finish(table)
    assert table.scores == [13, 0, 0]  # 13 - 5 - 13; `cat` is as long as `yth`
    table = bluff("c-a-t", others="o n th", then="y d").play(
        "challenge:0 draw y-th-o. -n pass pass"
    )
    finish(table)
    assert table.scores == [13, 2 + 10, 0]  # 15 - 13
    table = bluff("c-a-t", others="o e th", then="i d").play(
        "challenge:0 draw i-th-o. -e pass pass"
    )
    assert finish(table).scores == [13, 0 + 10, 0]  # 13 - 13
    table = bluff("c-a-t", others="o e in", then="i d").play(
        "challenge:0 draw i-in-o. -e pass pass"
    )
    assert finish(table).scores == [13, 0 + 10, 0]  # 11 - 13 is below zero


def test_the_others_decide_in_turn_order_from_the_left():
    table = Table(
        "l l l", "c a t", "o n e", "i i i", then="j k s u", challenges=True, lexicon=LEXICON
    ).play("draw -k draw c-a-t. -s")
    for seat in (2, 3, 0):
        assert table.asks == f"{seat} challenge"
        assert table.legal == ["challenge:0", "pass"]
        assert table.state.accused == 1
        table.play("pass")
    assert table.asks == "2 draw or take"
    assert table.state.accused == -1


def test_one_word_after_another_and_each_only_once():
    table = bluff("c-a-t", "q-z", "o-n")
    assert table.asks == "1 challenge"
    assert table.options("challenge") == "0 1 2"
    table.play("challenge:1")
    assert table.asks == "1 challenge"
    assert table.options("challenge") == "0 2"
    table.play("pass")
    assert table.asks == "2 challenge"
    assert table.options("challenge") == "0 2"
    table.play("challenge:0")
    assert table.asks == "2 challenge"
    assert table.options("challenge") == "2"
    table.play("challenge:2")
    assert table.asks == "1 draw or take"  # nothing is left to challenge
    assert table.state.lost[:3].tolist() == [0, 0, 13 + 7]
    assert table.state.verdicts[0, :3].tolist() == [1, 2, 1]


def test_the_first_challenger_alone_is_at_risk():
    table = bluff("c-a-t").play("challenge:0")
    assert table.asks == "1 draw or take"
    assert table.state.lost[:3].tolist() == [0, 13, 0]
    assert table.state.lost.sum() == 13


def test_who_lays_nothing_is_not_challenged():
    table = bluff("c-a-t").play("pass pass draw -l")
    assert table.asks == "2 draw or take"


def test_last_turns_are_judged_too_and_then_the_hand_ends():
    table = bluff("c-a-t", seats=2).play("pass draw e-e. -l")
    assert table.asks == "0 challenge"
    table.play("challenge:0")
    assert table.state.terminated
    assert table.scores == [13 + 10, 0]
    assert table.state.last_verdicts[1, 0] == 2
    assert table.batch.rewards.tolist() == [[1, -1]]


def test_verdicts_are_by_the_cards_in_their_order():
    table = Table("t a c", "x y z", then="j k s", challenges=True, lexicon=LEXICON)
    table.play("draw t-a-c. -k challenge:0")
    assert table.state.verdicts[0, 0] == 2
    table = Table("o n e", "x y z", then="j k s", challenges=True, lexicon=LEXICON)
    table.play("draw o-n-e. -k challenge:0")
    assert table.state.verdicts[0, 0] == 1


def test_the_card_taken_is_kept_back_where_it_may_not_be_returned():
    params = {"challenges": True, "forbid_returning_discard": True, "lexicon": LEXICON}
    table = Table("x q z", "o n e", then="j k s", **params).play("take +x")
    assert table.legal == ["spell:j", "spell:q", "spell:z"]
    assert table.play("+q").legal == ["spell:j"]  # not `z`, the only possible discard
    assert table.play("+j").legal == ["word"]
    assert table.play("word").legal == ["discard:z"]


def test_five_bluffs_and_a_discard():
    table = Table(
        "a a a a a b b c c d", "e e e e e e e e e e", then="j k s", challenges=True,
        lexicon=LEXICON,
    ).play("draw a-a. a-a. a-b. b-c. c-d. -k")  # fmt: skip
    assert table.options("challenge") == "0 1 2 3 4"
    table.play("challenge:4 challenge:0 challenge:3 challenge:1 challenge:2")
    assert table.asks == "1 draw or take"
    assert table.state.verdicts[0].tolist() == [2] * 5


def test_nobody_bluffs_itself_out_before_the_house_rule_lets_it():
    params = {"challenges": True, "lexicon": LEXICON, "min_turns_before_out": 2}
    table = Table("x q z", "o n e", then="j k s u", **params).play("draw")
    assert table.options("spell") == ""
    table.play("-k draw")
    assert table.options("spell") == ""
    assert table.play("-s draw").options("spell") == "q u x z"
