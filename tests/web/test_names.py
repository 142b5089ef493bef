"""Sentences in the words of one person: names, "you", and verbs that agree with it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kitchentable import all_games, find_game
from kitchentable.render.letters import text_width
from kitchentable.render.picture import Text
from kitchentable_training.session import Session
from kitchentable_training.web.names import Names
from kitchentable_training.web.wording import named

TABLES = [(name, i) for name in all_games() for i in range(len(find_game(name).rules.variants))]
PLAYERS = ["diddly_2p", "", "expert", "search:rollouts=9", "expert", "a person", "?", "x" * 99]
WRONG = re.compile(
    r"player_\d|[Yy]ou (is|has|was|its?|\w+[^s]s)\b|\b(of|at|by) You\b|[a-z,] You\b|turn of you"
    r"|\bYou\b[^.]*\b(its (cards?|board|turn)\b|it (drew|took|chooses|discards|sees)\b)"
)


def test_players_are_told_apart():
    names = Names(PLAYERS, mine=1).by_seat
    assert names[:5] == ["diddly_2p", "You", "expert 3", "search", "expert 5"]
    assert names[5:7] == ["Player 6", "Player 7"]
    assert len({*names}) == len(names)
    assert max(map(len, names)) <= 20


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("player_0 draws a card that only it sees.", "You draw a card that only you see."),
        ("player_1 draws a card that only it sees.", "expert draws a card that only it sees."),
        ("Turn of player_0.", "Your turn."),
        (
            "It is the turn of player_0, who chooses a card.",
            "It is your turn: you choose a card.",
        ),
        ("player_1 has all its cards. It discards.", "expert has all its cards. You discard."),
        ("as player_0 sees it", "as you see it"),
        ("player_0 and player_1 share the win.", "You and expert share the win."),
    ],
)
def test_verbs_and_pronouns_agree(said, told):
    assert Names(["", "expert"], mine=0).in_text(said, mover=0) == told


def test_whoever_only_watches_is_addressed_nowhere():
    names = Names(["greedy", "expert"], mine=None)
    assert names.in_text("player_0 has its cards", 0) == "greedy has its cards"


@pytest.mark.parametrize(("name", "variant"), TABLES)
def test_every_sentence_is_told_to_the_seat_to_act_in_its_words(name, variant):
    game = find_game(name)
    session = Session(game, game.make_params(**game.rules.variants[variant]), variant)
    rng = np.random.default_rng(variant)
    for _ in range(60):
        names = Names(PLAYERS[: session.batch.num_players], session.mover)
        view, before = session.view(session.mover), session.view(session.mover).draw()
        picture = view.draw()
        names.in_picture(picture, session.mover)
        told = names.in_text(view.situation(), session.mover)
        drawn = [shape for shape in picture.shapes if isinstance(shape, Text)]
        assert not [one for one in (told, *(t.text for t in drawn)) if WRONG.search(one)]
        assert len(drawn) <= len(before.texts)
        assert all(t.room or text_width(t.text, t.size) < picture.width for t in drawn)
        if session.over:
            return
        session.play(str(rng.choice(session.legal_actions())))


@pytest.mark.parametrize("name", list(all_games()))
def test_actions_have_names_for_people(name):
    game = find_game(name)
    for variant in game.rules.variants:
        params = game.make_params(**variant)
        actions = game.rules.action_names(params)
        words = [named(game, params, action) for action in actions]
        assert len({*words}) == len(words)
        assert not [one for one in words if re.search(r"[:_]|^[a-z]", one)]
