"""Settings of a training run: one YAML file, checked key by key."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, PositiveInt, ValidationError, field_validator, model_validator

from kitchentable import Game, find_game
from kitchentable_training.files import CARD, read_json, read_yaml
from kitchentable_training.algorithms.registry import ALGORITHMS
from kitchentable_training.algorithms.league import OpponentSettings
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.players.by_name import find_checkpoint
from kitchentable_training.settings import (
    Settings,
    Share,
    Weight,
    did_you_mean,
    errors_in,
    one_of,
)
from kitchentable_training.shipped import find_config, shipped_runs
from kitchentable_training.strict_yaml import parse_yaml


class PPOSettings(Settings):
    """Settings of PPO, named as in sb3-contrib's MaskablePPO.

    The other algorithms use those that apply to them. A setting with a ``final_`` value changes
    linearly to that value during the run; null: it stays constant.
    """

    n_steps: PositiveInt = 64
    """Steps of each game between updates."""
    batch_size: PositiveInt = 4096
    n_epochs: PositiveInt = 2
    learning_rate: Annotated[float, Field(gt=0)] = 0.0005
    final_learning_rate: Annotated[float, Field(ge=0)] = 0.00001
    gamma: Share = 1.0
    gae_lambda: Share = 0.7
    clip_range: Annotated[float, Field(gt=0)] = 0.2
    ent_coef: Weight = 0.0
    final_ent_coef: Weight | None = None
    vf_coef: Weight = 0.5
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5
    """The maximum norm of a gradient; a large number, as in 1e9, turns clipping off."""


class MonteCarloSettings(Settings):
    """Settings of deep Monte Carlo, see `dmc.DeepMonteCarlo`."""

    epsilon: Share = 0.1
    """The probability of a random action at the beginning."""
    final_epsilon: Share = 0.02
    """The probability at the end; it changes linearly."""


class SelfPlaySettings(Settings):
    """Settings of self-play and `dmc`, in addition to `PPOSettings`; see `selfplay`."""

    league: Share = 0.0
    """The share of the tables at which the learner plays one seat and ``opponents`` the others."""
    magnet_coef: Weight = 0.0
    """The weight of the divergence from the magnet."""
    lookahead: Annotated[int, Field(ge=0)] = 0
    """The number of deals on which every legal action is tried, see `lookahead`. If it is not 0,
    the magnet is computed from the resulting values instead of an average of the policy, and
    replaces the advantages."""
    full_state_critic: bool = False
    """Whether advantages use a critic that sees the full state. It has the layers of the policy and
    does not act."""
    duplicates: Annotated[int, Field(ge=0)] = 0
    """The number of copies of each table, which play the same deal from the beginning of every
    rollout. If it is not 0, advantages use a critic that receives the payoffs of the same deal at
    the other copies. It has the layers of the policy and does not act."""
    bfloat16: bool = False
    """Whether layers multiply in bfloat16, including those of networks in the other seats. Some
    processors do this several times faster. Processors without bfloat16 use float32."""
    normalize_advantage: bool = False
    """Whether the advantages of a minibatch are scaled to mean 0 and standard deviation 1."""
    shaping: bool = False
    """Whether a team receives potential-based shaping rewards, which are taken back at the end:
    `Players.team_potential`."""


class ImitationSettings(Settings):
    """Settings of imitating a scripted player, before the first step."""

    player: str
    """The scripted player."""
    decisions: PositiveInt
    """The number of decisions to learn from, each once; a multiple of ``lesson``."""
    lesson: PositiveInt
    """The number of decisions collected at a time."""
    batch_size: PositiveInt
    learning_rate: Annotated[float, Field(gt=0)]
    """The initial learning rate; it decreases linearly to 0."""

    @model_validator(mode="after")
    def _has_whole_lessons(self) -> ImitationSettings:
        if self.decisions % self.lesson:
            raise ValueError(f"decisions={self.decisions} is no multiple of lesson={self.lesson}")
        return self


class EvaluationSettings(Settings):
    """Settings of evaluations on duplicate deals, during training and at the end.

    In cooperative and one-player games (`Game.is_team`) the opponents play the same deals as the
    learner on their own, each in all seats.
    """

    every: PositiveInt = 1_000_000
    """The number of learner steps between evaluations."""
    deals: PositiveInt = 200
    """The number of deals during training; each is played once from each seat, or once by a
    team."""
    final_deals: PositiveInt = 5_000
    """The number of deals at the end."""
    opponents: Annotated[list[str], Field(min_length=1)]
    """The opponents: scripted players, or checkpoints by folder or name."""


class RunSettings(Settings):
    """All settings of a training run."""

    game: str
    params: dict[str, Any] = Field(default_factory=dict)
    """The game's parameters."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    """The seed of weights, deals, actions and opponents."""
    steps: PositiveInt
    """The total number of decisions of the learner."""
    num_envs: PositiveInt = 1024
    """The number of games that are played in parallel."""
    threads: PositiveInt = 1
    """The number of threads of torch and, in self-play, of the engine and the computation of
    network inputs. Another number may change the last bits of the weights."""
    device: Literal["cpu", "cuda"] = "cpu"
    """The device of the learning network and of the networks in the other seats; see
    `games_device` for the games. With several GPUs it is the first one in CUDA_VISIBLE_DEVICES.
    Evaluations run on the CPU."""
    episode: Literal["game", "hand"] = "game"
    """The unit over which advantages are estimated. ``hand`` needs the reward ``margin``: the
    reward of a hand is then credited only to decisions of that hand."""
    checkpoint_seconds: Annotated[float, Field(gt=0)] = 120.0
    """The number of seconds between checkpoints."""
    checkpoints_kept: PositiveInt = 3
    """The number of newest checkpoints that are kept."""
    algorithm: Annotated[str, one_of(ALGORITHMS)] = "selfplay"
    """The algorithm: one of `algorithms.ALGORITHMS`, which name the settings that it does not
    read."""
    ppo: PPOSettings = PPOSettings()
    dmc: MonteCarloSettings = MonteCarloSettings()
    selfplay: SelfPlaySettings = SelfPlaySettings()
    network: NetworkSettings = NetworkSettings()
    start: str | None = None
    """The checkpoint whose policy the learner starts from: a folder, or a name in ``checkpoints/``;
    null: random weights."""
    carry_over: bool = False
    """Whether ``start`` may belong to another variant of the game or have a narrower network. The
    weights are then matched by the names of the inputs (see `networks.carry_over`)."""
    imitation: ImitationSettings | None = None
    opponents: OpponentSettings = OpponentSettings()
    evaluation: EvaluationSettings

    @property
    def on_engine(self) -> bool:
        """Whether rollouts are those of `selfplay`."""
        return ALGORITHMS[self.algorithm].on_engine

    @property
    def games_device(self) -> str:
        """The device that plays the training games: ``"cpu"`` or ``"cuda"``.

        With ``device: cuda`` it is the GPU if rollouts are those of `selfplay` and need nothing
        that is computed only on the CPU.
        """
        own, network = self.selfplay, self.network
        shown = network.relations or network.action_features or network.derived_parts
        if shown or own.lookahead or own.shaping or not self.on_engine:
            return "cpu"
        return self.device

    @field_validator("game")
    @classmethod
    def _game_exists(cls, name: str) -> str:
        find_game(name)
        return name

    @model_validator(mode="after")
    def _fits_together(self) -> RunSettings:
        game = find_game(self.game)
        params = self._make_params(game)
        self._check_players(game)
        self._check_algorithm(game, params)
        self._check_lookahead(game, params)
        self._check_opponents(params.num_players)
        self.network.check(game)
        if self.carry_over and self.start is None:
            raise ValueError("carry_over: there is nothing to carry over; give start")
        if self.episode == "hand" and params.reward != "margin":
            raise ValueError("episode: hand needs params.reward: margin")
        size = self.num_envs * self.ppo.n_steps
        if size % self.ppo.batch_size:
            raise ValueError(
                f"ppo.batch_size={self.ppo.batch_size} does not divide num_envs x n_steps = {size}"
            )
        return self

    def _make_params(self, game: Game) -> Any:
        known = [field.name for field in dataclasses.fields(game.rules.params)]
        for name in self.params:
            if name not in known:
                close = did_you_mean(name, known) or f"; {game.name} has {', '.join(known)}"
                raise ValueError(f"params.{name}: there is no such parameter{close}")
        try:
            return game.make_params(**self.params)
        except ValueError as error:
            raise ValueError(f"params: {error}") from None

    def _check_players(self, game: Game) -> None:
        named = {f"opponents.scripted.{name}": name for name in self.opponents.scripted}
        if self.imitation is not None:
            named["imitation.player"] = self.imitation.player
        for key, name in named.items():
            if name not in game.players.scripted:
                has = ", ".join(game.players.scripted)
                raise ValueError(f"{key}: {game.name} has no player {name!r}; it has {has}")

    def _check_algorithm(self, game: Game, params: Any) -> None:
        for name, why in ALGORITHMS[self.algorithm].refuses.items():
            *groups, key = name.split(".")
            group: Any = reduce(getattr, groups, self)
            default = type(group).model_fields[key].default
            if getattr(group, key) != default:
                off = "{}" if isinstance(default, Settings) else json.dumps(default)
                raise ValueError(f"algorithm: {self.algorithm} {why}; set {name} to {off}")
        if self.algorithm == "dmc" and self.network.action_features and not self.network.best_row:
            raise ValueError(
                "network.best_row: an action is worth what its best row is, which algorithm: dmc "
                "learns; set it to true"
            )
        own = self.selfplay
        if own.full_state_critic and game.rules.observe_state is None:
            raise ValueError(f"selfplay.full_state_critic: {game.name} has no full state")
        if self.num_envs % (own.duplicates + 1):
            raise ValueError(
                f"selfplay.duplicates={own.duplicates}: num_envs={self.num_envs} is no multiple of "
                f"{own.duplicates + 1}"
            )
        if own.duplicates and own.league:
            raise ValueError(
                "selfplay.duplicates: the same players must sit at all copies; set "
                "selfplay.league to 0"
            )
        if own.shaping and not (game.is_team(params) and game.players.team_potential):
            raise ValueError("selfplay.shaping: only for a team of fiddlefoo (params.cooperative)")

    def _check_lookahead(self, game: Game, params: Any) -> None:
        own = self.selfplay
        if not own.lookahead:
            return
        if params.num_players > 2 and not game.is_team(params):
            raise ValueError("selfplay.lookahead: only for one or two seats, or for a team")
        if not own.magnet_coef:
            raise ValueError("selfplay.lookahead: set selfplay.magnet_coef, which weights it")
        for name, found, wanted in (
            ("selfplay.league", own.league, 0),
            ("selfplay.shaping", own.shaping, False),
            ("ppo.gamma", self.ppo.gamma, 1),
        ):
            if found != wanted:
                raise ValueError(f"selfplay.lookahead: set {name} to {json.dumps(wanted)}")

    def _check_opponents(self, num_players: int) -> None:
        others = self.opponents
        invited = any(others.scripted.values()) or any(others.trained.values())
        league = self.selfplay.league if self.on_engine else 1.0
        if num_players > 1 and league and not invited:
            raise ValueError("opponents: give at least one of scripted or trained a weight above 0")
        alone = num_players == 1
        if (alone or not league) and (invited or others.past_selves):
            why = "a game for one seat has none" if alone else "selfplay.league is 0"
            raise ValueError(
                f"opponents: {why}; set scripted and trained to {{}}, past_selves to 0"
            )


