"""The env runner alone, without a cluster: it returns what happened at the tables."""

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
import torch
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.connectors.env_to_module import FlattenObservations
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from tests.contract.team_game import POOL

from kitchentable import all_games
from kitchentable.core.state import NO_ACTION
from kitchentable_training.algorithms.seating import LEARNER
from kitchentable_training.rllib import BatchEnvRunner, ppo_config

SMALL = {"layers": [8]}
TABLES = {
    "margin": ("diddly", {"num_players": 3, "rounds": 2, "reward": "margin"}),
    "win": ("diddly", {"num_players": 2, "rounds": 1}),
    "stopped": ("diddly", {"num_players": 2, "rounds": 2, "turn_limit": 7, "reward": "margin"}),
    "alone": ("quiddler_solitaire", {"reward": "margin"}),
    "team": (POOL.name, {"cooperative": True, "reward": "margin"}),
}


@pytest.fixture(autouse=True)
def _small_game(monkeypatch) -> None:
    monkeypatch.setitem(all_games(), POOL.name, POOL)


class Watched(BatchEnvRunner):
    """Records what every seat of every finished game was paid, and what it saw last."""

    def make_env(self) -> None:
        super().make_env()
        self.paid = np.zeros((self.num_envs, self.batch.num_players))
        self.payoffs: dict[str, float] = {}
        self.seats: list[np.ndarray] = []
        self.last: dict[str, np.ndarray] = {}
        step, batch = self.batch.step, self.batch

        def stepped(actions) -> None:
            numbers, learns = (
                self._decisions._numbers.copy(),
                self.seating.numbers.numpy() == LEARNER,
            )
            step(actions)
            self.paid += batch.rewards
            for game in np.flatnonzero(batch.dones):
                self.seats.append(learns[game])
                for seat in np.flatnonzero(learns[game]):
                    name = f"{self._name}_{numbers[game, seat]}"
                    self.payoffs[name] = self.paid[game, seat]
                    final = batch.final_states[[game]]
                    self.last[name] = batch.observe_records(final, [seat])[0]
                self.paid[game] = 0.0

        self.batch.step = stepped

    def _deal(self) -> None:
        super()._deal()
        self.paid[:] = 0.0


def make(game="diddly", num_envs=24, *, change=None, kind=Watched, **options):
    given = {"network": SMALL, "seed": 5, **options}
    config = ppo_config(game, num_envs, **given)
    if change is not None:
        change(config)
    return kind(config=config, worker_index=0)


def by_episode(chunks):
    found = defaultdict(list)
    for chunk in chunks:
        found[chunk.id_].append(chunk)
    return found


@pytest.mark.parametrize(
    ("table", "ticks"), [*((table, 7) for table in TABLES), ("margin", 1), ("margin", 64)]
)
def test_rewards_of_every_seat_add_up_to_its_payoff(table, ticks) -> None:
    game, params = TABLES[table]
    runner = make(game, **params)
    chunks = []
    while len(runner.payoffs) < 100:
        found = runner.sample(num_timesteps=ticks * 24)
        steps = sum(map(len, found))
        assert ticks * 24 <= steps < ticks * 24 + 24 * runner.batch.num_players
        chunks += found
    episodes = by_episode(chunks)
    over = {name for name, parts in episodes.items() if parts[-1].is_done}
    assert over <= runner.payoffs.keys()
    for name in over:
        paid = sum(part.get_return() for part in episodes[name])
        assert paid == pytest.approx(runner.payoffs[name], abs=1e-5)
    # A seat without an episode never decided anything; at these tables there is none.
    assert len(over) == len(runner.payoffs)
    stopped = sum(parts[-1].is_truncated for parts in episodes.values())
    assert (stopped > 0) == (table == "stopped")
    assert np.std(list(runner.payoffs.values())) > 0


@pytest.mark.parametrize("table", ["margin", "stopped"])
def test_chunks_follow_one_another_and_show_what_was_seen(table) -> None:
    game, params = TABLES[table]
    runner = make(game, **params)
    episodes = by_episode([one for _ in range(40) for one in runner.sample(num_timesteps=24 * 7)])
    assert max(map(len, episodes.values())) > 3
    for name, parts in episodes.items():
        assert parts[0].t_started == 0
        assert not any(part.is_done for part in parts[:-1])
        for old, new in pairwise(parts):
            assert new.t_started == old.t_started + len(old) == old.t
            for key in ("observations", "action_mask"):
                assert (old.get_observations(-1)[key] == new.get_observations(0)[key]).all()
        if parts[-1].is_done:
            last = parts[-1].get_observations(-1)
            np.testing.assert_array_equal(last["observations"], runner.last[name])
            assert not last["action_mask"].any()
        for part in parts:
            seen = part.get_observations(slice(0, len(part)))
            assert seen["observations"].dtype == np.float32
            rows, actions = np.arange(len(part)), part.get_actions()
            assert (seen["action_mask"][rows, actions] == 1).all()
            logits = torch.as_tensor(part.get_extra_model_outputs("action_dist_inputs"))
            logs = logits.log_softmax(1)[rows, actions]
            np.testing.assert_allclose(part.get_extra_model_outputs("action_logp"), logs, atol=1e-5)
            chances = logits.softmax(1).numpy()
            assert (chances[seen["action_mask"] == 0] == 0).all()


