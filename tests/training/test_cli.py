"""The command line: each command, each kind of error, and a tiny training run."""

import contextlib
import importlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from sb3_contrib import MaskablePPO
from tests.training.tiny_settings import HANDS, check_same_end

from kitchentable import find_game
from kitchentable_training import shipped
from kitchentable_training.algorithms import behavior_cloning
from kitchentable_training.cli import arguments
from kitchentable_training.cli import main as cli
from kitchentable_training.cli.arguments import GOES_ON, read_params, split_words
from kitchentable_training.cli.main import build_parser, main
from kitchentable_training.evaluate import tournament
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.formatting import result_table
from kitchentable_training.players.by_name import describe_players, find_checkpoint, make_player
from kitchentable_training.runs.bar import progress_bar
from kitchentable_training.runs.settings import load_settings
from kitchentable_training.session import read_saved
from kitchentable_training.stopping import out_of_reach

COMMANDS = tuple(build_parser()._subparsers._group_actions[0].choices)
GAME = find_game("diddly")
TINY = HANDS | {
    "network": {"layers": [8]},
    "opponents": {"scripted": {"random": 1}, "past_selves": 1, "past_every": 128, "past_kept": 2},
}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder of a tiny run trained by the command, and the command's output."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "tiny.yaml").write_text(yaml.safe_dump(TINY | {"steps": 999_999}))
    words = ["train", str(folder / "tiny.yaml"), "--run", "one", "steps=256", "network.layers=[6]"]
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        assert main([*words, "--runs-folder", str(folder / "runs")]) == 0
    return folder / "runs" / "one", shown.getvalue()


def fails(capsys, *words):
    """Run a command that fails; return its one line of error output."""
    assert main(list(words)) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("kitchentable: error: ")
    return shown.err.strip()


# --- Help and errors ------------------------------------------------------------------------------


def never(*_, **__):
    """Stand in for work that must not begin before a target was found to be impossible."""
    raise AssertionError("too early")


def helped(capsys, *words):
    with pytest.raises(SystemExit) as stop:
        main([*words, "--help"])
    assert stop.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_listed_and_explains_itself_with_two_examples(command, capsys):
    assert f"    {command}" in helped(capsys)
    examples = helped(capsys, command).partition("examples:\n")[2].splitlines()
    assert len(examples) == 2
    assert all(example.startswith(f"  kitchentable {command}") for example in examples)


