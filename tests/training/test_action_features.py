"""Features of each legal action: their values, the secrets they keep, and learning from them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest
import torch
from examples import ppo_action_features
from tests.conftest import play_batch
from tests.games.addtoo import layout as addtoo
from tests.games.addtoo.play import Table, layout_of, members
from tests.games.fiddlefoo.cards import color, notes, number, ways_to_fill
from tests.games.fiddlefoo.play import on_map
from tests.games.quiddler.laying import melds, value
from tests.games.quiddler.play import dictionary, held

from kitchentable import Batch, find_game
from kitchentable.core.state import NO_ACTION, slices
from kitchentable.games.addtoo.state import PLACE as PLACE_DIAMOND
from kitchentable.games.diddly.scoring import column_score
from kitchentable.games.diddly.state import CARD_NAMES, PLACE, SWAP, SWAP_FIRST, SWAP_SECOND
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.state import CELL, THROW, card_at, deck
from kitchentable.games.quiddler import best_meld
from kitchentable.games.quiddler.cards import CARD_NAMES as KINDS
from kitchentable_training.networks.inputs import ACTIONS, COUNTS, FEATURES, NetworkInputs
from kitchentable_training.networks.network import ActionScorer, Rows, ValueOfActions, build_network
from kitchentable_training.networks.settings import PAIRS, NetworkSettings

ADDTOO, DIDDLY, FIDDLEFOO, QUIDDLER, SOLITAIRE = map(
    find_game, ("addtoo", "diddly", "fiddlefoo", "quiddler", "quiddler_solitaire")
)
NETWORK = NetworkSettings(layers=[8], action_features=True)


def told_of(batch: Batch) -> list[tuple[str, dict[str, float]]]:
    """Return the rows shown to the first game's network as pairs of an action and its features."""
    inputs = NetworkInputs(batch.game, batch.params, NETWORK)
    shown = inputs(batch, np.arange(1))
    return [
        (batch.action_names[action], dict(zip(inputs.feature_names, row, strict=True)))
        for action, row in zip(shown[ACTIONS][0], shown[FEATURES][0].tolist(), strict=True)
        if action != NO_ACTION
    ]


def described(batch: Batch) -> dict[str, dict[str, float]]:
    """Return the features of each action in the first game; each has one row there."""
    rows = told_of(batch)
    assert len(dict(rows)) == len(rows)
    return dict(rows)


def played(batch: Batch) -> Iterator[dict[str, float]]:
    """Yield the features of each action in the first game after playing it, then undo it."""
    start = batch.states.copy()
    for name, told in described(batch).items():
        batch.step(np.array([batch.action_names.index(name)]))
        yield told
        batch.states[:] = start
        batch.look()


# --- All games ------------------------------------------------------------------------------------


def test_the_example_in_plain_torch_learns() -> None:
    table = {"rounds": 1, "reward": "margin"}
    learned, untrained = (ppo_action_features.train("diddly", n, **table) for n in (4, 0))
    won, lost = (
        ppo_action_features.margin(one, "diddly", "random", 500, **table)
        for one in (learned, untrained)
    )
    assert won > lost + 0.5


# --- Positions worked out by hand -----------------------------------------------------------------


def test_addtoo_compares_diamonds_by_their_numbers() -> None:
    """1-5 is on the table; orange is the higher number of 1-5, 3-5 and 6-10, the lower one of 8-9.

    The next seat's 3-5 scores 15 on 6-10, orange on orange, and does not fit on 8-9. Of the mover's
    own diamonds, 8-9 scores 15 on 6-10, blue on blue.
    """
    found = told_of(Table.at("1-5@0,0,0,0", "8-9 6-10", "3-5").batch)
    both = {"diamond": 1, "places": 4 / 8, "own_fit": 1 / 5, "own_score": 1 / 5, "own_share": 1}
    both |= {"own_best": 15 / 20, "pile_none": 1}
    nine = both | {"slot_1": 1, "points": 10 / 40, "orange_8": 1, "blue_9": 1, "next_none": 1}
    ten = both | {"slot_0": 1, "points": 15 / 40, "orange_10": 1, "blue_6": 1, "next_fit": 1 / 5}
    ten |= {"next_score": 1 / 5, "next_best": 15 / 20, "next_share": 1}
    sides = {"tile:8-9": [], "tile:6-10": []}
    for name, about in found:
        (side,) = [key for key, one in about.items() if one and key.startswith("side_")]
        sides[name].append(side)
        replies = [one for key, one in about.items() if one and key.startswith("reply_0_")]
        assert replies[::3] == ([] if name == "tile:8-9" else 2 * [0.5 + 15 / 80])
        others = ("room_", "reply_", side)
        kept = [key for key, one in about.items() if one and not key.startswith(others)]
        told = {key: about[key] for key in kept}
        assert told == pytest.approx(nine if name == "tile:8-9" else ten)
    assert sorted(sides["tile:8-9"]) == ["side_2", "side_2", "side_3", "side_3"]
    assert sorted(sides["tile:6-10"]) == ["side_0", "side_0", "side_1", "side_1"]


