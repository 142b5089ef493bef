"""The rules for people: every game and variant has them, complete, and with its own numbers."""

import re
from dataclasses import replace

import pytest
from tests.conftest import FEW_VARIANTS
from tests.contract.pictures import check_places, check_svg

from kitchentable import TableEnv, find_game
from kitchentable.games.diddly.render.sentences import LONG_NAMES
from kitchentable.games.fiddlefoo.cards import ACTION_CARDS
from kitchentable.games.fiddlefoo.render.action_cards import words
from kitchentable.render.phrases import LINE
from kitchentable.render.rulebook import UNWRITTEN, Figure, Rulebook, Table

SPECIAL = {
    "diddly": ({}, list(LONG_NAMES.values())),
    "fiddlefoo": ({"talkytoot": "all"}, list(map(words, ACTION_CARDS))),
    "quiddler": ({"challenges": True}, ["QU", "IN", "ER", "TH", "CL", "challenge", "going out"]),
    "quiddler_solitaire": ({}, ["QU", "IN", "ER", "TH", "CL", "stack"]),
    "addtoo": ({}, ["ordinary play", "bonus play"]),
    "kuhn_poker": ({}, ["bet", "pass"]),
    "leduc_poker": ({}, ["fold", "call", "raise"]),
}
"""Parameters of each game, and its special cards and actions, all of which the rules name."""
NUMBERS = [
    ("diddly", {"cards": 8}, "board of 8 cards"),
    ("diddly", {"rounds": 3}, "3 rounds"),
    ("diddly", {"copies": {"1": 8, "9": 8, "P": 2}}, "18 cards"),
    ("quiddler", {"hand_sizes": (4, 7)}, "4 and 7 cards"),
    ("quiddler", {"max_turns": 9}, "9 turns"),
    ("quiddler", {"lexicon": ["at", "tea", "eat"]}, "3 words"),
    ("quiddler", {"lexicon": ["at", "tea", "eat"]}, "3 cards with the default word list: you go"),
    ("fiddlefoo", {"hand": 5}, "5 cards"),
    ("fiddlefoo", {"map_size": 10}, "up to 4 cells"),
    ("addtoo", {"hand": 3}, "takes 3"),
    ("addtoo", {"target": 70}, "70 points"),
    ("top_card", {"num_players": 3}, "3 players"),
]
"""Texts that are in the rules with these parameters, but not with the defaults."""


def rulebook(name, **params):
    game = find_game(name)
    return Rulebook(game, game.make_params(**params))


def flat(text):
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(("name", "variant"), FEW_VARIANTS)
def test_every_variant_has_rules(name, variant):
    params = find_game(name).rules.variants[variant]
    book = rulebook(name, **params)
    text = book.text()
    assert UNWRITTEN not in text
    assert max(map(len, text.splitlines())) <= LINE
    assert len(book.sections) >= 4
    for title, parts in book.sections.items():
        assert parts, title
        for part in parts:
            if isinstance(part, Table):
                assert part.rows
                assert {len(row) for row in part.rows} == {len(part.header)}
            elif isinstance(part, Figure):
                assert part.caption.endswith(".")
                check_places(part.picture)
                check_svg(part.picture)


def test_every_shipped_game_shows_figures():
    for name in SPECIAL:
        parts = [part for parts in rulebook(name).sections.values() for part in parts]
        least = 2 if find_game(name).render.wide else 1
        assert sum(isinstance(part, Figure) for part in parts) >= least, name


@pytest.mark.parametrize("name", SPECIAL)
def test_special_cards_and_actions_are_named(name):
    params, names = SPECIAL[name]
    text = flat(rulebook(name, **params).text()).lower()
    assert [one for one in names if one.lower() not in text] == []


@pytest.mark.parametrize(("name", "params", "told"), NUMBERS)
def test_numbers_are_those_of_the_parameters(name, params, told):
    assert told in flat(rulebook(name, **params).text())
    assert told not in flat(rulebook(name).text())


def test_an_example_adds_up():
    """The cards of a scored Diddly board of nine add to what the rules of scoring say."""
    text = flat(rulebook("diddly", cards=9).text())
    added, total = re.search(r"scores ([\d +]+) = (\d+) points", text).groups()
    assert sum(map(int, added.split(" + "))) == int(total)


def test_an_example_without_points_is_a_whole_sentence():
    """Of a single kind, all cards match."""
    text = flat(rulebook("diddly", cards=2, copies={"1": 8}).text())
    assert "this board scores 0 points" in text


def test_a_table_tells_its_rules():
    table = TableEnv("kuhn_poker")
    assert table.rules() == rulebook("kuhn_poker").text()


def test_a_game_needs_no_rulebook():
    game = find_game("top_card")
    game = replace(game, render=replace(game.render, rulebook=None))
    text = Rulebook(game, game.make_params()).text()
    assert UNWRITTEN in text
    assert "- play" in text
