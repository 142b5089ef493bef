"""Features of each legal action of Diddly, as numbers for a network.

They describe the effect on the seat's board as it lies, and whether the next seat could match the
discarded card. Unknown cards count as average cards; no feature depends on cards to come.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import NOBODY, BoolArray, FloatArray, Ints
from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.players.reading import (
    UNKNOWN,
    Look,
    exchange,
    look_at,
    num_hidden,
    plain_score,
    score_with,
)
from kitchentable.games.diddly.state import CARD_NAMES, LINES, MAX_CARDS

MOST = 20
"""Maximum number of described actions: the 17 sources, of which 15 recycle, or the slots."""
NAMES = (
    *("draw", "take", "recycle", "pass", "flip", "peek", "swap_first", "swap_second", "place"),
    # One-hot: the card that enters the slot (of a source: the board), and the card that leaves it
    # or is chosen.
    *(f"gets_{name}" for name in CARD_NAMES),
    "gets_unknown",
    *(f"gives_{name}" for name in CARD_NAMES),
    "gives_unknown",
    # One-hot: the other card of the slot's column; all zero with nine cards.
    *(f"partner_{name}" for name in CARD_NAMES),
    "partner_unknown",
    "partner_hidden",  # whether that card lies face down
    "gets_left",  # the share of the entering kind among the unseen cards, times 8
    "gives_left",  # the same for the leaving kind
    "partner_left",  # the same for the partner's kind
    "gain",  # points by which the board's score falls at once: 0.5 for none, 1 for 20; for sources,
    # swaps and `pass`, with the obtained card in its best slot
    "score",  # the score of the seat's board after that, of 60
    "hidden",  # whether the card in the slot lies face down
    "last_hidden",  # whether it is the last face-down card of the seat's board
    "known_partner",  # whether another card in the slot's column or lines is known
    "next_gains",  # points by which the next seat could lower its board with the discard, of 20
)
# Column indices of these names.
DRAW, TAKE, RECYCLE, PASS = map(NAMES.index, ("draw", "take", "recycle", "pass"))
FLIP, PEEK, SWAP_FIRST, SWAP_SECOND, PLACE = map(
    NAMES.index, ("flip", "peek", "swap_first", "swap_second", "place")
)
GETS, GIVES, PARTNER = (NAMES.index(f"{what}_1") for what in ("gets", "gives", "partner"))
GETS_LEFT, GIVES_LEFT, PARTNER_LEFT = map(NAMES.index, ("gets_left", "gives_left", "partner_left"))
GAIN, SCORE, NEXT_GAINS = map(NAMES.index, ("gain", "score", "next_gains"))
HIDDEN, LAST_HIDDEN = NAMES.index("hidden"), NAMES.index("last_hidden")
KNOWN_PARTNER, PARTNER_HIDDEN = NAMES.index("known_partner"), NAMES.index("partner_hidden")
MOST_GAIN, MOST_SCORE, MOST_LEFT = 20, 60, 8.0


@allocating_kernel
def write(
    observation: FloatArray,
    mask: BoolArray,
    variant: s.State,
    actions: Ints,
    out: FloatArray,
) -> None:
    """Write the features of the first `MOST` legal actions of the seat to act, one row each."""
    if mask.any():
        _write(look_at(observation, variant), actions, out)


@subroutine
def _write(seen: Look, actions: Ints, out: FloatArray) -> None:
    for row in range(actions.shape[0]):
        action = int(actions[row])
        if action < 0:
            return
        if action == s.PASS:
            out[row, PASS] = 1.0
            _write_score(_settled(seen), 0.0, out[row])
        elif action > s.PASS:
            _write_slot(seen, action - s.SLOT, out[row])
        else:
            _write_source(seen, action, out[row])


@kernel
def _write_source(seen: Look, action: int, out: FloatArray) -> None:
    """Write the features of a source: of its card in the slot where it lowers the board most."""
    before = plain_score(seen.boards[0])
    if action == s.DRAW:
        out[DRAW] = 1.0
        _write_score(before, 0.0, out)
        return
    kind = int(seen.top) if action == s.TAKE else action - s.RECYCLE_KIND
    out[TAKE if action == s.TAKE else RECYCLE] = 1.0
    out[GETS + kind] = 1.0
    out[GETS_LEFT] = _left(seen, kind)
    best = _score_placed(seen, kind, action != s.TAKE)
    _write_score(best, before - best, out)


@kernel
def _score_placed(seen: Look, kind: int, recycled: bool) -> float:
    """Return the score of the seat's board with another card in the best slot.

    A recycled card can only replace a face-up Recycle.
    """
    board, hidden = seen.boards[0], seen.hidden[0]
    best = np.inf
    for slot in range(seen.cards):
        if not recycled or (board[slot] == s.RECYCLE and not hidden[slot]):
            best = min(best, score_with(board, slot, kind))
    return best


@kernel
def _write_score(score: float, gain: float, out: FloatArray) -> None:
    out[GAIN] = min(max(0.5 + 0.5 * gain / MOST_GAIN, 0.0), 1.0)
    out[SCORE] = min(score / MOST_SCORE, 1.0)


@subroutine
def _write_slot(seen: Look, slot: int, out: FloatArray) -> None:
    """Write the features of a slot: its card, and the effect of choosing it on the board."""
    board, hidden = seen.boards[0], seen.hidden[0, slot]
    before = after = plain_score(board)
    if seen.phase == s.FLIP:
        out[FLIP] = 1.0
    elif seen.phase == s.USE_PEEK:
        out[PEEK] = 1.0
    elif seen.phase == s.SWAP_FIRST:
        out[SWAP_FIRST] = 1.0
        before, after = _settled(seen), _best_swap(seen, slot)
    elif seen.phase == s.SWAP_SECOND:
        out[SWAP_SECOND] = 1.0
        out[GETS + board[seen.swap_slot]] = 1.0
        out[GETS_LEFT] = _left(seen, board[seen.swap_slot])
        before, after = _settled(seen), _swapped(seen, seen.swap_slot, slot)
    else:
        out[PLACE] = 1.0
        if seen.held != NOBODY:
            out[GETS + seen.held] = 1.0
            out[GETS_LEFT] = _left(seen, seen.held)
            after = score_with(board, slot, seen.held)
        _write_discard(seen, board[slot], out)
    out[GIVES + board[slot]] = 1.0
    out[GIVES_LEFT] = _left(seen, board[slot])
    if seen.cards < MAX_CARDS:
        partner = _partner_of(slot, seen.cards)
        out[PARTNER + board[partner]] = 1.0
        out[PARTNER_HIDDEN] = seen.hidden[0, partner]
        out[PARTNER_LEFT] = _left(seen, board[partner])
    _write_score(after, before - after, out)
    out[HIDDEN] = hidden
    out[LAST_HIDDEN] = hidden and num_hidden(seen, 0) == 1
    out[KNOWN_PARTNER] = _has_partner(board, slot)


@kernel
def _left(seen: Look, kind: int) -> float:
    """Return the feature for the share of a kind among the unseen cards; 0 for an unknown card."""
    return 0.0 if kind == UNKNOWN else min(seen.odds[kind] * MOST_LEFT, 1.0)


@kernel
def _partner_of(slot: int, cards: int) -> int:
    """Return the other slot of a column of two."""
    half = cards // 2
    return slot + half if slot < half else slot - half


@kernel
def _settled(seen: Look) -> float:
    """Return the score of the seat's board with the card in hand, if any, in its best slot."""
    if seen.held == NOBODY:
        return plain_score(seen.boards[0])
    return _score_placed(seen, seen.held, seen.recycled)


