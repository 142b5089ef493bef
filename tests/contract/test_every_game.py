"""What must hold in every game; a new game is tested here without any new code."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Annotated, Any

import numba
import numpy as np
import pytest
from tests.conftest import BOUNDS, COMPILED, FEW_VARIANTS, illegal, play_batch, scaled, seats_of
from tests.contract.payoffs import payoff
from tests.contract.redeal_checks import assert_hidden_cards_are_not_read, but_for_the_stream

from kitchentable import Batch, Game, all_games, find_game
from kitchentable.core.rng import seeds_for
from kitchentable.core.state import NOBODY, TableState, record_dtype, slices
from kitchentable.engine.batch import available_threads

STUBBORN = {
    "first": lambda masks: masks.argmax(axis=1),
    "last": lambda masks: masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1),
}
# Compiling a game for several threads takes up to half a minute. The loop around the rules is
# the same for all games, so the smallest one is enough for the quick tests.
ON_THREADS = [
    pytest.param(name, marks=[] if name == "kuhn_poker" else pytest.mark.slow)
    for name in all_games()
]


def test_every_game_ends_and_a_mover_always_has_an_action(variant) -> None:
    game, params = variant
    batch = Batch(game, scaled(20), seed=0, autoreset=False, **params)
    for _ in range(20_000):
        over = batch.states.terminated | batch.states.truncated
        assert (batch.masks.any(axis=1) == ~over).all()
        if over.all():
            break
        batch.step(batch.sample_actions())
    assert over.all()
    ranks = batch.standings()[1]
    if batch.is_team:
        assert np.isin(ranks, (1, 2)).all()
        assert (ranks == ranks[:, :1]).all()
    else:
        assert (ranks.min(axis=1) == 1).all()


@pytest.mark.parametrize("name", STUBBORN)
def test_stubborn_players_cannot_break_a_game(variant, name) -> None:
    """Always play the first, or always the last, legal action: random play never gets this deep.

    Uncompiled, play only the first decisions; each game's own tests play such games to their ends.
    """
    game, params = variant
    batch = Batch(game, scaled(20), seed=1, autoreset=False, **params)
    for _ in play_batch(batch, 100_000 if COMPILED else 200, STUBBORN[name]):
        if (batch.states.terminated | batch.states.truncated).all():
            return
    assert not COMPILED, "some game does not end"


@pytest.mark.engine
def test_a_batch_plays_as_single_games_do(variant) -> None:
    game, params = variant
    count, steps = (6, 100) if COMPILED else (2, 30)
    batch = Batch(game, count, seed=5, **params)
    deals, _ = np.random.SeedSequence(5).spawn(2)
    singles = [Batch(game, 1, **params) for _ in range(count)]
    for single, seed in zip(singles, seeds_for(deals, count), strict=True):
        single.deal(np.array([seed]))
    assert singles[0].states[0].seed == Batch(game, 1, seed=5, **params).states[0].seed
    for _ in range(steps):
        actions = batch.sample_actions().copy()
        batch.step(actions)
        for i, single in enumerate(singles):
            single.step(actions[i : i + 1])
            assert single.states[0].tobytes() == batch.states[i].tobytes()
            for array in ("masks", "observations", "rewards", "dones", "current_player"):
                one, many = getattr(single, array)[0], getattr(batch, array)[i]
                assert one.tobytes() == many.tobytes(), array


@pytest.mark.skipif(not COMPILED, reason="threads are for compiled loops")
@pytest.mark.skipif(BOUNDS, reason="the same indices in all threads, and all is compiled anew")
@pytest.mark.skipif(available_threads() < 2, reason="one thread is all there is")
@pytest.mark.parametrize("name", ON_THREADS)
def test_threads_change_nothing(name) -> None:
    game = find_game(name)
    one = Batch(game, 300, seed=3)
    most: int = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    several = [Batch(game, 300, seed=3, threads=count) for count in (2, 4) if count <= most]
    for _ in range(100):
        actions = one.sample_actions().copy()
        one.step(actions)
        for batch in several:
            assert (batch.sample_actions() == actions).all()
            batch.step(actions)
            assert one.states.tobytes() == batch.states.tobytes()
            assert one.observations.tobytes() == batch.observations.tobytes()
            assert one.dones.tobytes() == batch.dones.tobytes()


@pytest.mark.engine
def test_a_finished_game_restarts_by_itself(variant) -> None:
    """A batch with autoreset deals the same games as one that is reset by hand."""
    game, params = variant
    count = scaled(8)
    batch = Batch(game, count, seed=2, **params)
    by_hand = Batch(game, count, seed=2, autoreset=False, **params)
    restarts = 0
    for _ in range(20_000 if COMPILED else 300):
        actions = batch.sample_actions().copy()
        batch.step(actions)
        by_hand.step(actions)
        over = np.flatnonzero(by_hand.dones)
        assert (batch.dones == by_hand.dones).all()
        assert batch.rewards.tobytes() == by_hand.rewards.tobytes()
        if len(over):
            ends = batch.final_states[over], by_hand.states[over]
            assert ends[0].tobytes() == ends[1].tobytes()
            by_hand.reset(over)
            restarts += len(over)
        assert batch.states.tobytes() == by_hand.states.tobytes()
        if restarts > (2 * count if COMPILED else 0):
            return
    assert restarts or not COMPILED


@pytest.mark.engine
def test_a_game_carries_nothing_over_into_the_next(variant) -> None:
    """Seed and parameters determine every field of a deal, whatever the record held before."""
    game, params = variant
    fresh, used = (Batch(game, 2, seed=9, **params) for _ in range(2))
    used.records.view(np.uint8)[:] = 1
    junk = used.states.copy()
    for state in used.states:
        game.rules.configure(state, used.params)
    fields = [name for name in game.rules.state_dtype.names if not name.startswith("padding_")]
    for name in fields:
        if not np.array_equal(used.states[name], junk[name]):  # the field depends on the parameters
            used.states[name] = fresh.states[name]
    used.seed(9)
    used.reset()
    for name in fields:
        np.testing.assert_array_equal(used.states[name], fresh.states[name], err_msg=name)


@pytest.mark.engine
def test_deals_differ_from_game_to_game(game) -> None:
    """As much as from table to table: a game may have few deals, or one."""
    tables, table = Batch(game, 50, seed=0), Batch(game, 1, seed=0)
    from_table_to_table = {one.tobytes() for one in but_for_the_stream(game, tables.states)}
    from_game_to_game = set()
    for _ in range(50):
        from_game_to_game.add(but_for_the_stream(game, table.states).tobytes())
        table.reset()
    assert len(from_table_to_table) > 1 or len(set(full_deck(game))) < 2
    assert abs(len(from_game_to_game) - len(from_table_to_table)) <= 0.2 * len(from_table_to_table)


def full_deck(game: Game, **params) -> list[int]:
    """Return the kinds of all cards."""
    copies = game.rules.deck(game.make_params(**params)).values()
    return [kind for kind, count in enumerate(copies) for _ in range(count)]


@pytest.mark.engine
def test_a_seed_deals_the_same_games_whatever_the_size_of_the_batch(game) -> None:
    """A caller's sequence stays as it is."""
    small, large = Batch(game, 3, seed=11), Batch(game, 30, seed=11)
    first = small.states.tobytes()
    assert first == large.states[:3].tobytes()
    assert Batch(game, 3, seed=12).states.tobytes() != first
    sequence = np.random.SeedSequence(11)
    for _ in range(2):
        small.seed(sequence)
        small.reset()
        assert small.states.tobytes() == first
    assert sequence.n_children_spawned == 0


