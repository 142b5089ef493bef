"""Explanations of Quiddler's actions at a given table."""

from __future__ import annotations

import re

from tests.games.quiddler.pictures import every_table, sample, view
from tests.games.quiddler.play import Table

from kitchentable.core.state import ALL_SEEING

LONGEST_TEXT = 80
"""Upper bound of the characters of a text beside a button: it takes at most two lines."""


def choices(game):
    """Return the explanation of each legal action by name."""
    seen = game.view(ALL_SEEING)
    return {name: seen.explain(name) for name in seen.legal}


@every_table
def test_an_explanation_is_short_and_names_the_card(name):
    params, states = sample(name, 40)
    for state in states:
        seen = view(state, params, ALL_SEEING)
        for action in seen.legal:
            kind, _, what = action.partition(":")
            text = seen.explain(action)
            assert 10 < len(text) < LONGEST_TEXT, text
            assert kind == "challenge" or re.search(rf"\b{what}\b", text)


def test_drawing_and_going_out_are_explained():
    game = Table("c a t", "d o g", then="z s x e")
    assert choices(game) == {
        "draw": "draw the top card of the draw pile; only you see it",
        "take": "take the z; everybody sees it",
    }
    game.play("draw")
    assert choices(game)["spell:c"] == "go out: begin a word with your c"
    assert choices(game)["discard:s"] == "discard the s and keep the rest; your turn is over"
    game.play("+c +a")
    assert choices(game)["spell:t"] == 'add your t: the word is "cat" so far'
    game.play("+t")
    assert choices(game) == {"word": 'end the word "cat" and lay it for 13 points'}
    game.play("word")
    assert choices(game) == {"discard:s": "discard the s, your last card, and go out"}
    game.play("-s draw")
    # Of d, o, g and x, the o counts 2, the d 5, the g 6 and the x 12.
    assert choices(game)["discard:x"] == "discard the x; the 3 cards left count 13 against you"
    assert choices(game)["spell:d"] == "begin a word with your d"
    game.play("d-o.")
    assert choices(game)["discard:x"] == "discard the x; the card left counts 6 against you"


def test_a_last_card_ends_a_last_turn():
    game = Table("c a t", "d o g", then="z s x e").play("draw c-a-t. -s draw d-o-g.")
    assert choices(game) == {"discard:x": "discard the x, your last card"}


def test_drawing_from_a_pile_that_is_used_up_is_explained():
    game = Table("c a t", "d o g", then="z s x e").put_deck_under_pile()
    assert choices(game)["draw"] == "shuffle the discards but the z, and draw one of them"


def test_what_the_environment_lays_is_explained():
    game = Table("c a t", "d o g", then="z s x e", meld="auto").play("draw")
    told = choices(game)
    assert told["discard:s"] == "discard the s and keep the rest; your turn is over"
    assert told["longest:s"] == "discard the s and go out with the longest word possible"
    assert told["most:s"] == "discard the s and go out with as many words as possible"
    game.play("longest:s draw")
    told = choices(game)
    assert told["longest:x"] == "discard the x, lay what scores most; if equal, the longest word"
    assert told["most:x"] == "discard the x, lay what scores most; if equal, the most words"


def test_a_challenge_is_explained_by_the_word_and_what_is_at_stake():
    game = Table("c t c t", "d o g s", then="z x e", challenges=True).play("draw c-t. +c +t")
    lays = 'end the word "ct" for 11 points; it may be challenged'
    assert choices(game)["word"] == lays
    game.play("word -x")
    assert choices(game) == {
        "challenge:0": 'say that the first "ct" is not a word; if it is, you lose 11 points',
        "challenge:1": 'say that the second "ct" is not a word; if it is, you lose 11 points',
        "pass": "challenge no word",
    }
    game.play("challenge:0")
    assert choices(game)["pass"] == "challenge no other word"
    game = Table("cl u e", "d o g", then="z x e", challenges=True).play("draw cl-u-e. -x")
    told = 'say that "clue" is not a word; if it is, you lose 16 points'
    assert choices(game)["challenge:0"] == told
