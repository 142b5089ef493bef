"""Where files are kept from one run to the next, and what an error there costs."""

import logging
from pathlib import Path

import pytest

from kitchentable.core import user_cache
from kitchentable.core.user_cache import cache_dir, harmless, read_cached, write_cached


def test_the_folder_is_the_users_or_the_one_that_is_named(monkeypatch, tmp_path):
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert cache_dir("engine") == Path.home() / ".cache" / "kitchentable" / "engine"
    for name in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
        assert cache_dir("engine") == tmp_path / name / "kitchentable" / "engine"


def test_errors_of_a_path_are_one_line(monkeypatch, tmp_path, caplog):
    user_cache.told.clear()
    with caplog.at_level(logging.WARNING):
        for error in (EOFError("ran out\nof input"), OSError(28, "No space left on device")):
            for _ in range(2):
                with harmless(tmp_path / type(error).__name__):
                    raise error
    assert caplog.messages == [
        f"kitchentable: going on without the cache {tmp_path}/EOFError: EOFError: ran out",
        f"kitchentable: going on without the cache {tmp_path}/OSError: "
        "[Errno 28] No space left on device",
    ]
    with pytest.raises(KeyboardInterrupt), harmless(tmp_path):
        raise KeyboardInterrupt


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    file = tmp_path / "new" / "file"
    assert read_cached(file) is None
    write_cached(file, b"whole")
    with pytest.raises(OSError, match=r"File exists|director"):
        write_cached(file / "below", b"half")
    assert read_cached(file) == b"whole"
    assert list(file.parent.iterdir()) == [file]
    for damage in (b"", file.read_bytes()[:-1], file.read_bytes() + b"x"):
        file.write_bytes(damage)
        with pytest.raises(ValueError, match="file is damaged"):
            read_cached(file)