def needs_redeal(game: Game) -> None:
    if game.rules.redeal is None:
        with pytest.raises(NotImplementedError, match=r"defines no rules.redeal"):
            Batch(game, 1).redeal([0], 0)
        pytest.skip("the game has no redeal")


def known(batch: Batch, viewer: int) -> dict[str, np.ndarray]:
    """Return all that a seat, or an onlooker, can know; others' actions may reveal their cards."""
    viewers = np.full(batch.num_envs, viewer)
    mine = batch.current_player == viewer
    found = {"mover": batch.current_player.copy(), "mask": batch.masks[mine]}
    if viewer != NOBODY:
        found["observation"] = batch.observe(viewers)
    if batch.game.rules.has_knowledge:
        found["knowledge"] = batch.know(viewers)
    if batch.action_features:
        found |= {"features": batch.rows[mine], "row_actions": batch.row_actions[mine]}
    if batch.game.players.derived_parts is not None:
        found["derived"] = batch.derive()[mine]
    return found


def differences(before: dict[str, np.ndarray], after: dict[str, np.ndarray]) -> Iterator[str]:
    """Yield the names of the arrays that differ, or of their fields."""
    for array, old in before.items():
        if after[array].tobytes() != old.tobytes():
            names = old.dtype.names or ()
            yield from [n for n in names if (after[array][n] != old[n]).any()] or [array]


