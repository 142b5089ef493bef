"""Write the tables of the README and the site from the results: ``python -m docs.tables``.

Each table is between two comments, ``<!-- table: NAME -->`` and ``<!-- end -->``. A test compares
the pages with the output of this module, so these figures are never typed by hand.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any, get_args

import numpy as np
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from kitchentable import Batch, Game, find_game, make_batch
from kitchentable.core.registry import shipped_versions
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.render.phrases import count, listed
from kitchentable.text import TextEnv
from kitchentable_training.evaluate.deals import describe_deals
from kitchentable_training.evaluate.formatting import (
    DECIDED,
    in_short,
    markdown_table,
    number,
    rate,
    span,
    ties,
)

ROOT = Path(__file__).parent.parent
WRITTEN = ("*.md", "guides/*.md", "results/*.md")
"""The pages of the site that are written by hand; the others are generated."""
PAGES = [
    ROOT / "README.md",
    *(page for pattern in WRITTEN for page in (ROOT / "docs").glob(pattern)),
]
RESULTS = ROOT / "benchmarks" / "results" / "results.json"
MUTANTS = ROOT / "benchmarks" / "results" / "mutants.json"
TRAINING = "training"
"""The group of settings whose class belongs to the algorithm."""
PLACE = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def render(page: str) -> str:
    """Return a page's text with all its tables replaced by current ones."""

    def fill(match: re.Match[str]) -> str:
        return f"{match[1]}\n{TABLES[match[2]]()}\n\n{match[4]}"

    return PLACE.sub(fill, page)


def games(folder: str = "docs/games/") -> str:
    """Return the table of games: what they are about, their seats and the module to import.

    Args:
        folder: the folder of the games' pages, as the table's page names it in links.
    """
    rows = []
    for game in map(find_game, shipped_versions()):
        title = f"[{game.title}]({folder}{game.name}.md)"
        rows.append([title, game.about, seats(game), f"`{game.name}_v{game.version}`"])
    return markdown_table(["game", "about", "players", "module"], rows)


HIDDEN = {
    "addtoo": "no: hands are open, the next draws are unknown",
    "diddly": "yes: face-down cards, your own included",
    "fiddlefoo": "yes: the hands",
    "kuhn_poker": "yes: one card",
    "leduc_poker": "yes: one card",
    "quiddler": "yes: the hands",
    "quiddler_solitaire": "yes: the order of the cards in the stacks",
}
"""What players do not see, by game; games that are not here are left out of the table."""
SAMPLED = 200
"""The number of games whose decisions are counted."""


@cache
def chooser() -> str:
    """Return the table to choose a game by: what is hidden, its length, actions and seats."""
    rows = []
    for game in map(find_game, filter(HIDDEN.get, shipped_versions())):
        batch = make_batch(game.name, SAMPLED, seed=0)
        scripted = [name for name in game.players.scripted if name != "random"]
        length = _mean_length(batch, ScriptedPlayer(game, scripted[0]))
        cells = [f"{length:.0f}", str(batch.masks.shape[1]), _minutes_to_beat(game.name)]
        rows.append([game.title, HIDDEN[game.name], seats(game), *cells])
    header = ["game", "hidden information", "players", "decisions per game", "actions"]
    return markdown_table([*header, "minutes to beat `greedy`"], rows)


def _mean_length(batch: Batch, player: ScriptedPlayer) -> float:
    """Return the mean number of decisions in the first game of each row of a batch."""
    lengths = np.zeros(batch.num_envs, np.int64)
    games, steps = np.arange(batch.num_envs), 0
    while not lengths.all():
        batch.step(player.act(batch, games))
        steps += 1
        lengths[batch.dones & (lengths == 0)] = steps
    return float(lengths.mean())


def _minutes_to_beat(game: str) -> str:
    """Return after how many minutes the runs of the learning curves won more than ``greedy``."""
    curves = [run["curve"] for run in learning_curves() if run["game"] == game]
    if not curves or find_game(game).make_params().num_players == 1:
        return "-"
    first = [[point["minutes"] for point in curve if point["greedy"] > 0.5] for curve in curves]
    if all(first):
        return span(*(f"{edge(minutes[0] for minutes in first):.1f}" for edge in (min, max)))
    last = curves[0][-1]
    return f"not in {last['minutes']:.0f} ({100 * last['greedy']:.0f}%)"