def test_rules_are_printed_for_the_parameters(capsys):
    assert main(["rules", "diddly", "cards=8"]) == 0
    assert "board of 8 cards" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "usage:"),
        (["dance"], "invalid choice: 'dance'"),
        (["watch", "random", "--dance"], "unrecognized arguments: --dance"),
        (["watch", "random", "--seed", "-1"], "--seed: -1 is not possible; choose 0 to 92233720"),
        (["play", "--seed", "9223372036854775808"], "9223372036854775808 is not possible"),
        (["evaluate", "random", "--seed", "x"], "argument --seed: invalid seed value: 'x'"),
    ],
)
def test_unknown_commands_and_options_are_refused(words, message, capsys):
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("rules", "name one game"),
        ("compile diddly chess", "there is no game 'chess'"),
        ("compile --jobs 0", "--jobs 0 is not possible"),
        ("train", "give the settings of one run"),
        ("train none.yaml", "cannot read none.yaml"),
        ("train didly", "there are no settings 'didly'; did you mean diddly?"),
        ("evaluate random --game didly", "there is no game 'didly'; did you mean diddly?"),
        ("train --resume none steps=5", "give no others"),
        ("evaluate", "give one player"),
        ("evaluate nobody", "no player 'nobody' for diddly; give random, "),
        (f"evaluate {300 * 'x'}", f"no player '{300 * 'x'}'"),  # longer than names of files
        ("evaluate random --deals 0", "--deals 0 is not possible"),
        ("evaluate random --plot wins.gif", "wins.gif is not possible; choose a name that ends in"),
        ("evaluate random --module nothing.py:Net", "there is no file nothing.py"),
        ("evaluate random --module net.py", "'net.py' is no place of a module; give package.mod"),
        ("tournament diddly_2p addtoo_2p", "addtoo_2p plays addtoo; this table is diddly"),
        ("benchmark --entries {tmp}/bad.py:learn", "bad.py, line 2: invalid syntax"),
        ("benchmark --environments diddly", "there is no environment 'diddly'"),
        ("benchmark --entries ppo+network.layers=[64,64],none", "no entry 'none'; shipped are ppo"),
        ("benchmark --entries none.py:learn", "there is no file none.py"),
        ("benchmark --entries examples.benchmark_entries:none", "benchmark_entries has no 'none'"),
        ("benchmark --entries dmc,dmc", "entry dmc is given twice"),
        ("benchmark --seeds one", "--seeds 'one' is not possible"),
        ("benchmark --jobs 0", "--jobs 0 is not possible"),
        ("benchmark --jobs 2 --ray local", "--jobs is for this machine alone"),
        ("benchmark --tune --seeds 1", "--seeds is not for --tune, whose trials have environments"),
        ("benchmark --tune --compare", "--compare is not for --tune"),
        ("evaluate llm:model=a --ray x", "--ray is not possible with llm: players"),
        ("tournament random", "two or more different players"),
        ("watch", "name one player for all seats"),
        ("watch random --view player_7", "view='player_7' is not possible"),
        ("watch --replay none.json", "cannot read none.json"),
        ("watch random --gif g.mp4", "g.mp4 is not possible; choose a name that ends in .gif"),
        ("watch random --gif g.gif --frame-seconds nan", "nan seconds is not possible"),
        ("watch random --gif g.gif --view player_7", "view='player_7'"),
        ("watch random --gif g.gif --step", "--step waits in the terminal"),
        ("watch random --tall", "--tall is for drawings"),
        ("play random --seat 2", "--seat 2 is not possible; choose 0 to 1"),
        ("bench random", "not 'random'"),
        ("report", "give the folder of a run"),
        ("train {yaml} --run ../there", "--run '../there' is not a valid name; give one without"),
        ("evaluate random --against ''", "--against '' has an empty name; give players as in"),
        ("evaluate ''", "an argument is empty"),
        ("train {yaml} --minutes 0", "--minutes 0 is not possible; choose more than 0"),
        ("exploit diddly_2p --minutes inf", "--minutes inf is not possible"),
        ("exploit diddly_2p --draws 9", "--draws is for --exact; a best response learns against a"),
        ("exploit diddly_2p --sample", "--sample is for --exact"),
        ("exploit --exact kuhn_poker random --minutes 1", "--minutes is for training; with"),
        ("exploit --exact diddly_2p random", "diddly_2p is too large for exact computations; smal"),
        ("exploit --exact addtoo_small", "give at least one player"),
        ("exploit --exact kuhn_poker cfr+:0", "give the number of iterations, as in cfr+:100"),
        ("exploit --exact kuhn_poker random --runs-folder x", "--runs-folder is for training"),
        ("train {yaml} --runs-folder {yaml}", "{yaml}/diddly_demo/settings.yaml: Not a directory"),
        ("evaluate random --deals 1 --out {yaml}/e.json", "{yaml}/e.json: Not a directory"),
        ("evaluate random --out .", "error: .: Is a directory"),
        ("tournament random greedy --plot {yaml}/t.png", "{yaml}/t.png: Not a directory"),
        ("watch random --save {yaml}/g.json", "{yaml}/g.json: Not a directory"),
        ("watch random --gif {yaml}/g.gif", "{yaml}/g.gif: Not a directory"),
        ("report diddly_2p --out {yaml}/r.html", "{yaml}/r.html: Not a directory"),
        ("benchmark --environments diddly_2p --out {yaml}", "leaderboard.json: Not a directory"),
        ("serve --port 99999", "--port 99999 is not possible; choose 0 (any free one) to 65535"),
        ("serve --host 192.0.2.1", "; as --host, 0.0.0.0 listens on all addresses of this machine"),
        ("serve --host localhost:80", "--host 'localhost:80' is not an address; 0.0.0.0 listens"),
        ("serve --host \udcff", "--host '\\udcff' is not an address; 0.0.0.0 listens on all"),
    ],
)
def test_errors_say_in_a_line_what_is_wrong(
    words, message, capsys, tmp_path, tmp_path_factory, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    yaml = str(Path(__file__).parents[2] / "configs" / "diddly_demo.yaml")
    bad = tmp_path_factory.mktemp("entries")
    (bad / "bad.py").write_text("\ndef learn(:\n")
    words = words.replace("{tmp}", str(bad))
    monkeypatch.setattr(arguments, "say", lambda _: None)
    monkeypatch.setattr("kitchentable_training.evaluate.duplicate._play_portion", never)
    monkeypatch.setattr("kitchentable_training.report.page.card_section", never)
    said = fails(capsys, *shlex.split(words.replace("{yaml}", yaml)))
    assert message.replace("{yaml}", yaml) in said
    assert "\n" not in said
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_stops_with_its_own_code(monkeypatch, capsys):
    def press(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", press)
    assert main(["play", "random"]) == 130
    assert "stopped" in capsys.readouterr().err


def test_a_broken_import_is_no_user_error(monkeypatch):
    def broken(_):
        raise ImportError("no such name", name="numpy.nothing")

    monkeypatch.setattr(arguments, "read_params", broken)
    with pytest.raises(ImportError, match="no such name"):
        main(["bench"])


def dead_pipe():
    """Return a stream whose reader has left."""
    reads, writes = os.pipe()
    os.close(reads)
    return os.fdopen(writes, "w")


@pytest.mark.parametrize(
    ("make_output", "code"),
    [
        (dead_pipe, 0),
        (lambda: None, 0),  # as after `>&-`
        (lambda: io.TextIOWrapper(io.BytesIO(), "ascii"), 0),
        (lambda: os.fdopen(os.open("/dev/full", os.O_WRONLY), "w"), 2),
    ],
    ids=["pipe", "closed", "ascii", "full"],
)
def test_results_are_kept_where_they_cannot_be_printed(
    make_output, code, tmp_path, monkeypatch, capsys
):
    file, plot = tmp_path / "new" / "t.json", tmp_path / "t.png"
    words = ["tournament", "random", "greedy", "--deals", "2", "--out", str(file)]
    with monkeypatch.context() as patch:
        patch.setattr(tournament, "tournament_table", lambda _: "1 \u2026 2")
        patch.setattr("sys.stdout", output := make_output())
        assert main([*words, "--plot", str(plot)]) == code
    assert json.loads(file.read_text())["deals"] == 2
    assert plot.read_bytes().startswith(b"\x89PNG")
    said = capsys.readouterr().err
    assert ("error: the output was lost: [Errno 28] No space left" in said) == (code == 2)
    if output is not None and output.encoding == "ascii":
        assert output.buffer.getvalue() == b"1 ? 2\n"
    if output is not None:
        output.close()


def test_ctrl_c_is_heard_while_code_is_loaded():
    """Some modules swallow it: here it comes where nobody would hear an exception."""
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Press:
    def find_spec(self, name, path, target=None):
        if name == "numba":
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                pass
sys.meta_path.insert(0, Press())
from kitchentable_training.cli.main import main
sys.exit(main(["configs"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "\nkitchentable: stopped\n"


def test_processes_started_out_of_reach_hear_no_ctrl_c():
    code = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('went on')"
    with out_of_reach():
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100
        )
    assert (done.stdout, done.stderr) == ("went on\n", "")
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_bar_is_a_line_a_minute_in_a_log(monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr("sys.stderr", log)
    with progress_bar(1000, "run", unit="step") as bar:
        now = bar.start_t
        monkeypatch.setattr(bar, "_time", lambda: now)
        for _ in range(500):
            now += 0.3
            bar.update(2)
    lines = log.getvalue().splitlines()
    assert "\r" not in log.getvalue()
    assert len(lines) == 4  # at the beginning, after one and two minutes, at the end
    assert lines[-1].startswith("run: 100%")
    monkeypatch.setattr("sys.stderr", None)
    with progress_bar(1000, "run") as bar:
        bar.update(1000)


def test_words_may_stand_anywhere_and_parameters_are_read_as_what_they_look_like():
    words = ["a", "cards=9", "search:rollouts=5", "./x=y", "training.gamma=1"]
    assert split_words(words) == (["a", *words[2:4]], ["cards=9", "training.gamma=1"])
    found = read_params(["a=2", "b=win", "c=True", "d=false", "e=[3, 4]", "f=0.5", "g="])
    assert found == {"a": 2, "b": "win", "c": True, "d": False, "e": (3, 4), "f": 0.5, "g": ""}


# --- Without the extra ----------------------------------------------------------------------------


def test_watch_and_play_do_without_extras_and_other_commands_name_theirs(tmp_path):
    """In one new process in which what the extras bring cannot be imported."""
    file = str(tmp_path / "g.json")
    watch, evaluate = ["watch", "--replay", file], ["evaluate", "random"]
    commands = {
        0: [["watch", "random", "--seed", "1", "rounds=1", "--save", file], watch],
        2: [[*watch, "--gif", file + ".gif"], evaluate],
    }
    code = (
        f"import sys; sys.modules.update({dict.fromkeys(cli.TRAINING_EXTRA | {'PIL'})})\n"
        "from kitchentable_training.cli.main import main\n"
        f"for wanted, commands in {commands}.items():\n"
        "    assert [main(words) for words in commands] == 2 * [wanted]\n"
        "sys.exit(main(['play', 'random']))"  # the input ends at once
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("The game is over.") == 2
    assert "You left the game." in done.stdout
    told = done.stderr.splitlines()
    assert len(told) == 2
    for extra, line in zip(("render", "training"), told, strict=True):
        assert f'pip install "kitchentable[{extra}]"' in line


def test_learning_with_rllib_names_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "kitchentable_training.rllib", raising=False)
    with pytest.raises(ImportError, match=r"kitchentable\[rllib\]"):
        importlib.import_module("kitchentable_training.rllib")


def test_a_cluster_names_the_extra_that_is_missing(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    told = fails(capsys, "tournament", "random", "greedy", "--ray", "local")
    assert 'this needs ray: pip install "kitchentable[ray]"' in told


# --- Every command once ---------------------------------------------------------------------------


def test_compile_compiles_what_is_not_compiled_yet(capsys):
    assert main(["compile", "diddly", "--no-players"]) == 0  # `make test` has compiled it before
    assert capsys.readouterr().out.startswith("diddly: compiled, in ")


def test_bench_measures_everything(capsys):
    assert main(["bench", "--seconds", "0.01", "--runs", "3", "cards=9"]) == 0
    shown = capsys.readouterr().out
    rows = re.findall(r"^\| (.*?) +\| +([\d,]+) \| +([\d,]+) \| +([\d,]+) \|$", shown, re.M)
    assert [row[0] for row in rows] == [
        "batch of 1", "batch of 64", "batch of 1,024", "raw_env", "env",
    ]  # fmt: skip
    for _, *speeds in rows:
        median, lowest, highest = (int(speed.replace(",", "")) for speed in speeds)
        assert 0 < lowest <= median <= highest


def test_watch_seats_everybody_and_saves_the_game(tmp_path, capsys):
    file = tmp_path / "g.json"
    words = ["watch", "--seed", "4", "random", "greedy", "random", "rounds=1"]
    assert main([*words, "--save", str(file)]) == 0
    shown = capsys.readouterr().out
    saved = read_saved(file)
    assert saved.players == ["random", "greedy", "random"]
    assert shown.count("=> ") == len(saved.actions)
    file.write_text(replace(saved, players=["random"]).to_json())
    assert main(["watch", "--replay", str(file)]) == 0
    assert capsys.readouterr().out == re.sub(r"\((random|greedy)\)", "(?)", shown)


def test_watch_goes_on_where_nobody_can_press_enter(monkeypatch, capsys):
    assert main(["watch", "random", "--seed", "4", "rounds=1"]) == 0
    shown = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["watch", "random", "--step", "--seed", "4", "rounds=1"]) == 0
    assert capsys.readouterr().out.replace("Enter goes on. ", "") == shown


def test_play_seats_the_person_where_it_wants(monkeypatch, capsys):
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    assert main(["play", "random", "greedy", "--seat", "2", "--seed", "1"]) == 0
    shown = capsys.readouterr().out
    assert "You are player_2" in shown
    assert "player_0 (random): " in shown
    assert "player_1 (greedy): " in shown


def test_evaluate_measures_as_asked(tmp_path, capsys):
    out, plot = tmp_path / "e.json", tmp_path / "e.png"
    words = "evaluate random --deals 4 --against greedy,random --seed 9 num_players=3 rounds=1"
    assert main([*words.split(), "--out", str(out), "--plot", str(plot)]) == 0
    results = json.loads(out.read_text())
    assert list(results["opponents"]) == ["greedy", "random"]
    assert results["opponents"]["greedy"]["games"] == 12
    assert results["deal_seed"] == 9
    assert result_table(results) in capsys.readouterr().out
    assert plot.read_bytes().startswith(b"\x89PNG")


# --- A training run -------------------------------------------------------------------------------


def test_a_device_that_is_not_there_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.chdir(tmp_path)
    Path("tiny.yaml").write_text(yaml.safe_dump(TINY))
    for device, message in (
        ("cuda", "device: cuda is not possible: torch finds no GPU here; choose cpu"),
        ("mps", "device needs 'cpu' or 'cuda', not 'mps'"),
    ):
        assert message in fails(capsys, "train", "tiny.yaml", f"device={device}")
    assert not Path("runs").exists()


def test_training_prints_results_and_writes_a_report(trained):
    folder, shown = trained
    results = json.loads((folder / "evaluation.json").read_text())
    assert list(results["opponents"]) == ["random"]
    assert results["opponents"]["random"]["deals"] == 6
    assert result_table(results) in shown
    assert str(folder / "final") in shown
    assert str(folder / "report.html") in shown
    settings = yaml.safe_load((folder / "settings.yaml").read_text())
    assert settings["steps"] == 256
    assert settings["network"]["layers"] == [6]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_stops_a_run_when_it_is_saved(
    number, code, trained, tmp_path, monkeypatch, capsys
):
    """The signal arrives in the middle of the first of two updates."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it
    update = MaskablePPO.train

    def interrupted(model):
        for _ in range(2 if number == signal.SIGHUP else 1):  # as a closed terminal does
            signal.raise_signal(number)
        update(model)

    monkeypatch.setattr(MaskablePPO, "train", interrupted)
    words = ["train", str(trained[0] / "settings.yaml"), "--run", "one"]
    assert main([*words, "--runs-folder", str(tmp_path)]) == code
    said, folder = capsys.readouterr(), tmp_path / "one"
    assert said.err.endswith(f"\nkitchentable: stopped{GOES_ON}\n")
    newest = folder / "checkpoints" / "step_000000000128"
    told = f"Stopped. The newest checkpoint: {newest}\nTo evaluate it: kitchentable evaluate"
    assert f"{told} {folder}\nTo resume: kitchentable train --resume {folder}\n" in said.out
    assert main(["evaluate", str(folder), "--deals", "1", "--against", "random"]) == 0
    assert "one (step_000000000128) at diddly_v0" in capsys.readouterr().out
    assert [one.name for one in (folder / "checkpoints").iterdir()] == ["step_000000000128"]
    monkeypatch.setattr(MaskablePPO, "train", update)
    assert main(["train", "--resume", str(folder)]) == 0
    check_same_end(folder, trained[0])


@pytest.mark.usefixtures("undrawn")
def test_a_run_that_is_stopped_while_it_clones_behavior_leaves_what_it_learned(
    tmp_path, monkeypatch, capsys
):
    """In its last lesson, it goes on to the first checkpoint from which it can be resumed."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    cloning = {"player": "greedy", "decisions": 300, "lesson": 100, "batch_size": 50}
    (tmp_path / "tiny.yaml").write_text(
        yaml.safe_dump(TINY | {"behavior_cloning": cloning | {"learning_rate": 0.01}})
    )
    learn, lessons = behavior_cloning._learn, []

    def interrupted(*given):
        lessons.append(given)
        if len(lessons) in stops:
            signal.raise_signal(signal.SIGINT)
        return learn(*given)

    monkeypatch.setattr(behavior_cloning, "_learn", interrupted)
    words = ["train", str(tmp_path / "tiny.yaml"), "--runs-folder", str(tmp_path)]
    folder, stops = tmp_path / "tiny", {2, 5}
    assert main(words) == 130
    newest = folder / "checkpoints" / "behavior_cloning"
    assert f"Stopped. The newest checkpoint: {newest}\n" in capsys.readouterr().out
    assert main(["evaluate", str(folder), "--deals", "1", "--against", "random"]) == 0
    assert "tiny (behavior_cloning) at diddly_v0" in capsys.readouterr().out
    assert main(words) == 130
    assert len(lessons) == 5
    assert [one.name for one in newest.parent.iterdir()] == ["step_000000000128"]
    assert "The newest checkpoint: " + str(newest.parent) in capsys.readouterr().out
    assert main(["train", "--resume", str(folder)]) == 0
    monkeypatch.setattr(behavior_cloning, "_learn", learn)
    assert main([*words, "--run", "whole"]) == 0
    check_same_end(folder, tmp_path / "whole")


@pytest.mark.usefixtures("undrawn")
def test_learning_goes_on_without_its_terminal(trained, tmp_path, monkeypatch):
    """As in a pipeline, all of which Ctrl-C reaches at once: nobody reads results or the bar."""
    streams = {name: dead_pipe() for name in ("stdout", "stderr")}
    with monkeypatch.context() as patch:
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        words = ["train", str(trained[0] / "settings.yaml"), "--run", "one"]
        assert main([*words, "--runs-folder", str(tmp_path)]) == 0
    for stream in streams.values():
        stream.close()
    check_same_end(tmp_path / "one", trained[0])


def test_a_second_signal_stops_a_run_at_once(trained, tmp_path, monkeypatch, capsys):
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupted(_):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(MaskablePPO, "train", interrupted)
    words = ["train", str(trained[0] / "settings.yaml"), "--run", "one"]
    assert main([*words, "--runs-folder", str(tmp_path)]) == 130
    assert not (tmp_path / "one" / "checkpoints").exists()


def test_a_dry_run_says_what_would_be_trained_and_trains_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "diddly", "--dry-run"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "1. runs/diddly_first: diddly, ppo, 100,000,000 decisions"
    assert second.endswith(", starts from runs/diddly_first/final")
    assert main(["train", "diddly", "--dry-run", "--runs-folder", "mine"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("1. mine/diddly_first: ")
    assert second.startswith("2. mine/diddly: ")
    assert second.endswith(", starts from mine/diddly_first/final")
    loosely = ["start=.//runs//diddly_first/final", "--runs-folder", "mine"]
    assert main(["train", "diddly_selfplay", *loosely, "--dry-run"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("1. mine/diddly_first: ")
    assert second.endswith(", starts from mine/diddly_first/final")
    uninvited = "opponents.trained={runs/diddly_first: 0}"
    assert main(["train", "diddly_demo", uninvited, "--dry-run"]) == 0
    (only,) = capsys.readouterr().out.splitlines()
    assert only.startswith("1. runs/diddly_demo: ")
    assert not any(tmp_path.iterdir())


def test_a_finished_run_is_left_as_it_is(trained, capsys):
    folder, shown = trained
    weights = folder / "final" / "weights.safetensors"
    before = weights.stat().st_mtime_ns
    assert main(["train", "--resume", str(folder)]) == 0
    assert capsys.readouterr().out == shown
    assert weights.stat().st_mtime_ns == before


def test_the_report_holds_everything_in_one_page(trained):
    folder, _ = trained
    page = (folder / "report.html").read_text()
    (command,) = re.findall("To train it again: <code>(.*)</code>", page)
    assert load_settings(command.split()[2]) == load_settings(folder / "settings.yaml")
    assert page.count("data:image/png;base64,") == 6
    assert page.count("<svg") == 1
    assert 'src="http' not in page
    assert 'href="http' not in page
    assert "How well it plays" in page
    assert "layers: [6]" in page
    assert "The game is over." in page
    results = json.loads((folder / "evaluation.json").read_text())
    assert f"{100 * results['opponents']['random']['win_rate']:.1f}%" in page


def test_a_trained_player_is_found_and_plays_its_own_variant(trained, tmp_path):
    folder, _ = trained
    out = tmp_path / "e.json"
    for name in (folder, folder / "final"):
        words = ["evaluate", str(name), "--against", "random", "--deals", "6"]
        words += ["--seed", str(int(Deals.SELECTION))]
        assert main([*words, "--out", str(out)]) == 0
        found = json.loads(out.read_text())
        trained_on = json.loads((folder / "evaluation.json").read_text())
        assert found["params"] == trained_on["params"]
        assert found["opponents"] == trained_on["opponents"]
        assert found["player"] == "one"


def test_trained_players_are_found_by_name(trained, tmp_path, monkeypatch):
    folder, _ = trained
    (tmp_path / "checkpoints").mkdir()
    shutil.copytree(folder / "final", tmp_path / "checkpoints" / "mine")
    monkeypatch.chdir(tmp_path)
    assert find_checkpoint("mine") == Path("checkpoints/mine")
    parameters = GAME.make_params(rounds=1)
    assert make_player("mine", GAME, parameters).name == "mine"
    assert "mine" in describe_players(GAME)
    assert find_checkpoint("") is None
    monkeypatch.chdir("/")
    monkeypatch.setattr(shipped, "CHECKOUT", tmp_path)
    assert find_checkpoint("mine") == tmp_path / "checkpoints" / "mine"


def test_namesakes_are_told_apart(trained, tmp_path, capsys):
    folder, _ = trained
    shutil.copytree(folder / "final", tmp_path / "one")
    specs = [str(folder), str(tmp_path / "one")]
    assert main(["tournament", *specs, "--deals", "2"]) == 0
    shown = capsys.readouterr().out
    assert all(spec in shown for spec in specs)
