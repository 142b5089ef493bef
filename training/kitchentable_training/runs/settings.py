"""Settings of a training run: one YAML file, checked key by key."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    Field,
    PositiveInt,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from kitchentable import Game, find_game
from kitchentable.core.parameters import did_you_mean
from kitchentable.render.phrases import listed
from kitchentable_training.algorithms.registry import DEFAULT, find_algorithm
from kitchentable_training.algorithms.settings import OpponentSettings, TrainingSettings
from kitchentable_training.files import CARD, read_json, read_yaml
from kitchentable_training.named import find_named, is_place, name_module, with_folder
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.players.by_name import checkpoint_in, find_checkpoint
from kitchentable_training.settings import Settings, errors_in
from kitchentable_training.shipped import find_config, shipped_runs
from kitchentable_training.strict_yaml import parse_yaml


class BehaviorCloningSettings(Settings):
    """Settings of behavior cloning of another player, before the first step."""

    player: str | list[str]
    """The player, scripted or trained; or a list with one for each of ``network.tables``."""
    decisions: PositiveInt
    """The number of decisions to learn from, each once; a multiple of ``lesson`` times tables."""
    lesson: PositiveInt
    """The number of decisions collected at a time."""
    batch_size: PositiveInt
    """Decisions of a minibatch."""
    learning_rate: Annotated[float, Field(gt=0)]
    """The initial learning rate; it decreases linearly to 0."""


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
    """The opponents: names of players, as for ``kitchentable evaluate``."""
    exploitability: bool = False
    """Whether evaluations during training also compute the exact exploitability, for games whose
    whole tree fits into memory (see `exact.tree.GameTree`)."""


class RunSettings(Settings):
    """All settings of a training run."""

    game: str
    """The game."""
    params: dict[str, Any] = Field(default_factory=dict)
    """The game's parameters."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    """The seed of weights, deals, actions and opponents."""
    steps: PositiveInt
    """The total number of decisions of the learner."""
    num_envs: PositiveInt = 1024
    """The number of games that are played in parallel."""
    threads: PositiveInt = 1
    """The number of threads of torch and of the engine. Another number may change the last bits of
    the weights."""
    device: Literal["cpu", "cuda"] = "cpu"
    """The device of the learning network, of the networks in the other seats, and of the games,
    unless an option of the algorithm plays them on the CPU. With several GPUs it is the first one
    in CUDA_VISIBLE_DEVICES. Evaluations run on the CPU."""
    episode: Literal["game", "hand"] = "game"
    """The unit over which advantages are estimated. ``hand`` needs the reward ``margin``: the
    reward of a hand is then credited only to decisions of that hand."""
    checkpoint_seconds: Annotated[float, Field(gt=0)] = 120.0
    """The number of seconds between checkpoints."""
    checkpoints_kept: PositiveInt = 3
    """The number of newest checkpoints that are kept."""
    algorithm: str = DEFAULT
    """The algorithm: a name in `algorithms.registry.ALGORITHMS`, or your own class as
    ``package.module:Class`` or ``file.py:Class``."""
    training: SerializeAsAny[TrainingSettings] = Field(default={}, validate_default=True)
    """The settings of the algorithm, which has a class for them."""
    network: NetworkSettings = NetworkSettings()
    """The settings of the network."""
    start: str | None = None
    """The checkpoint whose policy the learner starts from: a folder, or a name in ``checkpoints/``;
    null: random weights."""
    carry_over: bool = False
    """Whether ``start`` may belong to another variant of the game or have a narrower network. The
    weights are then matched by the names of the inputs (see `networks.carry_over`)."""
    behavior_cloning: BehaviorCloningSettings | None = None
    """Behavior cloning of another player, before the first step; null: none."""
    opponents: OpponentSettings = OpponentSettings()
    """The players in the other seats."""
    evaluation: EvaluationSettings
    """The evaluations."""

    @property
    def games_device(self) -> str:
        """The device that plays the training games: ``"cpu"`` or ``"cuda"``."""
        return self.device if self.training.games_on_gpu else "cpu"

    @property
    def imitated(self) -> list[str]:
        """The names of the players to imitate, one for each table; none without cloning."""
        if self.behavior_cloning is None:
            return []
        player = self.behavior_cloning.player
        return player if isinstance(player, list) else [player] * max(1, len(self.network.tables))

    @property
    def players_needed(self) -> list[str]:
        """The names of all other players: start, imitated, in the league, and in evaluations."""
        start = [] if self.start is None else [self.start]
        invited = [name for name, weight in self.opponents.trained.items() if weight > 0]
        return [*start, *self.imitated, *invited, *self.evaluation.opponents]

    def by_table(self) -> list[RunSettings]:
        """Return the settings at each of ``network.tables``, with a share of games and a seed."""
        tables = self.network.tables
        if not tables:
            return [self]
        share = self.num_envs // len(tables)
        return [
            self.model_copy(update={"params": params, "num_envs": share, "seed": self.seed + i})
            for i, params in enumerate(tables)
        ]

    @field_validator("game")
    @classmethod
    def _game_exists(cls, name: str) -> str:
        find_game(name)
        return name

    @field_validator("algorithm")
    @classmethod
    def _algorithm_exists(cls, name: str) -> str:
        find_algorithm(name)
        return name

    @field_validator("training", mode="before")
    @classmethod
    def _are_those_of_the_algorithm(cls, given: Any, info: ValidationInfo) -> Any:
        if "algorithm" not in info.data:  # its own error is enough
            return TrainingSettings()
        return find_algorithm(info.data["algorithm"]).settings.model_validate(given)

    @model_validator(mode="after")
    def _fits_together(self) -> RunSettings:
        game = find_game(self.game)
        params = self._make_params(game, self.params, "params")
        self._check_tables(game, params)
        self._check_players(game)
        self.network.check(game)
        self.training.check(self, game, params)
        if self.carry_over and self.start is None:
            raise ValueError("carry_over: there is nothing to carry over; give start")
        if self.episode == "hand" and params.reward != "margin":
            raise ValueError("episode: hand needs params.reward: margin")
        return self

    def _check_tables(self, game: Game, params: Any) -> None:
        before: list[Any] = []
        for i, table in enumerate(self.network.tables):
            key = f"network.tables.{i}"
            table_params = self._make_params(game, table, key)
            if i == 0 and table_params != params:
                raise ValueError(f"{key}: the first table is that of params")
            if table_params.reward != params.reward:
                raise ValueError(f"{key}.reward: it is {params.reward} in params")
            if table_params in before:
                raise ValueError(
                    f"{key}: it is the same as network.tables.{before.index(table_params)}"
                )
            before.append(table_params)

    @staticmethod
    def _make_params(game: Game, given: Mapping[str, Any], key: str) -> Any:
        known = [field.name for field in dataclasses.fields(game.rules.params)]
        for name in given:
            if name not in known:
                close = did_you_mean(name, known) or f"; {game.name} has {', '.join(known)}"
                raise ValueError(f"{key}.{name}: there is no such parameter{close}")
        try:
            return game.make_params(**given)
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from None

    def _check_players(self, game: Game) -> None:
        for name in self.opponents.scripted:
            if name not in game.players.scripted:
                has = ", ".join(game.players.scripted)
                key = f"opponents.scripted.{name}"
                raise ValueError(f"{key}: {game.name} has no player {name!r}; it has {has}")
        judges = self.evaluation.opponents
        if len(set(judges)) < len(judges):
            raise ValueError(f"evaluation.opponents: give different players, not {listed(judges)}")
        if self.behavior_cloning is not None:
            self._check_cloning(self.behavior_cloning, game)

    def _check_cloning(self, cloning: BehaviorCloningSettings, game: Game) -> None:
        count = max(1, len(self.network.tables))
        if len(self.imitated) != count:
            raise ValueError(
                "behavior_cloning.player: give one player, or a list with one for each of "
                f"network.tables, {count}"
            )
        for name in self.imitated:
            known = (*game.players.scripted, "search")
            if name.isidentifier() and name not in known and find_checkpoint(name) is None:
                has = ", ".join(known)
                raise ValueError(
                    f"behavior_cloning.player: {game.name} has no player {name!r}; it has {has} "
                    "and trained ones"
                )
        if cloning.decisions % (cloning.lesson * count):
            raise ValueError(
                f"behavior_cloning.decisions={cloning.decisions}: choose a multiple of lesson x "
                f"tables, {cloning.lesson} x {count}"
            )


