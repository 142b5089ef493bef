"""A table of Fiddlefoo as text, and what its actions mean."""

from __future__ import annotations

import textwrap

from kitchentable.core.state import NOBODY
from kitchentable.games.fiddlefoo.cards import (
    CARD_NAMES,
    COLOR_CODES,
    COLORS,
    NO_CARD,
    NUM_BASE,
    NUM_COLORS,
)
from kitchentable.games.fiddlefoo.render.sentences import (
    about_pair,
    decision,
    game_of_games,
    games_sum,
    last_hand,
    last_piles,
    notes,
    out_of_game,
    progress,
    seen_by,
    tags,
    unit,
    variants,
)
from kitchentable.games.fiddlefoo.render.view import (
    Cell,
    Held,
    View,
    cards_of,
    choices,
    code,
    hand,
    knows,
    map_cards,
    named,
    pair,
    prospects,
)
from kitchentable.games.fiddlefoo.state import FULL_PILE, OVER, THROW, Params, State

ACTION_HELP = {
    "card": "choose {} from the hand, to play it or as an effect asks",
    "cell": "put the chosen card in row and column {}",
    "throw": "throw {} at the seat that made the pair: it goes into that hand, open",
    "pass": "throw nothing (more), or do nothing (more) by an effect",
    "pile": "put {} on the pile of its color, instead of throwing it",
    "map": "choose {} on the map, as an effect asks",
}

_LINE = 80
_GLUE = "\N{NO-BREAK SPACE}"
"""Holds words together while lines are broken; written as a plain space."""
_LEGEND = (
    "Y7 card   y7 action card   =Y7 of the pair   + possible cell   Y7< just received",
    "[ ] hidden   [Y7] hidden, but known to all   Y7* likewise, open",
    "Music notes: 1 on 1, 2, 15, 16; 2 on 3, 4, 13, 14; 4 on 8, 9; 3 on the others",
)


def text(view: View) -> str:
    """Write the table in at most 80 columns; brackets are cards that the viewer does not see."""
    state, params, viewer = view.state, view.params, view.viewer
    about = [game_of_games(state, params), variants(params), seen_by(viewer)]
    sentences = [
        f"Fiddlefoo, {', '.join(filter(None, about))}",
        decision(state),
        about_pair(state),
        " ".join(notes(state)),
        f"Draw pile {state.deck_size}. {out_of_game(state)}",
        _piles(state),
        last_piles(state),
    ]
    blocks = [_block(state, params, viewer, player) for player in range(int(state.num_players))]
    seats = [line for block in blocks for line in block]
    return "\n".join([*_wrapped(sentences, ""), "", *_map(state, params), "", *seats, "", *_LEGEND])


def _wrapped(sentences: list[str], indent: str) -> list[str]:
    lines: list[str] = []
    for sentence in sentences:
        lines += textwrap.wrap(
            sentence, _LINE, initial_indent=indent, subsequent_indent=indent + "  "
        )
    return [line.replace(_GLUE, " ") for line in lines]


def _piles(state: State) -> str:
    """Describe the piles of the cooperative variant; empty in the others."""
    if not state.cooperative:
        return ""
    cards = cards_of(state.on_piles)
    told = []
    for color in range(NUM_COLORS):
        on_pile = " ".join(named(c) for c in cards if code(c)[0] == COLOR_CODES[color])
        count = f"{COLORS[color]} {state.pile_notes[color]}/{FULL_PILE}".replace(" ", _GLUE)
        told.append(f"{count} ({on_pile})" if on_pile else count)
    return f"Piles: {', '.join(told)}."


def _map(state: State, params: Params) -> list[str]:
    """Draw the window, and name the action cards on it and the pairs of possible cells."""
    cards, side = map_cards(state), range(params.map_size)
    names = {cell: _short(card) for cell, card in cards.items()}
    made = pair(state)
    names |= {cell: f"={names.get(cell, '')}" for cell in made.cells} if made else {}
    names |= dict.fromkeys(choices(state, params, NOBODY).cells, "+")
    grid = [[names.get((row, column), ".") for column in side] for row in side]
    wide = 5 if 5 * params.map_size + 3 <= _LINE else 4
    lines = [
        "".join(f"{name:>{wide}}" for name in line)
        for line in ([f"{column}" for column in side], *grid)
    ]
    labels = ["   ", *(f"{row:>3}" for row in side)]
    actions = ", ".join(
        f"{CARD_NAMES[card]} at {_at(cell)}" for cell, card in cards.items() if card >= NUM_BASE
    )
    told = [f"Action cards: {actions}." if actions else "", _offers(state)]
    drawn = [label + line for label, line in zip(labels, lines, strict=True)]
    return [*drawn, *_wrapped(told, "  ")]


def _offers(state: State) -> str:
    """Say what pair the chosen card would make where; empty while none is chosen."""
    pairs = [
        f"{_at(cell)} {code(p.cards[1])} {p.span}, {p.distance}{' safe' if p.safe else ''}"
        for cell, p in prospects(state).items()
    ]
    options = "; ".join(text.replace(" ", _GLUE) for text in pairs)
    return f"Partner, numbers in range, distance by cell: {options}." if options else ""


def _at(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _short(card: int) -> str:
    """Write a card in three letters."""
    return code(card) if card < NUM_BASE else code(card).lower()


def _block(state: State, params: Params, viewer: int, player: int) -> list[str]:
    """Return the lines of one seat: name and total, hand, what it may do, the last game."""
    acts = state.phase != OVER and player == state.current_player
    total = f"player_{player} {state.totals[player]} {unit(state)}"
    added = games_sum(state, player, 24)
    about = [total, f"({added})" if added else "", progress(state, viewer, player)]
    first = " ".join([*filter(None, about), *(f"[{tag}]" for tag in tags(state, viewer, player))])
    cards = hand(state, viewer, player)
    seen = [_held(held) for held in cards if held.card != NO_CARD]
    hidden = len(cards) - len(seen)
    seen += [f"[ ]{_GLUE}x{hidden}"] if hidden else []
    may = choices(state, params, viewer).hand if acts and knows(state, viewer, player) else ()
    offered = " ".join(CARD_NAMES[held.card] for held in cards if held.card in may)
    sentences = [
        f"hand  {'  '.join(seen) or 'none'}",
        f"may {'throw' if state.phase == THROW else 'choose'}: {offered}" if offered else "",
        last_hand(state, player),
    ]
    return [*_wrapped([first], "> " if acts else "  "), *_wrapped(sentences, "    ")]


def _held(held: Held) -> str:
    name = named(held.card).replace(" ", _GLUE)
    if not held.is_open:
        return f"[{name}]" + "<" * held.received
    return name + "*" * held.known + "<" * held.received
