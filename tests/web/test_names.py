"""The names of the players at a table, in the words of one person."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kitchentable.core.state import NOBODY
from kitchentable.render.letters import text_width
from kitchentable_training.web.names import LEFT_TO_RIGHT, WIDEST, voice_for
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.store import checked_name

HEBREW = "\u05d0\u05d1\u05d2"
PLAYERS = [
    "diddly_2p",
    "me",
    "expert",
    "search:rollouts=9",
    "expert",
    "a person",
    "?",
    "W" * 99,
    *["open"] * 3,
]
GIVEN = {8: "W" * 12, 9: HEBREW}


def voice(kind, mine):
    record = SimpleNamespace(saved=SimpleNamespace(players=PLAYERS))
    named = {"seat_of": lambda _: mine, "name_of": lambda seat: GIVEN.get(seat, "")}
    return voice_for(SimpleNamespace(kind=kind, record=record, **named), "person")


def test_players_are_told_apart():
    told = voice("table", 1)
    assert told.names[:5] == ("diddly_2p", "Player 2", "expert 3", "search", "expert 5")
    assert told.names[5:7] == ("Player 6", "Player 7")
    assert len({*told.names}) == len(told.names)
    assert told.names[7].startswith("WWWW")
    assert told.names[8:] == (told.names[7].replace("8", "9"), HEBREW + LEFT_TO_RIGHT, "Player 11")
    assert max(text_width(name, 100) for name in told.names) <= 100 * WIDEST
    assert str(told.who(1)) == "You"


def test_a_player_of_a_saved_game_may_have_the_name_of_a_seat_for_people():
    told = voice("replay", None)
    assert told.names[1] == "me"
    assert told.reader == NOBODY


def test_names_are_readable_and_no_words_of_the_page():
    for name in ("", "Ann", "Mary-Jo O'Hara"[:12], "\u0415\u043b\u0435\u043d\u0430", HEBREW):
        assert checked_name(f" {name} ") == name
    assert checked_name("e\u0301\uff41") == "\u00e9a"
    blank = ("\u3164", "\uffa0", "\u2800", "\u0301", "-", "a" + 5 * "\u0323")
    for wrong in (*blank, "x" * 13, "a\u202eb", "<b>", "Ann 1", "search:x", "a\0", None, 7, ["a"]):
        with pytest.raises(RefusedError, match="at most 12 letters"):
            checked_name(wrong)
    for taken in ("You", "you two", "PLAYER", "\uff39\uff4f\uff55", "Open seat"):
        with pytest.raises(RefusedError, match="a word of this page"):
            checked_name(taken)
