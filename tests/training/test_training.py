"""Training: settings, the learner's environment, checkpoints, and killed runs."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import save
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tests.conftest import alone, play_on, seats, short, two_players
from tests.training.tiny_settings import check_resumed, check_same_end, check_same_state

from kitchentable import Batch, find_game
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training import files
from kitchentable_training.algorithms import behavior_cloning, vec_env
from kitchentable_training.algorithms.behavior_cloning import Demonstrator
from kitchentable_training.algorithms.registry import _import_class
from kitchentable_training.algorithms.vec_env import LEARNER, LearnerVecEnv
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.duplicate import figures, play_duplicate
from kitchentable_training.networks.inputs import MASK
from kitchentable_training.players.checkpoint import (
    CheckpointError,
    MisfitError,
    load_player,
    read_card,
    read_tensors,
    write_checkpoint,
)
from kitchentable_training.runs.log import RunLog
from kitchentable_training.runs.progress import read_progress
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import load_settings, load_stages
from kitchentable_training.shipped import shipped_runs

TINY = [
    "steps=6144", "num_envs=32", "threads=1", "checkpoint_seconds=1000", "training.n_steps=16",
    "training.batch_size=256", "training.n_epochs=2", "network.layers=[16]",
    "network.action_features=false", "opponents.past_every=1024", "opponents.past_kept=2",
    "evaluation.every=2048", "evaluation.deals=4", "evaluation.final_deals=8",
    "behavior_cloning={player: greedy, decisions: 4000, lesson: 2000, batch_size: 256,"
    " learning_rate: 0.001}",
]  # fmt: skip
MANY = 20_000
"""Steps in which every game ends a few times."""
STATE = "state.safetensors"
STEPS = [0, 0, *range(512, 6145, 512)]
"""Of the log lines: two lessons of behavior cloning, then the updates."""
CONFIGS = Path(__file__).parents[2] / "configs"


def tiny(*more):
    return load_settings(CONFIGS / "diddly_sb3_ppo.yaml", [*TINY, *more])


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def change_card(saved: Path, **facts) -> None:
    """Change the card of a checkpoint behind the back of the code that writes it."""
    card = json.loads((saved / "card.json").read_text())
    (saved / "card.json").write_text(json.dumps(card | facts))


def weights_in(saved: Path) -> dict[str, torch.Tensor]:
    return read_tensors(saved, "weights.safetensors")


def make_env(game, num_envs, **options):
    opponents = {} if alone(game) else dict.fromkeys(two_players(game), 1)
    return LearnerVecEnv.make(game.name, num_envs, opponents, seed=3, **options)


def payments(batch, step):
    """Return the payments of each seat in the last finished game, updated at every step."""
    running, whole = np.zeros_like(batch.rewards), np.zeros_like(batch.rewards)

    def step_and_add_up(actions):
        step(actions)
        running[:] += batch.rewards
        whole[batch.dones] = running[batch.dones]
        running[batch.dones] = 0.0

    batch.step = step_and_add_up
    return whole


# --- The learner's environment ------------------------------------------------------------------


@pytest.mark.parametrize(("episode", "reward"), [("game", "win"), ("hand", "margin")])
def test_the_learner_is_handed_its_payoff_whole(kind, episode, reward) -> None:
    """From one start of a game to the next, the learner's rewards add up to its payoff.

    An episode, a game or one of its hands, is reported with what it paid and how long it was.
    """
    num_envs = 16
    game, params = kind
    env = make_env(game, num_envs, episode=episode, **params | {"reward": reward})
    paid = payments(env.batch, env.batch.step)
    env.reset()
    rng, handed, checked = np.random.default_rng(0), np.zeros(num_envs), 0
    started, begun, episodes = np.zeros(num_envs), np.zeros(num_envs, int), 0
    learned: set[int] = set()
    everywhere = set(range(env.batch.num_players))
    for step in range(1, MANY):
        seat = env.seating.seat.numpy().copy()
        masks = env.action_masks()
        env.step_async((rng.random(masks.shape) * masks).argmax(axis=1))
        finished = len(env.seating.results)
        _, rewards, dones, infos = env.step_wait()
        handed += rewards
        over = np.flatnonzero(dones & [info.get("game_over", False) for info in infos])
        assert len(env.seating.results) - finished == len(over)
        for i in np.flatnonzero(dones):
            told = infos[i]["episode"]
            assert (told["r"], told["l"]) == (
                pytest.approx(handed[i] - started[i], abs=1e-4), step - begun[i],
            )  # fmt: skip
            started[i], begun[i] = 0.0 if i in over else handed[i], step
        episodes += dones.sum()
        for i in over:
            assert handed[i] - env._owed[i] == pytest.approx(paid[i, seat[i]], abs=1e-4)
            handed[i] = 0.0
            learned.add(int(seat[i]))
            checked += 1
        if checked > 3 * num_envs and learned == everywhere:
            break
    assert checked > num_envs
    assert learned == everywhere
    assert episodes == checked if episode == "game" else episodes >= checked


@pytest.mark.parametrize("episode", ["game", "hand"])
def test_an_episode_is_reported_with_its_own_pay_and_ends_at_a_limit_as_elsewhere(episode) -> None:
    """Hands of Add-Too with two cards may end before the learner's first decision."""
    env = make_env(
        find_game("addtoo"), 16, episode=episode, reward="margin",
        num_players=5, hand=2, max_hands=2,
    )  # fmt: skip
    step, running, paid, skipped = env.batch.step, np.zeros((16, 5)), np.zeros(16), 0

    def step_and_add_up(actions):
        nonlocal skipped
        step(actions)
        running[:] += env.batch.rewards
        ended = env.batch.dones.copy()
        if episode == "hand":
            ended |= (actions >= 0) & env.batch.states["hand_over"]
        first = ended & ~env._done
        paid[first] = running[first, env.seating.seat[first].numpy()]
        skipped += (ended & env._done).sum()
        running[ended] = 0.0

    env.batch.step = step_and_add_up
    env.reset()
    for _ in range(200):
        env.step_async(env.action_masks().argmax(axis=1))
        _, _, dones, infos = env.step_wait()
        for i in np.flatnonzero(dones):
            assert infos[i]["episode"]["r"] == pytest.approx(paid[i], abs=1e-4)
            assert "TimeLimit.truncated" not in infos[i]
    assert (skipped > 100) == (episode == "hand")


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        ("greedy", "opponents='greedy' is not possible; give weights by name, such as {\"gre"),
        ({"greedy": -1}, "opponents: scripted.greedy: Input should be greater than or equal to 0"),
        ({"greedy": 0}, "choose players for the other seats"),
        ({}, "choose players for the other seats"),
    ],
)
def test_opponents_that_nobody_can_be_drawn_from_are_refused(opponents, message) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        LearnerVecEnv.make("diddly", 4, opponents)


