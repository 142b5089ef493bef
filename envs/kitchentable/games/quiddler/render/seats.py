"""Drawing a seat of Quiddler: its panel, its words, its hand, and the actions on its cards."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.games.quiddler.cards import CARD_NAMES, NO_CARD
from kitchentable.games.quiddler.render import sentences
from kitchentable.games.quiddler.render.cards import (
    BAD,
    FACES,
    FRAME,
    GOOD,
    Scene,
    draw_arrow,
    draw_face,
)
from kitchentable.games.quiddler.render.view import Card, Word, hand, words, worths
from kitchentable.games.quiddler.state import JUDGE, REJECTED, UNCHALLENGED
from kitchentable.render.cards import CARD_RATIO, draw_card_back, draw_eye
from kitchentable.render.letters import wrapped
from kitchentable.render.phrases import units
from kitchentable.render.picture import Rectangle

SIDE = 18
"""Distance from the edge of a panel to its contents."""
TOP = 78
"""Distance from the upper edge of a panel to the cards."""


class Letters(NamedTuple):
    """Text sizes of a panel."""

    small: float
    """Size of most texts."""
    line: float
    """Distance from one line to the next."""
    sum: int
    """Maximum number of characters of the sum that makes up a total."""


class Sizes(NamedTuple):
    """Sizes of a seat's panel and its contents."""

    width: float
    card: float
    """Width of a card."""
    gap: float
    """Gap between the cards of a hand or a word."""
    wide_gap: float
    """Gap between words, and before the hand."""
    letters: Letters
    word_lines: int
    """Lines below a word."""
    foot_lines: int
    """Lines for the words of the last hand."""
    tiles: bool = False
    """Whether cards are drawn as tiles, because they are too small for text in their corners."""
    large_card: float = 0
    """Width of a card in a hand with rows of its own, below the words."""
    large_gap: float = 0
    """Gap between the cards of such a hand."""
    across: int = 99
    """Cards in a row of a hand."""
    rows: int = 0
    """Rows of such a hand; 0 if the hand is beside the words."""

    @property
    def height(self) -> float:
        """Height of the panel."""
        cards = TOP + self.words_height + self.rows * self.row_height
        return cards + self.foot_lines * self.letters.line + 10

    @property
    def words_height(self) -> float:
        """Height of a row of words with their points below."""
        return CARD_RATIO * self.card + self.word_lines * self.letters.line + 10

    @property
    def row_height(self) -> float:
        """Height of a row of large cards with the eyes above and the marks below."""
        return CARD_RATIO * self.large_card + 46 + self.letters.line


# --- The panel ----------------------------------------------------------------------------------


def draw_seat(scene: Scene, player: int, sizes: Sizes, x: float, y: float) -> None:
    """Draw a seat with the top left corner of its panel at (x, y)."""
    _draw_panel(scene, player, sizes, x, y)
    at = _draw_words(scene, player, sizes, x + SIDE, y + TOP)
    if sizes.rows:
        if not scene.state.num_laid[player]:
            text, size = "No words laid in this hand", sizes.letters.small
            scene.label(x + SIDE, y + TOP + 26, text, size=size)
        below = y + TOP + sizes.words_height + 20
        _draw_hand(scene, player, sizes, x + SIDE, below)
    else:
        _draw_hand(scene, player, sizes, at, y + TOP)


def _draw_panel(scene: Scene, player: int, sizes: Sizes, x: float, y: float) -> None:
    """Draw the panel without cards: name, tags, total, progress, the last hand."""
    state, letters = scene.state, sizes.letters
    left, right, small = x + SIDE, x + sizes.width - SIDE, letters.small
    scene.seat_panel(player, x, y, sizes.width, sizes.height)
    end = scene.seat_name(player, left, y + 26, 20)
    scene.tags(end + 10, y + 26, sentences.tags(scene, player), size=small, height=22)
    total = int(state.totals[player])
    scene.write(right, y + 26, str(total), size=26, align="right", bold=True)
    below = scene.hands_sum(player, letters.sum) or units(total, "point")
    scene.label(right, y + 53, below, size=small, align="right")
    scene.label(left, y + 53, sentences.progress(state, player), size=small)
    foot = wrapped(sentences.last_hand(state, player), small, right - left)
    at = y + sizes.height - 18 - letters.line * (len(foot) - 1)
    for i, line in enumerate(foot):
        scene.label(left, at + i * letters.line, line, size=small)


# --- Words --------------------------------------------------------------------------------------


def _draw_words(scene: Scene, player: int, sizes: Sizes, x: float, y: float) -> float:
    """Draw a seat's words side by side; return the x at which its hand may begin."""
    judged = scene.state.phase == JUDGE and player == scene.state.accused
    acts = scene.acts(player)
    for number, word in enumerate(words(scene.state, player)):
        used = len(word.kinds) * (sizes.card + sizes.gap)
        bottom = _draw_word(scene, word, f"word {number}" if judged else "", sizes, x, y)
        place = Rectangle(x, y, used - sizes.gap, bottom - y)
        if judged:
            scene.offer([f"challenge:{number}"], place)
        elif acts and not word.finished:
            scene.offer(["word"], place)
        x = x + used + sizes.wide_gap - sizes.gap
    return x


