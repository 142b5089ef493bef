"""Players from their specifications on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kitchentable import Game
from kitchentable.players.scripted import Player, ScriptedPlayer
from kitchentable.players.search import SearchPlayer
from kitchentable_training.files import CARD, CHECKPOINTS, FINAL
from kitchentable_training.shipped import player_folders, say_players, shipped_runs

RUNS = Path("runs")
"""Folder of training runs, including those that settings start from."""
_BUDGETS = {"rollouts": int, "seconds": float}
_SEARCH_OPTIONS = _BUDGETS | {"policy": str}
_TREE_OPTIONS = _BUDGETS | {"value": str}


def make_player(spec: str, game: Game, params: Any, seed: int = 0) -> Player:
    """Return the player that ``spec`` names.

    Args:
        spec: the name of a scripted player; ``search``, with options as in
            ``search:rollouts=2000:policy=greedy`` or ``search:seconds=0.5``; a tree search with a
            network, as in ``search:value=CHECKPOINT:rollouts=200`` (see
            `tree_search.TreeSearchPlayer`); the folder of a checkpoint or of a training run, whose
            newest checkpoint plays if it is not finished, with the step in its name; or the name
            of a checkpoint in ``checkpoints/`` or of a shipped one.
        game: the game to play.
        params: the game's parameters, made by ``game.make_params``.
        seed: seed of its random choices, if it makes any.

    Raises:
        ValueError: there is no such player for this table; the message says what is possible.
    """
    kind, _, options = spec.partition(":")
    if spec in game.players.scripted:
        return ScriptedPlayer(game, spec, params, seed=seed)
    if kind == "search":
        return _make_search(spec, game, params, seed, _search_options(spec, options))
    folder = find_checkpoint(spec) or newest_checkpoint(spec)
    if folder is None:
        possible = _how_to_train(spec) or f"possible are {describe_players(game)}"
        raise ValueError(f"there is no player {spec!r} for {game.name}; {possible}")
    from kitchentable_training.players.checkpoint import load_player  # noqa: PLC0415 (imports torch)

    try:
        trained = load_player(folder, game, params, seed=seed)
    except ValueError as error:
        raise ValueError(f"player {spec}: {error}") from None
    if folder.name == FINAL:
        trained.name = folder.resolve().parent.name
    elif folder == newest_checkpoint(spec):
        trained.name = f"{Path(spec).resolve().name} ({folder.name})"
    return trained


def _make_search(spec: str, game: Game, params: Any, seed: int, options: dict[str, Any]) -> Player:
    """Return a search player; it searches a tree with a network if the options name one."""
    player: Player
    checkpoint = options.pop("value", None)
    if checkpoint is None:
        player = SearchPlayer(game, params, seed=seed, **options)
    else:
        from kitchentable_training.players.tree_search import TreeSearchPlayer  # noqa: PLC0415 (torch)

        try:
            folder = checkpoint_named(checkpoint)
            player = TreeSearchPlayer(folder, game, params, seed=seed, **options)
        except ValueError as error:
            raise ValueError(f"player {spec}: {error}") from None
    player.name = spec
    return player


PLAY = ("play their most probable action", "sample their actions")
"""What trained players do without and with the option ``--sample``."""


def set_sampling(player: Player, sample: bool) -> None:
    """Let a trained player sample its actions, or play the most probable one, which is usual.

    Other players play in only one way.
    """
    if hasattr(player, "deterministic"):
        player.deterministic = not sample


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
        f"folder of a checkpoint; {say_players()}"
    )


def find_checkpoint(spec: str) -> Path | None:
    """Return the folder of the checkpoint that ``spec`` names, or None if it does not exist."""
    if not spec:
        return None
    places = [Path(spec), *(folder / spec for folder in player_folders())]
    folders = (folder for place in places for folder in (place, place / FINAL))
    return next((folder for folder in folders if (folder / CARD).is_file()), None)


def newest_checkpoint(spec: str) -> Path | None:
    """Return the newest checkpoint of the run in the folder ``spec``, or None if it has none."""
    saved = Path(spec, CHECKPOINTS).glob(f"step_*/{CARD}") if spec else ()
    return max((card.parent for card in saved), default=None)


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
        folder = find_checkpoint(checkpoint_in(spec)) or newest_checkpoint(spec)
        if folder is not None:
            from kitchentable_training.players.checkpoint import read_card  # noqa: PLC0415 (torch)

            return read_card(folder)
    return None


def checkpoint_in(spec: str) -> str:
    """Return the checkpoint that a spec names: the spec itself, or the ``value`` of a search."""
    kind, _, options = spec.partition(":")
    if kind != "search":
        return spec
    pairs = (part.partition("=") for part in options.split(":"))
    return next((value for name, _, value in pairs if name == "value"), "")


def _search_options(spec: str, text: str) -> dict[str, Any]:
    possible = _TREE_OPTIONS if checkpoint_in(spec) else _SEARCH_OPTIONS
    options: dict[str, Any] = {}
    for part in filter(None, text.split(":")):
        name, _, value = part.partition("=")
        try:
            options[name] = possible[name](value)
        except (KeyError, ValueError):
            raise ValueError(
                f"{spec!r}: {part!r} is not possible; choose from rollouts=NUMBER, "
                "seconds=NUMBER, and policy=PLAYER or value=CHECKPOINT"
            ) from None
    return options
