"""Explanations of an Add-Too table and its actions, for people who are learning the game."""

from __future__ import annotations

from itertools import groupby

from kitchentable.games.addtoo import state as s
from kitchentable.games.addtoo.board import last_tile
from kitchentable.games.addtoo.geometry import TURNS
from kitchentable.games.addtoo.render import sentences
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
from kitchentable.games.addtoo.state import NAMES, Params, State
from kitchentable.render.phrases import ORDINALS, count, listed


def situation(view: View) -> str:
    """Describe who decides what, what that means and what led to it, or how the game ended.

    All seats get the same text: only the order of the pile is hidden, and it is not mentioned.
    """
    if view.is_over:
        texts = _end(view)
    elif view.state.phase == s.PLACE:
        texts = _choosing_place(view)
    elif view.state.num_laid == 0:
        texts = _beginning(view)
    else:
        texts = _choosing_diamond(view)
    return " ".join(filter(None, texts))


# --- The end of a hand and of a game --------------------------------------------------------------


def _end(view: View) -> list[str]:
    state, target, best = view.state, view.params.target, view.winners
    total = int(state.totals[best[0]])
    equal = sum(int(other) == total for other in state.totals[: view.params.num_players])
    by_hand = " and the better last hand" if equal > len(best) else ""
    stopped = (
        f"The game stops after {count(int(state.hands_done), 'hand')}, with nobody at {target} "
        "points."
        if state.truncated
        else f"The game is over because somebody has {sentences.points_of(target)} or more."
    )
    return [
        f"{view.outcome} with {sentences.points_of(total)}{by_hand}.",
        stopped,
        f"The last hand ended because {sentences.ending(view)}; each diamond left in a hand cost "
        f"{s.LEFT_PENALTY} points.",
    ]


def _beginning(view: View) -> list[str]:
    who, hand = view.mover, int(view.state.hands_done) + 1
    return [
        _scored(view),
        f"{who:has} the diamond with the lowest sum, or in a tie the next lowest, and "
        f"{who.does('begins')} hand {hand}.",
        sentences.FIRST,
        "The next player lays one beside it, color to color: equal numbers, or numbers that add to "
        f"{sentences.SCORING}, which scores.",
    ]


def _scored(view: View) -> str:
    """Describe the scores of the previous hand if it has just ended; else empty."""
    state = view.state
    if not state.hand_over:
        return ""
    scores = view.by_seat(state.last_scores)
    return f"Hand {state.hands_done} is over and scored: {scores}."


# --- Which diamond --------------------------------------------------------------------------------


def _choosing_diamond(view: View) -> list[str]:
    who, may = view.mover, choosable(view.state)
    names = listed((NAMES[tile] for tile in may), "or")
    choice = (
        f"{who:chooses} {names} to lay, and after that the place."
        if len(may) > 1
        else f"{who} can lay only {names}, and {who.does('chooses')} the place after that."
    )
    return [_before(view), choice, _what_fits(view), _bonus(view.state, may)]


def _before(view: View) -> str:
    """Describe who laid the last diamond, if that is known, and who has passed since."""
    state, clauses = view.state, []
    order = view.order_from(int(state.current_player) - 1 - int(state.passes))
    if state.fifth_draw_plays:  # else passes may be missing from the count
        clauses.append(f"{view.who(order[0])} laid {NAMES[last_tile(state)]}")
    if state.passes:
        passed = view.who(*order[1 : 1 + int(state.passes)])
        clauses.append(f"{passed.inside if clauses else passed} could not play and passed")
    return f"{'; '.join(clauses)}." if clauses else ""


def _what_fits(view: View) -> str:
    """Describe what can be laid at each color of the last diamond that has room."""
    last, sides = last_tile(view.state), last_sides(view.state)
    clauses = []
    for color, name in enumerate(sentences.COLORS):
        number = int(numbers_of(view.params)[color, last])
        if sides[TURNS * color].has_room or sides[TURNS * color + 1].has_room:
            fitting = listed(numbers_that_fit(number), "or")
            clauses.append(f"its {name} {number} takes a{'n' * (color == 0)} {name} {fitting}")
    if not clauses:
        return f"The last diamond, {NAMES[last]}, has no room at its sides."
    return (
        f"The last diamond is {NAMES[last]}: {' and '.join(clauses)}; "
        f"sums of {sentences.SCORING} score, equal numbers alone do not."
    )


def _bonus(state: State, may: list[int]) -> str:
    """Name the diamonds that could make a bonus play, and explain it; empty if there are none."""
    seat = int(state.current_player)
    fitting = {
        tile for spot in spots(state) for tile, holder in spot.holders.items() if holder == seat
    }
    names = [NAMES[tile] for tile in may if tile in fitting]
    if not names:
        return ""
    return (
        f"{listed(names)} could make a bonus play: away from the last diamond, touching two or "
        f"more others and fitting them all, for {s.BONUS} more points per side."
    )


