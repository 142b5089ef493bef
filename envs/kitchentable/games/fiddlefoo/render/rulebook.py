"""The rules of Fiddlefoo for people; see `kitchentable.render.rulebook`."""

from __future__ import annotations

from collections.abc import Sequence

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.render.action_cards import EFFECTS, in_words
from kitchentable.games.fiddlefoo.render.cards import CHOICE, PAIR, PALETTE, draw_frame, draw_tile
from kitchentable.games.fiddlefoo.render.map import BOARD, CELL
from kitchentable.games.fiddlefoo.render.view import code
from kitchentable.games.fiddlefoo.state import Params, deck
from kitchentable.render.phrases import count, listed, number_word
from kitchentable.render.picture import Picture
from kitchentable.render.rulebook import SETUP, Figure, Part, Sections, Table

SIDE, ACTION_SIDE, GAP = 58, 104, 6
"""The side of a card in a figure, of an action card with its name, and the space between cards."""
EXAMPLE = ("Y3", "", "", "R8", "Y12", "", "Y9")
"""A row of the map after a play."""
PLAYED, PARTNER, OTHER = 4, 0, 6
"""The cells of the card that is played there, of its partner and of the other candidate."""


def rulebook(params: Params) -> Sections:
    """Return the rules."""
    sections: dict[str, list[Part]] = {
        "Components": _components(params),
        SETUP: _setup(params),
        "A turn": _turn(params),
        "The pair": _pair(),
        "Safe Song": _safe_song(),
        "Throwing": _throwing(params),
    }
    if params.wildcard:
        sections["Purple is any color"] = _wildcard()
    if params.cooperative:
        sections["Piles instead of opponents"] = _piles()
    if params.talkytoot:
        sections["Talkytoot: the action cards"] = _action_cards(params)
    if params.cooperative:
        sections["Winning as a team"] = [*_ending(params), *_scoring(params)]
    else:
        sections["End of the game"] = _ending(params)
        sections["Scoring"] = _scoring(params)
    return sections


# --- Components and set-up ------------------------------------------------------------------------


def _components(params: Params) -> list[Part]:
    base = [card for card, copies in enumerate(list(deck(params).values())[: c.NUM_BASE]) if copies]
    colors = []
    for color, name in enumerate(c.COLORS):
        numbers = [int(c.NUMBER[card]) for card in base if c.COLOR[card] == color]
        together = sum(int(c.NOTES[card]) for card in base if c.COLOR[card] == color)
        if numbers:
            colors.append((name, c.COLOR_CODES[color], _numbers(numbers), len(numbers), together))
    notes = [
        (listed(i for i in range(1, c.HIGHEST + 1) if c.NOTES_OF_NUMBER[i] == amount), amount)
        for amount in range(1, c.MOST_NOTES + 1)
    ]
    return [
        f"{len(base)} cards in {number_word(len(colors))} colors. A card has a number and music "
        "notes; the notes follow from the number.",
        Table(("color", "letter", "numbers, one card each", "cards", "notes together"), colors),
        Table(("number on the card", "music notes"), notes),
        Figure("The cards of each color, with their notes.", _tiles(base, SIDE)),
    ]


