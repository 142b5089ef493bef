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
    state,
    wording,
)
from kitchentable.game import Game, Hints, record_dtype

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

GAME = Game(
    name="fiddlefoo",
    version=0,
    title="Fiddlefoo",
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
    bots=bots.bots,
    hints=Hints(layout=hints.layout, write=hints.hints),
    variant=state.variant,
    variants=VARIANTS,
)
