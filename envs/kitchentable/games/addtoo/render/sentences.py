"""Sentences used in both the text and the pictures of Add-Too."""

from __future__ import annotations

from kitchentable.games.addtoo import state as s
from kitchentable.games.addtoo.board import is_enclosed, is_sealed, last_tile
from kitchentable.games.addtoo.geometry import DIRECTION, SIDES, TURNS
from kitchentable.games.addtoo.render.view import (
    Offer,
    View,
    choosable,
    last_sides,
    numbers_of,
    numbers_that_fit,
    pile_order,
    place_by_tile,
    places_for,
    spots,
    tiles_of,
)
from kitchentable.games.addtoo.state import NAMES, State
from kitchentable.render.phrases import GLUE, ORDINALS, count, holding, listed, scored

HIDDEN = "the pile"
"""Name of what only viewers who see everything are shown."""
FIRST = "The first diamond may be any; it scores nothing."
SCORING = listed(s.SCORING, "or")
"""The sums that score."""
COLORS = ("orange", "blue")
_BEYOND = (
    ("upper right", "upper left", "below"),
    ("lower left", "lower right", "above"),
)
"""Where the triangle across an edge is, by direction: from an up and from a down triangle."""


# --- The game -----------------------------------------------------------------------------------


def about(view: View) -> str:
    """Describe the current hand (the last one if the game is finished) and the limits."""
    hand = int(view.state.hands_done) + (not view.is_over)
    target = count(view.params.target, "point")
    return f"hand {hand} of at most {view.params.max_hands}, to {target}"


def variants(view: View) -> str:
    """List the parameters that change the rules; empty for the usual rules."""
    params = view.params
    waiting = ORDINALS[params.hand - 1]
    rules = {
        f"{params.in_play.bit_count()} diamonds": params.diamonds != "all",
        f"hands of {params.hand}": params.hand != s.HAND,
        "parallel only": not params.turned,
        "strict colors": params.strict_colors,
        f"{waiting} drawn waits": not params.fifth_draw_plays,
        "sealed goes on": not params.sealed_ends_hand,
        "own print": params.orange != "parity",
    }
    return ", ".join(holding(rules))


def decision(view: View) -> str:
    """Describe who decides what, or the outcome of a finished game."""
    if view.is_over:
        return view.outcome
    choice = "a diamond"
    if view.state.phase == s.PLACE:
        choice = f"a place for {NAMES[view.state.chosen]}"
    return f"{view.mover:chooses} {choice}"


def note(view: View) -> str:
    """Describe what else matters now; empty if nothing does."""
    state = view.state
    if view.is_over:
        stopped = " at the last hand, the target not reached" if state.truncated else ""
        return f"Game over{stopped}: {ending(view)}."
    sentences = []
    if state.hand_over:
        sentences.append(scored("Hand", int(state.hands_done)))
    if state.passes:
        sentences.append(f"{count(int(state.passes), 'player')} just passed.")
    return " ".join(sentences)


def ending(view: View) -> str:
    """Describe why the last hand of a game ended."""
    state = view.state
    for player in range(int(state.num_players)):
        if not tiles_of(state.hands[player]):
            return f"{view.who(player).inside:has} laid all diamonds"
    if is_enclosed(state):
        return "the last diamond is touched on all sides"
    if state.sealed_ends_hand and is_sealed(state):
        return "there is no room at the last diamond"
    return "nobody can play"


def may_choose(view: View) -> str:
    """List the diamonds that can be chosen, with their number of places and most points."""
    texts = []
    for tile in choosable(view.state):
        places = places_for(view, tile)
        if not places:  # the first diamond
            return ""
        best = max(offer.points for offer in places)
        texts.append(f"{NAMES[tile]} ({count(len(places), 'place')}, up to {best})")
    return f"May choose: {', '.join(text.replace(' ', GLUE) for text in texts)}." if texts else ""


# --- The layout ---------------------------------------------------------------------------------


