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
        "cfr": [
            0.45833333333333326,
            0.27083333333333337,
            0.1944444444444444,
            0.14062500000000003,
            0.12138888888888891,
            0.09672619047619041,
        ],
        "cfr+": [
            0.45833333333333326,
            0.26388888888888884,
            0.14131701631701638,
            0.10014430014430015,
            0.07334452949594789,
            0.0504587006585685,
        ],
        "dcfr": [
            0.45833333333333326,
            0.2583333333333333,
            0.13318452380952386,
            0.10172565394698851,
            0.06643277619627586,
            0.05880265451722508,
        ],
    },
    "leduc_poker": {
        "cfr": [
            2.373611111111111,
            2.0613194444444445,
            1.7988065869138403,
            1.6590264691929169,
            1.4713245596865683,
            1.3046625366898728,
        ],
        "cfr+": [
            2.373611111111111,
            2.057916666666667,
            1.7935440823803706,
            1.6096550821219533,
            1.371232370427995,
            1.1951131391231191,
        ],
        "dcfr": [
            2.373611111111111,
            2.055194444444444,
            1.81582968564199,
            1.6547655971487842,
            1.4505468837909525,
            1.3993607871239666,
        ],
    },
}
"""Exploitability of average policies after each of the first iterations, from open_spiel 2.0.2:
`CFRSolver`, `CFRPlusSolver` and `DCFRSolver` of its own games."""
