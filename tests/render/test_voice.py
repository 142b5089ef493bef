"""How sentences call the seats."""

import pytest

from kitchentable.render.voice import AGENTS, Voice

NAMED = Voice(("Anna", "Ben", "greedy", "expert"), reader=1)


@pytest.mark.parametrize(
    ("voice", "seats", "told"),
    [
        (AGENTS, [0], "player_0 draws: player_0 has their cards, as only they see player_0's hand"),
        (NAMED, [0], "Anna draws: Anna has their cards, as only they see Anna's hand"),
        (NAMED, [1], "You draw: you have your cards, as only you see your hand"),
    ],
)
def test_names_pronouns_and_verbs_agree(voice, seats, told):
    who = voice.who(*seats)
    assert (
        f"{who:draws}: {who.inside:has} {who.their} cards, as only {who.they} see "
        + (f"{who.inside.whose} hand")
        == told
    )


@pytest.mark.parametrize(
    ("seats", "name", "wins"),
    [
        ([2], "greedy", "greedy wins"),
        ([1], "You", "You win"),
        ([0, 2], "Anna and greedy", "Anna and greedy share the win"),
        ([0, 1], "You and Anna", "You and Anna share the win"),
        ([0, 1, 2], "You, Anna and greedy", "You, Anna and greedy share the win"),
        ([0, 1, 2, 3], "4 players", "4 players share the win"),
    ],
)
def test_several_seats_are_named_the_reader_first(seats, name, wins):
    who = NAMED.who(*seats)
    assert (str(who), who.wins) == (name, wins)
    assert str(who.inside) == name.replace("You", "you")


@pytest.mark.parametrize(
    ("verb", "plural"),
    [
        ("is", "are"), ("was", "were"), ("has", "have"), ("does", "do"), ("goes", "go"),
        ("passes", "pass"), ("closes", "close"), ("chooses", "choose"), ("may", "may"),
        ("must", "must"), ("loses", "lose"), ("lays", "lay"),
    ],
)  # fmt: skip
def test_verbs_of_the_reader_and_of_several_seats(verb, plural):
    assert NAMED.who(0).does(verb) == verb
    assert NAMED.who(1).does(verb) == NAMED.who(0, 2).does(verb) == plural