def seats(game: Game) -> str:
    """Return a game's numbers of players, from its variants, such as 2 to 8."""
    numbers = {game.make_params(**variant).num_players for variant in game.rules.variants}
    return span(min(numbers), max(numbers)) if len(numbers) > 1 else str(*numbers)


def settings() -> str:
    """Return the table of all settings of a run: defaults, algorithms that have them, meanings."""
    from kitchentable_training.runs.settings import RunSettings  # noqa: PLC0415 (an extra)

    header = ["setting", "default", "algorithms", "meaning"]
    return markdown_table(header, list(_settings_of(RunSettings)))


def _settings_of(kind: type[BaseModel], group: str = "") -> Iterator[list[str]]:
    """Yield a row for each setting of a class, and of the groups in it."""
    for name, field in kind.model_fields.items():
        kinds = (field.annotation, *get_args(field.annotation))
        below = [
            model for model in kinds if isinstance(model, type) and issubclass(model, BaseModel)
        ]
        if name == TRAINING:
            yield from _training_settings()
        if not below or type(None) in kinds:  # a group that may be missing has a row of its own
            yield [f"`{group}{name}`", _default(field), "", _meaning(field)]
        for model in below:
            yield from _settings_of(model, f"{name}.")


def _training_settings() -> Iterator[list[str]]:
    """Yield a row for each setting of any algorithm."""
    from kitchentable_training.algorithms.registry import ALGORITHMS  # noqa: PLC0415 (an extra)

    fields: dict[str, Any] = {}
    for _, kind in ALGORITHMS.values():
        fields |= kind.model_fields
    for name, field in fields.items():
        having = [
            algorithm for algorithm, (_, kind) in ALGORITHMS.items() if name in kind.model_fields
        ]
        algorithm_text = ", ".join(f"`{algorithm}`" for algorithm in having)
        defaults: dict[str, list[str]] = {}
        for algorithm in having:
            default = _default(ALGORITHMS[algorithm].settings.model_fields[name])
            defaults.setdefault(default, []).append(f"`{algorithm}`")
        several = (
            f"{default} ({', '.join(algorithms)})" for default, algorithms in defaults.items()
        )
        default_text = ", ".join(several if len(defaults) > 1 else defaults)
        yield [f"`{TRAINING}.{name}`", default_text, algorithm_text, _meaning(field)]


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    return f"`{json.dumps(field.get_default(call_default_factory=True))}`"


def _meaning(field: FieldInfo) -> str:
    return " ".join((field.description or "").replace("``", "`").split())


def speed_summary() -> str:
    """Return the table with each game's speed, and the fastest game of each other library."""
    rows = [
        [name, *(f"{_round(speeds[way]):,}" if way in speeds else "" for way in WAYS)]
        for name, speeds in fastest_games().items()
    ]
    return markdown_table(["game", *WAYS], rows)


def fastest_games() -> dict[str, dict[str, float]]:
    """Return the decisions per second of our games and of each library's fastest, by `WAYS`."""
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for row in _results()["play"]["rows"]:
        rows.setdefault((row["library"], row["game"]), {})[row["how"]] = row["decisions_a_second"]
    fastest: dict[str, tuple[str, str]] = {}
    for key, speeds in rows.items():
        name = "/".join(key) if key[0] == OURS else key[0]
        if name not in fastest or max(speeds.values()) > max(rows[fastest[name]].values()):
            fastest[name] = key
    return {" ".join(key): _by_way(rows[key]) for key in fastest.values()}


def _by_way(by_interface: dict[str, float]) -> dict[str, float]:
    """Return the highest speed of each of `WAYS` that was measured."""
    return {
        way: max(speeds)
        for way, interface in WAYS.items()
        if (speeds := [speed for how, speed in by_interface.items() if interface.fullmatch(how)])
    }


