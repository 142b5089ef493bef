"""Drawing the words of Quiddler Solitaire: the one being spelled, and those made."""

from __future__ import annotations

from collections.abc import Sequence

from kitchentable.games.quiddler.render.view import points, written
from kitchentable.games.quiddler.solitaire.render.cards import Scene
from kitchentable.games.quiddler.solitaire.render.sentences import used
from kitchentable.games.quiddler.solitaire.render.view import spelling, words_made
from kitchentable.games.quiddler.solitaire.state import MAX_WORDS, NUM_DEALT, NUM_STACKS
from kitchentable.render.cards import CARD_RATIO, Face
from kitchentable.render.phrases import count
from kitchentable.render.picture import Point, Rectangle


def draw_spelled(scene: Scene, at: Point, card: float, gap: float, faces: Sequence[Face]) -> None:
    """Draw the word being spelled, and empty places for further cards.

    Args:
        scene: what to draw into.
        at: top left corner.
        card: width of a card.
        gap: gap between cards.
        faces: what is printed on each kind.
    """
    left, top = at
    word = [faces[kind] for kind in spelling(scene.state)]
    for i in range(NUM_STACKS):
        face = word[i] if i < len(word) else None
        scene.card_place(left + i * (card + gap), top, card, face)
    used_up = len(word) * (card + gap) - gap
    scene.offer(["word"], Rectangle(left, top, used_up, CARD_RATIO * card))


def draw_progress(scene: Scene, x: float, ys: tuple[float, float, float], width: float) -> None:
    """Draw the progress of the game, and the word being spelled.

    Args:
        scene: what to draw into.
        x: left edge.
        ys: y of the number of cards used (middle), of the bar (top) and of the word (middle).
        width: width of the bar.
    """
    told, bar, below = ys
    picture, state = scene.picture, scene.state
    scene.write(x, told, used(state), size=20, bold=True)
    picture.rectangle(x, bar, width, 14, fill=scene.palette.empty, radius=7)
    if state.used:
        share = max(14.0, width * int(state.used) / NUM_DEALT)
        picture.rectangle(x, bar, share, 14, fill=scene.palette.accent, radius=7)
    word = spelling(state)
    text = f"{written(word)}: {count(points(word), 'point')}" if word else "no word begun"
    scene.label(x, below, text, size=18)


def draw_words(
    scene: Scene, at: Point, width: float, *, columns: int, letters: tuple[float, float]
) -> None:
    """Write the words made, in columns from top to bottom.

    Args:
        scene: what to draw into.
        at: left edge and middle of the first word.
        width: width of all columns.
        columns: number of columns.
        letters: text sizes of the words' numbers, and of the words.
    """
    left, top = at
    rows, step = -(-MAX_WORDS // columns), width / columns
    small, large = letters
    for i, word in enumerate(words_made(scene.state)):
        column, row = divmod(i, rows)
        x, y = left + column * step, top + 30 * row
        scene.label(x, y, f"{i + 1}", size=small)
        scene.write(x + 28, y, word, size=large, bold=True)
    if not scene.state.num_words:
        scene.label(left, top, "The words made will stand here.", size=max(15, small))
