"""Where files are cached between runs, and what happens without a usable cache."""

import os
import subprocess
import sys
from pathlib import Path


def test_without_a_cache_nothing_is_left_behind(tmp_path):
    code = (
        "from kitchentable.core.user_cache import kept_folder\n"
        "folder = kept_folder('engine')\n"
        "(folder / 'code').write_text('compiled')\n"
        "print(folder)"
    )
    settings = {"NUMBA_CACHE_DIR": os.devnull, "TMPDIR": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(told.stdout.strip()).parent == tmp_path
    assert not list(tmp_path.iterdir())