def test_episodes_wanted_come_whole_and_are_never_alike() -> None:
    runner, names = make(num_players=2, rounds=1), set()
    deals = []
    for _ in range(3):
        episodes = runner.sample(num_episodes=30)
        assert 30 <= len(episodes) < 30 + 48
        assert all(one.is_done and one.t_started == 0 for one in episodes)
        assert names.isdisjoint(one.id_ for one in episodes)
        names |= {one.id_ for one in episodes}
        deals.append({one.get_observations(0)["observations"].tobytes() for one in episodes})
        for one in episodes:
            assert one.get_return() == pytest.approx(runner.payoffs[one.id_])
    assert deals[0] != deals[1] != deals[2]
    figures = runner.get_metrics()
    assert figures["num_episodes_lifetime"].peek() >= 90
    assert figures["episode_duration_sec_mean"].peek() > 0


@pytest.mark.parametrize("batch_mode", ["complete_episodes", "truncate_episodes"])
def test_sampling_as_configured(batch_mode) -> None:
    runner = make(
        num_players=2,
        rounds=1,
        change=lambda config: config.env_runners(
            batch_mode=batch_mode, rollout_fragment_length=16
        ).training(train_batch_size_per_learner=384),
    )
    episodes = runner.sample()
    assert all(one.is_done for one in episodes) == (batch_mode == "complete_episodes")


def test_one_seat_learns_beside_opponents() -> None:
    opponents = {"random": 1.0, "expert": 1.0}
    runner = make(num_players=3, rounds=1, reward="margin", opponents=opponents)
    episodes = by_episode(runner.sample(num_timesteps=4000))
    assert all(learns.sum() == 1 for learns in runner.seats)
    assert np.sum(runner.seats, axis=0).min() > 5, "in every seat"
    results = {round(one.payoff, 4) for one in runner.seating.results}
    for name, payoff in runner.payoffs.items():
        paid = sum(part.get_return() for part in episodes[name])
        assert paid == pytest.approx(payoff, abs=1e-5)
        assert round(float(paid), 4) in results
    figures = runner.get_metrics()
    assert figures["payoff"]["expert"].peek() < figures["payoff"]["random"].peek()


def test_the_same_seed_plays_the_same_and_a_restored_runner_does_not() -> None:
    def played(runner):
        return [one.get_actions().tolist() for one in runner.sample(num_timesteps=600)]

    one = make(num_players=2)
    state = one.get_state()
    first = played(one)
    assert first == played(make(num_players=2))
    # These are the parts of a runner that a checkpoint holds: weights and counters.
    other = make(num_players=2)
    other.set_state({**state, "num_env_steps_sampled_lifetime": 600})
    assert other.num_env_steps_sampled_lifetime == 600
    assert first != played(other)


def test_without_exploration_the_likeliest_action_is_played() -> None:
    runner = make(num_players=2)
    for one in runner.sample(num_timesteps=600, explore=False):
        logits = one.get_extra_model_outputs("action_dist_inputs")
        assert (one.get_actions() == logits.argmax(1)).all()
    for one in runner.sample(num_timesteps=600, random_actions=True, force_reset=True):
        legal = one.get_observations(slice(0, len(one)))["action_mask"].sum(1)
        found = one.get_extra_model_outputs("action_logp")
        np.testing.assert_allclose(found, -np.log(legal), atol=1e-5)


def test_action_features_and_relations_are_shown() -> None:
    network = {**SMALL, "relations": True, "action_features": True}
    runner = make(num_players=2, network=network)
    space = runner.env.single_observation_space
    shown = {"observations", "action_mask", "relations", "action_features", "row_actions"}
    assert space.keys() == shown
    for one in runner.sample(num_timesteps=300):
        seen = one.get_observations(slice(0, len(one)))
        assert {name: each.shape[1:] for name, each in seen.items()} == {
            name: each.shape for name, each in space.items()
        }
        described = (seen["row_actions"] != NO_ACTION).sum(axis=1)
        np.testing.assert_array_equal(described, seen["action_mask"].sum(1))


def test_rllibs_own_masking_module_works_too() -> None:
    spec = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={})
    runner = make(num_players=2, change=lambda config: config.rl_module(rl_module_spec=spec))
    assert sum(map(len, runner.sample(num_timesteps=300))) >= 300


class EndOfEpisode(RLlibCallback):
    def on_episode_end(self, **_) -> None: ...


class EndOfSample(RLlibCallback):
    found = 0

    def on_sample_end(self, *, samples, **_) -> None:
        type(self).found += len(samples)


REFUSED = {
    "env_to_module_connector": lambda config: config.env_runners(
        env_to_module_connector=lambda *_, **__: FlattenObservations()
    ),
    "module_to_env_connector": lambda config: config.env_runners(
        module_to_env_connector=lambda *_, **__: []
    ),
    "on_episode_end": lambda config: config.callbacks(EndOfEpisode),
    "on_episode_step": lambda config: config.callbacks(on_episode_step=lambda **_: None),
    "multi_agent": lambda config: config.multi_agent(policies={"one", "two"}),
    "env_config: gane": lambda config: config.environment(env_config={"gane": "diddly"}),
}


@pytest.mark.parametrize("named", REFUSED)
def test_what_the_runner_would_not_do_is_refused(named) -> None:
    with pytest.raises(ValueError, match=named):
        make(change=REFUSED[named])


def test_the_callback_at_the_end_of_a_sample_is_called() -> None:
    runner = make(change=lambda config: config.callbacks(EndOfSample))
    assert len(runner.sample(num_timesteps=300)) == EndOfSample.found > 0


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"game": "ddly"}, "ddly"),
        ({"opponents": {}}, "weight above 0"),
        ({"opponents": {"random": -1}}, "opponents.random"),
        ({"game": "quiddler_solitaire", "opponents": {"random": 1}}, "one seat"),
        ({"network": {**SMALL, "best_row": True}}, "network.best_row"),
    ],
)
def test_impossible_settings_are_named(wrong, said) -> None:
    with pytest.raises(ValueError, match=said):
        make(**wrong)
