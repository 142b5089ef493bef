"""What a turn of Add-Too means, in sentences for who learns the game; and each of its actions."""

from __future__ import annotations

from itertools import groupby

from kitchentable.games.addtoo.board import last_tile
from kitchentable.games.addtoo.geometry import TURNS
from kitchentable.games.addtoo.render.sentences import (
    COLORS,
    about_place,
    ending,
    listed,
    side_of,
    side_wheres,
    winners,
)
from kitchentable.games.addtoo.render.view import (
    Offer,
    View,
    choosable,
    last_sides,
    numbers_of,
    numbers_that_fit,
    offers,
    place_by_tile,
    places_for,
    spots,
    touched,
)
from kitchentable.games.addtoo.state import NAMES, OVER, PLACE, Params, State


def situation(view: View) -> str:
    """Say who decides what, what that means and what led to it, or how the game has ended.

    All seats are told the same: only the order of the pile is hidden, and it is never told.
    """
    state, params = view.state, view.params
    if state.phase == OVER:
        told = _end(state, params)
    elif state.phase == PLACE:
        told = _choosing_place(state, params)
    elif state.num_laid == 0:
        told = _beginning(state)
    else:
        told = _choosing_diamond(state, params)
    return " ".join(filter(None, told))


def _seat(player: int) -> str:
    return f"player_{player}"


def _points(points: int) -> str:
    return f"{points or 'no'} point{'s' * (points != 1)}"


# --- The end of a hand and of a game --------------------------------------------------------------


def _end(state: State, params: Params) -> list[str]:
    best = winners(state)
    total = int(state.totals[best[0]])
    seats = listed([_seat(player) for player in best])
    won = f"{seats} share the win" if len(best) > 1 else f"{seats} wins"
    equal = sum(int(other) == total for other in state.totals[: params.num_players])
    by_hand = " and the better last hand" if equal > len(best) else ""
    stopped = (
        f"After {state.hands_done} hands the game stops, with nobody at {params.target} points."
        if state.truncated
        else f"The game is over, because {params.target} points are reached."
    )
    return [
        f"{won} with {_points(total)}{by_hand}.",
        stopped,
        f"The last hand ended because {ending(state)}; each diamond left in a hand cost 10 points.",
    ]


def _beginning(state: State) -> list[str]:
    seat = _seat(int(state.current_player))
    hand = int(state.hands_done) + 1
    return [
        _scored(state),
        f"{seat} has the diamond with the lowest sum and begins hand {hand}.",
        "The first diamond may be any; it scores nothing.",
        "The next seat lays one beside it, color to color, equal numbers or a sum of 5, 10, 15 or "
        "20, which scores.",
    ]


def _scored(state: State) -> str:
    """Say what the hand before brought, if it has just ended."""
    if not state.hand_over:
        return ""
    seats = range(int(state.num_players))
    scores = [f"{state.last_scores[player]} for {_seat(player)}" for player in seats]
    return f"Hand {state.hands_done} is over and scored: {listed(scores)}."


# --- Which diamond --------------------------------------------------------------------------------


def _choosing_diamond(state: State, params: Params) -> list[str]:
    seat, may = _seat(int(state.current_player)), choosable(state)
    names = listed([NAMES[tile] for tile in may], "or")
    choice = (
        f"{seat} chooses {names} to lay, and after that the place."
        if len(may) > 1
        else f"{seat} can lay only {names}, and chooses the place after that."
    )
    return [_before(state), choice, _what_fits(state, params), _bonus(state, may)]


def _before(state: State) -> str:
    """Say who laid the last diamond, as far as it can be told, and who has passed since."""
    seats, player, passes = (
        int(state.num_players),
        int(state.current_player),
        int(state.passes),
    )
    passed = [_seat((player - step) % seats) for step in range(passes, 0, -1)]
    told = []
    if state.fifth_draw_plays:  # else there may have been passes that are not counted
        layer = _seat((player - 1 - passes) % seats)
        told.append(f"{layer} laid {NAMES[last_tile(state)]}")
    if passed:
        told.append(f"{listed(passed)} could not play and passed")
    return f"{'; '.join(told)}." if told else ""


