"""Picture of an Add-Too table for a phone.

From top to bottom: the situation, the layout and below it the places for the chosen diamond, the
viewer's hand, the other seats, the legend. A layout that would be too small to read is shown in
part.
"""

from __future__ import annotations

from dataclasses import replace

from kitchentable.games.addtoo.board import Place, last_tile
from kitchentable.games.addtoo.render import sentences
from kitchentable.games.addtoo.render.diamonds import LARGEST, PALETTE, Scene, signs
from kitchentable.games.addtoo.render.grid import Grid, fit_grid, is_inside, part_grid
from kitchentable.games.addtoo.render.layout import ListSizes, draw_layout, draw_list, draw_pile
from kitchentable.games.addtoo.render.seats import SeatSizes, draw_seat
from kitchentable.games.addtoo.render.view import View, place_by_tile, within_reach
from kitchentable.render.letters import LEADING, Line, lines_of, wrapped
from kitchentable.render.picture import TALL, Picture, Rectangle

MARGIN = 14
GAP = 10
INNER = 14
"""Padding of a box."""
WIDTH = TALL - 2 * MARGIN
TITLE = 84
"""Height of the area with the name of the game, the hand and the pile."""
STATUS = 150
"""Height of the box that describes the situation."""
MAP = 510
"""Height of the layout."""
BELOW = 104
"""Height of the text below the layout."""
OWN, OTHER = 176, 122
"""Height of the viewer's panel and of another seat's."""
LEGEND_ROW, LEGEND_ROWS = 30, 4
PILE_ROWS = 4
"""Lines for the order of the pile, shown only to a viewer who sees everything."""
PILE_UNIT = 40
"""Side length of a triangle in the pile."""
LEAST = 46
"""Minimum side length of a triangle in pixels; a 10 can still be read on a phone."""
DECISION, PLAIN, SMALL = 24, 18, 16
"""Font sizes."""
OWN_SEAT = SeatSizes(held=75, name=20, total=28, foot=SMALL, top=42, in_a_row=True)
OTHER_SEAT = SeatSizes(held=52, name=20, total=24, foot=SMALL, top=42)
PLACES = ListSizes(columns=4, letter=PLAIN, radius=14, told=PLAIN, pitch=31)
PART = "The layout is larger: this is a part of it."


def tall(view: View) -> Picture:
    """Draw the table for a phone."""
    rules = wrapped(sentences.variants(view), SMALL, WIDTH)
    status = TITLE + len(rules) * round(LEADING * SMALL)
    board = status + STATUS + GAP
    seats = board + MAP + BELOW + GAP
    legend = seats + OWN + GAP + (view.params.num_players - 1) * (OTHER + GAP)
    pile = legend + LEGEND_ROWS * LEGEND_ROW
    scene = Scene.begin(view, TALL, pile + PILE_ROWS * round(LEADING * SMALL), PALETTE)
    _draw_top(scene, rules)
    _draw_status(scene, Rectangle(MARGIN, status, WIDTH, STATUS))
    _draw_board(scene, Rectangle(MARGIN, board, WIDTH, MAP + BELOW))
    _draw_seats(scene, seats)
    x, y, right = MARGIN + 8, legend + LEGEND_ROW / 2, TALL - MARGIN
    scene.legend(signs(scene), x=x, y=y, right=right, size=SMALL, step=LEGEND_ROW)
    order = [Line(sentences.about_pile(view), SMALL, PALETTE.muted)]
    scene.lines(MARGIN, pile, lines_of(order, WIDTH))
    return scene.picture


# --- What is going on ---------------------------------------------------------------------------


def _draw_top(scene: Scene, rules: list[str]) -> None:
    """Write the name of the game, the hand and the viewer, and draw the pile."""
    scene.title(MARGIN, 28, 32)
    right = TALL - MARGIN
    draw_pile(scene, right - 1.5 * PILE_UNIT - 4, 4, PILE_UNIT)
    left = right - 1.5 * PILE_UNIT - 18
    scene.write(left, 28, sentences.pile_count(scene), size=PLAIN, align="right")
    scene.label(MARGIN, 64, sentences.about(scene), size=PLAIN)
    scene.label(right, 64, scene.whose(sentences.HIDDEN), size=SMALL, align="right")
    scene.lines(MARGIN, TITLE - 4, [Line(rule, SMALL, PALETTE.muted) for rule in rules])


