"""A table of Add-Too as text, and what its actions mean; `wording_turns` explains a turn."""

from __future__ import annotations

import textwrap

from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render.characters import layout_lines
from kitchentable.games.addtoo.render.sentences import (
    GLUE,
    about_last,
    about_pile,
    about_spots,
    decision,
    hand_of_hands,
    hands_sum,
    last_hand,
    may_choose,
    notes,
    pile_count,
    seen_by,
    tags,
    this_hand,
    variants,
)
from kitchentable.games.addtoo.render.view import (
    View,
    colored,
    numbers_of,
    offers,
    place_by_tile,
    spots,
    tiles_of,
)
from kitchentable.games.addtoo.state import NAMES, OVER, Params, State, action_names

ACTION_HELP = {
    "tile": "lay your {}; where, you choose next",
    "last": (
        "lay it beside the last diamond; {} is a side of that one (0 and 1 orange, 2 and 3 blue, "
        "counter-clockwise) and 0 or 1: parallel to it if both are even or both odd, else turned"
    ),
    "on": (
        "make a bonus play, for 5 points more a side; {} is a diamond that it touches, a side of "
        "that one and 0 or 1, as at the last diamond"
    ),
}

_LINE = 80
_INDENT = 2
_LEGEND = (
    "b3-o10 is diamond 3-10, its 3 blue and its 10 orange; # is around the last one.",
    "Places are x,y,k,c: column, row (upwards), direction of the inner edge, colors.",
)


def text(view: View) -> str:
    """Write the table in at most 80 columns."""
    state, params, viewer = view.state, view.params, view.viewer
    about = [hand_of_hands(state, params), variants(params), seen_by(viewer)]
    sentences = [
        f"Add-Too, {', '.join(filter(None, about))}",
        decision(state),
        " ".join(notes(state)),
        about_last(state, params),
        may_choose(state, params),
        about_spots(state),
        _spots(state, params),
        about_pile(state, viewer) or f"{pile_count(state)}, face down.",
    ]
    seats = [
        line
        for player in range(params.num_players)
        for line in _seat(state, params, viewer, player)
    ]
    return "\n".join([*_wrapped(sentences, ""), *_layout(state, params), "", *seats, "", *_LEGEND])


def _wrapped(sentences: list[str], indent: str) -> list[str]:
    lines: list[str] = []
    for sentence in sentences:
        lines += textwrap.wrap(
            sentence,
            _LINE,
            initial_indent=indent,
            subsequent_indent=indent + " " * _INDENT,
            break_on_hyphens=False,
        )
    return [line.replace(GLUE, " ") for line in lines]


def _joined(items: list[str], between: str) -> str:
    """Put items in a row that lines are broken between, not inside."""
    return between.join(item.replace(" ", GLUE) for item in items)


# --- The layout ---------------------------------------------------------------------------------


def _layout(state: State, params: Params) -> list[str]:
    """Draw the layout, and name the lying diamonds and the places for the chosen one."""
    by_tile = place_by_tile(state)
    if not by_tile:
        return []
    found = offers(state, params)
    orange, blue = numbers_of(params).tolist()
    lying = [(place, (orange[tile], blue[tile])) for tile, place in by_tile.items()]
    drawn = layout_lines(lying, found, _LINE - _INDENT)
    laid = [f"{NAMES[tile]} {_at(place)}" for tile, place in by_tile.items()]
    names = action_names(params)
    places = [
        f"{offer.letter} {names[offer.action]} {_at(offer.place)} {offer.points}" for offer in found
    ]
    told = [f"Laid in this order: {_joined(laid, ', ')}."]
    if places:
        told.append(f"Places for {NAMES[state.chosen]}, and points: {_joined(places, ', ')}.")
    return ["", *(" " * _INDENT + line if line else "" for line in drawn), "", *_wrapped(told, "")]


def _at(place: Place) -> str:
    return f"({','.join(map(str, place))})"


def _spots(state: State, params: Params) -> str:
    """Name the places for bonus plays, and who has a diamond for them; empty if there are none."""
    if state.phase == OVER:
        return ""
    names = action_names(params)
    told = []
    for spot in spots(state):
        held = [f"{NAMES[tile]} of player_{seat}" for tile, seat in spot.holders.items()]
        fits = _joined(held, ", ") or "nobody's"
        told.append(_joined([f"{names[spot.action]} {_at(spot.place)}: "], "") + fits)
    return f"Bonus plays: {'; '.join(told)}." if told else ""


# --- A seat -------------------------------------------------------------------------------------


def _seat(state: State, params: Params, viewer: int, player: int) -> list[str]:
    """Return the lines of one seat: name and total, hand, what it may do, finished hands."""
    acts = state.phase != OVER and player == state.current_player
    added = hands_sum(state, player, 24)
    about = [
        f"player_{player} {state.totals[player]} points",
        f"({added})" if added else "",
        *filter(None, (this_hand(state, player), last_hand(state, player))),
    ]
    first = "  ".join([*filter(None, about), *(f"[{tag}]" for tag in tags(state, viewer, player))])
    hand = [colored(params, tile) for tile in tiles_of(state.hands[player])]
    held = f"hand  {_joined(hand, '  ') or 'none'}"
    return [*_wrapped([first], "> " if acts else "  "), *_wrapped([held], "    ")]