def test_redeal_changes_nothing_that_its_viewer_can_know(variant) -> None:
    game, params = variant
    needs_redeal(game)
    describes = game.players.action_features is not None
    batch = Batch(game, scaled(20), seed=6, action_features=describes, **params)
    viewers, changed = [*range(batch.num_players), NOBODY], 0
    for step, _ in enumerate(play_batch(batch, 80 if COMPILED else 20)):
        # Uncompiled, one viewer after another: checking all each time takes half a minute.
        for viewer in viewers if COMPILED else [viewers[step % len(viewers)]]:
            table, before = batch.states.copy(), known(batch, viewer)
            batch.redeal(np.full(batch.num_envs, viewer), step * 10 + viewer + 1)
            assert list(differences(before, known(batch, viewer))) == []
            assert batch.masks.any(axis=1).all()
            there, here = (but_for_the_stream(game, one) for one in (batch.states, table))
            changed += not np.array_equal(there, here)
            batch.states[:] = table
            batch.look()
    assert changed or len(set(full_deck(game, **params))) < 2


@pytest.mark.engine
def test_redeal_reads_no_card_that_the_viewer_cannot_know(variant) -> None:
    """Two worlds that a viewer cannot tell apart are redealt to the same one by the same seed."""
    game, params = variant
    needs_redeal(game)
    batch = Batch(game, 8 if COMPILED else 2, seed=3, **params)
    assert assert_hidden_cards_are_not_read(batch, 4, times=4 if COMPILED else 2, most=40)


@pytest.mark.engine
def test_redeal_changes_later_deals_too(game) -> None:
    """Otherwise a search that plays into the next hand would know its deal.

    They differ about as often as those of unrelated tables do.
    """
    needs_redeal(game)
    two = [but_for_the_stream(game, Batch(game, 100, seed=seed).states) for seed in (6, 7)]
    usual = (two[0] != two[1]).any(axis=1).mean()
    worlds = []
    for seed in range(3):
        batch = Batch(game, 20, seed=6)
        batch.redeal(batch.current_player, seed)
        batch.reset()
        worlds.append(but_for_the_stream(game, batch.states))
    for one, other in combinations(worlds, 2):
        assert (one != other).any(axis=1).mean() >= usual / 2


def test_redealt_tables_play_on(game) -> None:
    """A redealt table is valid: it can be played to its end."""
    needs_redeal(game)
    batch = Batch(game, scaled(20), seed=7, autoreset=False)
    for step, _ in enumerate(play_batch(batch, 20_000)):
        if not batch.masks.any():
            return
        batch.redeal(batch.current_player.copy(), step)
    pytest.fail("some game does not end")


def test_observations_are_sound(variant) -> None:
    game, params = variant
    batch = Batch(game, scaled(20), seed=8, **params)
    size = sum(game.rules.observation_layout(batch.params).values())
    for _ in play_batch(batch, 100):
        players = batch.current_player.copy()
        assert batch.observations.shape == (batch.num_envs, size)
        assert batch.observations.min() >= 0
        assert batch.observations.max() <= 1
        np.testing.assert_array_equal(batch.observe(players), batch.observations)
        if game.rules.state_layout is None:
            with pytest.raises(NotImplementedError, match=r"defines no rules.state_layout"):
                batch.observe_state()
            continue
        state = batch.observe_state()
        assert state.shape[1] == sum(game.rules.full_layout(batch.params).values())
        assert state.min() >= 0
        assert state.max() <= 1


@pytest.mark.engine
def test_each_part_is_written_where_the_record_says(variant) -> None:
    """The layout alone has the order of the parts: in the reverse order each one says the same."""
    game, params = variant
    batch = Batch(game, scaled(20), seed=8, **params)
    seen = game.rules.observation_layout(batch.params)
    more = game.rules.state_layout(batch.params) if game.rules.state_layout else {}
    here = slices({**seen, **more})
    there = slices(dict([*reversed(seen.items()), *reversed(more.items())]))
    for _ in play_batch(batch, 40 if COMPILED else 10):
        moved, seats = batch.states.copy(), batch.current_player
        for name, part in there.items():
            moved["at"][name] = part.start
        before, after = (batch.observe_records(one, seats) for one in (batch.states, moved))
        for name in seen:
            np.testing.assert_array_equal(after[:, there[name]], before[:, here[name]], name)
        if more:
            before, after = (batch.observe_state(one) for one in (batch.states, moved))
        for name in more:
            np.testing.assert_array_equal(after[:, there[name]], before[:, here[name]], name)


