"""Positions of random games, and helpers that read their views."""

import numpy as np
import pytest
from tests.contract.pictures import check_places

from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.render.picture import Text
from kitchentable.render.view import View


def at_random(batch, _):
    return batch.sample_actions()


both_layouts = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])


def places(picture):
    """Return the shape that is clicked for each action."""
    return {action: spot.shape for spot in picture.spots for action in spot.actions}


def written_in(picture, shape):
    """Return the texts written inside a shape's box, from left to right."""
    left, top, right, bottom = shape.bounds
    inside = [
        (text.x, text.text)
        for text in picture.shapes
        if isinstance(text, Text) and left < text.x < right and top < text.y < bottom
    ]
    return [text for _, text in sorted(inside)]


class Positions:
    """Positions of a game's tables, from one seeded random game per table.

    Args:
        game: the game.
        options: function from a table's key to the seed and the parameters of its game.
        choose: function from the batch and a random generator to the next actions.
    """

    def __init__(self, game, options, choose=at_random):
        self.game, self.options, self.choose, self.found = game, options, choose, {}

    def copied(self, state):
        """Return a copy of a record that does not change when its game continues."""
        return np.array([state.item()], self.game.rules.state_dtype).view(np.recarray)[0]

    def positions(self, *table):
        """Return the parameters and all positions of one game, its end included."""
        if table not in self.found:
            rng = np.random.default_rng(1)
            batch = Batch(self.game, 1, autoreset=False, **self.options(*table))
            states = [self.copied(batch.states[0])]
            while not batch.dones[0]:
                batch.step(self.choose(batch, rng))
                states.append(self.copied(batch.states[0]))
            self.found[table] = batch.params, states
        return self.found[table]

    def last(self, *table):
        """Return the parameters and the last position of each phase, in hands and at their ends."""
        params, states = self.positions(*table)
        last = {(int(state.phase), bool(state.hand_over)): state for state in states}
        return params, list(last.values())

    def after(self, state, params, action):
        """Return the position after an action, given by name."""
        rules, then = self.game.rules, self.copied(state)
        rules.step(then, rules.action_names(params).index(action), *rules.tables(params))
        return then

    def look(self, state, params, viewer=0):
        return View(self.game, state, params, viewer)

    def texts_in(self, state, params, viewer):
        """Return the text on one line, and all texts of the picture."""
        view = self.look(state, params, viewer)
        return " ".join(view.text().split()), " ".join(view.draw().texts)

    def check_fits(self, params, states):
        """Check that texts fit a terminal, and that pictures are sound and have a fixed size."""
        sizes = set()
        for state in states:
            for viewer in (params.num_players - 1, ALL_SEEING):
                view = self.look(state, params, viewer)
                text = view.text()
                assert max(map(len, text.splitlines())) <= 80
                assert text.isascii()
                for tall in (False, True):
                    picture = view.draw(tall=tall)
                    check_places(picture)
                    sizes.add((tall, picture.width, picture.height))
        assert len(sizes) == 2
