"""Generate pages from the code: a page for each game, and the commands.

``make docs`` runs this for every build of the site. The pages are kept in the repository, where
they can be read without a build; a test compares them with the code.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import io
import itertools
import os
import re
import tokenize
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from docs import notebooks, signatures, tables
from kitchentable import Game, find_game
from kitchentable.adapters.makers import Shown, field_docs
from kitchentable.adapters.registration import gymnasium_id
from kitchentable.core.registry import shipped_versions
from kitchentable.core.rewards import POINTS_PER_UNIT, stake
from kitchentable.core.state import slices
from kitchentable.render.rulebook import Figure, Part, Rulebook
from kitchentable_training.cli.main import build_parser
from kitchentable_training.evaluate.formatting import markdown_table

FOLDER = Path(__file__).parent
GAMES = FOLDER / "games"
PICTURES = FOLDER / "pictures"
REFERENCE = FOLDER / "api"
COMMANDS = REFERENCE / "command_line.md"
MOST_NAMES = 16
"""The maximum number of actions of one kind that a page lists in full."""


def main() -> None:
    """Write all generated pages, and remove those of games and notebooks that no longer exist."""
    written = pages()
    for folder in (GAMES, notebooks.PAGES):
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            if old not in written:
                old.unlink()
    for path, content in written.items():
        # Sphinx does not read unchanged pages again.
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)


def pages() -> dict[Path, bytes]:
    """Return the content of all generated files."""
    texts = {GAMES / "index.md": games_index(), COMMANDS: commands_page()}
    for path in set(REFERENCE.glob("*.md")) - {COMMANDS}:
        texts[path] = signatures.fill(path.read_text(encoding="utf-8"))
    for game in map(find_game, shipped_versions()):
        texts[GAMES / f"{game.name}.md"] = game_page(game)
        texts |= {GAMES / name: figure for name, figure in rule_figures(game).items()}
    notebook_pages = {
        notebooks.PAGES / name: content for name, content in notebooks.pages().items()
    }
    return {path: text.encode() for path, text in texts.items()} | notebook_pages


def _autodoc(module: str) -> str:
    return f"```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n   :imported-members:\n```"


def games_index() -> str:
    """Return the page that lists the games."""
    names = "\n".join(shipped_versions())
    return f"# Games\n\n{tables.games('')}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"


def game_page(game: Game) -> str:
    """Return the page of a game: its rules for people, then the form of PettingZoo's pages."""
    module = f"kitchentable.{game.name}_v{game.version}"
    rules = inspect.getdoc(importlib.import_module(game.rules.step.__module__)) or ""
    source = re.sub(r"[.;] The sections named below[^.]*", "", rules, flags=re.IGNORECASE)
    sections = {
        "Rules": _rules(game),
        "Environment": _overview(game),
        "Parameters": _parameters(game),
        "Actions": _actions(game),
        "Observations": "\n\n".join(filter(None, (_observations(game), _derived_parts(game)))),
        "Action features": _action_features(game),
        "Rewards": _rewards(game),
        "End of a game": _end(game),
        "Variants": _variants(game),
        "Scripted players": _scripted(game),
        "Trained players": _trained(game),
        "Source and readings of the rules": source.partition("\n")[2].strip(),
        "Module": _autodoc(module),
    }
    parts = [f"# {game.title}", game.about, *_pictures(game)]
    parts += [f"## {title}\n\n{text}" for title, text in sections.items() if text]
    return "\n\n".join(parts) + "\n"


def rule_figures(game: Game) -> dict[str, str]:
    """Return the figures of the rules as SVG documents, by file name."""
    parts = itertools.chain.from_iterable(_rule_sections(game).values())
    figures = [part for part in parts if isinstance(part, Figure)]
    return {_figure_name(game, i): figure.picture.to_svg() for i, figure in enumerate(figures)}


def _figure_name(game: Game, number: int) -> str:
    return f"{game.name}_rules_{number}.svg"


def _rule_sections(game: Game) -> dict[str, Sequence[Part]]:
    """Return the rules with the default parameters, and the sections that only variants have."""
    sections = dict(Rulebook(game, game.make_params()).sections)
    for variant in game.rules.variants:
        written = ", ".join(f"`{name}={_short(value)}`" for name, value in variant.items())
        for title, parts in Rulebook(game, game.make_params(**variant)).sections.items():
            sections.setdefault(title, [f"With {written}:", *parts])
    return sections


