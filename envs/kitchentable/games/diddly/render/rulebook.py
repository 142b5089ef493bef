"""The rules of Diddly for people; see `kitchentable.render.rulebook`."""

from __future__ import annotations

import numpy as np

from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.render.cards import FACES, PALETTE
from kitchentable.games.diddly.render.sentences import LONG_NAMES, card_name
from kitchentable.games.diddly.render.view import num_columns, num_rows
from kitchentable.games.diddly.rules import num_flips
from kitchentable.games.diddly.scoring import board_score, column_score, line_slots
from kitchentable.games.diddly.state import CARD_NAMES, Params, deck
from kitchentable.render.phrases import count, number_word, units
from kitchentable.render.rulebook import SETUP, Figure, Part, Sections, Table, cards_picture

EXAMPLES = {2: "H 9", 6: "H 7 4 9 7 R", 8: "H 7 4 D 9 7 R 3", 9: "5 5 5 5 2 9 5 9 H"}
"""A board to score, row by row, by its number of cards."""


def rulebook(params: Params) -> Sections:
    """Return the rules."""
    in_lines = params.cards == s.MAX_CARDS
    return {
        "Components": _components(params),
        SETUP: _setup(params),
        "A turn": _turn(),
        "Special cards": _special_cards(params),
        "End of a round": _end_of_round(params),
        "Scoring lines of three" if in_lines else "Scoring columns": [
            *(_of_lines() if in_lines else _of_columns()),
            *_example(params),
        ],
        "End of the game": [_end_of_game(params)],
    }


def _components(params: Params) -> list[Part]:
    kinds = [(kind, number) for kind, number in enumerate(deck(params).values()) if number]
    points = "points if it does not match"
    return [
        f"A deck of {sum(number for _, number in kinds)} cards, and for each of the "
        f"{params.num_players} players a board of {params.cards} cards in "
        f"{number_word(num_rows(params))} {units(num_rows(params), 'row')} of "
        f"{number_word(num_columns(params))}. Points are bad: the fewest win.",
        Table(
            ("card", "copies", points),
            [(card_name(kind), number, s.POINTS[kind]) for kind, number in kinds],
        ),
        Figure(
            "The cards, and the number of copies of each.",
            cards_picture(
                [(FACES[kind], f"{number} x") for kind, number in kinds],
                PALETTE,
            ),
        ),
    ]


def _setup(params: Params) -> list[Part]:
    flips = count(int(num_flips(params.cards)), "card")
    return [
        f"Shuffle the deck and deal {params.cards} cards to each player, face down, one at a time. "
        "Nobody looks at them, not even their owner.",
        f"Starting at the dealer's left, each player turns {flips} of their own face up, and then "
        "uses each Peek and Swap among these, in the order in which they were turned up. After "
        "that the next player turns up cards.",
        "The rest of the deck lies face down in the middle. Its top card is turned over and starts "
        "the discard pile; if it is a special card, it does nothing there.",
    ]


def _turn() -> list[Part]:
    return [
        "The player at the dealer's left begins, and play goes on to the left. A turn has three "
        "steps:",
        [
            "Get one card: draw the top card of the deck, or take the top card of the discard "
            "pile, or use a Recycle (see Special cards).",
            "If the card is a Peek or a Swap, use it now.",
            "Put the card face up in the place of any card of your own board. The card that lay "
            "there goes face up on the discard pile. So you cannot discard the card that you just "
            "got, and you do not see a face-down card before you replace it.",
        ],
        "If the deck is empty when a card has to be drawn, all discards but the top one are "
        "shuffled into a new deck. Everybody may look through the discard pile at any time.",
    ]


