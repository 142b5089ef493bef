"""Fiddlefoo: pairs of cards on a shared map, and penalty cards for whoever makes them."""

from __future__ import annotations

from typing import Any

from kitchentable.fiddlefoo import (
    bots,
    drawing,
    hints,
    observation,
    redealing,
    rules,
    situation,
    state,
    wording,
    wording_turns,
)
from kitchentable.game import Game, Hints, ParamInfo, record_dtype

MANY = ("move", "wildcard_pair", "range_limit", "draw", "instaplay", "swap_map", "remove_cards")
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"reward": "margin", "games": 2, "map_size": 8},
    {"wildcard": True, "num_players": 3},
    {"cooperative": True},
    {"talkytoot": "all"},
    {"talkytoot": "all", "wildcard": True, "num_players": 4, "reward": "margin"},
    {"talkytoot": "all", "cooperative": True, "num_players": 3, "reward": "margin", "games": 2},
    {"talkytoot": MANY, "num_players": 5, "map_size": 16},
    {"num_players": 6, "map_size": 10, "games": 2},
)

PARAM_INFOS = {
    "num_players": ParamInfo("seats", tuple(range(2, state.MAX_PLAYERS + 1))),
    "games": ParamInfo("games played one after another", span=(1, state.MAX_GAMES)),
    "map_size": ParamInfo("rows, and columns, of the map", state.MAP_SIZES),
    "wildcard": ParamInfo("purple counts as any color; not with cooperative", (False, True)),
    "cooperative": ParamInfo("all seats are a team and fill piles", (False, True)),
    "talkytoot": ParamInfo("action cards of Talkytoot that are shuffled in", ((), "all", MANY)),
}

GAME = Game(
    name="fiddlefoo",
    version=0,
    title="Fiddlefoo",
    about="Add cards to a shared map; whoever makes a pair may be given penalty cards.",
    params=state.Params,
    state_dtype=record_dtype(state.State),
    worst_hand=state.WORST_SCORE,
    cooperative=state.is_cooperative,
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
    redeal=redealing.redeal,
    to_text=wording.to_text,
    to_picture=drawing.to_picture,
    situation=situation.situation,
    param_infos=PARAM_INFOS,
    explain=wording_turns.explain,
    bots=bots.bots,
    hints=Hints(layout=hints.layout, write=hints.hints),
    variant=state.variant,
    variants=VARIANTS,
)
