"""The same settings and seed reproduce a player bit for bit, shipped ones included."""

import json
import shutil
from pathlib import Path

import pytest
import torch
import yaml
from tests.training.tiny_settings import HANDS, TAUGHT

from kitchentable_training import shipped
from kitchentable_training.cli.main import main
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import load_settings, load_stages, parse_settings

LESSONS = TAUGHT | {"player": "greedy", "decisions": 2000, "lesson": 1000}
FIRST = HANDS | {"behavior_cloning": LESSONS}
LEAGUE = {"trained": {"runs/first": 1}, "past_selves": 1, "past_every": 128}
SECOND = FIRST | {
    "seed": 2, "start": "runs/first/final", "opponents": HANDS["opponents"] | LEAGUE,
    "evaluation": HANDS["evaluation"] | {"opponents": ["random", "greedy"]},
}  # fmt: skip


def train(settings, folder):
    return Run(parse_settings(settings, "here"), Path(folder)).train()


def ends(folder):
    """Return a run's final state, bit for bit, and its log without the times."""
    weights = (folder / "final/weights.safetensors").read_bytes()
    lines = [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]
    timeless = [{k: v for k, v in line.items() if not k.startswith("time/")} for line in lines]
    return weights, json.loads((folder / "evaluation.json").read_text()), timeless


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A folder like a fresh clone: a player trained in two stages, and its settings."""
    folder = tmp_path_factory.mktemp("clone")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("configs").mkdir()
        stages = {"stages": {"first": {}, "mine": SECOND}}
        Path("configs/mine.yaml").write_text(yaml.safe_dump(FIRST | stages))
        train(FIRST, "runs/first")
        final = train(SECOND, "runs/mine")
        shutil.copytree(final, "checkpoints/mine")
        shutil.move("runs", "before")
    return folder


@pytest.fixture(autouse=True)
def at_clone(clone, monkeypatch):
    monkeypatch.chdir(clone)
    monkeypatch.setattr(shipped, "CHECKOUT", clone)
    shutil.rmtree("runs", ignore_errors=True)


def test_a_shipped_player_is_made_again_from_nothing(capsys):
    """With all that uses randomness: behavior cloning, a league with all kinds of players, play."""
    torch.manual_seed(123)  # as if other code in this process had used the generator
    assert main(["reproduce", "mine"]) == 0
    shown = capsys.readouterr().out
    assert "the same to the last digit; as are the weights" in shown
    result = json.loads(Path("runs/mine/reproduction.json").read_text())
    assert (result["same_weights"], result["same_results"]) == (True, True)
    assert result["results"].keys() == {"random", "greedy"}
    for run in ("first", "mine"):
        assert ends(Path("runs", run)) == ends(Path("before", run))
    before = Path("runs/mine/final").stat().st_mtime_ns
    assert main(["reproduce", "diddly"]) == 0  # all players of the game; nothing is repeated
    assert capsys.readouterr().out == shown
    assert Path("runs/mine/final").stat().st_mtime_ns == before


def test_stages_are_trained_in_order_and_resumed(capsys):
    """Each is an ordinary run; the last one may have another name."""
    assert main(["train", "mine", "--run", "again", "--minutes", "0.0001"]) == 0
    assert "To resume: give the same command again" in capsys.readouterr().out
    assert main(["train", "mine", "--run", "again"]) == 0
    assert ends(Path("runs/first")) == ends(Path("before/first"))
    assert ends(Path("runs/again"))[0] == ends(Path("before/mine"))[0]
    assert main(["train", "mine", "seed=5"]) == 2  # before anything is trained
    assert "runs/first holds a run with other settings (seed)" in capsys.readouterr().err
    assert not Path("runs/mine").exists()


def test_a_stage_is_what_differs_from_its_file(tmp_path):
    file = tmp_path / "both.yaml"
    stages = {"one": {"training": {"gamma": 0.5}}, "two": {}}
    file.write_text(yaml.safe_dump(FIRST | {"stages": stages}))
    one, two = load_stages(file, ["seed=9"]).values()
    assert (one.training.gamma, one.training.n_steps, one.seed) == (0.5, 16, 9)
    assert two == load_settings(file, ["seed=9"]) == parse_settings(FIRST | {"seed": 9}, "here")
    assert list(load_stages("first")) == ["first"]
    file.write_text(yaml.safe_dump(FIRST | {"stages": ["one", "two"]}))
    with pytest.raises(ValueError, match=r"both\.yaml: stages: give the names of the runs, each"):
        load_stages(file)
    file.write_text(yaml.safe_dump(FIRST | {"stages": {"one": {"seeds": 3}, "two": {}}}))
    with pytest.raises(ValueError, match=r"both\.yaml, one: seeds: there is no such setting; did"):
        load_stages(file)


def test_what_differs_is_told(capsys):
    shutil.copytree("before/first", "runs/first")
    shutil.copytree("before/mine", "runs/mine")
    card = Path("runs/mine/final/card.json")
    content = json.loads(card.read_text())
    content["results"]["greedy"]["win_rate"] += 0.25
    content["versions"]["torch"] = "0.1"
    card.write_text(json.dumps(content))
    assert main(["reproduce", "mine"]) == 0
    assert "The results differ; it was trained with torch" in capsys.readouterr().out


def test_what_cannot_be_made_is_named_before_anything_is_done(capsys, monkeypatch):
    def fails(*words):
        assert main(["reproduce", *words]) == 2
        assert not Path("runs").exists()
        return capsys.readouterr().err

    assert "name a shipped player or a game" in fails()
    told = "'nobody' is neither a game with trained players nor the name of a trained player (mine)"
    assert told in fails("nobody")
    monkeypatch.setattr(shipped, "config_folder", lambda: Path("empty"))
    assert "mine needs the run runs/first" in fails("mine")
    monkeypatch.setattr(shipped, "config_folder", lambda: Path("circle"))
    Path("circle").mkdir()
    for needed in (
        {"start": "runs/first"},
        {"behavior_cloning": TAUGHT | {"player": ["runs/first"]}},
    ):
        Path("circle/first.yaml").write_text(yaml.safe_dump(FIRST | needed))
        assert "start from each other: mine -> first -> first" in fails("mine")
