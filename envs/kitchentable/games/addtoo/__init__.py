"""Add-Too: diamonds laid side to side on a triangular grid; sums of equal colors score."""

from __future__ import annotations

from typing import Any

from kitchentable.core.game import ActionFeatures, DerivedParts, Game, Out, Players, Render, Rules
from kitchentable.core.parameters import ParamInfo
from kitchentable.core.state import write_totals
from kitchentable.games.addtoo import knowledge, observation, players, redeal, rules, state
from kitchentable.games.addtoo.players import action_features, derived_parts
from kitchentable.games.addtoo.render import explain, rulebook, tall, text, wide
from kitchentable.render.phrases import listed

ODD = tuple(low if (3 * low + high) % 4 < 2 else high for low, high in state.PAIRS)
"""Orange numbers of a print that differs from the usual one."""
EIGHT = ("1-2", "1-4", "1-6", "1-7", "2-9", "3-4", "3-6", "9-10")
"""The diamonds of a small variant; with hands of three, a seat has to draw in most deals."""
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"reward": "margin", "target": 50, "strict_colors": True},
    {"turned": False, "fifth_draw_plays": False, "num_players": 3},
    {"sealed_ends_hand": False, "orange": ODD, "num_players": 4, "max_hands": 3},
    {"num_players": 5, "max_hands": 1},
    {"num_players": 6, "fifth_draw_plays": False, "target": 20},
    {"diamonds": EIGHT, "hand": 3, "max_hands": 1, "target": 10},
    {"diamonds": state.NAMES[::3], "hand": 2, "fifth_draw_plays": False, "num_players": 3},
)

PARAM_INFOS = {
    "num_players": ParamInfo("seats", values=tuple(range(2, state.MAX_PLAYERS + 1))),
    "target": ParamInfo("target score", "points that end the game", span=(1, state.MAX_TARGET)),
    "max_hands": ParamInfo(
        "most hands", "the game then ends, whatever the score", span=(1, state.MAX_HANDS)
    ),
    "turned": ParamInfo(
        "turned diamonds",
        "on: diamonds may be turned to each other; off: all lie parallel",
        (False, True),
    ),
    "strict_colors": ParamInfo(
        "strict colors",
        "on: colors must match wherever sides touch; off: only at the side played at",
        (False, True),
    ),
    "fifth_draw_plays": ParamInfo(
        "last draw playable",
        "on: the diamond that fills your hand may be played at once; off: you pass",
        (False, True),
    ),
    "sealed_ends_hand": ParamInfo(
        "end without room",
        "on: no room at the last diamond ends the hand; off: bonus plays may go on",
        (False, True),
    ),
    "orange": ParamInfo(
        "orange numbers",
        "parity: the lower one if the sum is odd, else the higher",
        ("parity",),
    ),
    "diamonds": ParamInfo("diamonds in play", values=("all",)),
    "hand": ParamInfo(
        "hand size",
        "diamonds dealt to a seat, and the most it draws up to",
        span=(1, state.HAND),
    ),
}

GAME = Game(
    name="addtoo",
    version=0,
    title="Add-Too",
    about=f"Lay two-colored diamonds side to side; sums of {listed(state.SCORING, 'or')} score.",
    rules=Rules.of(
        state, rules, observation, knowledge, redeal, scores=write_totals, variants=VARIANTS
    ),
    players=Players.of(
        players,
        action_features=ActionFeatures.of(action_features),
        derived_parts=DerivedParts.of(derived_parts),
        out=Out("laid the last diamond of a hand", rules.lays_the_last),
    ),
    render=Render.of(text, wide, tall, explain, rulebook, param_infos=PARAM_INFOS),
)
