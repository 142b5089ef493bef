"""A table of Diddly in words: the sentences that text and picture share, and the text itself."""

from __future__ import annotations

import textwrap

import numpy as np

from kitchentable.core.state import NOBODY, BoolArray
from kitchentable.games.diddly.render.view import View
from kitchentable.games.diddly.rules import hand_scores, legal_action_mask, ranks
from kitchentable.games.diddly.state import (
    CARD_NAMES,
    DIDDLY,
    DRAW,
    FLIP,
    FROM_DECK,
    FROM_PILE,
    FROM_RECYCLING,
    HALF,
    MAX_CARDS,
    NO_CARD,
    OVER,
    PASS,
    PEEK,
    PLACE,
    RECYCLE,
    RECYCLE_KIND,
    SLOT,
    SOURCE,
    SWAP,
    SWAP_FIRST,
    SWAP_SECOND,
    TAKE,
    USE_PEEK,
    Params,
    State,
    is_known,
)

# --- What there is to tell ----------------------------------------------------------------------

LONG_NAMES = {DIDDLY: "Diddly", SWAP: "Swap", HALF: "Half", PEEK: "Peek", RECYCLE: "Recycle"}
"""The special cards, written out."""

OBTAINED = {FROM_DECK: "drew", FROM_PILE: "took", FROM_RECYCLING: "recycled"}
"""What was done to get the card in hand, by its source."""

ACTION_HELP = {
    "draw": "draw the unseen top card of the deck",
    "take": "take the top card of the discard pile",
    "recycle": "get the card {} back from the discard pile for a face-up Recycle",
    "slot": "turn up, look at, swap or replace the card in slot {}, counted row by row from 0",
    "pass": "do not swap: leave the cards as they are",
}


def decision(state: State) -> str:
    """Say who decides what."""
    phase = int(state.phase)
    if phase == OVER:
        return _outcome(state)
    if phase == FLIP:
        what = f"turns a card face up ({state.flips_left} to go)"
    elif phase == USE_PEEK:
        what = "looks at one of its face-down cards"
    elif phase == SWAP_FIRST:
        what = "may swap two of its cards"
    elif phase == SWAP_SECOND:
        what = f"swaps slot {state.swap_slot} with another"
    elif phase == SOURCE:
        what = _sources(state)
    else:
        what = f"places {_held(state)}"
    return f"player_{state.current_player} {what}"


def choices(state: State) -> BoolArray:
    """Return which actions are legal now; none of a game that is over."""
    mask = np.zeros(SLOT + int(state.cards), np.bool_)
    if state.phase != OVER:
        legal_action_mask(state, mask)
    return mask


def _sources(state: State) -> str:
    mask = choices(state)
    ways = ["draw"] if mask[DRAW] else []
    if mask[TAKE]:
        ways.append(f"take the {card_name(state.pile[state.pile_size - 1])}")
    if mask[RECYCLE_KIND:PASS].any():
        ways.append("recycle")
    return "may " + ", ".join([*ways[:-2], " or ".join(ways[-2:])])


def card_name(kind: int) -> str:
    """Name a card, written out."""
    return LONG_NAMES.get(int(kind), CARD_NAMES[kind])


def _held(state: State) -> str:
    return f"the {card_name(state.held)} it {OBTAINED[int(state.source)]}"


def _outcome(state: State) -> str:
    ahead = winners(state)
    many = len(ahead) > 3
    names = f"{len(ahead)} seats" if many else " and ".join(f"player_{i}" for i in ahead)
    if state.truncated:
        return f"Stopped at the turn limit, {names} ahead"
    return f"{names} wins" if len(ahead) == 1 else f"{names} share the win"


def winners(state: State) -> list[int]:
    """Return the seats that are ahead by the finished rounds."""
    rank = np.zeros(int(state.num_players), np.int32)
    ranks(state, rank)
    return [int(player) for player in np.flatnonzero(rank == 1)]


def note(state: State) -> str:
    """Say what else matters now; empty if nothing does."""
    if state.phase == OVER:
        return "Game over."
    if state.hand_over:
        return f"Round {state.rounds_done} is over and scored; the next one is dealt."
    if state.seats_to_flip > 0:
        return "Setting up."
    notes = []
    if state.closer != NOBODY:
        notes.append(f"player_{state.closer} has closed: the last turns of this round.")
    if state.held != NO_CARD and state.phase != PLACE:
        notes.append(f"It has {_held(state)}.")
    return " ".join(notes)


def round_of_rounds(state: State, params: Params) -> str:
    """Say which round is being played; of a finished game, which was the last."""
    has_ended = state.phase == OVER and not state.truncated
    return f"round {int(state.rounds_done) + (not has_ended)} of {params.rounds}"


def seen_by(viewer: int) -> str:
    """Say whose knowledge is shown."""
    return "all cards shown" if viewer == NOBODY else f"as player_{viewer} sees it"


