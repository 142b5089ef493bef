"""Sentences and pictures of Kuhn and Leduc poker, two seats with a card each and a pot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from kitchentable.core.game import Render
from kitchentable.games.poker import NO_CARD, SEATS, is_hidden
from kitchentable.render import plain
from kitchentable.render.cards import CARD_RATIO, INK, Face
from kitchentable.render.letters import Line, height_of, lines_of
from kitchentable.render.phrases import count, in_lines, units
from kitchentable.render.picture import TALL, Picture, Rectangle
from kitchentable.render.scene import GREEN, Scene
from kitchentable.render.view import AnyView

WIDE, MARGIN, GAP, HEADER, STRIP = 1200, 16, 14, 64, 68
CARD, MIDDLE, PANEL, BUTTON = 132, 320, 328, 48
LETTERS = 18
RED = "#b91c1c"
AnyScene = Scene[Any, Any]


class Move(NamedTuple):
    """What an action means when it is chosen."""

    words: str
    """A verb and what may follow it: "check", "raise to 3"."""
    paid: int
    """The chips that the seat has paid into the pot after it."""


@dataclass(frozen=True)
class Poker:
    """The functions that show a game; they are given what the games differ in."""

    cards: Sequence[str]
    ante: int
    rounds: Callable[[Any], Sequence[Sequence[int]]]
    """``(state)``: the actions so far by round; seat 0 begins each."""
    move: Callable[[int, int, int, int], Move]
    """``(action, round, own, other)``: what an action means; ``own`` and ``other`` are the chips
    that the seat and its opponent have paid."""

    def render(self, **given: Any) -> Render:
        """Return the functions that show the game, and what else is ``given``."""
        names = ("situation", "explain", "decided", "text", "wide", "tall")
        return Render(**{name: getattr(self, name) for name in names}, **given)

    def _played(self, state: Any) -> tuple[list[list[Move]], list[int]]:
        """Return the moves by round, and the chips that each seat has paid."""
        paid, rounds = [self.ante] * SEATS, self.rounds(state)
        moves: list[list[Move]] = [[] for _ in rounds]
        for stage, actions in enumerate(rounds):
            for i, action in enumerate(actions):
                seat = i % SEATS
                moves[stage].append(self.move(action, stage, paid[seat], paid[1 - seat]))
                paid[seat] = moves[stage][-1].paid
        return moves, paid

    def _choice(self, view: AnyView, action_name: str) -> Move:
        """Return what a legal action means now."""
        moves, paid = self._played(view.state)
        seat = int(view.state.current_player)
        return self.move(view.legal[action_name], len(moves) - 1, paid[seat], paid[1 - seat])

    def _card(self, view: AnyView, seat: int) -> str:
        """Return the card of a seat; empty if the viewer has not seen it."""
        hidden = is_hidden(view.state, seat, view.viewer)
        return "" if hidden else self.cards[view.state.hands[seat]]

    def _board(self, view: AnyView) -> str:
        """Return the card that is up; empty if there is none."""
        board = getattr(view.state, "board", NO_CARD)
        return "" if board == NO_CARD else self.cards[board]

    # --- Sentences ------------------------------------------------------------------------------

    def situation(self, view: AnyView) -> str:
        """Say who is to act or has won, what was done so far, and which cards the viewer knows."""
        first, *second = (_betting(view, moves) for moves in self._played(view.state)[0])
        board = [f"{self._board(view)} is turned up."] if self._board(view) else []
        return " ".join(
            [plain.situation(view), *first, *board, *chain(*second), *self._hands(view)]
        )

    def _hands(self, view: AnyView) -> list[str]:
        """Return a sentence for the viewer's own card, or for both cards after a showdown."""
        first, second = (self._card(view, seat) for seat in range(SEATS))
        if view.state.shown:
            return [f"{view.who(0):shows} {first}, {view.who(1).inside} {second}."]
        if view.viewer in range(SEATS):
            return [f"{view.who(view.viewer):has} {(first, second)[view.viewer]}."]
        return []

    def decided(self, view: AnyView, action_name: str) -> str:
        """Return what a legal action means now, in a word or two."""
        return self._choice(view, action_name).words

    def explain(self, view: AnyView, action_name: str) -> str:
        """Describe what a legal action would do now."""
        seat = int(view.state.current_player)
        chosen, paid = self._choice(view, action_name), self._played(view.state)[1]
        if chosen.words == "fold":
            return f"fold: {view.who(1 - seat).inside:takes} the pot"
        more = chosen.paid - paid[seat]
        return f"{chosen.words}: pay {count(more, 'chip') if more else 'nothing'}"

    def text(self, view: AnyView) -> str:
        """Return the table as text of at most 80 columns."""
        moves, paid = self._played(view.state)
        scores = view.game.scores(view.state)
        pot = f"Pot {sum(paid)}. Deck {view.state.deck_size}."
        lines = [f"{view.game.title}, {view.whose()}", self.situation(view), pot]
        for seat in range(SEATS):
            done = " / ".join(filter(None, (_of(seat, of_round) for of_round in moves)))
            card = f"[{self._card(view, seat):{max(map(len, self.cards))}}]"
            points = f"{scores[seat]} {units(scores[seat], 'pt')}"
            mark = ">" if view.acts(seat) else " "
            lines.append(f"{mark} {view.who(seat)} {points}  {card}  paid {paid[seat]}: {done}")
        return "\n".join(line.rstrip(": ") for line in in_lines(lines))

    # --- Pictures -------------------------------------------------------------------------------

    def wide(self, view: AnyView) -> Picture:
        """Draw the table for a screen: the middle between the seats."""
        scene = self._begin(view, WIDE, HEADER + STRIP + GAP + PANEL + MARGIN)
        top, width = HEADER + STRIP + GAP, (WIDE - 2 * MARGIN - MIDDLE - 2 * GAP) / 2
        self._draw_seat(scene, 0, MARGIN, top, width)
        self._draw_middle(scene, MARGIN + width + GAP, top, MIDDLE)
        self._draw_seat(scene, 1, WIDE - MARGIN - width, top, width)
        return scene.picture

    def tall(self, view: AnyView) -> Picture:
        """Draw the table for a phone: the middle, the viewer's seat, then the other."""
        scene = self._begin(view, TALL, HEADER + STRIP + 3 * (GAP + PANEL) + MARGIN)
        top, width = HEADER + STRIP + GAP, TALL - 2 * MARGIN
        self._draw_middle(scene, MARGIN, top, width)
        for seat in view.order_from(max(view.viewer, 0)):
            top += PANEL + GAP
            self._draw_seat(scene, seat, MARGIN, top, width)
        return scene.picture

    def _begin(self, view: AnyView, width: int, height: float) -> AnyScene:
        """Begin a picture with its header, and who is to act or has won."""
        scene = Scene.begin(view, width, height, GREEN)
        scene.header("", margin=MARGIN, y=HEADER / 2, size=28, indent=0)
        scene.strip(MARGIN, HEADER, width - 2 * MARGIN, STRIP)
        said = Line(plain.situation(view).removesuffix("."), 20, GREEN.accent, bold=True)
        lines = lines_of([said], width - 4 * MARGIN)
        scene.lines(2 * MARGIN, HEADER + (STRIP - height_of(lines)) / 2, lines)
        return scene

    def _draw_middle(self, scene: AnyScene, x: float, top: float, width: float) -> None:
        """Draw the pot, the deck, and the card that is up if the game has one."""
        scene.picture.rectangle(x, top, width, PANEL, fill=GREEN.strip, radius=GREEN.corner)
        middle, pot = x + width / 2, count(sum(self._played(scene.state)[1]), "chip")
        scene.write(middle, top + 34, f"Pot: {pot}", size=24, align="middle", bold=True)
        captions = [f"Deck {scene.state.deck_size}"]
        captions += ["Board"] if hasattr(scene.state, "board") else []
        left, y = middle - (len(captions) * (CARD + GAP) - GAP) / 2, top + 66
        for i, caption in enumerate(captions):
            at = left + i * (CARD + GAP)
            scene.card_place(at, y, CARD, face(self._board(scene)), hidden=i == 0)
            label = (at + CARD / 2, y + CARD_RATIO * CARD + 24)
            scene.label(*label, caption, size=LETTERS, align="middle")

    def _draw_seat(self, scene: AnyScene, seat: int, x: float, top: float, width: float) -> None:
        """Draw the panel of a seat: its card, what it has paid and done, and its choices."""
        scene.seat_panel(seat, x, top, width, PANEL)
        left, right = x + MARGIN, x + width - MARGIN
        scene.seat_name(seat, left, top + 30, 22)
        score = int(scene.game.scores(scene.state)[seat])
        scene.write(right, top + 30, count(score, "point"), size=LETTERS, align="right")
        card = self._card(scene, seat)
        scene.card_place(left, top + 58, CARD, face(card), hidden=not card)
        moves, paid = self._played(scene.state)
        lines = [Line(f"Paid {count(paid[seat], 'chip')}", LETTERS, GREEN.light, bold=True)]
        for i, of_round in enumerate(moves):
            lines += [Line(f"Round {i + 1}", LETTERS, GREEN.muted)] if len(moves) > 1 else []
            lines += [Line(_of(seat, of_round).capitalize(), LETTERS, GREEN.light)]
        at = left + CARD + MARGIN
        scene.lines(at, top + 62, lines_of(lines, right - at))
        if scene.acts(seat):
            self._draw_choices(scene, left, top + PANEL - MARGIN - BUTTON, right - left)

    def _draw_choices(self, scene: AnyScene, x: float, y: float, width: float) -> None:
        """Draw a button for each action that the viewer may choose."""
        across = (width + GAP) / 3
        for i, action in enumerate(scene.offered):
            box = Rectangle(x + i * across, y, across - GAP, BUTTON)
            scene.picture.rectangle(*box.place, outline=GREEN.accent, line=2, radius=8)
            words = self._choice(scene, action).words.capitalize()
            scene.write(*box.middle, words, size=LETTERS, align="middle")
            scene.offer([action], box)


def face(card: str) -> Face | None:
    """Return what is printed on a card, hearts in red; None for no card."""
    return Face(card, ink=RED if card.endswith("h") else INK) if card else None


def _betting(view: AnyView, moves: Sequence[Move]) -> list[str]:
    """Return a sentence for the moves of a round; none without moves.

    For example: ``You check, player_1 raises to 3.``
    """
    told = []
    for i, move in enumerate(moves):
        verb, _, amount = move.words.partition(" ")
        who = view.who(i % SEATS) if i == 0 else view.who(i % SEATS).inside
        told.append(f"{who:{verb}s} {amount}".rstrip())
    return [f"{', '.join(told)}."] if told else []


def _of(seat: int, moves: Sequence[Move]) -> str:
    """List what a seat has done in a round."""
    return ", ".join(move.words for move in moves[seat::SEATS])
