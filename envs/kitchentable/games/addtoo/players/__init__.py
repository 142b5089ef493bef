"""Scripted players of Add-Too.

Each is a function ``(known, mask, rng, *tables) -> action`` that sees only what its seat knows.
"""

from kitchentable.games.addtoo.players.lookahead import expert, greedy

SCRIPTED = {"greedy": greedy, "expert": expert}
"""The players by name, weakest first."""
SEARCH_WINS = {"num_players": 2}
"""Parameters with which `search` beats `expert` (docs/results/strength.md)."""
