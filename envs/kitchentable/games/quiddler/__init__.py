"""Quiddler: lay words from hands that grow from three to ten cards."""

from __future__ import annotations

from typing import Any

from kitchentable.core.game import (
    ActionFeatures,
    DerivedParts,
    Game,
    Out,
    Players,
    Render,
    Rules,
    seat_in,
)
from kitchentable.core.parameters import ParamInfo
from kitchentable.core.state import write_totals
from kitchentable.games.quiddler import knowledge, observation, players, redeal, rules, state
from kitchentable.games.quiddler.players import action_features, derived_parts
from kitchentable.games.quiddler.render import explain, rulebook, tall, text, wide
from kitchentable.games.quiddler.scoring import BONUS
from kitchentable.games.quiddler.words.lexicon import SHIPPED, Lexicon
from kitchentable.games.quiddler.words.meld import Meld, best_meld

__all__ = ["GAME", "Lexicon", "Meld", "best_meld"]

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"meld": "auto"},
    {"reward": "margin", "two_player_bonus": "most", "hand_sizes": (10, 3), "lexicon": "scowl35"},
    {"meld": "auto", "num_players": 4, "hand_sizes": (8, 9, 10), "reward": "margin"},
    {"challenges": True, "num_players": 3, "hand_sizes": (3, 5, 7)},
    {"forbid_returning_discard": True, "min_turns_before_out": 2, "two_player_bonus": "none"},
    {"meld": "auto", "forbid_returning_discard": True, "max_turns": 1, "hand_sizes": (4, 5)},
    *({"num_players": n, "hand_sizes": (4, 9)} for n in (3, 5, 6, 7)),
    {"num_players": 8, "hand_sizes": (9, 10), "max_turns": 12},
    {
        "meld": "auto",
        "hand_sizes": (3,),
        "max_turns": 1,
        "lexicon": ["at", "tea", "eat", "the", "he"],
        "copies": {"a": 3, "e": 3, "t": 3, "h": 1, "th": 1},
    },
    {
        "num_players": 3,
        "hand_sizes": (3, 4, 3),
        "max_turns": 2,
        "lexicon": ["in", "it", "tin", "nit", "tint", "quit"],
        "copies": {"i": 4, "n": 3, "t": 4, "u": 1, "q": 1, "qu": 1, "in": 2},
    },
)

FEWER = (state.Params.hand_sizes, (3, 5, 7), (10, 9, 8), (3,), (6,), (10,))
"""Values of ``hand_sizes`` that a form offers; any others can be given."""
WORD_LIST = ParamInfo(
    "word list", values=SHIPPED, words=("large (scowl60)", "common words (scowl35)")
)
PARAM_INFOS = {
    "num_players": ParamInfo("seats", span=(2, state.MAX_PLAYERS)),
    "hand_sizes": ParamInfo("cards in each hand", values=FEWER),
    "meld": ParamInfo("words", values=state.MELDS, words=("spelled by hand", "laid automatically")),
    "two_player_bonus": ParamInfo(
        "two-player bonus",
        f"{BONUS} points in each hand; with more players there are both",
        state.BONUSES,
        ("longest word", "most words", "none"),
    ),
    "lexicon": WORD_LIST,
    "challenges": ParamInfo(
        "challenges",
        "any cards may be laid as a word, which others may challenge; not with words laid "
        "automatically",
        (False, True),
    ),
    "forbid_returning_discard": ParamInfo(
        "taken discard stays",
        "the card taken from the discard pile may not go back in the same turn",
        (False, True),
    ),
    "min_turns_before_out": ParamInfo(
        "first turn to go out",
        "0 or 1: a seat may go out in any turn",
        span=(0, state.Params.max_turns),
    ),
    "max_turns": ParamInfo(
        "turn limit", "turns of each seat until a hand is stopped", span=(1, state.MAX_TURNS)
    ),
}

GAME = Game(
    name="quiddler",
    version=0,
    title="Quiddler",
    about="Spell words with hands of letter cards that grow from hand to hand.",
    rules=Rules.of(
        state,
        rules,
        observation,
        knowledge,
        redeal,
        scores=write_totals,
        worst_hand=observation.POINTS_SPAN,
        variants=VARIANTS,
    ),
    players=Players.of(
        players,
        action_features=ActionFeatures.of(action_features),
        derived_parts=DerivedParts.of(derived_parts),
        out=Out("went out", seat_in("out")),
    ),
    render=Render.of(text, wide, tall, explain, rulebook, param_infos=PARAM_INFOS),
)
