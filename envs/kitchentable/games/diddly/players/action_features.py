"""Features of each legal action of Diddly, as numbers for a network.

They describe the effect on the seat's board as it lies, and whether the next seat could match the
discarded card. Unknown cards count as average cards; no feature depends on cards to come.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.state import BoolArray, FloatArray, Ints
from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.knowledge import Knowledge
from kitchentable.games.diddly.players.boards import (
    Board,
    num_hidden,
    num_unseen,
    score_with,
)
from kitchentable.games.diddly.scoring import board_score
from kitchentable.games.diddly.state import CARD_NAMES, LINES, MAX_CARDS, NO_CARD, UNKNOWN, exchange

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


@subroutine
def write(known: Knowledge, _mask: BoolArray, actions: Ints, out: FloatArray) -> None:
    """Write the features of the first `MOST` legal actions of the seat to act, one row each."""
    unseen = max(num_unseen(known), 1)
    for row in range(actions.shape[0]):
        action = int(actions[row])
        if action < 0:
            return
        if action == s.PASS:
            out[row, PASS] = 1.0
            _write_score(_settled(known), 0.0, out[row])
        elif action > s.PASS:
            _write_slot(known, action - s.SLOT, unseen, out[row])
        else:
            _write_source(known, action, unseen, out[row])


@kernel
def _write_source(known: Knowledge, action: int, unseen: int, out: FloatArray) -> None:
    """Write the features of a source: of its card in the slot where it lowers the board most."""
    before = board_score(known.boards[0, : known.cards])
    if action == s.DRAW:
        out[DRAW] = 1.0
        _write_score(before, 0.0, out)
        return
    kind = int(known.top) if action == s.TAKE else action - s.RECYCLE_KIND
    out[TAKE if action == s.TAKE else RECYCLE] = 1.0
    out[GETS + kind] = 1.0
    out[GETS_LEFT] = _left(known, kind, unseen)
    best = _score_placed(known, kind, action != s.TAKE)
    _write_score(best, before - best, out)


@kernel
def _score_placed(known: Knowledge, kind: int, recycled: bool) -> float:
    """Return the score of the seat's board with another card in the best slot.

    A recycled card can only replace a face-up Recycle.
    """
    board = known.boards[0, : known.cards]
    best = np.inf
    for slot in range(known.cards):
        if not recycled or (board[slot] == s.RECYCLE and known.face_up[0, slot]):
            best = min(best, score_with(board, slot, kind))
    return best


@kernel
def _write_score(score: float, gain: float, out: FloatArray) -> None:
    out[GAIN] = min(max(0.5 + 0.5 * gain / MOST_GAIN, 0.0), 1.0)
    out[SCORE] = min(score / MOST_SCORE, 1.0)


@subroutine
def _write_slot(known: Knowledge, slot: int, unseen: int, out: FloatArray) -> None:
    """Write the features of a slot: its card, and the effect of choosing it on the board."""
    board, hidden = known.boards[0, : known.cards], known.face_up[0, slot] == 0
    before = after = board_score(board)
    if known.phase == s.FLIP:
        out[FLIP] = 1.0
    elif known.phase == s.USE_PEEK:
        out[PEEK] = 1.0
    elif known.phase == s.SWAP_FIRST:
        out[SWAP_FIRST] = 1.0
        before, after = _settled(known), _best_swap(known, slot)
    elif known.phase == s.SWAP_SECOND:
        out[SWAP_SECOND] = 1.0
        out[GETS + board[known.swap_slot]] = 1.0
        out[GETS_LEFT] = _left(known, board[known.swap_slot], unseen)
        before, after = _settled(known), _swapped(known, known.swap_slot, slot)
    else:
        out[PLACE] = 1.0
        out[GETS + known.held] = 1.0
        out[GETS_LEFT] = _left(known, known.held, unseen)
        after = score_with(board, slot, known.held)
        _write_discard(known, board[slot], out)
    out[GIVES + board[slot]] = 1.0
    out[GIVES_LEFT] = _left(known, board[slot], unseen)
    if known.cards < MAX_CARDS:
        partner = _partner_of(slot, known.cards)
        out[PARTNER + board[partner]] = 1.0
        out[PARTNER_HIDDEN] = known.face_up[0, partner] == 0
        out[PARTNER_LEFT] = _left(known, board[partner], unseen)
    _write_score(after, before - after, out)
    out[HIDDEN] = hidden
    out[LAST_HIDDEN] = hidden and num_hidden(known, 0) == 1
    out[KNOWN_PARTNER] = _has_partner(board, slot)


@kernel
def _left(known: Knowledge, kind: int, unseen: int) -> float:
    """Return the feature for the share of a kind among the unseen cards; 0 for an unknown card."""
    return 0.0 if kind == UNKNOWN else min(known.unseen[kind] / unseen * MOST_LEFT, 1.0)


@kernel
def _partner_of(slot: int, cards: int) -> int:
    """Return the other slot of a column of two."""
    half = cards // 2
    return slot + half if slot < half else slot - half


@kernel
def _settled(known: Knowledge) -> float:
    """Return the score of the seat's board with the card in hand, if any, in its best slot."""
    if known.held == NO_CARD:
        return board_score(known.boards[0, : known.cards])
    return _score_placed(known, known.held, known.source == s.FROM_RECYCLING)


@kernel
def _swapped(known: Knowledge, first: int, second: int) -> float:
    """Return the result of `_settled` with two cards of the board swapped."""
    exchange(known, 0, first, second)
    score = _settled(known)
    exchange(known, 0, first, second)
    return score


@kernel
def _best_swap(known: Knowledge, first: int) -> float:
    best = np.inf
    for second in range(known.cards):
        if second != first:
            best = min(best, _swapped(known, first, second))
    return best


@kernel
def _has_partner(board: Board, slot: int) -> bool:
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
def _write_discard(known: Knowledge, kind: int, out: FloatArray) -> None:
    """Write how much the next seat could lower its board at once with the discarded card."""
    board = known.boards[1, : known.cards]
    if kind == UNKNOWN:
        return
    before = board_score(board)
    best = before
    for slot in range(known.cards):
        best = min(best, score_with(board, slot, kind))
    out[NEXT_GAINS] = min((before - best) / MOST_GAIN, 1.0)
