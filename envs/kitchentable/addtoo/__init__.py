"""Add-Too: diamonds laid side to side on a triangular grid, in scores of five."""

from __future__ import annotations

from typing import Any

from kitchentable.addtoo import (
    bots,
    drawing,
    hints,
    observation,
    rules,
    state,
    wording,
    wording_turns,
)
from kitchentable.game import Game, Hints, ParamInfo, record_dtype

ODD = tuple(low if (3 * low + high) % 4 < 2 else high for low, high in state.PAIRS)
"""Another print than the usual one."""
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"reward": "margin", "target": 50, "strict_colors": True},
    {"turned": False, "fifth_draw_plays": False, "num_players": 3},
    {"sealed_ends_hand": False, "orange": ODD, "num_players": 4, "max_hands": 3},
    {"num_players": 5, "max_hands": 1},
    {"num_players": 6, "fifth_draw_plays": False, "target": 20},
)

PARAM_INFOS = {
    "num_players": ParamInfo("seats", tuple(range(2, state.MAX_PLAYERS + 1))),
    "target": ParamInfo("points that end the game", span=(1, state.MAX_TARGET)),
    "max_hands": ParamInfo("most hands of a game", span=(1, state.MAX_HANDS)),
    "turned": ParamInfo(
        "on: diamonds may be turned to each other; off: all lie parallel", (False, True)
    ),
    "strict_colors": ParamInfo(
        "on: colors must match wherever sides touch; off: only at the side played at",
        (False, True),
    ),
    "fifth_draw_plays": ParamInfo(
        "on: the diamond that fills your hand to five may be played at once; off: you pass",
        (False, True),
    ),
    "sealed_ends_hand": ParamInfo(
        "on: no room at the last diamond ends the hand; off: bonus plays may go on", (False, True)
    ),
    "orange": ParamInfo(
        "the orange number; parity: the lower one if the sum is odd, else the higher", ("parity",)
    ),
}

GAME = Game(
    name="addtoo",
    version=0,
    title="Add-Too",
    about="Lay two-colored diamonds side to side; sums of five and ten score.",
    params=state.Params,
    state_dtype=record_dtype(state.State),
    worst_hand=state.WORST_HAND,
    configure=state.configure,
    action_names=state.action_names,
    action_help=wording.ACTION_HELP,
    deck=state.deck,
    observation_layout=observation.layout,
    card_parts=observation.CARD_PARTS,
    image_parts=observation.image_parts,
    state_layout=observation.state_layout,
    init=rules.init,
    legal_action_mask=rules.legal_action_mask,
    step=rules.step,
    rewards=rules.rewards,
    returns=rules.returns,
    scores=rules.scores,
    ranks=rules.ranks,
    hand_scores=rules.hand_scores,
    observe=observation.observe,
    observe_state=observation.observe_state,
    redeal=rules.redeal,
    to_text=wording.to_text,
    to_picture=drawing.to_picture,
    situation=wording_turns.situation,
    param_infos=PARAM_INFOS,
    explain=wording_turns.explain,
    bots=bots.bots,
    hints=Hints(layout=hints.layout, write=hints.hints),
    variant=state.variant,
    variants=VARIANTS,
    tables=state.tables,
)