def test_opponents_change_only_between_games(kind) -> None:
    game, params = kind
    env = make_env(game, 16, **params)
    env.reset()
    assert ((env.seating.numbers.numpy() == LEARNER).sum(axis=1) == 1).all()
    drawn, possible = set(), {LEARNER, *range(len(env.seating.pool.scripted))}
    finished = 0
    for _ in range(MANY):
        before = env.seating.numbers.numpy().copy()
        env.step_async(env.action_masks().argmax(axis=1))
        _, _, dones, _ = env.step_wait()
        np.testing.assert_array_equal(env.seating.numbers.numpy()[~dones], before[~dones])
        drawn |= set(env.seating.numbers.numpy()[dones].ravel().tolist())
        finished += int(dones.sum())
        if finished > 100:
            break
    assert drawn == possible


def test_observations_and_masks_are_the_learners(game) -> None:
    env = make_env(game, 16, **short(game) | seats(game, 2))
    seen, ended = env.reset(), 0
    while ended < 16:
        assert (env.batch.current_player == env.seating.seat.numpy()).all()
        np.testing.assert_array_equal(seen, env.batch.observe(env.seating.seat.numpy()))
        assert env.action_masks().any(axis=1).all()
        assert len(env.env_method("action_masks")) == 16
        env.step_async(env.batch.sample_actions().copy())
        seat = env.seating.seat.numpy().copy()
        seen, _, dones, infos = env.step_wait()
        for i in np.flatnonzero(dones):
            last = env.batch.observe_records(env.batch.final_states[[i]], seat[[i]])[0]
            np.testing.assert_array_equal(infos[i]["terminal_observation"], last)
            ended += 1


# --- Settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda p: p.stem)
def test_shipped_settings_are_good(path) -> None:
    stages = load_stages(path)
    assert list(stages)[-1] == path.stem
    assert {shipped_runs()[name] for name in stages} == {path}, "another file has such a run"


