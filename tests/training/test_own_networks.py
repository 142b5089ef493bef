"""Networks of one's own: what can be done with them, and that no checkpoint runs code."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.training import tiny_settings
from tests.training.tiny_settings import ALL, FICTITIOUS, LEAGUE, ORACLES, TAUGHT, check_resumed

from kitchentable import Batch, all_games, find_game
from kitchentable_training import named
from kitchentable_training.algorithms.vec_env import LearnerVecEnv
from kitchentable_training.cli.main import main
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.network import build_network
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.players.by_name import make_player
from kitchentable_training.players.checkpoint import CheckpointError, load_player, read_card
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import load_settings
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.seats import PlayerPool

ROOT = Path(__file__).parents[2]
DIDDLY = find_game("diddly")
PARAMS = {"rounds": 1, "reward": "margin"}
PLAIN = {"layers": [8], "relations": True}
NET = '''
from pathlib import Path

import torch
from torch import nn

Path(__file__).with_suffix(".imported").touch()


class Net(nn.Module):
    """Reads two inputs, and shares one layer."""

    def __init__(self, inputs, units):
        super().__init__()
        size = inputs.shapes["observation"][0] + inputs.shapes["relations"][0]
        self.body = nn.Linear(size, units)
        self.dropout = nn.Dropout(0.5)
        self.logits, self.values = nn.Linear(units, inputs.num_actions), nn.Linear(units, 1)
        self.register_buffer("scale", torch.tensor(2))

    def forward(self, shown):
        seen = torch.cat([shown["observation"], shown["relations"]], dim=1)
        hidden = self.dropout(self.body(seen).relu())
        return self.logits(hidden) * self.scale, self.values(hidden)[:, 0]
'''
UNNAMED = "runs no code; if you trust that module, name it: --module"


@pytest.fixture(autouse=True)
def _nobody_has_named_a_module(monkeypatch, tmp_path) -> None:
    """Nor is anything drawn on the pages of runs."""
    monkeypatch.setenv(named.NAMED, "[]")
    monkeypatch.setattr("kitchentable_training.report.parts.to_png", lambda _: b"")
    monkeypatch.chdir(tmp_path)


def settings(file: Path, **more):
    network = {"module": f"{file}:Net", "options": {"units": 8}, "relations": True}
    judges = {"final_deals": 2, "opponents": ["random"]}
    content = {"steps": 768, "num_envs": 16, "network": network, "evaluation": judges}
    return tiny_settings.settings(**content | more)


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    """The folder of a finished run, beside ``net.py``."""
    folder = tmp_path_factory.mktemp("trained")
    file = folder / "net.py"
    file.write_text(NET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(named.NAMED, "[]")
        Run(settings(file), folder / "runs" / "mine").train()
    return folder / "runs" / "mine"


@pytest.fixture
def player(trained) -> Path:
    """The folder of the checkpoint, whose module is named by another place of the same name."""
    shutil.copy(trained.parents[1] / "net.py", "net.py")
    named.name_module("net.py:Net")
    return trained / "final"


# --- What can be done with them -------------------------------------------------------------------


@pytest.mark.parametrize(
    "more",
    [
        {"own": ALL, "opponents": LEAGUE},
        {"algorithm": "sb3_ppo", "opponents": {"scripted": {"random": 1}}},
        FICTITIOUS,
    ],
    ids=["ppo", "sb3_ppo", "nfsp"],
)
def test_a_run_that_is_left_at_every_update_ends_with_the_same_weights(tmp_path, more) -> None:
    file = tmp_path / "net.py"
    file.write_text(NET)
    chosen = settings(file, checkpoint_seconds=0.0001, **more)
    final = check_resumed(chosen, tmp_path)[0] / "final"
    card, player = read_card(final), load_player(final)
    assert card["network"]["module"] == f"{file}:Net"
    assert not player.network.training
    batch = Batch(DIDDLY, 8, seed=1, **PARAMS)
    shown = player.inputs.tensors(batch)
    logits, values = player.network(shown)
    masked = logits.masked_fill(~torch.from_numpy(batch.masks), -torch.inf).detach()
    assert player.act(batch, np.arange(8)).tolist() == masked.argmax(dim=1).tolist()
    found = player.values(batch, np.arange(8))
    np.testing.assert_allclose(found, values.detach(), rtol=1e-5)


def test_a_mixture_of_modules_is_trained_and_played(tmp_path) -> None:
    file = tmp_path / "net.py"
    file.write_text(NET)
    final = Run(settings(file, **ORACLES), tmp_path / "run").train()
    player, batch = load_player(final), Batch(DIDDLY, 8, seed=1, **PARAMS)
    assert [type(one.network).__name__ for one in player.members] == 4 * ["Net"]
    assert batch.masks[np.arange(8), player.act(batch, np.arange(8))].all()


def test_a_run_learns_from_a_module_after_cloning_and_starts_from_it(player, tmp_path) -> None:
    lessons = TAUGHT | {"player": "greedy", "decisions": 400, "lesson": 400}
    taught = settings("net.py", behavior_cloning=lessons, steps=256)
    start = str(Run(taught, tmp_path / "taught").train())
    still = {"learning_rate": 1e-30, "final_learning_rate": 0.0}
    chosen = settings("net.py", start=start, steps=256, own=still)
    again = Run(chosen, tmp_path / "again").train()
    before, after = (load_player(folder).network.state_dict() for folder in (start, again))
    torch.testing.assert_close(after, before)
    plain, only = {"network": PLAIN}, "cannot be carried over: only layers of the project"
    for more, message in (
        ({"carry_over": True}, only),
        ({"carry_over": True, **plain}, only),
        (plain, r"is of another network: body\.bias is .* nothing"),
    ):
        with pytest.raises(CheckpointError, match=message):
            Run(settings("net.py", start=start, **more), tmp_path / "refused")
    assert not (tmp_path / "refused").exists()


def test_a_process_that_is_started_knows_what_is_named(player) -> None:
    script = "import sys; from kitchentable_training.players.checkpoint import load_player as load"
    load = [sys.executable, "-c", f"{script}; print(load(sys.argv[1]).network)", str(player)]
    assert "Dropout" in subprocess.run(load, capture_output=True, text=True, check=True).stdout


TRANSFORMER = "examples/card_transformer.py:CardTransformer"


def test_the_transformer_of_the_guide_is_trained_and_evaluated(tmp_path, monkeypatch, capsys):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    few = ["steps=1024", "num_envs=32", "training.batch_size=256", "params.rounds=1"]
    assert main(["train", "examples/card_transformer.yaml", *few, "evaluation.final_deals=2"]) == 0
    monkeypatch.setenv(named.NAMED, "[]")
    words = ["evaluate", "runs/card_transformer", "--deals", "2", "--against", "random"]
    assert main([*words, "--module", TRANSFORMER]) == 0
    assert "| random" in capsys.readouterr().out


def test_the_transformer_of_the_guide_reads_any_game_with_cards() -> None:
    """One card more of a kind in the hand, or a number of the rest, changes what it returns."""
    named.name_module(str(ROOT / TRANSFORMER))
    settings = NetworkSettings(module=TRANSFORMER, options={"width": 8, "layers": 1})
    for game in (one for one in all_games().values() if one.rules.card_parts):
        params = game.make_params()
        network = build_network(game, params, settings)
        shown = {"observation": NetworkInputs(game, params).example(1)["observation"].clone()}
        shown["observation"].requires_grad_()
        network(shown)[1].sum().backward()
        assert shown["observation"].grad.ne(0).float().mean() > 0.9, game.name


# --- A checkpoint runs no code --------------------------------------------------------------------


def commands(*words: str):
    def load(folder: Path, capsys) -> None:
        told = main([word.format(folder) for word in words])
        if told:
            raise ValueError(capsys.readouterr().err)

    return load


def seat_on_the_page(folder: Path, _) -> None:
    runs = Path("page").absolute()
    shutil.copytree(folder, runs / "mine" / "final", dirs_exist_ok=True)
    PlayerPool(runs).check("mine", DIDDLY, DIDDLY.make_params(**PARAMS))


def seat_in_the_league(folder: Path, _) -> None:
    LearnerVecEnv.make("diddly", 2, {str(folder): 1.0}, seed=1, **PARAMS)


def carry_over(folder: Path, _) -> None:
    chosen = settings("net.py", network=PLAIN, start=str(folder), carry_over=True)
    Run(chosen, "carried")


TINY_RUN = ("steps=256", "evaluation.final_deals=2", "--run", "again")
WAYS = {
    "load_player": lambda folder, _: load_player(folder),
    "make_player": lambda folder, _: make_player(str(folder), DIDDLY, DIDDLY.make_params(**PARAMS)),
    "settings": lambda folder, _: load_settings(folder),
    "league": seat_in_the_league,
    "page": seat_on_the_page,
    "train": commands("train", "{}", *TINY_RUN),
    "evaluate": commands("evaluate", "{}", "--deals", "1", "--against", "random"),
    "search": commands("evaluate", "search:value={}:rollouts=2", "--deals", "1"),
    "against": commands("evaluate", "random", "--deals", "1", "--against", "{}"),
    "tournament": commands("tournament", "{}", "random", "--deals", "1"),
    "watch": commands("watch", "{}", "--seed", "1"),
    "report": commands("report", "{}", "--out", "page.html"),
    "exploit": commands(
        "exploit", "{}", "steps=64", "num_envs=16", "training.n_steps=4", "training.batch_size=64",
        "evaluation.final_deals=2", "--run", "against",
    ),
}  # fmt: skip
"""By name: functions that load the checkpoint in a folder in some way."""


def with_settings(checkpoint: Path, folder: Path, module: str, **settings) -> Path:
    """Copy a checkpoint, and change the module and the settings on its card."""
    shutil.copytree(checkpoint, folder)
    card = json.loads((folder / "card.json").read_text())
    for network in (card["network"], card["settings"]["network"]):
        network["module"] = module
    card["settings"] |= settings
    (folder / "card.json").write_text(json.dumps(card))
    return folder


@pytest.mark.parametrize("way", WAYS)
def test_a_module_is_loaded_only_if_a_person_names_it(way, trained, tmp_path, capsys) -> None:
    """Its import writes a file."""
    hostile = with_settings(trained / "final", tmp_path / "hostile", "evil.py:Net")
    for file in ("net.py", "evil.py"):
        (tmp_path / file).write_text(NET)
    named.name_module("net.py:Net")  # another one
    message = f"(network|module) is evil.py:Net.*{UNNAMED}"
    with pytest.raises((ValueError, RefusedError), match=message):
        WAYS[way](hostile, capsys)
    assert not (tmp_path / "evil.imported").exists()
    named.name_module("evil.py:Net")
    WAYS[way](hostile, capsys)
    assert (tmp_path / "evil.imported").exists() == (way != "settings")


def test_a_module_in_another_folder_is_that_of_the_person(trained, tmp_path, capsys) -> None:
    """Even if a file as on the card is in the current folder, as where somebody unpacked both."""
    folder = with_settings(trained / "final", tmp_path / "hostile", "net.py:Net")
    (tmp_path / "mine").mkdir()
    for file in ("net.py", "mine/net.py"):
        (tmp_path / file).write_text(NET)
    named.name_module("mine/net.py:Net")
    WAYS["evaluate"](folder, capsys)
    assert (tmp_path / "mine" / "net.imported").exists()
    assert not (tmp_path / "net.imported").exists()


@pytest.mark.parametrize(
    "settings",
    [
        {"algorithm": "evil.py:Net"},
        {"opponents": {"trained": {"evil.py:Net": 1}}},
        {"opponents": {"trained": {"search:value=evil.py:Net:rollouts=2": 1}}},
        {"evaluation": {"opponents": ["random", "evil.py:Net"]}},
        {"behavior_cloning": {"player": "evil.py:Net"}},
        {"behavior_cloning": {"player": ["greedy", "search:value=evil.py:Net"]}},
        {"stages": {"hostile": {"algorithm": "evil.py:Net"}}},
        {"stages": {"hostile": {"network": {"module": "evil.py:Net"}}}},
    ],
    ids=str,
)
def test_settings_on_a_card_run_no_code(settings, trained, tmp_path, capsys) -> None:
    folder = with_settings(trained / "final", tmp_path / "hostile", "net.py:Net", **settings)
    for file in ("net.py", "evil.py"):
        (tmp_path / file).write_text(NET)
    named.name_module("net.py:Net")
    with pytest.raises(ValueError, match=f"is evil.py:Net.*{UNNAMED}"):
        load_settings(folder)
    assert main(["train", str(folder), "--run", "again"]) == 2
    assert UNNAMED in capsys.readouterr().err
    assert not (tmp_path / "evil.imported").exists()


def test_settings_from_a_person_name_their_module(trained, tmp_path) -> None:
    (tmp_path / "net.py").write_text(NET)
    load_settings(trained / "final", ["network.module=net.py:Net"])
    assert named.named_modules() == [f"{tmp_path}/net.py:Net"]
    load_settings(trained / "settings.yaml")
    assert len(named.named_modules()) == 2


# --- Modules that are none ------------------------------------------------------------------------

WRONG = {
    "class Net: ...": "argument.*; it takes nothing, network.options has units",
    "class Other: ...": "has no 'Net'",
    "def Net(": "line 2: '\\(' was never closed",
    "def Net(inputs, units, layers): ...": "argument: 'layers'; it takes units, layers, net",
    "def Net(inputs, units): ...": "must make a torch.nn.Module, not NoneType",
    "def Net(inputs, units): return torch.nn.ReLU()": "has no parameters to learn",
    "{class}return shown['pairs']": r"line 10: ValueError: .* not shown 'pairs', but flat",
    "{class}return self.one(shown['observation'])": r"\(2, 24\), and values, \(2,\), not Tensor",
    "{class}return x, x": r"\(2, 24\), and values, \(2,\), not \[\(2, 24\), \(2, 24\)\]",
    "{class}return x + shown['flat'].zero_().sum(), x[:, 0]": r"changes its inputs \(flat, obs",
    "{class}return x / 0, x[:, 0]": "must be finite floats",
}  # fmt: skip
CLASS = """
class Net(torch.nn.Module):
    def __init__(self, inputs, units):
        super().__init__()
        self.one = torch.nn.Linear(inputs.shapes["observation"][0], inputs.num_actions)

    def forward(self, shown):
        x = self.one(shown["observation"])
        """


@pytest.mark.parametrize("code", WRONG)
def test_what_is_no_network_is_told_in_one_sentence(code, tmp_path) -> None:
    (tmp_path / "net.py").write_text("import torch\n" + code.replace("{class}", CLASS))
    with pytest.raises(ValueError, match=rf"^network\.module '.*net\.py:Net'.*{WRONG[code]}"):
        Run(settings(tmp_path / "net.py"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_settings_that_a_module_does_not_read_are_refused() -> None:
    for name in ("best_row", "value_of_actions"):
        network = NetworkSettings(module="net.py:Net", action_features=True, **{name: True})
        with pytest.raises(ValueError, match=rf"network\.{name}: net\.py:Net does not read it"):
            network.check(DIDDLY)
    with pytest.raises(ValueError, match=r"network\.module: 'net\.py' is neither package"):
        NetworkSettings(module="net.py").check(DIDDLY)
    with pytest.raises(ValueError, match=r"network\.options are those of network\.module"):
        NetworkSettings(options={"units": 3}).check(DIDDLY)


def test_a_module_gets_whatever_the_settings_show(tmp_path) -> None:
    """All inputs of `networks.inputs.Inputs`, in Add-Too."""
    addtoo = find_game("addtoo")
    (tmp_path / "net.py").write_text(
        "import torch\n" + CLASS.replace("units", "known")
        + "known = self.known = set(shown)\n        return x, x[:, 0]\n"
    )  # fmt: skip
    named.name_module("net.py:Net")
    shown = {"relations": True, "action_features": True, "reply_rounds": 1}
    network = NetworkSettings(module="net.py:Net", options={"known": 1}, **shown)
    params = addtoo.make_params()
    made = build_network(addtoo, params, network)
    wanted = set(NetworkInputs(addtoo, params, network).shapes)
    assert made.known == wanted | {"flat", "action_mask", "row_counts"}
    assert wanted >= {"relations", "action_features", "row_actions", "pairs"}
