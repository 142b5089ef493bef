"""Scripted players of Diddly.

Each is a function ``(observation, mask, variant, rng) -> action`` that sees only what its seat may
see. `greedy` plays what lowers its own board at once, `expert` what it expects to win or save
points by the end of the round.
"""

from kitchentable.games.diddly.players.expert import expert
from kitchentable.games.diddly.players.greedy import greedy

SCRIPTED = {"greedy": greedy, "expert": expert}
"""The players by name, the weakest first."""
