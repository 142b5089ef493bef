"""Players from their specifications on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kitchentable import Game
from kitchentable.core.parameters import did_you_mean
from kitchentable.players.scripted import Player, ScriptedPlayer
from kitchentable.players.search import SearchPlayer
from kitchentable_training.files import CARD, CHECKPOINTS, CLONED, FINAL, STEP
from kitchentable_training.named import BEFORE_OPTION, is_place
from kitchentable_training.players.llm import Llm, is_llm
from kitchentable_training.players.own import Own, OwnEvaluator, find_own
from kitchentable_training.shipped import player_folders, say_players, shipped_players, shipped_runs

RUNS = Path("runs")
"""Folder of training runs, including those that settings start from."""
_BUDGETS = {"rollouts": int, "seconds": float}
_SEARCH_OPTIONS = _BUDGETS | {"policy": str}
_TREE_OPTIONS = _BUDGETS | {"value": str}


NO_OWN: Mapping[str, Own | Llm] = MappingProxyType({})
"""No own players."""


def make_player(
    spec: str, game: Game, params: Any, seed: int = 0, own: Mapping[str, Own | Llm] = NO_OWN
) -> Player:
    """Return the player that ``spec`` names.

    Args:
        spec: the name of a scripted player; ``search``, with options as in
            ``search:rollouts=2000:policy=greedy`` or ``search:seconds=0.5``; a tree search with a
            network, as in ``search:value=CHECKPOINT:rollouts=200`` (see
            `tree_search.TreeSearchPlayer`), or with the values of an own player; a checkpoint, see
            `find_checkpoint`; an own player by the place of its function, as in
            ``my_player.py:careful`` or ``package.module:careful`` (see `own.Own`); or a language
            model, as in ``llm:model=NAME:url=http://HOST/v1`` (see `llm_options.Options`).
        game: the game to play.
        params: the game's parameters, made by ``game.make_params``.
        seed: seed of its random choices, if it makes any.
        own: own players that were imported before, by names that ``spec`` may use.

    Raises:
        ValueError: there is no such player for this table; the message says what is possible.
    """
    kind = spec.partition(":")[0]
    if spec in game.players.scripted:
        return ScriptedPlayer(game, spec, seed=seed)
    if kind == "search":
        return _make_search(spec, game, params, seed, own)
    if (maker := _find_own(spec, own)) is not None:
        return maker.player(game, params, seed)
    folder = find_checkpoint(spec)
    if folder is None:
        close = did_you_mean(spec, [*game.players.scripted, *shipped_players()])
        raise ValueError(
            f"there is no player {spec!r} for {game.name}{close or f'; {_instead(spec, game)}'}"
        )
    from kitchentable_training.players.checkpoint import (  # noqa: PLC0415 (imports torch)
        MisfitError,
        load_player,
    )

    try:
        trained = load_player(folder, game, params, seed=seed)
    except MisfitError as error:
        raise ValueError(f"{spec} {error.why}") from None
    except ValueError as error:
        raise ValueError(f"player {spec}: {error}") from None
    full_path = folder.resolve()
    if folder.name == FINAL:
        trained.name = full_path.parent.name
    elif full_path.parent.name == CHECKPOINTS and full_path.name.startswith((STEP, CLONED)):
        trained.name = f"{full_path.parents[1].name} ({full_path.name})"
    return trained


def _instead(spec: str, game: Game) -> str:
    """Return what is possible where ``spec`` names no player and is like no other's name."""
    others = "another player that `kitchentable evaluate --help` describes"
    return _how_to_train(spec) or (
        f"give {', '.join(game.players.scripted)}, search, the folder of a checkpoint or a run, or "
        f"{others if shipped_players() else say_players()}"
    )


def _find_own(spec: str, known: Mapping[str, Own | Llm]) -> Own | Llm | None:
    """Return a known own player, or import the one whose place ``spec`` is; None for others.

    A language model is found by its options.
    """
    if spec in known:
        return known[spec]
    if is_llm(spec):
        return Llm(spec)
    return find_own(spec) if is_own(spec) else None


def _make_search(
    spec: str, game: Game, params: Any, seed: int, own: Mapping[str, Own | Llm]
) -> Player:
    """Return a search player; it searches a tree if its options name a guide."""
    player: Player
    options = _search_options(spec)
    named = options.pop("value", None)
    if named is None:
        player = SearchPlayer(game, seed=seed, **options)
    else:
        from kitchentable_training.players.tree_search import TreeSearchPlayer  # noqa: PLC0415 (torch)

        try:
            maker = _find_own(named, own)
            guide = checkpoint_named(named) if maker is None else _guide(maker, game, params, seed)
            player = TreeSearchPlayer(guide, game, params, seed=seed, **options)
        except ValueError as error:
            raise ValueError(f"player {spec}: {error}") from None
    player.name = spec
    return player


def _guide(maker: Own | Llm, game: Game, params: Any, seed: int) -> OwnEvaluator:
    player = maker.player(game, params, seed)
    if not isinstance(player, OwnEvaluator):
        raise ValueError(
            f"{maker.place} returns no values, which a search needs; give the player a method "
            "evaluate(batch, games) that returns probabilities and values"
        )
    return player


PLAY = ("play their most probable action", "sample their actions")
"""What trained players do without and with the option ``--sample``."""


def set_sampling(player: Player, sample: bool) -> None:
    """Let a trained player sample its actions, or play the most probable one, which is usual.

    Other players play in only one way, and action values are no probabilities to sample by.
    """
    if hasattr(player, "deterministic"):
        player.deterministic = not sample or getattr(player, "gives_action_values", False)


