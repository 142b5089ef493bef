"""The compiled pass for advantages agrees with a slow one that follows each seat separately."""

import numpy as np
import pytest

from kitchentable_training.algorithms.advantages import advantages


def slow(rewards, ends, truncated, movers, learned, values, discount, trace):
    """Sum up the rest of each decision's episode for its seat, term by term of the definition."""
    steps, games, seats = rewards.shape
    out = np.zeros((steps, games))
    for game, seat in np.ndindex(games, seats):
        turns = [t for t in range(steps) if learned[t, game] and movers[t, game] == seat]
        surprises = {}
        for turn in turns:
            paid, t = 0.0, turn
            while True:
                paid += rewards[t, game, seat]
                if ends[t, game]:
                    later, following = None if truncated[t, game] else 0.0, None
                    break
                t += 1
                if t in turns:
                    later, following = values[t, game], t
                    break
                if t == steps:
                    acts = movers[t, game] == seat
                    later, following = values[t, game] if acts else None, None
                    break
            surprise = 0.0 if later is None else paid + discount * later - values[turn, game]
            surprises[turn] = surprise, following
        for turn in turns:
            factor, at = 1.0, turn
            while at is not None:
                surprise, following = surprises[at]
                out[turn, game] += factor * surprise
                factor, at = factor * discount * trace, following
    return out


@pytest.mark.parametrize("seats", [1, 2, 3, 8])
@pytest.mark.parametrize(("discount", "trace"), [(1.0, 0.95), (0.9, 0.5), (1.0, 1.0)])
def test_the_compiled_pass_is_the_definition(seats, discount, trace):
    rng = np.random.default_rng([seats, int(100 * trace)])
    steps, games = 40, 6
    shape = (steps, games, seats)
    rewards = rng.normal(size=shape).astype(np.float32) * (rng.random(shape) < 0.3)
    ends = rng.random((steps, games)) < 0.1
    truncated = ends & (rng.random((steps, games)) < 0.4)
    movers = rng.integers(seats, size=(steps + 1, games))
    learned = rng.random((steps, games)) < 0.8
    values = rng.normal(size=(steps + 1, games)).astype(np.float32)
    given = (rewards, ends, truncated, movers, learned, values)
    out = np.full((steps, games), np.nan, np.float32)
    advantages(*given, np.float32(discount), np.float32(trace), out)
    np.testing.assert_allclose(out, slow(*given, discount, trace), atol=1e-4)
    assert truncated.any()
    assert not out[~learned].any()


def test_what_a_seat_expects_while_another_one_is_to_act_is_not_asked():
    """player_0's last decision is followed by one of player_1, whose value is not used for it."""
    rewards = np.zeros((3, 1, 2), np.float32)
    rewards[1] = [[2.0, -2.0]]
    movers, learned = np.array([0, 1, 0, 1])[:, None], np.ones((3, 1), bool)
    values = np.array([10.0, 20.0, 30.0, 40.0], np.float32)[:, None]
    ends, out, one = np.zeros((3, 1), bool), np.empty((3, 1), np.float32), np.float32(1.0)
    advantages(rewards, ends, ends, movers, learned, values, one, one, out)
    assert out[:, 0].tolist() == [2.0 + 30.0 - 10.0, -2.0 + 40.0 - 20.0, 0.0]


def test_undiscounted_returns_are_what_the_rest_of_the_episode_pays():
    """Without a value head, lambda 1 gives each decision the plain sum until its episode ends."""
    rewards = np.zeros((5, 1, 2), np.float32)
    rewards[1] = [[1.0, -1.0]]  # ends the first episode after one decision of each seat
    rewards[4] = [[-3.0, 3.0]]
    ends = np.array([0, 1, 0, 0, 1], bool)[:, None]
    movers = np.array([0, 1, 1, 0, 1, 0])[:, None]
    nothing = np.zeros((6, 1), np.float32)
    out = np.empty((5, 1), np.float32)
    learned, never = np.ones((5, 1), bool), np.zeros((5, 1), bool)
    one = np.float32(1.0)
    advantages(rewards, ends, never, movers, learned, nothing, one, one, out)
    assert out[:, 0].tolist() == [1.0, -1.0, 3.0, -3.0, 3.0]
