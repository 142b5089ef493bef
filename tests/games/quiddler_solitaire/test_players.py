"""The scripted players of Quiddler Solitaire: what they choose and compute."""

import pytest
from tests.games.quiddler_solitaire.play import Table, full

from kitchentable.games.quiddler import Lexicon
from kitchentable.games.quiddler.cards import CARD_NAMES

THINKERS = ("greedy", "quick", "rollout")


def chosen_word(name: str, table: Table) -> list[str]:
    """Let a player spell a word, and return its cards."""
    before = table.state.used
    while table.state.used == before:
        table.play(table.ask(name))
    return [CARD_NAMES[kind] for kind in table.state.words[before : table.state.used]]


def test_greedy_makes_the_word_of_most_points():
    assert chosen_word("greedy", Table(*full("e a", "e t", "a h", "h e"))) == ["h", "e"]
    table = Table("a t", "e qu", "a i", "t t", "i h")
    assert chosen_word("greedy", table) == ["qu", "i", "t"]


@pytest.mark.parametrize(("cards", "used"), [("teatihe", 48), ("teatibn", 47)])
@pytest.mark.parametrize("name", THINKERS)
def test_as_many_of_the_last_cards_are_used_as_can_be(name, cards, used):
    """The word with the most points would leave cards: tea + th in, not quit or teat."""
    table = Table(*cards)
    while not table.state.terminated:
        chosen_word(name, table)
    assert table.state.used == used


@pytest.mark.parametrize("name", THINKERS)
def test_cards_of_a_word_in_another_order_are_not_that_word(name):
    """at + no would use all cards, but t a is already placed, which only leads to tan."""
    words = Lexicon.from_words(["at", "no", "tan"])
    table = Table("t", "a", "n", "o", lexicon=words).play("0 1")
    assert table.ask(name) == "place:2"
