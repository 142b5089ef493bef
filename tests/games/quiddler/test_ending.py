"""How hands and games of Quiddler end: last turns, scoring, bonuses and rewards."""

import pytest
from tests.games.quiddler.play import Table, few

SOME = few("cat", "at", "act", "on", "one", "quiz", "to", "no", "thin", "than", "xy", "jinx", "ox")

# --- Last turns -----------------------------------------------------------------------------------


def test_all_others_have_one_last_turn_in_order():
    Table("k l m", "c a t", "o n e", "x y z", then="u s r n b", lexicon=SOME).follow(
        "draw -s draw c-a-t. -r -> last_turns = 3; asks = 2 draw or take",
        "draw -n -> last_turns = 2; asks = 3 draw or take",
        "draw -b -> last_turns = 1; asks = 0 draw or take",
        "take -b -> terminated = True; turns = 2 1 1 1 0 0 0 0",
    )


def test_a_last_turn_lays_what_it_likes():
    Table("c a t", "a t o", then="z z n", lexicon=SOME).play("draw c-a-t. -z").follow(
        "draw -> options discard = a n o t; options spell = a n o t",
        "+a -> legal = spell:t",
        "+t -> legal = word",
        # `on` would leave nothing to discard.
        "word -> options spell = ; options discard = n o",
        f"-n -> scores = {13 + 10} {5 - 2}",
    )


def test_by_itself_a_last_turn_lays_the_most_points_for_its_discard():
    words = few("cat", "xy", "oxy", "to", "on", "no")
    Table("c a t o", "x y o t", then="z n n", meld="auto", lexicon=words).follow(
        "draw -> options discard = a c n o t; options longest = ; options most ="
    )
    Table("c a t", "x y o", then="z k n", meld="auto", lexicon=words).follow(
        "draw -> options longest = k; options most = k",
        "longest:k draw -> legal lacks draw; options discard = ; options most = n o x y",
        # Without the x, only `o n` or `n o` can be laid.
        f"longest:x -> scores = {13 + 10} {7 - 4}; last_num_words = 1 1 0 0 0 0 0 0",
    )


@pytest.mark.parametrize(("objective", "words"), [("longest", 1), ("most", 2)])
def test_by_itself_equal_points_go_by_the_objective(objective, words):
    lexicon = few("cation", "cat", "ion")
    table = Table("c a t i o n", "z z q q x x", then="k k", meld="auto", lexicon=lexicon)
    assert table.play(f"draw {objective}:k").state.num_words[0] == words


# --- Scoring ------------------------------------------------------------------------------------

TWO = ["a t o n", "c a t d"], "z k j", "draw a-t. o-n. -k draw c-a-t. -j"
SCORES = {
    # 7 - 13 and 7 - 8: a hand scores at least zero; the discard costs nothing.
    "unused cards count against": (
        ["c a t", "o n z"], "z k j", "draw c-a-t. -k draw o-n. -z", "none", [13, 0],
    ),
    "a card that was taken too": (
        ["c a t", "o n z"], "z k j", "draw c-a-t. -k take o-n. -z", "none", [13, 0],
    ),
    "the discard does not": (
        ["c a t", "o n z"], "e k e", "draw c-a-t. -k draw o-n. -z", "none", [13, 7 - 2],
    ),
    # 9 - 12 is below zero.
    "bonuses are outside the floor": (
        ["a t o n", "o n e x"], "j d", "draw a-t. o-n. -d take o-n-e. -d", "longest", [12, 10],
    ),
    "two players have a bonus for the longest word": (*TWO, "longest", [12, 18]),
    "or for the most words": (*TWO, "most", [22, 8]),
    "or none": (*TWO, "none", [12, 8]),
    "both bonuses can go to one seat": (
        ["c a t o n", "x x k k d", "o n z z d"], "y j d l",
        "draw c-a-t. o-n. -j draw -x draw o-n. -z", "longest", [40, 0, 0],
    ),
    "in a tie nobody has the bonus": (
        ["c a t", "o n e", "k k d"], "z j d d", "draw c-a-t. -j draw o-n-e. -d draw -k",
        "longest", [13, 9, 0],
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", SCORES)
def test_scores(rule):
    hands, then, actions, bonus, scores = SCORES[rule]
    table = Table(*hands, then=then, lexicon=SOME, two_player_bonus=bonus)
    assert table.play(actions).scores == scores


def test_without_words_nobody_has_a_bonus():
    Table("c a t", "o n e", then="k s u b f d d", max_turns=1).follow(
        "draw -c draw -o draw -a draw -n -> scores = 0 0; paid = 0 0",
        "-> last_longest = -1; last_most = -1",
    )