@pytest.mark.parametrize("params", [{}, {"strict_colors": True}], ids=str)
def test_addtoo_knows_what_the_next_seat_could_play(params) -> None:
    """Compared with playing on: what may be chosen next, and the highest score of it."""
    batch, checked = Batch(ADDTOO, 1, seed=2, **params), 0

    def most() -> float:
        """Return the highest score of one play of the seat to act; NaN if a hand ends."""
        start, mover, best = batch.states.copy(), batch.current_player[0], 0.0
        for action in np.flatnonzero(batch.masks[0]):
            batch.step(np.array([action]))
            gained = float(batch.states.points[0, mover]) - float(start.points[0, mover])
            if batch.states.hand_over[0]:
                gained = np.nan
            elif batch.current_player[0] == mover and batch.states.phase[0] == PLACE_DIAMOND:
                gained = most()
            best = float(np.maximum(best, gained))
            batch.states[:] = start
            batch.look()
        return best

    while checked < 60:
        if batch.states.phase[0] == PLACE_DIAMOND:
            mover = batch.current_player[0]
            held = batch.states.hands[0, 1 - mover].copy()
            for told in played(batch):
                state = batch.states[0]
                if not state.hand_over and state.hands[1 - mover] == held:
                    could = int(batch.masks[0].sum()) if state.current_player != mover else 0
                    assert told["next_fit"] == pytest.approx(could / 5)
                    assert told["next_none"] == (could == 0)
                    best = most() if could else 0.0
                    assert np.isnan(best) or told["next_best"] == pytest.approx(min(best / 20, 1))
                    checked += best > 0
        batch.step(batch.sample_actions())


def test_addtoo_knows_the_next_seats_replies() -> None:
    """Compared with trying every place; any of several best bonus plays may be reported."""
    batch, checked, bonuses = Batch(ADDTOO, 1, seed=2), 0, 0
    while checked < 100 or not bonuses:
        start, mover = batch.states.copy(), batch.current_player[0]
        in_hand = start.phase[0] == PLACE_DIAMOND and start.num_laid[0] > 0
        for told in played(batch) if in_hand else ():
            if not batch.states.hand_over[0]:
                layout, hand = laid_out(batch), members(start.hands[0, 1 - mover])
                expected = {}
                for play in layout.plays(hand):
                    way = "bonus" if play.is_bonus else 2 * int(play.name[5]) + int(play.name[7])
                    points = 0.5 + min(play.score, 40) / 80
                    room = [n and 0.5 + n / 8 for n in room_beside(layout, play.place)]
                    expected.setdefault((hand.index(play.diamond), way), []).append([points, *room])
                for place, way in product(range(5), (*range(8), "bonus")):
                    keys = [f"reply_{place}_{way}_{one}" for one in ("points", "orange", "blue")]
                    what = [told[key] for key in keys]
                    plays = expected.get((place, way), [[0.0, 0.0, 0.0]])
                    most = max(points for points, *_ in plays)
                    assert what in [pytest.approx(play) for play in plays if play[0] == most]
                    checked, bonuses = checked + (most > 0.5), bonuses + (most and way == "bonus")
        batch.step(batch.sample_actions())


def laid(batch: Batch) -> Iterator[tuple[dict[str, float], addtoo.Layout, list[list[str]]]]:
    """Yield, for each possible play of random games, its features, the layout after it, and hands.

    The hands are those before it, first the mover's.
    """
    while True:
        start, mover = batch.states[0].copy(), int(batch.current_player[0])
        hands = [members(start.hands[seat]) for seat in (mover, 1 - mover)]
        for told in played(batch) if start.phase == PLACE_DIAMOND else ():
            if batch.states.num_laid[0] > start.num_laid:
                yield told, laid_out(batch), hands
        batch.step(batch.sample_actions())


@pytest.mark.parametrize("params", [{}, {"turned": False}], ids=str)
def test_addtoo_measures_the_room_on_a_diamond(params) -> None:
    """Compared with trying every place beside a diamond, and beside one that is laid on it."""
    names = ("ways", "same_least", "same_most", "other_least", "other_most", "sealed")
    checked, plays = 0, laid(Batch(ADDTOO, 1, seed=5, **params))
    while checked < 150:
        told, layout, (hand, _) = next(plays)
        slots = [told[f"slot_{slot}"] for slot in range(5)]
        assert slots == [slot == hand.index(layout.last) for slot in range(5)]
        for which, word in enumerate(("orange", "blue")):
            mine = [told[f"room_{word}_{one}"] for one in names]
            assert mine == pytest.approx(room_on_last(layout, which))
            checked += mine[1] < mine[2] or mine[3] < mine[4] or mine[5] > 0


def test_addtoo_sees_bonus_plays_that_wait_for_another_diamond() -> None:
    """Compared with trying every place as if no diamond were the last one."""
    checked, laid_ones = 0, laid(Batch(ADDTOO, 1, seed=6))
    while checked < 60:
        told, layout, (mine, next_hand) = next(laid_ones)
        mine = set(mine) - {layout.last}
        layout.last = ""
        for hand, whose in ((mine, "own"), (next_hand, "next")):
            plays = layout.plays(hand)
            best = max((play.score for play in plays), default=0)
            assert told[f"room_{whose}_bonus"] == pytest.approx(min(best / 40, 1))
            count = len({play.diamond for play in plays})
            assert told[f"room_{whose}_bonuses"] == pytest.approx(count / 5)
            checked += count > 0


