"""What each action card of Talkytoot does, in words: for who does not know the card."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.games.fiddlefoo.cards import (
    CANT_THROW,
    CARD_NAMES,
    DISTANCE_LIMIT,
    DRAW_CARD,
    HAND_MATCH_NOTE_PENALTY,
    INSTAPLAY,
    NOTES_MATCH_FORBID,
    NOTES_MATCH_PENALTY,
    NUM_BASE,
    WILDCARD_THROW,
)
from kitchentable.games.fiddlefoo.render.view import named

EFFECTS = {
    "discard": "in a pair, it lets who made the pair take a hand card out of the game",
    "move": "in a pair, it lets who made the pair move another card on the map",
    "play_again": "in a pair, it allows a second play in this turn, with another color",
    "remove_cards": "in a pair, it lets who made the pair take up to three other cards off the map",
    "wildcard_pair": "it makes a pair with a card of any color",
    "throw_other_colors": "at its pair, cards of any color may be thrown for their number",
    "safety_rule_disable": "its pair is never a Safe Song",
    "range_limit": "its pair must have at least 4 numbers in range",
    "distance_limit": "its pair must have a distance of at most 2",
    "draw": "who throws it draws a card",
    "notes_match_penalty": "who throws it for its notes draws two cards",
    "notes_match_forbid": "it is never thrown for its number, only for its notes",
    "wildcard_throw": "it may be thrown at any pair, even at a Safe Song",
    "cant_throw": "who holds three cards or fewer may not throw it",
    "instaplay": "who draws it plays it at once, if it can be played",
    "reveal_to_all": "who draws it shows it to all",
    "swap_map": "who draws it swaps three hand cards with cards on the map",
    "hand_match_penalty": "who draws it draws another card if the card added last has its color",
    "hand_match_note_penalty": "who draws it draws another card if the card added last has as many "
    "notes",
    "score_double_worst": "at the end it costs twice the notes of the worst other card of the hand",
    "score_minus_conditional": "at the end it takes 10 points off, if no color is more frequent in "
    "the hand than yellow",
}


def in_words(card: int) -> str:
    """Return a card's name as a sentence has it, such as ``remove cards``."""
    return CARD_NAMES[card].replace("_", " ")


def in_full(card: int) -> str:
    """Return a card's name as a sentence has it, with color and number."""
    return named(card).replace("_", " ")


def works_in_pairs(card: int) -> bool:
    """Whether an action card does something in a pair."""
    return NUM_BASE <= card <= DISTANCE_LIMIT


def works_when_thrown(card: int) -> bool:
    """Whether an action card does something when it is thrown, or limits throwing it."""
    return card in (DRAW_CARD, NOTES_MATCH_PENALTY, NOTES_MATCH_FORBID, WILDCARD_THROW, CANT_THROW)


def works_when_drawn(card: int) -> bool:
    """Whether an action card does something when it is drawn, and nothing afterwards."""
    return INSTAPLAY <= card <= HAND_MATCH_NOTE_PENALTY


def about_cards(cards: Iterable[int]) -> str:
    """Say in a sentence what action cards do; empty if there are none among the cards."""
    told = [
        f"{in_words(card)}: {EFFECTS[CARD_NAMES[card]]}"
        for card in sorted(set(cards))
        if card >= NUM_BASE
    ]
    return f"Action cards: {'; '.join(told)}." if told else ""
