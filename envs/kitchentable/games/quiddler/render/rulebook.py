"""The rules of Quiddler for people; see `kitchentable.render.rulebook`."""

from __future__ import annotations

from collections.abc import Mapping

from kitchentable.games.quiddler.cards import CARD_NAMES, LETTERS, VALUES
from kitchentable.games.quiddler.render.cards import FACES, PALETTE
from kitchentable.games.quiddler.render.view import given_bonuses, points
from kitchentable.games.quiddler.scoring import BONUS
from kitchentable.games.quiddler.state import BONUS_LONGEST, BONUS_MOST, Params, deck
from kitchentable.games.quiddler.words.lexicon import SHIPPED, find_lexicon
from kitchentable.games.quiddler.words.solver import MAX_WORDS
from kitchentable.render.phrases import count, listed
from kitchentable.render.rulebook import SETUP, Figure, Part, Sections, Table, cards_picture

BONUS_FOR = {BONUS_LONGEST: "the longest word", BONUS_MOST: "the most words"}
WORDS = ("qu i t", "qu i e t", "a n", "o r", "th e")
"""The words of the example, a long one of three or four cards and then pairs."""


def rulebook(params: Params) -> Sections:
    """Return the rules."""
    sections: dict[str, list[Part]] = {
        "Components": _components(params),
        SETUP: _setup(params),
        "A turn": _turn(params),
        "Going out": _going_out(params),
        "Scoring a hand": [
            "Add the points of the cards in your words, and subtract those of the cards that you "
            "are left with. A result below zero counts as zero."
        ],
    }
    bonuses = [_bonuses(params), *_example(params)]
    if params.num_players > 2:
        sections["Bonuses with three or more players"] = bonuses
    else:
        sections["Scoring a hand"] += bonuses
    sections["End of the game"] = [
        f"After {count(len(params.hand_sizes), 'hand')} the highest total wins. Players with equal "
        "totals share the win."
    ]
    if params.challenges:
        sections["Challenges"] = _challenges()
    return sections


def deck_parts(copies: Mapping[str, int]) -> list[Part]:
    """Return a table and a picture of the cards of a deck, for this game and the Solitaire."""
    kinds = [kind for kind, name in enumerate(CARD_NAMES) if copies[name]]
    rows = []
    for value in sorted({int(VALUES[kind]) for kind in kinds}):
        alike = [CARD_NAMES[kind] for kind in kinds if VALUES[kind] == value]
        rows.append((value, ", ".join(f"{name.upper()} ({copies[name]})" for name in alike)))
    pairs = [CARD_NAMES[kind].upper() for kind in kinds if LETTERS[kind] > 1]
    what = "is a single card" if len(pairs) == 1 else "are single cards"
    two = f" {listed(pairs)} {what} whose two letters stay together." if pairs else ""
    return [
        f"{sum(copies.values())} letter cards, each with its points.{two}",
        Table(("points", "cards (copies)"), rows),
        Figure(
            "The cards with their points, and the number of copies of each.",
            cards_picture(
                [(FACES[kind], f"{copies[CARD_NAMES[kind]]} x") for kind in kinds],
                PALETTE,
                11,
            ),
        ),
    ]


def words_part(words: int, *, challenges: bool = False) -> str:
    """Return what counts as a word; with ``challenges``, what should."""
    verb, but = ("should be", "; see Challenges") if challenges else ("is", "")
    return (
        f"A word consists of two or more cards and {verb} in the word list, which has {words:,} "
        f"words{but}. The same word may be used again."
    )


def _components(params: Params) -> list[Part]:
    words = words_part(len(find_lexicon(params.lexicon)), challenges=params.challenges)
    return [*deck_parts(deck(params)), words]


def _setup(params: Params) -> list[Part]:
    sizes = list(params.hand_sizes)
    hands = f"The {count(len(sizes), 'hand')} of the game have {listed(sizes)} cards."
    passing = ", and the deal passes to the left after each hand."
    if len(sizes) == 1:
        hands, passing = f"The game is a single hand of {sizes[0]} cards.", "."
    return [
        f"{hands} Shuffle, deal that many cards to each of the {params.num_players} players, and "
        "put the rest face down as the draw pile. Its top card is turned over and starts the "
        "discard pile.",
        f"The player at the dealer's left begins{passing}",
    ]


