"""Quiddler and its Solitaire on a page: where to click, the picture for phones, what is told."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.contract import pictures as drawing_checks
from tests.contract.pictures import overlapping
from tests.games.quiddler import test_drawing as drawn
from tests.games.quiddler.play import Table, few
from tests.games.quiddler_solitaire import test_rules as alone

from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME
from kitchentable.games.quiddler import state as table
from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.render.view import legal_names, words
from kitchentable.games.quiddler.solitaire import GAME as SOLITAIRE
from kitchentable.render.picture import TALL, Text
from kitchentable.render.view import View

both_layouts = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
every_table = drawn.every_table


def letters_in(picture, spot):
    """Names of the cards drawn in a place to click, from left to right."""
    left, top, right, bottom = spot.shape.bounds
    labels = [
        (shape.x, shape.text)
        for shape in picture.shapes
        if isinstance(shape, Text)
        and shape.text in CARD_NAMES
        and left < shape.x < right
        and top < shape.y < bottom
    ]
    return [text for _, text in sorted(labels)]


def places(picture):
    """Places to click by action."""
    return {action: spot for spot in picture.spots for action in spot.actions}


# --- Places to click ------------------------------------------------------------------------------


@both_layouts
@every_table
def test_a_click_on_a_card_is_about_that_card(name, tall):
    params, states = drawn.sample(name, 25)
    clicked = set()
    for i, state in enumerate(states):
        picture = View(GAME, state, params, (NOBODY, int(state.current_player))[i % 2]).draw(
            tall=tall
        )
        where = places(picture)
        assert set(where) == set(legal_names(state, params, NOBODY)) - {"pass"}
        for action, spot in where.items():
            kind, _, what = action.partition(":")
            clicked.add(kind)
            if kind in ("spell", "discard", "longest", "most"):
                assert set(letters_in(picture, spot)) == {what}
    expected = {"draw", "take", *(("discard", "longest", "most") if "auto" in name else ())}
    assert expected <= clicked


@both_layouts
def test_what_may_be_done_with_a_card_has_one_place(tall):
    game = Table("c a t", "z x v", then="e s").play("draw")
    picture = View(GAME, game.state, game.batch.params, 0).draw(tall=tall)
    where = places(picture)
    assert where["spell:c"] == where["discard:c"]
    assert where["spell:c"] != where["discard:t"]
    assert where["discard:s"].shape.width >= (60 if tall else 40)


@both_layouts
def test_the_piles_are_what_is_drawn_and_taken(tall):
    game = Table("c a t", "z x v", then="e s")
    picture = View(GAME, game.state, game.batch.params, 0).draw(tall=tall)
    where = places(picture)
    assert list(where) == ["draw", "take"]
    assert letters_in(picture, where["take"]) == ["e"]
    assert letters_in(picture, where["draw"]) == []


@both_layouts
def test_the_word_being_spelled_ends_by_a_click_on_it(tall):
    game = Table("c qu i t", "z x v w", then="a e").play("draw +qu +i")
    for card in ("t", "e"):  # of quit, two cards would be left
        assert "word" not in places(View(GAME, game.state, game.batch.params, 0).draw(tall=tall))
        game.play(f"+{card}")
    picture = View(GAME, game.state, game.batch.params, 0).draw(tall=tall)
    assert letters_in(picture, places(picture)["word"]) == ["qu", "i", "t", "e"]


@both_layouts
def test_a_word_is_challenged_by_a_click_on_it(tall):
    params, state = drawn.position_with(
        "four, challenges",
        lambda state: state.phase == table.JUDGE and state.num_words[state.accused] > 1,
    )
    picture = View(GAME, state, params, int(state.current_player)).draw(tall=tall)
    where = places(picture)
    judged = [i for i, v in enumerate(state.verdicts[state.accused]) if not v]
    laid = words(state, int(state.accused))
    assert set(where) == {f"challenge:{i}" for i in judged if i < len(laid)}
    for action, spot in where.items():
        kinds = laid[int(action.partition(":")[2])].kinds
        assert letters_in(picture, spot) == [CARD_NAMES[kind] for kind in kinds]


@both_layouts
def test_cards_of_a_kind_that_lie_together_are_one_place(tall):
    game = Table("b e e e t h o u s", "z x v w a j g f c", then="k e").play("draw")
    picture = View(GAME, game.state, game.batch.params, 0).draw(tall=tall)
    # Four of them: on a phone in the row of five that begins with the b.
    assert letters_in(picture, places(picture)["discard:e"]) == ["e"] * 4


def test_of_a_kind_in_two_rows_the_longer_part_is_the_place():
    game = Table("b c d e e e e h o u", "z x v w a j g f k l", then="m n").play("draw")
    picture = View(GAME, game.state, game.batch.params, 0).draw(tall=True)
    assert letters_in(picture, places(picture)["discard:e"]) == ["e"] * 3


@both_layouts
def test_solitaire_is_played_by_clicks_on_cards_and_the_word(tall):
    batch = Batch(SOLITAIRE, 1, seed=2, autoreset=False)
    while not batch.dones[0]:
        state = batch.states[0]
        picture = View(SOLITAIRE, state, batch.params, 0).draw(tall=tall)
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
    assert not View(SOLITAIRE, batch.states[0], batch.params, 0).draw(tall=tall).spots


# --- Drawings for phones --------------------------------------------------------------------------


@every_table
def test_on_a_phone_shapes_lie_inside_and_texts_apart_in_their_boxes(name):
    params, states = drawn.sample(name, 3)
    for i, state in enumerate([*states, *(drawn.crowded(state) for state in states)]):
        viewer = (0, NOBODY)[i % 2]
        drawing_checks.check_places(View(GAME, state, params, viewer).draw(tall=True))


def test_solitaire_on_a_phone_has_its_texts_apart():
    batch = Batch(SOLITAIRE, 1, seed=2, autoreset=False)
    while not batch.dones[0]:
        batch.step(batch.sample_actions())
        for viewer in (0, NOBODY):
            picture = View(SOLITAIRE, batch.states[0], batch.params, viewer).draw(tall=True)
            assert overlapping([shape for shape in picture.shapes if isinstance(shape, Text)]) == []


@every_table
def test_a_phone_shows_what_a_wide_screen_shows(name):
    """But longer texts broken into lines, and no legend of what is not drawn."""
    params, states = drawn.sample(name, 6)
    for state in states:
        for viewer in (0, NOBODY):
            wide, tall = (View(GAME, state, params, viewer).draw(tall=t) for t in (False, True))
            told = " ".join(tall.texts)
            for text in wide.texts:
                if text in CARD_NAMES or text in told or text.startswith(("the others", "another")):
                    continue
                # The points of a single card are left out where the cards are small.
                assert text.isdecimal() or ".." in told or "+" in text, text
            for word in words(state, int(state.current_player)):
                assert word.finished is False or f"{word.points} points" in told


def test_the_own_cards_come_first_and_are_large():
    params, state = drawn.position_with("eight", lambda state: state.phase == table.MELD)
    mover = int(state.current_player)
    for viewer in (mover, NOBODY):
        picture = View(GAME, state, params, viewer).draw(tall=True)
        names = [text for text in picture.texts if text.startswith("player_")]
        seats = [text for text in names if re.fullmatch(r"player_\d", text)]
        assert seats == [f"player_{(mover + i) % 8}" for i in range(8)]
        widths = [spot.shape.width for spot in picture.spots]
        assert min(widths) > TALL / 8


def test_the_accused_comes_second():
    params, state = drawn.position_with("four, challenges", lambda s: s.phase == table.JUDGE)
    for viewer in set(range(4)) - {int(state.accused)}:
        texts = View(GAME, state, params, viewer).draw(tall=True).texts
        seats = [text for text in texts if re.fullmatch(r"player_\d", text)]
        assert seats[:2] == [f"player_{viewer}", f"player_{state.accused}"]
        assert sorted(seats) == [f"player_{i}" for i in range(4)]


# --- Words ----------------------------------------------------------------------------------------


def told(game, viewer):
    return View(GAME, game.state, game.batch.params, viewer).situation()


@every_table
def test_a_situation_takes_one_to_four_sentences(name):
    params, states = drawn.sample(name, 40)
    for state in states:
        for viewer in (NOBODY, *range(params.num_players)):
            text = View(GAME, state, params, viewer).situation()
            assert text.endswith(".")
            assert 1 <= len(re.findall(r"\.(?: |$)", text)) <= 4
            assert ".." not in text


def test_a_turn_is_explained_to_who_plays_and_who_watches():
    game = Table("c a t", "d o g", then="z s x e")
    assert told(game, 1) == (
        "Hand 1 begins with 3 cards each, and the z is turned up. player_0 draws a card that only "
        "it sees, or takes the z so that everybody sees it. Then it discards a card, or goes out "
        "if words use up all the others."
    )
    game.play("draw")
    mine, others = told(game, 0), told(game, 1)
    assert mine.startswith("player_0 has drawn a card that only it has seen.")
    assert "words can use up all its cards but one" in mine
    assert "can use up" not in others
    assert "goes out, if words use up all its cards but one." in others
    game.play("-t")
    assert told(game, 0).startswith("player_0 has discarded the t.")
    game.play("take")
    assert told(game, 0).startswith("player_1 has taken the t.")


def test_spelling_is_open_but_what_may_follow_is_not():
    game = Table("c a t", "d o g", then="z s x e").play("draw +c +a")
    for viewer in (0, 1):
        assert told(game, viewer).startswith('player_0 spells "ca", open for all to see.')
        assert "(card)" not in told(game, viewer)
    assert "cannot end the word here" in told(game, 0)
    game.play("+t")
    assert "No card can follow: the word is laid." in told(game, 0)
    assert "No card can follow" not in told(game, 1)
    game.play("word")
    assert told(game, 1) == (
        'player_0 has laid "cat". It discards its last card, which ends its turn, and each other '
        "seat has one last turn."
    )
    game.play("-s")
    assert told(game, 0).startswith("player_0 has gone out: all its cards are in words but its")
    assert "It is its last turn in this hand" in told(game, 0)


def test_the_house_rules_are_told():
    rules = {"forbid_returning_discard": True, "min_turns_before_out": 2, "max_turns": 2}
    game = Table("c a t", "d o g", then="s z x e", **rules).play("take")
    assert "taken the s, which must not go back in this turn." in told(game, 1)
    for viewer in (0, 1):
        assert "It may not go out before its turn 2." in told(game, viewer)
    game.play("-c draw -o draw -a draw -d")
    assert told(game, 0).startswith("Nobody went out in 2 turns, so each seat has one last turn.")


def test_who_cannot_go_out_is_told_so_alone():
    game = Table("z x v", "d o g", then="k j q e", lexicon=few("dog")).play("draw")
    assert "It cannot go out" in told(game, 0)
    assert "It cannot go out" not in told(game, 1)


def test_a_challenge_and_its_risk_are_told():
    game = Table("c t x", "d o g", then="z s x e", challenges=True).play("draw c-t-x. -s")
    assert told(game, 0) == (
        'player_0 has laid "ctx" (23 points). player_1 may challenge a word that it does '
        "not believe to be in the word list, or pass. If it is not there, its cards count against "
        "player_0. If it is there, player_1 loses the points of the word."
    )


def test_a_hand_and_a_game_are_counted():
    game = drawn.golden()
    drawn.played(game, "spell:z word discard:x")
    text = View(GAME, game.states[0], game.params, 0).situation()
    assert text.startswith("Hand 1 is scored: 13 for player_0 and 35 for player_1; hand 2 begins")
    params, states = drawn.positions("three, auto")
    ended = View(GAME, states[-1], params, 0).situation()
    totals = sorted(states[-1].totals[:3].tolist(), reverse=True)
    assert re.findall(r"(\d+) for player", ended)[:3] == [str(total) for total in totals]


def test_what_is_spelled_lies_open_at_once():
    game = Table("c a t", "d o g", then="z s x e").play("draw")
    game.play("+c +a")
    for tall in (False, True):
        picture = View(GAME, game.state, game.batch.params, 1).draw(tall=tall)
        assert {"spelling", "c", "a"} <= set(picture.texts)


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
    game = alone.Table("i", "n", "n", *alone.NO_WORD[:3], "qu h").play(actions)
    assert expected in View(SOLITAIRE, game.state, game.batch.params, 0).situation()


# --- Each action ----------------------------------------------------------------------------------

LONGEST_TEXT = 80
"""Letters of a text beside a button: it takes two lines at most."""
ALL_TABLES = [(game, i) for game in (GAME, SOLITAIRE) for i in range(len(game.rules.variants))]


def explained(batch, state):
    """What each legal action would do, by its name."""
    mask = np.zeros(len(batch.action_names), np.bool_)
    batch.game.rules.legal_action_mask(state, mask, *batch.tables)
    legal = [name for name, may in zip(batch.action_names, mask, strict=True) if may]
    return {name: View(batch.game, state, batch.params, NOBODY).explain(name) for name in legal}


@pytest.mark.parametrize(("game", "variant"), ALL_TABLES)
def test_every_choice_is_explained_by_what_its_seat_knows(game, variant):
    batch = Batch(game, 1, seed=variant, autoreset=False, **game.rules.variants[variant])
    scratch = Batch(game, 1, seed=0, autoreset=False, **game.rules.variants[variant])
    for i in range(60):
        if batch.dones[0]:
            break
        words_of = explained(batch, batch.states[0])
        assert len(set(words_of.values())) == len(words_of)
        for name, text in words_of.items():
            kind, _, what = name.partition(":")
            assert 10 < len(text) < LONGEST_TEXT, text
            assert kind in ("challenge", "place") or re.search(rf"\b{what}\b", text)
        scratch.states[:] = batch.states
        scratch.redeal(batch.states.current_player, seed=i)
        assert explained(scratch, scratch.states[0]) == words_of
        batch.step(batch.sample_actions())


def choices(game):
    return explained(game.batch, game.state)


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


def test_stacks_of_solitaire_are_explained_as_they_are_drawn():
    game = alone.Table("t", "b", "a qu", "i")
    assert choices(game) == {
        "place:2": 'begin a word with "qu" of stack 2',
        "place:3": 'begin a word with "i" of stack 3',
    }
    assert "stack 2" in View(SOLITAIRE, game.state, game.batch.params, 0).draw().texts
    game.play("2")
    assert choices(game) == {"place:3": 'add "i" of stack 3: the word is "qui" so far'}
    game.play("3 0")
    assert choices(game) == {"word": 'end the word "quit" and remove its 3 cards'}


@pytest.mark.parametrize("name", ["word", "spell:z", "place:7", "no such action", ""])
def test_what_cannot_be_chosen_is_refused_with_what_can(name):
    many = Table("c a t", "d o g", then="z s x e")
    one = alone.Table("i", "n", *alone.NO_WORD[:3])
    for game, legal in ((many, "draw, take"), (one, "place:0")):
        with pytest.raises(ValueError, match=f"'{name}' is not possible now; choose from {legal}$"):
            View(game.batch.game, game.state, game.batch.params, NOBODY).explain(name)


@pytest.mark.parametrize("game", [GAME, SOLITAIRE])
def test_after_the_end_nothing_can_be_chosen(game):
    batch = Batch(
        game, 1, seed=3, autoreset=False, **({"hand_sizes": (3,)} if game is GAME else {})
    )
    while not batch.dones[0]:
        batch.step(batch.sample_actions())
    with pytest.raises(ValueError, match="choose from nothing"):
        View(game, batch.states[0], batch.params, NOBODY).explain(batch.action_names[0])
