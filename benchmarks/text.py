"""The length of games as text, for language models, in tokens if tiktoken and its data are there.

tiktoken downloads the data of an encoding, or finds it in the folder ``TIKTOKEN_CACHE_DIR`` under
the SHA-1 of its URL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kitchentable import find_game
from kitchentable.core.registry import shipped_versions
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.text import TextEnv

GAMES = 5
ENCODING = "cl100k_base"
"""The encoding of tiktoken by which tokens are counted."""
GAME_0 = np.array([0])


def measure() -> dict[str, Any]:
    """Return the lengths for each game, in both forms."""
    unit, length = _counter()
    rows = [
        _row(name, compact=compact, length=length)
        for name in shipped_versions()
        for compact in (False, True)
    ]
    return {"games": GAMES, "unit": unit, "rows": rows}


def _counter() -> tuple[str, Callable[[str], int]]:
    """Return what is counted, and how: tokens, or else characters."""
    try:
        import tiktoken  # noqa: PLC0415 (optional)

        encoding = tiktoken.get_encoding(ENCODING)
    except (ImportError, OSError):
        return "characters", len
    return f"tokens of {ENCODING}", lambda text: len(encoding.encode(text))


def _row(name: str, *, compact: bool, length: Callable[[str], int]) -> dict[str, Any]:
    """Play some games by the first scripted player after `random` at all seats, and count."""
    game = find_game(name)
    player = ScriptedPlayer(game, list(game.players.scripted)[1])
    alone = game.make_params().num_players == 1
    env = TextEnv(name, seat=0, opponents=None if alone else player.name, compact=compact)
    rules = length(env.introduce(0))
    lengths: list[int] = []
    prompts: list[int] = []
    for seed in range(GAMES):
        env.reset(seed)
        over = False
        while not over:
            lengths.append(length(env.observe()))
            if len(env.table.legal_actions()) > 1:
                prompts.append(rules + lengths[-1])
            action = int(player.act(env.table.batch, GAME_0)[0])
            _, _, ended, stopped, _ = env.step(env.table.action_names[action])
            over = ended or stopped
    return {
        "game": name,
        "compact": compact,
        "rules": rules,
        "decisions": len(lengths) / GAMES,
        "choices": len(prompts) / GAMES,
        "prompts": sum(prompts) / GAMES,
        "mean": float(np.mean(lengths)),
        "longest": max(lengths),
    }
