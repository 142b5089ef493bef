"""Text rendering of Fiddlefoo."""

from __future__ import annotations

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.render import sentences
from kitchentable.games.fiddlefoo.render.view import (
    Cell,
    Held,
    View,
    code,
    hand,
    map_cards,
    named,
    pair,
    piles,
    possible,
    prospects,
)
from kitchentable.games.fiddlefoo.state import State
from kitchentable.render.phrases import GLUE, LINE, in_lines


def _notes_of_numbers() -> str:
    """Return which numbers have how many notes; the most frequent count is listed as the rest."""
    notes = c.NOTES_OF_NUMBER[1:]
    most = max(notes, key=notes.count)
    groups = [
        f"{n} on {', '.join(str(i) for i, other in enumerate(notes, 1) if other == n)}"
        for n in sorted({*notes} - {most})
    ]
    return f"{'; '.join(groups)}; {most} on the others"


_LEGEND = (
    "Y7 card   y7 action card   =Y7 of the pair   + possible cell   Y7< just received",
    "[ ] hidden   [Y7] hidden, but known to all   Y7* likewise, open",
    f"Music notes: {_notes_of_numbers()}",
)


def text(view: View) -> str:
    """Return the table in at most 80 columns; brackets mark cards in hands closed to the viewer."""
    state = view.state
    paragraphs = [
        f"{view.game.title}, {sentences.about(view)}, {view.whose()}",
        sentences.decision(view),
        sentences.about_pair(state),
        sentences.note(view),
        f"Draw pile {state.deck_size}. {sentences.out_of_game(state)}",
        _piles(state),
        sentences.last_piles(state),
    ]
    seats = [line for player in range(int(state.num_players)) for line in _block(view, player)]
    return "\n".join([*in_lines(paragraphs), "", *_map(view), "", *seats, "", *_LEGEND])


def _piles(state: State) -> str:
    """Return a sentence on the piles of the cooperative variant; empty in other games."""
    if not state.cooperative:
        return ""
    descriptions = []
    for color, pile in enumerate(piles(state)):
        on_pile = " ".join(map(named, pile))
        count = f"{c.COLORS[color]} {state.pile_notes[color]}/{s.FULL_PILE}".replace(" ", GLUE)
        descriptions.append(f"{count} ({on_pile})" if on_pile else count)
    return f"Piles: {', '.join(descriptions)}."


def _map(view: View) -> list[str]:
    """Return the lines of the map, of its action cards, and of the pairs in possible cells."""
    state, size = view.state, int(view.state.map_size)
    cards, pair_made, may, side = map_cards(state), pair(state), possible(view), range(size)
    names = {cell: _short(card) for cell, card in cards.items()}
    names |= {cell: f"={names.get(cell, '')}" for cell in pair_made.cells} if pair_made else {}
    grid = [
        ["+" if f"cell:{row},{column}" in may else names.get((row, column), ".") for column in side]
        for row in side
    ]
    wide = 5 if 5 * size + 3 <= LINE else 4
    lines = [
        "".join(f"{name:>{wide}}" for name in line)
        for line in ([f"{column}" for column in side], *grid)
    ]
    labels = ["   ", *(f"{row:>3}" for row in side)]
    actions = ", ".join(
        f"{c.CARD_NAMES[card]} at {_at(cell)}" for cell, card in cards.items() if card >= c.NUM_BASE
    )
    paragraphs = [f"Action cards: {actions}." if actions else "", _offers(state)]
    drawn = [label + line for label, line in zip(labels, lines, strict=True)]
    return [*drawn, *in_lines(paragraphs, "  ")]


def _offers(state: State) -> str:
    """Return the pair that the chosen card would make in each legal cell; else empty."""
    pairs = [
        f"{_at(cell)} {code(p.cards[1])} {p.span}, {p.distance}{' safe' if p.safe else ''}"
        for cell, p in prospects(state).items()
    ]
    options = "; ".join(text.replace(" ", GLUE) for text in pairs)
    return f"Partner, numbers in range, distance by cell: {options}." if options else ""


def _at(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _short(card: int) -> str:
    """Return a card as at most three characters, an action card in lower case."""
    return code(card) if card < c.NUM_BASE else code(card).lower()


def _block(view: View, player: int) -> list[str]:
    """Return the lines of a seat: name and total, hand, legal choices, last game."""
    state, acts = view.state, view.acts(player)
    total = f"{view.who(player)} {' '.join(sentences.total(state, player))}"
    added = view.hands_sum(player, 24)
    about = [total, f"({added})" if added else "", sentences.progress(view, player)]
    first = " ".join([*filter(None, about), *(f"[{tag}]" for tag in sentences.tags(view, player))])
    cards = hand(view, player)
    seen = [_held(held) for held in cards if held.card != c.NO_CARD]
    hidden = len(cards) - len(seen)
    seen += [f"[ ]{GLUE}x{hidden}"] if hidden else []
    kind = "throw" if state.phase == s.THROW else "card"
    names = [c.CARD_NAMES[held.card] for held in cards if held.card != c.NO_CARD]
    may = " ".join(name for name in names if acts and f"{kind}:{name}" in possible(view))
    paragraphs = [
        f"hand  {'  '.join(seen) or 'none'}",
        f"may {'throw' if kind == 'throw' else 'choose'}: {may}" if may else "",
        sentences.last_hand(state, player),
    ]
    return [*in_lines([first], "> " if acts else "  "), *in_lines(paragraphs, "    ")]


def _held(held: Held) -> str:
    name = named(held.card).replace(" ", GLUE)
    if not held.is_open:
        return f"[{name}]" + "<" * held.received
    return name + "*" * held.known + "<" * held.received
