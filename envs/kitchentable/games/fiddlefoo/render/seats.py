"""The seats of Fiddlefoo in a picture: names, marks, points, and hands with what may be done."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.core.state import NOBODY
from kitchentable.games.fiddlefoo.cards import COLOR, NO_CARD
from kitchentable.games.fiddlefoo.render.cards import (
    BY_NOTES,
    CHOICE,
    CHOSEN,
    INKS,
    draw_frame,
    draw_held,
    draw_pile_mark,
    frame_box,
)
from kitchentable.games.fiddlefoo.render.look import (
    GAP,
    INNER,
    LIGHT,
    LINE,
    MUTED,
    NAME,
    PANEL,
    Look,
)
from kitchentable.games.fiddlefoo.render.sentences import games_sum, last_hand, progress, tags, unit
from kitchentable.games.fiddlefoo.render.view import Choices, Held, cards_of, hand
from kitchentable.games.fiddlefoo.state import OVER, THROW, State
from kitchentable.render.letters import text_width, wrapped
from kitchentable.render.picture import Picture


class Seat(NamedTuple):
    """What a seat's panel holds."""

    player: int
    look: Look
    part: float
    """Size of its cards, as a part of the largest on the table."""
    cards: list[Held]
    more: int
    """Hidden cards that the last one stands for, besides itself."""
    head: list[str]
    """What is said below the name."""
    foot: list[str]
    """What the seat was left with in the game that has just finished."""

    def card_size(self, size: int) -> int:
        """Return the size of its cards where the largest have ``size``."""
        return max(self.look.smallest, int(self.part * size))

    def rows(self, size: int) -> int:
        """Return how many rows the cards take."""
        across = self.look.across(self.card_size(size))
        return max(1, -(-(len(self.cards) + bool(self.more)) // across))

    @property
    def above(self) -> float:
        """Height of what stands above the cards."""
        return NAME + LINE * self.look.foot * len(self.head)

    def height(self, size: int) -> float:
        """Return how high the panel must be where the largest cards have ``size``."""
        line = LINE * self.look.foot
        foot = line * len(self.foot) + 10 * bool(self.foot)
        return self.above + self.rows(size) * (self.card_size(size) + self.look.space) + 4 + foot


def draw_seats(
    picture: Picture,
    state: State,
    viewer: int,
    may: Choices,
    look: Look,
    x: float,
    top: float,
    bottom: float,
) -> None:
    """Draw all seats between ``top`` and ``bottom``, in the largest cards that fit."""
    seats = [_seat(state, viewer, player, look) for player in _order(state, viewer, look)]
    free = bottom - top - (len(seats) - 1) * GAP
    size = look.largest
    while size > look.smallest and sum(seat.height(size) for seat in seats) > free:
        size -= 1
    spare = (free - sum(seat.height(size) for seat in seats)) / len(seats)
    for seat in seats:
        height = seat.height(size) + spare
        acts = state.phase != OVER and seat.player == state.current_player
        outline = CHOICE if acts else None
        box = (x, top, look.width, height)
        picture.rectangle(*box, fill=PANEL, outline=outline, line=3, radius=14)
        _draw_name(picture, state, viewer, seat, x, top + NAME / 2)
        choices = may if acts else Choices()
        _draw_hand(picture, state, seat, choices, seat.card_size(size), x + INNER, top + seat.above)
        line = LINE * look.foot
        at = top + height - 16 - line * (len(seat.foot) - 1)
        for i, text in enumerate(seat.foot):
            picture.text(x + INNER, at + i * line, text, size=look.foot, colour=MUTED)
        top += height + GAP


def _order(state: State, viewer: int, look: Look) -> list[int]:
    """Return the seats from the top; in a compact picture the viewer's is the first."""
    seats = int(state.num_players)
    first = viewer if look.compact and viewer != NOBODY else 0
    return [(first + i) % seats for i in range(seats)]


def _seat(state: State, viewer: int, player: int, look: Look) -> Seat:
    cards, more = hand(state, viewer, player), 0
    head: list[str] = []
    if look.compact:
        shown = [held for held in cards if held.card != NO_CARD]
        more = max(0, len(cards) - len(shown) - 1)
        cards = cards[: len(cards) - more]
        head = wrapped(_head(state, viewer, player), look.foot, look.room)
    foot = wrapped(last_hand(state, player), look.foot, look.room)
    part = 1.0 if viewer in (player, NOBODY) else look.others
    return Seat(player, look, part, cards, more, head, foot)


def _about(state: State, viewer: int, player: int) -> str:
    """Say what a seat holds and how its points add up, which stand behind."""
    added = games_sum(state, player, 16)
    return "   ".join(filter(None, (progress(state, viewer, player), added and f"{added} =")))


def _head(state: State, viewer: int, player: int) -> str:
    """Say the same where the points stand above."""
    added = games_sum(state, player, 24)
    return "; ".join(filter(None, (progress(state, viewer, player), added and f"games {added}")))


def _draw_name(picture: Picture, state: State, viewer: int, seat: Seat, x: float, y: float) -> None:
    """Write a seat's name, marks, cards and points."""
    look, player = seat.look, seat.player
    acts = state.phase != OVER and player == state.current_player
    at, right = x + INNER, x + look.width - INNER
    name = f"player_{player}"
    picture.text(at, y, name, size=look.name, colour=CHOICE if acts else LIGHT, bold=True)
    at += text_width(name, look.name) + 12
    for tag in tags(state, viewer, player):
        width = 14 + text_width(tag, look.foot)
        picture.rectangle(at, y - 10, width, 20, outline=MUTED, line=1.5, radius=10)
        picture.text(at + width / 2, y, tag, size=look.foot, colour=LIGHT, align="middle")
        at += width + 6
    for i, line in enumerate(seat.head):
        below = y + NAME / 2 + LINE * look.foot * (i + 0.4)
        picture.text(x + INNER, below, line, size=look.foot, colour=MUTED)
    about = "" if look.compact else _about(state, viewer, player)
    for text, size, colour in (
        (unit(state), look.foot, MUTED),
        (str(state.totals[player]), 22, LIGHT),
        (about, look.foot, MUTED),
    ):
        picture.text(right, y, text, size=size, colour=colour, align="right", bold=size == 22)
        right -= text_width(text, size) + 7


def _draw_hand(
    picture: Picture, state: State, seat: Seat, may: Choices, size: int, x: float, y: float
) -> None:
    """Draw a hand, and frame what may be done with its cards."""
    across, step = seat.look.across(size), size + seat.look.space
    for i, held in enumerate(seat.cards):
        row, column = divmod(i, across)
        at = (x + column * step, y + row * step)
        draw_held(picture, *at, size, held, seat.look.letters)
        if held.card != NO_CARD:
            _frame(picture, state, may, size, held.card, *at)
    if seat.more:
        row, column = divmod(len(seat.cards), across)
        at = (x + column * step, y + row * step + size / 2)
        picture.text(*at, f"x {seat.more + 1}", size=seat.look.text, colour=LIGHT)


def _frame(
    picture: Picture, state: State, may: Choices, size: int, card: int, x: float, y: float
) -> None:
    """Frame a card with which something may be done, and let it be clicked."""
    if card == state.chosen:
        draw_frame(picture, x, y, size, CHOSEN)
    elif card in may.hand:
        alone = state.phase == THROW and card in cards_of(state.fits_notes)
        draw_frame(picture, x, y, size, BY_NOTES if alone else CHOICE)
    if card in may.piles:
        corner = (x + 0.63 * size, y + 0.14 * size)
        draw_pile_mark(picture, *corner, 0.085 * size, INKS[int(COLOR[card])])
    actions = may.with_card(card)
    if may.clicks and actions:
        picture.spot(actions, frame_box(x, y, size))