CLONING = "behavior_cloning={player: %s, decisions: %s, lesson: 9, batch_size: 9, learning_rate: 1}"


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("stepps=3", r"stepps: there is no such setting; did you mean steps\?$"),
        ("clip_range=1", r": clip_range: there is .* did you mean training\.clip_range\?$"),
        ("training.gama=0.9", r"yaml: training\.gama: there is no such .*; did you mean gamma\?$"),
        ("training.gamma=1.5", "training.gamma: .*less than or equal to 1"),
        ("steps=many", "steps needs a whole number, not 'many'"),
        ("seed=18446744073709551616", r"seed: .* less than 4294967296 \(given: 18446744073709"),
        ("training.max_grad_norm=.inf", r"max_grad_norm: .* finite number \(given: inf\)"),
        ("game=chess", "there is no game 'chess'"),
        ("params.cards=7", "cards=7 is not possible"),
        ("params.card=7", r"params\.card: there is no such parameter; did you mean cards\?$"),
        ("opponents.scripted.wizard=1", r"opponents\.scripted\.wizard: diddly has no player"),
        ("opponents.scripted={greedy: 0}", "weight above 0"),
        (CLONING % ("wizard", 9), r"behavior_cloning\.player: diddly has no player 'wizard'"),
        (CLONING % ("greedy", 25), r"decisions=25: choose a multiple of lesson x tables, 9 x 1"),
        (CLONING % ("[greedy, greedy]", 9), "player: give one player, .* of network.tables, 1"),
        ("training=5", r"training: Input should be .* instance of SB3PPOSettings \(given: 5\)"),
        ("algorithm=sb3", r"there is no algorithm 'sb3'; did you mean sb3_ppo\?"),
        ("algorithm=no.such:Thing", "algorithm 'no.such:Thing': there is no module no.such"),
        ("algorithm=json:dumps", "algorithm 'json:dumps' needs an attribute Settings, a subclass"),
        ("training.n_steps=[", r"'training\.n_steps=\[' is not possible: while parsing a flow"),
        ("params.cards=010", r"params\.cards: 010 has another meaning .* plain decimal number"),
        ("evaluation.opponents=[expert, expert]", r"opponents: give different players, not expert"),
        ("evaluation={deal: 1}", r"^[^\n]*opponents is missing\n[^\n]*\.deal: .* deals\?$"),
        ("training.batch_size=1000", "does not divide"),
        ("params.reward=win", "episode: hand needs params.reward: margin"),
        ("network.reply_rounds=1", "diddly does not say which cards follow each other"),
        ("carry_over=true", "carry_over: there is nothing to carry over; give start"),
        ("network.derived_parts=true", r"network\.derived_parts: diddly has none"),
        ("steps", "key=value"),
        ("game.name=x", "not a group"),
    ],
)
def test_wrong_settings_are_named(override, message) -> None:
    with pytest.raises(ValueError, match=message) as error:
        load_settings(CONFIGS / "diddly_sb3_ppo.yaml", [override])
    assert all(len(line) < 250 for line in str(error.value).splitlines())


def test_a_checkpoint_tells_the_settings_that_made_it(finished) -> None:
    assert load_settings(finished / "final") == tiny()
    assert load_settings(finished / "final", ["seed=5"]) == tiny("seed=5")


OWN = """
import pathlib
from kitchentable_training.algorithms.ppo import PPO
from kitchentable_training.algorithms.settings import PPOSettings

pathlib.Path(__file__).with_suffix(".ran").touch()

class MySettings(PPOSettings):
    patience: float = 0.5

class Mine(PPO):
    Settings = MySettings

    def update(self, logger):
        super().update(logger)
        logger.record("train/patience", self.settings.training.patience)
"""


def test_an_algorithm_of_ones_own_is_imported_only_if_a_person_names_it(tmp_path) -> None:
    file, ran = tmp_path / "mine.py", tmp_path / "mine.ran"
    file.write_text(OWN)
    word, group = f"{file}:Mine", "training={n_steps: 16, batch_size: 256, patience: %s}"
    own = [f"algorithm={word}", "opponents={}", "behavior_cloning=null", "steps=512"]
    with pytest.raises(ValueError, match=r"training\.patience needs a number"):
        tiny(*own, group % "much")
    settings = tiny(*own, group % 0.25)
    final = Run(settings, tmp_path / "run").train()
    assert read_progress(tmp_path / "run" / "progress.jsonl")[-1]["train/patience"] == 0.25
    assert load_settings(tmp_path / "run" / "settings.yaml") == settings
    ran.unlink()
    file.write_text(f"{OWN}# An edited file is executed again.")
    _import_class.cache_clear()
    with pytest.raises(ValueError, match=r"card\.json: .*a checkpoint runs no code; .*--module /"):
        load_settings(final)
    load_player(final)
    assert not ran.exists()
    assert load_settings(final, [f"algorithm={word}"]).training.patience == 0.25
    assert ran.exists()