def laid_out(batch: Batch) -> addtoo.Layout:
    """Return the layout of the first game."""
    layout = addtoo.Layout(turned=batch.params.turned, strict_colors=False, orange="parity")
    for diamond, page in layout_of(batch.states[0]).items():
        layout.lay(diamond, addtoo.place_of(*page))
    return layout


def places_on(layout: addtoo.Layout, place: addtoo.Place, color: int) -> list[addtoo.Place]:
    """Return the places where a diamond could lie on the sides of one color of another."""
    spots = addtoo.outside(place)[2 * color : 2 * color + 2]
    pairs = [(spot, half) for spot in spots for half in addtoo.neighbors(spot)]
    found = pairs if color == 0 else [(half, spot) for spot, half in pairs]
    return [one for one in found if layout.allowed(one)]


def room_beside(layout: addtoo.Layout, place: addtoo.Place) -> list[int]:
    """Return the numbers of ways to lie on a diamond at a place, on orange and on blue."""
    last = layout.last
    layout.lay("another", place)
    found = [len(places_on(layout, place, color)) for color in range(2)]
    del layout.places["another"]
    layout.at = {half: one for half, one in layout.at.items() if one[0] != "another"}
    layout.last = last
    return found


def room_on_last(layout: addtoo.Layout, color: int) -> list[float]:
    """Return the expected features of the room on the last diamond's sides of a color."""
    ways = places_on(layout, layout.places[layout.last], color)
    rooms = [room_beside(layout, place) for place in ways]
    same, other = ([room[one] for room in rooms] for one in (color, 1 - color))
    if not ways:
        return [0.0] * 6
    sealed = any(a + b == 0 for a, b in zip(same, other, strict=True))
    found = [len(ways) / 4, min(same) / 2, max(same) / 2, min(other) / 4, max(other) / 4]
    return [*found, float(sealed)]


@pytest.mark.parametrize("params", [{}, {"num_players": 3, "hand": 4}], ids=str)
def test_addtoo_tells_which_diamonds_fit_on_each_other(params) -> None:
    """Compared with the booklet's rule, applied to the names, for all open hands."""
    batch = Batch(ADDTOO, 4, seed=4, **params)
    inputs = NetworkInputs(ADDTOO, batch.params, NETWORK.model_copy(update={"reply_rounds": 1}))
    seats, colors, scores = batch.num_players, addtoo.numbers(), set()
    assert inputs.layout["pairs"] == seats * 5 * 11
    for _ in play_batch(batch, 30):
        told = inputs(batch)[PAIRS].reshape(-1, seats, 5, 11)
        for state, mover, mine in zip(batch.states, batch.current_player, told, strict=True):
            hands = [members(state.hands[(mover + seat) % seats]) for seat in range(seats)]
            expected = np.zeros((seats, 5, 11))
            for seat, hand in enumerate(hands):
                for i, lying in enumerate(hand):
                    expected[seat, i, 10] = 1
                    for j, laid in enumerate(hands[(seat + 1) % seats]):
                        for which, pair in enumerate(zip(colors[lying], colors[laid], strict=True)):
                            if addtoo.fit(*pair):
                                scores.add(points := addtoo.points_of(*pair))
                                expected[seat, i, 2 * j + which] = 0.5 + points / 40
            np.testing.assert_allclose(mine, expected)
    assert scores >= {0, 5, 10, 15, 20}


@pytest.mark.parametrize("params", [{}, {"wildcard": True}], ids=str)
def test_fiddlefoo_counts_what_could_be_thrown(params) -> None:
    """Every unseen or known card that may be thrown at a pair, and is not elsewhere, counts."""
    batch, checked = Batch(FIDDLEFOO, 1, seed=2, **params), 0
    while checked < 60:
        if batch.states.phase[0] == CELL:
            before = batch.states.copy()
            mover = int(batch.current_player[0])
            own = int(before.hands[0, mover, 0]) & ~(1 << int(before.chosen[0]))
            for told in played(batch):
                after = batch.states[0]
                if not batch.dones[0] and after.phase == THROW:
                    elsewhere = ~(own | int(after.on_map[0]))
                    ranged = (int(after.fits_range[0]) & elsewhere).bit_count()
                    notes = (int(after.fits_notes[0]) & elsewhere).bit_count()
                    told_range = 16 * told["unseen_range"] + 8 * told["known_range"]
                    told_notes = 32 * told["unseen_notes"] + 8 * told["known_notes"]
                    assert (told_range, told_notes) == pytest.approx((min(ranged, 16), notes))
                    assert not told["safe"]
                    checked += 1
        batch.step(batch.sample_actions())


