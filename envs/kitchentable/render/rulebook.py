"""The rules of a game as a page for people: sections of texts, tables and figures.

A game writes its sections in a function ``rulebook(params)`` (see `Render.rulebook`), with the
numbers of the chosen parameters. The documentation, the page in the browser and `Rulebook.text`
show them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kitchentable.core.game import Game
from kitchentable.core.rng import seeds_for
from kitchentable.render.cards import CARD_RATIO, Face, draw_card
from kitchentable.render.letters import LEADING, wrapped
from kitchentable.render.phrases import LINE, count, listed
from kitchentable.render.picture import Picture
from kitchentable.render.scene import Palette
from kitchentable.render.view import View
from kitchentable.render.voice import Voice


@dataclass(frozen=True)
class Table:
    """A table of a rulebook."""

    header: Sequence[str]
    rows: Sequence[Sequence[object]]


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure of a rulebook."""

    caption: str
    """What the figure shows; also its text for those who cannot see it."""
    picture: Picture


Part = str | list[str] | Table | Figure
"""A paragraph, a bulleted list, a table or a figure."""
Sections = Mapping[str, Sequence[Part]]
"""The parts of each section, by title."""

SETUP = "Set-up"
"""The section that ends with a picture of the table after the deal."""
UNWRITTEN = "This game has no rulebook. Its actions:"
DEAL = 7
"""The seed of the pictured deal."""


@dataclass(frozen=True, eq=False)
class Rulebook:
    """The rules of a game with certain parameters."""

    game: Game
    params: Any

    @property
    def about(self) -> str:
        """One paragraph: what the game is about, and for which parameters, as they are typed."""
        chosen, usual = self.params.plain(), self.game.make_params().plain()
        changed = [_set(name, value) for name, value in chosen.items() if value != usual.get(name)]
        description = listed(changed) if changed else "the default parameters"
        return f"{self.game.about} These are the rules with {description}."

    @property
    def sections(self) -> Sections:
        """The sections in order; of a game without a rulebook, what its actions mean."""
        write = self.game.render.rulebook
        if write is None:
            help_texts = self.game.render.action_help
            kinds = dict.fromkeys(
                name.partition(":")[0] for name in self.game.rules.action_names(self.params)
            )
            meanings = [
                f"{kind}: {help_texts[kind]}" if kind in help_texts else kind for kind in kinds
            ]
            return {"Rules": [UNWRITTEN, meanings]}
        sections: Sections = write(self.params)
        # A game without a drawing has only its text, which shows nothing that the rules do not say.
        dealt = [self._dealt()] if SETUP in sections and self.game.render.wide else []
        return {
            title: [*parts, *(dealt if title == SETUP else [])] for title, parts in sections.items()
        }

    def _dealt(self) -> Figure:
        """Return a picture of the table after the deal, as the first seat to act sees it.

        It is the one for phones, whose letters are large enough in the column of a page.
        """
        rules = self.game.rules
        state = rules.records(self.params, 1)[0]
        state.seed = seeds_for(DEAL, 1)[0]
        rules.init(state, self.game.read_deck(self.params, None), *rules.tables(self.params))
        seat = int(state.current_player)
        names = tuple(f"Player {number + 1}" for number in range(int(state.num_players)))
        view = View(self.game, state, self.params, seat, voice=Voice(names, seat))
        return Figure("The table after the deal.", view.draw(tall=True))

    def text(self, *, figures: bool = True) -> str:
        """Return the rules as text of at most 80 columns.

        Args:
            figures: whether to write the captions of the figures.
        """
        title = f"The rules of {self.game.title}"
        blocks = [f"{title}\n{'=' * len(title)}", _filled(self.about)]
        for name, parts in self.sections.items():
            included = [part for part in parts if figures or not isinstance(part, Figure)]
            blocks += [f"{name}\n{'-' * len(name)}", *map(_written, included)]
        return "\n\n".join(blocks)


def _set(name: str, value: Any) -> str:
    """Return a parameter with its value, or with the length of a long one."""
    text = f"{name}={value!r}"
    return text if len(text) <= LINE / 2 else f"{name} of {count(len(value), 'item')}"


# --- Text -----------------------------------------------------------------------------------------


def _filled(text: str, first: str = "", later: str = "") -> str:
    return textwrap.fill(
        text, LINE, initial_indent=first, subsequent_indent=later, break_on_hyphens=False
    )


def _written(part: Part) -> str:
    """Return a part as text."""
    if isinstance(part, str):
        return _filled(part)
    if isinstance(part, list):
        return "\n".join(_filled(item, "- ", "  ") for item in part)
    if isinstance(part, Figure):
        return _filled(f"[Figure: {part.caption}]", later=" ")
    return "\n".join(_lines(part))


def _lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table; the last column is broken where it would be too long."""
    cells = [[str(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    indent = sum(widths[:-1]) + 2 * (len(widths) - 1)
    for i, row in enumerate(cells):
        first = "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths[:-1], strict=False))
        yield _filled(row[-1] or "-", first, " " * indent)
        if i == 0:
            yield "-" * min(LINE, indent + widths[-1])


# --- Figures --------------------------------------------------------------------------------------

CARD, GAP, NOTE = 84, 14, 16
"""The width of a card, the space between cards, and the font size of what is written below them."""


def cards_picture(
    cards: Sequence[tuple[Face | None, str]], palette: Palette, across: int = 8
) -> Picture:
    """Draw cards in rows, each with a note below it.

    Args:
        cards: the face of each card, None for an empty place, and its note.
        palette: the colors of the table.
        across: the maximum number of cards in a row.
    """
    across = min(across, len(cards))
    notes = [wrapped(note, NOTE, CARD + GAP) for _, note in cards]
    below = LEADING * NOTE * max(1, *map(len, notes))
    step, high = CARD + GAP, CARD_RATIO * CARD + GAP / 2 + below
    rows = -(-len(cards) // across)
    size = (GAP + across * step, round(GAP + rows * (high + GAP / 2)))
    picture = Picture(*size, palette.table)
    for i, ((face, _), lines) in enumerate(zip(cards, notes, strict=True)):
        x, y = GAP + i % across * step, GAP + i // across * (high + GAP / 2)
        if face:
            draw_card(picture, x, y, CARD, face)
        top = y + CARD_RATIO * CARD + GAP / 2
        for j, line in enumerate(lines):
            at = (x + CARD / 2, top + LEADING * NOTE * (j + 0.5))
            picture.text(*at, line, size=NOTE, color=palette.light, align="middle")
    return picture
