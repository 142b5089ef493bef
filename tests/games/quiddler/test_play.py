"""Whole games of Quiddler: the engine agrees with the plain reference after every action."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import COMPILED, scaled
from tests.games.quiddler.duel import Duel
from tests.games.quiddler.laying import value
from tests.games.quiddler.play import Table, few
from tests.games.reference import always_first, always_last, at_random

from kitchentable.games.quiddler import GAME

MORE = [
    {"num_players": 3, "reward": "margin"},
    {"num_players": 8, "hand_sizes": (3, 4, 5)},
    {"meld": "auto", "num_players": 5, "reward": "margin"},
]
TABLES = [*GAME.rules.variants, *MORE]
FEW = few("at", "an", "ear", "tea", "in", "er", "quit", "the", "eat", "on", "are", "thin")


def eager(game, rng):
    """Lays whatever it can, and challenges often."""
    lay = [
        name for name in game.legal if name.split(":")[0] in {"spell", "word", "longest", "most"}
    ]
    return str(rng.choice(lay or game.legal))


def bluffer(game, rng):
    """Ends every word as soon as possible, so that there are many words."""
    return "word" if "word" in game.legal else eager(game, rng)


def spells_long(game, rng):
    """Ends a word only when it must, so that words are as long as possible."""
    spell = [name for name in game.legal if name.startswith("spell")]
    return str(rng.choice(spell or game.legal))


def hoarder(game, rng):
    """Draws, and lays only what it must, so that the draw pile runs out."""
    stay = [name for name in game.legal if name == "draw" or name.startswith("discard")]
    return str(rng.choice(stay or game.legal))


def gatherer(game, rng):
    """Takes high cards and discards low ones, so that hands have publicly known cards."""
    if "take" in game.legal:
        return "take" if rng.random() < 0.8 else game.legal[0]
    discards = [name for name in game.legal if name.startswith("discard")]
    if discards and rng.random() < 0.8:
        return min(discards, key=lambda name: value([name.partition(":")[2]]))
    return str(rng.choice(game.legal))


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_engine_plays_whole_games_as_the_reference(number):
    params = dict(TABLES[number])
    if not COMPILED:
        params |= {"hand_sizes": params.get("hand_sizes", (3, 6))[:2]}
    player = (gatherer, eager, at_random)[number % 3]
    Duel(1, number, **params).play(player, seed=number)


@pytest.mark.parametrize("player", [always_first, always_last, hoarder])
@pytest.mark.parametrize("meld", ["spell", "auto"])
def test_engine_plays_as_the_reference_against_stubborn_players(player, meld):
    duel = Duel(scaled(2), 5, meld=meld, num_players=3, hand_sizes=(4, 7), max_turns=12)
    duel.play(player, seed=1)


@pytest.mark.parametrize(
    ("seats", "player"), [(2, bluffer), (2, at_random), (3, spells_long), (8, bluffer)]
)
def test_engine_judges_challenges_as_the_reference(seats, player):
    """Also with a small vocabulary, so that many laid words are invalid."""
    for lexicon in ("scowl60", FEW):
        duel = Duel(
            scaled(8 // seats), seats, challenges=True, num_players=seats, lexicon=lexicon,
            hand_sizes=(3, 10)[: 2 if COMPILED else 1], forbid_returning_discard=seats == 3,
        )  # fmt: skip
        duel.play(player, seed=seats)


@pytest.mark.parametrize(("seats", "meld"), [(2, "auto"), (8, "spell")])
def test_hands_that_nobody_ends_reshuffle_and_are_called(seats, meld):
    turns = 118 // seats
    sizes = {"hand_sizes": (3, 4) if COMPILED else (3,), "min_turns_before_out": turns}
    duel = Duel(1, 3, num_players=seats, max_turns=turns, meld=meld, **sizes)
    duel.play(hoarder, seed=2)
    assert all(game.called for game in duel.references)
    assert duel.reshuffles >= len(duel.references)


@pytest.mark.parametrize("meld", ["spell", "auto"])
def test_house_rules_agree_with_the_reference(meld):
    """With a few words only, hands last until turn limits and returned discards matter."""
    for player in (gatherer, eager):
        duel = Duel(
            scaled(2), 8, meld=meld, lexicon=FEW, forbid_returning_discard=True,
            min_turns_before_out=3, max_turns=6, hand_sizes=(3, 4, 5)[: 3 if COMPILED else 1],
            reward="margin",
        )  # fmt: skip
        duel.play(player, seed=3)


PARAMS = st.fixed_dictionaries(
    {
        "num_players": st.integers(2, 8),
        "hand_sizes": st.lists(st.integers(3, 10), min_size=1, max_size=3),
        "meld": st.sampled_from(["spell", "auto"]),
        "two_player_bonus": st.sampled_from(["longest", "most", "none"]),
        "challenges": st.booleans(),
        "forbid_returning_discard": st.booleans(),
        "max_turns": st.integers(1, 6),
        "reward": st.sampled_from(["win", "margin"]),
        "lexicon": st.sampled_from(["scowl60", "scowl35"]),
    }
)


@settings(max_examples=30 if COMPILED else 4, deadline=None)
@given(
    params=PARAMS,
    seed=st.integers(0, 2**32),
    share=st.floats(0, 1),
    picks=st.lists(st.integers(0, 10**4), min_size=1, max_size=200 if COMPILED else 40),
)
def test_any_actions_agree_with_the_reference(params, seed, share, picks):
    params["min_turns_before_out"] = int(share * params["max_turns"])
    params["challenges"] &= params["meld"] == "spell"
    duel = Duel(1, seed, **params)
    duel.follow(picks)
    assert duel.decisions > 0


@pytest.mark.parametrize(("forbid", "out"), [(False, 1.0), (True, 0.0)])
def test_a_card_that_must_be_kept_does_not_help_to_go_out(forbid, out):
    """All of `c a t` can be laid, but the card taken would have to be discarded."""
    params = {"meld": "auto", "lexicon": few("cat"), "forbid_returning_discard": forbid}
    table = Table("c a t", "o n e", then="k s", **params)
    assert table.batch.observations[0, -1] == out