@pytest.mark.parametrize("params", [{}, {"wildcard": True}], ids=str)
def test_fiddlefoo_knows_how_a_card_to_be_thrown_could_be_played(params) -> None:
    """With two seats, the seat that throws nothing plays next, on the same map."""
    batch, checked = Batch(FIDDLEFOO, 1, seed=3, **params), 0
    names = FIDDLEFOO.players.action_features.names
    pair = names[names.index("unseen_range") :]
    while checked < 60:
        if batch.states.phase[0] == THROW:
            thrown = described(batch)
            batch.step(np.array([batch.action_names.index("pass")]))
            for name, told in described(batch).items() if not batch.dones[0] else ():
                kept = thrown.get(name.replace("card:", "throw:"))
                if kept is not None:
                    assert [kept[one] for one in pair] == [told[one] for one in pair]
                    checked += 1
        else:
            batch.step(batch.sample_actions())


def ways_of_card(state, card: int) -> dict[str, int]:
    """Return the numbers of ways to fill the pile of a card, found by trying all."""
    table, color = state.on_map | state.on_piles | state.removed, c.COLOR[card]
    left = [one for one in range(c.NUM_CARDS) if c.has(state.in_play & ~table, one)]
    pile = [c.CARD_NAMES[one] for one in left if c.COLOR[one] == color]
    name, top = c.CARD_NAMES[card], int(state.pile_tops[color])
    missing = 10 - int(state.pile_notes[color])
    then = ways_to_fill(pile, number(name), missing - notes(name))
    return {
        "ways": ways_to_fill(pile, top, missing),
        "ways_without": ways_to_fill([one for one in pile if one != name], top, missing),
        "ways_then": then if number(name) > top else 0,
    }


@pytest.mark.parametrize("params", [{}, {"talkytoot": "all"}], ids=str)
def test_fiddlefoo_counts_the_ways_to_fill_a_pile(params) -> None:
    """Cards on the map, on a pile or out of the game do not count."""
    batch, checked = Batch(FIDDLEFOO, 1, seed=5, cooperative=True, **params), set()
    for _ in range(100):
        if batch.states.phase[0] == THROW:
            state = batch.states[0]
            for name, told in described(batch).items():
                if name != "pass":
                    card = card_at(state, list(deck(batch.params)).index(name.split(":")[1]))
                    counts = ways_of_card(state, card)
                    wanted = {key: np.log2(1 + count) / 12 for key, count in counts.items()}
                    assert {key: told[key] for key in wanted} == pytest.approx(wanted)
                    checked |= {(key, count > 0) for key, count in counts.items()}
        batch.step(batch.sample_actions())
    assert len(checked) == 6


def after(batch: Batch, action: str) -> Batch:
    """Return a copy of a one-game batch after an action."""
    copy = Batch(batch.game, 1, seed=0, autoreset=False, **batch.params.as_dict())
    copy.states[:] = batch.states
    copy.look()
    copy.step(np.array([batch.action_names.index(action)]))
    return copy


def test_fiddlefoo_counts_what_others_could_put_on_their_piles() -> None:
    """Count by cell, for the seats that may throw there; for a card, take its best cell."""
    batch, checked = Batch(FIDDLEFOO, 1, seed=11, cooperative=True), set()
    parts = slices(FIDDLEFOO.rules.observation_layout(batch.params))
    keys = ("useful_range", "useful_notes", "needed_range", "needed_notes")
    most = FIDDLEFOO.players.action_features.most

    def worth(told: dict[str, float]) -> float:
        useful, by_notes, needed, needed_notes = (8 * told[key] for key in keys)
        return useful + needed + min(by_notes, 3) + min(needed_notes, 3)

    for _ in range(100):
        state, rows = batch.states[0], described(batch)
        for name in [name for name in rows if name.startswith("card:")]:
            cells = described(after(batch, name))
            if len(cells) < most:
                told, best = rows[name], max(map(worth, cells.values()))
                assert 64 * told["safe_cells"] == sum(one["safe"] for one in cells.values())
                described_cell = [told[key] for key in keys]
                assert worth(told) == best
                assert described_cell in [[one[key] for key in keys] for one in cells.values()]
        mine = state.hands[state.current_player]
        gone = mine | state.on_map | state.on_piles | state.removed
        others = [card for card in range(c.NUM_BASE) if c.has(state.in_play & ~gone, card)]
        for name, told in rows.items() if state.phase == CELL else ():
            copy = after(batch, name)
            if copy.states.phase[0] == THROW and copy.current_player[0] != state.current_player:
                fits = [copy.observations[0, parts[f"fits_{how}"]] for how in ("range", "notes")]
                ways = {card: ways_of_card(state, card) for card in others}
                useful = [card for card in others if ways[card]["ways_then"]]
                needed = [card for card in useful if not ways[card]["ways_without"]]
                wanted = [
                    sum(one[card] > 0 and (by == 0 or not fits[0][card]) for card in cards)
                    for cards in (useful, needed)
                    for by, one in enumerate(fits)
                ]
                assert [8 * told[key] for key in keys] == [min(count, 8) for count in wanted]
                checked |= {(key, count > 0) for key, count in zip(keys, wanted, strict=True)}
            elif told["safe"]:
                assert not any(told[key] for key in keys)
        batch.step(batch.sample_actions())
    assert len(checked) == 8


