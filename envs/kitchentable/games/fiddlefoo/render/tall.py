"""The tall picture of Fiddlefoo, for phones: one column with the map in full width.

The viewer's hand is directly below the map, so that clickable places are close together and do not
move. The other hands and further information share the remaining height.
"""

from __future__ import annotations

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.render import sentences
from kitchentable.games.fiddlefoo.render.action_cards import about_marks
from kitchentable.games.fiddlefoo.render.cards import GAP, PALETTE, TALL, Scene, draw_legend
from kitchentable.games.fiddlefoo.render.map import TALL_MARGIN, TALL_WHOLE, draw_map, fit_window
from kitchentable.games.fiddlefoo.render.seats import draw_seats
from kitchentable.games.fiddlefoo.render.status import PILE_STRIP, draw_piles, draw_status
from kitchentable.games.fiddlefoo.render.view import View, code, hand, map_cards, piles
from kitchentable.games.fiddlefoo.state import Params, State
from kitchentable.render.letters import LEADING, Line, height_of, lines_of
from kitchentable.render.picture import TALL as WIDTH
from kitchentable.render.picture import Picture

LEFT = (WIDTH - TALL.width) / 2
HEADER = 76
STATUS, TEAM, TALKING = 136, 162, 210
"""Height of the status box: plain, in the cooperative variant, and with action cards."""
OWN_HAND, OTHER_HAND = 300, 130
"""Height of a seat: two rows of large cards, and one or two rows of small ones."""
DETAILS, MANY_DETAILS = 50, 150
"""Height of the further information, without and with action cards."""
LAST_HAND, PILES_DETAILS = 30, 70
"""Extra height of each seat with several games, and of the information with piles."""
LEGEND = 6
"""Number of lines in the legend."""


def tall(view: View) -> Picture:
    """Return the tall picture of the table."""
    params = view.params
    seats, details = _room(params)
    top = HEADER + _status(params) + GAP
    corner, letters = (TALL_MARGIN, top + TALL_MARGIN), TALL.letters
    window = fit_window(view.state, corner, TALL_WHOLE, labels=letters, letters=letters)
    below = top + TALL_MARGIN + TALL_WHOLE + GAP
    on_piles = (PILE_STRIP + GAP) * params.cooperative
    bottom = below + on_piles + seats + details
    height = bottom + GAP + LEGEND * LEADING * TALL.text
    scene = Scene.begin(view, WIDTH, height, PALETTE)
    _draw_header(scene)
    texts = [Line(sentences.about_pair(view.state), TALL.text, PALETTE.light)]
    draw_status(scene, TALL, texts, LEFT, HEADER, least=_status(params))
    draw_map(scene, window)
    if params.cooperative:
        draw_piles(scene, TALL, LEFT, below)
    end = _draw_details(scene, bottom)
    draw_seats(scene, TALL, LEFT, below + on_piles, end - GAP)
    draw_legend(scene, TALL, LEFT + 4, bottom + GAP + 12, WIDTH - LEFT, short=window.short)
    return scene.picture


def _status(params: Params) -> float:
    """Return the height of the status box, which depends only on the parameters."""
    if params.talkytoot:
        return TALKING
    return TEAM if params.cooperative else STATUS


def _room(params: Params) -> tuple[float, float]:
    """Return the heights of all seats together and of the further information."""
    seats = OWN_HAND + (params.num_players - 1) * (GAP + OTHER_HAND)
    seats += params.num_players * LAST_HAND * (params.games > 1)
    details = MANY_DETAILS if params.talkytoot else DETAILS
    return seats, details + PILES_DETAILS * params.cooperative


def _draw_header(scene: Scene) -> None:
    scene.title(LEFT + 4, 28, 30)
    scene.label(LEFT + 4, 58, sentences.about(scene), size=TALL.text)
    at = (WIDTH - LEFT - 4, 30)
    scene.label(*at, scene.whose(), size=TALL.text, align="right")


# --- Further information --------------------------------------------------------------------------


def _draw_details(scene: Scene, bottom: float) -> float:
    """Write the further information so that it ends at ``bottom``; return its top edge."""
    state = scene.state
    texts = (
        _marks(scene),
        sentences.note(scene),
        _on_piles(state),
        sentences.last_piles(state),
        sentences.out_of_game(state),
    )
    paragraphs = [Line(text, TALL.foot, PALETTE.muted) for text in texts]
    lines = lines_of(paragraphs, TALL.width - 8)
    top = bottom - height_of(lines)
    scene.lines(LEFT + 4, top, lines)
    return top


def _marks(view: View) -> str:
    """Return the marks and names of all visible action cards; empty without any."""
    seen = {card for pile in (*piles(view.state), map_cards(view.state).values()) for card in pile}
    for player in range(int(view.state.num_players)):
        seen |= {held.card for held in hand(view, player)}
    return about_marks(seen)


def _on_piles(state: State) -> str:
    """Return the cards on the piles, of which only the tops are drawn; empty without any."""
    contents = ", ".join(
        f"{c.COLORS[color]} {' '.join(code(card)[1:] for card in pile)}"
        for color, pile in enumerate(piles(state))
        if pile
    )
    return f"On the piles: {contents}." if contents else ""