def make_players(specs: Iterable[str], game: Game, params: Any, seed: int = 0) -> list[Player]:
    """Return a player for each of ``specs``, each with its own seed.

    Players that would have the same name are named by their specs.
    """
    specs = list(specs)
    players = [make_player(spec, game, params, seed + i) for i, spec in enumerate(specs)]
    names = [player.name for player in players]
    for spec, player in zip(specs, players, strict=True):
        if names.count(player.name) > 1:
            player.name = spec
    return players


def describe_players(game: Game) -> str:
    """Return one line that lists the available players of a game."""
    scripted = list(game.players.scripted)
    return (
        f"{', '.join(scripted)}; search, search:rollouts=2000 or search:seconds=0.5, optionally "
        f"with :policy={scripted[0]} or :value=CHECKPOINT (a tree search with that network); the "
        f"folder of a checkpoint or a run; {say_players()}; your own player, as in "
        "my_player.py:function or package.module:function; a language model, as in "
        "llm:model=NAME:url=http://HOST/v1"
    )


def is_own(spec: str) -> bool:
    """Return whether ``spec`` is the place of an own player, and no folder of that name exists."""
    return is_place(spec) and find_checkpoint(spec) is None


def find_checkpoint(spec: str) -> Path | None:
    """Return the folder of the checkpoint that ``spec`` names, or None if it does not exist.

    Args:
        spec: the folder of a checkpoint, or of a training run, for its final checkpoint or, if it
            is not finished, its newest one; or the name of such a folder in ``checkpoints/``, or of
            a shipped checkpoint.
    """
    if not spec:
        return None
    places = [Path(spec), *(folder / spec for folder in player_folders())]
    try:
        return next(filter(None, map(checkpoint_in_folder, places)), None)
    except OSError:  # no file can have this name, such as one that is too long
        return None


def checkpoint_in_folder(place: Path) -> Path | None:
    """Return the checkpoint in a folder: it, or that of the run in it; None if there is none."""
    newest = sorted(place.glob(f"{CHECKPOINTS}/{STEP}*"), reverse=True)
    folders = (place, place / FINAL, *newest, place / CHECKPOINTS / CLONED)
    return next((folder for folder in folders if (folder / CARD).is_file()), None)


def checkpoint_named(spec: str) -> Path:
    """Return the folder of the checkpoint that ``spec`` names.

    Raises:
        ValueError: the checkpoint does not exist; the message says which ones do.
    """
    folder = find_checkpoint(spec)
    if folder is None:
        possible = _how_to_train(spec) or f"give its folder, or {say_players()}"
        raise ValueError(f"there is no checkpoint {spec!r}; {possible}")
    return folder


def run_in(spec: str) -> str | None:
    """Return NAME if ``spec`` is ``runs/NAME`` or ``runs/NAME/final``, else None."""
    parts = Path(spec).parts
    is_run = len(parts) > 1 and parts[:1] == RUNS.parts and parts[2:] in {(), (FINAL,)}
    return parts[1] if is_run else None


def _how_to_train(spec: str) -> str | None:
    """Return how to train a missing checkpoint, or None if no shipped config trains it."""
    run = run_in(spec)
    return f"first run `kitchentable train {run}`" if run and run in shipped_runs() else None


def first_card(specs: Iterable[str]) -> dict[str, Any] | None:
    """Return the card of the first checkpoint in ``specs``, or None if none is a checkpoint."""
    for spec in specs:
        folder = find_checkpoint(checkpoint_in(spec))
        if folder is not None:
            from kitchentable_training.players.checkpoint import read_card  # noqa: PLC0415 (torch)

            return read_card(folder)
    return None


def checkpoint_in(spec: str) -> str:
    """Return what a spec names besides options: itself, or the ``value`` of a search; else ""."""
    kind, _, options = spec.partition(":")
    if kind != "search":
        return spec
    pairs = (part.partition("=") for part in BEFORE_OPTION.split(options))
    return next((value for name, _, value in pairs if name == "value"), "")


def identity_of(spec: str) -> str | None:
    """Return what tells apart players, or guides of searches, of one name.

    Returns:
        The checksum of a checkpoint's weights, or the hash of an own player's source; None if the
        spec names neither.

    Raises:
        ValueError: the checkpoint is damaged, or the own player cannot be imported.
    """
    named = checkpoint_in(spec)
    if is_own(named):
        return find_own(named).source
    folder = find_checkpoint(named)
    if folder is None:
        return None
    from kitchentable_training.players.checkpoint import weights_checksum  # noqa: PLC0415 (torch)

    return weights_checksum(folder)


def _search_options(spec: str) -> dict[str, Any]:
    possible = _TREE_OPTIONS if checkpoint_in(spec) else _SEARCH_OPTIONS
    options: dict[str, Any] = {}
    for part in filter(None, BEFORE_OPTION.split(spec.partition(":")[2])):
        name, _, value = part.partition("=")
        if name in options:  # a card must not hide one guide behind another
            raise ValueError(f"{spec!r}: {name} is given twice")
        try:
            options[name] = possible[name](value)
        except (KeyError, ValueError):
            raise ValueError(
                f"{spec!r}: {part!r} is not possible; choose from rollouts=NUMBER, "
                "seconds=NUMBER, and policy=PLAYER or value=CHECKPOINT"
            ) from None
    return options