def _rules(game: Game) -> str:
    """Return the rules as Markdown."""
    numbers = itertools.count()

    def written(part: Part) -> str:
        if isinstance(part, str):
            return part
        if isinstance(part, list):
            return "\n".join(f"- {item}" for item in part)
        if isinstance(part, Figure):
            return f"![{part.caption}]({_figure_name(game, next(numbers))})\n\n*{part.caption}*"
        return markdown_table(part.header, part.rows)

    blocks = [
        "These are the rules with the default parameters; sections that need other parameters "
        "come last. The page in the browser, `table.rules()` and `kitchentable rules` show the "
        "rules with your parameters."
    ]
    for title, parts in _rule_sections(game).items():
        blocks += [f"### {title}", *map(written, parts)]
    return "\n\n".join(blocks)


def _pictures(game: Game) -> list[str]:
    """Return a game's pictures: ``NAME.png``, the animation ``NAME.svg``, and those of variants."""
    longer = [name for name in shipped_versions() if name.startswith(f"{game.name}_")]
    files = sorted(
        PICTURES.glob(f"{game.name}*.[ps][nv]g"), key=lambda file: (len(file.stem), file)
    )
    own = [file for file in files if not any(file.stem.startswith(name) for name in longer)]
    return [
        f"![{game.title}{file.stem[len(game.name) :].replace('_', ', ')}](../pictures/{file.name})"
        for file in own
    ]


def _overview(game: Game) -> str:
    """Return the table of names and spaces, with sizes for the default parameters."""
    params = game.make_params()
    seats = tables.seats(game)
    actions = len(game.rules.action_names(params))
    size = sum(game.rules.observation_layout(params).values())
    name = f"{game.name}_v{game.version}"
    make = f'pettingzoo.make("aec", "kitchentable/{name}")'
    rows = [
        ["Import", f"`from kitchentable import {name}`"],
        ["PettingZoo 1.27", f"`import kitchentable; {make}`"],
        [
            "Gymnasium, one seat",
            f'`gymnasium.make("kitchentable:{gymnasium_id(game.name, game.version)}")`',
        ],
        ["Many games at once", f'`kitchentable.make_batch("{game.name}", num_envs=4096)`'],
        ["Players", seats],
        ["Agents", "`player_0`" if seats == "1" else "`player_0`, `player_1`, ..."],
        ["Action space", f"`Discrete({actions})`"],
        ["Observation space", f"`observation`: `Box(0, 1, ({size},), float32)`"],
        ["", f"`action_mask`: `Box(0, 1, ({actions},), int8)`"],
    ]
    if game.rules.state_layout is not None:
        state = sum(game.rules.full_layout(params).values())
        rows.append(["Full state", f"`Box(0, 1, ({state},), float32)`, `env.state()`"])
    return markdown_table(["", ""], rows)


# --- Parameters -----------------------------------------------------------------------------------


def _parameters(game: Game) -> str:
    """Return the table of the parameters, and of the options that say how a table is shown."""
    rows = []
    for options in (game.rules.params, Shown):
        about = field_docs(options)
        rows += [
            [f"`{field.name}`", f"`{field.default!r}`", about.get(field.name, "")]
            for field in dataclasses.fields(options)
            if field.name != "action_features" or game.players.action_features is not None
        ]
    return markdown_table(["parameter", "default", "meaning"], rows)


def _variants(game: Game) -> str:
    rows = []
    for variant in game.rules.variants:
        params = game.make_params(**variant)
        written = ", ".join(f"{name}={_short(value)}" for name, value in variant.items())
        layout = game.rules.observation_layout(params)
        sizes = [params.num_players, len(game.rules.action_names(params)), sum(layout.values())]
        rows.append([f"`{written}`" if written else "the defaults", *(f"{n:,}" for n in sizes)])
    intro = (
        "The contract tests use these variants, which together cover every rule and every number "
        "of seats. The sizes of the action and observation spaces depend on the parameters."
    )
    header = ["parameters", "seats", "actions", "observation"]
    return f"{intro}\n\n{markdown_table(header, rows)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:50]} ..."


