"""Parameters that choose among names."""

import pytest

from kitchentable.core.parameters import read_names

KINDS = ("a", "b", "c")


def test_names_are_returned_in_the_order_of_the_game():
    assert read_names("game", "kinds", ["c", "a"], KINDS, "kind") == ("a", "c")
    assert read_names("game", "kinds", "all", KINDS, "kind") == KINDS


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("ab", "game: kinds='ab' is not possible; give 'all' or a list of names: a, b, ..., c"),
        (["a", "d"], "game: kinds: there is no kind 'd'; a, b, c"),
        ([["a"]], r"game: kinds: there is no kind \['a'\]"),
        (["a", "b", "a"], "game: kinds: 'a' is named more than once"),
    ],
)
def test_names_that_are_not_there_are_refused(value, message):
    with pytest.raises(ValueError, match=message):
        read_names("game", "kinds", value, KINDS, "kind")
