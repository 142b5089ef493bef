"""What every redeal must preserve; games' own tests check what else they promise about it."""

from collections.abc import Iterator

import numpy as np

from kitchentable import Batch
from kitchentable.core.state import NOBODY
from kitchentable.render.view import View


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


def assert_hidden_cards_are_not_read(batch: Batch, seed: int, *, times: int, most: int) -> int:
    """Check that worlds that a viewer cannot tell apart are redealt to the very same world.

    Play at random, redeal copies for one viewer each, and play both worlds on by the same actions
    as long as the viewer sees the same in both.

    Args:
        batch: the games; they restart when they end.
        seed: the seed of the viewers (seats and onlookers) and of the redeals.
        times: number of pairs of worlds for each game.
        most: number of decisions for which a pair is played on.

    Returns:
        How many pairs of different worlds were compared after at least one decision.
    """
    rng, compared = np.random.default_rng(seed), 0
    for number in range(times):
        for _ in range(rng.integers(1, most)):
            batch.step(batch.sample_actions())
        viewers = rng.integers(NOBODY, batch.num_players, size=batch.num_envs)
        here, there = redealt(batch, viewers.tolist(), 2 * number), _copied(batch)
        alike = np.full(batch.num_envs, True)
        for step in range(most):
            both = here.masks & there.masks
            alike &= both.any(axis=1)
            if not alike.any():
                break
            chances = both[alike] * rng.random(both[alike].shape)
            actions = np.full(batch.num_envs, -1)
            actions[alike] = chances.argmax(axis=1)
            for world in (here, there):
                world.step(actions)
            alike &= _look_alike(here, there, viewers)
            if step % 4 == 0 or step == most - 1:
                compared += _compare(here, there, viewers, alike, 2 * number + 1)
    return compared


def _copied(batch: Batch) -> Batch:
    twin = Batch(batch.game, batch.num_envs, seed=0, autoreset=False, **batch.params.as_dict())
    twin.states[:] = batch.states
    twin.look()
    return twin


def _look_alike(here: Batch, there: Batch, viewers: np.ndarray) -> np.ndarray:
    """Return where a viewer sees the same in two worlds; an onlooker sees less than any seat."""
    alike = (here.current_player == there.current_player) & (here.dones == there.dones)
    alike &= (here.rewards == there.rewards).all(axis=1)
    seats = np.maximum(viewers, 0)
    same = (here.observe(seats) == there.observe(seats)).all(axis=1)
    own = seats == here.current_player
    same &= ~own | (here.masks == there.masks).all(axis=1)
    alike &= same | (viewers == NOBODY)
    # Observations leave out what only people are shown: hands laid open at the end of a hand.
    for i in np.flatnonzero(alike & (here.states.hand_over | (viewers == NOBODY))):
        views = [View(w.game, w.states[i], w.params, int(viewers[i])) for w in (here, there)]
        alike[i] = views[0].text() == views[1].text()
        alike[i] &= views[0].situation() == views[1].situation()
    return alike


def _compare(here: Batch, there: Batch, viewers: np.ndarray, alike: np.ndarray, seed: int) -> int:
    """Redeal two worlds of each game by the same seed, and return how many pairs were different."""
    again = redealt(here, viewers.tolist(), seed), redealt(there, viewers.tolist(), seed)
    different = 0
    for i in np.flatnonzero(alike):
        states = [world.states[i] for world in again]
        for name in here.game.rules.state_dtype.names:
            np.testing.assert_array_equal(states[0][name], states[1][name], err_msg=name)
        worlds = [_without_stream(world.states[i]) for world in (here, there)]
        different += worlds[0] != worlds[1]
    return different


def _without_stream(state: np.record) -> bytes:
    state = state.copy()
    state.seed = state.rng = 0
    return state.tobytes()
