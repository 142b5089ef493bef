"""A PettingZoo environment for any game."""

from __future__ import annotations

from difflib import get_close_matches
from reprlib import repr as short_repr
from typing import Any, ClassVar, SupportsIndex

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from kitchentable.adapters.display import RENDER_MODES, Display, check_view, view_of, viewer_of
from kitchentable.adapters.forfeits import Forfeits
from kitchentable.adapters.rows import NAMES, row_spaces
from kitchentable.core.copying import Copied
from kitchentable.core.game import Game
from kitchentable.core.parameters import one_line_repr, whole
from kitchentable.core.registry import find_game
from kitchentable.core.rewards import forfeit
from kitchentable.core.saving import ILLEGAL, SavedGame, check_same
from kitchentable.core.state import NOBODY, FloatArray, IntArray, slices
from kitchentable.engine.batch import GAME_0, Batch
from kitchentable.render.rulebook import Rulebook
from kitchentable.render.view import AnyView

Observation = dict[str, NDArray[Any]]
Last = tuple[Observation | Any, float, bool, bool, dict[str, Any]]
"""What `TableEnv.last` returns; the observation is None only for a caller who asks for none."""

_OF_A_GAME = (
    "_batch", "_seen", "_mask", "_legal", "_mover", "_hand_over", "_over", "_forfeits", "_course",
    "transcript", "agents", "agent_selection", "_skip_agent_selection", "_infos", "rewards",
    "_cumulative_rewards", "terminations", "truncations",
)  # fmt: skip
"""The attributes of a table that change from game to game."""
_INT8 = np.dtype(np.int8)
_OF_A_BATCH = frozenset({"num_envs", "seed", "threads", "autoreset"})
"""The arguments of a batch that are no options of a table."""
_OPTIONS = "deck", "saved"
"""The options of `TableEnv.reset`."""


