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


def test_last_turns_are_judged_too_and_then_the_hand_ends():
    table = bluff("c-a-t", seats=2).play("pass draw e-e. -l")
    assert table.asks == "0 challenge"
    table.play("challenge:0")
    assert table.state.terminated
    assert table.scores == [13 + 10, 0]
    assert table.state.last_verdicts[1, 0] == 2
    assert table.batch.rewards.tolist() == [[1, -1]]
