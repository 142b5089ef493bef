"""``python -m kitchentable_training`` does what ``kitchentable`` does."""

from __future__ import annotations

import sys

from kitchentable_training.cli.main import main

sys.exit(main())