def load_settings(source: str | Path, overrides: Sequence[str] = ()) -> RunSettings:
    """Read the settings of a run: of the last stage, if the source has several (`load_stages`)."""
    *_, ((_, where), content) = _read_stages(source, overrides).items()
    return _parse(content, where)


def load_stages(source: str | Path, overrides: Sequence[str] = ()) -> dict[str, RunSettings]:
    """Read the settings of a run, and those of the stages before it in its file.

    A player may be trained in several runs. Its file then names them under ``stages``, in order,
    each with the settings that differ from those of the whole file. What they name may be imported
    from now on, but not what only a checkpoint names (see `named`).

    Args:
        source: a YAML file, the name of shipped settings or of one of their stages, or a
            checkpoint's folder or name, for the settings with which it was trained.
        overrides: strings ``key=value``, with dots for groups, as in ``training.gamma=0.99``; for
            all stages.

    Returns:
        The settings by the names of the runs, the wanted one last.

    Raises:
        ValueError: the file or an override cannot be read, or a key is unknown, missing or has an
            invalid value; the message names it. Or only a checkpoint names somebody's code.
    """
    return {
        name: _parse(content, where)
        for (name, where), content in _read_stages(source, overrides).items()
    }


def _parse(content: dict[str, Any], where: str) -> RunSettings:
    """Validate settings; their network's module may be imported from now on."""
    settings = parse_settings(content, where)
    if settings.network.module is not None:
        name_module(settings.network.module)
    return settings