def tags(state: State, viewer: int, player: int) -> list[str]:
    """Say in one word each what sets a seat apart."""
    over = state.phase == OVER
    tags = {
        "you": player == viewer,
        "dealer": player == state.dealer and not over,
        "closed": player == state.closer,
        "winner": over and not state.truncated and player in winners(state),
    }
    return [tag for tag, holds in tags.items() if holds]


def rounds_sum(state: State, player: int, length: int) -> str:
    """Write how finished rounds add up, the last ones in at most ``length`` characters.

    Empty for a single round, which is the total.
    """
    scores = [str(score) for score in hand_scores(state, player)]
    if len(scores) < 2:
        return ""
    while len(text := "+".join(scores)) > length:
        scores = ["..", *scores[2 if scores[0] == ".." else 1 :]]
    return text


def last_board(state: State, player: int) -> str:
    """Write a seat's board of the round that has just finished, and its score."""
    columns = num_columns(state)
    names = [CARD_NAMES[kind] for kind in state.last_boards[player, : int(state.cards)]]
    rows = [" ".join(names[i : i + columns]) for i in range(0, len(names), columns)]
    return f"{' / '.join(rows)} = {state.last_scores[player]}"


def just_scored(state: State) -> bool:
    """Whether the last boards are news: the round is over and new cards are dealt."""
    return bool(state.hand_over) and state.phase != OVER


def num_columns(state: State) -> int:
    """Return how many cards lie beside each other on a board."""
    return 3 if state.cards == MAX_CARDS else int(state.cards) // 2


# --- Text ---------------------------------------------------------------------------------------

_LINE = 80
_CELL = 6
_GLUE = "\N{NO-BREAK SPACE}"
"""Holds a card and its number together while lines are broken; written as a plain space."""
_LEGEND = "[   ] face down   * its owner has looked at it   slots count row by row from 0"


def text(view: View) -> str:
    """Write the table in at most 80 columns; brackets are face-down cards."""
    state, params, viewer = view.state, view.params, view.viewer
    lines = _sentences(state, params, viewer)
    players = range(int(state.num_players))
    if just_scored(state):
        lines += [f"  player_{player}: {last_board(state, player)}" for player in players]
    width = _CELL * num_columns(state) + 2
    blocks = [_block(state, viewer, player) for player in players]
    across = _LINE // width
    for i in range(0, len(blocks), across):
        beside = zip(*blocks[i : i + across], strict=True)
        rows = ["".join(part.ljust(width) for part in row).rstrip() for row in beside]
        lines += ["", *filter(None, rows)]
    names = "  ".join(f"{CARD_NAMES[kind]} {name}" for kind, name in LONG_NAMES.items())
    return "\n".join([*lines, "", names, _LEGEND])


def _sentences(state: State, params: Params, viewer: int) -> list[str]:
    dealer = "" if state.phase == OVER else f", dealer player_{state.dealer}"
    where = f"{params.cards} cards, {round_of_rounds(state, params)}{dealer}"
    first = f"Diddly, {where}, {seen_by(viewer)}"
    lines: list[str] = []
    for sentence in (first, decision(state), note(state), _piles(state)):
        lines += textwrap.wrap(sentence, _LINE, subsequent_indent="  ")
    return [line.replace(_GLUE, " ") for line in lines]


def _piles(state: State) -> str:
    deck = f"Deck {state.deck_size}."
    if state.pile_size == 0:
        return f"{deck} No discard pile."
    kinds = np.flatnonzero(state.pile_counts)
    counts = ", ".join(f"{CARD_NAMES[kind]}{_GLUE}x{state.pile_counts[kind]}" for kind in kinds)
    top = card_name(state.pile[state.pile_size - 1])
    return f"{deck} Discard pile {state.pile_size}, {top} on top: {counts}."


def _block(state: State, viewer: int, player: int) -> list[str]:
    """Return the lines of one seat: name and total, marks, rounds, cards."""
    acts = state.phase != OVER and player == state.current_player
    columns = num_columns(state)
    cells = [_cell(state, viewer, player, slot) for slot in range(int(state.cards))]
    rows = ["".join(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    return [
        f"{'>' if acts else ' '} player_{player} {state.totals[player]} pts",
        "  " + " ".join(tags(state, viewer, player)),
        "  " + rounds_sum(state, player, _CELL * columns - 2),
        *(" " + row for row in rows),
    ]


def _cell(state: State, viewer: int, player: int, slot: int) -> str:
    known = is_known(state, viewer, player, slot)
    name = CARD_NAMES[state.boards[player, slot]] if known else ""
    if state.face_up[player, slot]:
        return f"  {name:>2}  "
    mark = "*" if state.peeked[player, slot] else " "
    return f" [{name:>2}{mark}]"
