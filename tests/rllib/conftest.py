"""RLlib's tests, in their own environment (`make test-rllib`), which has Ray."""

from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("ray") else ["test_*.py"]


def pytest_collection_modifyitems(items) -> None:
    for item in items:
        if "rllib" in item.path.parts:
            item.add_marker(pytest.mark.rllib)
            # Ray warns of its own deprecated code, and leaves sockets to its processes.
            item.add_marker(pytest.mark.filterwarnings("ignore"))
