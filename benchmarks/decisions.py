"""Decisions that cost a trained player games, because `expert` would make better ones.

The trained player plays against `expert`, but `expert` makes its decisions of one phase of the
game. All rows of a player are on the same deals.
"""

from __future__ import annotations

import importlib
from collections import Counter
from typing import Any

import numpy as np

from kitchentable import find_game
from kitchentable_training.evaluate.duplicate import measure as play
from kitchentable_training.players.by_name import checkpoint_named, make_player
from kitchentable_training.players.checkpoint import read_card

PLAYERS = ("diddly_2p", "quiddler_2p_auto", "quiddler_2p_spell", "fiddlefoo_2p", "addtoo_2p")
EXPERT = "expert"
DEALS = 2_000


class Advised:
    """A player whose decisions of one phase are made by another player."""

    def __init__(self, player: Any, adviser: Any, phase: int | None) -> None:
        self.name = player.name
        self.met: Counter[int] = Counter()
        """The number of decisions by phase."""
        self.differ: Counter[int] = Counter()
        """The number of decisions for which the adviser would choose another action."""
        self._player, self._adviser, self._phase = player, adviser, phase

    def seed(self, seed: int) -> None:
        """Seed the random choices of both players."""
        self._player.seed(seed)
        self._adviser.seed(seed)

    def act(self, batch: Any, games: Any) -> Any:
        """Choose an action in each of ``games``."""
        own, theirs = self._player.act(batch, games), self._adviser.act(batch, games)
        phases = batch.states["phase"][games]
        self.met.update(phases.tolist())
        self.differ.update(phases[own != theirs].tolist())
        return np.where(phases == self._phase, theirs, own)


def measure() -> list[dict[str, Any]]:
    """Return a row for each player alone, and one for each phase in which `expert` decides."""
    return [row for name in PLAYERS for row in _measure_one(name)]


def _measure_one(name: str) -> list[dict[str, Any]]:
    card = read_card(checkpoint_named(name))
    game = find_game(card["game"])
    params = game.make_params(**card["params"])
    phases = importlib.import_module(f"kitchentable.games.{game.name}.state").PHASES

    def row(phase: int | None) -> tuple[Advised, dict[str, Any]]:
        advised = Advised(*(make_player(one, game, params) for one in (name, EXPERT)), phase)
        opponents = [make_player(EXPERT, game, params, seed=1)]
        found = play(advised, opponents, game, params, DEALS)["opponents"][EXPERT]
        words = {"player": name, "phase": None if phase is None else phases[phase]}
        print(words, found["win_rate"])
        return advised, words | found

    alone, first = row(None)
    rows = [first]
    for phase in sorted(alone.met):
        share = {"decisions": alone.met[phase], "differ": alone.differ[phase] / alone.met[phase]}
        rows.append(row(phase)[1] | share)
    return rows
