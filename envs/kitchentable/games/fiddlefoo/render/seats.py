"""Drawing of Fiddlefoo's seats: names, tags, points, and hands with their legal choices."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.render import sentences
from kitchentable.games.fiddlefoo.render.cards import (
    BY_NOTES,
    CHOICE,
    CHOSEN,
    GAP,
    INKS,
    INNER,
    NAME,
    Look,
    Scene,
    draw_frame,
    draw_held,
    draw_pile_mark,
    frame_box,
)
from kitchentable.games.fiddlefoo.render.view import Held, View, hand, possible
from kitchentable.render.letters import LEADING, text_width, wrapped


class Seat(NamedTuple):
    """Contents of the panel of a seat."""

    player: int
    look: Look
    part: float
    """Size of its cards, as a fraction of the largest ones on the table."""
    cards: list[Held]
    more: int
    """Number of further hidden cards that the last drawn card stands for."""
    head: list[str]
    """Lines below the name."""
    foot: list[str]
    """Lines on the hand that was left in the game that has just finished."""

    def card_size(self, size: int) -> int:
        """Return the size of its cards if the largest cards on the table have ``size``."""
        return max(self.look.smallest, int(self.part * size))

    def rows(self, size: int) -> int:
        """Return the number of rows that the cards take."""
        across = self.look.across(self.card_size(size))
        return max(1, -(-(len(self.cards) + bool(self.more)) // across))

    @property
    def above(self) -> float:
        """Height of the part above the cards."""
        return NAME + LEADING * self.look.foot * len(self.head) + 4 * bool(self.head)

    def height(self, size: int) -> float:
        """Return the height of the panel if the largest cards on the table have ``size``."""
        line = LEADING * self.look.foot
        foot = line * len(self.foot) + 10 * bool(self.foot)
        return self.above + self.rows(size) * (self.card_size(size) + self.look.space) + 4 + foot


def draw_seats(scene: Scene, look: Look, x: float, top: float, bottom: float) -> None:
    """Draw all seats between ``top`` and ``bottom``, with the largest cards that fit.

    Seats are drawn from top to bottom, from seat 0 on; in a compact picture, from the viewer on.
    """
    first = max(scene.viewer, 0) if look.compact else 0
    seats = [_seat(scene, player, look) for player in scene.order_from(first)]
    free = bottom - top - (len(seats) - 1) * GAP
    size = look.largest
    while size > look.smallest and sum(seat.height(size) for seat in seats) > free:
        size -= 1
    spare = (free - sum(seat.height(size) for seat in seats)) / len(seats)
    for seat in seats:
        height = seat.height(size) + spare
        scene.seat_panel(seat.player, x, top, look.width, height)
        _draw_name(scene, seat, x, top + NAME / 2)
        _draw_hand(scene, seat, seat.card_size(size), x + INNER, top + seat.above)
        line = LEADING * look.foot
        at = top + height - 16 - line * (len(seat.foot) - 1)
        for i, text in enumerate(seat.foot):
            scene.label(x + INNER, at + i * line, text, size=look.foot)
        top += height + GAP


def _seat(view: View, player: int, look: Look) -> Seat:
    cards, more = hand(view, player), 0
    head = wrapped(_head(view, player), look.foot, look.room)
    if look.compact:
        visible = [held for held in cards if held.card != c.NO_CARD]
        more = max(0, len(cards) - len(visible) - 1)
        cards = cards[: len(cards) - more]
    foot = wrapped(sentences.last_hand(view.state, player), look.foot, look.room)
    part = 1.0 if view.viewer in (player, ALL_SEEING) else look.others
    return Seat(player, look, part, cards, more, head, foot)


def _head(view: View, player: int) -> str:
    """Return a seat's cards and the sum of its points, whose total is written above."""
    added = view.hands_sum(player, 24)
    return "; ".join(filter(None, (sentences.progress(view, player), added and f"games {added}")))


def _draw_name(scene: Scene, seat: Seat, x: float, y: float) -> None:
    """Draw a seat's name, tags, card count and points."""
    look, player, state = seat.look, seat.player, scene.state
    end = scene.seat_name(player, x + INNER, y, look.name)
    scene.tags(end + 12, y, sentences.tags(scene, player), size=look.foot, height=20)
    for i, line in enumerate(seat.head):
        below = y + NAME / 2 + LEADING * look.foot * (i + 0.4)
        scene.label(x + INNER, below, line, size=look.foot)
    right = x + look.width - INNER
    total, unit = sentences.total(state, player)
    scene.label(right, y, unit, size=look.foot, align="right")
    right -= text_width(unit, look.foot) + 7
    scene.write(right, y, total, size=22, align="right", bold=True)


def _draw_hand(scene: Scene, seat: Seat, size: int, x: float, y: float) -> None:
    """Draw a hand and frame the cards that may be chosen."""
    across, step = seat.look.across(size), size + seat.look.space
    for i, held in enumerate(seat.cards):
        row, column = divmod(i, across)
        at = (x + column * step, y + row * step)
        draw_held(scene.picture, *at, size, held, seat.look.letters)
        if held.card != c.NO_CARD:
            _frame(scene, seat.player, size, held.card, *at)
    if seat.more:
        row, column = divmod(len(seat.cards), across)
        at = (x + column * step, y + row * step + size / 2)
        scene.write(*at, f"x {seat.more + 1}", size=seat.look.text)


def _frame(scene: Scene, player: int, size: int, card: int, x: float, y: float) -> None:
    """Frame a card if it is chosen or has legal actions, and register these for clicks."""
    picture, state, name = scene.picture, scene.state, c.CARD_NAMES[card]
    named = [f"{kind}:{name}" for kind in ("card", "throw", "pile")]
    may = possible(scene)
    actions = [action for action in named if scene.acts(player) and action in may]
    if card == state.chosen:
        draw_frame(picture, x, y, size, CHOSEN)
    elif actions:
        alone = named[1] in actions and c.has(state.fits_notes, card)
        draw_frame(picture, x, y, size, BY_NOTES if alone else CHOICE)
    if named[2] in actions:
        corner = (x + 0.63 * size, y + 0.14 * size)
        draw_pile_mark(picture, *corner, 0.085 * size, INKS[int(c.COLOR[card])])
    scene.offer(actions, frame_box(x, y, size))