def _read_stages(
    source: str | Path, overrides: Sequence[str]
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the content of `load_stages`, by names of runs and places for error messages."""
    file = _settings_file(source)
    content = read_json(file).get("settings") if file.name == CARD else read_yaml(file)
    if not isinstance(content, dict):
        raise ValueError(f"{file} holds no settings; give a mapping of keys to values")
    stages = _split(content, file, Path(source).stem)
    contents = {}
    for name, own in stages.items():
        for override in overrides:
            override_settings(own, override)
        if file.name == CARD:
            _check_named(own, overrides, file)
        contents[name, str(source) if len(stages) == 1 else f"{source}, {name}"] = own
        if name == str(source):
            break
    return contents


def _check_named(content: dict[str, Any], overrides: Sequence[str], card: Path) -> None:
    """Check that no code in the settings on a checkpoint's card is named by the card alone.

    The network's module becomes the one that a person has named, which may be in another folder.
    """
    overridden: dict[str, Any] = {}
    for override in overrides:
        override_settings(overridden, override)
    for word, key in sorted({*_own_code(content)} - {*_own_code(overridden)}):
        named = find_named(word, f"{card}: {key} is {word}")
        if key == "network.module":
            content["network"]["module"] = named
        elif named != with_folder(word):
            raise ValueError(f"{card}: {key} is {word}; but {named} was named, which is elsewhere")


def _own_code(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield all places of somebody's code in settings that are not validated, with their keys."""
    names = ("network", "behavior_cloning", "opponents", "evaluation")
    network, cloning, opponents, judges = (
        group if isinstance(group, dict) else {} for group in map(content.get, names)
    )
    player = cloning.get("player")
    for key, words in (
        ("algorithm", [content.get("algorithm")]),
        ("network.module", [network.get("module")]),
        ("behavior_cloning.player", player if isinstance(player, list) else [player]),
        ("opponents.trained", opponents.get("trained")),
        ("evaluation.opponents", judges.get("opponents")),
    ):
        for word in words if isinstance(words, list | dict) else ():
            place = checkpoint_in(word) if isinstance(word, str) else ""
            if is_place(place):
                yield place, key


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
        kind = TrainingSettings
        with suppress(ValueError):  # it has an error of its own
            kind = find_algorithm(str(content.get("algorithm", DEFAULT))).settings
        lines = [f"{source}: {line}" for line in errors_in(error, RunSettings, training=kind)]
        raise ValueError("\n".join(lines)) from None


def override_settings(content: dict[str, Any], override: str) -> None:
    """Change settings that are not validated yet.

    Args:
        content: the settings, which are changed.
        override: the change, ``key=value`` or ``group.key=value``.

    Raises:
        ValueError: the text is not of this form, or names a value as a group.
    """
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
