"""Effects of Talkytoot's action cards that are paired, thrown or drawn (rules page: Talkytoot).

Effects that allow or forbid something are implemented with the rule that they change: pairs and
limits in `board`, throws in `pairing`, points in `hands`.
"""

from __future__ import annotations

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import Bits
from kitchentable.games.fiddlefoo import board
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.hands import enter_hand, leave_hand
from kitchentable.games.fiddlefoo.state import BLOCKS, State

PENALTY_DRAWS = 2
"""Cards to draw after throwing `NOTES_MATCH_PENALTY` for its notes."""

# --- Paired ---------------------------------------------------------------------------------------


@kernel
def next_effect(state: State) -> None:
    """Begin the next effect of the pair, those of the played card first; then the Safe Song.

    Effects that can do nothing are skipped.
    """
    index = 0 if state.effects[0] != c.NO_CARD else 1
    card = state.effects[index]
    state.effects[index] = c.NO_CARD
    state.current_player = state.player
    if card == c.NO_CARD:
        state.stage = s.SONG
    elif card == c.DISCARD_CARD:
        if not c.is_empty(state.hands[state.player]):
            state.phase = s.DISCARD
    elif card == c.MOVE_CARD:
        cards = scratch_bits(WORDS)
        fill_movable(state, cards)
        if not c.is_empty(cards):
            state.phase = s.MOVE
    elif card == c.REMOVE_CARDS:
        state.removals = s.MOST_REMOVALS
        _ask_removal(state)


@kernel
def discard(state: State, card: int) -> None:
    """Remove a hand card from the game, face up."""
    leave_hand(state, state.player, card)
    c.add(state.removed, card)
    state.phase = s.RUNNING


@kernel
def fill_others(state: State, cards: Bits) -> None:
    """Write the map cards that are not part of the pair."""
    c.copy(state.on_map, cards)
    c.drop(cards, state.card)
    c.drop(cards, state.partner)


