"""Scripted players of Diddly.

Each is a function ``(observation, mask, variant, rng) -> action`` that sees only what its seat may
see. `greedy` lowers the score of its own board as much as possible at once; `expert` plays for the
best expected score of the round relative to the other seats.
"""

from kitchentable.games.diddly.players.expert import expert
from kitchentable.games.diddly.players.greedy import greedy

SCRIPTED = {"greedy": greedy, "expert": expert}
"""The players by name, weakest first."""
