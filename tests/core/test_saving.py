"""Saved games are checked before any of their content is trusted."""

from dataclasses import replace

import pytest

from kitchentable.core.saving import FORMAT, LARGEST, SavedGame

GAME = SavedGame(
    game="diddly", version=0, params={"cards": 9}, info={}, deal=2**63, deck=["D"],
    actions=["draw", None, ["player_0", 1], "illegal:7"], players=["me", "\N{SNOWMAN}"],
)  # fmt: skip
TEXT = GAME.to_json()
HEAD = f'{{"format":"{FORMAT}"'
BY_HAND = f'{HEAD},"game":"diddly","version":0,"params":{{}},"info":{{}},"deal":1}}'


def test_a_saved_game_survives_as_text_and_as_a_link() -> None:
    assert SavedGame.from_json(TEXT) == SavedGame.from_link(GAME.to_link()) == GAME
    assert SavedGame.from_json(TEXT.encode()) == GAME
    by_hand = SavedGame.from_json(BY_HAND)
    assert (by_hand.actions, by_hand.deck, by_hand.players) == ([], [], [])


def test_every_change_of_a_letter_is_noticed() -> None:
    for i, letter in enumerate(TEXT):
        other = TEXT[:i] + ("1" if letter == "0" else "0") + TEXT[i + 1 :]
        with pytest.raises(ValueError, match=r"damaged|no saved game|there is no|is missing"):
            SavedGame.from_json(other)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"[]", "its format is None"),
        (HEAD.encode(), "not JSON"),
        (HEAD.encode() + b',"x":\xff}', "not JSON"),
        (HEAD + ',"x":' + "[" * 100_000, "not JSON"),
        (HEAD + ',"x":' + "9" * 10_000 + "}", "not JSON"),
        (HEAD + ',"x":NaN}', "not JSON"),
        (7, "not JSON"),
        ('{"format":"kitchentable table 2"}', "its format is 'kitchentable table 2'"),
        (HEAD + "}", "'game' is missing"),
        (BY_HAND.replace('"version":0', '"version":"0"'), "version='0' .* give a whole number"),
        (BY_HAND.replace('"version":0', '"version":true'), "version=True .* give a whole number"),
    ],
)
def test_what_nobody_saved_is_refused_in_a_line(text, message) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        SavedGame.from_json(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("link", ["", "%%%", "AAAA", GAME.to_link()[:-8], "\u2603"])
def test_a_damaged_link_is_refused(link) -> None:
    with pytest.raises(ValueError, match="copy all of it"):
        SavedGame.from_link(link)


def test_a_link_to_more_than_a_game_is_refused() -> None:
    large = SavedGame(game="x" * LARGEST, version=0, params={}, info={}, deal=1)
    with pytest.raises(ValueError, match="too large"):
        SavedGame.from_link(large.to_link())


def test_a_game_of_another_version_or_with_other_facts_is_not_opened() -> None:
    game, params = GAME.opened()
    assert (game.name, params.cards) == ("diddly", 9)
    for other, message in [
        (replace(GAME, version=99), "version is 99, here it is 0"),
        (replace(GAME, info={"words": 3}), "info is {'words': 3}, here it is {}"),
        (replace(GAME, game="chess"), "there is no game 'chess'"),
    ]:
        with pytest.raises(ValueError, match=message):
            other.opened()
