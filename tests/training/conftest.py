"""Training is for compiled rules."""

from tests.conftest import COMPILED

collect_ignore_glob = [] if COMPILED else ["test_*.py"]
