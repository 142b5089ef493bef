"""Random positions of Fiddlefoo for the tests of text and pictures, and helpers to view them."""

from __future__ import annotations

import pytest
from tests.games.positions import Positions

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.fiddlefoo import GAME
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.render.view import cards_of
from kitchentable.render.picture import Rectangle, Text
from kitchentable.render.view import View

TABLES = {
    "two": {"games": 2, "map_size": 8},
    "wildcard": {"wildcard": True, "num_players": 3, "talkytoot": "all"},
    "cooperative": {"cooperative": True, "talkytoot": "all", "games": 2},
    "six": {"num_players": 6, "map_size": 16, "talkytoot": "all", "games": 2},
}


every_table = pytest.mark.parametrize("name", TABLES)


games = Positions(GAME, lambda name: {"seed": 2, **TABLES[name]})
copied, positions, sample, position_with = (
    games.copied, games.positions, games.sample, games.position_with,
)  # fmt: skip
shown, is_shown, texts_in = games.shown, games.is_shown, games.texts_in


def code(card):
    return f"{c.COLOR_CODES[c.COLOR[card]]}{c.NUMBER[card]}"


def frames(state, params, viewer, colour):
    return sum(
        isinstance(shape, Rectangle) and shape.outline == colour and shape.fill is None
        for shape in games.look(state, params, viewer).draw().shapes
    )


def crowded(state):
    """Return a copy with as many cards on the table, and the longest texts, as possible."""
    state = copied(state)
    state.totals[:] = 12345
    state.hand_points[:] = 222
    state.last_scores[:] = 222
    state.removed[:] = c.set_of(range(c.NUM_CARDS - 5, c.NUM_CARDS))
    state.blocked = 5
    state.received[:] = state.in_play
    state.again = True
    state.known[:] = state.hands
    state.pile_notes[:] = 38
    state.on_piles[:] = c.set_of(range(c.NUM_BASE))
    spare = [int(card) for card in state.deck[: state.deck_size]]
    size = len(cards_of(state.hands[0]))
    if state.hand_over:
        state.last_hands[:] = c.set_of(range(0, c.NUM_CARDS, 8))
        state.last_hands[0] = c.set_of(range(0, c.NUM_CARDS, 3))
    else:
        state.hands[0] = c.set_of([*cards_of(state.hands[0]), *spare[: 25 - size]])
        state.deck_size = 0
    return state


def by_phase(name):
    """Return parameters, and one position of each phase."""
    params, states = sample(name, 1)
    return params, list({int(state.phase): state for state in states}.values())


def after(state, params, action):
    """Return the position after an action, given by name."""
    played = copied(state)
    GAME.rules.step(played, s.action_names(params).index(action))
    return played


def written_in(picture, shape):
    """Return the texts written inside a shape."""
    left, top, right, bottom = shape.bounds
    texts = [text for text in picture.shapes if isinstance(text, Text)]
    return [text.text for text in texts if left < text.x < right and top < text.y < bottom]


def said(game, viewer=ALL_SEEING):
    """Return the situation text of a table set up by hand."""
    return seen(game, viewer).situation()


def seen(game, viewer=ALL_SEEING):
    """Return a viewer's view of a table set up by hand."""
    return View(GAME, game.state, game.env._batch.params, viewer)
