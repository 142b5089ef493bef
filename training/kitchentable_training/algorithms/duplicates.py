"""Duplicate tables: a rollout begins with several copies of each table with the same deal.

A critic receives the payoffs of the other copies (Kool, van Hoof and Welling, "Buy 4 REINFORCE
samples, get a baseline for free!", 2019), which cancels the luck of the deal.
"""

from __future__ import annotations

import torch
from torch.nn import functional

from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.algorithms.rollout import Rollout
from kitchentable_training.algorithms.seating import Seating

LUCK = 2
"""The number of inputs of a critic for the duplicate tables; see `luck_of`."""


def copy_tables(games: TensorBatch, seating: Seating, group: int) -> None:
    """Copy the first table of each group, with its deck, to the other tables of the group."""
    for one in (games.records, seating.payoffs):
        one[:] = one[::group].repeat_interleave(group, dim=0)


def luck_of(rollout: Rollout, group: int) -> torch.Tensor:
    """Return what the current episode pays the seat to move at the other duplicate tables.

    These are the mean over the tables where the episode has ended, since the start of the rollout,
    and whether there are any. They exclude the own table, so advantages stay unbiased.

    Returns:
        Shape (steps + 1, games, `LUCK`).
    """
    rewards, ends, movers = rollout.rewards, rollout.ends, rollout.movers
    steps, games, seats = rewards.shape
    before = functional.pad(ends.long().cumsum(0), (0, 0, 1, 0))
    episodes = int(before.max()) + 1
    place = before + episodes * torch.arange(games, device=before.device)
    ended = (ends & ~rollout.truncated).flatten().float()
    over = rewards.new_zeros(games * episodes).index_add(0, place[:-1].flatten(), ended)
    paid = rewards.new_zeros(games * episodes, seats)
    paid.index_add_(0, place[:-1].flatten(), rewards.flatten(0, 1))
    both = torch.cat([paid * over[:, None], over[:, None]], dim=1)
    groups = both.view(-1, group, episodes, seats + 1)
    others = (groups.sum(dim=1, keepdim=True) - groups).view(-1, seats + 1)[place.flatten()]
    count = others[:, -1]
    mean = others.gather(1, movers.flatten()[:, None])[:, 0] / count.clamp(min=1)
    return torch.stack([mean, count.clamp(max=1)], dim=1).view(steps + 1, games, LUCK)
