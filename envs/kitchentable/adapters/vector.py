"""A Gymnasium vector environment of one seat in many games, on one batch of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from kitchentable.adapters.display import RENDER_MODES, Display, check_view, view_of, viewer_of
from kitchentable.adapters.seat_tables import Mask, Observation, Opponents, SeatTables
from kitchentable.core.copying import Copied
from kitchentable.core.parameters import one_line_repr, whole
from kitchentable.core.state import NOBODY, BoolArray
from kitchentable.engine.games import as_array, as_seed, described
from kitchentable.render.view import AnyView

Steps = NDArray[np.int64]
Vector = NDArray[np.float64]
RESET_MASK = "reset_mask"
OUTCOME = ("score", "rank", "is_winner")
"""The final infos that are numbers: Gymnasium's wrappers cannot convert arrays of objects."""


class SeatVectorEnv(Copied, VectorEnv[Observation, ArrayLike, NDArray[Any]]):
    """A Gymnasium vector environment of one seat in each of many games.

    Each game gives the same observations, rewards and infos as a `SeatEnv` with the same seed,
    resets and actions. They are combined as in `gymnasium.vector.SyncVectorEnv`, but infos contain
    only arrays of numbers: ``final_obs`` is stacked like the observations, and texts and lists are
    left out. Games restart according to ``autoreset_mode``. A mask is never empty: at the end of a
    game it is all ones, because a step that only resets accepts any action.

    An opponent that is a player object, not a name, plays in all games: one call decides in all
    games in which it is to act, and it is seeded with the seed of the first game.

    Attributes:
        seats: the seat in each current game; int64, shape (num_envs,).
        batch: the tables.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: int | None = None,
        opponents: Opponents = None,
        mask_in_observation: bool | str = False,
        action_features: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        view: str = "mover",
        **params: Any,
    ) -> None:
        """Create the environment.

        Args:
            game: the game's name.
            num_envs: the number of games.
            seat: as in `SeatEnv`.
            opponents: as in `SeatEnv`.
            mask_in_observation: as in `SeatEnv`.
            action_features: as in `SeatEnv`.
            autoreset_mode: when a finished game restarts, as defined by Gymnasium: in the next
                step (``"NextStep"``), in the same step (``"SameStep"``), or only by
                ``reset(options={"reset_mask": ...})`` (``"Disabled"``).
            threads: the number of threads of the engine, as in `Batch`; used for some hundred games
                or more.
            render_mode: None, ``"ansi"`` or ``"rgb_array"``.
            view: as in `SeatEnv`.
            params: the game's parameters, see its page.

        Raises:
            ValueError: an argument is invalid; the message says what is possible.
        """
        if render_mode == "human":
            raise ValueError(
                "render_mode='human' shows one game, not many; choose None, 'ansi' or 'rgb_array'"
            )
        self.render_mode = render_mode
        self._display = Display(render_mode)
        self._mode = _autoreset_mode(autoreset_mode)
        self._tables = SeatTables(
            game,
            num_envs,
            seat,
            opponents,
            mask_in_observation,
            threads=threads,
            action_features=action_features,
            **params,
        )
        self.batch, self._forfeits = self._tables.batch, self._tables.forfeits
        self._viewpoint = check_view(view, self.batch.num_players)
        self.num_envs = num_envs
        self.metadata = {
            "render_modes": [mode for mode in RENDER_MODES if mode != "human"],
            "render_fps": 1,
            "autoreset_mode": self._mode,
        }
        self.single_observation_space = self._tables.observation_space
        self.single_action_space = self._tables.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        facts = self._tables.facts.items()
        self._facts = {name: value for name, value in facts if isinstance(value, int | float)}
        self._rngs = [seeding.np_random()[0] for _ in range(num_envs)]
        self._everyone = np.arange(num_envs)
        self.seats: Steps = np.zeros(num_envs, np.int64)
        self._dealt = False
        self._over = np.ones(num_envs, np.bool_)
        self._reported = self._over.copy()  # games whose end `step` has returned
        self._pay: Vector = np.zeros(num_envs)  # rewards that `step` has not returned yet

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal new games and play up to each seat's first decision.

        Args:
            seed: ``seed + i`` for game ``i``, or a list with a seed or None for each game; None
                continues the random streams.
            options: ``{"reset_mask": mask}`` deals only some games; bool, shape (num_envs,). The
                others stay as they are, and are returned too.

        Raises:
            ValueError: an option, the mask or a seed is invalid; no game has changed then.
        """
        which = self._which(options)
        seeds = self._seeds(seed)
        seeded = {
            i: game_seed for i, game_seed in enumerate(seeds) if which[i] and game_seed is not None
        }
        for k, (i, game_seed) in enumerate(seeded.items()):
            self._rngs[i] = seeding.np_random(game_seed)[0]
            self._tables.seed_game(i, game_seed, first=k == 0)
        self._dealt = True
        self._deal(which)
        self._play_others()
        mask = self._masks()
        return self._look(mask), self._infos(mask)

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, Vector, BoolArray, BoolArray, dict[str, Any]]:
        """Play an action in each game, then the others, up to each seat's next decision or the end.

        Args:
            actions: integers, shape (num_envs,). An illegal action ends its game. The action of a
                game that only restarts in this step is ignored.

        Raises:
            ValueError: the actions have another shape or dtype; no game has changed then.
            RuntimeError: no game has been dealt yet, or a game is over and must be reset.
        """
        numbers = read_actions(actions, self.num_envs)
        self._refuse_ended()
        starting, legal = self._reported, is_legal(self.batch.masks, numbers)
        illegal = ~(legal | self._over)
        self._play(np.where(legal, numbers, -1))
        if illegal.any():
            self._forfeit(illegal)
        if starting.any():
            self._deal(starting)
        self._play_others()
        rewards = np.where(starting, 0.0, self._pay)
        self._pay -= rewards
        # A game that has just been dealt ends with its first step, even if it is over already.
        self._reported = ended = self._over & ~starting
        truncations = ended & self.batch.records["truncated"]
        outcome = self._outcome(ended, illegal) if ended.any() else {}
        mask, final = self._masks(), {}
        if outcome and self._mode is AutoresetMode.SAME_STEP:
            final = self._final(mask, ended, outcome)
            outcome = {}
            self._deal(ended)
            self._play_others()
            mask = self._masks()
        infos = self._infos(mask) | outcome | final
        return self._look(mask), rewards, ended & ~truncations, truncations, infos

    def render(self) -> tuple[Any, ...] | None:
        """Return every table as text or picture, as ``render_mode`` says."""
        if self.render_mode is None:
            return None
        return tuple(
            self._display.show(partial(self._view, i, seat, offender))
            for i, (seat, offender) in enumerate(
                zip(self.seats.tolist(), self._forfeits.offenders.tolist(), strict=True)
            )
        )

    def _view(self, i: int, seat: int, offender: int) -> AnyView:
        viewer = viewer_of(self._viewpoint, self.batch, seat)
        return view_of(self.batch, viewer, i, offender=offender)

    # --- Play -----------------------------------------------------------------------------------

    def _deal(self, which: BoolArray) -> None:
        """Deal new games and clear their rewards and ends."""
        self.batch.reset(which)
        self._forfeits.offenders[which] = NOBODY
        for i in np.flatnonzero(which):
            self.seats[i] = self._tables.draw_seat(self._rngs[i])
        records = self.batch.records
        self._over[which] = (records["terminated"] | records["truncated"])[which]
        self._reported = self._reported & ~which
        self._pay[which] = 0.0

    def _play(self, actions: Steps) -> None:
        self.batch.step(actions)
        self._pay += self.batch.rewards[self._everyone, self.seats]
        self._over |= self.batch.dones

    def _play_others(self) -> None:
        """Play until each seat is to act or its game is over, with one call per player and turn."""
        while True:
            left = (self.batch.current_player - self.seats) % self.batch.num_players
            left[self._over] = 0
            if not left.any():
                return
            actions = np.full(self.num_envs, -1)
            for k, opponent in enumerate(self._tables.opponents, start=1):
                games = np.flatnonzero(left == k)
                if len(games):
                    actions[games] = opponent.act(self.batch, games)
            self._play(actions)

    def _forfeit(self, illegal: BoolArray) -> None:
        """End games in which the seat chose an illegal action, and charge the cost."""
        self._forfeits.forfeit(illegal, self.seats[illegal])
        self._over |= illegal
        self._pay[illegal] -= self._forfeits.stake

    # --- Observations and infos -----------------------------------------------------------------

    def _masks(self) -> Mask:
        masks: Mask = self.batch.masks.astype(np.int8)
        masks[self._over] = 1
        return masks

    def _look(self, masks: Mask) -> Observation:
        seen = self.batch.observations.copy()
        over = np.flatnonzero(self._over)
        if len(over):
            seen[over] = self.batch.observe_records(self.batch.records[over], self.seats[over])
        return self._tables.observation(seen, masks, self._over)

    def _infos(self, masks: Mask) -> dict[str, Any]:
        all_games = np.ones(self.num_envs, np.bool_)
        infos = {"action_mask": masks, "_action_mask": all_games}
        columns = {name: [value] * self.num_envs for name, value in self._facts.items()}
        return infos | self._columns(all_games, columns | {"seat": self.seats})

    def _outcome(self, ended: BoolArray, illegal: BoolArray) -> dict[str, Any]:
        """Return the infos of games that have ended."""
        games = np.flatnonzero(ended)
        outcomes = self._forfeits.infos(games, self.seats[games])
        infos = self._columns(
            ended, {name: [outcome[name] for outcome in outcomes] for name in OUTCOME}
        )
        if illegal.any():
            infos |= self._columns(illegal, {"illegal": [True] * int(illegal.sum())})
        return infos

    def _columns(self, which: BoolArray, columns: Mapping[str, ArrayLike]) -> dict[str, Any]:
        """Return the columns of Gymnasium's infos: numbers by game, and masks of the games."""
        infos: dict[str, Any] = {}
        for name, values in columns.items():
            column = np.zeros(self.num_envs, np.asarray(values).dtype)
            column[which] = values
            infos |= {name: column, f"_{name}": which.copy()}
        return infos

    def _final(self, masks: Mask, ended: BoolArray, outcome: dict[str, Any]) -> dict[str, Any]:
        """Return the final observations and infos of games that restart in the same step."""
        games, seen = np.flatnonzero(ended), np.zeros_like(self.batch.observations)
        seen[games] = self.batch.observe_records(self.batch.records[games], self.seats[games])
        infos = {
            name: ended.copy() if name.startswith("_") else values
            for name, values in self._infos(masks).items()
        }
        return {
            "final_obs": self._tables.observation(seen, masks, np.ones_like(ended)),
            "_final_obs": ended.copy(),
            "final_info": infos | outcome,
            "_final_info": ended.copy(),
        }

    # --- Checked arguments ----------------------------------------------------------------------

    def _refuse_ended(self) -> None:
        """Raise `RuntimeError` if a game must be reset before the next step."""
        if not self._dealt:
            raise RuntimeError("no game has been dealt yet; call reset() first")
        if self._mode is AutoresetMode.DISABLED and self._reported.any():
            raise RuntimeError(
                f"games {np.flatnonzero(self._reported).tolist()} are over; reset them first: "
                f"reset(options={{{RESET_MASK!r}: terminations | truncations}})"
            )

    def _which(self, options: Mapping[str, Any] | None) -> BoolArray:
        for key in options or {}:
            if key != RESET_MASK:
                raise ValueError(f"options: there is no {key!r}; the only one is {RESET_MASK!r}")
        if not options:
            return np.ones(self.num_envs, np.bool_)
        mask = as_array(RESET_MASK, options[RESET_MASK])
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"{RESET_MASK}: give bool of shape ({self.num_envs},), True for one game at least, "
                f"not {described(mask)}"
            )
        return mask

    def _seeds(self, seed: object) -> list[int | None]:
        if isinstance(seed, np.ndarray):
            seed = seed.tolist()
        if seed is None:
            return [None] * self.num_envs
        if whole(seed) is not None:
            return [as_seed(seed) + i for i in range(self.num_envs)]
        if not isinstance(seed, list | tuple) or len(seed) != self.num_envs:
            raise ValueError(
                f"seed: give a whole number from 0 on, or a list of {self.num_envs}, "
                f"not {one_line_repr(seed)}"
            )
        return [None if game_seed is None else as_seed(game_seed) for game_seed in seed]


def read_actions(actions: ArrayLike, num_envs: int) -> Steps:
    """Return an action for each game as int64; raise `ValueError` for another shape or dtype."""
    array = as_array("actions", actions)
    if array.dtype.kind not in "iu" or array.shape != (num_envs,):
        raise ValueError(
            f"actions: give whole numbers of shape ({num_envs},), not {described(array)}"
        )
    if array.dtype == np.uint64:  # larger than int64: as illegal as the largest int64
        array = np.minimum(array, np.uint64(np.iinfo(np.int64).max))
    return array.astype(np.int64)


def is_legal(masks: BoolArray, actions: Steps) -> BoolArray:
    """Return whether the action of each game is legal, whatever its number; bool, (num_envs,)."""
    possible = (actions >= 0) & (actions < masks.shape[1])
    chosen: BoolArray = masks[np.arange(len(masks)), np.where(possible, actions, 0)]
    legal: BoolArray = possible & chosen
    return legal


def _autoreset_mode(mode: object) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(repr(member.value) for member in AutoresetMode)
        raise ValueError(
            f"autoreset_mode={one_line_repr(mode)} is not possible; choose from {known}"
        ) from None
