"""Scripted players of Quiddler Solitaire.

Each is a function ``(known, mask, rng, *tables) -> action`` that gets only what the player knows.
`greedy` makes the word with the most points. `quick` makes the word with the
highest worth, which mainly depends on how hard its cards are to use. `rollout` does the same at
first, but later tests the best of these words by playing on with the face-down cards redealt.
"""

from __future__ import annotations

from kitchentable.games.quiddler.solitaire.players.greedy import greedy
from kitchentable.games.quiddler.solitaire.players.quick import quick
from kitchentable.games.quiddler.solitaire.players.rollout import rollout

SCRIPTED = {"greedy": greedy, "quick": quick, "rollout": rollout}
"""The players by name, the weakest first."""
