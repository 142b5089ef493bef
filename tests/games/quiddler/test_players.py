"""The scripted players of Quiddler: legal and sensible."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.conftest import COMPILED
from tests.games.quiddler.play import Table, held

from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME, VARIANTS, best_meld
from kitchentable.games.quiddler.players.reading import look_at
from kitchentable.games.quiddler.scoring import BONUS
from kitchentable.games.quiddler.state import MELD
from kitchentable.players.scripted import ScriptedPlayer

PLAYERS = ("random", "greedy", "expert")
THINKERS = ("greedy", "expert")
MELDS = ("spell", "auto")

compiled_only = pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled")


@cache
def player(name: str, number: int) -> ScriptedPlayer:
    return ScriptedPlayer(GAME, name, GAME.make_params(**VARIANTS[number]), seed=3)


def ask(name: str, table: Table) -> str:
    """Return a player's decision at a table."""
    action = ScriptedPlayer(GAME, name, table.batch.params).act(table.batch, np.arange(1))[0]
    return table.batch.action_names[action]


def let_play(name: str, table: Table) -> list[str]:
    """Let a player play its turn, or the rest of it, and return the actions."""
    seat, actions = table.state.current_player, []
    while table.state.current_player == seat and not table.state.terminated:
        actions.append(ask(name, table))
        table.batch.step(np.array([table.batch.action_names.index(actions[-1])]))
    return actions


def drifting(name: str, number: int, steps: int):
    """Let a player act at some tables of a variant for some steps, and yield before each.

    Uncompiled, a decision takes up to a second: one game and one turn of each seat are enough.
    """
    batch = Batch(GAME, 40 if COMPILED else 1, seed=5, **VARIANTS[number])
    for _ in range(steps if COMPILED else 4):
        yield batch
        batch.step(player(name, number).act(batch, np.arange(batch.num_envs)))


# --- Every player, every variant ----------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("number", range(len(VARIANTS)))
@pytest.mark.parametrize("name", THINKERS)
def test_they_know_what_to_do_wherever_others_leave_them(name, number):
    """Random play also spells odd words; no answer depends on the seed."""
    params = GAME.make_params(**VARIANTS[number])
    other = ScriptedPlayer(GAME, name, params, seed=99)
    for batch in drifting("random", number, 30):
        everywhere = np.arange(batch.num_envs)
        chosen = player(name, number).act(batch, everywhere)
        assert (chosen == other.act(batch, everywhere)).all()


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_the_table_is_read_as_it_lies(number):
    for batch in drifting("greedy", number, 60):
        state, me, seats = batch.states[0], int(batch.current_player[0]), batch.num_players
        seen = look_at(batch.observations[0], batch.variant)
        start = state.word_ends[me, state.num_words[me] - 1] if state.num_words[me] else 0
        spelled = state.laid[me, start : state.num_laid[me]].tolist()
        if state.phase == MELD:
            assert seen.spelled[: seen.length].tolist() == spelled
            whole = state.hands[me] + np.bincount(spelled, minlength=31)[:31]
            assert seen.hand.tolist() == whole.tolist()
        assert seen.phase == state.phase
        assert seen.last_turns == state.last_turns
        assert seen.size == state.hand_sizes[state.hands_done]
        assert seen.top == (state.pile[state.pile_size - 1] if state.pile_size else -1)
        order = [(me + seat) % seats for seat in range(seats)]
        assert seen.words[:seats].tolist() == state.num_words[order].tolist()
        assert seen.turns[:seats].tolist() == state.turns[order].tolist()
        hidden = batch.num_players * seen.size + int(state.deck_size)
        assert 0 <= seen.unseen.sum() <= hidden


# --- Positions with an obvious move -------------------------------------------------------------


@pytest.mark.parametrize("meld", MELDS)
@pytest.mark.parametrize("name", THINKERS)
def test_they_take_what_completes_a_word_and_go_out(name, meld):
    table = Table("qu i v", "a b c", then="z e", meld=meld)
    actions = let_play(name, table)
    assert actions[0] == "take"
    if meld == "spell":
        assert actions[1:] == ["spell:qu", "spell:i", "spell:z", "word", "discard:v"]
    else:
        assert actions[1:] == ["longest:v"]
    assert table.state.out == 0


@pytest.mark.parametrize("meld", MELDS)
@pytest.mark.parametrize("name", THINKERS)
def test_they_leave_a_discard_that_does_not_help(name, meld):
    assert ask(name, Table("z v c", "a b c", then="h e", meld=meld)) == "draw"


@pytest.mark.parametrize("meld", MELDS)
@pytest.mark.parametrize("name", THINKERS)
def test_they_keep_words_and_discard_what_is_useless(name, meld):
    table = Table("z o o", "a b c", then="e q", meld=meld, min_turns_before_out=9).play("draw")
    assert ask(name, table) == "discard:q"


@pytest.mark.parametrize("meld", MELDS)
@pytest.mark.parametrize("name", THINKERS)
def test_they_lay_the_best_words_in_the_last_turn(name, meld):
    table = Table("c a t z o o", "j o y s u n", then="h s b", meld=meld)
    if meld == "spell":
        table.play("draw c-a-t. z-o-o. -s")
    else:
        table.play("draw longest:s")
    table.play("draw")
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
    assert ask(name, table) == answer


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


@compiled_only
@pytest.mark.parametrize("meld", MELDS)
def test_greedy_lays_all_the_points_there_are(meld):
    """Compare its last turn with the best meld of the hand that it has then."""
    batch = Batch(GAME, 60, seed=8, meld=meld, hand_sizes=(7,), reward="margin")
    greedy = ScriptedPlayer(GAME, "greedy", batch.params)
    expected, compared = {}, 0
    for _ in range(60):
        for i, state in enumerate(batch.states):
            if (
                state.phase == MELD
                and state.last_turns
                and not state.num_laid[state.current_player]
            ):
                hand = held(state.hands[state.current_player])
                expected[i] = int(state.current_player), max(0, best_meld(hand).points)
        batch.step(greedy.act(batch, np.arange(60)))
        for i in np.flatnonzero(batch.dones):
            seat, points = expected.pop(i)
            final = batch.final_states[i]
            assert final.last_scores[seat] - BONUS * (final.last_longest == seat) == points
            compared += 1
    assert compared > 60


def test_the_players_are_listed_weakest_first():
    assert tuple(GAME.players.scripted) == PLAYERS