@subroutine
def fill_movable(state: State, cards: Bits) -> None:
    """Write the map cards that may be moved: not part of the pair, and with a target cell."""
    fill_others(state, cards)
    targets = scratch_bits(BLOCKS)
    for word in range(WORDS):
        rest = cards[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            fill_targets(state, card, targets)
            if not board.any_cell(targets):
                c.drop(cards, card)


@subroutine
def fill_targets(state: State, card: int, targets: Bits) -> None:
    """Write the cells that a map card may be moved to: empty ones next to another card."""
    cell = board.lift(state, card)
    everywhere = state.boards[s.ALL_COLORS]
    for block in range(BLOCKS):
        targets[block] = board.near(everywhere, block) & ~everywhere[block]
        targets[block] &= board.WINDOWS[state.map_size, block]
    board.put(state, card, cell)
    targets[cell >> 6] &= ~c.bit(cell & 63)


@kernel
def choose_to_move(state: State, card: int) -> None:
    """Choose the map card to move."""
    targets = scratch_bits(BLOCKS)
    fill_targets(state, card, targets)
    for block in range(BLOCKS):
        state.legal[block] = targets[block]
    state.chosen = card
    state.phase = s.MOVE_CELL


@kernel
def move(state: State, cell: int) -> None:
    """Move the chosen map card; this makes no pair."""
    board.lift(state, state.chosen)
    board.put(state, state.chosen, cell)
    state.chosen = c.NO_CARD
    state.phase = s.RUNNING


@kernel
def remove(state: State, card: int) -> None:
    """Remove a map card from the game; up to three may be removed."""
    board.lift(state, card)
    c.add(state.removed, card)
    state.removals -= 1
    _ask_removal(state)


@kernel
def _ask_removal(state: State) -> None:
    # The two cards of the pair cannot be removed.
    if state.removals > 0 and c.count(state.on_map) > 2:
        state.phase = s.REMOVE
    else:
        end_removal(state)


@kernel
def end_removal(state: State) -> None:
    """End the removal of map cards."""
    state.removals = 0
    state.phase = s.RUNNING


# --- Thrown ---------------------------------------------------------------------------------------


@kernel
def thrown_effect(state: State, player: int, card: int, by_notes: bool) -> None:
    """Let the thrower draw if the thrown card has such an effect."""
    if card == c.DRAW_CARD:
        state.drawer = player
        state.draws = 1
    elif card == c.NOTES_MATCH_PENALTY and by_notes:
        state.drawer = player
        state.draws = PENALTY_DRAWS


# --- Drawn ----------------------------------------------------------------------------------------


@kernel
def drawn_effect(state: State, card: int) -> None:
    """Begin the effect of the card that ``state.drawer`` has just drawn."""
    player = int(state.drawer)
    if card == c.INSTAPLAY:
        if board.open_cells(state, card):
            _interrupt(state)
            c.add(state.known[player], card)
            state.chosen = card
            state.current_player = player
            state.phase = s.CELL
    elif card == c.REVEAL_TO_ALL:
        c.add(state.known[player], card)
    elif card == c.SWAP_MAP_CARD:
        c.add(state.known[player], card)
        state.swaps = min(s.MOST_SWAPS, c.count(state.hands[player]), c.count(state.on_map))
        c.clear(state.swapped)
        state.current_player = player
        state.phase = s.SWAP_CARD
    elif card == c.HAND_MATCH_PENALTY:
        _draw_another(state, card, c.COLOR[card] == c.COLOR[state.last_added])
    elif card == c.HAND_MATCH_NOTE_PENALTY:
        _draw_another(state, card, c.NOTES[card] == c.NOTES[state.last_added])


@kernel
def _draw_another(state: State, card: int, matches: bool) -> None:
    if matches:
        c.add(state.known[state.drawer], card)  # or nobody would know why
        state.draws += 1


@kernel
def choose_to_swap(state: State, card: int) -> None:
    """Choose the hand card to swap."""
    state.chosen = card
    c.add(state.known[state.current_player], card)
    state.phase = s.SWAP_MAP


@kernel
def swap(state: State, card: int) -> None:
    """Swap the chosen hand card with a map card; placement rules and effects do not apply."""
    player = int(state.current_player)
    leave_hand(state, player, state.chosen)
    cell = board.lift(state, card)
    board.put(state, state.chosen, cell)
    enter_hand(state, player, card)
    c.add(state.swapped, state.chosen)
    c.add(state.swapped, card)
    state.chosen = c.NO_CARD
    state.swaps -= 1
    state.phase = s.SWAP_CARD if state.swaps > 0 else s.RUNNING


@kernel
def _interrupt(state: State) -> None:
    """Save the current turn or play, and begin a play by the seat that drew `INSTAPLAY`.

    There is one such card and no card is drawn twice, so there is never more than one turn or play
    to save. The effects of a pair are not saved: they are over before a card is drawn.
    """
    outer = state.outer
    outer[s.OUTER_STAGE] = state.stage
    outer[s.OUTER_PLAYER] = state.player
    outer[s.OUTER_CARD] = state.card
    outer[s.OUTER_PARTNER] = state.partner
    outer[s.OUTER_CELL] = state.cell
    outer[s.OUTER_PARTNER_CELL] = state.partner_cell
    outer[s.OUTER_LOW] = state.low
    outer[s.OUTER_HIGH] = state.high
    outer[s.OUTER_DISTANCE] = state.distance
    outer[s.OUTER_COLOR] = state.color
    outer[s.OUTER_SAFE] = state.safe
    outer[s.OUTER_AGAIN] = state.again
    outer[s.OUTER_THROWER] = state.thrower
    outer[s.OUTER_THROWN] = state.thrown
    outer[s.OUTER_DRAWER] = state.drawer
    outer[s.OUTER_DRAWS] = state.draws
    state.player = state.drawer
    state.card = c.NO_CARD
    state.partner = c.NO_CARD
    state.again = False
    state.draws = 0
    state.nested = True


@kernel
def resume(state: State) -> None:
    """Resume the turn or play that `_interrupt` saved."""
    outer = state.outer
    state.stage = outer[s.OUTER_STAGE]
    state.player = outer[s.OUTER_PLAYER]
    state.card = outer[s.OUTER_CARD]
    state.partner = outer[s.OUTER_PARTNER]
    state.cell = outer[s.OUTER_CELL]
    state.partner_cell = outer[s.OUTER_PARTNER_CELL]
    state.low = outer[s.OUTER_LOW]
    state.high = outer[s.OUTER_HIGH]
    state.distance = outer[s.OUTER_DISTANCE]
    state.color = outer[s.OUTER_COLOR]
    state.safe = outer[s.OUTER_SAFE] != 0
    state.again = outer[s.OUTER_AGAIN] != 0
    state.thrower = outer[s.OUTER_THROWER]
    state.thrown = outer[s.OUTER_THROWN]
    state.drawer = outer[s.OUTER_DRAWER]
    state.draws = outer[s.OUTER_DRAWS]
    outer[:] = 0
    state.nested = False
