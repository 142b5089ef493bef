"""The scripted players of Quiddler in positions with an obvious move."""

import numpy as np
import pytest
from tests.games.quiddler.play import Table, held

from kitchentable.games.quiddler import best_meld
from kitchentable.games.quiddler.scoring import BONUS

THINKERS = ("greedy", "expert")
MELDS = ("spell", "auto")


def let_play(name: str, table: Table) -> list[str]:
    """Let a player play its turn, or the rest of it, and return the actions."""
    seat, actions = table.state.current_player, []
    while table.state.current_player == seat and not table.state.terminated:
        actions.append(table.ask(name))
        table.batch.step(np.array([table.batch.action_names.index(actions[-1])]))
    return actions


@pytest.mark.parametrize(
    ("meld", "lays"), [("spell", "spell:qu spell:i spell:z word discard:v"), ("auto", "longest:v")]
)
@pytest.mark.parametrize("name", THINKERS)
def test_they_take_what_completes_a_word_and_go_out(name, meld, lays):
    table = Table("qu i v", "a b c", then="z e", meld=meld)
    assert let_play(name, table) == ["take", *lays.split()]
    assert table.state.out == 0


@pytest.mark.parametrize("meld", MELDS)
@pytest.mark.parametrize("name", THINKERS)
def test_they_leave_and_discard_what_is_useless_and_keep_words(name, meld):
    assert Table("z v c", "a b c", then="h e", meld=meld).ask(name) == "draw"
    table = Table("z o o", "a b c", then="e q", meld=meld, min_turns_before_out=9).play("draw")
    assert table.ask(name) == "discard:q"


@pytest.mark.parametrize("meld", MELDS)
@pytest.mark.parametrize("name", THINKERS)
def test_they_lay_the_best_words_in_the_last_turn(name, meld):
    table = Table("c a t z o o", "j o y s u n", then="h s b", meld=meld)
    table.play("draw c-a-t. z-o-o. -s draw" if meld == "spell" else "draw longest:s draw")
    best = best_meld(held(table.state.hands[1])).points
    let_play(name, table)
    points = table.scores[1] - BONUS * int(table.state.last_longest == 1)
    assert points == best if name == "greedy" else table.scores[1] >= best


@pytest.mark.parametrize(
    ("lays", "answer"),
    [("c-a-t. z-o-o.", "pass"), ("a-c-t. o-o-z.", "challenge:1"), ("t-a-c-z-o-o.", "challenge:0")],
)
@pytest.mark.parametrize("name", THINKERS)
def test_they_challenge_what_is_no_word(name, lays, answer):
    table = Table("c a t z o o", "j o y v v u", then="h s b", challenges=True)
    table.play(f"draw {lays} -s")
    assert table.ask(name) == answer


@pytest.mark.parametrize("name", THINKERS)
def test_they_do_not_bluff(name):
    table = Table("x v v", "j c c", then="q z", challenges=True)
    assert let_play(name, table)[-1].startswith("discard:")
    assert table.state.out == -1


@pytest.mark.parametrize("meld", MELDS)
@pytest.mark.parametrize(("name", "points"), [("greedy", 18), ("expert", 14 + BONUS)])
def test_the_expert_lays_a_longer_word_instead_of_more_points(name, points, meld):
    """The word m-in-i has fewer points than v-i-m, but more letters than the other seat's word."""
    table = Table("c a t", "v i m", then="s z in", meld=meld)
    table.play("draw c-a-t. -z draw" if meld == "spell" else "draw longest:z draw")
    let_play(name, table)
    assert table.scores[1] == points
