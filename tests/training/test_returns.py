"""The compiled pass for advantages agrees with a slow one that follows each seat separately."""

import numpy as np
import pytest

from kitchentable_training.algorithms.advantages import advantages


def slow(rewards, ends, movers, learned, values, discount, trace):
    """Sum up the rest of each decision's episode for its seat, term by term of the definition."""
    steps, games, seats = rewards.shape
    out = np.zeros((steps, games))
    for game, seat in np.ndindex(games, seats):
        turns = [t for t in range(steps) if learned[t, game] and movers[t, game] == seat]
        td_errors = {}
        for turn in turns:
            paid, t = 0.0, turn
            while True:
                paid += rewards[t, game, seat]
                if ends[t, game]:
                    later, following = 0.0, None
                    break
                t += 1
                if t in turns:
                    later, following = values[t, game], t
                    break
                if t == steps:
                    acts = movers[t, game] == seat
                    later, following = values[t, game] if acts else None, None
                    break
            td_error = 0.0 if later is None else paid + discount * later - values[turn, game]
            td_errors[turn] = td_error, following
        for turn in turns:
            factor, at = 1.0, turn
            while at is not None:
                td_error, following = td_errors[at]
                out[turn, game] += factor * td_error
                factor, at = factor * discount * trace, following
    return out


@pytest.mark.parametrize(
    ("seats", "discount", "trace"), [(1, 1.0, 0.95), (2, 0.9, 0.5), (3, 1.0, 1.0), (8, 0.9, 0.5)]
)
def test_the_compiled_pass_is_the_definition(seats, discount, trace):
    rng = np.random.default_rng([seats, int(100 * trace)])
    steps, games = 40, 6
    shape = (steps, games, seats)
    rewards = rng.normal(size=shape).astype(np.float32) * (rng.random(shape) < 0.3)
    ends = rng.random((steps, games)) < 0.1
    movers = rng.integers(seats, size=(steps + 1, games))
    learned = rng.random((steps, games)) < 0.8
    values = rng.normal(size=(steps + 1, games)).astype(np.float32)
    given = (rewards, ends, movers, learned, values)
    out = np.full((steps, games), np.nan, np.float32)
    advantages(*given, np.float32(discount), np.float32(trace), out)
    np.testing.assert_allclose(out, slow(*given, discount, trace), atol=1e-4)
    assert not out[~learned].any()
