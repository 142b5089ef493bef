"""Diddly: turn cards into zeros without having looked at them (six, eight or nine cards)."""

from __future__ import annotations

from typing import Any

from kitchentable.core.game import Game, Out, Players, Render, Rules, seat_in
from kitchentable.core.parameters import ParamInfo
from kitchentable.games.diddly import observation, rules, state
from kitchentable.games.diddly.players import bots
from kitchentable.games.diddly.render import situation, tall, text, wide

SEATS = {6: range(2, 9), 8: range(2, 7), 9: range(2, 7)}
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"reward": "margin"},
    {"rounds": 1, "turn_limit": 3},
    *({"cards": cards, "num_players": n} for cards, seats in SEATS.items() for n in seats),
)

PARAM_INFOS = {
    "num_players": ParamInfo("2 to 6; up to 8 with six cards", tuple(range(2, 9))),
    "cards": ParamInfo("cards in front of each seat", tuple(state.LAYOUTS)),
    "rounds": ParamInfo("rounds that are played and added up", span=(1, state.MAX_ROUNDS)),
    "turn_limit": ParamInfo(
        "turns a seat may have in one round before the game is stopped", span=(1, state.MAX_TURNS)
    ),
}

GAME = Game(
    name="diddly",
    version=0,
    title="Diddly",
    about="Turn cards into zeros without having looked at them.",
    rules=Rules.of(
        state,
        rules,
        observation,
        worst_hand=10 * state.MAX_CARDS,
        variants=VARIANTS,
    ),
    players=Players.of(bots, state, out=Out("had all cards face up first", seat_in("closer"))),
    render=Render.of(text, wide, tall, situation, param_infos=PARAM_INFOS),
)
