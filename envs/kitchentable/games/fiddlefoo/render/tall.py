"""The picture of Fiddlefoo for phones: all below each other, the map over the whole width.

Below the map comes the viewer's hand, so that the places to click are close to each other and stay
where they are; then the other hands, and what else matters, which share the rest of the height.
"""

from __future__ import annotations

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.render import sentences
from kitchentable.games.fiddlefoo.render.action_cards import MARKS, in_words
from kitchentable.games.fiddlefoo.render.cards import draw_legend
from kitchentable.games.fiddlefoo.render.look import GAP, PALETTE, TALL, Scene
from kitchentable.games.fiddlefoo.render.map import draw_map, tall_window
from kitchentable.games.fiddlefoo.render.seats import draw_seats
from kitchentable.games.fiddlefoo.render.status import PILE_STRIP, draw_piles, draw_status
from kitchentable.games.fiddlefoo.render.view import View, code, hand, map_cards, piles
from kitchentable.games.fiddlefoo.state import Params, State
from kitchentable.render.letters import LEADING, Line, height_of, lines_of
from kitchentable.render.phrases import seen_by
from kitchentable.render.picture import TALL as WIDTH
from kitchentable.render.picture import Picture

LEFT = (WIDTH - TALL.width) / 2
HEADER = 76
STATUS, TEAM, TALKING = 136, 162, 210
"""Height of what is going on: plain, in the cooperative variant, and with action cards."""
OWN_HAND, OTHER_HAND = 300, 130
"""Height of a seat: room for two rows of large cards, and for one or two of small ones."""
DETAILS, MANY_DETAILS = 50, 150
"""Height of what else matters, without and with action cards."""
LAST_HAND, PILES_DETAILS = 30, 70
"""What several games, and the piles of the cooperative variant, add to each seat and to that."""
LEGEND = 6
"""Lines."""


def tall(view: View) -> Picture:
    """Draw the table for a phone."""
    params = view.params
    seats, details = _room(params)
    window = tall_window(params.map_size, HEADER + _status(params) + GAP, TALL.letters)
    below = window.top + window.size * params.map_size + GAP
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
    draw_legend(scene, TALL, LEFT + 4, bottom + GAP + 12, WIDTH - LEFT)
    return scene.picture


def _status(params: Params) -> float:
    """Return the height of what is going on, the same whatever it is."""
    if params.talkytoot:
        return TALKING
    return TEAM if params.cooperative else STATUS


def _room(params: Params) -> tuple[float, float]:
    """Return the height of all seats, and that of what else matters."""
    seats = OWN_HAND + (params.num_players - 1) * (GAP + OTHER_HAND)
    seats += params.num_players * LAST_HAND * (params.games > 1)
    details = MANY_DETAILS if params.talkytoot else DETAILS
    return seats, details + PILES_DETAILS * params.cooperative


def _draw_header(scene: Scene) -> None:
    scene.title(LEFT + 4, 28, 30)
    scene.label(LEFT + 4, 58, sentences.about(scene), size=TALL.text)
    at = (WIDTH - LEFT - 4, 30)
    scene.label(*at, seen_by(scene.viewer), size=TALL.text, align="right")


# --- What else matters ----------------------------------------------------------------------------


def _draw_details(scene: Scene, bottom: float) -> float:
    """Write what has no place of its own, so that it ends at ``bottom``; return where it begins."""
    state = scene.state
    texts = (
        _marks(scene),
        sentences.note(state),
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
    """Name the action cards that are to be seen, by their marks; empty if there are none."""
    seen = {card for pile in (*piles(view.state), map_cards(view.state).values()) for card in pile}
    for player in range(int(view.state.num_players)):
        seen |= {held.card for held in hand(view, player)}
    told = ", ".join(
        f"{MARKS[c.CARD_NAMES[card]]} {in_words(card)}"
        for card in sorted(seen)
        if card >= c.NUM_BASE
    )
    return f"Action cards: {told}." if told else ""


def _on_piles(state: State) -> str:
    """Name the cards on the piles, whose tops alone are drawn; empty if there are none."""
    told = ", ".join(
        f"{c.COLORS[color]} {' '.join(code(card)[1:] for card in pile)}"
        for color, pile in enumerate(piles(state))
        if pile
    )
    return f"On the piles: {told}." if told else ""