@kernel
def _swapped(seen: Look, first: int, second: int) -> float:
    """Return the result of `_settled` with two cards of the board swapped."""
    exchange(seen, first, second)
    score = _settled(seen)
    exchange(seen, first, second)
    return score


@kernel
def _best_swap(seen: Look, first: int) -> float:
    best = np.inf
    for second in range(seen.cards):
        if second != first:
            best = min(best, _swapped(seen, first, second))
    return best


@kernel
def _has_partner(board: Ints, slot: int) -> bool:
    """Return whether a known card shares a column, or a line of nine cards, with a slot."""
    if board.shape[0] < MAX_CARDS:
        return bool(board[_partner_of(slot, board.shape[0])] != UNKNOWN)
    for a, b, c in LINES:
        if slot in (a, b, c):
            for other in (a, b, c):
                if other != slot and board[other] != UNKNOWN:
                    return True
    return False


@kernel
def _write_discard(seen: Look, kind: int, out: FloatArray) -> None:
    """Write how much the next seat could lower its board at once with the discarded card."""
    board = seen.boards[1]
    if kind == UNKNOWN:
        return
    before = plain_score(board)
    best = before
    for slot in range(seen.cards):
        best = min(best, score_with(board, slot, kind))
    out[NEXT_GAINS] = min((before - best) / MOST_GAIN, 1.0)
