"""Explanations of the Add-Too actions, in general and at a given table."""

from __future__ import annotations

from kitchentable.games.addtoo import state as s
from kitchentable.games.addtoo.board import last_tile
from kitchentable.games.addtoo.render.sentences import (
    COLORS,
    about_place,
    points_of,
    side_of,
    side_wheres,
)
from kitchentable.games.addtoo.render.view import (
    Offer,
    View,
    offers,
    place_by_tile,
    places_for,
    touched,
)
from kitchentable.games.addtoo.state import NAMES, Params
from kitchentable.render.phrases import ORDINALS, count, listed

ACTION_HELP = {
    "tile": "lay your {}; where, you choose next",
    "last": (
        "lay it beside the last diamond; {} is a side of that one (0 and 1 orange, 2 and 3 blue, "
        "counter-clockwise) and 0 or 1: parallel to it if both are even or both odd, else turned"
    ),
    "on": (
        f"make a bonus play, for {s.BONUS} points more a side; {{}} is a diamond that it touches, "
        "a side of that one and 0 or 1, as at the last diamond"
    ),
}


def _side(what: str) -> str:
    """Name a side of a diamond and how another one lies there."""
    side, turn = map(int, what.split(","))
    lies = "parallel" if side % 2 == turn % 2 else "turned"
    return f"{ORDINALS[side % 2]} {COLORS[side // 2]} side, {lies}"


def _bonus(_: Params, what: str) -> str:
    tile, where = what.split(",", 1)
    return f"Bonus play at {tile}, {_side(where)}"


ACTION_WORDS = {"tile": "Lay {}", "last": lambda _, what: f"At its {_side(what)}", "on": _bonus}


def explain(view: View, action_name: str) -> str:
    """Describe what a legal action would do: for a place, its letter, position and points."""
    found = {offer.name: offer for offer in offers(view)}
    if found:
        return _of_place(view, found[action_name])
    return _of_diamond(view, view.legal[action_name])


def _of_diamond(view: View, tile: int) -> str:
    places = places_for(view, tile)
    if not places:
        return f"begin the hand with {NAMES[tile]}; it scores nothing"
    best = max(offer.points for offer in places)
    most = "up to " if len({offer.points for offer in places}) > 1 else ""
    needs_bonus = all(offer.is_bonus for offer in places if offer.points == best)
    how = " as a bonus play" if needs_bonus else ""
    return f"lay {NAMES[tile]}: {count(len(places), 'place')}, {most}{points_of(best)}{how}"


def _of_place(view: View, offer: Offer) -> str:
    """Describe a place and its points."""
    what, state = about_place(view, offer), view.state
    if offer.is_bonus:
        beside = listed(NAMES[tile] for tile in touched(state, offer.place))
        return f"{offer.letter}: {what} at {beside}, {points_of(offer.points)}"
    where = side_wheres(state)[side_of(offer)]
    axis = place_by_tile(state)[last_tile(state)][2]
    how = "parallel" if offer.place[2] == axis else "turned"
    return f"{offer.letter}: {where}, at {what}, {how}, {points_of(offer.points)}"
