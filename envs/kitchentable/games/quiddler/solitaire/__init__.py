"""Quiddler Solitaire: one player uses up the cards of eight stacks in words."""

from __future__ import annotations

from typing import Any

from kitchentable.core.game import ActionFeatures, Game, Players, Render, Rules
from kitchentable.core.parameters import ParamInfo
from kitchentable.games.quiddler import WORD_LIST
from kitchentable.games.quiddler.cards import DECK
from kitchentable.games.quiddler.solitaire import (
    knowledge,
    observation,
    players,
    redeal,
    rules,
    state,
)
from kitchentable.games.quiddler.solitaire.players import action_features
from kitchentable.games.quiddler.solitaire.render import picture, rulebook, sentences, text
from kitchentable.games.quiddler.state import info, tables
from kitchentable.render.phrases import number_word

VARIANTS: tuple[dict[str, Any], ...] = ({}, {"reward": "margin"}, {"lexicon": "scowl35"})

PARAM_INFOS = {
    "num_players": ParamInfo("seats", span=(1, 1)),
    "lexicon": WORD_LIST,
}

GAME = Game(
    name="quiddler_solitaire",
    version=0,
    title="Quiddler Solitaire",
    about=f"Use up the cards of {number_word(state.NUM_STACKS)} stacks by spelling words, alone.",
    rules=Rules.of(
        state,
        rules,
        observation,
        knowledge,
        redeal,
        variants=VARIANTS,
        deck=lambda _: DECK,
        tables=tables,
        info=info,
    ),
    players=Players.of(players, action_features=ActionFeatures.of(action_features)),
    render=Render.of(text, picture, sentences, rulebook, param_infos=PARAM_INFOS),
)
