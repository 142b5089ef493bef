"""What dealing anew must keep in every game, for tests of what else a game promises about it."""

from collections.abc import Iterator

import numpy as np

from kitchentable import Batch


def redealt(batch: Batch, viewers: list[int], seed: int) -> Batch:
    """A batch of copies, each dealt anew for a viewer."""
    options = batch.params.as_dict()
    twin = Batch(batch.game, len(viewers), seed=0, autoreset=False, **options)
    twin.states[:] = batch.states
    twin.redeal(np.array(viewers), seed)
    return twin


def redealings(
    batch: Batch, rng: np.random.Generator, *, times: int, most: int
) -> Iterator[tuple[np.ndarray, Batch]]:
    """Play on at random, deal copies anew for some viewers, and check what they see.

    Args:
        batch: what is played on and stays as it is.
        rng: of decisions and viewers.
        times: how often.
        most: decisions in each game from one time to the next, fewer than this.

    Yields:
        The viewer in each game, and the games dealt anew.
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
    """The games of a batch, dealt anew somewhere in the middle and played on till they end."""
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
