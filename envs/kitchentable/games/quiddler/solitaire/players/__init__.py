"""Scripted players of Quiddler Solitaire.

Each is a function ``(observation, mask, variant, rng, *tables) -> action`` that sees only what the
player may see. `greedy` makes the word of the most points; `quick` that of the most worth, by what
each card is worth being rid of; `rollout` does so too, but later tries the best of those by playing
on with face-down cards dealt anew.
"""

from __future__ import annotations

from kitchentable.games.quiddler.solitaire.players.greedy import greedy
from kitchentable.games.quiddler.solitaire.players.quick import quick
from kitchentable.games.quiddler.solitaire.players.rollout import rollout

SCRIPTED = {"greedy": greedy, "quick": quick, "rollout": rollout}
"""The players by name, the weakest first."""
