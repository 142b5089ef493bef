"""What every redeal must preserve; a game names the fields that it hides."""

from collections import Counter
from collections.abc import Iterator, Set

import numpy as np

from kitchentable import Batch, Game
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
    batch: Batch,
    rng: np.random.Generator,
    *,
    times: int,
    most: int,
    hidden: Set[str],
    follows: Set[str] = frozenset(),
) -> Iterator[tuple[np.ndarray, Batch]]:
    """Play at random, redeal copies for random viewers, and check that they see the same as before.

    Args:
        batch: the games to play on; redealing leaves them unchanged.
        rng: source of the viewers and of the numbers of steps.
        times: number of redeals.
        most: exclusive upper bound of the steps between two redeals.
        hidden: the fields of a record that a redeal may change.
        follows: fields that follow from the mover's hand, so they may change where that is hidden.

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
        assert (twin.masks.any(axis=1) == batch.masks.any(axis=1)).all()
        for name in set(batch.states.dtype.names) - hidden:
            some = own if name in follows else slice(None)
            old, new = batch.states[name][some], twin.states[name][some]
            np.testing.assert_array_equal(new, old, err_msg=name)
        yield viewers, twin


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
        viewers = rng.integers(batch.num_players, size=batch.num_envs)
        # Few onlookers: they are shown text, which takes a hundred times as long to compare.
        viewers[rng.random(batch.num_envs) < 1 / 8] = NOBODY
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
    again = [redealt(world, viewers.tolist(), seed).states[alike] for world in (here, there)]
    for name in here.game.rules.state_dtype.names:
        np.testing.assert_array_equal(again[0][name], again[1][name], err_msg=name)
    worlds = [but_for_the_stream(here.game, world.states[alike]) for world in (here, there)]
    return int((worlds[0] != worlds[1]).any(axis=1).sum())


def assert_fair(found: Counter, cards: Counter) -> None:
    """Check that in many redeals each card was found about as often as there are copies of it."""
    for card in found | cards:
        expected = found.total() * cards[card] / cards.total()
        assert abs(found[card] - expected) <= 5 * expected**0.5, card


def but_for_the_stream(game: Game, states: np.ndarray) -> np.ndarray:
    """Return the bytes of records, a row each, without the random stream."""
    raw = np.array(states).view(np.uint8).reshape(-1, game.rules.state_dtype.itemsize).copy()
    for name in ("seed", "rng"):
        kind, offset, *_ = game.rules.state_dtype.fields[name]
        raw[:, offset : offset + kind.itemsize] = 0
    return raw
