"""Training a shipped player again, and comparing the result with its card.

The settings are on the card. Runs that they name are trained first; see `stages`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitchentable import all_games
from kitchentable_training.evaluate.formatting import markdown_table, number, rate
from kitchentable_training.files import FINAL, REPRODUCTION, WEIGHTS, write_json
from kitchentable_training.players.by_name import RUNS, checkpoint_named
from kitchentable_training.players.checkpoint import read_card
from kitchentable_training.runs.processes import Processes
from kitchentable_training.runs.settings import RunSettings, load_settings
from kitchentable_training.runs.stages import plan, train_in_order
from kitchentable_training.shipped import say_players, shipped_players

COMPARED = ("win_rate", "win_rate_interval", "difference", "difference_interval", "deals")


def players_to_reproduce(word: str) -> list[str]:
    """Return the shipped players that a word names: one, or all of a game.

    Raises:
        ValueError: there are none.
    """
    shipped = shipped_players()
    if word in all_games():
        names = [name for name in shipped if _card(name)["game"] == word]
    else:
        names = [name for name in shipped if name == word]
    if not names:
        raise ValueError(f"{word!r} is neither a game with trained players nor {say_players()}")
    return names


def plan_for(name: str) -> dict[str, RunSettings]:
    """Return the runs that make a shipped player again, by name and in order: see `plan`."""
    return plan(name, {name: load_settings(checkpoint_named(name))})


def reproduce(name: str) -> dict[str, Any] | None:
    """Train a shipped player again, in ``runs/``, and compare it with its card.

    Args:
        name: the player's name in ``checkpoints/``.

    Returns:
        The result of `compare`, also written as ``reproduction.json`` into the run's folder. None
        in all processes except the first.

    Raises:
        ValueError: see `plan`; or there is a run with other settings.
    """
    train_in_order({RUNS / run: settings for run, settings in plan_for(name).items()})
    if not Processes().is_first:
        return None
    result = {"player": name, **compare(_card(name), read_card(RUNS / name / FINAL))}
    write_json(RUNS / name / REPRODUCTION, result)
    return result


def compare(shipped: Mapping[str, Any], trained: Mapping[str, Any]) -> dict[str, Any]:
    """Compare the cards of a shipped player and of its reproduction.

    Returns:
        Whether weights and results are exactly the same, the results of both by opponent, and the
        package versions that differ, as these can change the last digits.
    """
    results = {
        opponent: {
            "shipped": {key: figures[key] for key in COMPARED},
            "trained": {key: trained["results"][opponent][key] for key in COMPARED},
        }
        for opponent, figures in shipped["results"].items()
    }
    versions = {
        name: [version, trained["versions"].get(name)]
        for name, version in shipped["versions"].items()
        if trained["versions"].get(name) != version
    }
    return {
        "same_weights": shipped["sha256"][WEIGHTS] == trained["sha256"][WEIGHTS],
        "same_results": all(result["shipped"] == result["trained"] for result in results.values()),
        "results": results,
        "other_versions": versions,
    }


def reproduction_table(result: Mapping[str, Any]) -> str:
    """Return the result of `reproduce` as a Markdown table followed by a sentence."""
    rows = [
        [
            f"{opponent}, {which}",
            rate(figures["win_rate"], figures["win_rate_interval"]),
            number(figures["difference"], figures["difference_interval"]),
            figures["deals"],
        ]
        for opponent, by_origin in result["results"].items()
        for which, figures in by_origin.items()
    ]
    header = [f"{result['player']} against", "win rate (95% interval)", "points per game", "deals"]
    return f"{markdown_table(header, rows)}\n\n{_verdict(result)}"


def _verdict(result: Mapping[str, Any]) -> str:
    if result["same_results"]:
        weights = "as are the weights" if result["same_weights"] else "the weights are not"
        return f"The results are the same to the last digit; {weights}."
    others = ", ".join(
        f"{name} {there} (here {here})" for name, (there, here) in result["other_versions"].items()
    )
    reason = f"it was trained with {others}" if others else "the versions are the same"
    return f"The results differ; {reason}."


def _card(name: str) -> dict[str, Any]:
    return read_card(checkpoint_named(name))
