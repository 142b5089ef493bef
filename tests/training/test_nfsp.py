"""Neural fictitious self-play: its buffers and its transitions."""

import numpy as np
import pytest
import torch
from stable_baselines3.common.logger import Logger
from tests.training.tiny_settings import FICTITIOUS, KUHN, learner, settings

from kitchentable import Batch, find_game
from kitchentable_training.algorithms.buffers import Buffer, Reservoir
from kitchentable_training.algorithms.nfsp import UNKNOWN, link
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.settings import NetworkSettings


def test_a_buffer_returns_what_was_written_last() -> None:
    """With action features, the number of rows of each decision is another one."""
    game, rng = find_game("diddly"), np.random.default_rng(0)
    batch = Batch(game, 24, seed=1)
    inputs = NetworkInputs(game, batch.params, NetworkSettings(action_features=True))
    buffer, written = Buffer(inputs, 40, torch.device("cpu")), {}
    for _ in range(20):
        batch.step(batch.sample_actions())
        games, slots = rng.permutation(24)[:15], rng.permutation(40)[:15]
        shown = inputs.tensors(batch, games)
        buffer.write(torch.from_numpy(slots), shown, torch.from_numpy(games))
        one = {slot: inputs.tensors(batch, [game]) for slot, game in zip(slots, games, strict=True)}
        copies = {slot: {k: v.clone() for k, v in shown.items()} for slot, shown in one.items()}
        written |= {slot: (copies[slot], game) for slot, game in zip(slots, games, strict=True)}
    assert len(written) == 40
    for slot, (wanted, game) in written.items():
        found = buffer.take(torch.tensor([slot]))
        assert found.keys() == wanted.keys()
        for name, one in found.items():
            torch.testing.assert_close(one, wanted[name][: len(one)], rtol=0, atol=0)
        assert buffer.actions[slot] == game
    many = buffer.take(torch.tensor([7, 3, 7]))
    for name, one in many.items():
        parts = [buffer.take(torch.tensor([slot]))[name] for slot in (7, 3, 7)]
        torch.testing.assert_close(one, torch.cat(parts), rtol=0, atol=0)


def test_a_reservoir_keeps_a_uniform_sample_of_all_it_was_offered() -> None:
    game = find_game("kuhn_poker")
    inputs = NetworkInputs(game, game.make_params())
    make, kept = torch.Generator().manual_seed(0), np.zeros(200)
    for _ in range(1000):
        reservoir, held = Reservoir(inputs, 20, torch.device("cpu")), np.full(20, -1)
        for size in (5, 30, 1, 0, 100, 64):
            before = reservoir.seen
            new, slots = reservoir.offer(size, make)
            assert len(set(slots.tolist())) == len(slots)
            held[slots.numpy()] = before + new.numpy()
        assert reservoir.seen == 200
        assert reservoir.size == 20
        assert (held >= 0).all()
        kept[held] += 1
    # Each decision stays with probability 0.1; the standard deviation of a count is 9.5.
    assert kept.sum() == 20_000
    assert abs(kept - 100).max() < 40
    assert abs(kept[:100].mean() - 100) < 4


def test_transitions_lead_to_the_next_decision_of_the_seat() -> None:
    """The expected ones are found by looking ahead from each decision."""
    rng = np.random.default_rng(0)
    rollouts, steps, games, seats, kept = 7, 4, 50, 3, 12
    shape = (rollouts * steps, games)
    rewards = rng.normal(size=(*shape, seats)).astype(np.float32)
    ends, movers = rng.random(shape) < 0.15, rng.integers(seats, size=shape)
    latest, due = np.full((seats, games), UNKNOWN), np.zeros((seats, games), np.float32)
    paid = np.zeros((kept, games), np.float32)
    following = np.full((kept, games), UNKNOWN)
    for i in range(rollouts):
        new = slice(i * steps, (i + 1) * steps)
        given = (rewards[new], ends[new], movers[new])
        link(*given, i * steps % kept, latest, due, paid, following)
    known = 0
    for t in range(shape[0] - kept, shape[0]):
        for i in range(games):
            seat, at, total, found = movers[t, i], t % kept, 0.0, UNKNOWN
            for later in range(t, shape[0]):
                if later > t and movers[later, i] == seat:
                    found = later % kept * games + i
                    break
                total += rewards[later, i, seat]
                if ends[later, i]:
                    found = at * games + i
                    break
            assert following[at, i] == found
            if found != UNKNOWN:
                known += 1
                assert paid[at, i] == pytest.approx(total, abs=1e-5)
    assert known > 0.5 * kept * games


def test_each_seat_draws_its_policy_for_an_episode() -> None:
    chosen = settings({"replay_size": 2048}, **FICTITIOUS, **KUHN, num_envs=512)
    mine = learner(chosen)
    shares = []
    for _ in range(4):
        before = mine._memory["responds"].clone()
        mine.update(Logger(None, []))
        rollout = mine.rollout
        first = rollout.ends.int().cumsum(0) - rollout.ends.int() == 0
        for step, same in enumerate(first):  # in the episode with which the rollout began
            seats = before.gather(1, rollout.movers[step][:, None])[:, 0]
            assert (mine._responded[step] == seats)[same].all()
        shares.append(mine._responded.float().mean().item())
    assert np.mean(shares) == pytest.approx(0.3, abs=0.03)
    assert mine.reservoir.seen == pytest.approx(sum(shares) * 2048)
