"""Observations of Quiddler in positions that random games do not reach; others are in duels."""

import numpy as np
import pytest
from tests.games.duel import one_hot
from tests.games.quiddler.laying import COPIES
from tests.games.quiddler.play import Table, few, held, names

from kitchentable.core.state import slices
from kitchentable.games.quiddler import GAME


@pytest.mark.parametrize(("forbid", "out"), [(False, 1.0), (True, 0.0)])
def test_a_card_that_must_be_kept_does_not_help_to_go_out(forbid, out):
    """All of `c a t` can be laid, but the card taken would have to be discarded."""
    params = {"meld": "auto", "lexicon": few("cat"), "forbid_returning_discard": forbid}
    table = Table("c a t", "o n e", then="k s", **params)
    assert table.batch.observations[0, -1] == out


def test_full_state_shows_all_hands_validity_and_the_deck_in_order():
    table = Table("c a t o n", "x x y y z", then="k s b", challenges=True, lexicon=few("on"))
    table.play("draw c-a-t. o-n. -s")
    layout = GAME.rules.full_layout(table.batch.params)
    out = table.batch.observe_state()[0]
    assert len(out) == sum(layout.values())
    parts = {name: out[where] for name, where in slices(layout).items()}
    hands = parts["hands"].reshape(2, 31) * list(COPIES.values())
    assert [held(np.rint(hand)) for hand in hands] == [(), ("x", "x", "y", "y", "z")]
    assert parts["valid_words"].tolist() == one_hot(10, 1)
    size = int(table.state.deck_size)
    order = np.rint(parts["deck_order"] * 31).astype(int) - 1
    assert names(order[:size]) == names(table.state.deck[:size][::-1])
    assert (order[size:] == -1).all()
    seen = table.batch.observe(np.zeros(1, np.int64))[0]
    np.testing.assert_array_equal(out[: len(seen)], seen)
