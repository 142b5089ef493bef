"""One seat of many games in Gymnasium's vector interface, beside the one-seat environment."""

from dataclasses import replace
from functools import partial

import gymnasium
import gymnasium.wrappers.vector
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from tests.conftest import COMPILED, alone, seats, short
from tests.contract import team_game
from tests.contract.payoffs import payoff

from kitchentable import SeatEnv, all_games
from kitchentable.adapters.registration import gymnasium_id
from kitchentable.adapters.vector import SeatVectorEnv
from kitchentable.core.kernels import kernel

MODES = list(AutoresetMode)
MODE = pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)


def env_id(game) -> str:
    return gymnasium_id(game.name, game.version)


def pair(game, num_envs, mode, **options) -> tuple[SeatVectorEnv, SyncVectorEnv]:
    """Return the same environments twice: on the batched engine, and one by one."""
    name = env_id(game)
    vector = gymnasium.make_vec(
        name,
        num_envs=num_envs,
        vectorization_mode="vector_entry_point",
        autoreset_mode=mode,
        **options,
    )
    assert isinstance(vector, SeatVectorEnv)
    one_by_one = [lambda: gymnasium.make(name, **options)] * num_envs
    return vector, SyncVectorEnv(one_by_one, autoreset_mode=mode)


def check_alike(ours, theirs, which=slice(None)) -> None:
    """Compare the outputs of two vector environments, dtypes included, for the selected games."""
    assert type(ours) is type(theirs)
    if isinstance(ours, tuple):
        for one, other in zip(ours, theirs, strict=True):
            check_alike(one, other, which)
    elif isinstance(ours, dict):
        theirs = in_numbers(theirs)
        assert ours.keys() == theirs.keys()
        for key in ours:
            check_alike(ours[key], theirs[key], theirs.get(f"_{key}", which))
    else:
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_array_equal(ours[which], theirs[which])


def in_numbers(infos: dict) -> dict:
    """Return infos of `SyncVectorEnv` without arrays of objects, which few wrappers can convert.

    Final observations are stacked like other observations; other objects are left out.
    """
    kept = {
        name: one
        for name, one in infos.items()
        if getattr(infos[name.removeprefix("_")], "dtype", None) != np.dtype(object)
    }
    if "final_obs" in infos:
        some = next(one for one in infos["final_obs"] if one is not None)
        rows = [some if one is None else one for one in infos["final_obs"]]
        there = infos["_final_obs"]

        def stacked(parts: list) -> np.ndarray:
            return np.stack(
                [part * bool(is_there) for part, is_there in zip(parts, there, strict=True)]
            )

        if isinstance(some, dict):
            kept["final_obs"] = {name: stacked([row[name] for row in rows]) for name in some}
        else:
            kept["final_obs"] = stacked(rows)
        kept["_final_obs"] = infos["_final_obs"]
    return kept


def random_actions(rng, infos, illegal=0.0) -> np.ndarray:
    """Return random legal actions; with probability ``illegal``, any number around them."""
    masks = infos["action_mask"]
    return np.array([
        rng.integers(-1, len(mask) + 1) if rng.random() < illegal
        else rng.choice(np.flatnonzero(mask))
        for mask in masks
    ])  # fmt: skip