# --- Actions and observations ---------------------------------------------------------------------


def _actions(game: Game) -> str:
    """Return the table of actions, with one row for each kind."""
    kinds: dict[str, list[str]] = {}
    names = game.rules.action_names(game.make_params())
    for name in names:
        kinds.setdefault(name.partition(":")[0], []).append(name)
    rows = []
    for kind, alike in kinds.items():
        first, last = names.index(alike[0]), names.index(alike[-1])
        index = f"{first}" if first == last else f"{first} to {last}"
        shortened = alike if len(alike) <= MOST_NAMES else [*alike[:3], "...", alike[-1]]
        about = game.render.action_help.get(kind, "").replace("{}", "*x*")
        listed = ", ".join("..." if name == "..." else f"`{name}`" for name in shortened)
        rows.append([index, listed, about])
    intro = (
        "The index and the name of an action do not change during a game. "
        "With the default parameters the names (`table.action_names`) are:"
    )
    return f"{intro}\n\n{markdown_table(['index', 'name', 'meaning'], rows)}"


def _observations(game: Game) -> str:
    """Return the table of an observation's parts; the meanings are the comments in the code."""
    layout = game.rules.observation_layout(game.make_params())
    about = _meanings(game.rules.observation_layout)
    module = inspect.getmodule(game.rules.observation_layout)
    alone = module is not inspect.getmodule(game.rules.step)  # else it is the text of the rules
    rows = [
        [f"`{name}`", f"{part.start}", f"{layout[name]:,}", about.get(name, "")]
        for name, part in slices(layout).items()
    ]
    images = game.rules.image_parts(game.make_params())
    shapes = ", ".join(f"`{name}`: {shape}" for name, shape in images.items())
    parts = [
        (inspect.getdoc(module) or "") if alone else "",
        "`table.observation_parts` has the slice of every part. These are the parts with the "
        'default parameters; "of *n*" means divided by *n*.',
        markdown_table(["part", "from", "length", "meaning"], rows),
        f"Parts that are images, (channels, height, width): {shapes}." if images else "",
        "The mask marks the legal actions with 1. It is all zeros for agents that do not act.",
    ]
    return "\n\n".join(part for part in parts if part)


def _derived_parts(game: Game) -> str:
    """Return the table of parts that networks can receive besides the observation."""
    derived = game.players.derived_parts
    if derived is None:
        return ""
    about = _meanings(game.rules.observation_layout) | _meanings(derived.layout)
    layout = derived.layout(game.make_params())
    rows = [[f"`{name}`", f"{length:,}", about[name]] for name, length in layout.items()]
    replies = " or `network.reply_rounds`" if "pairs" in layout else ""
    intro = (
        f"With `network.derived_parts: true`{replies}, a network also receives these parts, which "
        "are derived from the observation:"
    )
    return f"{intro}\n\n{markdown_table(['part', 'length', 'meaning'], rows)}"


def _meanings(layout: Callable[..., Any]) -> dict[str, str]:
    """Return the comments on each part, with the values of constants instead of their names."""

    def value(match: re.Match[str]) -> str:
        constant = vars(inspect.getmodule(layout)).get(match[1])
        if isinstance(constant, tuple) and all(isinstance(item, str) for item in constant):
            return f"planes {', '.join(constant)}"
        return str(constant) if isinstance(constant, int) else match[0]

    return {
        name: re.sub(r"(?:see )?`?\b([A-Z][A-Z_]+)\b`?", value, about)
        for name, about in comments_by_key(layout).items()
    }


def comments_by_key(function: Callable[..., Any]) -> dict[str, str]:
    """Return the comments on the keys of dictionaries in a function's source code.

    A comment begins on the line of its entry, and may continue below.
    """
    comments: dict[str, list[str]] = {}
    key = ""
    tokens = tokenize.generate_tokens(io.StringIO(inspect.getsource(function)).readline)
    for token, after in itertools.pairwise(tokens):
        if token.type == tokenize.STRING and after.string == ":":
            key = token.string.strip("\"'")
            comments[key] = []
        elif token.type == tokenize.COMMENT and key:
            comments[key].append(token.string.lstrip("# "))
    return {name: " ".join(lines) for name, lines in comments.items()}