def speed() -> str:
    """Return the table of decisions per second, here and in other libraries."""
    play = _results()["play"]
    rows = [
        [row["library"], row["game"], row["how"], f"{_round(row['decisions_a_second']):,}"]
        for row in play["rows"]
    ]
    return markdown_table(["library", "game", "interface", "decisions per second"], rows)


def startup() -> str:
    """Return the table of seconds to the first step."""
    keys = ("import", "first step, warm", "first step, cold")
    rows = [
        [name, *(f"{seconds[key]:.2f} s" for key in keys)]
        for name, seconds in _results()["startup"].items()
    ]
    header = ["game", "import", "first step, compiled code on disk", "first step, nothing on disk"]
    return markdown_table(header, rows)


def gpu() -> str:
    """Return the tables of batches on a GPU compared with one core, of learning, and of pgx."""
    results = _results()["gpu"]
    rows = [
        [
            find_game(name).title,
            f"{row['games']:,}",
            f"{_round(row['decisions_a_second']):,}",
            f"{row['decisions_a_second'] / game['one_core']:.0f} x",
            f"{row['gigabytes']:.2f}",
        ]
        for name, game in results["games"].items()
        for row in game["rows"]
    ]
    header = ["game", "games at once", "decisions per second", "relative to one core", "GB"]
    learned = [
        [find_game(row["game"]).title, row["setting"], f"{_round(row['decisions_a_second']):,}"]
        for row in results["learning"]
    ]
    kernels = [
        [find_game(name).title, f"{game['first_step']:.1f} s", _largest(game["kernels"])]
        for name, game in results["games"].items()
    ]
    peers = [
        f"{row['library']}, {row['game']} ({row['how']}): {_round(row['decisions_a_second']):,}"
        for row in results["peers"]
    ]
    notes = [f"On the same GPU, decisions per second: {'; '.join(peers)}."] if peers else []
    notes += [f"Not measured: {line}." for line in results["not_measured"]]
    parts = [
        f"On one {results['gpu']}, compared to one core of {results['processor']}.",
        markdown_table(header, rows),
        markdown_table(["self-play", "setting", "decisions learned per second"], learned),
        markdown_table(["game", "first step, nothing on disk", "largest kernels"], kernels),
        " ".join(notes),
    ]
    return "\n\n".join(part for part in parts if part)


def _largest(kernels: dict[str, float]) -> str:
    """Return the kernels that take most of a GPU's time, with their shares."""
    return ", ".join(f"`{name[:40]}` {share:.0%}" for name, share in kernels.items())


def figures() -> str:
    """Return the table of Fiddlefoo's figures in random play, with the published ones."""
    results = _results()["figures"]
    by_name = {**results["rows"], "published": results["published"]}
    header = list(next(iter(results["rows"].values())))
    rows = [
        [name, *(_figure(column, row[column]) if column in row else "" for column in header)]
        for name, row in by_name.items()
    ]
    return markdown_table(["", *header], rows)


def addtoo_figures() -> str:
    """Return the table of Add-Too's random play: 95% intervals, and the published figures."""
    results = _results()["addtoo_figures"]
    header = list(next(iter(results["rows"].values())))
    rows = []
    for seats, row in results["rows"].items():
        known = results["published"][seats]
        measured = [_addtoo_figure(name, *row[name]) for name in header]
        rows.append([f"{seats} seats", *measured])
        rows.append([f"{seats} seats, known", *(_known(name, known[name]) for name in header)])
    return markdown_table(["", *header], rows)


def _addtoo_figure(name: str, value: float, half: float) -> str:
    """Format a figure with half the width of its interval; the maximum has no interval."""
    if name in ADDTOO_SHARES:
        return f"{value:.1%} ± {half:.1%}"
    return f"{value:.2f} ± {half:.2f}" if half else f"{value:.0f}"


def _known(name: str, value: float | list[float]) -> str:
    """Format a published figure: one number, or the lowest and the highest one."""
    numbers = value if isinstance(value, list) else [value]
    texts = [f"{bound:.0%}" if name in ADDTOO_SHARES else str(bound) for bound in numbers]
    text = span(*texts) if len(texts) > 1 else texts[0]
    return f"at most {text}" if name.startswith("most") else text


