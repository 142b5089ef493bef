"""Fiddlefoo: players make pairs of cards on a shared map and receive penalty cards for them."""

from __future__ import annotations

from typing import Any

from kitchentable.core.game import ActionFeatures, Game, Out, Players, Render, Rules
from kitchentable.core.parameters import ParamInfo
from kitchentable.core.state import write_totals
from kitchentable.games.fiddlefoo import knowledge, observation, players, redeal, rules, state
from kitchentable.games.fiddlefoo.cards import ACTION_CARDS
from kitchentable.games.fiddlefoo.players import action_features
from kitchentable.games.fiddlefoo.render import explain, rulebook, tall, text, wide
from kitchentable.render.phrases import listed

ALL = tuple(ACTION_CARDS)
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
    {
        "map_size": 4,
        "hand": 3,
        "games": 2,
        "copies": dict.fromkeys(("Y2", "Y6", "Y9", "Y12", "R1", "R4", "R7", "R11", "R16"), 1),
    },
)

PARAM_INFOS = {
    "num_players": ParamInfo("seats", values=tuple(range(2, state.MAX_PLAYERS + 1))),
    "games": ParamInfo("games", "played one after another", span=(1, state.MAX_GAMES)),
    "map_size": ParamInfo("map size", "rows and columns of the map", state.MAP_SIZES),
    "wildcard": ParamInfo(
        "purple is wild", "it counts as any color; not in a cooperative game", (False, True)
    ),
    "cooperative": ParamInfo("cooperative", "all seats are a team and fill piles", (False, True)),
    "talkytoot": ParamInfo(
        "action cards",
        "cards of Talkytoot that are shuffled in",
        ((), ALL, MANY),
        ("none", f"all {len(ALL)}", listed(MANY).replace("_", " ")),
    ),
    "hand": ParamInfo("hand size", "cards dealt to a seat", span=(1, state.HAND)),
}

GAME = Game(
    name="fiddlefoo",
    version=0,
    title="Fiddlefoo",
    about="Add cards to a shared map; whoever makes a pair may be given penalty cards.",
    rules=Rules.of(
        state,
        rules,
        observation,
        knowledge,
        redeal,
        scores=write_totals,
        variants=VARIANTS,
    ),
    players=Players.of(
        players,
        rules,
        action_features=ActionFeatures.of(action_features),
        out=Out("had no cards left at the end", rules.has_no_cards, after=True),
    ),
    render=Render.of(text, wide, tall, explain, rulebook, param_infos=PARAM_INFOS),
)
