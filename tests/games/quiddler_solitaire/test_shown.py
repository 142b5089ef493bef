"""What only Quiddler Solitaire shows: its stacks, and the words made of them."""

import pytest
from tests.games.positions import both_layouts, places
from tests.games.quiddler.test_shown import choices, letters_in
from tests.games.quiddler_solitaire.play import NO_WORD, Table

from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.solitaire import GAME
from kitchentable.render.view import View


@pytest.mark.parametrize(
    ("actions", "line", "sentences"),
    [
        (
            "",
            "player_0 begins a word",
            "All 48 cards are to be used up in words; each stack has six",
        ),
        ("0", "player_0 adds a card", 'The word so far is "i". It cannot end here'),
        ("0 1", "player_0 adds a card or ends the word", "When it ends, its cards are removed"),
        ("0 1 2", "player_0 ends the word", "inn"),
        ("0 1 2 word", "player_0 has lost: no word can be made", "5 cards are left."),
    ],
)
def test_what_is_to_be_done_is_told(actions, line, sentences):
    seen = Table("i", "n", "n", *NO_WORD[:3], "qu h").play(actions).view(0)
    assert f"\n{line}.\n" in seen.text()
    assert line in seen.draw().texts
    assert sentences in seen.situation()


def test_the_words_and_the_winner_are_told():
    table = Table("qu", "i", "t", "th", "in").play("0 1 2 word 3")
    assert "Being spelled: (th)\n" in table.view(0).text()
    assert "(th): 9 points" in table.view(0).draw().texts
    table.play("4 word")
    assert "(qu)it, (th)(in)." in table.view(0).text()
    told = table.view(0).draw().texts
    assert {"(th)(in)", "48 of 48 cards used", "player_0 wins: all cards are used"} <= set(told)
    assert [text for text in told if text.endswith("(qu)it")]


@both_layouts
def test_solitaire_is_played_by_clicks_on_cards_and_the_word(tall):
    batch = Batch(GAME, 1, seed=2, autoreset=False)
    while not batch.dones[0]:
        state = batch.states[0]
        picture = View(GAME, state, batch.params, 0).draw(tall=tall)
        for action, shape in places(picture).items():
            kinds = [state.stacks[i, state.heights[i] - 1] for i in state.placed if i >= 0]
            if action != "word":
                stack = int(action.partition(":")[2])
                kinds = [state.stacks[stack, state.heights[stack] - 1]]
            assert letters_in(picture, shape) == [CARD_NAMES[kind] for kind in kinds]
        batch.step(batch.sample_actions())


def test_stacks_are_explained_as_they_are_drawn():
    game = Table("t", "b", "a qu", "i")
    assert choices(game) == {
        "place:2": 'begin a word with "qu" from stack 3',
        "place:3": 'begin a word with "i" from stack 4',
    }
    assert "stack 3" in game.view(0).draw().texts
    game.play("2")
    assert choices(game) == {"place:3": 'add "i" from stack 4: the word is "qui" so far'}
    game.play("3 0")
    assert choices(game) == {"word": 'end the word "quit" and remove its 3 cards'}