@pytest.mark.engine
def test_maps_are_viewed_as_images_without_copying(variant) -> None:
    game, params = variant
    batch = Batch(game, 2, seed=0, **params)
    assert batch.images().keys() == batch.image_parts.keys()
    where = slices(game.rules.observation_layout(batch.params))
    for _ in play_batch(batch, 30):
        one = game.images(batch.params, batch.observations[0])
        for name, many in batch.images().items():
            assert many.shape == (2, *batch.image_parts[name])
            assert np.shares_memory(many, batch.observations)
            np.testing.assert_array_equal(many.reshape(2, -1), batch.observations[:, where[name]])
            np.testing.assert_array_equal(one[name], many[0])


@pytest.mark.engine
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_rewards_add_up_to_the_payoff_and_to_zero(kind, reward) -> None:
    """A team has no rivals: it is paid 1 or 0 at the end, or up to 1 at the end of each hand."""
    game, params = kind
    batch = Batch(game, scaled(64), seed=1, autoreset=False, **params | {"reward": reward})
    payoffs = np.zeros((batch.num_envs, batch.num_players))
    while batch.masks.any():
        batch.step(np.where(batch.masks.any(axis=1), batch.sample_actions(), -1))
        payoffs += batch.rewards
        if not batch.is_team:
            assert np.abs(batch.rewards.sum(axis=1)).max() < 1e-6
        else:
            by_hand = reward == "margin" and batch.num_players > 1
            unpaid = ~batch.states.hand_over if by_hand else ~batch.dones
            assert not batch.rewards[unpaid].any()
            assert ((batch.rewards >= 0) & (batch.rewards <= 1)).all()
            assert (batch.rewards == batch.rewards[:, :1]).all()
    for i in range(batch.num_envs):
        if reward == "win" or not batch.is_team:
            np.testing.assert_allclose(payoffs[i], payoff(batch, batch.states[i]), atol=1e-5)
    # Of the few games played uncompiled all may be drawn, and a random team wins hardly any.
    assert payoffs.any() or not COMPILED or (batch.is_team and reward == "win")


@pytest.mark.engine
def test_a_team_has_the_same_score_and_rank_in_every_seat_at_any_time(variant) -> None:
    game, params = variant
    batch = Batch(game, scaled(20), seed=2, **params)
    assert batch.is_team == (batch.num_players == 1 or game.rules.cooperative(batch.params))
    for _ in play_batch(batch, 100 if batch.is_team else 0):
        scores, ranks = batch.standings()
        assert (ranks == 2).all(), "games that go on are not won yet"
        assert (scores == scores[:, :1]).all()


def test_an_illegal_action_is_named_and_changes_nothing(game) -> None:
    batch = Batch(game, 5, seed=0)
    batch.step(batch.sample_actions())
    before = batch.states.tobytes()
    actions, beyond = batch.sample_actions().copy(), len(batch.action_names)
    for wrong in (illegal(batch.masks[3]), beyond, -2):
        actions[3] = wrong
        name = batch.action_names[wrong] if 0 <= wrong < beyond else "no action at all"
        message = rf"game 3: player_\d+ may not play {wrong} \({re.escape(name)}\)"
        with pytest.raises(ValueError, match=message):
            batch.step(actions)
    assert batch.states.tobytes() == before


def test_impossible_parameters_of_every_game_are_named(game) -> None:
    low, *_, high = seats_of(game) * 2
    for name, wrong in (*(("num_players", n) for n in (low - 1, high + 1, 2.0)), ("reward", "x")):
        with pytest.raises(ValueError, match=f"{name}={wrong!r} is not possible"):
            game.make_params(**{name: wrong})
    with pytest.raises(ValueError, match="has no parameter 'color'; it has num_players"):
        game.make_params(color="red")


@pytest.mark.parametrize("unknown", ["chess", None, ["diddly"]])
def test_an_unknown_game_is_named(unknown) -> None:
    message = rf"there is no game {re.escape(repr(unknown))}; (there are|did you mean) .*diddly"
    with pytest.raises(ValueError, match=message):
        find_game(unknown)


