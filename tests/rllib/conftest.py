"""RLlib's tests, in an environment of their own (`make test-rllib`), which has Ray."""

import pytest

pytest.importorskip("ray", reason="needs the extra `rllib`: `make test-rllib`")


def pytest_collection_modifyitems(items) -> None:
    for item in items:
        if "rllib" in item.path.parts:
            item.add_marker(pytest.mark.rllib)
            # Ray warns of its own old ways, and leaves sockets to its processes.
            item.add_marker(pytest.mark.filterwarnings("ignore"))