def _draw_status(scene: Scene, box: Rectangle) -> None:
    """Write who decides what and what fits at the last diamond."""
    scene.strip(*box.place)
    paragraphs = [
        Line(sentences.decision(scene), DECISION, PALETTE.accent, bold=True),
        Line(sentences.note(scene), PLAIN, PALETTE.light),
    ]
    if not scene.is_over:
        paragraphs.append(Line(sentences.about_last(scene, with_sides=False), PLAIN, PALETTE.light))
    _write_into(scene, box, paragraphs)


def _write_into(scene: Scene, box: Rectangle, paragraphs: list[Line]) -> None:
    """Write paragraphs into a box."""
    scene.lines(box.x + INNER, box.y + 8, lines_of(paragraphs, box.width - 2 * INNER))


# --- The layout ---------------------------------------------------------------------------------


def _draw_board(scene: Scene, box: Rectangle) -> None:
    """Draw the layout and, below it, what may be laid where and for how many points."""
    scene.picture.rectangle(*box.place, fill=PALETTE.empty, radius=PALETTE.corner)
    window = Rectangle(box.x + INNER, box.y + INNER, box.width - 2 * INNER, MAP - 2 * INNER)
    grid = fit_grid(within_reach(scene.state), window, LARGEST)
    if grid.unit < LEAST:
        scene.label(box.x + INNER, box.y + MAP - INNER, PART, size=SMALL)
        window = replace(window, height=window.height - LEADING * SMALL)
        grid = part_grid(within_reach(scene.state), _focus(scene, window), window, LEAST)
    draw_layout(scene, grid, window, letter=SMALL)
    below = Rectangle(box.x, box.y + MAP, box.width, BELOW)
    if scene.found:
        _draw_places(scene, below, grid, window)
    else:
        text = " ".join(filter(None, (sentences.may_choose(scene), sentences.about_spots(scene))))
        _write_into(scene, below, [Line(text, SMALL, PALETTE.light)])


def _focus(scene: Scene, window: Rectangle) -> list[Place]:
    """Return the places to center in a large layout: the last one, and the offers if they fit."""
    last = place_by_tile(scene.state)[last_tile(scene.state)]
    places = [last, *(offer.place for offer in scene.found)]
    fits = fit_grid(places, window, LARGEST).unit >= LEAST
    return places if fits else [last]


def _draw_places(scene: Scene, box: Rectangle, grid: Grid, window: Rectangle) -> None:
    """List the places and their points; places outside the window can be clicked here."""
    descriptions = [f"{offer.points:+}{' bonus' * offer.is_bonus}" for offer in scene.found]
    inner = Rectangle(box.x + INNER, box.y + 6, box.width - 2 * INNER, box.height - 10)
    cells = draw_list(scene, descriptions, inner, PLACES)
    for offer, cell in zip(scene.found, cells, strict=False):
        if not is_inside(grid, offer.place, window):
            radius = cell.height / 2
            scene.picture.rectangle(*cell.place, outline=PALETTE.muted, line=1.5, radius=radius)
            scene.offer([offer.name], cell)


# --- Seats --------------------------------------------------------------------------------------


def _draw_seats(scene: Scene, top: float) -> None:
    """Draw the seats in turn order, beginning with the viewer or else with player_0.

    The panel of the viewer, or else of the seat to act, is larger than the others.
    """
    large = int(scene.state.current_player) if scene.viewer < 0 else scene.viewer
    for player in scene.order_from(max(scene.viewer, 0)):
        sizes, height = (OWN_SEAT, OWN) if player == large else (OTHER_SEAT, OTHER)
        draw_seat(scene, player, Rectangle(MARGIN, top, WIDTH, height), sizes)
        top += height + GAP