def _numbers(numbers: Sequence[int]) -> str:
    """Return numbers as a range if they are consecutive."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))


def _tiles(cards: Sequence[int], side: int) -> Picture:
    """Draw cards in a row for each color."""
    rows = [[card for card in cards if c.COLOR[card] == color] for color in range(c.NUM_COLORS)]
    rows = [row for row in rows if row]
    step = side + GAP
    picture = Picture(GAP + step * max(map(len, rows)), GAP + step * len(rows), PALETTE.table)
    for i, row in enumerate(rows):
        for j, card in enumerate(row):
            draw_tile(picture, GAP + j * step, GAP + i * step, side, card)
    return picture


def _setup(params: Params) -> list[Part]:
    games = (
        f" {params.games} games are played one after another; each is begun by the next player."
        if params.games > 1
        else ""
    )
    beyond = count(params.map_size // 2 - 1, "cell")
    return [
        "Shuffle the deck. Look for the first card of each color from the top, and lay these out "
        "as a block of two rows and two columns in the middle of the table: the map. "
        f"It may grow up to {beyond} beyond the block on each side.",
        f"Deal {count(params.hand, 'card')} to each of the {params.num_players} players, who look "
        f"at their own only. The rest is the draw pile, face down. The first player begins.{games}",
    ]


# --- A turn ---------------------------------------------------------------------------------------


def _turn(params: Params) -> list[Part]:
    aim = "to fill the piles together" if params.cooperative else "to get rid of your cards"
    return [
        f"The aim is {aim}. In your turn, add one card from your hand to an empty cell of the map "
        "so that",
        [
            "the cell is next to a card, above, below, left or right;",
            "a card of the same color lies in the same row or column, at any distance, whatever "
            "lies between them;",
            "no card next to it has the same color.",
        ],
        "If you can do this, you must. If you cannot, draw a card from the pile, and your turn is "
        "over. Play goes on to the left. When the pile is empty, draws are skipped.",
    ]


def _pair() -> list[Part]:
    return [
        "The new card makes a pair with a card of its color in the same row or column. Two numbers "
        "describe the pair:",
        [
            "Its range: the whole numbers strictly between the numbers of the two cards.",
            "Its distance: the cells strictly between the two cards, empty or not.",
        ],
        "If there are several such cards, the one with the largest range counts; in a tie, the one "
        "at the smaller distance; then the first one going up, right, down and left.",
        *_example(),
    ]


def _example() -> list[Part]:
    numbers = {place: int(EXAMPLE[place][1:]) for place in (PLAYED, PARTNER, OTHER)}

    def said(place: int) -> tuple[list[int], int]:
        low, high = sorted((numbers[PLAYED], numbers[place]))
        return list(range(low + 1, high)), abs(PLAYED - place) - 1

    (wide, distance), (narrow, near) = said(PARTNER), said(OTHER)
    fitting = [i for i, notes in enumerate(c.NOTES_OF_NUMBER) if notes == distance]
    caption = (
        f"Example: {EXAMPLE[PLAYED]} is played. With {EXAMPLE[PARTNER]} it has the range "
        f"{wide[0]} to {wide[-1]} and the distance {distance}, with {EXAMPLE[OTHER]} only the "
        f"range {listed(narrow)} and the distance {near}: the pair is with {EXAMPLE[PARTNER]}. "
        f"Each of the others may throw any yellow cards from {wide[0]} to {wide[-1]}, or one card "
        f"with {distance} notes, of any color: a {listed(fitting, 'or')}."
    )
    return [Figure(caption, _row())]


def _row() -> Picture:
    """Draw the row of the example."""
    step = SIDE + GAP
    picture = Picture(GAP + step * len(EXAMPLE), 2 * GAP + step, BOARD)
    for i, name in enumerate(EXAMPLE):
        x = GAP + i * step
        picture.rectangle(x, GAP, SIDE, SIDE, fill=CELL, radius=5)
        if name:
            draw_tile(picture, x, GAP, SIDE, c.CARD_NAMES.index(name))
        if i in (PLAYED, PARTNER):
            draw_frame(picture, x, GAP, SIDE, CHOICE if i == PLAYED else PAIR, GAP / 2)
    return picture


def _safe_song() -> list[Part]:
    return [
        f"A pair whose distance is larger than {s.LONGEST} is a Safe Song. Nobody may throw at it, "
        "and the player who made it draws one card.",
    ]


def _throwing(params: Params) -> list[Part]:
    where = "" if not params.cooperative else " A card may go on a pile instead, see below."
    return [
        "At any other pair the other players, in turn from the left of the player who made it, may "
        "throw cards at that player, who takes them into the hand. Each may throw either",
        [
            "any number of cards of the pair's color whose numbers are in its range, one after "
            "another; or",
            "exactly one card, of any color and number, with as many notes as the distance.",
        ],
        "A card that fits both ways counts as thrown for its number. Nobody has to throw. Thrown "
        f"cards are seen by all and may not be thrown again in the same turn.{where}",
    ]


# --- Variants -------------------------------------------------------------------------------------


def _wildcard() -> list[Part]:
    return [
        [
            "A purple card pairs with a card of any color in its row or column, but not with a "
            "card next to it. It may lie next to any other color, but not next to purple.",
            "A purple card whose number is in the range may always be thrown.",
            "If the pair holds a purple card, cards of any color whose numbers are in the range "
            "may be thrown.",
        ],
    ]


def _piles() -> list[Part]:
    return [
        f"All {len(c.COLORS)} colors have a pile, empty at first. A card that could be thrown may "
        "go on the pile of its color instead, if its number is higher than that of the pile's top "
        "card. It counts as thrown in every respect.",
        "A player without cards is out and is skipped from then on.",
    ]


def _action_cards(params: Params) -> list[Part]:
    cards = [c.CARD_NAMES.index(name) for name in params.talkytoot]
    later = " A second play comes after the throws." * (c.PLAY_AGAIN in cards)
    scoring = {c.SCORE_DOUBLE_WORST, c.SCORE_MINUS_CONDITIONAL} & set(cards)
    unscored = (
        " In a team notes in hands do not count, nor do effects on them."
        if params.cooperative and scoring
        else ""
    )
    rows = [
        (in_words(card), code(card), c.NOTES[card], EFFECTS[c.CARD_NAMES[card]]) for card in cards
    ]
    return [
        f"{count(len(cards), 'action card')} {'is' if len(cards) == 1 else 'are'} shuffled into "
        "the deck, but never part of the first block. An action card has a color, a number and "
        "notes, and is played, paired and thrown like any other card. It also has an effect:",
        Table(("card", "color and number", "notes", "effect"), rows),
        f"Effects in a pair come before the throws, those of the played card first.{later} A card "
        "counts as drawn if it comes from the pile during play, not if it was dealt or thrown. An "
        f"effect that can do nothing is skipped.{unscored}",
        Figure("The action cards.", _tiles(cards, ACTION_SIDE)),
    ]


# --- The end --------------------------------------------------------------------------------------


def _ending(params: Params) -> list[Part]:
    if params.cooperative:
        end = "The game ends if at most one player has cards at the end of a turn."
    else:
        end = "The game ends if any player has no cards at the end of a turn."
    return [
        f"{end} It also ends if the pile is empty and nobody could play for a whole round.",
    ]


def _scoring(params: Params) -> list[Part]:
    if params.cooperative:
        several = f" You win the {params.games} games if you win each." * (params.games > 1)
        return [
            f"Everybody wins if every pile holds exactly {s.FULL_PILE} notes. Otherwise everybody "
            f"loses.{several}"
        ]
    over = "after all games " if params.games > 1 else ""
    return [
        "The notes on the cards left in your hand are your penalty. The lowest penalty "
        f"{over}wins; players with equal penalties share the win.",
    ]