@MODE
def test_each_game_goes_as_it_does_alone(game, mode) -> None:
    """Compare observations, rewards, ends, masks and infos, which are numbers, at each step."""
    options = {"mask_in_observation": "mask", "opponents": "random", "reward": "margin"}
    ours, theirs = pair(game, 3, mode, **short(game) | options | seats(game, 3))
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    rng, given, own, ends = np.random.default_rng(0), slice(None), None, 0
    for step in range(150):
        if step % 50 == 0:
            seed = (7, [5, None, 9], None)[step // 50]
            given, own = ours.reset(seed=seed), theirs.reset(seed=seed)
        else:
            actions = random_actions(rng, given[-1], illegal=0.02)
            given, own = ours.step(actions), theirs.step(actions)
        check_alike(given, own)
        assert given[0] in ours.observation_space
        assert given[0]["mask"].any(axis=1).all()
        np.testing.assert_array_equal(given[0]["mask"], given[-1]["action_mask"])
        assert {dtype.kind for dtype in dtypes_in(given[-1])} <= set("biuf")
        over = (given[2] | given[3]) if len(given) == 5 else np.zeros(3, np.bool_)
        ends += over.sum()
        if mode is AutoresetMode.DISABLED and over.any():
            given = ours.reset(options={"reset_mask": over}, seed=step)
            own = theirs.reset(options={"reset_mask": over}, seed=step)
            check_alike(given[0], own[0])
            assert given[1]["action_mask"].any(axis=1).all()
    assert ends > 3


def dtypes_in(value) -> set:
    """Return the dtypes of all values in nested infos; None for what is no array."""
    if isinstance(value, dict):
        return set().union(*map(dtypes_in, value.values()))
    return {getattr(value, "dtype", None)}


def test_facts_that_are_numbers_are_told(pool) -> None:
    infos = SeatVectorEnv(pool.name, 2).reset(seed=1)[1]
    found = {name: infos.get(name, np.zeros(0)).tolist() for name in team_game.FACTS}
    assert found == {"word": [], "number": [7, 7], "share": [0.5, 0.5], "flag": [True, True]}


@MODE
@pytest.mark.parametrize("name", ["NumpyToTorch", "RecordEpisodeStatistics", "ClipReward",
                                  "NormalizeReward", "DictInfoToList"])  # fmt: skip
def test_gymnasiums_wrappers_take_our_infos(name, mode) -> None:
    """With facts that are strings, hands that are lists, illegal actions and ends."""
    if name == "NumpyToTorch":
        pytest.importorskip("array_api_compat")
    options = {"opponents": "random", "mask_in_observation": True, "autoreset_mode": mode}
    env = SeatVectorEnv("quiddler", 3, lexicon=["cat", "dog"], max_turns=1, **options)
    own, more = env, {"ClipReward": (-1, 1)}.get(name, ())
    env = getattr(gymnasium.wrappers.vector, name)(env, *more)
    env.reset(seed=1)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(40):
        actions = random_actions(rng, {"action_mask": own._masks()}, illegal=0.1)
        if name == "NumpyToTorch":
            actions = pytest.importorskip("torch").from_numpy(actions)
        _, _, terminations, truncations, _ = env.step(actions)
        over = np.asarray(terminations | truncations)
        ends += over.sum()
        if mode is AutoresetMode.DISABLED and over.any():
            env.reset(options={"reset_mask": over})
    assert ends


@kernel
def one_card(state, action):
    """Play a variation of the game where a hand is one card, drawn by the seat that begins it."""
    state.hand_over = False
    if action == team_game.DRAW:
        state.holds = True
        return
    state.kept[0] = action == team_game.KEEP
    state.drawn = 1
    state.holds = False
    team_game.end_hand(state)


ONE_CARD = replace(
    team_game.POOL, name="one_card", rules=replace(team_game.POOL.rules, step=one_card)
)


@pytest.mark.parametrize(("hands", "seat", "steps"), [(1, 1, 1), (2, 0, 2), (2, 1, 2)])
def test_what_is_paid_before_and_after_a_seats_decisions_is_handed_out(
    monkeypatch, hands, seat, steps
) -> None:
    """Seat 1 decides nothing in the first hand, seat 0 nothing in the second.

    In a game of one hand, the game is over before seat 1 is asked: its first step ends the game,
    whatever the action.
    """
    monkeypatch.setitem(all_games(), ONE_CARD.name, ONE_CARD)
    options = {"seat": seat, "opponents": "greedy", "hands": hands, "reward": "margin"}
    alone = SeatEnv(ONE_CARD.name, **options)
    due = []
    for game in range(3):
        _, info = alone.reset(seed=4 if game == 0 else None)
        paid = []
        for step in range(steps):
            assert info["action_mask"].any()
            _, reward, over, _, info = alone.step(int(info["action_mask"].argmax()))
            assert over == (step == steps - 1)
            paid.append(reward)
        assert sum(paid) == pytest.approx(payoff(alone.batch, alone.batch.states[0])[seat])
        due.append(paid)
    assert len({sum(paid) for paid in due}) > 1
    for mode in MODES:
        env = SeatVectorEnv(ONE_CARD.name, 1, autoreset_mode=mode, **options)
        _, info = env.reset(seed=4)
        for paid in due:
            for reward in paid:
                _, found, over, _, info = env.step(info["action_mask"].argmax(axis=1))
                assert found.tolist() == [reward]
            assert over.all()
            if mode is AutoresetMode.NEXT_STEP:
                _, found, over, _, info = env.step([99])
                assert (found.tolist(), over.tolist()) == ([0.0], [False])
            elif mode is AutoresetMode.DISABLED:
                _, info = env.reset(options={"reset_mask": over})


@MODE
def test_a_game_that_is_lost_as_dealt_ends_with_its_first_step_whatever_the_action(mode) -> None:
    """The action does not count as illegal, and pays nothing."""
    solitaire = all_games()["quiddler_solitaire"]
    ours, theirs = pair(solitaire, 1, mode, lexicon=["zzz"])
    given, own = ours.reset(seed=1), theirs.reset(seed=1)
    check_alike(given, own)
    assert given[1]["action_mask"].all()
    for step in range(3):
        given, own = ours.step([99]), theirs.step([99])
        check_alike(given, own)
        assert not given[1].any()
        restarts = mode is AutoresetMode.NEXT_STEP and step % 2
        assert given[2].all() != restarts
        if mode is AutoresetMode.DISABLED:
            given, own = (env.reset(options={"reset_mask": given[2]}) for env in (ours, theirs))


def test_a_players_object_sits_at_all_tables(game) -> None:
    """It is seeded once, with the first game's seed, and asked for all games at once."""
    if alone(game):
        pytest.skip("nobody else sits there")
    asked, seeded = [], []

    class First:
        name = "first"

        def seed(self, seed):
            seeded.append(seed)

        def act(self, batch, games):
            asked.append(len(games))
            return batch.masks[games].argmax(axis=1)

    last = int(game.make_params().num_players) - 1
    env = SeatVectorEnv(game.name, 6, seat=last, opponents=First())
    env.reset(seed=3)
    assert seeded == [3]
    assert max(asked) > 1


def test_every_table_is_shown() -> None:
    options = {"opponents": "random", "render_mode": "ansi", "view": "all"}
    shown = []
    for seed in (1, 2, 3):
        one = SeatEnv("diddly", **options)
        one.reset(seed=seed)
        shown.append(one.render())
    env = SeatVectorEnv("diddly", 3, **options)
    env.reset(seed=1)
    assert env.render() == tuple(shown)
    assert SeatVectorEnv("diddly", 1).render() is None


@pytest.mark.skipif(not COMPILED, reason="workers start anew and would need long")
def test_the_documented_id_works_in_workers() -> None:
    vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
    make = partial(gymnasium.make, "kitchentable:kitchentable/Diddly-v0", opponents="random")
    alone = make()
    first = alone.reset(seed=3)[0]
    workers = AsyncVectorEnv([make], context="spawn")
    np.testing.assert_array_equal(workers.reset(seed=3)[0], first[None])
    workers.close()
    others = vec_env.SubprocVecEnv([make], start_method="forkserver")
    others.seed(3)
    np.testing.assert_array_equal(others.reset(), first[None])
    others.close()


# --- Bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"num_envs": 0}, "num_envs=0 is not possible"),
        ({"mask_in_observation": "observation"}, "choose False, True or a key other than"),
        ({"autoreset_mode": "never"}, "autoreset_mode='never' .* 'NextStep', 'SameStep', 'Disab"),
        ({"render_mode": "human"}, "render_mode='human' shows one game"),
        ({"threads": 0}, "threads=0"),
    ],
)
def test_impossible_options_are_named(wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        SeatVectorEnv("diddly", **wrong)


def contents(env) -> list[bytes]:
    """Return all that determines the next observations and the actions of scripted players."""
    held = [env.batch.states, env.seats, env._pay, env._over, env._reported]
    streams = [opponent.streams for opponent in env._tables.opponents]
    return [one.tobytes() for one in held + streams]


def test_what_is_impossible_is_named_and_changes_nothing() -> None:
    env = SeatVectorEnv("diddly", 3, opponents="random", autoreset_mode="Disabled")
    with pytest.raises(RuntimeError, match=r"no game has been dealt yet; call reset\(\) first"):
        env.step([0, 0, 0])
    env.reset(seed=1)
    before = contents(env)
    for actions in ([0, 0], 0, [0.5, 0, 0], [True, False, True], [0, [1], 2]):
        with pytest.raises(ValueError, match=r"actions: give .*(shape \(3,\)|ragged)"):
            env.step(actions)
    for seed in (-1, [1, 2], [1, -2, 3]):
        with pytest.raises(ValueError, match="seed: give a whole number from 0 on"):
            env.reset(seed=seed)
    for mask in ([True, False], [1, 0, 1], np.zeros(3, np.bool_), None):
        with pytest.raises(ValueError, match=r"reset_mask: give bool of shape \(3,\)"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="there is no 'mask'; the only one is 'reset_mask'"):
        env.reset(options={"mask": np.ones(3, np.bool_)})
    assert contents(env) == before
    *_, ended, _, infos = env.step(np.array([2**63, 10_000, 0], np.uint64))
    assert ended[:2].all()
    assert infos["illegal"][:2].tolist() == [True, True]
    before = contents(env)
    with pytest.raises(RuntimeError, match=r"games \[0, 1.* are over; reset them first"):
        env.step([0, 0, 0])
    assert contents(env) == before
