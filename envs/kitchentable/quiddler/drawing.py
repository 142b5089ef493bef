"""A table of Quiddler as text (see `wording`) and as a picture, as one seat sees it.

All that depends on who looks comes from `view` and `wording`. The draw pile is only counted.
"""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from kitchentable.picture import (
    CARD_RATIO,
    Align,
    Face,
    Picture,
    draw_card,
    draw_card_back,
    draw_eye,
)
from kitchentable.quiddler.cards import CARD_NAMES, NO_CARD, NUM_KINDS, VALUES
from kitchentable.quiddler.state import (
    BY_ITSELF,
    DISCARD,
    JUDGE,
    LAY_LONGEST,
    OVER,
    REJECTED,
    SPELL,
    STAY,
    UNCHALLENGED,
    Params,
    State,
)
from kitchentable.quiddler.view import ALPHABETICAL, Card, Word, choices, hand, words, worths
from kitchentable.quiddler.wording import (
    VERDICTS,
    bonuses,
    decision,
    hand_of_hands,
    hands_sum,
    last_hand,
    note,
    progress,
    reshuffled,
    seen_by,
    tags,
    to_text,
)

__all__ = ["FACES", "to_picture", "to_text"]

WIDTH = 1200
MARGIN = 24
GAP = 14
HEADER = 76
STRIP = 212
SIDE = 18
PANEL_TOP = 78
LINE = 17
"""From one small line of text to the next."""
FOOT_LINES = (1, 2)
"""For the words of the last hand, in one column and in two."""
FOOT_LETTER = 6.7
"""The average letter is not wider there."""

TABLE, PANEL, STRIP_COLOUR, EMPTY = "#12233f", "#1d3557", "#0c1a30", "#35507a"
LIGHT, MUTED, ACCENT, GOOD, BAD = "#f3f6fb", "#a9bcd6", "#fbbf24", "#4ade80", "#fb7185"


