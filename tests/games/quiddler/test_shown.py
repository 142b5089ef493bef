"""What only Quiddler shows: words and their points, verdicts, and what a seat may lay."""

import numpy as np
import pytest
from tests.games.positions import Positions, both_layouts, places, written_in
from tests.games.quiddler.play import Table

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.quiddler import GAME
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES, LETTERS, VALUES
from kitchentable.games.quiddler.render.view import words
from kitchentable.render.picture import Text

KIND = {name: kind for kind, name in enumerate(CARD_NAMES)}
TABLES = {
    "two": {"hand_sizes": (3, 10)},
    "three, auto": {"num_players": 3, "hand_sizes": (4, 9), "meld": "auto"},
    "four, challenges": {"num_players": 4, "hand_sizes": (3, 4, 10), "challenges": True},
    "eight": {"num_players": 8, "hand_sizes": (5, 10)},
}
every_table = pytest.mark.parametrize("name", TABLES)
LAYING = ("spell", "word", "longest", "most")


def eager(batch, rng):
    """Play at random, but lay a word in nine of ten cases where that is legal."""
    lays = [action.split(":")[0] in LAYING for action in batch.action_names]
    legal, laying = np.flatnonzero(batch.masks[0]), np.flatnonzero(batch.masks[0] & lays)
    return int(rng.choice(laying if laying.size and rng.random() < 0.9 else legal))


games = Positions(GAME, lambda name: {"seed": 0, **TABLES[name]}, eager)
view, positions = games.look, games.positions


def crowded(state):
    """Return a copy with as many cards on the table, and the longest texts, as possible."""
    state = games.copied(state)
    state.totals[:] = 4321
    state.last_scores[:] = 150
    state.hand_points[:] = 150
    state.turns[:] = 1000
    state.lost[:] = 100
    state.pile_counts[:] = 12
    state.reshuffled, state.recycled[:] = True, COPIES
    most = int(state.hand_sizes.max())
    pairs = most // 2
    state.last_num_words[:] = pairs
    state.last_verdicts[:] = s.UPHELD if state.challenges else s.UNCHALLENGED
    state.last_longest = state.last_most = 0
    for laid, ends in ((state.last_laid, state.last_word_ends), (state.laid, state.word_ends)):
        laid[:] = KIND["qu"]
        ends[:, :pairs] = 2 * np.arange(1, pairs + 1)
    if state.phase == s.SOURCE:
        state.hand_over, state.out, state.last_turns = False, 0, 1
        state.num_laid[:] = 2 * pairs
        state.num_words[:] = pairs
        if state.challenges:
            state.verdicts[:] = s.REJECTED
            state.verdicts[0] = s.UPHELD
        state.hands[:] = state.picked_up[:] = 0
        state.hands[:, KIND["er"]] = state.picked_up[:, KIND["er"]] = most + 1 - 2 * pairs
    elif state.phase == s.JUDGE:
        state.dealer = state.out = state.accused
    return state


def told(game, viewer):
    return game.view(viewer).situation()


def choices(game):
    """Return the explanation of each legal action by name."""
    seen = game.view(ALL_SEEING)
    return {name: seen.explain(name) for name in seen.legal}


def letters_in(picture, shape):
    """Return the names of the cards drawn in a shape, from left to right."""
    return [text for text in written_in(picture, shape) if text in CARD_NAMES]


# --- A table in words -----------------------------------------------------------------------------


def test_the_text_of_a_table_and_of_the_next_hand():
    """player_0 has gone out with a word, and player_1 spells its own."""
    game = Table("c a t", "qu i z", then="e x", hand_sizes=(3, 3))
    game.play("draw c-a-t. -x take +qu +i")
    assert game.view(0).text().splitlines()[:-1] == [
        "Quiddler, hand 1 of 2 (3 cards), dealer player_1, as player_0 sees it",
        'player_1 spells "(qu)i"',
        "player_0 has gone out; 1 last turn to go. player_1 has taken the x.",
        "Longest word so far: player_0 (3 letters).",
        "Draw pile 110. Discard pile 1, e on top: e x1.",
        "",
        "  player_0 0 pts turn 1, 1 word for 13 [out] [longest]",
        "    hand   none",
        "    words  cat 13 (3 letters)",
        "> player_1 0 pts turn 1 [dealer]",
        "    hand   [x12]  [ ]",
        "    words  (qu)i.. 11",
        "",
    ]
    assert "    hand   x12*  z14" in game.view(1).text().splitlines()
    written = game.view(0).draw().texts
    assert {'player_1 spells "(qu)i"', "spelling", "11", "13 points", "3 letters"} <= set(written)
    seen = game.play("+z word -x").view(ALL_SEEING)
    for words_told in ("Last hand 13: cat 13", "Last hand 35: (qu)iz 25, longest word 10"):
        assert words_told in seen.text()
        assert words_told in " ".join(seen.draw().texts)
    start = "Hand 1 is scored: 13 for player_0 and 35 for player_1; hand 2 begins"
    assert seen.situation().startswith(start)


