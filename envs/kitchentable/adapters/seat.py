"""One seat of any game as a Gymnasium environment; scripted or other players hold the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from kitchentable.adapters.display import RENDER_MODES, Display, check_view, viewer_of
from kitchentable.core.parameters import is_whole, read_action, said
from kitchentable.core.registry import find_game
from kitchentable.core.rewards import forfeit, forfeit_ranks, stake
from kitchentable.core.state import BoolArray
from kitchentable.engine.batch import Batch
from kitchentable.players.scripted import Player, ScriptedPlayer, check_scripted

GAME_0 = np.array([0])


class SeatEnv(gymnasium.Env[NDArray[np.float32], int]):
    """A table seen from one seat: every step is one decision of that seat.

    The observation is the vector alone; ``info["action_mask"]`` (int8) and `action_masks` (bool,
    what sb3-contrib asks for) tell the legal actions, which change at every step. Rewards paid
    while the others move are handed out with the seat's own next observation, so that they add up
    to the seat's payoff. ``info`` has the facts that the game gives (`Game.info`), and at the end
    ``score``, ``rank``, ``hand_scores`` and ``is_winner``. An illegal action ends the game and
    costs as much as in `TableEnv`. At a cooperative table the others are the seat's teammates, and
    what it is paid is what each of them is paid.

    Attributes:
        seat: the seat of the current game.
        batch: the table.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        seat: int | None = None,
        opponents: str | Player | Sequence[str | Player] | None = None,
        render_mode: str | None = None,
        view: str = "mover",
        **params: Any,
    ) -> None:
        """Set up a table.

        Args:
            game: the game's name.
            seat: which seat to play; None: another one in each game, at random.
            opponents: who plays the others, also where they are teammates: a scripted player's
                name or a player, for all of them or one for each, from the seat's left on. One
                for all is nobody where there are no others. None: ``"greedy"``, or ``"random"``
                in a game that has no other.
            render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
            view: whose cards `render` shows: ``"mover"`` (this seat), ``"all"``, an agent.
            params: the game's parameters, see its rules.

        Raises:
            ValueError: something is impossible; says what is possible.
        """
        self.game = find_game(game)
        self._display = Display(render_mode)
        self.render_mode = render_mode
        self.batch = Batch(self.game, 1, autoreset=False, **params)
        num_players = self.batch.num_players
        self._view = check_view(view, num_players)
        if seat is not None and (not is_whole(seat) or seat not in range(num_players)):
            raise ValueError(
                f"seat={said(seat)} is not possible; choose from 0 to {num_players - 1}"
            )
        self._facts = dict(self.game.rules.info(self.batch.params))
        self._fixed_seat = seat
        self.seat = 0 if seat is None else seat
        self._opponents = self._invite(opponents, num_players - 1)
        size = self.batch.observations.shape[1]
        self.observation_space = spaces.Box(0.0, 1.0, (size,), np.float32)
        self.action_space = spaces.Discrete(len(self.batch.action_names))  # type: ignore[assignment]
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal a new game and play up to the seat's first decision; there are no options."""
        super().reset(seed=seed, options=options)
        if seed is not None:
            self.batch.seed(seed)
            for i, opponent in enumerate(self._opponents):
                opponent.seed(seed + i)
        self.batch.reset()
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self.batch.num_players))
        self._over = False
        self._play_others()
        return self._look(), self._info()

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play ``action``, then the others, up to the seat's next decision or the end.

        Raises:
            ValueError: ``action`` is no whole number; nothing has changed then.
            RuntimeError: the game is over.
        """
        if self._over:
            raise RuntimeError("the game is over; call reset() first")
        number = read_action(action)
        if not (0 <= number < len(self.batch.action_names) and self.batch.masks[0, number]):
            return self._forfeit(number)
        self.batch.play(number)
        reward = float(self.batch.rewards[0, self.seat])
        self._over = bool(self.batch.dones[0])
        reward += self._play_others()
        truncated = bool(self._over and self.batch.states[0].truncated)
        if self.render_mode == "human":
            self.render()
        return self._look(), reward, self._over and not truncated, truncated, self._info()

    def action_masks(self) -> BoolArray:
        """Return the legal actions; bool, shape (num_actions,). None after the end."""
        mask: BoolArray = self.batch.masks[0].copy()
        return mask

    def render(self) -> Any:
        """Return the table as text or picture, or show it in a window, by ``render_mode``."""
        return self._display.show(self.batch, viewer_of(self._view, self.batch, self.seat))

    def close(self) -> None:
        """Close the window, if there is one."""
        self._display.close()

    def _invite(
        self, opponents: str | Player | Sequence[str | Player] | None, count: int
    ) -> list[Player]:
        if opponents is None:
            opponents = "greedy" if "greedy" in self.game.players.scripted else "random"
        is_list = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        if isinstance(opponents, str):
            check_scripted(self.game, opponents)
        names: list[str | Player] = list(opponents) if is_list else [opponents] * count  # type: ignore[arg-type, list-item]
        for one in names:
            if not (isinstance(one, str) or hasattr(one, "act")):
                raise ValueError(f"opponents: {said(one)} is neither a player nor the name of one")
        if len(names) != count:
            raise ValueError(f"opponents: {len(names)} given, {count} seats to fill")
        return [
            ScriptedPlayer(self.game, one, self.batch.params, seed=i)
            if isinstance(one, str)
            else one
            for i, one in enumerate(names)
        ]

    def _play_others(self) -> float:
        """Play until the seat is to act or the game is over; return what it was paid meanwhile."""
        reward = 0.0
        while not self._over and self.batch.current_player[0] != self.seat:
            left = (int(self.batch.current_player[0]) - self.seat) % self.batch.num_players
            self.batch.step(self._opponents[left - 1].act(self.batch, GAME_0))
            reward += float(self.batch.rewards[0, self.seat])
            self._over = bool(self.batch.dones[0])
        return reward

    def _forfeit(
        self, number: int
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        self.batch.states[0].terminated = True
        self.batch.look()
        self._over = True
        seats, team = self.batch.num_players, self.batch.is_team
        cost = stake(self.batch.params.reward, self.game.rules.worst_hand, team=team)
        payoff = forfeit(seats, self.seat, cost, team=team)
        rank = int(forfeit_ranks(seats, self.seat, team=team)[self.seat])
        info = self._info() | {"rank": rank, "is_winner": False, "illegal": number}
        return self._look(), float(payoff[self.seat]), True, False, info

    def _look(self) -> NDArray[np.float32]:
        seen: NDArray[np.float32]
        if self.batch.current_player[0] == self.seat:
            seen = self.batch.observations[0].copy()
        else:
            seen = self.batch.observe(np.array([self.seat]))[0]
        return seen

    def _info(self) -> dict[str, Any]:
        mask = self.batch.masks[0].astype(np.int8)
        info: dict[str, Any] = {"action_mask": mask, **self._facts, "seat": self.seat}
        if self._over:
            state = self.batch.states[0]
            scores, ranks = self.batch.standings()
            rank = int(ranks[0, self.seat])
            info["score"] = int(scores[0, self.seat])
            info["rank"] = rank
            info["hand_scores"] = self.game.hand_scores(state, self.seat)
            info["is_winner"] = rank == 1
        return info