def _figure(name: str, value: float) -> str:
    """Format a share as a percentage, and a count as a number."""
    counts = name.startswith(("cards", "turns")) and not name.startswith("turns with")
    return f"{value:.2f}" if counts else f"{value:.1%}"


def solved_tables() -> list[dict[str, Any]]:
    """Return the small tables that were solved."""
    return list(_results()["exact"]["tables"])


def exact() -> str:
    """Return the table of small tables: size, and exploitability of players in points per game."""
    results = solved_tables()
    names = list(results[0]["exploitability"])
    budgets = max((row["equilibrium"]["after"] for row in results), key=len)
    rows = []
    for row in results:
        solved = row["equilibrium"]
        own = [f"{row['exploitability'][name]:.3f}" for name in names]
        after = [solved["after"].get(budget) for budget in budgets]
        learned = ["-" if value is None else f"{value:.6f}" for value in after]
        size = [f"{row[key]:,}" for key in ("nodes", "sets")]
        rows.append([row["table"], *size, f"{solved['value']:+.3f}", *own, *learned])
    header = ["table", "nodes", "information sets", "value"]
    header += [*names, *(f"CFR+, {budget} nodes" for budget in budgets)]
    return markdown_table(header, rows)


def coverage() -> str:
    """Return the share of simulated intervals that hold the true value."""
    results = _results()["coverage"]
    rows = [
        [row["case"], row["runs"], *(f"{100 * row[name]:.0f}" for name in COVERED)]
        for row in results["rows"]
    ]
    table = markdown_table(["scores", "runs in each environment", *COVERED], rows)
    return f"{table}\n\nOf 100 intervals, from {results['repetitions']:,} simulations of each row."


def text() -> str:
    """Return what a game costs as text: the rules, decisions, and a whole game by two ways."""
    results = _results()["text"]
    rows = [
        [
            find_game(row["game"]).title + (", compact" if row["compact"] else ""),
            f"{row['rules']:,}",
            f"{row['decisions']:.0f} ({row['choices']:.0f})",
            f"{row['mean']:,.0f} ({row['longest']:,})",
            f"{_round(row['rules'] + row['decisions'] * row['mean']):,}",
            f"{_round(row['prompts']):,}",
        ]
        for row in results["rows"]
    ]
    header = ["game", "rules", "decisions (with a choice)", "text of a decision (longest)"]
    table = markdown_table([*header, "`TextEnv`, a game", "`llm:`, a game"], rows)
    return f"In {results['unit']}, means of {results['games']} games of seat 0:\n\n{table}"


def page() -> str:
    """Return the time of the browser page's server for the answer to a click."""
    results = _results()["page"]
    rows = [[_table(row), *(f"{row[name]:.1f}" for name in CLICK_TIMES)] for row in results["rows"]]
    table = markdown_table(["table", *CLICK_TIMES.values()], rows)
    source = _results()["measured"]["page"]
    where = f"at commit `{source['commit']}` on {source['machine']['processor']}"
    return f"{table}\n\nIn milliseconds, over {results['clicks']} clicks each, {where}."


def prompts() -> str:
    """Return what a model is told at two decisions, one of them in the compact form."""
    texts = [
        TextEnv(name, seat=1, rules=False, compact=compact).reset(PROMPTED)
        for name, compact in (("quiddler", False), ("diddly", True))
    ]
    long, compact = (f"```text\n{prompt}\n```" for prompt in texts)
    return f"{long}\n\nThis is the compact form, of Diddly:\n\n{compact}"


PROMPTED = 7
"""The seed of the games whose prompts are shown."""
CLICK_TIMES = {
    "median": "median", "p95": "95th percentile", "p99": "99th percentile", "longest": "longest",
}  # fmt: skip
COVERED = ("interquartile mean", "improvement", "percentile bootstrap")