def _action_features(game: Game) -> str:
    """Return the text on action features, with their names and comments as in the code."""
    features = game.players.action_features
    if features is None:
        return ""
    module = importlib.import_module(features.write.__module__)
    about = (inspect.getdoc(module) or "").partition("\n\n")[2]
    source, lists = inspect.getsource(module), r"^(?:TEAM_)?NAMES = \(\n.*?^\)"
    names = re.findall(lists, source, re.DOTALL | re.MULTILINE)
    size, of_teams, most = len(features.names), len(features.team_names), features.most
    more = f" ({size + of_teams} in a team)" if of_teams else ""
    assert len(names) == (2 if of_teams else 1)
    intro = (
        "With [`action_features=True`](../guides/environments.md#action-features), in training "
        "[`network.action_features`](../guides/networks.md#action-features), there are "
        f"{size} features of each legal action{more}, in at most {most} rows: "
        f"{about[:1].lower()}{about[1:]}"
    )
    return f"{intro}\n\n```python\n{chr(10).join(names)}\n```"


# --- Rewards and ends -----------------------------------------------------------------------------


def _rewards(game: Game) -> str:
    if game.make_params().num_players == 1:
        return (
            '`reward="win"` is 1 at the end of a game that is won, else 0. `reward="margin"` is '
            "the share of the cards that were used. An illegal action in `env()` costs 1."
        )
    cost = stake("margin", game.rules.worst_hand or 0, team=False)
    text = (
        '`reward="win"` is paid at the end of the game: with *k* winners among *n* players, '
        "(*n*/*k* - 1)/(*n* - 1) to each winner and -1/(*n* - 1) to each other player. "
        '`reward="margin"` is paid at the end of every hand: (own points - mean of the others\' '
        f"points) / {POINTS_PER_UNIT:g}, with the opposite sign in games where low scores win. "
        "Both sum to zero over the players. In `env()` an illegal action ends the game and costs "
        f'1 (`"win"`) or {cost:g} (`"margin"`), which the other players share.'
    )
    if any(game.is_team(game.make_params(**variant)) for variant in game.rules.variants):
        text += (
            ' In a cooperative game every player receives the same: 1 or 0 with `"win"`, a share '
            'from 0 to 1 with `"margin"`. An illegal action costs every player 1.'
        )
    return text


def _end(game: Game) -> str:
    about = field_docs(game.rules.params)
    limits = [f"`{name}`" for name, meaning in about.items() if "truncat" in meaning]
    text = "A game terminates for all agents when its rules end it."
    if not limits:
        return f"{text} It is never truncated."
    reached = f"{', '.join(limits)} is reached; finished hands still pay"
    return f"{text} It is truncated for all agents when the limit {reached}."


# --- Players --------------------------------------------------------------------------------------


def _scripted(game: Game) -> str:
    lines = [
        f"- `{name}`: {_first_sentence(player)}" for name, player in game.players.scripted.items()
    ]
    intro = "Scripted players see only what their seat knows."
    return "\n\n".join([intro, "\n".join(lines), tables.players(game.name)])


def _first_sentence(player: Callable[..., Any]) -> str:
    return " ".join((inspect.getdoc(player) or "").partition("\n\n")[0].split())


def _trained(game: Game) -> str:
    cards = tables.cards(game.name)
    if not cards:
        return ""
    lines = [
        f"- `{name}`: {tables.how_learned(card)}, {card['steps']:,} steps. `{card['command']}`"
        for name, card in cards.items()
    ]
    parts = ["\n".join(lines), tables.trained(game.name), tables.trained_elsewhere(game.name)]
    return "\n\n".join(filter(None, parts))


# --- Commands -------------------------------------------------------------------------------------


def commands_page() -> str:
    """Return the page of the command ``kitchentable``: the help of each command."""
    os.environ["COLUMNS"] = "90"
    parser = build_parser()
    actions = [
        action
        for action in parser._actions  # noqa: SLF001
        if hasattr(action, "choices") and action.choices
    ]
    commands: Mapping[str, Any] = actions[0].choices
    parts = ["# Command line", f"```text\n{parser.format_help()}```"]
    parts += [
        f"## {name}\n\n```text\n{command.format_help()}```" for name, command in commands.items()
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