# --- Behavior cloning ---------------------------------------------------------------------------


@pytest.mark.parametrize("episode", ["game", "hand"])
def test_demonstrations_tell_what_their_episodes_paid(episode) -> None:
    """Compare their payoffs with a replay of the same games, decision by decision."""
    game, settings = find_game("diddly"), tiny(f"episode={episode}")
    assert settings.behavior_cloning is not None
    player, length = ScriptedPlayer(game, "greedy"), settings.behavior_cloning.lesson
    demonstrator = Demonstrator(game, settings, player, length)
    count, steps = demonstrator.num_games, 200
    shown = demonstrator.demonstrate(count * steps)
    batch = Batch(game, count, seed=settings.seed + 1, **settings.params)
    paid, told = np.zeros((steps, *batch.rewards.shape)), {}
    open_rows: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for t in range(steps):
        for i in range(count):
            open_rows[i].append((t, int(batch.current_player[i])))
        actions = player.act(batch, np.arange(count))
        paid[t], over = play_on(batch, actions, by_hand=episode == "hand")
        for i in np.flatnonzero(over):
            told |= {(start, i): paid[start:, i, seat].sum() for start, seat in open_rows[i]}
            open_rows[i] = []
    expected = np.array([told[place] for place in sorted(told)])
    np.testing.assert_allclose(shown.payoffs[shown.is_over], expected, atol=1e-5)
    is_over = shown.is_over.view(steps, count).numpy()
    assert {*zip(*is_over.nonzero(), strict=True)} == told.keys()
    assert len(expected) > 25 * count
    masks = shown.inputs.take(torch.arange(steps * count))[MASK]
    assert masks[torch.arange(len(masks)), shown.actions].all()
    assert shown.payoffs.abs().max() > 0.5
    with pytest.raises(ValueError, match="ends within 1 decisions"):
        Demonstrator(game, settings, player, length).demonstrate(count)


def test_demonstrators_take_turns_at_a_rate_that_falls_to_zero(monkeypatch) -> None:
    lessons = []

    def noted(network, optimizer, shown, _):
        lessons.append((network.out_features, shown, optimizer.param_groups[0]["lr"]))
        return {}

    monkeypatch.setattr(behavior_cloning, "_learn", noted)
    how = tiny("behavior_cloning.decisions=8000").behavior_cloning
    tables = [
        (torch.nn.Linear(1, 1), SimpleNamespace(demonstrate=lambda _: "first")),
        (torch.nn.Linear(1, 2), SimpleNamespace(demonstrate=lambda _: "second")),
    ]
    behavior_cloning.clone_behavior(tables, how, lambda *_: None)
    assert [lesson[:2] for lesson in lessons] == [(1, "first"), (2, "second")] * 2
    rates = [rate for *_, rate in lessons]
    assert rates == pytest.approx([0.001, 0.00075, 0.0005, 0.00025])


# --- Runs ---------------------------------------------------------------------------------------


def test_threads_are_those_of_the_engine_too(monkeypatch, tmp_path) -> None:
    found = []

    def noted(*given, threads, **more):
        found.append(threads)
        return Batch(*given, **more)

    for module in (behavior_cloning, vec_env):
        monkeypatch.setattr(module, "Batch", noted)
    monkeypatch.setattr(torch, "set_num_threads", lambda _: None)
    run = Run(tiny("threads=2"), tmp_path / "run")
    run._demonstrators(2000)
    assert found == [2, 2]


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """A tiny run without interruptions."""
    folder = tmp_path_factory.mktemp("runs") / "undisturbed"
    Run(tiny(), folder).train()
    return folder


def test_a_run_leaves_everything_behind(finished) -> None:
    lines = read_progress(finished / "progress.jsonl")
    assert [line["step"] for line in lines] == STEPS
    assert all(0 < line["behavior_cloning/agreement"] < 1 for line in lines[:2])
    assert all(np.isfinite(line["train/loss"]) for line in lines[3:])
    assert any("evaluation/greedy" in line for line in lines)
    assert any("payoff/past selves" in line for line in lines)
    assert list((finished / "tensorboard").glob("events*"))
    assert yaml.safe_load((finished / "settings.yaml").read_text())["steps"] == 6144
    results = json.loads((finished / "evaluation.json").read_text())
    assert set(results["opponents"]) == {"random", "greedy", "expert"}
    card = read_card(finished / "final")
    assert card["steps"] == 6144
    assert card["results"]["greedy"]["deals"] == 8
    # Runs are compared by this, so it is no report.
    assert results["deal_seed"] == card["deal_seed"] == Deals.SELECTION
    assert card["settings"]["seed"] == 1


