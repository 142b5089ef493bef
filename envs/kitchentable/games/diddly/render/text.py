"""A Diddly table as text; brackets mark face-down cards."""

from __future__ import annotations

import numpy as np

from kitchentable.core.state import just_scored
from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.render.sentences import (
    LONG_NAMES,
    about,
    decision,
    last_board,
    note,
    tags,
    top_discard,
)
from kitchentable.games.diddly.render.view import View, num_columns
from kitchentable.games.diddly.state import CARD_NAMES, State, is_known
from kitchentable.render.phrases import GLUE, LINE, in_lines

_CELL = 6
_LEGEND = "[   ] face down   * its owner has looked at it   slot:0 is row 1, column 1"


def text(view: View) -> str:
    """Return the table as text of at most 80 columns."""
    state, players = view.state, range(int(view.state.num_players))
    lines = in_lines([_first_line(view), decision(view), note(view), _piles(state)])
    if just_scored(state):
        boards = (f"{view.who(player)}: {last_board(state, player)}" for player in players)
        lines += in_lines(boards, indent="  ")
    blocks = [_block(view, player) for player in players]
    width = 2 + max(_width(state), *(len(block[0]) for block in blocks))
    across = LINE // width
    for i in range(0, len(blocks), across):
        beside = zip(*blocks[i : i + across], strict=True)
        rows = ["".join(part.ljust(width) for part in row).rstrip() for row in beside]
        lines += ["", *filter(None, rows)]
    names = "  ".join(f"{CARD_NAMES[kind]} {name}" for kind, name in LONG_NAMES.items())
    return "\n".join([*lines, "", names, _LEGEND])


def _first_line(view: View) -> str:
    dealer = [] if view.state.phase == s.OVER else [f"dealer {view.who(view.state.dealer).inside}"]
    return ", ".join([view.game.title, about(view), *dealer, view.whose()])


def _width(state: State) -> int:
    """Return the width of a seat's block: its board, but at least its name and total."""
    return _CELL * max(3, num_columns(state))


def _piles(state: State) -> str:
    deck = f"Deck {state.deck_size}."
    if state.pile_size == 0:
        return f"{deck} No discard pile."
    kinds = np.flatnonzero(state.pile_counts)
    counts = ", ".join(f"{CARD_NAMES[kind]}{GLUE}x{state.pile_counts[kind]}" for kind in kinds)
    return f"{deck} Discard pile {state.pile_size}, {top_discard(state)} on top: {counts}."


def _block(view: View, player: int) -> list[str]:
    """Return the lines of one seat: name and total, tags, rounds, cards."""
    state, columns = view.state, num_columns(view.state)
    cells = [_cell(view, player, slot) for slot in range(int(state.cards))]
    rows = ["".join(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    return [
        f"{'>' if view.acts(player) else ' '} {view.who(player)} {state.totals[player]} pts",
        "  " + " ".join(tags(view, player)),
        "  " + view.hands_sum(player, _width(state) - 2),
        *(" " + row for row in rows),
    ]


def _cell(view: View, player: int, slot: int) -> str:
    state = view.state
    known = is_known(state, view.viewer, player, slot)
    name = CARD_NAMES[state.boards[player, slot]] if known else ""
    if state.face_up[player, slot]:
        return f"  {name:>2}  "
    mark = "*" if state.peeked[player, slot] else " "
    return f" [{name:>2}{mark}]"