def about_last(view: View, *, with_sides: bool = True) -> str:
    """Describe the last diamond: the numbers that fit it and, if wanted, its open sides."""
    last = last_tile(view.state)
    if last == s.NO_TILE:
        return FIRST
    clauses = []
    for color, name in enumerate(COLORS):
        number = int(numbers_of(view.params)[color, last])
        fitting = listed(numbers_that_fit(number), "or")
        openness = f" ({_openness(view.state, color)})" if with_sides else ""
        clauses.append(f"{name} {number} takes {fitting}{openness}")
    return f"Last played: {NAMES[last]}, {', '.join(clauses)}."


def _openness(state: State, color: int) -> str:
    """Describe where the last diamond has open sides of a color, with room or without."""
    wheres, sides = side_wheres(state), last_sides(state)
    own = [side for side in range(SIDES) if side_color(side) == color and sides[side].is_open]
    groups = {
        "open": [wheres[side] for side in own if sides[side].has_room],
        "without room": [wheres[side] for side in own if not sides[side].has_room],
    }
    return "; ".join(f"{how}: {listed(at)}" for how, at in groups.items() if at) or "closed"


def side_color(side: int) -> int:
    """Return the color of a side of a diamond."""
    return side // (SIDES // 2)


def side_wheres(state: State) -> list[str]:
    """Describe where each side of the last diamond is in the drawing."""
    _, _, axis, flip = place_by_tile(state)[last_tile(state)]
    return [_BEYOND[side_color(side) ^ flip][int(DIRECTION[axis, side])] for side in range(SIDES)]


def side_of(offer: Offer) -> int:
    """Return the side of the last diamond for a place that is not for a bonus play."""
    return (offer.action - s.AT_LAST) // TURNS


def about_place(view: View, offer: Offer) -> str:
    """Describe in two words what a place touches: a color of the last diamond and its number."""
    if offer.is_bonus:
        return "bonus play"
    color = side_color(side_of(offer))
    return f"{COLORS[color]} {numbers_of(view.params)[color, last_tile(view.state)]}"


def about_spots(view: View) -> str:
    """Count the places for bonus plays, and those for which a seat holds a diamond that fits."""
    if view.state.num_laid == 0 or view.is_over:
        return ""
    places = spots(view.state)
    if not places:
        return "No place for a bonus play."
    used = sum(bool(spot.holders) for spot in places)
    return f"Places for bonus plays: {len(places)}; somebody has a diamond for {used}."


def about_pile(view: View) -> str:
    """List the diamonds of the pile for viewers who may see them; else empty."""
    order = pile_order(view)
    return f"Pile, the next one first: {', '.join(order)}." if order else ""


def pile_count(view: View) -> str:
    """Describe how many diamonds are in the pile."""
    return f"{view.state.pile_size} in the pile"


def points_of(points: int) -> str:
    """Return points in words: ``no points``, ``1 point``, ``15 points``."""
    return count(points, "point") if points else "no points"


# --- A seat -------------------------------------------------------------------------------------


def tags(view: View, player: int) -> list[str]:
    """Return short tags that apply to a seat."""
    claims = {
        "began": player == view.state.starter,
        "winner": view.is_over and player in view.winners,
    }
    return holding(claims)


def this_hand(view: View, player: int) -> str:
    """Describe a seat's points in the current hand; after the game, minus the penalty."""
    points = int(view.state.points[player])
    if not view.is_over:
        return f"this hand {points}"
    lost = s.LEFT_PENALTY * len(tiles_of(view.state.hands[player]))
    return f"last hand {points} - {lost} = {points - lost}" if lost else f"last hand {points}"


def last_hand(view: View, player: int) -> str:
    """Describe a seat's points in the previous hand; empty if there is none or the game is over."""
    if view.state.hands_done == 0 or view.is_over:
        return ""
    return f"hand {view.state.hands_done}: {view.state.last_scores[player]}"
