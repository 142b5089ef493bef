"""A Gymnasium environment of one seat of any game; players hold the other seats."""

from __future__ import annotations

from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium.utils import seeding

from kitchentable.adapters.display import RENDER_MODES, Display, check_view, view_of, viewer_of
from kitchentable.adapters.seat_tables import Mask, Observation, Opponents, SeatTables
from kitchentable.core.copying import Copied
from kitchentable.core.parameters import one_line_repr, whole
from kitchentable.core.state import NOBODY, BoolArray
from kitchentable.engine.batch import GAME_0
from kitchentable.engine.games import as_seed
from kitchentable.render.view import AnyView


class SeatEnv(Copied, gymnasium.Env[Observation, int]):
    """A Gymnasium environment of one seat: every step is one decision of that seat.

    The observation is the vector, or with ``mask_in_observation`` a dict of the vector
    (``"observation"``) and the mask. With ``action_features`` it is a dict that also has a row of
    numbers for each legal action, see `rows.row_spaces`. ``info["action_mask"]`` (int8) and
    `action_masks` (bool, for sb3-contrib) contain the legal actions. When the game is over the mask
    is all ones, so a policy never receives an empty mask. Rewards that are paid while others move
    are returned with the seat's next observation, and those paid before its first decision with its
    first step, so they sum to the seat's payoff. ``info`` contains the game's facts (`Rules.info`),
    and at the end ``score``, ``rank``, ``hand_scores`` and ``is_winner``. An illegal action ends
    the game with the penalty of `TableEnv.forfeit`, and ``info["illegal"]`` is True. In a
    cooperative game the other players are teammates and receive the same rewards. A game that is
    over before the seat's first decision ends with its first step, for any action.

    Attributes:
        seat: the seat in the current game.
        batch: the table.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        seat: int | None = None,
        opponents: Opponents = None,
        mask_in_observation: bool | str = False,
        action_features: bool = False,
        render_mode: str | None = None,
        view: str = "mover",
        **params: Any,
    ) -> None:
        """Create the environment.

        Args:
            game: the game's name.
            seat: the seat to play; None: a random one in each game.
            opponents: the players of the other seats, or teammates: a scripted player's name or a
                player object, one for all seats or one for each, starting at the left of the
                seat. A game for one player has none. None: ``"greedy"``, or ``"random"`` if the
                game has no `greedy`.
            mask_in_observation: whether observations include the mask: under ``"action_mask"`` if
                True, or under the given key.
            action_features: whether observations describe the legal actions, as in `TableEnv`; they
                are dicts then.
            render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
            view: whose cards `render` shows: ``"mover"`` (this seat), ``"all"``, or an agent.
            params: the game's parameters, see its page.

        Raises:
            ValueError: an argument is invalid; the message says what is possible.
        """
        self._display = Display(render_mode)
        arguments = seat, opponents, mask_in_observation
        self._tables = SeatTables(game, 1, *arguments, action_features=action_features, **params)
        self.game, self.batch = self._tables.game, self._tables.batch
        self._opponents, self._facts = self._tables.opponents, self._tables.facts
        self._forfeits = self._tables.forfeits
        self._viewpoint = check_view(view, self.batch.num_players)
        self.seat = 0 if seat is None else seat
        self.observation_space = self._tables.observation_space
        self.action_space = self._tables.action_space  # type: ignore[assignment]
        self._np_random, self._np_random_seed = seeding.np_random()  # copies share its draws
        self._dealt = False
        self._over = self._reported = True
        self._owed = 0.0

    @property
    def render_mode(self) -> str | None:  # type: ignore[override]
        """The mode of `render`; None for a copy of an environment with a window."""
        return self._display.mode

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game and play up to the seat's first decision.

        Args:
            seed: the seed of this game and the following ones, a whole number from 0 on; None
                continues the random streams.
            options: None; there are no options.

        Raises:
            ValueError: the seed is invalid, or an option is given. The environment is unchanged
                then.
        """
        seed = None if seed is None else as_seed(seed)
        if options:
            raise ValueError(f"options={one_line_repr(options)} is not possible; there are none")
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._tables.seed_game(0, seed)
        self.batch.reset()
        self._forfeits.offenders[0] = NOBODY
        self.seat = self._tables.draw_seat(self.np_random)
        state = self.batch.states[0]
        self._dealt, self._reported = True, False
        self._over = bool(state.terminated or state.truncated)  # when dealt
        self._owed = self._play_others()
        self._show()
        return self._look()

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play ``action``, then the others, up to the seat's next decision or the end.

        Args:
            action: the number of an action, as in `TableEnv.step`. Anything else ends the game like
                an illegal action.

        Raises:
            RuntimeError: the game is over, or none has been dealt yet.
        """
        if not self._dealt:
            raise RuntimeError("no game has been dealt yet; call reset() first")
        if self._reported:
            raise RuntimeError("the game is over; call reset() first")
        number = whole(action)
        reward, self._owed = self._owed, 0.0
        illegal = {}
        if not self._over:
            if number is not None and self._is_legal(number):
                self.batch.play(number)
                reward += float(self.batch.rewards[0, self.seat])
                self._over = bool(self.batch.dones[0])
                reward += self._play_others()
            else:
                self._forfeits.forfeit(0, self.seat)
                self._over = True
                reward -= self._forfeits.stake
                illegal = {"illegal": True}
        self._reported = self._over
        truncated = bool(self._over and self.batch.states[0].truncated)
        self._show()
        seen, info = self._look()
        if self._over:
            info |= self._forfeits.infos(GAME_0, np.array([self.seat]))[0] | illegal
        return seen, reward, self._over and not truncated, truncated, info

    def action_masks(self) -> BoolArray:
        """Return the legal actions; bool, shape (num_actions,). All ones after the end."""
        mask: BoolArray = self._mask().astype(np.bool_)
        return mask

    def render(self) -> Any:
        """Return the table as text or picture, or show it in a window, as ``render_mode`` says."""
        return self._display.show(self._view)

    def _view(self) -> AnyView:
        viewer = viewer_of(self._viewpoint, self.batch, self.seat)
        return view_of(self.batch, viewer, offender=int(self._forfeits.offenders[0]))

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        return self._view().draw()._repr_svg_()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._display.close()

    def _show(self) -> None:
        """Show the table in its window, if there is one."""
        if self._display.mode == "human":
            self.render()

    def _play_others(self) -> float:
        """Play until the seat is to act or the game is over; return the seat's reward meanwhile."""
        reward = 0.0
        while not self._over and self.batch.current_player[0] != self.seat:
            left = (int(self.batch.current_player[0]) - self.seat) % self.batch.num_players
            self.batch.step(self._opponents[left - 1].act(self.batch, GAME_0))
            reward += float(self.batch.rewards[0, self.seat])
            self._over = bool(self.batch.dones[0])
        return reward

    def _is_legal(self, number: int) -> bool:
        return 0 <= number < len(self.batch.action_names) and bool(self.batch.masks[0, number])

    def _mask(self) -> Mask:
        mask: Mask = self.batch.masks[0].astype(np.int8)
        if self._over:
            mask[:] = 1
        return mask

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        """Return the seat's observation and info."""
        mask, seen = self._mask(), self.batch.observations[0]
        if self.batch.current_player[0] == self.seat:
            seen = seen.copy()
        else:
            seen = self.batch.observe(np.array([self.seat]))[0]
        info = {"action_mask": mask, **self._facts, "seat": self.seat}
        return self._tables.first(seen, mask, over=self._over), info
