"""The scripted teams of Fiddlefoo: legal, blind to hidden cards, and as strong as intended."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.conftest import COMPILED, scaled
from tests.games.fiddlefoo.play import Table

from kitchentable.engine.batch import Batch
from kitchentable.games import fiddlefoo
from kitchentable.games.fiddlefoo.cards import HIGHEST
from kitchentable.games.fiddlefoo.state import FULL_PILE, THROW
from kitchentable.players.scripted import ScriptedPlayer, play_out

GAME, TEAMS = fiddlefoo.GAME, fiddlefoo.players.SCRIPTED
VARIANTS = (
    {},
    {"num_players": 2, "map_size": 8},
    {"num_players": 6, "games": 2},
    {"num_players": 3, "talkytoot": "all", "reward": "margin"},
    {"num_players": 5, "talkytoot": ("swap_map", "move", "play_again", "instaplay", "discard")},
)
FLOORS = {4: 0.25, 5: 0.5, 6: 0.5}
"""Lower bound of the share of games that `expert` wins, by number of seats."""

compiled_only = pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled")
every_team = pytest.mark.parametrize("name", TEAMS)
every_variant = pytest.mark.parametrize("number", range(len(VARIANTS)))


def table_of(count: int, number: int, **options) -> Batch:
    return Batch(GAME, count, seed=5, cooperative=True, **VARIANTS[number], **options)


@cache
def player(name: str, number: int) -> ScriptedPlayer:
    return ScriptedPlayer(GAME, name, GAME.make_params(cooperative=True, **VARIANTS[number]))


def drifting(name: str, number: int, steps: int):
    """Let a team act at some tables for some steps, and yield before each."""
    batch = table_of(30 if COMPILED else 1, number)
    for _ in range(steps if COMPILED else 4):
        yield batch
        batch.step(player(name, number).act(batch, np.arange(batch.num_envs)))


def ask(name: str, table: Table) -> str:
    """Return a player's decision at a table."""
    batch = table.env._batch
    action = ScriptedPlayer(GAME, name, batch.params).act(batch, np.arange(1))[0]
    return batch.action_names[action]


# --- Every team, every variant --------------------------------------------------------------------


@every_variant
@every_team
def test_they_play_legally(name, number):
    """The engine raises an error on illegal actions."""
    for batch in drifting(name, number, 150):
        assert batch.masks.any(axis=1).all()


@compiled_only
@every_variant
@every_team
def test_they_know_what_to_do_wherever_others_leave_them(name, number):
    """They leave their observations unchanged, and hidden cards make no difference."""
    for batch in drifting("random", number, 60):
        everywhere = np.arange(batch.num_envs)
        seen = batch.observations.copy(), batch.masks.copy()
        chosen = player(name, number).act(batch, everywhere)
        assert batch.masks[everywhere, chosen].all()
        assert (seen[0] == batch.observations).all()
        assert (seen[1] == batch.masks).all()
        batch.redeal(batch.current_player.copy(), seed=3)
        assert (chosen == player(name, number).act(batch, everywhere)).all()


@compiled_only
@every_variant
@every_team
def test_games_end(name, number):
    batch = table_of(8, number, autoreset=False)
    play_out(batch, [player(name, number)], np.zeros((8, batch.num_players), np.int64))
    assert batch.states.terminated.all()


@compiled_only
@every_variant
def test_no_pile_ever_gets_too_high(number):
    for batch in drifting("expert", number, 150):
        assert (batch.states.pile_notes <= FULL_PILE).all()


# --- Positions with an obvious move ---------------------------------------------------------------

MAP = "Y2@5,5 R1@5,6 B1@6,6 P1@6,5"


def at_throw(hand: str, piles: str, play: str = "Y14@5,7", spare: str = "R2 R3") -> Table:
    """Return a table of three where player_1 may throw at a pair with the range 2 to 14."""
    active = play.partition("@")[0]
    return Table.at(
        MAP, f"{active} {spare}", hand, "R15 B15 P4", piles=piles, cooperative=True
    ).play(play)


