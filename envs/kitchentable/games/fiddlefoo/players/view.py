"""What a Fiddlefoo player reads off an observation, as sets of cards and cells.

A `View` has the names of `state.State` where it has the same contents. So
the rules of the map work on it as they do on the record: `board.find_cells`, `board.find_pair`,
`board.put`, `board.lift`, `pairing.fits_range` and so on; what is tried out must be put back. Seats
are counted from the seat to act, which is seat 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel
from kitchentable.core.state import FloatArray
from kitchentable.games.fiddlefoo.cards import (
    NO_CARD,
    NUM_ACTIONS,
    NUM_BASE,
    NUM_CARDS,
    NUM_COLORS,
    WORDS,
    Bits,
)
from kitchentable.games.fiddlefoo.observation import FEW
from kitchentable.games.fiddlefoo.players.reading import (
    CHOSEN,
    HAND,
    IN_PLAY,
    NOTES,
    NUM_SETS,
    ON_MAP,
    ON_PILES,
    PLAYABLE,
    RANGE,
    UNSEEN,
    Extras,
    Ints,
    Map,
    Pair,
    first_card,
    one_hot,
    read,
    read_deck,
    read_extras,
    read_map,
    read_pair,
    read_piles,
    read_sets,
    read_totals,
)
from kitchentable.games.fiddlefoo.state import (
    BLOCKS,
    MAX_PLAYERS,
    NOWHERE,
    NUM_CELLS,
    OVER,
    V_COOPERATIVE,
    V_GAMES,
    V_MAP_SIZE,
    V_PLAYERS,
    V_REWARD,
    V_TALKYTOOT,
    V_WILDCARD,
)


class View(NamedTuple):
    """A table as the seat to act sees it; seats are counted from it, so it is seat 0."""

    # Parameters, and places of the actions as in the record.
    num_players: int
    reward: int
    games: int
    map_size: int
    wildcard: bool
    cooperative: bool
    num_cards: int
    at_throw: int
    at_pass: int
    at_pile: int
    at_map: int
    in_play: Bits
    action_cards: Ints
    action_places: Ints
    # The map.
    boards: NDArray[np.uint64]
    """Cells of the cards of each color, and of all together; shape (5, 4)."""
    places: Ints
    """The cell of each card, or `NOWHERE`; shape (75,)."""
    cells: Ints
    """The card in each cell ``16 * row + column``, or `NO_CARD`; shape (256,)."""
    on_map: Bits
    pair_cells: Ints
    """The two cells of the pair under discussion, in ascending order, or `NOWHERE`."""
    # Cards.
    hand: Bits
    known: NDArray[np.uint64]
    """Cards that each seat is known to hold, seat 0 those that the others know; shape (6, 2)."""
    unseen: Bits
    """Cards that lie in the draw pile or unseen in another hand."""
    playable: Bits
    """Hand cards that may be chosen to play, if that is the decision."""
    chosen: int
    """The card about to be played, moved or swapped, still where it was; or `NO_CARD`."""
    fits_range: Bits
    """Cards that may be thrown as range cards, if throwing is the decision."""
    fits_notes: Bits
    # The decision.
    phase: int
    player: int
    """The active seat: who adds the card, or has added it and is thrown at."""
    pair: Pair
    thrown: bool
    """Whether a range card has been thrown already by seat 0 at this pair."""
    # The table.
    sizes: Ints
    """Cards in each hand; shape (6,)."""
    pile: int
    """Cards in the draw pile."""
    blocked: int
    starter: int
    games_done: int
    totals: Ints
    """Penalties of the games before; cooperative: full piles; shape (6,)."""
    # Cooperative.
    pile_tops: Ints
    pile_notes: Ints
    """Notes on each pile, at most 11."""
    on_piles: Bits
    extras: Extras


@allocating_kernel
def view_of(observation: FloatArray, variant: Ints) -> View:
    """Read an observation, part by part in the order of `observation.layout`.

    Args:
        observation: what the seat to act sees.
        variant: the parameters, from `state.variant`.
    """
    seats, size = int(variant[V_PLAYERS]), int(variant[V_MAP_SIZE])
    cooperative, actions = variant[V_COOPERATIVE] != 0, int(variant[V_TALKYTOOT])
    cards = NUM_BASE + actions
    sets = np.zeros((NUM_SETS, WORDS), np.uint64)
    known = np.zeros((MAX_PLAYERS, WORDS), np.uint64)
    action_cards = np.full(NUM_ACTIONS, NO_CARD)
    action_places = np.full(NUM_ACTIONS, NOWHERE)
    read_deck(variant, sets[IN_PLAY], action_cards, action_places)
    boards = np.zeros((NUM_COLORS + 1, BLOCKS), np.uint64)
    places, cells = np.full(NUM_CARDS, NOWHERE), np.full(NUM_CELLS, NO_CARD)
    pair_cells = np.full(2, NOWHERE)
    table = Map(boards, places, cells, sets[ON_MAP])
    at = read_map(observation, size, actions > 0, table, pair_cells)
    at = read_sets(observation, at, seats, cards, action_cards, sets, known)
    phase, player = one_hot(observation, at, OVER), one_hot(observation, at + OVER + seats, seats)
    at += OVER + 2 * seats
    pair, thrown = read_pair(observation, at), observation[at + 6 + NUM_COLORS] > 0
    at += 7 + NUM_COLORS
    sizes, totals = np.zeros(MAX_PLAYERS, np.int64), np.zeros(MAX_PLAYERS, np.int64)
    for seat in range(seats):
        sizes[seat] = read(observation, at + seat, cards)
    at += seats + FEW * seats
    pile, blocked = read(observation, at, cards), read(observation, at + 2, seats)
    starter = one_hot(observation, at + 3, seats)
    at += 3 + seats
    games_done = read(observation, at, variant[V_GAMES])
    read_totals(observation, at + 2, variant, totals)
    at += 2 + 2 * seats - 1
    pile_tops, pile_notes = np.zeros(NUM_COLORS, np.int64), np.zeros(NUM_COLORS, np.int64)
    if cooperative:
        at = read_piles(observation, at, cards, action_cards, sets, pile_tops, pile_notes)
    extras = read_extras(observation, at, seats, cards, action_cards, sets)
    at_throw = cards + size * size
    at_pass = at_throw + cards
    at_pile = at_pass + 1
    at_map = at_pile + cards * int(cooperative)
    chosen = first_card(sets[CHOSEN])
    return View(
        seats, int(variant[V_REWARD]), int(variant[V_GAMES]), size, variant[V_WILDCARD] != 0,
        cooperative, cards, at_throw, at_pass, at_pile, at_map,
        sets[IN_PLAY], action_cards, action_places, boards, places, cells, sets[ON_MAP],
        pair_cells, sets[HAND], known, sets[UNSEEN], sets[PLAYABLE], chosen,
        sets[RANGE], sets[NOTES], phase, player, pair, thrown, sizes, pile, blocked, starter,
        games_done, totals, pile_tops, pile_notes, sets[ON_PILES], extras,
    )  # fmt: skip