def _special_cards(params: Params) -> list[Part]:
    halved, matching = "the other card in its column", "it matches another {}"
    if params.cards == s.MAX_CARDS:
        halved = "every other card in its row, in its column or on a main diagonal with it"
        matching = "it is one of three {}s in a line"
    points = s.POINTS
    effects = {
        s.DIDDLY: f"Is worth {points[s.DIDDLY]} wherever it lies.",
        s.SWAP: "When you get it, or turn it up in the set-up: exchange two of your own cards, "
        "face up or face down, or leave them. Each stays as it was, face up or face down. On the "
        f"board it is worth {points[s.SWAP]}.",
        s.HALF: f"Is worth {points[s.HALF]}, and {halved} counts half, rounded up.",
        s.PEEK: "When you get it, or turn it up in the set-up: look at one of your own face-down "
        "cards, if you have any, and leave it there; the others see which one. On the board it is "
        f"worth {points[s.PEEK]} unless {matching.format('Peek')}.",
        s.RECYCLE: "While it lies face up on your board, you may take any card from the discard "
        "pile instead of drawing. That card has to replace a face-up Recycle of yours. On the "
        f"board a Recycle is worth {points[s.RECYCLE]} unless {matching.format('Recycle')}.",
    }
    copies = list(deck(params).values())
    rows = [(LONG_NAMES[kind], effect) for kind, effect in effects.items() if copies[kind]]
    return [Table(("card", "what it does"), rows)] if rows else ["There are none in this deck."]


def _end_of_round(params: Params) -> list[Part]:
    return [
        "The first player whose cards all lie face up at the end of a turn closes the round. Every "
        "other player has one more turn.",
        "Then all face-down cards are turned up and the boards are scored. A Swap or Recycle that "
        "is turned up now does nothing.",
        f"A game in which a player would begin turn {params.turn_limit + 1} of a round is stopped; "
        "the finished rounds count.",
    ]


def _end_of_game(params: Params) -> str:
    if params.rounds == 1:
        return "The game is a single round. The lowest score wins; equal scores share the win."
    return (
        f"The game has {params.rounds} rounds; the next player to the left deals the next one. The "
        "lowest total wins. If totals are equal, the tied players compare their lowest round "
        "scores, and the lower one wins; if these are equal too, the next lowest, and so on. If "
        "all are equal, they share the win."
    )


# --- Scoring --------------------------------------------------------------------------------------


def _of_columns() -> list[Part]:
    return [
        "Score each column of two cards on its own:",
        [
            "Two equal cards are worth nothing, whatever they are.",
            "Otherwise each card scores its points.",
            "If one of the two is a Half, the other one scores half of its points, rounded up.",
        ],
    ]


def _of_lines() -> list[Part]:
    return [
        "A line is a row, a column or one of the two main diagonals.",
        [
            "Three equal cards in a line are worth nothing; a card may be part of several lines.",
            "Every other card scores its points once.",
            "It scores half of them, rounded up, if a Half lies in one of its lines. No card is "
            "halved twice. A halved card still matches its own kind.",
        ],
    ]


def _example(params: Params) -> list[Part]:
    """Score a board; one of the kinds that are there if the deck is shortened."""
    names = EXAMPLES[params.cards].split()
    in_deck = [name for name, copies in deck(params).items() if copies]
    if not set(names) <= set(in_deck):
        names = (in_deck * params.cards)[: params.cards]
    kinds = [CARD_NAMES.index(name) for name in names]
    board = np.array(kinds, np.int8)
    if params.cards == s.MAX_CARDS:
        notes = _notes_of_lines(board)
        scores = [int(note) for note in notes]
    else:
        columns = len(kinds) // 2
        scores = [int(column_score(board[i], board[i + columns])) for i in range(columns)]
        notes = [""] * columns + [f"column: {score}" for score in scores]
    added = [str(score) for score in scores if score]
    total = int(board_score(board))
    equation = f"{' + '.join(added)} = {total}" if len(added) > 1 else str(total)
    caption = f"Example: this board scores {equation} points."
    cards = list(zip((FACES[kind] for kind in kinds), notes, strict=True))
    return [Figure(caption, cards_picture(cards, PALETTE, num_columns(params)))]


def _notes_of_lines(board: np.ndarray) -> list[str]:
    """Return what each card of a large board scores."""
    free, halved = line_slots(board)
    slots, points = np.arange(len(board)), s.POINTS[board]
    points = np.where(halved >> slots & 1, (points + 1) // 2, points)
    return [str(one) for one in np.where(free >> slots & 1, 0, points)]