def benchmark() -> str:
    """Return the benchmark's aggregates over all environments, by budget."""
    from kitchentable_training.benchmark.leaderboard import (  # noqa: PLC0415 (torch)
        AGGREGATE_HEADER,
        aggregate_rows,
        budgets_of,
        improvements,
    )

    results = benchmark_results()
    rows = []
    for budget in budgets_of(results):
        better = improvements(results, budget)
        for row in aggregate_rows(results, budget):
            improvement = better.get(str(row[0]), {}).get("ppo")
            known = improvement and improvement["interval"]  # one run has none
            chance = rate(improvement["probability"], improvement["interval"]) if known else ""
            rows.append([budget, *row, chance])
    table = markdown_table(["budget", *AGGREGATE_HEADER, "better than `ppo` (95%)"], rows)
    return f"{table}\n\n{_measured_at(results)}"


def benchmark_scores() -> str:
    """Return the score of each entry in each environment, by budget."""
    return _by_environment("score")


def benchmark_exploitability() -> str:
    """Return the exploitability of each entry in each environment whose tree is known."""
    return _by_environment("exploitability")


def benchmark_settings() -> str:
    """Return the exploitability with other settings than those of the benchmark's entries."""
    results = benchmark_results(settings=True)
    places, means = _means(results, "exploitability")
    table = markdown_table(["entry", *places], [[name, *row] for name, row in means.items()])
    return f"{table}\n\n{_measured_at(results)}"


def benchmark_results(*, settings: bool = False) -> list[Any]:
    """Return the published results: of the entries, or of entries with other settings."""
    from kitchentable_training.benchmark.entries import has_own_settings  # noqa: PLC0415 (torch)
    from kitchentable_training.benchmark.results import published  # noqa: PLC0415

    return [result for result in published() if has_own_settings(result["entry"]) == settings]


def _by_environment(measure: str) -> str:
    places, means = _means(benchmark_results(), measure)
    rows = [list(row) for row in zip(places, *means.values(), strict=True)]
    return markdown_table(["environment, budget", *means], rows)


