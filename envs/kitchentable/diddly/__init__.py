"""Diddly: turn cards into zeros without having looked at them (six, eight or nine cards)."""

from __future__ import annotations

from typing import Any

from kitchentable.diddly import bots, drawing, observation, rules, sentences, state, words
from kitchentable.game import Game, ParamInfo, record_dtype

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
    params=state.Params,
    state_dtype=record_dtype(state.State),
    worst_hand=10 * state.MAX_CARDS,
    configure=state.configure,
    action_names=state.action_names,
    action_help=words.ACTION_HELP,
    deck=state.deck,
    observation_layout=observation.layout,
    card_parts=observation.CARD_PARTS,
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
    redeal=observation.redeal,
    to_text=drawing.to_text,
    to_picture=drawing.to_picture,
    situation=sentences.situation,
    param_infos=PARAM_INFOS,
    explain=sentences.explain,
    bots={"random": bots.random, "greedy": bots.greedy, "expert": bots.expert},
    variant=state.variant,
    variants=VARIANTS,
)
