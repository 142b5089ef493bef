"""A sample game of a trained player, for its report."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from markupsafe import Markup

from kitchentable import Game
from kitchentable.engine.batch import GAME_0
from kitchentable.players.scripted import Player, ScriptedPlayer
from kitchentable.render.picture import Picture
from kitchentable_training.networks.policy import PolicyPlayer
from kitchentable_training.players.checkpoint import load_player
from kitchentable_training.session import Session, played

SAMPLE_SEED = 2026
"""The seed of the deal of the sample game."""
SHOWN_AT = 0.45
"""The position of the first hand that is pictured, as a fraction of the hand's decisions."""
PROBABILITY = "the trained player's probability of the action; here it plays the most probable one"
ACTION_VALUE = (
    "what the trained player expects the action to pay; it plays the one that is worth most"
)
"""What the figures after the trained player's actions mean, by the kind of network."""


def sample_game(
    checkpoint: Path, name: str, game: Game, params: Any, opponent: str
) -> dict[str, Any]:
    """Return a page's context: a game of a trained player, in seat 0, or in all seats of a team."""
    trained = load_player(checkpoint, game, params)
    trained.name = name
    others: list[Player] = [
        trained if game.is_team(params) else ScriptedPlayer(game, opponent, seed=seat)
        for seat in range(1, int(params.num_players))
    ]
    players = [trained, *others]
    session = Session(game, params, SAMPLE_SEED)
    pictures: list[tuple[int, Picture]] = []
    hands: list[list[tuple[str, str]]] = [[]]
    for move in played(session, players):
        if session.hand_over:
            hands.append([])
        annotation = ""
        if players[session.mover] is trained:
            annotation = _annotation(trained, session, move.action)
        if session.mover == 0 and len(hands) == 1:
            pictures.append((len(session.transcript) + 1, session.view(0).draw()))
        hands[-1].append((move.agent, move.action + annotation))
    decision, picture = pictures[int(SHOWN_AT * len(pictures))]
    return {
        "player": name,
        "opponent": opponent,
        "seed": SAMPLE_SEED,
        "viewer": "player_0",
        "shown": decision,
        "length": len(session.transcript),
        # The picture's SVG writer escapes all text.
        "picture": Markup(picture.to_svg()),
        "result": session.result([player.name for player in players]),
        "told": ACTION_VALUE if trained.gives_action_values else PROBABILITY,
        "hands": [_turns(hand) for hand in hands],
    }


def _annotation(player: PolicyPlayer, session: Session, action: str) -> str:
    """Return the trained player's probability or value of an action, in parentheses."""
    batch = session.batch
    position = batch, GAME_0
    number = batch.action_names.index(action)
    if player.gives_action_values:
        return f" ({float(player.logits(*position)[0, number]):+.2f})"
    return f" ({float(player.probabilities(*position)[0, number]):.0%})"


def _turns(hand: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Group consecutive decisions of the same agent."""
    turns = groupby(hand, key=lambda decision: decision[0])
    return [(agent, ", ".join(text for _, text in group)) for agent, group in turns]
