"""The scripted players of Fiddlefoo.

Each is a function ``(known, mask, rng, *tables) -> action`` of what its seat knows. Each plays both
the competitive game and the cooperative variant.
"""

from __future__ import annotations

from kitchentable.games.fiddlefoo.players.expert import expert
from kitchentable.games.fiddlefoo.players.greedy import greedy

SCRIPTED = {"greedy": greedy, "expert": expert}
"""The players by name, from weakest to strongest."""
SEARCH_WINS = {"num_players": 2, "cooperative": False}
"""Parameters with which `search` beats `expert` (docs/results/strength.md)."""
