"""Dealing Add-Too (booklet: How to Start): the hands, the starter, and the random stream."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.addtoo.duel import deck_of
from tests.games.addtoo.layout import DIAMONDS, total
from tests.games.addtoo.play import Table, members, pile_of

from kitchentable import addtoo_v0
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME


@pytest.mark.parametrize("seats", range(2, 7))
def test_deal_gives_one_at_a_time_from_player_0(seats):
    batch = Batch(GAME, 3, seed=seats, num_players=seats)
    for state in batch.states:
        deck = deck_of(state.seed, 0)
        for seat in range(seats):
            assert set(members(state.hands[seat])) == set(deck[seat : 5 * seats : seats])
        assert pile_of(state) == deck[5 * seats :]


def test_rigged_diamonds_lie_on_top_and_the_rest_is_shuffled():
    top = DIAMONDS[::-1][:13]
    piles = []
    for seed in (1, 2):
        env = addtoo_v0.raw_env(num_players=2)
        env.reset(seed=seed, options={"deck": top})
        state = env._batch.states[0]
        assert set(members(state.hands[0])) == set(top[0:10:2])
        assert set(members(state.hands[1])) == set(top[1:10:2])
        piles.append(pile_of(state))
        assert piles[-1][:3] == top[10:]
    assert piles[0] != piles[1]
    assert sorted(piles[0]) == sorted(piles[1])


def test_whole_deck_can_be_rigged():
    env = addtoo_v0.raw_env(num_players=6)
    env.reset(seed=1, options={"deck": DIAMONDS})
    assert pile_of(env._batch.states[0]) == DIAMONDS[30:]
    with pytest.raises(ValueError, match=r"no card '10-3'"):
        env.reset(seed=1, options={"deck": ["10-3"]})
    with pytest.raises(ValueError, match=r"only 1 cards '3-10'"):
        env.reset(seed=1, options={"deck": ["3-10", "3-10"]})


@pytest.mark.parametrize(
    ("hands", "starter"),
    [
        (("9-10 8-9 7-8 6-7 5-6", "1-2 8-10 7-10 6-10 5-10"), 1),
        (("1-2 8-10 7-10 6-10 5-10", "1-3 1-4 2-3 1-5 2-4"), 0),
        # 1-4 and 2-3 are equal; then 1-6 is lower than 2-6.
        (("1-4 2-6 7-8 7-9 7-10", "2-3 1-6 8-9 8-10 9-10"), 1),
        (("2-3 1-6 8-9 8-10 9-10", "1-4 2-6 7-8 7-9 7-10"), 0),
        # Two diamonds with the lowest total beat one.
        (("3-4 3-5 7-8 7-9 7-10", "1-6 2-5 8-9 8-10 9-10"), 1),
        # Totals that are equal but for the last: 5, 7, 9, 11, 13 against 5, 7, 9, 11, 12.
        (("1-4 2-5 3-6 4-7 5-8", "2-3 1-6 2-7 1-10 3-9"), 1),
        # All are equal: the lowest seat begins.
        (("9-10 8-10 7-8 6-7 5-6", "1-4 2-5 3-6 4-7 5-8", "2-3 1-6 2-7 1-10 3-10"), 1),
    ],
)
def test_lowest_diamond_starts(hands, starter):
    table = Table(*hands)
    assert table.state.current_player == table.state.starter == starter
    table.play(table.tiles.split()[0])
    assert table.state.num_laid == 1


def test_play_goes_on_to_the_next_seat():
    table = Table("9-10 8-9", "1-2 1-4 1-9 2-3 2-8", "1-3")
    assert table.asks == "1 choose a diamond"
    table.play("1-2")
    assert table.state.current_player == 2


def test_later_hands_are_dealt_anew_and_begin_with_their_own_lowest():
    batch = Batch(GAME, 4, seed=3, autoreset=False, num_players=3, max_hands=3, target=10_000)
    begun = 0
    while batch.masks.any():
        batch.step(batch.sample_actions())
        for state in batch.states[batch.states.hand_over & batch.masks.any(axis=1)]:
            hands = [members(bits) for bits in state.hands[:3]]
            lowest = [sorted(map(total, hand)) for hand in hands]
            assert lowest[state.starter] == min(lowest)
            assert state.current_player == state.starter
            assert pile_of(state) == deck_of(state.seed, int(state.hands_done))[15:]
            assert state.num_laid == 0
            assert not state.points.any()
            begun += 1
    assert begun == 8


def test_deals_depend_on_the_seed_and_not_on_play():
    """Later hands too: a search or a rematch can repeat the deal."""
    piles = []
    for shift in range(3):
        batch = Batch(GAME, 2, seed=8, autoreset=False, max_hands=2, target=10_000)
        rng = np.random.default_rng(shift)
        while (batch.states.hands_done < 1).any():
            going = batch.states.hands_done < 1
            picks = [int(rng.choice(np.flatnonzero(mask))) for mask in batch.masks]
            batch.step(np.where(going, picks, -1))
        piles.append([pile_of(state) for state in batch.states])
    assert piles[0] == piles[1] == piles[2]
    assert piles[0][0] != piles[0][1]


def test_first_deal_of_seed_0_is_the_same_for_ever():
    """A change of the stream changes every result: it requires a new version of the game."""
    state = Batch(GAME, 1, seed=0).states[0]
    hands = [members(state.hands[seat]) for seat in range(2)]
    assert " ".join(hands[0]) == "1-7 2-4 7-10 8-10 9-10"
    assert " ".join(hands[1]) == "1-2 3-5 4-8 5-7 7-9"
    assert " ".join(pile_of(state)[:10]) == "2-7 1-10 1-9 1-8 2-3 4-5 1-5 8-9 3-10 2-9"
