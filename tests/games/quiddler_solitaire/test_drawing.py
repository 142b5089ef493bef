"""What tables of Quiddler Solitaire look like, and their sentences."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.quiddler.test_drawing import both_layouts, letters_in, places
from tests.games.quiddler_solitaire.play import NO_WORD, Table, positions, stacks_of
from tests.games.quiddler_solitaire.test_redeal import redealt

from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.solitaire import GAME
from kitchentable.games.quiddler.solitaire.render.cards import FACES
from kitchentable.render.view import View


def test_face_down_cards_show_to_who_sees_all():
    params = GAME.make_params()
    differ = 0
    for step, batch in enumerate(positions(2)):
        other = redealt(batch, step)
        for old, new in zip(batch.states, other.states, strict=True):
            same = stacks_of(old) == stacks_of(new)
            assert same == (
                View(GAME, old, params, ALL_SEEING).text()
                == View(GAME, new, params, ALL_SEEING).text()
            )
            texts = [View(GAME, state, params, ALL_SEEING).draw().texts for state in (old, new)]
            assert same == (texts[0] == texts[1])
            differ += not same
    assert differ


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ("", "player_0 begins a word"),
        ("0", "player_0 adds a card"),
        ("0 1", "player_0 adds a card or ends the word"),
        ("0 1 2", "player_0 ends the word"),
        ("0 1 2 word", "player_0 has lost: no word can be made"),
    ],
)
def test_what_is_to_be_done_is_told(actions, sentence):
    table = Table("i", "n", "n", *NO_WORD[:3], "qu h").play(actions)
    text = table.view(0).text()
    assert f"\n{sentence}.\n" in text
    assert sentence in table.view(0).draw().texts


def test_the_words_and_the_winner_are_told():
    table = Table("qu", "i", "t", "th", "in").play("0 1 2 word 3")
    assert "Being spelled: (th)\n" in table.view(0).text()
    assert "(th): 9 points" in _texts(table)
    table.play("4 word")
    assert "(qu)it, (th)(in)." in table.view(0).text()
    assert {"(th)(in)", "48 of 48 cards used"} <= set(_texts(table))
    assert [text for text in _texts(table) if text.endswith("(qu)it")]
    assert "player_0 wins: all cards are used" in _texts(table)


def _texts(table: Table) -> list[str]:
    return table.view(0).draw().texts


def test_cards_are_told_apart_by_their_label():
    assert tuple(face.label for face in FACES) == CARD_NAMES


@both_layouts
def test_solitaire_is_played_by_clicks_on_cards_and_the_word(tall):
    batch = Batch(GAME, 1, seed=2, autoreset=False)
    while not batch.dones[0]:
        state = batch.states[0]
        picture = View(GAME, state, batch.params, 0).draw(tall=tall)
        where = places(picture)
        legal = [batch.action_names[i] for i in np.flatnonzero(batch.masks[0])]
        assert list(where) == sorted(legal, key=["word", *batch.action_names].index)
        for action, spot in where.items():
            kinds = [state.stacks[i, state.heights[i] - 1] for i in state.placed if i >= 0]
            if action != "word":
                stack = int(action.partition(":")[2])
                kinds = [state.stacks[stack, state.heights[stack] - 1]]
            assert letters_in(picture, spot) == [CARD_NAMES[kind] for kind in kinds]
        batch.step(batch.sample_actions())
    assert not View(GAME, batch.states[0], batch.params, 0).draw(tall=tall).spots


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ("", "All 48 cards are to be used up in words; six lie in each stack. player_0 begins"),
        ("0", 'player_0 adds a card. The word so far is "i". Cards chosen stay in the word'),
        ("0 1", 'The word so far is "in". When it ends, its cards are removed'),
        ("0 1 2 word", "player_0 has lost: no word can be made. 5 cards are left."),
    ],
)
def test_solitaire_is_told(actions, expected):
    game = Table("i", "n", "n", *NO_WORD[:3], "qu h").play(actions)
    assert expected in game.view(0).situation()


def choices(game):
    """Return the explanation of each legal action by name."""
    seen = game.view(0)
    return {name: seen.explain(name) for name in seen.legal}


def test_stacks_of_solitaire_are_explained_as_they_are_drawn():
    game = Table("t", "b", "a qu", "i")
    assert choices(game) == {
        "place:2": 'begin a word with "qu" of stack 2',
        "place:3": 'begin a word with "i" of stack 3',
    }
    assert "stack 2" in game.view(0).draw().texts
    game.play("2")
    assert choices(game) == {"place:3": 'add "i" of stack 3: the word is "qui" so far'}
    game.play("3 0")
    assert choices(game) == {"word": 'end the word "quit" and remove its 3 cards'}