def test_parameters_are_made_again_from_their_values_and_from_json(variant) -> None:
    game, params = variant
    checked = game.make_params(**params)
    again = game.make_params(**checked.as_dict())
    assert again == checked
    read = json.loads(json.dumps(checked.plain()))
    assert read == checked.plain()
    assert game.make_params(**read).plain() == read


def test_parameters_are_in_the_fields_of_their_names_all_through_a_game(variant) -> None:
    """So a new parameter needs no code but its rule; the exceptions are named."""
    game, params = variant
    batch = Batch(game, 2, seed=0, **params)
    values = batch.params.as_numbers()
    assert set(game.rules.unrecorded) <= values.keys()
    for _ in play_batch(batch, 20):
        for name in values.keys() - set(game.rules.unrecorded):
            given = np.asarray(values[name])
            for state in batch.states:
                first = state[name][: len(given)] if given.ndim else state[name]
                np.testing.assert_array_equal(first, given, err_msg=name)


def test_layouts_names_and_facts_are_whole(variant) -> None:
    game, params = variant
    checked = game.make_params(**params)
    names = game.rules.action_names(checked)
    assert len(set(names)) == len(names)
    layout = game.rules.observation_layout(checked)
    assert all(count >= 0 for count in game.rules.deck(checked).values())
    shapes = {**game.rules.image_parts(checked), **game.rules.part_shapes(checked)}
    for name, shape in shapes.items():
        assert np.prod(shape) == layout[name]
    facts = game.rules.info(checked)
    assert json.loads(json.dumps(dict(facts))) == facts


def test_every_parameter_can_be_asked_for(game):
    # Optional parameters without a default value, such as a shortened deck, are for programs alone.
    defaults = {name: getattr(game.make_params(), name) for name in game.make_params().plain()}
    assert set(game.render.param_infos) in (set(defaults) - {"reward"}, set())
    for param, info in game.render.param_infos.items():
        assert bool(info.values) != bool(info.span)
        assert len(info.words) in (0, len(info.values))
        if info.span:
            assert info.span[0] <= defaults[param] <= info.span[1]
            for value in info.span:
                assert getattr(game.make_params(**{param: value}), param) == value
            for value in (info.span[0] - 1, info.span[1] + 1):
                with pytest.raises(ValueError, match=param):
                    game.make_params(**{param: value})
        else:
            offered = [getattr(game.make_params(**{param: one}), param) for one in info.values]
            assert offered.count(defaults[param]) == 1
            assert all(offered.count(value) == 1 for value in offered)


def test_records_refuse_names_that_numpy_uses() -> None:
    fields = {"__annotations__": {"round": Annotated[int, np.int8]}}
    wrong = type("Wrong", (TableState,), fields)
    with pytest.raises(TypeError, match="round"):
        record_dtype(wrong)
    with pytest.raises(TypeError, match=r"at\.size: numpy's records have a method of that name"):
        record_dtype(TableState, at=["hand", "size"])


def played_bytes(name: str) -> str:
    """Return a digest of everything written in the first decisions of several variants."""
    digest, game = hashlib.sha256(), find_game(name)
    for params in [game.rules.variants[i] for one, i in FEW_VARIANTS if one == name]:
        batch = Batch(game, 1, seed=1, **params)
        for _ in play_batch(batch, 40):
            for array in (batch.records, batch.masks, batch.observations, batch.rewards):
                digest.update(array.tobytes())
    return digest.hexdigest()


@pytest.mark.skipif(not COMPILED, reason="compares with the compiled rules")
@pytest.mark.skipif(BOUNDS, reason="a check of indices changes no byte")
def test_compiled_and_plain_rules_give_the_same_bytes() -> None:
    code = "import json\nfrom tests.contract.test_every_game import all_games, played_bytes\n"
    code += "print(json.dumps({name: played_bytes(name) for name in all_games()}))"
    plain = run(code, env=os.environ | {"NUMBA_DISABLE_JIT": "1"})
    assert plain == {name: played_bytes(name) for name in all_games()}


def test_environments_need_no_training_library() -> None:
    heavy = {"torch", "stable_baselines3", "PIL", "pygame", "matplotlib", "tkinter"}
    loaded = run("import sys, json, kitchentable; print(json.dumps(sorted(sys.modules)))")
    assert "kitchentable.engine.batch" in loaded
    assert not heavy & set(loaded)


def run(code: str, env: Mapping[str, str] | None = None) -> Any:
    """Return the JSON that a program prints in another process."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
