"""Diddly: turn your cards into zeros without having looked at them (six, eight or nine cards)."""

from __future__ import annotations

from typing import Any

from kitchentable.core.game import ActionFeatures, Game, Out, Players, Render, Rules, seat_in
from kitchentable.core.parameters import ParamInfo
from kitchentable.core.state import write_totals
from kitchentable.games.diddly import knowledge, observation, players, redeal, rules, state
from kitchentable.games.diddly.players import action_features
from kitchentable.games.diddly.render import explain, rulebook, tall, text, wide

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"reward": "margin"},
    {"rounds": 1, "turn_limit": 3},
    *(
        {"cards": cards, "num_players": seats}
        for cards, most in state.MOST_SEATS.items()
        for seats in range(state.FEWEST_SEATS, most + 1)
        if cards != state.MIN_CARDS
    ),
    {"cards": 2, "rounds": 1, "turn_limit": 2, "copies": {"1": 3, "5": 3, "D": 3}},
    {
        "cards": 2,
        "num_players": 8,
        "rounds": 2,
        "copies": {"2": 5, "9": 4, "D": 2, "S": 3, "H": 2, "P": 2, "R": 3},
    },
)

PARAM_INFOS = {
    "num_players": ParamInfo(
        "seats",
        f"more than {min(state.MOST_SEATS.values())} only with two or six cards",
        tuple(range(state.FEWEST_SEATS, state.MAX_PLAYERS + 1)),
    ),
    "cards": ParamInfo("cards", "face down in front of each seat", state.LAYOUTS),
    "rounds": ParamInfo("rounds", "their points are added up", span=(1, state.MAX_ROUNDS)),
    "turn_limit": ParamInfo(
        "turn limit",
        "turns a seat may have in one round before the game is stopped",
        span=(1, state.MAX_TURNS),
    ),
}

GAME = Game(
    name="diddly",
    version=0,
    title="Diddly",
    about="Replace the cards of your board so that matching ones count zero.",
    rules=Rules.of(
        state, rules, observation, knowledge, redeal, scores=write_totals, variants=VARIANTS
    ),
    players=Players.of(
        players,
        action_features=ActionFeatures.of(action_features),
        out=Out("had all cards face up first", seat_in("closer")),
    ),
    render=Render.of(text, wide, tall, explain, rulebook, param_infos=PARAM_INFOS),
)
