"""The report: runs, trained players, tournaments, evaluations and benchmarks on one HTML page.

Each of them is a section. All are read before anything is written. Pictures are embedded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kitchentable import find_game
from kitchentable_training import files
from kitchentable_training.benchmark.results import LEADERBOARD, RESULT
from kitchentable_training.evaluate.formatting import in_short
from kitchentable_training.players.by_name import find_checkpoint
from kitchentable_training.report import parts, plots
from kitchentable_training.report.benchmark_section import benchmark_section
from kitchentable_training.report.learner_section import card_section, run_section
from kitchentable_training.report.tournament_section import tournament_context

REPORT = "report.html"


def write_report(*whats: str | Path, out: Path | None = None) -> Path:
    """Write one page about runs, players, tournaments, evaluations, benchmarks; return its path.

    Args:
        whats: folders of runs, which may still be training; folders or names of checkpoints; JSON
            files of tournaments and evaluations; folders of benchmarks.
        out: the file; None: ``report.html`` in a single run's folder, otherwise in the current one.

    Raises:
        OSError: the page cannot be written.
        ValueError: something is missing, of another kind or damaged.
    """
    if out is None:
        single = _run_folder(str(whats[0])) if len(whats) == 1 else None
        out = (single or Path()) / REPORT
    files.check_writable(out)
    files.write_text(out, make_page(*whats))
    return out


def make_page(*whats: str | Path, links: Mapping[str, str] | None = None) -> str:
    """Return the page that `write_report` writes.

    Args:
        whats: as for `write_report`.
        links: the links at the top of the page, texts by addresses.

    Raises:
        ValueError: something is missing, of another kind or damaged.
    """
    sections = [_read(str(source)) for source in whats]
    return _page([*_together(sections), *sections], links or {})


def plot_results(results: Mapping[str, Any], path: Path) -> None:
    """Draw the results of a tournament or an evaluation as a PNG file."""
    is_tournament = files.kind_of(results) == "tournament"
    draw = plots.tournament_figure if is_tournament else plots.evaluation_figure
    plots.save_png(draw(results), path)


def _read(source: str) -> parts.Section:
    """Determine the kind of something, and read its section."""
    run = _run_folder(source)
    if run is not None:
        return run_section(run)
    path = Path(source)
    folder = path.parent if path.name == LEADERBOARD else path
    if (folder / LEADERBOARD).is_file() or next(folder.rglob(RESULT), None) is not None:
        return benchmark_section(folder)
    if path.is_file() and path.name != files.CARD:
        return _file_section(path)
    checkpoint = find_checkpoint(str(path.parent) if path.name == files.CARD else source)
    if checkpoint is None:
        raise ValueError(
            f"{source} is not a training run (it has no {files.SETTINGS}), a checkpoint, a JSON "
            "file of a tournament or an evaluation, or the folder of a benchmark (with a "
            f"{LEADERBOARD} or a {RESULT})"
        )
    return card_section(checkpoint)


def _run_folder(source: str) -> Path | None:
    """Return the folder of a run, given that folder or its final checkpoint; otherwise None."""
    path = Path(source)
    folder = path.parent if path.name == files.FINAL else path
    return folder if (folder / files.SETTINGS).is_file() else None


# --- The page -------------------------------------------------------------------------------------


def _page(sections: Sequence[parts.Section], links: Mapping[str, str]) -> str:
    templates = Environment(
        loader=PackageLoader("kitchentable_training.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    single = len(sections) == 1
    rendered = []
    for number, section in enumerate(sections, start=1):
        headings = _Headings(f"part-{number}", level=2 if single else 3)
        body = templates.get_template(section.template).render(
            section.context, heading=headings, subtitle=section.subtitle
        )
        rendered.append(
            {
                "id": headings.prefix,
                "title": section.title,
                "headings": headings.written,
                # Templates escape all text.
                "body": Markup(body),
            }
        )
    title = sections[0].title if single else "Kitchentable: report"
    return templates.get_template(REPORT).render(
        title=title, sections=rendered, single=single, links=links
    )


class _Headings:
    """Writes the headings of a section, and collects them for the table of contents."""

    def __init__(self, prefix: str, level: int) -> None:
        self.prefix, self._level = prefix, level
        self.written: list[tuple[str, str]] = []

    def __call__(self, text: str) -> Markup:
        """Return a heading that the table of contents links to."""
        anchor = f"{self.prefix}-{len(self.written) + 1}"
        self.written.append((anchor, text))
        return Markup('<h{0} id="{1}">{2}</h{0}>').format(self._level, anchor, text)


def _together(sections: Sequence[parts.Section]) -> list[parts.Section]:
    """Return a section with the curves of all runs, for each game with several runs."""
    by_kind: dict[tuple[str, bool], list[parts.RunCurve]] = defaultdict(list)
    for section in sections:
        if section.curve is not None:
            by_kind[section.curve.kind].append(section.curve)
    return [_together_section(kind, curves) for kind, curves in by_kind.items() if len(curves) > 1]


def _together_section(kind: tuple[str, bool], curves: Sequence[parts.RunCurve]) -> parts.Section:
    title, team = kind
    by_label: dict[str, parts.RunCurve] = {}
    for curve in curves:
        same = sum(label.startswith(curve.label) for label in by_label)
        by_label[f"{curve.label} ({same + 1})" if curve.label in by_label else curve.label] = curve
    fair = [] if team else sorted({curve.fair for curve in curves})
    rows = [_together_row(label, curve) for label, curve in by_label.items()]
    header = ["run", "decisions", "minutes", "last", "highest"]
    curves_over = {
        plots.STEPS: {label: curve.steps for label, curve in by_label.items()},
        plots.MINUTES: {label: curve.minutes for label, curve in by_label.items()},
    }
    alt = "Lines with the win rate of each run over the {}; the table has the last figures."
    context = {
        "team": team,
        "figures": [
            parts.picture(plots.together_figure(drawn, fair, over), alt.format(over.label))
            for over, drawn in curves_over.items()
        ],
        "table": parts.Table("Win rates of the runs", header, rows),
    }
    return parts.Section(f"{title}: {len(curves)} runs together", "", "together.html", context)


def _together_row(label: str, run: parts.RunCurve) -> list[object]:
    (steps, rates), (minutes, _) = run.steps, run.minutes
    percent = [f"{100 * rate:.1f}%" for rate in (rates[-1], rates.max())]
    return [label, f"{steps[-1]:,.0f}", f"{minutes[-1]:.1f}", *percent]


# --- Tournaments and evaluations ------------------------------------------------------------------


def _file_section(path: Path) -> parts.Section:
    """Return the section on a file that `tournament` or `evaluate` wrote."""
    content = files.read_json(path)
    kind = files.kind_of(content)
    if kind is None:
        keys = ", ".join(content) or "none"
        raise ValueError(f"{path} is neither a tournament nor an evaluation; its keys are {keys}")
    with files.reading(path):
        game = find_game(content["game"])
        if kind == "tournament":
            name, context = f"tournament {path.stem}", tournament_context(content)
        else:
            name = f"{content['player']}, {path.stem}"
            context = {"results": parts.result_context(content)}
        about = in_short(game, game.make_params(**content["params"]).plain())
        subtitle = f"{game.name}_v{content['version']}: {about}"
        return parts.Section(f"{game.title}: {name}", subtitle, f"{kind}.html", context)
