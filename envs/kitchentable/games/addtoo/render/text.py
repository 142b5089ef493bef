"""An Add-Too table as text."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render import sentences
from kitchentable.games.addtoo.render.characters import layout_lines
from kitchentable.games.addtoo.render.view import (
    View,
    colored,
    numbers_of,
    offers,
    place_by_tile,
    spots,
    tiles_of,
)
from kitchentable.games.addtoo.state import NAMES
from kitchentable.render.phrases import GLUE, LINE, count, in_lines

_INDENT = "  "
_SUM = 24
"""Maximum number of characters for the sum of a seat's hands."""
_LEGEND = (
    "b3-o10 is diamond 3-10, its 3 blue and its 10 orange; # is around the last one.",
    "Places are x,y,k,c: column, row (upwards), direction of the inner edge, colors.",
)


def text(view: View) -> str:
    """Return the table as text of at most 80 columns."""
    about = [
        sentences.about(view),
        sentences.variants(view),
        view.whose(sentences.HIDDEN),
    ]
    told = [
        f"{view.game.title}, {', '.join(filter(None, about))}",
        sentences.decision(view),
        sentences.note(view),
        sentences.about_last(view),
        sentences.may_choose(view),
        sentences.about_spots(view),
        _spots(view),
        sentences.about_pile(view) or f"{sentences.pile_count(view)}, face down.",
    ]
    seats = [line for player in range(view.params.num_players) for line in _seat(view, player)]
    return "\n".join([*in_lines(told), *_layout(view), "", *seats, "", *_LEGEND])


def _joined(items: Iterable[str], between: str) -> str:
    """Join items so that line breaks fall between them and not inside."""
    return between.join(item.replace(" ", GLUE) for item in items)


# --- The layout ---------------------------------------------------------------------------------


def _layout(view: View) -> list[str]:
    """Draw the layout, and list the lying diamonds and the places for the chosen one."""
    by_tile = place_by_tile(view.state)
    if not by_tile:
        return []
    found = offers(view)
    orange, blue = numbers_of(view.params).tolist()
    lying = [(place, (orange[tile], blue[tile])) for tile, place in by_tile.items()]
    drawn = layout_lines(lying, found, LINE - len(_INDENT))
    laid = [f"{NAMES[tile]} {_at(place)}" for tile, place in by_tile.items()]
    told = [f"Laid in this order: {_joined(laid, ', ')}."]
    if found:
        places = [f"{one.letter} {one.name} {_at(one.place)} {one.points}" for one in found]
        chosen = NAMES[view.state.chosen]
        told.append(f"Places for {chosen}, and points: {_joined(places, ', ')}.")
    return ["", *(_INDENT + line if line else "" for line in drawn), "", *in_lines(told)]


def _at(place: Place) -> str:
    return f"({','.join(map(str, place))})"


def _spots(view: View) -> str:
    """List the places for bonus plays and the seats that have a diamond for them; may be empty."""
    if view.is_over:
        return ""
    told = []
    for spot in spots(view.state):
        held = [
            f"{view.who(seat).inside.whose} {NAMES[tile]}" for tile, seat in spot.holders.items()
        ]
        where = f"{spot.name} {_at(spot.place)}: ".replace(" ", GLUE)
        told.append(where + (_joined(held, ", ") or "nobody's"))
    return f"Bonus plays: {'; '.join(told)}." if told else ""


# --- A seat -------------------------------------------------------------------------------------


def _seat(view: View, player: int) -> list[str]:
    """Return the lines of one seat: its name, points and tags, then its hand."""
    added = view.hands_sum(player, _SUM)
    about = [
        f"{view.who(player)} {count(int(view.state.totals[player]), 'point')}",
        f"({added})" if added else "",
        sentences.this_hand(view, player),
        sentences.last_hand(view, player),
        *(f"[{tag}]" for tag in sentences.tags(view, player)),
    ]
    hand = [colored(view.params, tile) for tile in tiles_of(view.state.hands[player])]
    return [
        *in_lines(["  ".join(filter(None, about))], "> " if view.acts(player) else "  "),
        *in_lines([f"hand  {_joined(hand, '  ') or 'none'}"], "    "),
    ]
