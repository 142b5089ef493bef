"""Scripted players of Quiddler.

Each is a function ``(observation, mask, variant, rng, *tables) -> action`` that sees only what its
seat may see.
"""

from __future__ import annotations

from kitchentable.games.quiddler.players.expert import expert
from kitchentable.games.quiddler.players.greedy import greedy

SCRIPTED = {"greedy": greedy, "expert": expert}
"""The players by name, the weakest first."""
