"""Potential-based shaping of a team's rewards.

Every step also pays by how much it has changed the potential of the table, which is 0 when the
episode is over. So what is paid in advance is taken back, and the best policy stays the best (Ng,
Harada and Russell, "Policy invariance under reward transformations", 1999).
"""

from __future__ import annotations

import torch

from kitchentable_training.algorithms.options import Learning, Option


class Shaping(Option):
    """The potentials of the tables before and after each step."""

    def __init__(self, ppo: Learning) -> None:
        potential = ppo.games.game.players.team_potential
        assert potential is not None
        self._potential = potential
        self._potentials = torch.zeros_like(ppo.rollout.values)

    def observe(self, ppo: Learning, step: int) -> None:
        """Take note of the potentials."""
        self._potentials[step] = torch.from_numpy(self._potential(ppo.games.batch.states))

    def end_rollout(self, ppo: Learning) -> None:
        """Pay the changes."""
        after = self._potentials[1:] * ~ppo.rollout.ends
        ppo.rollout.rewards += (after - self._potentials[:-1])[:, :, None]