def _means(results: Sequence[Any], measure: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return the environments with their budgets, and each entry's means of a measure in them."""
    from kitchentable_training.benchmark.leaderboard import (  # noqa: PLC0415 (torch)
        budgets_of,
        mean_of,
    )
    from kitchentable_training.benchmark.protocol import ENVIRONMENTS  # noqa: PLC0415

    runs: dict[tuple[str, str], dict[str, list[Any]]] = {}
    for result in results:
        if measure in result:
            by_entry = runs.setdefault((result["budget"], result["environment"]), {})
            by_entry.setdefault(result["entry"], []).append(result)
    places = [
        place
        for budget in budgets_of(results)
        for name in ENVIRONMENTS
        if (place := (budget, name)) in runs
    ]
    means = {
        f"`{entry}`": [mean_of(runs[place].get(entry, []), measure) for place in places]
        for entry in sorted({entry for by_entry in runs.values() for entry in by_entry})
    }
    return [f"{name}, {budget}" for budget, name in places], means


def _measured_at(results: Any) -> str:
    """Say how many runs there are, of which commit and machine."""
    commits = sorted({str(result["commit"]) for result in results})
    machines = {
        f"{result['machine']['processor']}, {result['threads']} thread each" for result in results
    }
    source = f"{'commits' if len(commits) > 1 else 'commit'} {listed(commits)}"
    return f"{len(results)} runs, from {source} ({'; '.join(sorted(machines))})."


def learning() -> str:
    """Return the table of learned decisions per second of processor time."""
    results = _results()["learning"]
    rows = [
        [row["learner"], row["game"], row["setting"], f"{_round(row['decisions_a_cpu_second']):,}"]
        for row in results["rows"]
    ]
    table = markdown_table(["learner", "game", "setting", "decisions per CPU second"], rows)
    by_threads = results["decisions_a_second_by_threads"].items()
    threaded = ", ".join(f"{_round(speed):,} ({number})" for number, speed in by_threads)
    notes = [f"Decisions of `256 flat bf16` per second of wall-clock time, by threads: {threaded}."]
    notes += [f"Not measured: {line}." for line in results["not_measured"]]
    return f"{table}\n\n{' '.join(notes)}"


def curves() -> str:
    """Return the table of learning curves: means over a game's runs, with the range of several."""
    by_game: dict[str, list[Any]] = {}
    for run in learning_curves():
        by_game.setdefault(run["game"], []).append(run)
    rows = []
    for game, runs in by_game.items():
        names = [name for name in runs[0]["reached"] if name != "random"]
        for part in (0.25, 0.5, 1.0):
            points = [run["curve"][round(part * len(run["curve"])) - 1] for run in runs]
            rates = points if part < 1 else [run["reached"] for run in runs]
            won = [f"{name} {_spread([row[name] for row in rates])}" for name in names]
            when = [f"{points[0]['decisions'] / 1e6:.0f}M", f"{_mean(points, 'minutes'):.0f}"]
            rows.append([game, str(len(runs)), *when, ", ".join(won)])
    header = ["game", "runs", "decisions", "minutes", "win rate"]
    return f"{markdown_table(header, rows)}\n\n{DECIDED}"


def learning_curves() -> list[dict[str, Any]]:
    """Return the runs of the learning curves."""
    return list(_results()["curves"])


def _mean(points: list[Any], key: str) -> float:
    return sum(point[key] for point in points) / len(points)


def _spread(rates: list[float]) -> str:
    mean = f"{100 * sum(rates) / len(rates):.0f}%"
    ends = span(f"{100 * min(rates):.0f}", f"{100 * max(rates):.0f}")
    return mean if len(rates) == 1 else f"{mean} ({ends})"


def players(game: str = "") -> str:
    """Return the table of the scripted players' strength, of all games or of one; "" for none."""
    rows = [
        [_table(row), row["player"], row["opponent"], *_strength(row)]
        for row in _results()["players"]
        if game in ("", row["game"])
    ]
    table = markdown_table(["table", "player", "against", *STRENGTH], rows)
    return f"{table}\n\n{_measured('players')} {POINTS}" if rows else ""


def ratings() -> str:
    """Return the table of ratings at each table, best first, with win rates by seat."""
    rows, before = [], ""
    for row in _results()["ratings"]:
        table = _table(row)
        low, high = row["interval"]
        rated = f"{row['rating']:+.0f} ({low:+.0f} to {high:+.0f})"
        seats = row["win_rate_by_seat"] or []
        against = ", ".join("-" if share is None else f"{100 * share:.0f}%" for share in seats)
        table_cell, deals = "" if table == before else table, str(row["deals"])
        rows.append([table_cell, f"`{row['player']}`", rated, against, deals])
        before = table
    by_seat = "wins against `expert`, by seat"
    header = ["table", "player", "rating (95% interval)", by_seat, "deals"]
    return f"{markdown_table(header, rows)}\n\n{_measured('ratings')}"


def trained(game: str = "") -> str:
    """Return the table of the shipped trained players' strength, for all games or for one."""
    rows = [
        [player, name, *_strength(result)]
        for player, measured in trained_results(game).items()
        for name, result in measured["results"].items()
    ]
    table = markdown_table(["player", "against", *STRENGTH], rows)
    return f"{table}\n\n{_measured_on(trained_results(game).values())} {POINTS}"


def trained_elsewhere(name: str = "") -> str:
    """Return the table of players' strength at the other tables that they were trained at."""
    rows = []
    for player, measured in trained_results(name).items():
        for entry in measured.get("elsewhere", []):
            game = find_game(measured["game"])
            params = game.make_params(**entry["params"])
            table = f"{game.name}, {in_short(game, params.plain())}"
            level = f"{100 / params.num_players:.1f}%"
            for opponent, result in entry["results"].items():
                rows.append([player, table, opponent, _rate(result), level, f"{result['deals']:,}"])
    header = ["player", "table", "against", STRENGTH[0], "level", "deals"]
    return markdown_table(header, rows) if rows else ""


def trained_results(game: str = "") -> dict[str, Any]:
    """Return what was measured of the shipped trained players by name, of all games or of one."""
    results = _results()["trained"].items()
    return {name: result for name, result in results if game in ("", result["game"])}


def kinds() -> str:
    """Return the table of each kind of player against the strongest scripted one, by table."""
    from kitchentable_training.benchmark.protocol import STANDARD  # noqa: PLC0415 (torch)
    from kitchentable_training.benchmark.results import published  # noqa: PLC0415

    cloned = {
        result["environment"]: result["opponents"]
        for result in published()
        if (result["entry"], result["budget"], result["seed"]) == ("behavior_cloning", "1M", 1)
    }
    rows = []
    for table in STANDARD:
        game, params = table.load()
        played = _without_reward(game.name, params.plain())
        learned = [
            trained_results()[name]["results"]
            for name, card in cards(game.name).items()
            if _without_reward(card["game"], card["params"]) == played
        ]
        against = [results[table.reference] for results in learned if table.reference in results]
        best_and_cloned = [
            max(against, key=itemgetter("win_rate"), default=None),
            cloned.get(table.name, {}).get(table.reference),
        ]
        rates = [_rate(result) if result else "-" for result in best_and_cloned]
        rows.append([table.name, f"`{table.reference}`", *rates])
    header = ["table", "against", "learned", "cloned"]
    return f"{markdown_table(header, rows)}\n\n{DECIDED}"


def _without_reward(game: str, params: Any) -> dict[str, Any]:
    """Return a table's parameters except the reward."""
    plain = find_game(game).make_params(**params).plain()
    return {name: value for name, value in plain.items() if name != "reward"}


def trained_summary() -> str:
    """Return the table of the shipped trained players against two scripted ones."""
    rows = []
    for player, card in cards().items():
        results = trained_results()[player]["results"]
        strongest = list(results)[-1]
        rates = [_rate(results[name]) for name in ("greedy", strongest)]
        rows.append([player, how_learned(card), *rates, f"`{strongest}`"])
    header = ["player", "how", "against `greedy`", "against the strongest", "which is"]
    return f"{markdown_table(header, rows)}\n\n{_measured_on(trained_results().values())}"


def how_learned(card: Any) -> str:
    """Return how a player was trained: cloned players, algorithm, additional inputs and start."""
    settings = card["settings"]
    algorithm, cloning = settings["algorithm"], settings["behavior_cloning"]
    options = ("action_features", "derived_parts")
    inputs = [name.replace("_", " ") for name in options if settings["network"].get(name)]
    features = f" with {' and '.join(inputs)}" if inputs else ""
    if tables := settings["network"].get("tables"):
        features += f" at {len(tables)} tables"
    start = settings.get("start") or ""
    run = re.fullmatch(r"runs/(\w+)/final", start)
    start = f", from `{run[1] if run else start}`" if start else ""
    if not cloning:
        return f"`{algorithm}`{features}{start}"
    players = [cloning["player"]] if isinstance(cloning["player"], str) else cloning["player"]
    named = ", ".join(f"`{name}`" for name in dict.fromkeys(players))
    return f"behavior cloning of {named}{start}, then `{algorithm}`{features}"


def cards(game: str = "") -> dict[str, Any]:
    """Return the cards of the shipped trained players by name, of all games or of one."""
    by_name = {
        path.parent.name: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "checkpoints").glob("*/card.json"))
    }
    return {name: card for name, card in by_name.items() if game in ("", card["game"])}