KILLED = """
import sys
from pathlib import Path
from kitchentable_training.runs.settings import load_settings
from kitchentable_training.runs.run import Run
Run(load_settings(sys.argv[1], sys.argv[3:]), Path(sys.argv[2])).train()
"""


def test_a_killed_run_ends_with_the_same_weights_to_the_last_bit(finished, tmp_path) -> None:
    folder = tmp_path / "killed"
    overrides = [*TINY, "checkpoint_seconds=0.0001", "checkpoints_kept=2"]
    settings = str(CONFIGS / "diddly_sb3_ppo.yaml")
    command = [sys.executable, "-c", KILLED, settings, str(folder), *overrides]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while max(_steps(folder), default=0) < 2048:
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    left = _steps(folder)
    assert left
    assert max(left) < 6144
    Run(load_settings(settings, overrides), folder).train()
    check_same_end(folder, finished)
    check_same_state(folder, finished)
    assert len(_steps(folder)) == 2  # the number of checkpoints to keep
    assert [line["step"] for line in read_progress(folder / "progress.jsonl")] == STEPS


def _saved(folder: Path) -> Path:
    return max((folder / "checkpoints").glob("step_*"))


def _steps(folder: Path) -> list[int]:
    found = (folder / "checkpoints").glob("step_*")
    return sorted(int(one.name.removeprefix("step_")) for one in found)


def _results(folder: Path):
    return json.loads((folder / "evaluation.json").read_text())["opponents"]