def card_of(state, name: str) -> int | None:
    """Return the card that an action takes out of the mover's hand, if any."""
    kind, _, what = name.partition(":")
    if kind == "cell":
        return int(state.chosen)
    return c.CARD_NAMES.index(what) if kind in ("card", "throw", "pile") else None


def test_fiddlefoo_counts_spare_and_useless_cards() -> None:
    """Count in the hand without the action's card, at the seat thrown at, and among the unseen."""
    batch, checked = Batch(FIDDLEFOO, 1, seed=6, cooperative=True), set()
    for _ in range(40):
        state = batch.states[0]
        mover, active = int(batch.current_player[0]), int(state.player)
        gone = state.on_map | state.on_piles | state.removed
        ways = {
            card: ways_of_card(state, card)
            for card in range(c.NUM_BASE)
            if c.has(state.in_play & ~gone, card)
        }
        kinds = {
            "spare": {card for card, found in ways.items() if found["ways_without"]},
            "useless": {card for card, found in ways.items() if not found["ways_then"]},
        }
        hand = {card for card in ways if c.has(state.hands[mover], card)}
        shown = {card for card in ways if c.has(state.known[active], card)}
        known = {card for card in ways for seat in state.known if c.has(seat, card)}
        throwing = state.phase == THROW and active != mover
        for name, told in described(batch).items():
            left = hand - {card_of(state, name)}
            for kind, cards in kinds.items():
                assert 8 * told[f"{kind}_left"] == min(len(cards & left), 8)
                assert 8 * told[f"{kind}_shown"] == (min(len(cards & shown), 8) if throwing else 0)
                unseen = set(ways) - hand - known
                share = len(cards & unseen) / max(1, len(unseen))
                assert told[f"{kind}_unseen"] == pytest.approx(share)
                checked.add((kind, throwing, bool(cards & shown)))
            hidden = c.count(state.hands[active]) - len(shown)
            assert 8 * told["hidden"] == (min(hidden, 8) if throwing else 0)
        batch.step(batch.sample_actions())
    assert len(checked) >= 6


def song_cells(table: dict[tuple[int, int], str], code: str, side: int) -> int:
    """Count the empty cells beside the map where a color's nearest card in line is over 4 away."""
    found = 0
    for row, column in product(range(side), repeat=2):
        around = [(row, column + 1), (row, column - 1), (row + 1, column), (row - 1, column)]
        if (row, column) not in table and any(cell in table for cell in around):
            steps = [
                abs(row - cell[0]) + abs(column - cell[1])
                for cell, card in table.items()
                if color(card) == code and (cell[0] == row or cell[1] == column)
            ]
            found += bool(steps) and min(steps) > 4
    return found


def test_fiddlefoo_counts_cells_of_safe_songs() -> None:
    """By color, after a card is laid in its cell, and by how much the map gets longer."""
    batch, checked = Batch(FIDDLEFOO, 1, seed=7, cooperative=True), set()

    def lengths(table: dict[tuple[int, int], str]) -> int:
        return sum(max(line) - min(line) for line in zip(*table, strict=True))

    decisions = 0
    while decisions < 200 or len(checked) < 8:
        decisions += 1
        state = batch.states[0]
        table, side = on_map(state), int(state.map_size)
        for name, told in described(batch).items():
            then = dict(table)
            if name.startswith("cell:"):
                row, column = map(int, name[5:].split(","))
                then[row, column] = c.CARD_NAMES[int(state.chosen)]
                assert 2 * told["longer"] == lengths(then) - lengths(table)
            if not name.startswith("card:"):
                for code, one in zip(c.COLOR_CODES, c.COLORS, strict=True):
                    cells = song_cells(then, code, side)
                    assert 16 * told[f"songs_{one}"] == min(cells, 16)
                    checked.add((name[:4], cells > 0))
        batch.step(batch.sample_actions())


def held_in(batch: Batch) -> tuple[str, ...]:
    """Return the cards of the seat to act, including those of the word being spelled."""
    return held(batch.states["hands"][0, batch.current_player[0]])


