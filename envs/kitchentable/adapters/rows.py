"""Action features in observations."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from kitchentable.core.state import NO_ACTION
from kitchentable.engine.batch import Batch

NAMES = FEATURES, ACTIONS = "action_features", "row_actions"
"""Their names in observations."""


def row_spaces(batch: Batch) -> dict[str, spaces.Box]:
    """Return the spaces of one table's action features, by name.

    ``"action_features"`` has a row for an action, float32, and ``"row_actions"`` the action of each
    row, int64, or -1 for unused rows, which are zero.

    Raises:
        NotImplementedError: the game has no action features.
    """
    rows, actions = batch.empty_rows(1)
    last = len(batch.action_names) - 1
    return {
        FEATURES: spaces.Box(0.0, 1.0, rows.shape[1:], np.float32),
        ACTIONS: spaces.Box(NO_ACTION, last, actions.shape[1:], np.int64),
    }
