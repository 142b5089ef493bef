"""Statistics of the games of a tournament: lengths, actions, going out, scores.

The players are observed during the tournament's own games, so no additional games are played and
the players' choices do not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.players.scripted import Actions, Games, Player

QUANTILES = {
    "lowest": 0.0, "p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95, "highest": 1.0,
}  # fmt: skip


# --- Watching -------------------------------------------------------------------------------------


class Watched:
    """A player whose decisions are recorded; it plays like the original one."""

    def __init__(self, player: Player, number: int, watch: Watch) -> None:
        self.name = player.name
        self.reads_moves = getattr(player, "reads_moves", False)
        self._player, self._number, self._watch = player, number, watch

    def seed(self, seed: int) -> None:
        """Seed the player's random choices."""
        self._player.seed(seed)

    def act(self, batch: Batch, games: Games) -> Actions:
        """Return the player's actions, and record them."""
        actions = self._player.act(batch, games)
        self._watch.see(self._number, batch, games, actions)
        return actions


@dataclass
class Seen:
    """Records of a pair or of one team: counts, and arrays by portion of finished games.

    Attributes:
        actions: how often each kind of action was chosen; shape (players of the pair, kinds).
        hands: how many hands were played; shape (players of the pair, seats).
        outs: in how many hands the player went out; shape (players of the pair, seats).
        nobody: the number of hands in which nobody went out.
        portions: arrays by name, such as ``owners`` (whether the first or the second one of the
            pair has the seat), ``scores`` and ``shares`` of the win; shape (games, seats).
    """

    actions: NDArray[np.int64]
    hands: NDArray[np.int64]
    outs: NDArray[np.int64]
    nobody: int = 0
    portions: list[dict[str, NDArray[Any]]] = field(default_factory=list)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return np.concatenate([portion[name] for portion in self.portions])


class Watch:
    """Records the games of a player in one seat and another in all others, or of a team."""

    def __init__(self, players: Sequence[Player], game: Game, params: Any) -> None:
        """Start without games."""
        self.players = [Watched(player, number, self) for number, player in enumerate(players)]
        self._seats = int(params.num_players)
        self._out = game.players.out
        kinds, self._kind_of = _kinds_of_action(game, params)
        of_seats = (len(players), self._seats)
        actions = np.zeros((len(players), len(kinds)), np.int64)
        self._seen = Seen(actions, np.zeros(of_seats, np.int64), np.zeros(of_seats, np.int64))
        self._batch: Batch | None = None

    def seen(self) -> Seen:
        """Return the records of the games, which must all have ended."""
        self._end_batch()
        return self._seen

    def see(self, number: int, batch: Batch, games: Games, actions: Actions) -> None:
        """Record the actions of a player before they are played."""
        if batch is not self._batch:
            self._end_batch()
            self._begin(batch)
        self._end_hands(games[batch.states["hand_over"][games]])
        counted = self._seen.actions[number]
        counted += np.bincount(self._kind_of[actions], minlength=len(counted))
        self._length[games] += 1
        if not self._out.after:
            movers = batch.current_player[games]
            self._went_out[games] = self._out.find(batch.states[games], movers, self._seats)

    def _begin(self, batch: Batch) -> None:
        """Start a portion of games, in which the first player has each seat in turn."""
        self._batch = batch
        self._length = np.zeros(batch.num_envs, np.int64)
        self._hand_count = np.zeros(batch.num_envs, np.int64)
        self._went_out = np.zeros((batch.num_envs, self._seats), np.bool_)
        self._owners = np.zeros((batch.num_envs, self._seats), np.int64)
        if len(self.players) > 1:
            games = np.arange(batch.num_envs)
            self._owners[:] = 1
            self._owners[games, games % self._seats] = 0

    def _end_hands(self, games: Games) -> None:
        """Count who went out in hands that the last step ended."""
        if self._batch is None or not len(games):
            return
        if self._out.after:
            movers = self._batch.current_player[games]
            went_out = self._out.find(self._batch.states[games], movers, self._seats)
            self._went_out[games] = went_out
        out, seats = self._went_out[games], np.arange(self._seats)
        np.add.at(self._seen.hands, (self._owners[games], seats), 1)
        np.add.at(self._seen.outs, (self._owners[games], seats), out)
        self._seen.nobody += int((~out.any(axis=1)).sum())
        self._hand_count[games] += 1

    def _end_batch(self) -> None:
        """Store the records of a portion of games, which have all ended."""
        if self._batch is None:
            return
        states = self._batch.states
        self._end_hands(np.flatnonzero(states["hand_over"]))
        scores, ranks = self._batch.standings()
        won = ranks == 1
        # Points between the first and the second seat, by rank, as low points may win.
        order = np.argsort(ranks, axis=1, kind="stable")[:, :2]
        ahead = np.take_along_axis(scores, order, axis=1)
        self._seen.portions.append(
            {
                "decisions": self._length,
                "hands": self._hand_count,
                "truncated": states["truncated"].copy(),
                "owners": self._owners,
                "scores": scores,
                "shares": won / np.maximum(1, won.sum(axis=1, keepdims=True)),
                "margin": np.abs(ahead[:, 0] - ahead[:, -1]),
            }
        )
        self._batch = None