def bonus_now(batch: Batch, letters: int) -> int:
    """Return the bonus for a longest word, given the words that other seats have laid."""
    state, seats, longest = batch.states[0], batch.num_players, []
    if seats == 2 and batch.params.two_player_bonus != "longest":
        return 0
    for seat in set(range(seats)) - {int(batch.current_player[0])}:
        ends = [0, *state["word_ends"][seat][: state["num_words"][seat]]]
        sizes = [len(KINDS[card]) for card in state["laid"][seat][: ends[-1]]]
        longest.append(max((sum(sizes[a:b]) for a, b in pairwise(ends)), default=0))
    first = max(longest)
    if first in (0, letters) or (letters < first and longest.count(first) > 1):
        return 0
    return 10 if letters > first else -(10 // (seats - 1))


def ways_to_lay(hand: tuple[str, ...], *, count_words: bool) -> set[tuple[int, int]]:
    """Return, for every way to lay words, the points left over and the letters of its longest word.

    With ``count_words``, return the number of words instead of the letters.
    """
    ways = melds(dictionary(), hand).items()
    return {
        (value(hand) - value(laid), words if count_words else longest)
        for laid, pairs in ways
        for words, longest in pairs
    }


def test_quiddler_knows_the_best_meld_of_what_is_kept() -> None:
    batch = Batch(QUIDDLER, 1, seed=1, meld="auto")
    checked, last = 0, 0
    while checked < 40 or last < 10:
        hand = held_in(batch)
        for name, told in described(batch).items():
            if name.startswith(("discard:", "longest:")):
                meld = best_meld(hand, discard=name.partition(":")[2])
                longest = max((len("".join(word)) for word in meld.words), default=0)
                points = meld.points + bonus_now(batch, longest)
                assert told["points"] == pytest.approx(0.5 + points / 120)
                assert told["all_laid"] == (not meld.unused)
                assert told["bonus"] == pytest.approx(min(longest / 10, 1))
                assert told["left"] == pytest.approx(min(value(meld.unused) / 40, 1))
                checked += 1
                last += batch.states["last_turns"][0] > 0
        batch.step(batch.sample_actions())


@pytest.mark.parametrize("meld", ["auto", "spell"])
def test_quiddler_knows_which_cards_are_kept(meld) -> None:
    batch = Batch(QUIDDLER, 1, seed=1, meld=meld, hand_sizes=(3, 5, 6))
    whats = set()
    for _ in range(300):
        for name, told in described(batch).items():
            what, _, card = name.partition(":")
            kept = Counter(held_in(batch) if what in ("draw", "take", "discard") else [])
            if what == "take":
                kept[KINDS[batch.states["pile"][0, batch.states["pile_size"][0] - 1]]] += 1
            elif what == "discard":
                kept[card] -= 1
            assert told["longest"] == (what in ("longest", "spell", "word"))
            for kind in KINDS:
                assert told[f"keeps_{kind}"] == (kept[kind] > 0)
                assert told[f"keeps_more_{kind}"] == (kept[kind] > 1)
            whats.add(what)
        batch.step(batch.sample_actions())
    assert whats >= {"draw", "take", "discard", "longest" if meld == "auto" else "word"}


@cache
def ways_by_points(hand: tuple[str, ...]) -> set[tuple[int, int]]:
    """Return the points and the longest word's letters of all ways to lay a hand."""
    found = ways_to_lay(hand, count_words=False)
    return {(value(hand) - 2 * left, letters) for left, letters in found}


def without_one(hand: list[str]) -> set[tuple[str, ...]]:
    held = sorted(hand)
    return {tuple(held[:i] + held[i + 1 :]) for i in range(len(held))}


@pytest.mark.parametrize("meld", ["auto", "spell"])
def test_quiddler_knows_what_a_card_would_add(meld) -> None:
    """Compared with trying all ways to lay the kept cards and one more, without one of them."""
    batch = Batch(QUIDDLER, 1, seed=1, meld=meld, hand_sizes=(3, 4))
    unseen = slices(QUIDDLER.rules.observation_layout(batch.params))["unseen"]

    def score(hands: set[tuple[str, ...]], bonus: list[int]) -> int:
        found = set().union(*map(ways_by_points, hands))
        if meld == "auto":  # the engine lays words without regard to the bonus
            found = {max(found)}
        return max(bonus[0], *(points + bonus[letters] for points, letters in found))

    checked, lasts = 0, 0
    while checked < 300 or lasts < 50:
        bonus = [bonus_now(batch, letters) for letters in range(21)]
        for name, told in described(batch).items():
            what, _, card = name.partition(":")
            kept, last = list(held_in(batch)), batch.states["last_turns"][0] > 0
            if card:
                kept.remove(card)
            comes = what == "draw" or (what == "discard" and not last)
            if batch.states["num_laid"][0, batch.current_player[0]] and not last:
                comes = False  # a seat that has laid words is out
            for kind, is_unseen in zip(KINDS, batch.observations[0, unseen] > 0, strict=True):
                more = 0
                if comes and is_unseen:
                    rest = without_one([*kept, kind])
                    more = score(rest, bonus) - score({tuple(sorted(kept))}, bonus)
                # The longest word's letters break ties between equal points, by a fraction.
                assert told[f"adds_{kind}"] == pytest.approx(min(max(more, 0) / 20, 1), abs=0.02)
                checked += more > 0
                lasts += more > 0 and last
        batch.step(batch.sample_actions())


def test_quiddler_knows_the_longer_words_that_a_card_would_make() -> None:
    """Compared with trying all ways as above; a letter of the longest word is worth five points."""
    batch = Batch(QUIDDLER, 1, seed=1, meld="spell", hand_sizes=(3, 4, 5))
    unseen = slices(QUIDDLER.rules.observation_layout(batch.params))["unseen"]

    def longest(hands: set[tuple[str, ...]]) -> tuple[int, int]:
        found = set().union(*map(ways_by_points, hands))
        points, letters = max(found, key=lambda way: (way[0] + 5 * way[1], way[1]))
        return letters, points

    checked, costly = Counter(), 0
    while min(checked[what] for what in ("draw", "take", "discard")) < 50:
        kept, last = held_in(batch), batch.states["last_turns"][0] > 0
        laid = batch.states["num_laid"][0, batch.current_player[0]] > 0
        for name, told in described(batch).items():
            what, _, card = name.partition(":")
            prefers = what in ("draw", "take", "discard") and not last and not laid
            hands = {tuple(sorted(kept))}
            if what == "take":
                top = KINDS[batch.states["pile"][0, batch.states["pile_size"][0] - 1]]
                hands = without_one([*kept, top])
            elif what == "discard":
                hands = {tuple(sorted((Counter(kept) - Counter([card])).elements()))}
            if prefers:
                letters, points = longest(hands)
                assert told["letters"] == pytest.approx(letters / 10)
                assert told["points_then"] == pytest.approx(0.5 + points / 120)
                checked[what] += 1
                costly += points < max(set().union(*map(ways_by_points, hands)))[0]
            for kind, is_unseen in zip(KINDS, batch.observations[0, unseen] > 0, strict=True):
                letters = 0
                if prefers and what != "take" and is_unseen:
                    letters, _ = longest(without_one([*min(hands), kind]))
                assert told[f"longest_{kind}"] == pytest.approx(letters / 10)
        batch.step(batch.sample_actions())
    assert costly


@pytest.mark.parametrize("table", [{}, {"two_player_bonus": "most"}, {"num_players": 4}])
def test_quiddler_knows_what_each_letter_leads_to(table) -> None:
    """Compared with trying all ways to lay: at every step the best action leads to the best meld.

    Before a seat has gone out the whole hand is laid, and the longest word may come first.
    """
    batch = Batch(QUIDDLER, 1, seed=1, meld="spell", hand_sizes=(3, 5, 6), **table)
    count_words, checked, lasts = table.get("two_player_bonus") == "most", 0, 0
    while checked < 60 or lasts < 60:
        told = described(batch)
        spells = any(name.startswith("spell:") for name in told)
        if spells and not batch.states["num_laid"][0, batch.current_player[0]]:
            hand = held_in(batch)
            last = batch.states["last_turns"][0] > 0
            ways = {
                (value(kept) - 2 * left + bonus_now(batch, figure), figure)
                for kept in without_one(hand)
                for left, figure in ways_to_lay(kept, count_words=count_words)
                if last or not left
            }
            best = max(points for points, _ in ways)
            if not last:
                first, then = max((figure, points) for points, figure in ways)
                spelled = [one for one in told.values() if one["spell"]]
                longest = max(spelled, key=lambda row: (row["letters"], row["points_then"]))
                assert longest["letters"] == pytest.approx(first / 10)
                assert longest["points_then"] == pytest.approx(0.5 + then / 120)
            laid, word, action = 0, [], ""
            while told and not action.startswith("discard:"):
                spelling = {name: one for name, one in told.items() if one["spell"] or one["word"]}
                rows = told if last else spelling or told
                action = max(rows, key=lambda name: rows[name]["points"])
                assert laid + 120 * (rows[action]["points"] - 0.5) == pytest.approx(best, abs=1e-3)
                word.append(action.partition(":")[2])
                if action == "word":
                    laid, word = laid + value(word[:-1]), []
                batch.step(np.array([batch.action_names.index(action)]))
                told = described(batch)
                checked += 1
                lasts += last
        else:
            batch.step(batch.sample_actions())


def test_solitaire_describes_every_word_that_can_still_be_made() -> None:
    """Compared with the word list: cards that a word leaves open, and how many can be used up."""
    batch, checked = Batch(SOLITAIRE, 1, seed=1), 0
    words = dictionary().hands
    names = SOLITAIRE.players.action_features.names

    def most(left: frozenset[int]) -> int:
        return max([len(word) + most(left - word) for word in held if word <= left], default=0)

    while checked < 60:
        state = batch.states[0]
        if state.num_placed == 0:
            stacks = [i for i in range(8) if state.heights[i]]
            kinds = {i: KINDS[state.stacks[i, state.heights[i] - 1]] for i in stacks}
            held = {
                frozenset(some)
                for size in range(2, len(stacks) + 1)
                for some in combinations(stacks, size)
                if tuple(sorted(kinds[i] for i in some)) in words
            }
            told = [
                {name for name, feature in row.items() if feature}
                | {f"covered {round(8 * row['covered'])}"}
                for _, row in told_of(batch)
                if not row[names[1]]
            ]
            face_down, wanted = sum(int(one) for one in state.heights) - len(stacks), []
            for word in held:
                left = frozenset(stacks) - word
                counts = Counter(kinds[i] for i in left)
                covered = most(left)
                wanted.append(
                    {f"leaves_{name}" for name in counts}
                    | {f"leaves_more_{name}" for name, count in counts.items() if count > 1}
                    | {f"open_{len(left)}", f"down_{-(-face_down // 4)}", f"covered {covered}"}
                    | {"covered" for _ in range(covered > 0)}
                    | {"all" for _ in range(covered == len(left))}
                )
            assert sorted(map(sorted, told)) == sorted(map(sorted, wanted))
            checked += len(held)
        batch.step(batch.sample_actions())


def test_diddly_knows_what_a_place_scores() -> None:
    """Where both cards of a column are open, compare the column's score before and after."""
    batch, checked = Batch(DIDDLY, 1, seed=1), 0
    for _ in range(1000):
        state, mover = batch.states[0], batch.current_player[0]
        board, face_up = state.boards[mover], state.face_up[mover]
        for name, told in described(batch).items() if state.phase == PLACE else ():
            slot = int(name.partition(":")[2])
            partner = (slot + 3) % 6
            if face_up[slot] and face_up[partner]:
                gain = column_score(board[slot], board[partner])
                gain -= column_score(state.held, board[partner])
                assert told["gain"] == pytest.approx(0.5 + gain / 40)
                assert told["known_partner"]
                assert told[f"partner_{CARD_NAMES[board[partner]]}"]
                assert told[f"gets_{CARD_NAMES[state.held]}"]
                assert not told["hidden"]
                checked += 1
        batch.step(batch.sample_actions())
    assert checked > 250


def test_diddly_knows_what_a_swap_scores() -> None:
    """The score of a swap's first card is the best score of what may follow."""
    batch, before = Batch(DIDDLY, 1, seed=1), {}
    checked = dict.fromkeys((SWAP_FIRST, SWAP_SECOND), 0)
    while min(checked.values()) < 30:
        state, told = batch.states[0], described(batch)
        if before:
            assert before["score"] == min(row["score"] for row in told.values())
        if state.phase == SWAP_FIRST and state.held == SWAP:
            for row in told.values():
                gain = 60 * (told["pass"]["score"] - row["score"])
                assert row["gain"] == pytest.approx(np.clip(0.5 + gain / 40, 0, 1), abs=1e-3)
        action = batch.sample_actions()
        before = {}
        if state.phase in checked and state.held == SWAP:
            before = told[batch.action_names[action[0]]]
            checked[state.phase] += 1
        if state.phase == SWAP_SECOND:
            mover, slot = batch.current_player[0], state.swap_slot
            known = state.face_up[mover, slot] or state.peeked[mover, slot]
            kind = CARD_NAMES[state.boards[mover, slot]] if known else "unknown"
            assert all(row[f"gets_{kind}"] for row in told.values())
        batch.step(action)


# --- Networks -------------------------------------------------------------------------------------


def rows(features: torch.Tensor, *actions: int) -> Rows:
    """Return one decision's rows, whose actions are given."""
    games = torch.zeros(len(actions), dtype=torch.int64)
    return Rows(features, torch.tensor(actions, dtype=torch.int64), games)


def test_all_actions_share_their_layers() -> None:
    """Equal rows get equal logits, whatever the action and the position."""
    inputs = NetworkInputs(ADDTOO, ADDTOO.make_params(), NETWORK)
    network = build_network(ADDTOO, inputs.params, NETWORK)
    shown = dict(inputs.example(1))
    features, actions = torch.rand(3, inputs.shapes[FEATURES][1]), torch.tensor([7, 300, 412])
    shown[COUNTS], found = torch.tensor([3]), []
    for order in ([0, 1, 2], [2, 0, 1]):
        shown |= {FEATURES: features[order], ACTIONS: actions[order]}
        found.append(network(shown)[0][0])
        assert set(found[-1].nonzero()[:, 0].tolist()) == {7, 300, 412}
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("best", [False, True])
def test_an_action_of_several_rows_has_the_logarithm_of_their_sum_or_the_best(best) -> None:
    """An action gets the summed probability of its rows, or that of the best one."""
    scorer = ActionScorer(4, 6, 2, 64, best_row=best)
    hidden, features = torch.rand(1, 4), torch.rand(3, 2)
    apart, together = (
        scorer(hidden, rows(features, *actions))[0] for actions in ((0, 1, 2), (4, 1, 4))
    )
    torch.testing.assert_close(together[1], apart[1])
    some = apart[[0, 2]]
    torch.testing.assert_close(together[4], some.max() if best else some.logsumexp(0))
    assert together[[0, 2, 3, 5]].tolist() == [0, 0, 0, 0]


def test_a_value_counts_the_best_and_the_mean_of_all_rows() -> None:
    """The order of rows does not matter; a seat without rows gets a value too."""
    layers, hidden, features = ValueOfActions(4, 2, 64), torch.rand(1, 4), torch.rand(3, 2)
    made = layers.layers(layers.features(features) + layers.context(hidden))
    assert made.min() >= 0
    assert made.max() > 0
    for order in ([0, 1, 2], [2, 0, 1], [1], []):
        highest, mean = torch.zeros(64), torch.zeros(64)
        if order:
            highest, mean = made[order].amax(0), made[order].mean(0)
        expected = layers.last(torch.cat([hidden[0], highest, mean]))
        found = layers(hidden, rows(features[order], *(7 for _ in order)))[0]
        torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("setting", ["best_row", "value_of_actions", "reply_rounds"])
def test_a_setting_wants_action_features_and_these_a_game_that_has_them(setting) -> None:
    network = NETWORK.model_copy(update={setting: 1})
    plain = replace(DIDDLY, players=replace(DIDDLY.players, action_features=None))
    with pytest.raises(ValueError, match=r"network\.action_features: diddly has none"):
        network.check(plain)
    network = network.model_copy(update={"action_features": False})
    with pytest.raises(ValueError, match=rf"{setting} wants network\.action_features: true"):
        network.check(ADDTOO)