# --- Which place ----------------------------------------------------------------------------------


def _choosing_place(view: View) -> list[str]:
    who, choices = view.mover, offers(view)
    clauses = [_brings(choices, is_bonus=False), _brings(choices, is_bonus=True)]
    chosen, state = NAMES[view.state.chosen], view.state
    brings = "; ".join(filter(None, clauses))
    follows = f"Unless this ends the hand, the next player plays on {chosen}."
    if int(state.hands[state.current_player]) == 1 << int(state.chosen):
        follows = (
            f"It is {who.their} last diamond, so the hand ends, and the others lose "
            f"{s.LEFT_PENALTY} points for each diamond in their hands."
        )
    return [
        f"{who:lays} {chosen} and {who.does('chooses')} the place (letters as in the drawing).",
        f"{brings[0].upper()}{brings[1:]}.",
        _about_places(choices, turned=view.params.turned),
        follows,
    ]


def _about_places(choices: list[Offer], *, turned: bool) -> str:
    if any(offer.is_bonus for offer in choices):
        return (
            f"A bonus play lies away from the last diamond and scores {s.BONUS} points for each "
            "touching side in addition to the sums."
        )
    if turned:
        return "At each side it may lie parallel to the last diamond or turned, if there is room."
    return ""


def _brings(choices: list[Offer], *, is_bonus: bool) -> str:
    """List the points of the places by letter; empty if there are none."""
    by_points = sorted(
        (offer for offer in choices if offer.is_bonus == is_bonus), key=lambda offer: -offer.points
    )
    clauses = []
    for points, group in groupby(by_points, key=lambda offer: offer.points):
        letters = [offer.letter for offer in group]
        scores = "score" if len(letters) > 1 else "scores"
        clauses.append(f"{listed(letters)} {scores} {sentences.points_of(points)}")
    before = "as a bonus play " if is_bonus and clauses else ""
    return before + ", ".join(clauses)


# --- Actions --------------------------------------------------------------------------------------

ACTION_HELP = {
    "tile": "lay your {}; you choose the place next",
    "last": (
        "lay it beside the last diamond; {} is a side of that one (0 and 1 orange, 2 and 3 blue, "
        "counterclockwise) and 0 or 1: parallel to it if both are even or both odd, else turned"
    ),
    "on": (
        f"make a bonus play, for {s.BONUS} more points per side; {{}} is a diamond that it "
        "touches, a side of that one and 0 or 1, as at the last diamond"
    ),
}


def _side(way: str) -> str:
    """Name a side of a diamond and how another one lies there."""
    side, turn = map(int, way.split(","))
    lies = "parallel" if side % 2 == turn % 2 else "turned"
    return f"{ORDINALS[side % 2]} {sentences.COLORS[side // 2]} side, {lies}"


def _bonus_play(_: Params, argument: str) -> str:
    tile, where = argument.split(",", 1)
    return f"Bonus play at {tile}, {_side(where)}"


ACTION_WORDS = {
    "tile": "Lay {}",
    "last": lambda _, way: f"Beside the last diamond, {_side(way)}",
    "on": _bonus_play,
}


def decided(view: View, action_name: str) -> str:
    """Say where a diamond is laid, and for how many points; empty for other decisions."""
    by_name = {offer.name: offer for offer in offers(view)}
    return _of_place(view, by_name[action_name]).partition(": ")[2] if by_name else ""


def explain(view: View, action_name: str) -> str:
    """Describe what a legal action would do: for a place, its letter, position and points."""
    by_name = {offer.name: offer for offer in offers(view)}
    if by_name:
        return _of_place(view, by_name[action_name])
    return _of_diamond(view, view.legal[action_name])


def _of_diamond(view: View, tile: int) -> str:
    places = places_for(view, tile)
    if not places:
        return f"begin the hand with {NAMES[tile]}; it scores nothing"
    best = max(offer.points for offer in places)
    most = "up to " if len({offer.points for offer in places}) > 1 else ""
    needs_bonus = all(offer.is_bonus for offer in places if offer.points == best)
    how = " as a bonus play" if needs_bonus else ""
    return (
        f"lay {NAMES[tile]}: {count(len(places), 'place')}, {most}{sentences.points_of(best)}{how}"
    )


def _of_place(view: View, offer: Offer) -> str:
    """Describe a place and its points."""
    place, state = sentences.about_place(view, offer), view.state
    if offer.is_bonus:
        beside = listed(NAMES[tile] for tile in touched(state, offer.place))
        return f"{offer.letter}: {place} at {beside}, {sentences.points_of(offer.points)}"
    where = sentences.side_wheres(state)[sentences.side_of(offer)]
    axis = place_by_tile(state)[last_tile(state)][2]
    how = "parallel" if offer.place[2] == axis else "turned"
    return f"{offer.letter}: {where}, at {place}, {how}, {sentences.points_of(offer.points)}"