def _turn(params: Params) -> list[Part]:
    returned = (
        "The card that you have just taken from the discard pile may not be discarded in the same "
        "turn."
        if params.forbid_returning_discard
        else "You may discard the card that you have just taken."
    )
    return [
        "A turn has two steps:",
        [
            "Draw the top card of the draw pile, or take the top card of the discard pile.",
            "Discard one card, face up. If you can, you may go out instead (see below).",
        ],
        f"{returned} If the draw pile is empty, all discards but the top one are shuffled into a "
        "new draw pile.",
    ]


def _going_out(params: Params) -> list[Part]:
    laying = (
        "You spell the words card by card; once the first word is laid, there is no way back."
        if params.meld == "spell"
        else "The computer lays the words with the most points for the discard that you choose; "
        "if several are worth the same, you choose between the longest word and the most words."
    )
    wait = params.min_turns_before_out
    later = [f"Nobody may go out before their turn {wait} of the hand."] if wait > 1 else []
    return [
        "After drawing, you may go out if you can lay all of your cards but one in words; you "
        f"discard the one that is left. {laying} Nobody has to go out.",
        "Then every other player, in turn, has one last turn: draw or take a card, lay any words, "
        "and discard one card. The cards that are left in the hand count against the player; the "
        "discard does not.",
        *later,
        f"A hand in which nobody has gone out after {count(params.max_turns, 'turn')} each is "
        "called: everybody has one last turn, and the hand is scored.",
    ]


def _bonuses(params: Params) -> str:
    bonuses = given_bonuses(params)
    if not bonuses:
        return "There is no bonus."
    letters = " A word is as long as its letters, so TH counts as two." * (BONUS_LONGEST in bonuses)
    what = "Bonus" if len(bonuses) == 1 else "Bonuses"
    description = listed(f"{BONUS} points for {BONUS_FOR[bonus]}" for bonus in bonuses)
    return f"{what}: {description} in the hand. If players tie, nobody gets that bonus.{letters}"


def _kinds(word: str) -> list[int]:
    return [CARD_NAMES.index(name) for name in word.split()]


def _example(params: Params) -> list[Part]:
    """Score a hand of the first size: one player goes out, and another one is caught."""
    size = params.hand_sizes[0]
    long, short = WORDS[(size + 1) % 2], WORDS[2 : 2 + (size - 3) // 2]
    words = [_kinds(word) for word in (long, *short)]
    caught, left = _kinds("a t"), _kinds("z") + _kinds("e") * (size - 3)
    laid, gain, cost = sum(map(points, words)), points(caught), points(left)
    won = [one for one in given_bonuses(params) if one == BONUS_LONGEST or short]
    bonus = f" and {listed(f'{BONUS} for {BONUS_FOR[one]}' for one in won)}" if won else ""
    deck_used = " of the real deck" if params.copies else ""
    spelled = ["".join(word.split()) for word in (long, *short)]
    # Shipped lists have the words, and need not be read to see it.
    own = None if params.lexicon in SHIPPED else find_lexicon(params.lexicon)
    if own is not None and not all(word in own for word in (*spelled, "at")):
        deck_used += " with the default word list"
    caption = (
        f"Example, in a hand of {size} cards{deck_used}: you go out with "
        f"{listed(map(str.upper, spelled))} and get {laid} "
        f"points{bonus}, together {laid + BONUS * len(won)}. In the last turn another player lays "
        f"AT for {gain} points and is left with "
        f"{listed(CARD_NAMES[kind].upper() for kind in left)} for {cost}: {gain} - {cost} is below "
        "zero, so the hand scores 0."
    )
    cards = [(FACES[kind], "") for word in words for kind in word]
    return [Figure(caption, cards_picture(cards, PALETTE, 10))]


def _challenges() -> list[Part]:
    return [
        "Any two or more cards may be laid as a word, even if it is none. After a player has laid "
        f"words, the others may challenge them in turn, one by one (at most {MAX_WORDS} words lie "
        "in front of a player). A word can be challenged once.",
        [
            "If it is in the word list, the points of the word are subtracted from the "
            "challenger's hand, whose result still cannot fall below zero.",
            "If it is not, its cards count as left over: their points are subtracted, and the word "
            "earns no bonus. Nothing else changes.",
            "An invalid word that nobody challenges counts like any other.",
        ],
    ]
