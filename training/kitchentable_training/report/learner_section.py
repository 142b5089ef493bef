"""The report's section on a learner: a run, even in training, or a trained player by its card."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kitchentable import Game, find_game
from kitchentable_training import files
from kitchentable_training.evaluate.duplicate import LEARNER_NAME
from kitchentable_training.evaluate.formatting import in_short
from kitchentable_training.evaluate.sample_game import sample_game
from kitchentable_training.players.checkpoint import read_card
from kitchentable_training.report import parts
from kitchentable_training.report.plots import MINUTES, STEPS, learning_figures, series
from kitchentable_training.runs.progress import EVALUATION, read_progress


@dataclass
class Learner:
    """What the report needs to know of a learner, from a run's folder or a card.

    Attributes:
        name: the name of the learner.
        game: the game that it learns.
        params: the game's parameters.
        settings: the settings of its training.
        total: the total number of steps of the training.
        log: the file with ``lines``.
        lines: the lines of the log.
        checkpoint: the trained player's folder.
        card: the trained player's card; None before there is one.
    """

    name: str
    game: Game
    params: Any
    settings: Mapping[str, Any]
    total: int
    log: Path
    lines: Sequence[Mapping[str, Any]]
    checkpoint: Path
    card: Mapping[str, Any] | None


def run_section(folder: Path) -> parts.Section:
    """Return the section on a run, finished or not.

    Raises:
        ValueError: one of its files is damaged.
    """
    # Read without validation, as a run may be older than some settings.
    settings = files.read_yaml(folder / files.SETTINGS)
    lines, final = read_progress(folder / files.PROGRESS), folder / files.FINAL
    card = read_card(final) if final.exists() else None
    with files.reading(folder / files.SETTINGS):
        learner = Learner(
            folder.resolve().name,
            *_game_and_params(settings),
            settings=settings,
            total=int(settings["steps"]),
            log=folder / files.PROGRESS,
            lines=lines,
            checkpoint=final,
            card=card,
        )
    results = None
    if (folder / files.RESULTS).exists():
        content = files.read_json(folder / files.RESULTS)
        with files.reading(folder / files.RESULTS):
            results = parts.result_context(content)
    return _section(learner, results, finished=results is not None)


def card_section(folder: Path) -> parts.Section:
    """Return the section on a trained player by its card, whose ``"curve"`` has the training log.

    Raises:
        ValueError: the card is damaged.
    """
    card = read_card(folder)
    with files.reading(folder / files.CARD):
        learner = Learner(
            folder.resolve().name,
            *_game_and_params(card),
            settings=card["settings"],
            total=int(card["steps"]),
            log=folder / files.CARD,
            lines=card.get("curve", []),
            checkpoint=folder,
            card=card,
        )
        about = {**card, "player": learner.name, "opponents": card.get("results", {})}
        results = parts.result_context(about) if about["opponents"] else None
    return _section(learner, results, finished=True)


def _game_and_params(content: Mapping[str, Any]) -> tuple[Game, Any]:
    """Return the game and its parameters from settings or a card."""
    game = find_game(content["game"])
    return game, game.make_params(**content["params"])


def _section(learner: Learner, results: parts.Context | None, *, finished: bool) -> parts.Section:
    """Return the section on a learner; ``results`` is the context of its evaluation, if any."""
    game, params, card = learner.game, learner.params, learner.card
    seats, team = int(params.num_players), game.is_team(params)
    with files.reading(learner.log):
        lines = learner.lines
        figures = learning_figures(lines, seats, learner.total, team=team) if lines else {}
        curve = _curve(learner)
    facts = _facts(learner)
    again = ["kitchentable", "train", str(learner.checkpoint), "--run", f"{learner.name}_again"]
    text = yaml.safe_dump(dict(learner.settings), sort_keys=False, default_flow_style=None)
    context = {
        "facts": facts,
        "unfinished": "" if finished else f"{facts[0][1]} of {learner.total:,}",
        "results": results,
        "team": team,
        "seats": seats,
        "curves": [parts.picture(figure, f"Curves: {name}") for name, figure in figures.items()],
        "sample": _sample(learner) if card else None,
        "settings": text,
        "command": shlex.join(again) if card else "",
        "versions": ", ".join(
            f"{package} {version}" for package, version in card["versions"].items()
        )
        if card
        else "",
    }
    title = f"{game.title}: {learner.name}"
    subtitle = f"{game.name}_v{game.version}: {in_short(game, params.plain())}"
    return parts.Section(title, subtitle, "learner.html", context, curve)


def _sample(learner: Learner) -> parts.Context:
    """Return a sample game against the settings' last scripted opponent, else the strongest."""
    opponents = learner.settings.get("evaluation", {}).get("opponents", [])
    known = [
        name
        for name in (*learner.game.players.scripted, *opponents)
        if name in learner.game.players.scripted
    ]
    return sample_game(learner.checkpoint, learner.name, learner.game, learner.params, known[-1])


def _curve(learner: Learner) -> parts.RunCurve | None:
    """Return the learner's win rate over its steps, or None if none was logged.

    For a team it is its own win rate, for others that against the strongest scripted player met.
    """
    team = learner.game.is_team(learner.params)
    for name in [LEARNER_NAME] if team else reversed(list(learner.game.players.scripted)):
        steps, minutes = (
            series(learner.lines, EVALUATION + name, over) for over in (STEPS, MINUTES)
        )
        if len(steps[0]):
            label = learner.name if team else f"{learner.name} against {name}"
            fair = 1.0 / int(learner.params.num_players)
            return parts.RunCurve((learner.game.title, team), label, fair, steps, minutes)
    return None


def _facts(learner: Learner) -> list[tuple[str, str]]:
    """Return the figures at the top of the section; the first are the steps."""
    last = learner.lines[-1] if learner.lines else {}
    card = learner.card
    with files.reading(learner.checkpoint / files.CARD if card else learner.log):
        steps = card["steps"] if card else last.get("step", 0)
        seconds = card.get("seconds", 0.0) if card else last.get("time/seconds", 0.0)
        facts = [("decisions of the learner", f"{steps:,}")]
        if seconds > 0:
            facts.append(("training time", _duration(seconds)))
            facts.append(("decisions per second", f"{steps / seconds:,.0f}"))
        if card is None and steps > 0:
            seconds_left = max(0, learner.total - steps) * seconds / steps
            facts.append(("left at this speed", _duration(seconds_left)))
    with files.reading(learner.log):
        if games := sum(line.get("games/all", 0) for line in learner.lines):
            facts.append(("games finished", f"{games:,.0f}"))
    return facts


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
