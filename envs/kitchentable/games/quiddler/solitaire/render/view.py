"""Who looks at a table of Quiddler Solitaire."""

from __future__ import annotations

from kitchentable.games.quiddler.solitaire.state import Params, State
from kitchentable.render import view as shared

View = shared.View[State, Params]