def _ink(points: int) -> str:
    """Colour the cards from common to rare."""
    return ("#0f766e", "#1d4ed8", "#7e22ce", "#b91c1c")[min((points - 2) // 3, 3)]


FACES = tuple(
    Face(name, points=str(points), ink=_ink(int(points)))
    for name, points in zip(CARD_NAMES, VALUES, strict=True)
)
"""What is printed on each kind of card."""


class _Grid(NamedTuple):
    """Where the seats' panels and the cards in them lie."""

    across: int
    panel_width: float
    panel_height: float
    card: float
    """Width of a card."""
    gap: float
    """Between the cards of a hand or a word."""
    wide_gap: float
    """Between words, and before the hand."""


def _grid(params: Params) -> _Grid:
    """Lay out the panels: two seats below each other, more in two columns.

    A panel has room for the largest hand after drawing, laid in as many words as it can make.
    """
    across = 1 if params.num_players == 2 else 2
    width = (WIDTH - 2 * MARGIN - (across - 1) * GAP) / across
    most = max(params.hand_sizes)
    gap, wide_gap = (6, 26) if across == 1 else (3, 15)
    room = width - 2 * SIDE - most * gap - (most // 2) * (wide_gap - gap)
    card = min((84, 60)[across - 1], room / (most + 1))
    lines = 3 if params.challenges else 2
    height = PANEL_TOP + CARD_RATIO * card + lines * LINE + 10 + FOOT_LINES[across - 1] * LINE + 10
    return _Grid(across, width, height, card, gap, wide_gap)


def to_picture(state: State, params: Params, viewer: int) -> Picture:
    """Draw the table; its size depends on the parameters alone.

    Args:
        state: the table.
        params: its parameters.
        viewer: the seat whose knowledge is shown, or `NOBODY` to show every card.
    """
    grid = _grid(params)
    rows = -(-params.num_players // grid.across)
    top = HEADER + STRIP + GAP
    # Even, because video formats want it so.
    height = 2 * round((top + rows * (grid.panel_height + GAP) - GAP + 48) / 2)
    picture = Picture(WIDTH, height, TABLE)
    _draw_header(picture, state, params, viewer)
    _draw_strip(picture, state, params, viewer)
    for player in range(params.num_players):
        row, column = divmod(player, grid.across)
        in_row = min(grid.across, params.num_players - row * grid.across)
        used = in_row * (grid.panel_width + GAP) - GAP
        x = (WIDTH - used) / 2 + column * (grid.panel_width + GAP)
        y = top + row * (grid.panel_height + GAP)
        _draw_seat(picture, state, viewer, player, grid, x, y)
        _draw_cards(picture, state, params, viewer, player, grid, x + SIDE, y + PANEL_TOP)
    _draw_legend(picture, state, height - 24)
    return picture


# --- The middle of the table --------------------------------------------------------------------


def _draw_header(picture: Picture, state: State, params: Params, viewer: int) -> None:
    y = HEADER / 2
    picture.text(MARGIN, y, "Quiddler", size=34, colour=LIGHT, bold=True)
    about = hand_of_hands(state, params)
    picture.text(MARGIN + 170, y + 4, about, size=18, colour=MUTED)
    right = WIDTH - MARGIN
    picture.text(right, y + 4, seen_by(viewer), size=18, colour=MUTED, align="right")


def _draw_strip(picture: Picture, state: State, params: Params, viewer: int) -> None:
    """Draw the two piles, and say what is going on."""
    width, top, pile = 96, HEADER + 20, int(state.pile_size)
    picture.rectangle(MARGIN, HEADER, WIDTH - 2 * MARGIN, STRIP, fill=STRIP_COLOUR, radius=16)
    for i, (caption, count) in enumerate((("Draw", int(state.deck_size)), ("Discards", pile))):
        x = MARGIN + 24 + i * (width + 24)
        if count == 0:
            box = (x, top, width, CARD_RATIO * width)
            picture.rectangle(*box, outline=EMPTY, line=2, radius=0.1 * width)
        elif i == 0:
            draw_card_back(picture, x, top, width, known=None, looked=False)
        else:
            draw_card(picture, x, top, width, FACES[state.pile[pile - 1]])
        _label(picture, x + width / 2, HEADER + STRIP - 26, f"{caption} {count}", align="middle")
    x = MARGIN + 24 + 2 * (width + 24) + 16
    picture.text(x, HEADER + 32, decision(state, params, viewer), size=26, colour=ACCENT, bold=True)
    for i, line in enumerate(filter(None, (note(state, viewer), bonuses(state)))):
        picture.text(x, HEADER + 63 + 25 * i, line, size=17, colour=LIGHT)
    _draw_pile(picture, state, x)


def _draw_pile(picture: Picture, state: State, x: float) -> None:
    """Count the discard pile by kind, and the cards that were shuffled again."""
    across = (NUM_KINDS + 1) // 2
    width, gap = (WIDTH - MARGIN - 24 - x) / across, 5
    for i, kind in enumerate(ALPHABETICAL):
        row, column = divmod(i, across)
        count, face = int(state.pile_counts[kind]), FACES[kind]
        box = (x + column * width, HEADER + 112 + 32 * row, width - gap, 26)
        middle = (box[0] + box[2] / 2, box[1] + box[3] / 2)
        if count:
            picture.rectangle(*box, fill=face.paper, radius=6)
            text, ink = f"{face.label} x{count}", face.ink
        else:
            picture.rectangle(*box, outline=EMPTY, line=1.5, radius=6)
            text, ink = face.label, EMPTY
        picture.text(*middle, text, size=15, colour=ink, align="middle", bold=bool(count))
    again = reshuffled(state)
    picture.text(x, HEADER + 192, again or "In the discard pile", size=13, colour=MUTED)


# --- A seat -------------------------------------------------------------------------------------


def _draw_seat(
    picture: Picture, state: State, viewer: int, player: int, grid: _Grid, x: float, y: float
) -> None:
    """Draw a seat's panel without its cards: name, marks, total, progress, the last hand."""
    acts = state.phase != OVER and player == state.current_player
    box = (x, y, grid.panel_width, grid.panel_height)
    picture.rectangle(*box, fill=PANEL, outline=ACCENT if acts else None, line=3, radius=16)
    left, right = x + SIDE, x + grid.panel_width - SIDE
    name = f"player_{player}"
    picture.text(left, y + 26, name, size=20, colour=ACCENT if acts else LIGHT, bold=True)
    total = str(state.totals[player])
    picture.text(right, y + 26, total, size=26, colour=LIGHT, align="right", bold=True)
    added = hands_sum(state, player, 24) or "points"
    picture.text(right, y + 53, added, size=14, colour=MUTED, align="right")
    picture.text(left, y + 53, progress(state, player), size=14, colour=MUTED)
    at = left + 100
    for tag in tags(state, viewer, player):
        width = 14 + 7.2 * len(tag)
        picture.rectangle(at, y + 15, width, 22, outline=MUTED, line=1.5, radius=11)
        picture.text(at + width / 2, y + 26, tag, size=14, colour=LIGHT, align="middle")
        at += width + 6
    foot = textwrap.wrap(last_hand(state, player), int((right - left) / FOOT_LETTER))
    at = y + grid.panel_height - 18 - LINE * (len(foot) - 1)
    for i, line in enumerate(foot):
        picture.text(left, at + i * LINE, line, size=14, colour=MUTED)


def _draw_cards(
    picture: Picture,
    state: State,
    params: Params,
    viewer: int,
    player: int,
    grid: _Grid,
    x: float,
    y: float,
) -> None:
    """Draw a seat's words, then its hand; mark what may be done with each card."""
    for number, word in enumerate(words(state, player)):
        judged = state.phase == JUDGE and player == state.accused
        caption = f"word {number}" if judged else ""
        x = _draw_word(picture, word, caption, grid, x, y) + grid.wide_gap - grid.gap
    discards, lays = _choices_by_kind(state, params, viewer, player)
    worth = worths(state, viewer, player)
    for card in hand(state, viewer, player):
        known = card.kind != NO_CARD
        if known and discards[card.kind]:
            _draw_frame(picture, x, y, grid.card)
        _draw_held(picture, card, x, y, grid.card)
        below = y + CARD_RATIO * grid.card + 12
        if known and lays[card.kind]:
            _draw_arrow(picture, x + grid.card / 2, below)
        if card.kind in worth:
            at = (x + grid.card / 2, below + LINE)
            picture.text(*at, str(worth[card.kind]), size=13, colour=LIGHT, align="middle")
        x += grid.card + grid.gap


def _draw_held(picture: Picture, card: Card, x: float, y: float, width: float) -> None:
    """Draw a card in a hand; an eye above says that the others know it too."""
    if card.is_open:
        draw_card(picture, x, y, width, FACES[card.kind])
    else:
        known = None if card.kind == NO_CARD else FACES[card.kind]
        draw_card_back(picture, x, y, width, known=known, looked=False)
    if card.is_open and card.picked_up:
        draw_eye(picture, x + width / 2, y - 9, 9)


def _draw_word(
    picture: Picture, word: Word, caption: str, grid: _Grid, x: float, y: float
) -> float:
    """Draw a word and what it counts below it; return where the next card goes."""
    step = grid.card + grid.gap
    width, height = len(word.kinds) * step - grid.gap, CARD_RATIO * grid.card
    for i, kind in enumerate(word.kinds):
        draw_card(picture, x + i * step, y, grid.card, FACES[kind])
    below = y + height + 4
    rule = {REJECTED: BAD, UNCHALLENGED: MUTED}.get(word.verdict, GOOD)
    picture.rectangle(x, below - 1, width, 3, fill=rule if word.finished else ACCENT, radius=1.5)
    if word.verdict == REJECTED:
        picture.rectangle(x + 3, y + 0.64 * height, width - 6, 3, fill=BAD)
    lines = ["spelling", str(word.points)]
    if word.finished:
        lines = [f"{word.points} points", f"{word.letters} letters"]
    lines.append(VERDICTS.get(word.verdict, caption))
    for i, line in enumerate(lines):
        at = below + 10 + i * LINE
        colour = (LIGHT, MUTED, LIGHT)[i]
        picture.text(x + width / 2, at, line, size=13, colour=colour, align="middle")
    return x + len(word.kinds) * step


def _choices_by_kind(
    state: State, params: Params, viewer: int, player: int
) -> tuple[list[bool], list[bool]]:
    """Return which cards may be discarded, and which spelled (laid by itself: let words be laid).

    None of another seat's than the one to act.
    """
    mask = choices(state, params, viewer) & (player == state.current_player)
    if state.phase in (JUDGE, OVER):
        mask[:] = False
    if state.meld == BY_ITSELF:
        lays = mask[LAY_LONGEST : LAY_LONGEST + NUM_KINDS]
        discards = mask[STAY : STAY + NUM_KINDS] | lays
    else:
        discards, lays = mask[DISCARD : DISCARD + NUM_KINDS], mask[SPELL : SPELL + NUM_KINDS]
    return discards.tolist(), lays.tolist()


# --- Marks --------------------------------------------------------------------------------------


def _draw_frame(picture: Picture, x: float, y: float, width: float) -> None:
    edge = 2.5
    box = (x - edge, y - edge, width + 2 * edge, CARD_RATIO * width + 2 * edge)
    picture.rectangle(*box, fill=ACCENT, radius=0.1 * width + edge)


def _draw_arrow(picture: Picture, x: float, y: float) -> None:
    picture.polygon([(x, y - 6), (x + 7, y + 5), (x - 7, y + 5)], fill=GOOD)


def _draw_legend(picture: Picture, state: State, y: float) -> None:
    by_itself = state.meld == BY_ITSELF
    lays = "its discard lays words (below: worth)" if by_itself else "may be spelled next"
    x = MARGIN + 4.0
    _draw_frame(picture, x, y - 8, 12)
    picture.rectangle(x, y - 8, 12, 12 * CARD_RATIO, fill=PANEL, radius=2)
    _label(picture, x + 24, y, "may be discarded")
    _draw_arrow(picture, x + 174, y)
    _label(picture, x + 190, y, lays)
    draw_card_back(picture, x + 472, y - 20, 30, known=FACES[0], looked=False)
    _label(picture, x + 511, y, "another's, seen to be picked up")
    draw_eye(picture, x + 780, y, 12)
    _label(picture, x + 801, y, "the others have seen it picked up")


def _label(picture: Picture, x: float, y: float, text: str, align: Align = "left") -> None:
    picture.text(x, y, text, size=15, colour=MUTED, align=align)