class TableEnv(Copied, AECEnv[str, Observation, int]):
    """A PettingZoo AEC environment of one table; an agent may act several times in a row.

    An observation is ``{"observation": float32 vector, "action_mask": int8 vector}``; the mask is
    all zeros for agents that do not act. With ``action_features`` it also has a row of numbers for
    each legal action, see `rows.row_spaces`. ``infos`` also contain the mask, the game's facts
    (`Rules.info`), and at the end ``score``, ``rank``, ``hand_scores`` and ``is_winner``.

    Attributes:
        game: the `Game`.
        params: the game's parameters.
        action_names: the name of each action; constant.
        observation_parts: the slice of each part of the observation, by name.
        image_parts: the shape (channels, height, width) of each part that is a map; see `images`.
        state_parts: the slice of each part of `state`, by name.
        transcript: ``(agent, action name)`` of every decision since `reset`.
    """

    _derived: ClassVar[tuple[str, ...]] = (
        "_seen", "_mask", "_legal", "_mover", "_over", "_hand_over", "_no_mask",
    )  # fmt: skip

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str,
        *,
        render_mode: str | None = None,
        view: str = "mover",
        action_features: bool = False,
        **params: Any,
    ) -> None:
        """Create the environment; `reset` deals the first game.

        Args:
            game: the game's name.
            render_mode: None, ``"ansi"``, ``"rgb_array"`` or ``"human"``.
            view: whose cards `render` shows: ``"mover"`` (the agent to act), ``"all"``, an agent.
            action_features: whether observations describe the legal actions.
            params: the game's parameters, see its page.

        Raises:
            NotImplementedError: ``action_features`` of a game that has none.
            ValueError: an argument is invalid; the message says what is possible.
        """
        super().__init__()
        self.game: Game = find_game(game)
        self._display = Display(render_mode)
        if not _OF_A_BATCH.isdisjoint(params):
            self.game.make_params(**params)  # raises the error of an unknown parameter
        self._batch = Batch(
            self.game, 1, autoreset=False, action_features=action_features, **params
        )
        self.params = self._batch.params
        self._facts = dict(self.game.rules.info(self.params))
        self.metadata = {**type(self).metadata, "name": f"{game}_v{self.game.version}"}
        self.possible_agents = [f"player_{i}" for i in range(self._batch.num_players)]
        self.view = check_view(view, len(self.possible_agents))
        self.agents: list[str] = []
        self.action_names = self._batch.action_names
        self.transcript: list[tuple[str, str]] = []
        self.observation_parts = slices(self.game.rules.observation_layout(self.params))
        self.image_parts = dict(self.game.rules.image_parts(self.params))
        self.state_parts = slices(self.game.rules.full_layout(self.params))
        self._make_spaces()
        self._seats = {agent: i for i, agent in enumerate(self.possible_agents)}
        self._no_rewards = dict.fromkeys(self.possible_agents, 0.0)
        self._forfeits = Forfeits(self._batch)
        self._infos: dict[str, dict[str, Any]]
        self._derive()

    def _derive(self) -> None:
        """Make views of what every step reads; memory views quickly give plain Python numbers."""
        batch = self._batch
        self._seen, self._mask = batch.observations[0], batch.masks[0].view(np.int8)
        view: Any = memoryview
        self._legal, self._mover = view(batch.masks[0]), view(batch.current_player)
        self._over, self._hand_over = view(batch.dones), view(batch.states["hand_over"])
        self._no_mask = np.frombuffer(bytes(len(self.action_names)), _INT8)
        for info in vars(self).get("_infos", {}).values():
            info["action_mask"].flags.writeable = False  # which copied arrays are not

    def _make_spaces(self) -> None:
        size, num_actions = self._batch.observations.shape[1], len(self.action_names)
        # One space per agent: sampling and seeding one must not affect another.
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
                    **(row_spaces(self._batch) if self._batch.action_features else {}),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(num_actions) for agent in self.possible_agents}
        length = max((part.stop for part in self.state_parts.values()), default=0)
        self.state_space = spaces.Box(0.0, 1.0, (length,), np.float32)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of ``agent``'s observations, always the same object."""
        self._seat(agent)  # raises for an unknown agent
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of ``agent``'s actions, always the same object."""
        self._seat(agent)
        return self.action_spaces[agent]

    # --- Playing --------------------------------------------------------------------------------

    def reset(
        self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Deal a new game.

        Args:
            seed: the seed of this game and the following ones; None continues the random stream.
            options: ``"deck"``: names of the cards on top of the first hand's deck, the next card
                first; the rest is shuffled. Or ``"saved"``: what `save` returned; the table goes on
                from there instead of a new game. Other keys are ignored, as in PettingZoo.

        Raises:
            ValueError: the deck has an unknown card or too many copies of one, a key is similar to
                an option's, the seed is invalid, or the saved table is damaged, of another game,
                version, parameters or facts (`Rules.info`), or given with a seed or a deck; the
                table is unchanged then.
        """
        options = _checked(options)
        if "saved" in options:
            if seed is not None or options.get("deck") is not None:
                raise ValueError('options: a "saved" table goes with neither a seed nor a "deck"')
            self._take_over(options["saved"])
        else:
            self._deal(seed, options.get("deck"))
        self._show()

    def _deal(self, seed: SupportsIndex | None, deck: Any) -> None:
        """Deal a new game, see `reset`."""
        top = self.game.read_deck(self.params, deck)
        if seed is not None:
            self._batch.seed(seed)
        state = self._batch.states[0]
        # What `save` needs, see `SavedGame`.
        self._course: dict[str, Any] = {
            "deal": int(state.seed),
            "deck": list(deck or ()),
            "actions": [],
        }
        self._batch.reset(top=top)
        self._forfeits.offenders[0] = NOBODY
        self.transcript = []
        self.agents = self.possible_agents[:]
        self.rewards, self._cumulative_rewards = self._no_rewards.copy(), self._no_rewards.copy()
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._find_mover()
        if state.terminated:  # no action is possible after the deal
            self._finish()

    def step(self, action: SupportsIndex | None) -> None:
        """Play ``action`` for the agent to act, or None for an agent whose game has ended.

        Args:
            action: the number of an action: an integer of Python, or an integer scalar of numpy,
                torch or another package.

        Raises:
            ValueError: the action is illegal, or not a whole number; the message lists the legal
                ones. Nothing changes.
            RuntimeError: no game is being played.
        """
        if not self.agents:
            raise RuntimeError("no game is being played; call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            self._course["actions"].append(None)
            return
        number = self.check_action(action)
        self._batch.play(number)
        self._note(agent, self.action_names[number])
        if self._hand_over[0] or self._over[0]:
            self._pay(self._batch.rewards[0])
        else:
            self.rewards = self._no_rewards.copy()
        if self._over[0]:
            self._finish()
        else:
            self._find_mover()
        self._show()

    def _show(self) -> None:
        """Show the table in its window, if there is one."""
        if self._display.mode == "human":
            self.render()

    def _note(self, agent: str, name: str) -> None:
        """Record a decision; the agent has received all rewards paid before it."""
        self.transcript.append((agent, name))
        self._course["actions"].append(name)
        self._cumulative_rewards[agent] = 0.0

    def check_action(self, action: object) -> int:
        """Return an action as an int, if it is legal for the agent to act.

        Raises:
            ValueError: it is not; the message names it and the legal actions.
        """
        number = whole(action)
        if number is None:
            raise ValueError(
                f"an action is a whole number, not {one_line_repr(action)}; "
                f"legal: {', '.join(self.legal_actions())}"
            )
        if not self.is_legal(number):
            raise ValueError(self._batch.describe_illegal(0, number))
        return number

    def is_legal(self, action: object) -> bool:
        """Return whether an action is legal for the agent to act; none is after the game's end.

        Args:
            action: any object; what is not a whole number is not legal.
        """
        number = whole(action)
        return number is not None and 0 <= number < len(self._legal) and bool(self._legal[number])

    def forfeit(self, action: object) -> None:
        """End the game because the agent to act chose ``action``, which is not a legal one.

        The agent loses 1 with ``reward="win"``, or the cost of the worst hand with ``"margin"``,
        and the others share that amount. The agent is ranked last, and the others win. A team
        (`Game.is_team`) loses as a whole: each seat loses 1 and has rank 2. Earlier rewards remain.

        Raises:
            RuntimeError: no game is being played.
        """
        number = whole(action)
        self._forfeit(" ".join(short_repr(action).split()) if number is None else str(number))

    def _forfeit(self, chosen: str) -> None:
        """End the game because of an illegal action, which the transcript describes so."""
        if not self.agents or self.is_over:
            raise RuntimeError("no game is being played; call reset() first")
        agent = self.agent_selection
        offender = self._seats[agent]
        self._forfeits.forfeit(0, offender)
        self._note(agent, f"{ILLEGAL}{chosen}")
        seats, team = self._batch.num_players, self._batch.is_team
        self._pay(forfeit(seats, offender, self.stake, team=team))
        self._finish()
        self._show()

    @property
    def mover(self) -> int:
        """The seat to act: that of `agent_selection`."""
        return self._seats[self.agent_selection]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules, at its limit or by an illegal action."""
        state = self._batch.states[0]
        return bool(state.terminated or state.truncated)

    @property
    def render_mode(self) -> str | None:
        """The mode of `render`; None for a copy of a table with a window."""
        return self._display.mode

    @property
    def stake(self) -> float:
        """The cost of an illegal action in `env`, in units of reward."""
        return self._forfeits.stake

    def _pay(self, rewards: NDArray[Any]) -> None:
        self.rewards = {agent: float(rewards[self._seats[agent]]) for agent in self.agents}
        self._accumulate_rewards()

    def _find_mover(self) -> None:
        """Select the agent to act and make its info; `infos` makes those of the other agents."""
        self.agent_selection = agent = self.possible_agents[self._mover[0]]
        # Read-only, and made once per step: PettingZoo compares infos by the identity of arrays.
        mask = np.frombuffer(self._legal.tobytes(), _INT8)
        self._infos = {agent: {"action_mask": mask, **self._facts}}

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """The info of each agent. Those of agents that do not act are made when first read.

        Raises:
            RuntimeError: no game has been dealt yet.
        """
        self._refuse_undealt()
        if len(self._infos) < len(self.agents):
            self._infos = {
                agent: self._infos.get(agent) or {"action_mask": self._no_mask, **self._facts}
                for agent in self.agents
            }
        return self._infos

    def _finish(self) -> None:
        """End the game for all agents at once."""
        state = self._batch.states[0]
        truncated = bool(state.truncated)
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        seats = np.arange(self._batch.num_players)
        infos = self._forfeits.infos(np.zeros_like(seats), seats)
        self._infos = {
            agent: {"action_mask": self._no_mask, **self._facts, **info}
            for agent, info in zip(self.possible_agents, infos, strict=True)
        }

    # --- Observing ------------------------------------------------------------------------------

    @property
    def batch(self) -> Batch:
        """The game as a batch of one, for players; only the table may play in it."""
        return self._batch

    def observe(self, agent: str) -> Observation:
        """Return the observation of any agent at any time; its arrays are the caller's own.

        Raises:
            ValueError: there is no such agent; the message lists the agents.
            RuntimeError: no game has been dealt yet.
        """
        player = self._seat(agent)
        if not self.agents:
            self._refuse_undealt()
        if player == self._mover[0]:
            seen = {"observation": self._seen.copy(), "action_mask": self._mask.copy()}
            return seen | self._rows(acts=True) if self._batch.action_features else seen
        vector = self._batch.observe(np.array([player]))[0]
        seen = {"observation": vector, "action_mask": self._no_mask.copy()}
        return seen | self._rows(acts=False) if self._batch.action_features else seen

    def _rows(self, *, acts: bool) -> Observation:
        """Return the description of the legal actions; of none, unless the agent acts."""
        batch = self._batch
        rows, actions = (batch.rows, batch.row_actions) if acts else batch.empty_rows(1)
        return dict(zip(NAMES, (rows[0].copy(), actions[0].copy()), strict=True))

    def last(self, observe: bool = True) -> Last:
        """Return observation, reward, flags and info of the agent to act.

        Raises:
            RuntimeError: no game is being played: none has been dealt yet, or all agents have had
                the last step of theirs.
        """
        if not self.agents:
            self._refuse_undealt()
            raise RuntimeError("no game is being played; call reset() first")
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        reward, info = self._cumulative_rewards[agent], self._infos[agent]
        return seen, reward, self.terminations[agent], self.truncations[agent], info

    def _refuse_undealt(self) -> None:
        if not hasattr(self, "_infos"):
            raise RuntimeError("no game has been dealt yet; call reset() first")

    def _seat(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            known = ", ".join(self.possible_agents)
            raise ValueError(f"there is no agent {agent!r}; there are {known}") from None

    def images(self, observation: FloatArray) -> dict[str, FloatArray]:
        """Return the maps in observation vectors as images by name, without copying."""
        return self.game.images(self.params, observation)

    def state(self) -> NDArray[np.float32]:
        """Return the full state, for centralized critics; float32, with the parts `state_parts`."""
        state: NDArray[np.float32] = self._batch.observe_state()[0]
        return state

    def legal_actions(self) -> list[str]:
        """Return the names of the legal actions of the agent to act."""
        return [self.action_names[i] for i in np.flatnonzero(self._batch.masks[0])]

    @property
    def scores(self) -> IntArray:
        """The points so far by seat, as the rule sheet counts them; int32."""
        points: IntArray = self._batch.standings()[0][0]
        return points

    @property
    def ranks(self) -> IntArray:
        """The current rank of each seat, int32; 1 is the best, and tied seats share the better."""
        ranks: IntArray = self._forfeits.standings(GAME_0)[1][0]
        return ranks

    def render(self) -> Any:
        """Return the table as text or picture, or show it in a window, as ``render_mode`` says."""
        return self._display.show(self._view)

    def _view(self) -> AnyView:
        viewer, offender = viewer_of(self.view, self._batch), int(self._forfeits.offenders[0])
        return view_of(self._batch, viewer, offender=offender)

    def rules(self) -> str:
        """Return the rules of the game with these parameters as text, for people."""
        return Rulebook(self.game, self.params).text()

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows; None before the first `reset`."""
        return self._view().draw()._repr_svg_() if hasattr(self, "_infos") else None

    def close(self) -> None:
        """Close the window, if there is one."""
        self._display.close()

    # --- Saving, copying, redealing -------------------------------------------------------------

    def save(self) -> bytes:
        """Return the table as bytes that contain the deal and all decisions since."""
        if not hasattr(self, "_infos"):
            raise RuntimeError("there is nothing to save yet; call reset() first")
        return self._saved().to_json().encode()

    def _saved(self) -> SavedGame:
        """Return the table as it is saved."""
        return SavedGame(
            game=self.game.name,
            version=self.game.version,
            params=self.params.plain(),
            info=self._facts,
            **self._course,
        )

    def load(self, data: bytes) -> None:
        """Load a table that `save` returned: ``reset(options={"saved": data})``.

        Raises:
            ValueError: as in `reset`.
        """
        self.reset(options={"saved": data})

    def _take_over(self, data: bytes) -> None:
        """Become a saved table, by replaying its decisions at another one."""
        saved = SavedGame.from_json(data)
        describes = self._batch.action_features
        table = TableEnv(self.game.name, action_features=describes, **self.params.as_dict())
        table.reset()
        current = table._saved()
        for name in ("game", "version", "params", "info"):
            check_same(name, getattr(saved, name), getattr(current, name))
        table._batch.states[0].seed = saved.deal
        table.reset(options={"deck": saved.deck})
        for number, event in enumerate(saved.actions):
            try:
                table._happen(event)
            except (ValueError, RuntimeError) as error:
                raise ValueError(f"the saved game's actions, entry {number}: {error}") from None
        for name in _OF_A_GAME:
            setattr(self, name, getattr(table, name))

    def _happen(self, event: Any) -> None:
        """Replay one entry of a saved game's actions."""
        if isinstance(event, list) and len(event) == 2:
            self.redeal(*event)
        elif isinstance(event, str) and event.startswith(ILLEGAL):
            self._forfeit(event.removeprefix(ILLEGAL))
        elif event is None or event in self.action_names:
            self.step(None if event is None else self.action_names.index(event))
        else:
            raise ValueError(f"there is no action {event!r}")

    def redeal(self, agent: str, seed: SupportsIndex) -> TableEnv:
        """Redeal, in place, all cards that ``agent`` cannot know.

        Args:
            agent: the agent whose observation stays the same.
            seed: the seed of the new deal.

        Returns:
            The table itself; ``copy.deepcopy(table).redeal(agent, 1)`` keeps the original.

        Raises:
            ValueError: the agent or the seed is invalid.
            RuntimeError: no game has been dealt yet.
            NotImplementedError: the game has no ``redeal``.
        """
        self._refuse_undealt()
        self._batch.redeal(np.array([self._seat(agent)]), seed)
        self._course["actions"].append([agent, int(seed)])
        if self.agents and not self.is_over:
            self._find_mover()  # legal actions may depend on cards that `agent` cannot know
        return self


def _checked(options: object) -> dict[str, Any]:
    """Return the options of a reset; raise `ValueError` if one is misspelled."""
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise ValueError(f"options={one_line_repr(options)} is not possible; give a dict")
    for key in options:
        similar = get_close_matches(str(key).lower(), _OPTIONS, cutoff=0.7)
        if key not in _OPTIONS and similar:
            raise ValueError(f'options: there is no {key!r}; did you mean "{similar[0]}"?')
    return options
