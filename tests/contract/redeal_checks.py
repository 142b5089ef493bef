"""What every redeal must preserve; games' own tests check what else they promise about it."""

from collections.abc import Iterator

import numpy as np

from kitchentable import Batch


def redealt(batch: Batch, viewers: list[int], seed: int) -> Batch:
    """Return a batch of copies, each redealt for its viewer."""
    options = batch.params.as_dict()
    twin = Batch(batch.game, len(viewers), seed=0, autoreset=False, **options)
    twin.states[:] = batch.states
    twin.redeal(np.array(viewers), seed)
    return twin


def redealings(
    batch: Batch, rng: np.random.Generator, *, times: int, most: int
) -> Iterator[tuple[np.ndarray, Batch]]:
    """Play at random, redeal copies for random viewers, and check that they see the same as before.

    Args:
        batch: the games to play on; redealing leaves them unchanged.
        rng: source of the viewers and of the numbers of steps.
        times: number of redeals.
        most: exclusive upper bound of the steps between two redeals.

    Yields:
        The viewer of each game, and the redealt games.
    """
    for seed in range(times):
        for _ in range(rng.integers(1, most)):
            batch.step(batch.sample_actions())
        viewers = rng.integers(batch.num_players, size=batch.num_envs)
        before = batch.states.tobytes()
        twin = redealt(batch, viewers.tolist(), seed)
        assert batch.states.tobytes() == before
        np.testing.assert_array_equal(twin.observe(viewers), batch.observe(viewers))
        own = batch.states.current_player == viewers
        np.testing.assert_array_equal(twin.masks[own], batch.masks[own])
        yield viewers, twin


def played_to_the_end(batch: Batch, seed: int) -> Batch:
    """Redeal the games of a batch after some steps, play them to their ends and return them."""
    rng = np.random.default_rng(seed)
    for _ in range(rng.integers(5, 40)):
        batch.step(batch.sample_actions())
    twin = redealt(batch, rng.integers(batch.num_players, size=batch.num_envs).tolist(), 1)
    for _ in range(20_000):
        twin.step(twin.sample_actions())
        if twin.states.terminated.all():
            break
    assert twin.states.terminated.all()
    return twin
