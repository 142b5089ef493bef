"""The picture of Fiddlefoo for phones: all below each other, the map over the whole width.

Below the map comes the viewer's hand, so that the places to click are close to each other and stay
where they are; then the other hands, and what else matters, which share the rest of the height.
"""

from __future__ import annotations

from kitchentable.games.fiddlefoo.cards import CARD_NAMES, COLOR, COLORS, NUM_BASE, NUM_COLORS
from kitchentable.games.fiddlefoo.render.cards import MARKS
from kitchentable.games.fiddlefoo.render.legend import draw_legend
from kitchentable.games.fiddlefoo.render.look import GAP, LIGHT, LINE, MUTED, TABLE, TALL
from kitchentable.games.fiddlefoo.render.map import draw_map, tall_window
from kitchentable.games.fiddlefoo.render.seats import draw_seats
from kitchentable.games.fiddlefoo.render.sentences import (
    about_pair,
    game_of_games,
    last_piles,
    notes,
    out_of_game,
    seen_by,
    variants,
)
from kitchentable.games.fiddlefoo.render.status import PILE_STRIP, draw_piles, draw_status
from kitchentable.games.fiddlefoo.render.view import View, cards_of, choices, code, hand, map_cards
from kitchentable.games.fiddlefoo.state import Params, State
from kitchentable.render.letters import wrapped
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
    state, params, viewer = view.state, view.params, view.viewer
    seats, details = _room(params)
    window = tall_window(params.map_size, HEADER + _status(params) + GAP, TALL.letters)
    below = window.top + window.size * params.map_size + GAP
    piles = (PILE_STRIP + GAP) * params.cooperative
    bottom = below + piles + seats + details
    height = bottom + GAP + LEGEND * LINE * TALL.text
    picture = Picture(WIDTH, 2 * round(height / 2), TABLE)
    _draw_header(picture, state, params, viewer)
    may = choices(state, params, viewer)
    texts = [(about_pair(state), LIGHT)]
    draw_status(picture, state, TALL, texts, LEFT, HEADER, least=_status(params))
    draw_map(picture, state, may, window)
    if params.cooperative:
        draw_piles(picture, state, TALL, LEFT, below)
    end = _draw_details(picture, _details(state, viewer), bottom)
    draw_seats(picture, state, viewer, may, TALL, LEFT, below + piles, end - GAP)
    draw_legend(picture, params, TALL, LEFT + 4, bottom + GAP + 12, WIDTH - LEFT)
    return picture


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


def _draw_header(picture: Picture, state: State, params: Params, viewer: int) -> None:
    picture.text(LEFT + 4, 28, "Fiddlefoo", size=30, colour=LIGHT, bold=True)
    about = ", ".join(filter(None, (game_of_games(state, params), variants(params))))
    picture.text(LEFT + 4, 58, about, size=TALL.text, colour=MUTED)
    at = (WIDTH - LEFT - 4, 30)
    picture.text(*at, seen_by(viewer), size=TALL.text, colour=MUTED, align="right")


# --- What else matters ----------------------------------------------------------------------------


def _details(state: State, viewer: int) -> list[str]:
    """Return what has no place of its own."""
    texts = (_marks(state, viewer), " ".join(notes(state)), _on_piles(state))
    return [text for text in (*texts, last_piles(state), out_of_game(state)) if text]


def _draw_details(picture: Picture, texts: list[str], bottom: float) -> float:
    """Write texts that end at ``bottom``; return where they begin."""
    lines = [line for text in texts for line in wrapped(text, TALL.foot, TALL.width - 8)]
    top = bottom - LINE * TALL.foot * len(lines)
    for i, line in enumerate(lines):
        y = top + LINE * TALL.foot * (i + 0.5)
        picture.text(LEFT + 4, y, line, size=TALL.foot, colour=MUTED)
    return top


def _marks(state: State, viewer: int) -> str:
    """Name the action cards that are to be seen, by their marks; empty if there are none."""
    seen = set(map_cards(state).values()) | set(cards_of(state.on_piles))
    for player in range(int(state.num_players)):
        seen |= {held.card for held in hand(state, viewer, player)}
    names = [CARD_NAMES[card] for card in sorted(seen) if card >= NUM_BASE]
    told = ", ".join(f"{MARKS[name]} {name.replace('_', ' ')}" for name in names)
    return f"Action cards: {told}." if told else ""


def _on_piles(state: State) -> str:
    """Name the cards on the piles, whose tops alone are drawn; empty if there are none."""
    cards = cards_of(state.on_piles)
    piles = [
        [code(card)[1:] for card in cards if COLOR[card] == color] for color in range(NUM_COLORS)
    ]
    told = [f"{COLORS[i]} {' '.join(pile)}" for i, pile in enumerate(piles) if pile]
    return f"On the piles: {', '.join(told)}." if told else ""
