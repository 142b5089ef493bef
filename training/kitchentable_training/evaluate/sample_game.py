"""A sample game of a trained player, for its page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from markupsafe import Markup

from kitchentable import Game
from kitchentable.players.scripted import Player, ScriptedPlayer
from kitchentable.render.picture import Picture
from kitchentable_training.networks.policy import PolicyPlayer
from kitchentable_training.players.checkpoint import load_player
from kitchentable_training.session import GAME_0, Session, played

SAMPLE_SEED = 2026
"""Of the deal of the sample game."""
SHOWN_AT = 0.45
"""Which position of the first hand is pictured, as a part of its decisions."""
PROBABILITY = "the trained player's probability of the action; here it plays the most probable one"
WORTH = "what the trained player expects the action to pay; it plays the one that is worth most"
"""What stands behind the trained player's actions, by what its network says of them."""


def sample_game(
    checkpoint: Path, name: str, game: Game, params: Any, opponent: str
) -> dict[str, Any]:
    """Play one game of a trained player, in seat 0, against a scripted one.

    As a team it holds all seats.

    Args:
        checkpoint: the trained player's.
        name: what it is called.
        game: which game.
        params: its parameters, made by ``game.make_params``.
        opponent: the scripted player's name.

    Returns:
        What the page shows of it.
    """
    trained = load_player(checkpoint, game, params)
    trained.name = name
    others: list[Player] = [
        trained if game.is_team(params) else ScriptedPlayer(game, opponent, params, seed=seat)
        for seat in range(1, int(params.num_players))
    ]
    players = [trained, *others]
    session = Session(game, params, SAMPLE_SEED)
    pictures: list[tuple[int, Picture]] = []
    hands: list[list[tuple[str, str]]] = [[]]
    for move in played(session, players):
        if session.hand_over:
            hands.append([])
        told = ""
        if players[session.mover] is trained:
            told = _told(trained, session, move.action)
        if session.mover == 0 and len(hands) == 1:
            pictures.append((len(session.transcript) + 1, session.view(0).draw()))
        hands[-1].append((move.agent, move.action + told))
    shown, picture = pictures[int(SHOWN_AT * len(pictures))]
    return {
        "player": name,
        "opponent": opponent,
        "seed": SAMPLE_SEED,
        "viewer": "player_0",
        "shown": shown,
        "length": len(session.transcript),
        # The picture's writer escapes all text in it.
        "picture": Markup(picture.to_svg()),
        "result": session.result([one.name for one in players]),
        "told": WORTH if trained.worths else PROBABILITY,
        "hands": [_turns(hand) for hand in hands],
    }


def _told(player: PolicyPlayer, session: Session, action: str) -> str:
    """Say how probable an action is to a trained player, or its worth, at the table as it is."""
    batch = session.batch
    shown = batch.observations[GAME_0], batch.masks[GAME_0]
    number = batch.action_names.index(action)
    if player.worths:
        return f" ({float(player.logits(*shown)[0, number]):+.2f})"
    return f" ({float(player.probabilities(*shown)[0, number]):.0%})"


def _turns(hand: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Put the decisions of one agent in a row together."""
    turns = groupby(hand, key=lambda decision: decision[0])
    return [(agent, ", ".join(text for _, text in group)) for agent, group in turns]
