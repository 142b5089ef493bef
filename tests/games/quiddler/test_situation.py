"""The sentences that explain a situation of Quiddler to beginners."""

from __future__ import annotations

import re

from tests.games.quiddler.pictures import every_table, golden, played, positions, sample, view
from tests.games.quiddler.play import Table, few

from kitchentable.core.state import ALL_SEEING


def told(game, viewer):
    return game.view(viewer).situation()


@every_table
def test_a_situation_takes_one_to_four_sentences(name):
    params, states = sample(name, 40)
    for state in states:
        for viewer in (ALL_SEEING, *range(params.num_players)):
            text = view(state, params, viewer).situation()
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


def test_nobody_is_promised_to_go_out_before_the_rules_allow_it():
    for turns in (0, 2):
        game = Table("c a t", "d o g", then="s z", meld="auto", min_turns_before_out=turns)
        early = turns == 2
        assert ("it can go out" in told(game, 0)) != early
        assert ("it may not go out before its turn 2" in told(game, 0)) == early
        assert ("lets it go out" in game.view(0).text()) != early


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
        assert "; it may not go out before its turn 2." in told(game, viewer)
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
    game = golden()
    played(game, "spell:z word discard:x")
    text = view(game.states[0], game.params, 0).situation()
    assert text.startswith("Hand 1 is scored: 13 for player_0 and 35 for player_1; hand 2 begins")
    params, states = positions("three, auto")
    ended = view(states[-1], params, 0).situation()
    totals = sorted(states[-1].totals[:3].tolist(), reverse=True)
    assert re.findall(r"(\d+) for player", ended)[:3] == [str(total) for total in totals]