def best_responses() -> list[dict[str, Any]]:
    """Return the results of the best responses to each player."""
    return list(_results()["exploit"].values())


def exploit() -> str:
    """Return the table of gains against each player: best response, scripted player, search."""
    rows = []
    for response in best_responses():
        for i, (name, result) in enumerate(response["opponents"].items()):
            learned = i == 0  # the others are scripted or search
            rows.append(
                [
                    response["player"],
                    "best response" if learned else name,
                    rate(result["win_rate"], result["win_rate_interval"]),
                    number(result["gain"], result["gain_interval"]),
                    f"{response['steps']:,}" if learned else "",
                    f"{result['deals']:,}",
                ]
            )
    header = [
        "player", "against it", "win rate (95% interval)", "points gained per game (95% interval)",
        "decisions learned", "deals",
    ]  # fmt: skip
    return f"{markdown_table(header, rows)}\n\n{_measured_on(best_responses())}"


def mutants() -> str:
    """Return the table of mutants, and of those that the tests notice, by subject."""
    rows = []
    for subject, outcomes in json.loads(MUTANTS.read_text(encoding="utf-8")).items():
        kinds = Counter(outcomes.values())
        others = len(outcomes) - kinds["equivalent"]
        noticed = others - kinds["MISSED"]
        counts = map(str, (len(outcomes), kinds["equivalent"], noticed))
        rows.append([subject, *counts, f"{noticed / others:.0%}"])
    return markdown_table(["subject", "mutants", "equivalent", "noticed", "share"], rows)


