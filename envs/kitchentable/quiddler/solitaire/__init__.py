"""Quiddler Solitaire: all cards of eight stacks in words, alone."""

from __future__ import annotations

from typing import Any

from kitchentable.game import Game, ParamInfo, record_dtype
from kitchentable.quiddler.lexicon import SHIPPED
from kitchentable.quiddler.solitaire import bots, drawing, observation, rules, state, words
from kitchentable.quiddler.state import deck, info, tables

VARIANTS: tuple[dict[str, Any], ...] = ({}, {"reward": "margin"}, {"lexicon": "scowl35"})

PARAM_INFOS = {
    "num_players": ParamInfo("seats", span=(1, 1)),
    "lexicon": ParamInfo("word list: scowl60 is large, scowl35 common words", SHIPPED),
}

GAME = Game(
    name="quiddler_solitaire",
    version=0,
    title="Quiddler Solitaire",
    about="Use up the cards of eight stacks in words, alone.",
    params=state.Params,
    state_dtype=record_dtype(state.State),
    # Of `payoff.stake`: an illegal action costs 1 with either reward.
    worst_hand=10,
    configure=state.configure,
    action_names=state.action_names,
    action_help=words.ACTION_HELP,
    deck=deck,
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
    situation=words.situation,
    param_infos=PARAM_INFOS,
    bots={
        "random": bots.random,
        "greedy": bots.greedy,
        "quick": bots.quick,
        "rollout": bots.rollout,
    },
    variant=state.variant,
    variants=VARIANTS,
    tables=tables,
    info=info,
    explain=words.explain,
)