def test_a_run_can_begin_as_an_earlier_one_ended(finished, tmp_path) -> None:
    start = f"start={finished}"  # a run's folder stands for its last checkpoint
    brief = ["behavior_cloning=null", "steps=512", "seed=8"]
    brief += ["training.learning_rate=1e-30", "training.final_learning_rate=0"]
    Run(tiny(start, *brief), tmp_path / "run").train()
    before, after = (weights_in(one / "final") for one in (finished, tmp_path / "run"))
    torch.testing.assert_close(after, before)
    with pytest.raises(CheckpointError, match="cards"):
        Run(tiny(start, *brief, "params.cards=8"), tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("needed", ["start={}", "evaluation.opponents=[greedy, {}]"])
def test_a_run_is_not_resumed_with_players_that_were_trained_again(finished, tmp_path, needed):
    other, before, folder = (tmp_path / name for name in ("other", "before", "run"))
    shutil.copytree(finished / "final", other)
    shutil.copytree(other, before)
    settings = tiny(needed.format(other), "behavior_cloning=null", "steps=1024")
    assert Run(settings, folder).train(seconds=0.0) is None
    weights = weights_in(other)
    weights["policy.bias"] += 1e-3
    write_checkpoint(other, read_card(other), weights)
    files = contents(folder)
    with pytest.raises(ValueError, match=rf"run cannot be resumed, as {other} changed since"):
        Run(settings, folder)
    assert contents(folder) == files
    shutil.rmtree(other)
    before.replace(other)
    assert Run(settings, folder).train() == folder / "final"
    assert read_card(folder / "final")["players"].keys() == {str(other)}
    write_checkpoint(other, read_card(other), weights)
    assert Run(settings, folder).train() == folder / "final"  # nothing is left to learn


@pytest.mark.parametrize(
    "needed", ["start={}", "opponents.trained={{{}: 1}}", "behavior_cloning.player={}"]
)
def test_a_run_that_needs_another_names_it_before_anything_is_written(needed, tmp_path) -> None:
    for spec, message in (
        ("runs/diddly_first", "first run `kitchentable train diddly_first`"),
        ("runs/mine/final", r"'runs/mine/final'.*; (give its folder|give random)"),
    ):
        with pytest.raises(ValueError, match=message):
            Run(tiny(needed.format(spec)), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.fixture
def copied(finished, tmp_path) -> Path:
    """A copy of the finished run's last checkpoint."""
    return shutil.copytree(finished / "final", tmp_path / "copied")


@pytest.fixture
def unfinished(finished, tmp_path) -> Path:
    """A copy of the finished run without its last checkpoint, so that it can be resumed."""
    return shutil.copytree(finished, tmp_path / "run", ignore=lambda *_: {"final"})


def test_a_damaged_checkpoint_is_passed_over(unfinished) -> None:
    newest = unfinished / "checkpoints" / "step_000000009999"
    shutil.copytree(unfinished / "checkpoints" / "step_000000006144", newest)
    data = (newest / STATE).read_bytes()
    (newest / STATE).write_bytes(data[: len(data) // 2])
    with pytest.warns(UserWarning, match="passed over .*damaged_step_0+9999, .*is damaged"):
        run = Run(tiny(), unfinished)
    assert run.learner.model.num_timesteps == 6144


def _on_a_disk_that_fails(_: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(path: Path, most: int) -> bytes:
        if path.suffix == ".safetensors":
            raise ValueError(f"cannot read {path}: Input/output error")
        return read(path, most)

    read = files.read_bytes
    monkeypatch.setattr(files, "read_bytes", fails)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda saved, _: change_card(saved, format="of another"), "is not a card of"),
        (_on_a_disk_that_fails, "cannot read .*: Input/output error"),
    ],
)
def test_a_checkpoint_that_is_not_damaged_is_never_passed_over(
    unfinished, monkeypatch, change, message
) -> None:
    change(_saved(unfinished), monkeypatch)
    files = contents(unfinished)
    with pytest.raises(CheckpointError, match=message):
        Run(tiny(), unfinished)
    assert contents(unfinished) == files


def test_a_checkpoint_that_could_not_be_read_again_replaces_none(copied, tmp_path) -> None:
    card, weights, files = read_card(copied), weights_in(copied), contents(copied)
    for more, bias, message in (
        ({"seconds": float("inf")}, 0.0, rf"cannot write {copied}/card\.json: .* not JSON"),
        ({"format": "pickle"}, 0.0, f"{copied}/card.json is not a card"),
        ({}, float("inf"), rf"{copied}/weights\.safetensors is damaged: policy\.bias has"),
    ):
        changed = weights | {"policy.bias": weights["policy.bias"] + bias}
        with pytest.raises(ValueError, match=message):
            write_checkpoint(copied, card | more, changed)
    assert contents(copied) == files
    assert list(tmp_path.iterdir()) == [copied]


def test_the_log_and_tensorboard_have_the_same_figures_where_a_run_goes_on(unfinished) -> None:
    """A run that was killed after its last checkpoint has logged more than it had saved."""
    folder, saved = unfinished, _saved(unfinished)
    log = folder / "progress.jsonl"
    more = [json.dumps({"step": step, "train/loss": 0.5}) + "\n" for step in (6656, 7168)]
    log.write_text(log.read_text() + "".join(more))
    RunLog(folder).close()  # of the process that was killed
    assert _in_tensorboard(folder) == _in_log(folder)
    longer = tiny("steps=7168")
    (folder / "settings.yaml").write_text(yaml.safe_dump(longer.model_dump()))
    change_card(saved, settings=longer.model_dump())
    Run(longer, folder).train()
    assert _in_tensorboard(folder) == _in_log(folder)
    assert len(_in_log(folder)["train/loss"]) == len(STEPS)


def _in_log(folder: Path) -> dict[str, list[tuple[int, float]]]:
    found: dict[str, list[tuple[int, float]]] = {}
    for line in read_progress(folder / "progress.jsonl"):
        for key in line.keys() - {"step"}:
            if line[key] is not None:
                found.setdefault(key, []).append((line["step"], float(np.float32(line[key]))))
    return found


def _in_tensorboard(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """Return all figures that any file holds, also those that TensorBoard itself would not show."""
    found: dict[str, list[tuple[int, float]]] = {}
    for file in sorted((folder / "tensorboard").iterdir()):
        for event in EventFileLoader(str(file)).Load():
            for one in event.summary.value:
                figure = one.tensor.float_val[0]
                found.setdefault(one.tag, []).append((event.step, figure))
    return found


def test_a_figure_that_is_not_finite_is_null_in_the_log(tmp_path) -> None:
    log = RunLog(tmp_path)
    log.write({"a": float("nan"), "b": np.float32(2), "c": torch.tensor(torch.inf)}, {}, 5)
    log.close()
    written = '{"step": 5, "a": null, "b": 2.0, "c": null}\n'
    assert (tmp_path / "progress.jsonl").read_text() == written
    assert _in_tensorboard(tmp_path) == _in_log(tmp_path) == {"b": [(5, 2.0)]}


def test_a_run_without_one_good_checkpoint_begins_anew(finished, unfinished) -> None:
    (_saved(unfinished) / STATE).write_bytes(b"")
    with pytest.warns(UserWarning, match="passed over"):
        run = Run(tiny(), unfinished)
    run.train()
    check_same_end(unfinished, finished)
    assert [line["step"] for line in read_progress(unfinished / "progress.jsonl")] == STEPS
    assert _steps(unfinished) == _steps(finished)  # no new one was deleted for a damaged one


def test_a_finished_run_is_not_trained_again_where_its_checkpoints_are_gone(finished, tmp_path):
    folder = tmp_path / "tidied"
    shutil.copytree(finished, folder)
    shutil.rmtree(folder / "checkpoints")
    files = contents(folder)
    assert Run(tiny(), folder).train() == folder / "final"
    assert contents(folder) == files


def test_a_run_of_another_version_of_its_game_is_not_resumed(unfinished) -> None:
    change_card(_saved(unfinished), game_version=7)
    files = contents(unfinished)
    with pytest.raises(MisfitError, match="needs game_version=7; this table has game_version=0"):
        Run(tiny(), unfinished)
    assert contents(unfinished) == files


LOCKING = "from filelock import FileLock\nwith FileLock('.lock'): print('locked'); input()"


def test_a_folder_is_one_processes_until_that_ends(finished) -> None:
    command = [sys.executable, "-u", "-c", LOCKING]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=finished, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(ValueError, match=f"another process is training in {finished}"):
            Run(tiny(), finished)
        process.kill()
    first = Run(tiny(), finished)
    with pytest.raises(ValueError, match="another process is training"):
        Run(tiny(), finished)
    first.train()
    with pytest.raises(ValueError, match="other settings"):
        Run(tiny("seed=2"), finished)
    Run(tiny(), finished)


def test_what_a_kill_left_half_written_is_swept_out(finished) -> None:
    for name in ("checkpoints/.step_000000000512.4321", ".final.4321"):
        (finished / name).mkdir()
        (finished / name / "weights.safetensors").write_bytes(b"half")
    other = finished / "checkpoints" / ".DS_Store"  # not the run's
    other.touch()
    before = _steps(finished)
    Run(tiny(), finished)
    assert _steps(finished) == before
    assert {one.name for one in finished.rglob(".*")} == {".lock", other.name}
    other.unlink()


# --- Checkpoints --------------------------------------------------------------------------------


def test_a_checkpoint_plays_as_the_run_did(finished) -> None:
    player = load_player(finished / "final")
    game = find_game("diddly")
    params = game.make_params(reward="margin")
    greedy = ScriptedPlayer(game, "greedy")
    found = figures(play_duplicate(player, greedy, game, params, 8, seed=Deals.SELECTION))
    assert found == _results(finished)["greedy"]
    run = Run(tiny(), finished)
    assert run.evaluate(8)["opponents"] == run.evaluate(8)["opponents"] == _results(finished)


@pytest.mark.parametrize(
    ("facts", "table", "message"),
    [
        ({}, {"num_players": 3}, "needs num_players=2; this table has num_players=3"),
        ({"game": "chess"}, {}, "the checkpoint plays chess; this table is diddly"),
        ({"game_version": 7}, {}, "needs game_version=7; this table has game_version=0"),
        ({"observation": {"cards": 3}}, {}, "observation.phase=None; this table has observation.p"),
        ({"action_features": ["gain"]}, {}, r"needs action_features\[0\]=gain; .*\[0\]=None"),
        ({"info": {"lexicon": "abc"}}, {}, "needs lexicon=abc; this table has lexicon=None"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(finished, tmp_path, facts, table, message):
    final, game = finished / "final", find_game("diddly")
    write_checkpoint(tmp_path / "other", read_card(final) | facts, weights_in(final))
    with pytest.raises(CheckpointError, match=message):
        load_player(tmp_path / "other", game, game.make_params(**table))


def test_missing_and_damaged_checkpoints_are_named(finished, tmp_path) -> None:
    with pytest.raises(CheckpointError, match="is not a checkpoint"):
        load_player(tmp_path)
    rng = np.random.default_rng(0)
    data = (finished / "final" / "weights.safetensors").read_bytes()
    for number in range(10):
        folder = tmp_path / str(number)
        shutil.copytree(finished / "final", folder)
        broken = bytearray(data)
        broken[rng.integers(len(broken))] ^= 1 << int(rng.integers(8))
        cut = bytes(broken) if number % 2 else data[: rng.integers(len(data))]
        (folder / "weights.safetensors").write_bytes(cut)
        with pytest.raises(CheckpointError, match="is damaged"):
            load_player(folder)
    (tmp_path / "0" / "card.json").write_text("{")
    with pytest.raises(CheckpointError, match="is damaged"):
        load_player(tmp_path / "0")


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"game": 3}, r"card\.json is damaged: game needs a text, not 3"),
        ({"observation": {"cards": "x"}}, r"observation\.cards needs a whole number, not 'x'"),
        ({"sha256": None}, r"card\.json is damaged: sha256: "),
        ({"network": {"layers": [10**12]}}, r"card\.json is damaged: network\.layers\.0: Input"),
        ({"network": {"layer": [3]}}, r"network\.layer: there is no .* did you mean layers\?"),
        ({"settings": "x"}, r"card\.json is damaged: settings: "),
        ({"network": {"layers": [10**6, 10**6]}},
         r"of another network: layers\.0\.bias is .*, not"),
    ],
)  # fmt: skip
def test_a_card_with_wrong_facts_is_named_before_anything_is_built(copied, facts, message) -> None:
    if "network" in facts:
        facts = {"network": read_card(copied)["network"] | facts["network"]}
    change_card(copied, **facts)
    with pytest.raises(CheckpointError, match=message) as error:
        load_player(copied)
    assert "\n" not in str(error.value)


def test_weights_of_another_form_are_named_with_both_sides(copied) -> None:
    weights = weights_in(copied)
    bias = weights["policy.bias"]
    size = len(bias)
    for wrong, message in (
        ({"x": bias.clone()}, rf"x is torch\.float32 \[{size}\], not nothing"),
        ({"policy.bias": bias[1:]}, rf"is torch\.float32 \[{size - 1}\], not torch"),
        ({"policy.bias": bias.double()}, r"is torch\.float64 \[.*not torch\.float32"),
        ({"policy.bias": bias / 0}, r"damaged: policy\.bias has .* not finite"),
        ({"x": torch.zeros(10**6)}, r"weights\.safetensors is too large"),
    ):
        data = save(weights | wrong)
        (copied / "weights.safetensors").write_bytes(data)
        change_card(copied, sha256={"weights.safetensors": hashlib.sha256(data).hexdigest()})
        with pytest.raises(CheckpointError, match=rf"{copied}.*{message}"):
            load_player(copied)


@pytest.mark.parametrize("name", ["card.json", "weights.safetensors"])
def test_a_checkpoint_is_read_from_files_alone(copied, name) -> None:
    (copied / name).unlink()
    os.mkfifo(copied / name)
    with pytest.raises(CheckpointError, match=rf"it (has no {name}|is not a file)$"):
        load_player(copied)


def test_a_state_that_is_no_runs_is_named(unfinished) -> None:
    saved = _saved(unfinished)
    card, weights, state = read_card(saved), weights_in(saved), read_tensors(saved, STATE)
    without_updates = {name: card["run"][name] for name in card["run"].keys() - {"updates"}}
    old = {"arrays/records": state["arrays/records"][:-32].clone()}
    for facts, tensors, message in (
        ({"run": without_updates}, {}, "is damaged: 'updates' is missing"),
        ({}, {"rng/torch": torch.zeros(3)}, "is damaged: "),
        ({}, old, "holds tables of another version of"),
    ):
        write_checkpoint(saved, card | facts, weights, state | tensors)
        with pytest.raises(ValueError, match=f"{saved} {message}"):
            Run(tiny(), unfinished)


def test_no_pickle_can_be_reached() -> None:
    """Checkpoints, tables and settings are read without anything that could run code in them.

    The user's own cache of compiled code is as numba keeps it, and games say how they are pickled.
    """
    sources = [
        path
        for package in ("envs", "training")
        for path in (CONFIGS.parent / package).rglob("*.py")
        if path.name not in {"code_cache.py", "registry.py"}
    ]
    assert len(sources) > 20
    for path in sources:
        text = path.read_text(encoding="utf-8")
        for banned in ("import pickle", "torch.load", "PPO.load", "yaml.load(", "eval(", "exec("):
            harmless = text.replace(".eval()", "").replace("ast.literal_eval(", "")
            assert banned not in harmless, f"{path.name}: {banned}"


REINFORCE = Path(__file__).parents[2] / "examples" / "reinforce.py"


def test_the_algorithm_of_the_guide_learns_and_resumes_to_the_same_bits(tmp_path) -> None:
    file, word = REINFORCE.with_suffix(".yaml"), f"algorithm={REINFORCE}:Reinforce"
    few = ["evaluation.deals=4", "evaluation.final_deals=300"]
    settings = load_settings(file, [word, "steps=60000", *few])
    final = Run(settings, tmp_path / "run").train()
    result = read_card(final)["results"]["random"]
    assert result["difference_interval"][0] > 0.2
    short = load_settings(
        file, [word, "steps=2048", "num_envs=16", "training.n_steps=32", *few]
    ).model_copy(update={"checkpoint_seconds": 1e-4})
    check_resumed(short, tmp_path, least=3)
