"""Examples of challenges in Quiddler: who may challenge which words when, and what it costs."""

import pytest
from tests.games.quiddler.play import Table, few

LEXICON = few("cat", "on", "at", "one", "to")
RULES = {"challenges": True, "lexicon": LEXICON}


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
    table = Table(" ".join(cards), *hands, then=f"j k {then}", **RULES).play("draw")
    return table.play(" ".join(f"{word}." for word in words)).play("-k")


def finish(table: Table) -> Table:
    """Let all other seats pass and lay nothing."""
    while not table.state.terminated:
        plays = [n for n in table.legal if n in {"draw", "pass"} or n.startswith("discard")]
        table.play(plays[0])
    return table


TURNS = {
    "any two cards may be laid": lambda: Table("x q z", "o n e", then="k j s", **RULES).follow(
        "draw -> options spell = j q x z; options discard = j q x z",
        "+x -> legal = spell:j spell:q spell:z", "+j -> legal = spell:q spell:z",
        "+q -> legal = word", "word -> legal = discard:z",
    ),
    "the others decide in turn order from the left": lambda: Table(
        "l l l", "c a t", "o n e", "i i i", then="j k s u", **RULES
    ).follow(
        "draw -k draw c-a-t. -s -> asks = 2 challenge; legal = challenge:0 pass; accused = 1",
        "pass -> asks = 3 challenge; legal = challenge:0 pass; accused = 1",
        "pass -> asks = 0 challenge; legal = challenge:0 pass; accused = 1",
        "pass -> asks = 2 draw or take; accused = -1",
    ),
    "one word after another and each only once": lambda: bluff("c-a-t", "q-z", "o-n").follow(
        "-> asks = 1 challenge; options challenge = 0 1 2",
        "challenge:1 -> asks = 1 challenge; options challenge = 0 2",
        "pass -> asks = 2 challenge; options challenge = 0 2",
        "challenge:0 -> asks = 2 challenge; options challenge = 2",
        "challenge:2 -> asks = 1 draw or take",  # nothing is left to challenge
    ),
    "last turns are judged too and then the hand ends": lambda: bluff("c-a-t", seats=2).follow(
        "pass draw e-e. -l -> asks = 0 challenge",
        f"challenge:0 -> terminated = True; scores = {13 + 10} 0; paid = 1 -1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", TURNS)
def test_turns(rule):
    TURNS[rule]()


TWICE = 20
"""Both bonuses, which player_0 mostly has."""
SCORES = {
    "a bluff that nobody challenges stands": (
        ["q-z-w-x"], {}, "", [15 + 14 + 10 + 12 + TWICE, 0, 0],
    ),
    "a challenged bluff counts against": (
        ["c-a-t", "q-z-w-x"], {"then": "w u d"}, "challenge:1 pass pass", [TWICE, 0, 0],
    ),
    "not below zero": (["q-z", "c-a-t", "o-n-e"], {}, "challenge:0 pass pass", [TWICE, 0, 0]),
    "the other words count": (
        ["e-h", "c-a-t", "o-n-e"], {}, "challenge:0 pass pass", [13 + 9 - 9 + TWICE, 0, 0],
    ),
    # Two words and the longest, but one is rejected: both bonuses are tied.
    "rejected words make nobody longest or most": (
        ["c-a-t", "q-z-w-x"], {"others": "o n e b b l l", "then": "l d d"},
        "challenge:1 pass pass draw o-n-e. -b pass pass", [0, 0, 0],
    ),
    # 11 - 13; the longest words are equally long.
    "a valid word costs its challenger its value": (
        ["c-a-t"], {"others": "o n e", "then": "y d"},
        "challenge:0 draw y-o-n. -e pass pass", [13, 0, 0],
    ),
    "as far as it has points": (
        ["c-a-t"], {"others": "o n z", "then": "y d"},
        "challenge:0 draw y-o-z. -n pass pass", [13, 4 + 2 + 14 - 13, 0],
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", SCORES)
def test_scores(rule):
    words, options, then, scores = SCORES[rule]
    table = bluff(*words, **options).play(then)
    assert table.state.out == 0, "the hand is not reopened"
    assert finish(table).scores == scores
    tied = max(scores) < TWICE
    assert ([table.state.last_longest, table.state.last_most] == [-1, -1]) == tied
