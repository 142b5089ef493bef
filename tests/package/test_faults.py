"""The lists of planted faults match the sources: texts and test files exist, and faults compile."""

from pathlib import Path

import pytest
from tests import planted_faults

LISTS = sorted(path.stem for path in (planted_faults.ROOT / "tests" / "faults").glob("*.toml"))


@pytest.mark.parametrize("game", LISTS)
def test_every_fault_can_be_planted(game):
    tests, faults = planted_faults.load(game)
    assert all(Path(planted_faults.ROOT / test).is_file() for test in tests)
    for fault in faults:
        for file, text in fault.planted(planted_faults.ROOT).items():
            compile(text, file, "exec")
