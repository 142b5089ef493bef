"""Scripted players of Quiddler.

Each is a function ``(known, mask, rng, *tables) -> action`` that gets only what its seat knows.
"""

from __future__ import annotations

from kitchentable.games.quiddler.players.expert import expert
from kitchentable.games.quiddler.players.greedy import greedy

SCRIPTED = {"greedy": greedy, "expert": expert}
"""The players by name, the weakest first."""
