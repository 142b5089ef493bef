"""Descriptions and two-letter marks of Talkytoot's action cards."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.board import MAX_DISTANCE, MIN_RANGE
from kitchentable.games.fiddlefoo.effects import PENALTY_DRAWS
from kitchentable.games.fiddlefoo.hands import FEWEST_TO_THROW, MINUS
from kitchentable.games.fiddlefoo.render.view import named
from kitchentable.games.fiddlefoo.state import MOST_REMOVALS, MOST_SWAPS
from kitchentable.render.phrases import number_word

EFFECTS = {
    "discard": "in a pair, it lets its maker take a hand card out of the game",
    "move": "in a pair, it lets its maker move another card on the map to any empty cell that "
    "touches a card",
    "play_again": "in a pair, it allows a second play after the throws, with another color",
    "remove_cards": f"in a pair, it lets its maker take up to {number_word(MOST_REMOVALS)} "
    "other cards off the map",
    "wildcard_pair": "it makes a pair with a card of any color that is not next to it; the pair "
    "has that color",
    "throw_other_colors": "at its pair, cards of any color may be thrown for their number",
    "safety_rule_disable": "its pair is never a Safe Song",
    "range_limit": f"its pair must have at least {MIN_RANGE} numbers in range",
    "distance_limit": f"its pair must have a distance of at most {MAX_DISTANCE}",
    "draw": "whoever throws it draws a card",
    "notes_match_penalty": "whoever throws it for its notes draws "
    f"{number_word(PENALTY_DRAWS)} cards",
    "notes_match_forbid": "it is never thrown for its number, only for its notes",
    "wildcard_throw": "it may be thrown for its number at any pair, even at a Safe Song",
    "cant_throw": f"whoever holds {number_word(FEWEST_TO_THROW - 1)} cards or fewer may not throw "
    "it",
    "instaplay": "whoever draws it plays it at once, if possible",
    "reveal_to_all": "whoever draws it shows it to all",
    "swap_map": f"whoever draws it swaps {number_word(MOST_SWAPS)} hand cards, or all if there are "
    "fewer, with any cards on the map",
    "hand_match_penalty": "whoever draws it draws another card if the card added last has its "
    "color",
    "hand_match_note_penalty": "whoever draws it draws another card if the card added last has as "
    "many notes",
    "score_double_worst": "at the end it costs twice the notes of the worst other card of the "
    "hand, or twice its own if it is alone",
    "score_minus_conditional": f"at the end it counts {MINUS} instead of its notes, if no color "
    "is more frequent in the hand than yellow",
}
_MARKS = (
    "DI", "MO", "PA", "RC", "WP", "TO", "SR", "RL", "DL", "DR", "NP", "NF", "WT", "CT", "IP", "RA",
    "SM", "HP", "HN", "DW", "MC",
)  # fmt: skip
MARKS = dict(zip(c.ACTION_CARDS, _MARKS, strict=True))
"""Two-letter marks that replace the name of an action card where it does not fit."""


def words(name: str) -> str:
    """Return a name as people write it: ``can't throw`` for ``cant_throw``."""
    return name.replace("_", " ").replace("cant ", "can't ")


def in_words(card: int) -> str:
    """Return the name of a card for a sentence, such as ``remove cards``."""
    return words(c.CARD_NAMES[card])


def in_full(card: int) -> str:
    """Return the name of a card for a sentence, with color and number."""
    return words(named(card))


def about_marks(cards: Iterable[int]) -> str:
    """Return a sentence that names the action cards among ``cards`` by their marks, if any."""
    marks = ", ".join(
        f"{MARKS[c.CARD_NAMES[card]]} {in_words(card)}"
        for card in sorted(cards)
        if card >= c.NUM_BASE
    )
    return f"Action cards: {marks}." if marks else ""


def works_in_pairs(card: int) -> bool:
    """Return whether an action card has an effect in a pair."""
    return c.NUM_BASE <= card <= c.DISTANCE_LIMIT


def works_when_thrown(card: int) -> bool:
    """Return whether an action card has an effect when thrown, or limits its own throws."""
    return c.DRAW_CARD <= card <= c.CANT_THROW


def works_when_drawn(card: int) -> bool:
    """Return whether an action card has an effect only when it is drawn."""
    return c.INSTAPLAY <= card <= c.HAND_MATCH_NOTE_PENALTY


def about_cards(cards: Iterable[int]) -> str:
    """Return a sentence on the effects of the action cards among ``cards``; empty without any."""
    descriptions = [
        f"{in_words(card)}: {EFFECTS[c.CARD_NAMES[card]]}"
        for card in sorted(set(cards))
        if card >= c.NUM_BASE
    ]
    return f"Action cards: {'; '.join(descriptions)}." if descriptions else ""
