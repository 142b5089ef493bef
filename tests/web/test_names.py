"""The names of the players at a table, in the words of one person."""

from __future__ import annotations

from types import SimpleNamespace

from kitchentable.core.state import NOBODY
from kitchentable_training.web.names import voice_for
from kitchentable_training.web.table import LONGEST_NAME

PLAYERS = ["diddly_2p", "me", "expert", "search:rollouts=9", "expert", "a person", "?", "x" * 99]


def voice(kind, mine):
    record = SimpleNamespace(saved=SimpleNamespace(players=PLAYERS), names={})
    return voice_for(SimpleNamespace(kind=kind, record=record, seat_of=lambda _: mine), "person")


def test_players_are_told_apart():
    told = voice("table", 1)
    assert told.names[:5] == ("diddly_2p", "Player 2", "expert 3", "search", "expert 5")
    assert told.names[5:7] == ("Player 6", "Player 7")
    assert len({*told.names}) == len(told.names)
    assert max(map(len, told.names)) <= LONGEST_NAME
    assert str(told.who(1)) == "You"


def test_a_player_of_a_saved_game_may_have_the_name_of_a_seat_for_people():
    told = voice("replay", None)
    assert told.names[1] == "me"
    assert told.reader == NOBODY
