"""Fixed policies of the two pokers, and what OpenSpiel finds of them in its own games."""

from __future__ import annotations

import numpy as np

from kitchentable import Batch
from kitchentable.core.state import slices
from kitchentable_training.exact.tree import GameTree


def weights(card: int, board: int, plays: int, actions: np.ndarray) -> np.ndarray:
    """Return weights of actions that differ between information sets, shape as ``actions``.

    Args:
        card: the own card, from 0.
        board: 1 and the card that is up, or 0 for none.
        plays: the number of decisions so far.
        actions: the actions.
    """
    return 1.0 + (actions + 1) * (2 * card + board + plays + 1) % 7


class Fixed:
    """A policy that tells its probabilities, from the observation and the mask of a poker."""

    def __init__(self, tree: GameTree) -> None:
        layout = tree.game.rules.observation_layout(tree.params)
        self.parts = slices({"board": 0, **layout}) if "board" not in layout else slices(layout)

    def probabilities(self, batch: Batch, games: np.ndarray) -> np.ndarray:
        shown = zip(batch.observations[games], batch.masks[games], strict=True)
        found = np.array([self.row(*both) for both in shown])
        return found / found.sum(axis=1, keepdims=True)

    def row(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        raise NotImplementedError


class Uniform(Fixed):
    def row(self, _, mask):
        return mask.astype(float)


class First(Fixed):
    """Plays the first legal action."""

    def row(self, _, mask):
        return np.arange(len(mask)) == mask.argmax()


class Mixed(Fixed):
    """Plays each action as often as `weights` says."""

    def row(self, observation, mask):
        hand, board, plays = (observation[self.parts[one]] for one in ("hand", "board", "plays"))
        up = 1 + int(board.argmax()) if board.any() else 0
        return mask * weights(int(hand.argmax()), up, int(plays.sum()), np.arange(len(mask)))


POLICIES = {"uniform": Uniform, "first": First, "mixed": Mixed}
OPEN_SPIEL = {
    "kuhn_poker": {
        "uniform": (0.125, 0.45833333333333326),
        "first": (0.0, 1.0),
        "mixed": (0.24936521811521814, 0.5742632367632367),
    },
    "leduc_poker": {
        "uniform": (-0.078125, 2.373611111111111),
        "first": (0.0, 1.0),
        "mixed": (-0.15475193236990017, 2.34827973587594),
    },
}
"""The value of the first seat and the exploitability in chips, from open_spiel 2.0.2; see
`tests/frameworks/test_openspiel.py`."""

AVERAGES = {
    "kuhn_poker": {
        "cfr": [0.4583333333, 0.2708333333, 0.1944444444, 0.140625, 0.1213888889],
        "cfr+": [
            0.4583333333, 0.2638888889, 0.1413170163, 0.1001443001, 0.0733445295, 0.0504587007,
        ],
        "dcfr": [
            0.4583333333, 0.2583333333, 0.1331845238, 0.1017256539, 0.0664327762, 0.0588026545,
        ],
    },
    "leduc_poker": {
        "cfr": [2.3736111111, 2.0613194444, 1.7988065869, 1.6590264692, 1.4713245597],
        "cfr+": [
            2.3736111111, 2.0579166667, 1.7935440824, 1.6096550821, 1.3712323704, 1.1951131391,
        ],
        "dcfr": [
            2.3736111111, 2.0551944444, 1.8158296856, 1.6547655971, 1.4505468838, 1.3993607871,
        ],
    },
}  # fmt: skip
"""Exploitability of average policies after each of the first iterations, from open_spiel 2.0.2:
`CFRSolver`, `CFRPlusSolver` and `DCFRSolver` of its own games."""
