"""A training run as one HTML page, with every picture inside."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from kitchentable import find_game
from kitchentable.picture import Picture
from kitchentable.players import Player, ScriptedPlayer
from kitchentable_training.checkpoint import load_player, read_card
from kitchentable_training.config import RunSettings, parse_settings
from kitchentable_training.files import write_text
from kitchentable_training.plots import evaluation_figure, learning_figure, save_png, to_png
from kitchentable_training.policy import PolicyPlayer
from kitchentable_training.session import GAME_0, Session, played
from kitchentable_training.tables import describe_table, result_cells, side_by_side
from kitchentable_training.train import FINAL, PROGRESS, SETTINGS

REPORT = "report.html"
SAMPLE_SEED = 2026
"""Of the deal of the sample game."""
SHOWN_AT = 0.45
"""Which position of the first hand is pictured, as a part of its decisions."""


def write_report(run_folder: str | Path) -> Path:
    """Write a training run's page, also of one that is still going on.

    Args:
        run_folder: the run's folder.

    Returns:
        The page, ``report.html`` in that folder.

    Raises:
        ValueError: the folder holds no run, or it is damaged.
    """
    folder = Path(run_folder)
    settings = _read_settings(folder)
    lines = read_progress(folder / PROGRESS)
    results = _read_results(folder / "evaluation.json")
    final = folder / FINAL
    game = find_game(settings.game)
    params = game.make_params(**settings.params)
    seats, team = int(params.num_players), game.is_team(params)
    header, rows = result_cells(results) if results else ((), [])
    card = read_card(final) if final.exists() else None
    templates = Environment(
        loader=PackageLoader("kitchentable_training"), autoescape=True, undefined=StrictUndefined
    )
    page = templates.get_template(REPORT).render(
        title=f"{game.title}: {folder.resolve().name}",
        subtitle=describe_table(game.name, game.version, settings.params),
        facts=_facts(lines, card),
        total=f"{settings.steps:,}",
        results=results,
        team=team,
        seats=seats,
        side_by_side=side_by_side(seats),
        header=header,
        rows=rows,
        bars=_inline(evaluation_figure(results)) if results else "",
        curves=_inline(learning_figure(lines, seats, settings.steps, team=team)),
        sample=sample_game(final, settings) if card else None,
        settings=yaml.safe_dump(settings.model_dump(), sort_keys=False, default_flow_style=None),
        versions=", ".join(f"{k} {v}" for k, v in card["versions"].items()) if card else "",
    )
    write_text(folder / REPORT, page)
    return folder / REPORT


def plot_evaluation(results: Mapping[str, Any], path: Path) -> None:
    """Draw the win rates that `evaluate.measure` found as a PNG file."""
    save_png(evaluation_figure(results), path)


def read_progress(path: Path) -> list[dict[str, Any]]:
    """Read a run's log; a last line that is being written is left out."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def _read_settings(folder: Path) -> RunSettings:
    path = folder / SETTINGS
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError:
        raise ValueError(f"{folder} is no training run: it has no {SETTINGS}") from None
    return parse_settings(content, str(path))


def _read_results(path: Path) -> dict[str, Any] | None:
    if not path.exists():
        return None
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from None


def _facts(
    lines: Sequence[Mapping[str, Any]], card: Mapping[str, Any] | None
) -> list[tuple[str, str]]:
    """Return the figures that stand at the top of the page; the first are the steps."""
    last = lines[-1] if lines else {}
    steps = card["steps"] if card else last.get("step", 0)
    seconds = card["seconds"] if card else last.get("time/seconds", 0.0)
    facts = [("steps of the learner", f"{steps:,}"), ("training time", _duration(seconds))]
    if seconds > 0:
        facts.append(("steps a second", f"{steps / seconds:,.0f}"))
    games = sum(line.get("games/all", 0) for line in lines)
    return [*facts, ("games finished", f"{games:,.0f}")]


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _inline(figure: Figure) -> str:
    return "data:image/png;base64," + base64.b64encode(to_png(figure)).decode()


# --- The sample game ------------------------------------------------------------------------------


def sample_game(checkpoint: Path, settings: RunSettings) -> dict[str, Any]:
    """Play one game of a trained player, in seat 0, against its last evaluation opponent.

    As a team it holds all seats.

    Args:
        checkpoint: the trained player's.
        settings: of its run.

    Returns:
        What the page shows of it.
    """
    game = find_game(settings.game)
    params = game.make_params(**settings.params)
    trained = load_player(checkpoint, game, params)
    opponent = settings.evaluation.opponents[-1]
    others: list[Player] = [
        trained if game.is_team(params) else ScriptedPlayer(game, opponent, params, seed=seat)
        for seat in range(1, int(params.num_players))
    ]
    trained.name = checkpoint.resolve().parent.name
    players = [trained, *others]
    session = Session(game, params, SAMPLE_SEED)
    pictures: list[tuple[int, Picture]] = []
    hands: list[list[tuple[str, str]]] = [[]]
    for move in played(session, players):
        if session.hand_over:
            hands.append([])
        chance = ""
        if players[session.mover] is trained:
            chance = f" ({_chance(trained, session, move.action):.0%})"
        if session.mover == 0 and len(hands) == 1:
            pictures.append((len(session.transcript) + 1, session.picture(0)))
        hands[-1].append((move.agent, move.action + chance))
    shown, picture = pictures[int(SHOWN_AT * len(pictures))]
    return {
        "player": trained.name,
        "opponent": opponent,
        "seed": SAMPLE_SEED,
        "viewer": "player_0",
        "shown": shown,
        "length": len(session.transcript),
        # The picture's writer escapes all text in it.
        "picture": Markup(picture.to_svg()),
        "result": session.result([one.name for one in players]),
        "hands": [_turns(hand) for hand in hands],
    }


def _chance(player: PolicyPlayer, session: Session, action: str) -> float:
    """Return how probable an action is to a trained player at the table as it is."""
    batch = session.batch
    chances = player.probabilities(batch.observations[GAME_0], batch.masks[GAME_0])
    return float(chances[0, batch.action_names.index(action)])


def _turns(hand: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Put the decisions of one agent in a row together."""
    turns = groupby(hand, key=lambda decision: decision[0])
    return [(agent, ", ".join(text for _, text in group)) for agent, group in turns]