def _what_fits(state: State, params: Params) -> str:
    """Say what can be laid at the last diamond: at the colors of it that have room."""
    last, sides = last_tile(state), last_sides(state)
    told = []
    for color, name in enumerate(COLORS):
        number = int(numbers_of(params)[color, last])
        if sides[TURNS * color].has_room or sides[TURNS * color + 1].has_room:
            fitting = listed(numbers_that_fit(number), "or")
            told.append(f"its {name} {number} takes a{'n' * (color == 0)} {name} {fitting}")
    if not told:
        return f"The last diamond, {NAMES[last]}, has no room at its sides."
    return (
        f"The last diamond is {NAMES[last]}: {' and '.join(told)}; "
        "sums of 5, 10, 15 or 20 score, equal numbers alone do not."
    )


def _bonus(state: State, may: list[int]) -> str:
    """Say which diamonds could make a bonus play, and what that is."""
    seat = int(state.current_player)
    fitting = {
        tile for spot in spots(state) for tile, holder in spot.holders.items() if holder == seat
    }
    names = [NAMES[tile] for tile in may if tile in fitting]
    if not names:
        return ""
    return (
        f"{listed(names)} could make a bonus play: away from the last diamond, at two or more "
        "others and fitting them all, for 5 points more a side."
    )


# --- Which place ----------------------------------------------------------------------------------


def _choosing_place(state: State, params: Params) -> list[str]:
    seat, found = _seat(int(state.current_player)), offers(state, params)
    told = [_brings(found, is_bonus=False), _brings(found, is_bonus=True)]
    return [
        f"{seat} lays {NAMES[state.chosen]} and chooses the place, by its letter in the drawing.",
        f"{'; '.join(filter(None, told))}.",
        _about_places(params, found),
        "What is laid becomes the last diamond, which the next seat plays at.",
    ]


def _about_places(params: Params, found: list[Offer]) -> str:
    if any(offer.is_bonus for offer in found):
        return (
            "A bonus play lies away from the last diamond and brings 5 points for each side that "
            "touches, besides the sums."
        )
    if params.turned:
        return "At each side it may lie parallel to the last diamond or turned, if there is room."
    return ""


def _brings(found: list[Offer], *, is_bonus: bool) -> str:
    """Say which places bring how many points; empty if there are none."""
    some = sorted((o for o in found if o.is_bonus == is_bonus), key=lambda offer: -offer.points)
    told = []
    for points, group in groupby(some, key=lambda offer: offer.points):
        letters = [offer.letter for offer in group]
        brings = "bring" if len(letters) > 1 else "brings"
        told.append(f"{listed(letters)} {brings} {_points(points)}")
    before = "as a bonus play " if is_bonus and told else ""
    return before + ", ".join(told)


# --- Each action ----------------------------------------------------------------------------------


def explain(view: View, action_name: str) -> str:
    """Say what a legal action would do now: by letter, where it is and what it scores."""
    state, params = view.state, view.params
    found = {offer.action: offer for offer in offers(state, params)}
    action = view.legal[action_name]
    return _of_place(state, params, found[action]) if found else _of_diamond(state, params, action)


def _of_diamond(state: State, params: Params, tile: int) -> str:
    places = places_for(state, params, tile)
    if not places:
        return f"begin the hand with {NAMES[tile]}; it scores nothing"
    best = max(offer.points for offer in places)
    count = f"{len(places)} place{'s' * (len(places) != 1)}"
    most = "up to " if len({offer.points for offer in places}) > 1 else ""
    needs_bonus = all(offer.is_bonus for offer in places if offer.points == best)
    how = " as a bonus play" if needs_bonus else ""
    return f"lay {NAMES[tile]}: {count}, {most}{_points(best)}{how}"


def _of_place(state: State, params: Params, offer: Offer) -> str:
    """Say where a place is, and what it brings."""
    what = about_place(state, params, offer)
    if offer.is_bonus:
        beside = listed([NAMES[tile] for tile in touched(state, offer.place)])
        return f"{offer.letter}: {what} at {beside}, {_points(offer.points)}"
    where = side_wheres(state)[side_of(offer)]
    axis = place_by_tile(state)[last_tile(state)][2]
    how = "parallel" if offer.place[2] == axis else "turned"
    return f"{offer.letter}: {where}, at {what}, {how}, {_points(offer.points)}"
