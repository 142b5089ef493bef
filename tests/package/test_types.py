"""A type checker finds nothing in code as users write it: pyright, as editors run it."""

import ast
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.package.test_readme import CODE, ROOT

CALLS = """
import gymnasium
import numpy as np
import kitchentable
from kitchentable import Batch, SeatEnv, TableEnv, addtoo_v0, diddly_v0, find_game
from kitchentable.adapters.vector import SeatVectorEnv

env = addtoo_v0.env(num_players=3, render_mode="ansi")
env.reset(seed=np.int64(3), options={"deck": []})
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    legal = observation["action_mask"].nonzero()[0]
    env.step(None if terminated or truncated else legal[0])
names: list[str] = env.unwrapped.legal_actions()
table: TableEnv = env.unwrapped
env.step(None)
env.step(np.int64(3))
env.step(int(env.observe("player_0")["action_mask"].argmax()))
print(env.render(), env.action_names, env.unwrapped.scores.sum(), table.save()[:3])

raw = TableEnv("diddly", num_players=3)
raw.reset(seed=3)
raw.step(np.int64(3))
raw.step(np.uint8(3))
raw.step(None)
raw.redeal("player_0", np.int64(1)).step(3)
print(diddly_v0.raw_env().state().sum(), raw.images(raw.observe("player_0")["observation"]))

seat = SeatEnv("diddly", opponents=["greedy"])
observation, info = seat.reset(seed=np.int64(5))
observation, reward, terminated, truncated, info = seat.step(info["action_mask"].argmax())
print(reward + 1.0, seat.action_masks().sum())
many = SeatVectorEnv("diddly", 8, opponents="random", mask_in_observation=True)
many.reset(seed=5)
many.step(np.zeros(8, np.int64))
made = gymnasium.make("kitchentable:kitchentable/Diddly-v0", opponents="random")
made.reset(seed=5)
made.step(made.action_space.sample())
batch = kitchentable.make_batch("diddly", 64, seed=np.int64(5), threads=1)
batch.step(batch.sample_actions())
print(batch.states["terminated"].any(), Batch(find_game("addtoo"), 4).standings()[0][0, 0])
"""
"""Calls that users write, beside those on the pages."""


def can_be_imported(code: str) -> bool:
    """Return whether all packages that some code imports are installed."""
    nodes = list(ast.walk(ast.parse(code)))
    names = [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    return all(importlib.util.find_spec(name.partition(".")[0]) for name in names)


@pytest.mark.slow
def test_a_type_checker_finds_nothing_in_documented_code(tmp_path) -> None:
    """One run for all: pages, examples and calls."""
    pytest.importorskip("pyright")
    examples = {path.name: path.read_text("utf-8") for path in (ROOT / "examples").glob("*.py")}
    code = {page.replace("/", "_") + ".py": text for page, text in CODE.items()} | examples
    code = {name: text for name, text in code.items() if can_be_imported(text)}
    assert len(code) > 6
    for name, text in (code | {"calls.py": CALLS}).items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "wrong.py").write_text("import kitchentable\nkitchentable.SeatEnv(7)\n", "utf-8")
    settings = {
        "typeCheckingMode": "basic",
        "extraPaths": [str(ROOT / one) for one in ("envs", "training", ".")],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = ["-m", "pyright", "--pythonpath", sys.executable, "--outputjson", "-p", str(tmp_path)]
    quiet = os.environ | {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        [sys.executable, *command], env=quiet, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("{"), done.stderr
    found = json.loads(done.stdout)["generalDiagnostics"]
    said = [
        f"{Path(one['file']).name}:{one['range']['start']['line'] + 1}: {one['message']}"
        for one in found
    ]
    assert len(said) == 1, "\n".join(said)
    assert said[0].startswith("wrong.py:2: ")
