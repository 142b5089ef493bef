"""The scripted players of Fiddlefoo, and what they share.

Each is a function ``(observation, mask, variant, rng, *tables) -> action`` that sees only what its
seat may see. Seats that cooperate want something else than rivals: each player knows both.
"""

from __future__ import annotations

from kitchentable.games.fiddlefoo.players.expert import expert
from kitchentable.games.fiddlefoo.players.greedy import greedy

SCRIPTED = {"greedy": greedy, "expert": expert}
"""The players by name, the weakest first."""
SEARCH_WINS = {"num_players": 2, "cooperative": False}
"""Where `search` beats `expert` (docs/results/strength.md)."""