# --- Statistics -----------------------------------------------------------------------------------


def statistics(
    seen: Mapping[tuple[int, ...], Seen], names: Sequence[str], game: Game, params: Any
) -> dict[str, Any]:
    """Return the statistics of all pairs, ready for JSON.

    Returns:
        ``"pairs"``: for each pair the ``"players"``, the number of its ``"games"`` and of those
        ``"truncated"``, and the `spread` of ``"decisions"``, ``"hands"`` and, except in teams, the
        winner's ``"margin"`` over the second seat.
        ``"players"``: by name, over all games of the player: the `spread` of ``"score"``, how
        often each kind of action was chosen (``"actions"``), by seat the number of ``"hands"``
        and of those in which the player went ``"out"``, and, except in teams, by seat the number of
        ``"games"`` and the share of ``"wins"``.
        ``"out"``: what going out means (``"words"``), the number of ``"hands"`` and of those in
        which ``"nobody"`` went out. It is missing for one seat.
    """
    team, kinds = game.is_team(params), _kinds_of_action(game, params)[0]
    measured = ("decisions", "hands") if team else ("decisions", "hands", "margin")
    result: dict[str, Any] = {
        "pairs": [
            {
                "players": [names[number] for number in numbers],
                "games": len(pair["decisions"]),
                "truncated": int(pair["truncated"].sum()),
                **{name: spread(pair[name]) for name in measured},
            }
            for numbers, pair in seen.items()
        ],
        "players": {
            name: _player_statistics(
                [(pair, who.index(number)) for who, pair in seen.items() if number in who],
                kinds,
                team=team,
            )
            for number, name in enumerate(names)
        },
    }
    if params.num_players > 1:
        hands = int(sum(pair["hands"].sum() for pair in seen.values()))
        nobody = sum(pair.nobody for pair in seen.values())
        result["out"] = {"words": game.players.out.words, "hands": hands, "nobody": nobody}
    return result


def _player_statistics(
    pairs: Sequence[tuple[Seen, int]], kinds: Sequence[str], *, team: bool
) -> dict[str, Any]:
    """Return the statistics of a player from the records of its pairs and its number in each."""
    owned = np.concatenate([pair["owners"] == number for pair, number in pairs])
    scores = np.concatenate([pair["scores"] for pair, _ in pairs])
    actions = sum(pair.actions[number] for pair, number in pairs)
    result: dict[str, Any] = {
        # All seats of a team have the same points.
        "score": spread(scores[:, 0] if team else scores[owned]),
        "actions": dict(zip(kinds, np.asarray(actions).tolist(), strict=True)),
    }
    if owned.shape[1] > 1:
        for name, counts in (("hands", "hands"), ("out", "outs")):
            of_seats = sum(getattr(pair, counts)[number] for pair, number in pairs)
            result[name] = np.asarray(of_seats).tolist()
    if not team:
        shares = np.concatenate([pair["shares"] for pair, _ in pairs])
        games = owned.sum(axis=0)
        wins = (shares * owned).sum(axis=0) / np.maximum(1, games)
        result |= {"games": games.tolist(), "wins": wins.tolist()}
    return result


def _kinds_of_action(game: Game, params: Any) -> tuple[list[str], NDArray[np.intp]]:
    """Return the kinds of action, and the index of the kind of each action."""
    names = [name.partition(":")[0] for name in game.rules.action_names(params)]
    kinds = list(dict.fromkeys(names))
    return kinds, np.array([kinds.index(name) for name in names])


def spread(values: NDArray[Any]) -> dict[str, float]:
    """Return the mean of some values and their `QUANTILES` by name."""
    quantiles = np.quantile(values, list(QUANTILES.values()))
    return {"mean": float(values.mean()), **dict(zip(QUANTILES, quantiles.tolist(), strict=True))}