OURS = "Kitchentable"
WAYS = {
    "many games at once": re.compile(r"batch of 1,024, (1 thread|no mask)|.* games on CPU, .*"),
    "one game, from Python": re.compile(r"env\(\)|Python"),
}
"""What matches the interfaces in the summary of speeds."""
ADDTOO_SHARES = ("turns that draw", "ends with an empty hand")
"""Figures of Add-Too that are percentages."""
SHOWN = ("num_players", "cards", "meld")
"""Parameters that a table's name always shows, if the game has them; others are shown if they are
not the default."""
STRENGTH = ["win rate (95% interval)", "ties", "points per game (95% interval)", "deals"]
POINTS = "In Diddly and Fiddlefoo low scores win, so negative points are good there."


TABLES: dict[str, Callable[[], str]] = {
    table.__name__: table
    for table in (
        *(games, chooser, settings, speed_summary, trained_summary),
        *(speed, gpu, startup, figures, addtoo_figures),
        *(learning, curves),
        *(benchmark, benchmark_scores, benchmark_exploitability, benchmark_settings),
        *(coverage, exact),
        *(prompts, text, page),
        *(kinds, players, trained, trained_elsewhere, ratings, exploit),
        mutants,
    )
}


def _measured(part: str) -> str:
    """Return on which deals, commit and machine the rows of a part were measured."""
    results = _results()
    return _measured_on(row | results["measured"][part] for row in results[part])


def _measured_on(results: Iterable[Mapping[str, Any]]) -> str:
    """Return on which deals, commits and machines some results were measured, as a sentence."""
    sources: dict[str, dict[str, None]] = {}  # sets of what is said, in order
    for result in results:
        commit, machine = result.get("commit"), result.get("machine")
        parts = [f"at {commit}" if " " in commit else f"at commit `{commit}`"] if commit else []
        if machine:
            parts.append(f"on {machine['processor']}, {count(machine['threads'], 'thread')}")
        sources.setdefault(describe_deals(result["deal_seed"]), {})[", ".join(parts)] = None
    on_deals = [", ".join(filter(None, [deals, "; ".join(at)])) for deals, at in sources.items()]
    return f"Measured on {'; '.join(on_deals)}. {DECIDED}"


def _results() -> Any:
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def _table(row: Any) -> str:
    params = find_game(row["game"]).make_params(**row["params"])
    shown_params = {name: getattr(params, name) for name in SHOWN if hasattr(params, name)}
    shown_params |= row["params"]
    return f"{row['game']}, {', '.join(f'{key} {value}' for key, value in shown_params.items())}"


def _rate(result: Any) -> str:
    won = rate(result["win_rate"], result["win_rate_interval"])
    if "opponents_win_rate" in result:  # of teams and single players, on the same deals
        won += f", other {100 * result['opponents_win_rate']:.1f}%"
    return won


def _strength(result: Any) -> list[str]:
    return [
        _rate(result),
        "" if "opponents_win_rate" in result else ties(result),
        number(result["difference"], result["difference_interval"]),
        f"{result['deals']:,}",
    ]


def _round(speed: float) -> int:
    """Round to three significant digits; further digits are noise."""
    digits = len(str(int(speed)))
    return int(round(speed, min(0, 3 - digits)))


def main() -> None:
    """Rewrite all pages."""
    for page in PAGES:
        page.write_text(render(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
