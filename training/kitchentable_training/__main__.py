"""The entry point of ``python -m kitchentable_training``, the same as ``kitchentable``."""

from __future__ import annotations

import sys

from kitchentable_training.cli.main import main

sys.exit(main())