@every_team
def test_they_complete_a_pile(name):
    table = at_throw("Y9 R16 B16", "Y3 Y4 Y7")  # 2 + 2 + 3 notes; Y9 has 4: too many
    assert ask(name, table) != "pile:Y9"
    assert ask(name, at_throw("Y12 R16 B14", "Y3 Y4 Y7")) == "pile:Y12"


def test_the_expert_starts_a_pile_that_it_can_fill_at_once():
    table = at_throw("Y5 Y8 Y11 R16 B16", "")  # 3 + 4 + 3
    for card in ("Y5", "Y8", "Y11"):
        assert ask("expert", table) == f"pile:{card}"
        table.play(f"pile:{card}")


def test_the_expert_does_not_skip_a_card_that_a_pile_needs():
    """The purple pile needs 4, 7, 10 and 13, as 1 is on the map: 7 must wait for 4."""
    places = "Y2@5,5 R1@5,6 B1@6,6 P1@6,5 Y6@5,7 R4@5,8"
    table = Table.at(places, "Y14 R2 R3", "P7 P10 R16 B16", "P4 P13 B15", cooperative=True)
    table.play("Y14@5,9")  # at a distance of three from Y2
    assert table.state.phase == THROW
    assert ask("expert", table) != "pile:P7"
    waiting = Table.at(
        places, "Y14 R2 R3", "P7 P10 R16 B16", "P13 B15", piles="P4", cooperative=True
    )
    assert ask("expert", waiting.play("Y14@5,9")) == "pile:P7"


def test_the_expert_keeps_what_a_pile_needs():
    """All three purple cards are needed, and with full piles no other card is."""
    piles = "Y5 Y8 Y11 R5 R8 R11 B5 B8 B11 P4"
    hands = ("Y13 P7 P10", "R13 B13 P13", "R14 B14")
    table = Table.at(MAP, *hands, piles=piles, cooperative=True)
    assert "card:P7" in table.legal
    assert ask("expert", table) == "card:Y13"


def test_the_expert_makes_the_distance_that_the_others_need():
    """P13 has two notes: at a distance of two its holder can complete the purple pile."""
    piles = "Y5 Y8 Y11 R5 R8 R11 B5 B8 B11 P4 P7 P10"
    places = "Y2@5,5 R1@5,6 B1@6,6 P1@6,5 R4@5,7 B4@6,7"
    hands = ("Y3 R15", "P13 R13 R14", "B13 B14 B15")
    table = Table.at(places, *hands, piles=piles, cooperative=True)
    table.play(ask("expert", table)).play(ask("expert", table))
    assert (table.state.distance, table.state.current_player) == (2, 1)
    assert ask("expert", table) == "pile:P13"


# --- Strength -------------------------------------------------------------------------------------


def win_rate(name: str, seats: int, count: int) -> float:
    params = {"cooperative": True, "num_players": seats}
    batch = Batch(GAME, count, seed=11, autoreset=False, **params)
    team = ScriptedPlayer(GAME, name, batch.params)
    return float(play_out(batch, [team], np.zeros((count, seats), np.int64))[:, 0].mean())


@compiled_only
@pytest.mark.parametrize("seats", FLOORS)
def test_the_expert_wins_often(seats):
    assert win_rate("expert", seats, scaled(300)) > FLOORS[seats]


@pytest.mark.slow
@compiled_only
def test_the_expert_wins_three_games_of_ten_with_four_seats():
    assert win_rate("expert", 4, 3000) > 3 / 10


@pytest.mark.slow
@compiled_only
def test_nobody_wins_where_the_purple_pile_cannot_be_filled():
    """Twelve notes minus the three on the map are fewer than ten."""
    batch = Batch(GAME, 600, seed=12, autoreset=False, cooperative=True)
    three = ["P7", "P10"]
    cards = [HIGHEST * 3 + 2, HIGHEST * 3 + 3]
    assert [list(GAME.rules.deck(batch.params))[card] for card in cards] == three
    doomed = (batch.states.places[:, cards] >= 0).any(axis=1)
    payoffs = play_out(batch, [player("expert", 0)], np.zeros((600, 4), np.int64))
    assert doomed.any()
    assert payoffs[doomed].max() == 0
    assert payoffs[~doomed].mean() > 2 / 5