@every_table
def test_words_show_their_points_letters_and_verdicts(name):
    params, states = positions(name)
    some = [state for state in states if state.num_words.any()]
    for state in some[:: max(1, len(some) // 8)]:
        here = view(state, params, 0)
        text, written = " ".join(here.text().split()), here.draw().texts
        for player in range(params.num_players):
            finished = [word for word in words(state, player) if word.finished]
            ends, verdicts = state.word_ends[player], state.verdicts[player]
            cards = np.split(state.laid[player], ends[: len(finished)])
            for word, laid, verdict in zip(finished, cards, verdicts, strict=False):
                points = sum(VALUES[laid]) * (-1 if verdict == s.REJECTED else 1)
                letters = sum(LETTERS[laid])
                assert f"{word} {points} ({letters} letters" in text
                assert {f"{points} points", f"{letters} letters"} <= set(written)
        for verdict, value in (("rejected", s.REJECTED), ("upheld", s.UPHELD)):
            assert written.count(verdict) == int((state.verdicts == value).sum())


# --- Sentences ------------------------------------------------------------------------------------


def test_spelling_is_open_but_what_may_follow_is_not():
    game = Table("c a t", "d o g", then="z s x e").play("draw")
    assert "words can use up all their cards but one" in told(game, 0)
    assert "can use up" not in told(game, 1)
    game.play("+c +a")
    for viewer in (0, 1):
        assert told(game, viewer).startswith('player_0 spells "ca".')
        for tall in (False, True):
            assert {"spelling", "c", "a"} <= set(game.view(viewer).draw(tall=tall).texts)
    assert "the word cannot end here" in told(game, 0)
    game.play("+t")
    assert "No card can follow: the word is laid." in told(game, 0)
    assert "No card can follow" not in told(game, 1)
    assert told(game.play("word"), 1) == (
        'player_0 has laid "cat". player_0 discards their last card, which ends their turn, and '
        "every other player has one last turn."
    )


def test_the_house_rules_are_told():
    rules = {"forbid_returning_discard": True, "min_turns_before_out": 2, "max_turns": 2}
    game = Table("c a t", "d o g", then="s z x e", **rules).play("take")
    assert "taken the s, which must not go back in this turn." in told(game, 1)
    for viewer in (0, 1):
        assert "; they may not go out before their turn 2." in told(game, viewer)
    game.play("-c draw -o draw -a draw -d")
    assert told(game, 0).startswith("Nobody went out in 2 turns, so each player has one last turn.")


# --- Explanations ---------------------------------------------------------------------------------


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
    game = Table("c a t", "d o g", then="z s x e").put_deck_under_pile()
    assert choices(game)["draw"] == "shuffle the discards but the z, and draw one of them"
    auto = Table("c a t", "d o g", then="z s x e", meld="auto").play("draw")
    assert choices(auto)["most:s"] == "discard the s and go out with as many words as possible"
    assert "go out by discarding the c, s or t, and" in auto.view(ALL_SEEING).situation()
    told_last = choices(auto.play("longest:s draw"))["longest:x"]
    assert told_last == (
        "discard the x and lay the words that score most; in a tie, the longest word"
    )


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
    seen = game.view(ALL_SEEING)
    assert GAME.render.called(seen.params, "challenge:1") == "Challenge word 2"
    assert "word 1" in seen.draw().texts
    assert "challenge:1 ct" in seen.text()
    game.play("challenge:0")
    assert choices(game)["pass"] == "challenge no other word"
    told = game.play("pass").view(ALL_SEEING).situation()
    assert told.startswith('player_0 has gone out, but "ct" is not in the word list: ')


# --- Places to click ------------------------------------------------------------------------------


@both_layouts
@every_table
def test_a_click_on_a_card_is_about_that_card(name, tall):
    params, states = positions(name)
    for state in states[:: max(1, len(states) // 12)]:
        picture = view(state, params, ALL_SEEING).draw(tall=tall)
        for action, shape in places(picture).items():
            kind, _, what = action.partition(":")
            if kind in ("spell", "discard", "longest", "most"):
                assert set(letters_in(picture, shape)) == {what}


@both_layouts
def test_piles_cards_and_words_have_one_place_each(tall):
    game = Table("c qu i t", "z x v w", then="a e")
    picture = game.view(0).draw(tall=tall)
    where = places(picture)
    assert letters_in(picture, where["take"]) == ["a"]
    assert letters_in(picture, where["draw"]) == []
    where = places(game.play("draw").view(0).draw(tall=tall))
    assert where["spell:c"] == where["discard:c"] != where["discard:t"]
    game.play("+qu +i +t +e")
    picture = game.view(0).draw(tall=tall)
    assert letters_in(picture, places(picture)["word"]) == ["qu", "i", "t", "e"]


# --- Room -----------------------------------------------------------------------------------------


@every_table
def test_as_much_as_there_can_be_has_room(name):
    params, states = games.last(name)
    games.check_fits(params, map(crowded, states))


def test_small_letters_keep_their_dots():
    """A bold i of this size would look like an l."""
    params, states = positions("two")
    for state in states[:: max(1, len(states) // 6)]:
        for shape in view(state, params, 0).draw().shapes:
            if isinstance(shape, Text) and shape.bold and shape.size < 18:
                assert not {"i", "j"} & {*shape.text}