def load_settings(source: str | Path, overrides: Sequence[str] = ()) -> RunSettings:
    """Read the settings of a run: of the last stage, if the source has several (`load_stages`)."""
    *_, ((_, where), content) = _read_stages(source, overrides).items()
    return parse_settings(content, where)


def load_stages(source: str | Path, overrides: Sequence[str] = ()) -> dict[str, RunSettings]:
    """Read the settings of a run, and those of the stages before it in its file.

    A player may be trained in several runs. Its file then names them under ``stages``, in order,
    each with the settings that differ from those of the whole file.

    Args:
        source: a YAML file, the name of shipped settings or of one of their stages, or a
            checkpoint's folder or name, for the settings with which it was trained.
        overrides: strings ``key=value``, with dots for groups, as in ``ppo.gamma=0.99``; for all
            stages.

    Returns:
        The settings by the names of the runs, the wanted one last.

    Raises:
        ValueError: the file or an override cannot be read, or a key is unknown, missing or has an
            invalid value; the message names it.
    """
    return {
        name: parse_settings(content, where)
        for (name, where), content in _read_stages(source, overrides).items()
    }


def _read_stages(
    source: str | Path, overrides: Sequence[str]
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the content of `load_stages`, by names of runs and places for error messages."""
    file = _settings_file(source)
    content = read_json(file).get("settings") if file.name == CARD else read_yaml(file)
    if not isinstance(content, dict):
        raise ValueError(f"{file} holds no settings; give a mapping of keys to values")
    stages = _split(content, file, Path(source).stem)
    found = {}
    for name, own in stages.items():
        for override in overrides:
            _override(own, override)
        found[name, str(source) if len(stages) == 1 else f"{source}, {name}"] = own
        if name == str(source):
            break
    return found


def _settings_file(source: str | Path) -> Path:
    path, name = Path(source), str(source)
    if path.is_file() or path.suffix in {".yaml", ".yml", ".json"}:
        return path
    folder = None if name in shipped_runs() else find_checkpoint(name)
    return find_config(name) if folder is None else folder / CARD


def _split(content: dict[str, Any], file: Path, name: str) -> dict[str, dict[str, Any]]:
    """Return the content of a file by stage; by ``name`` if there are no stages."""
    if "stages" not in content:
        return {name: content}
    stages = content.pop("stages")
    named = isinstance(stages, dict) and stages
    if not named or not all(isinstance(own, dict) for own in stages.values()):
        raise ValueError(
            f"{file}: stages: give the names of the runs, each with the settings that differ, as "
            "in {first: {steps: 1000}}"
        )
    return {str(stage): _merged(content, own) for stage, own in stages.items()}


def _merged(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of settings with others in their places, group by group."""
    merged = deepcopy(dict(common))
    for key, value in own.items():
        is_group = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if is_group else deepcopy(value)
    return merged


def parse_settings(content: dict[str, Any], source: str) -> RunSettings:
    """Validate settings; errors name ``source`` and the key, one per line."""
    try:
        return RunSettings.model_validate(content)
    except ValidationError as error:
        lines = [f"{source}: {line}" for line in errors_in(error, RunSettings)]
        raise ValueError("\n".join(lines)) from None


def _override(content: dict[str, Any], override: str) -> None:
    key, equals, value = override.partition("=")
    if not equals or not key:
        raise ValueError(f"an override is key=value, not {override!r}")
    *groups, last = key.split(".")
    for group in groups:
        content = content.setdefault(group, {})
        if not isinstance(content, dict):
            raise ValueError(f"{override!r}: {group} is not a group of settings")
    try:
        content[last] = parse_yaml(value, key)
    except (RecursionError, ValueError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else error
        raise ValueError(f"{override[:80]!r} is not possible: {why}") from None