def _draw_word(scene: Scene, word: Word, caption: str, sizes: Sizes, x: float, y: float) -> float:
    """Draw a word with its points below; return the y at which they end."""
    picture, palette, letters = scene.picture, scene.palette, sizes.letters
    step = sizes.card + sizes.gap
    width, height = len(word.kinds) * step - sizes.gap, CARD_RATIO * sizes.card
    for i, kind in enumerate(word.kinds):
        draw_face(picture, x + i * step, y, sizes.card, kind, tile=sizes.tiles)
    below = y + height + 4
    rule = palette.accent
    if word.finished:
        rule = {REJECTED: BAD, UNCHALLENGED: palette.muted}.get(word.verdict, GOOD)
    picture.rectangle(x, below - 1, width, 3, fill=rule, radius=1.5)
    if word.verdict == REJECTED:
        picture.rectangle(x + 3, y + 0.64 * height, width - 6, 3, fill=BAD)
    lines = ["spelling", str(word.points)]
    if word.finished:
        lines = [f"{word.points} points", f"{word.letters} letters"]
    lines.append(sentences.VERDICTS.get(word.verdict, caption))
    for i, line in enumerate(lines):
        write, at = scene.label if i == 1 else scene.write, below + 10 + i * letters.line
        if word.finished:
            write(x + width / 2, at, line, size=letters.small, align="middle")
        else:  # it may be one card, which is narrower than the text
            write(x, at, line, size=letters.small)
    return below + len(list(filter(None, lines))) * letters.line


# --- The hand -----------------------------------------------------------------------------------


def _draw_hand(scene: Scene, player: int, sizes: Sizes, x: float, y: float) -> None:
    """Draw a hand in rows; mark and offer the actions on each card."""
    width, gap = sizes.card, sizes.gap
    if sizes.rows:
        width, gap = sizes.large_card, sizes.large_gap
    acts = scene.acts(player)
    runs: dict[int, list[Rectangle]] = {}
    left = x
    for i, card in enumerate(hand(scene, player)):
        row, column = divmod(i, sizes.across)
        left = x if column == 0 else left + width + gap
        place = Rectangle(left, y + row * sizes.row_height, width, CARD_RATIO * width)
        if acts and card.kind != NO_CARD:
            _draw_marks(scene, player, card.kind, sizes, place)
            _add_to_run(runs.setdefault(card.kind, []), place)
        _draw_held(scene, card, sizes, place)
    for kind, places in runs.items():
        actions = [
            f"{action_kind}:{CARD_NAMES[kind]}"
            for action_kind in ("spell", "discard", "longest", "most")
        ]
        scene.offer(actions, max(places, key=lambda place: place.width))


def _add_to_run(run: list[Rectangle], place: Rectangle) -> None:
    """Extend the run of a kind by a card; one in another row starts a new place."""
    if run and run[-1].y == place.y:
        left = run.pop()
        place = Rectangle(left.x, left.y, place.x + place.width - left.x, place.height)
    run.append(place)


def _draw_marks(scene: Scene, player: int, kind: int, sizes: Sizes, place: Rectangle) -> None:
    """Frame a card that may be discarded; mark below it whether it may be laid, and its worth."""
    name, large = CARD_NAMES[kind], sizes.rows > 0
    offered = scene.offered.keys()
    by_itself = offered & {f"longest:{name}", f"most:{name}"}  # they discard the card, too
    if by_itself or f"discard:{name}" in offered:
        scene.card_frame(place.x, place.y, place.width, edge=4 if large else FRAME)
    middle, below = place.x + place.width / 2, place.y + place.height + (16 if large else 12)
    if by_itself or f"spell:{name}" in offered:
        draw_arrow(scene.picture, middle, below, 9 if large else 7)
    worth = worths(scene, player)
    if kind in worth:
        at, size = (middle, below + sizes.letters.line), sizes.letters.small
        scene.write(*at, str(worth[kind]), size=size, align="middle")


def _draw_held(scene: Scene, card: Card, sizes: Sizes, place: Rectangle) -> None:
    """Draw a card in a hand; an eye above it shows that the others know it too."""
    at, tile = (place.x, place.y, place.width), sizes.tiles and not sizes.rows
    if card.is_open or (tile and card.kind != NO_CARD):
        draw_face(scene.picture, *at, card.kind, tile=tile)
    else:
        known = None if card.kind == NO_CARD else FACES[card.kind]
        draw_card_back(scene.picture, *at, known=known, looked=False)
    if card.picked_up and (card.is_open or tile):
        draw_eye(scene.picture, place.x + place.width / 2, place.y - 9, 9)
