"""What there is to say of a table of Add-Too: the sentences that text and picture share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kitchentable.core.state import NOBODY
from kitchentable.games.addtoo.board import is_enclosed, is_sealed, last_tile
from kitchentable.games.addtoo.geometry import DIRECTION, SIDES, TURNS
from kitchentable.games.addtoo.render.view import (
    Offer,
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
from kitchentable.games.addtoo.rules import hand_scores, ranks
from kitchentable.games.addtoo.state import (
    AT_LAST,
    LEFT_PENALTY,
    NAMES,
    NO_TILE,
    OVER,
    PLACE,
    Params,
    State,
)

COLORS = ("orange", "blue")
_BEYOND = (
    ("upper right", "upper left", "below"),
    ("lower left", "lower right", "above"),
)
"""Where the triangle across a side is, by direction: of an up triangle, of a down triangle."""
GLUE = "\N{NO-BREAK SPACE}"
"""Holds words together while lines are broken; written as a plain space."""


# --- The game -----------------------------------------------------------------------------------


def hand_of_hands(state: State, params: Params) -> str:
    """Say which hand is being played (of a finished game, which was the last), and how far."""
    hand = int(state.hands_done) + (state.phase != OVER)
    return f"hand {hand} of at most {params.max_hands}, to {params.target} points"


def variants(params: Params) -> str:
    """Name the parameters that change the rules; empty for the usual ones."""
    told = {
        "parallel only": not params.turned,
        "strict colors": params.strict_colors,
        "fifth drawn waits": not params.fifth_draw_plays,
        "sealed goes on": not params.sealed_ends_hand,
        "own print": params.orange != "parity",
    }
    return ", ".join(name for name, holds in told.items() if holds)


def seen_by(viewer: int) -> str:
    """Say whose knowledge is shown."""
    return "the pile shown" if viewer == NOBODY else f"as player_{viewer} sees it"


def decision(state: State) -> str:
    """Say who decides what."""
    if state.phase == OVER:
        return _outcome(state)
    if state.phase == PLACE:
        return f"player_{state.current_player} chooses a place for {NAMES[state.chosen]}"
    return f"player_{state.current_player} chooses a diamond"


def _outcome(state: State) -> str:
    best = winners(state)
    names = " and ".join(f"player_{i}" for i in best) if len(best) <= 3 else f"{len(best)} seats"
    return f"{names} wins" if len(best) == 1 else f"{names} share the win"


def winners(state: State) -> list[int]:
    """Return the seats of rank 1 so far."""
    rank = np.zeros(int(state.num_players), np.int32)
    ranks(state, rank)
    return [int(player) for player in np.flatnonzero(rank == 1)]


def notes(state: State) -> list[str]:
    """Say what else matters now."""
    if state.phase == OVER:
        stopped = " at the last hand, the target not reached" if state.truncated else ""
        return [f"Game over{stopped}: {ending(state)}."]
    told = []
    if state.hand_over:
        told.append(f"Hand {state.hands_done} is over and scored; the next one is dealt.")
    if state.passes:
        told.append(f"Seats that have just passed: {state.passes}.")
    return told


def ending(state: State) -> str:
    """Say why the last hand of a game ended."""
    for player in range(int(state.num_players)):
        if not tiles_of(state.hands[player]):
            return f"player_{player} has laid all diamonds"
    if is_enclosed(state):
        return "the last diamond is touched on all sides"
    if state.sealed_ends_hand and is_sealed(state):
        return "there is no room at the last diamond"
    return "no seat can play"


def may_choose(state: State, params: Params) -> str:
    """Say which diamonds may be chosen, in how many places they may be laid, and for how much."""
    told = []
    for tile in choosable(state):
        places = places_for(state, params, tile)
        if not places:  # the first diamond
            return ""
        best = max(offer.points for offer in places)
        count = f"{len(places)} place{'s' * (len(places) != 1)}"
        told.append(f"{NAMES[tile]} ({count}, up to {best})".replace(" ", GLUE))
    return f"May choose: {', '.join(told)}." if told else ""


# --- The layout ---------------------------------------------------------------------------------


def about_last(state: State, params: Params, *, with_sides: bool = True) -> str:
    """Describe the last diamond: the numbers that go to it, and which sides are open, if wanted."""
    last = last_tile(state)
    if last == NO_TILE:
        return "The first diamond may be any; it scores nothing."
    told = []
    for color, name in enumerate(COLORS):
        number = int(numbers_of(params)[color, last])
        fitting = listed(numbers_that_fit(number), "or")
        openness = f" ({_openness(state, color)})" if with_sides else ""
        told.append(f"{name} {number} takes {fitting}{openness}")
    return f"Last played: {NAMES[last]}, {', '.join(told)}."


def listed(items: Sequence[object], last: str = "and") -> str:
    """Write items with commas, and a word before the last one."""
    *most, final = map(str, items)
    return f"{', '.join(most)} {last} {final}" if most else final


def _openness(state: State, color: int) -> str:
    """Say where the last diamond has open sides of a color; where they lack room, that too."""
    wheres, sides = side_wheres(state), last_sides(state)
    own = [side for side in range(SIDES) if side_color(side) == color and sides[side].is_open]
    told = {
        "open": [wheres[side] for side in own if sides[side].has_room],
        "without room": [wheres[side] for side in own if not sides[side].has_room],
    }
    return "; ".join(f"{how}: {listed(at)}" for how, at in told.items() if at) or "closed"


def side_color(side: int) -> int:
    """Return the color of a side of a diamond."""
    return side // (SIDES // 2)


def side_wheres(state: State) -> list[str]:
    """Say where each side of the last diamond is, as in the drawing."""
    _, _, axis, flip = place_by_tile(state)[last_tile(state)]
    return [_BEYOND[side_color(side) ^ flip][int(DIRECTION[axis, side])] for side in range(SIDES)]


def side_of(offer: Offer) -> int:
    """Return the side of the last diamond that a place which is not for a bonus play is at."""
    return (offer.action - AT_LAST) // TURNS


def about_place(state: State, params: Params, offer: Offer) -> str:
    """Say in two words what a place is at: a color of the last diamond, with its number."""
    if offer.is_bonus:
        return "bonus play"
    color = side_color(side_of(offer))
    return f"{COLORS[color]} {numbers_of(params)[color, last_tile(state)]}"


def about_spots(state: State) -> str:
    """Count the places for bonus plays, and those where somebody has what fits."""
    if state.num_laid == 0 or state.phase == OVER:
        return ""
    found = spots(state)
    if not found:
        return "No place for a bonus play."
    used = sum(bool(spot.holders) for spot in found)
    return f"Places for bonus plays: {len(found)}; with a diamond of a hand: {used}."


def about_pile(state: State, viewer: int) -> str:
    """Name the diamonds of the pile to who may see them; empty else."""
    order = pile_order(state, viewer)
    return f"Pile, the next one first: {', '.join(order)}." if order else ""


def pile_count(state: State) -> str:
    """Say how many diamonds lie face down."""
    return f"{state.pile_size} in the pile"


# --- A seat -------------------------------------------------------------------------------------


def tags(state: State, viewer: int, player: int) -> list[str]:
    """Say in a few words each what sets a seat apart."""
    tags = {
        "you": player == viewer,
        "began": player == state.starter,
        "winner": state.phase == OVER and player in winners(state),
    }
    return [tag for tag, holds in tags.items() if holds]


def this_hand(state: State, player: int) -> str:
    """Say what a seat has scored in the hand, less what it lost for diamonds left."""
    points = int(state.points[player])
    if state.phase != OVER:
        return f"this hand {points}"
    lost = LEFT_PENALTY * len(tiles_of(state.hands[player]))
    return f"last hand {points} - {lost} = {points - lost}" if lost else f"last hand {points}"


def last_hand(state: State, player: int) -> str:
    """Say what a seat had in the hand before; empty if there is none, or the game is over."""
    if state.hands_done == 0 or state.phase == OVER:
        return ""
    return f"hand {state.hands_done}: {state.last_scores[player]}"


def hands_sum(state: State, player: int, length: int) -> str:
    """Write how finished hands add up, the last ones in at most ``length`` characters.

    Empty for less than two hands.
    """
    scores = [f"{score:+}" for score in hand_scores(state, player)]
    if len(scores) < 2:
        return ""
    shown = scores
    while len(text := "".join(shown).removeprefix("+")) > length:
        scores = scores[1:]
        shown = ["..", *scores]
    return text
