"""Mutants change one place each, and a sample stays as it is when something else is edited."""

import ast

import pytest
from tests import mutants

SOURCE = b'''"""Not 1 < 2."""
__all__ = ["x"]
@decorated(1)
def f(x: Literal[1], y=2) -> bool:
    """Return 1."""
    if not (x <  # a comment
            y) and x in y:
        raise ValueError(f"{1 + 1}" + str(3))
    state.total += min(x, -y)
    state.a = True
    done()
    return x is not y
'''
CHANGES = [
    *("2 to 3", "condition True", "condition False", "and to or", "not dropped", "< to <="),
    *("in to not in", "deleted", "deleted", "+ to -", "min to max", "- dropped", "deleted"),
    *("True to False", "deleted", "another value", "is not to is"),
]


def test_every_operator_finds_its_places_and_no_other():
    found = mutants.find("a.py", SOURCE)
    assert [one.change for one in found] == CHANGES
    for one in found:
        assert ast.dump(ast.parse(one.applied(SOURCE))) != ast.dump(ast.parse(SOURCE))
        assert one.line in SOURCE.decode()
    assert len({str(one) for one in found}) == len(found)


@pytest.mark.parametrize("subject", mutants.FOLDERS)
def test_a_sample_has_mutants_of_every_part(subject):
    sample = mutants.drawn(mutants.candidates(subject, mutants.ROOT), seed=1)
    parts = {"core", "engine"} if subject == "engine" else {"rules", "observation", "redeal"}
    assert {one.part for one in sample} == parts
    for one in sample:
        source = (mutants.ROOT / mutants.PACKAGE / one.file).read_bytes()
        compile(one.applied(source), one.file, "exec")


def test_an_edit_elsewhere_keeps_the_sample():
    edited = b"def g():\n    return 1\n\n\n" + SOURCE
    names = {str(one) for one in mutants.drawn(mutants.find("a.py", SOURCE), seed=1)}
    assert names <= {str(one) for one in mutants.drawn(mutants.find("a.py", edited), seed=1)}


def test_mutants_that_are_called_equivalent_exist():
    found = {str(one) for name in mutants.FOLDERS for one in mutants.candidates(name, mutants.ROOT)}
    assert set(mutants.equivalents()) <= found
