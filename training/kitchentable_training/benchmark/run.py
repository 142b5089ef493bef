"""Running the benchmark: jobs with a folder each, whose results are kept and not computed again.

A job is one entry in one environment with one budget and one seed. Its folder
``kitchentable-2/ENVIRONMENT/ENTRY/BUDGET/SEED`` contains ``result.json`` when it is done, and the
folder ``player``, in which the entry learns. A job that is done or locked by another process is
left alone, so machines that share the folder need no coordinator. On a cluster whose machines do
not share it, jobs receive and return the contents of their folders.
"""

from __future__ import annotations

import math
import multiprocessing
import sys
import time
import traceback
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Any, NamedTuple

import torch
from filelock import FileLock, Timeout

from kitchentable_training.benchmark import protocol
from kitchentable_training.benchmark.counting import counting
from kitchentable_training.benchmark.entries import Entry, find_entry
from kitchentable_training.benchmark.results import BEST_RESPONSE, RESULT, Key, recorded
from kitchentable_training.cluster import fan_out
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.files import EXPLOIT, FINAL, LOCK, write_json, written_aside
from kitchentable_training.named import import_module, is_place
from kitchentable_training.players.checkpoint import read_card, versions
from kitchentable_training.players.own import check_player
from kitchentable_training.provenance import commit, machine
from kitchentable_training.runs.best_response import exploit, exploit_settings
from kitchentable_training.runs.progress import EVALUATION, EXPLOITABILITY

PLAYER = "player"
SAID = ("game", "params", "seed", "steps")
"""The settings that a result has in other places."""
HANDED_OVER = 60
"""Seconds to wait for a process to release a job's folder after the job lost its machine."""


class Job(NamedTuple):
    """One entry in one environment, with one budget and one seed."""

    environment: protocol.Environment
    entry: Entry
    budget: protocol.Budget
    seed: int

    def __str__(self) -> str:
        return f"{self.environment.name} {self.entry.name} {self.budget.name} seed {self.seed}"

    def folder(self, out: Path) -> Path:
        """Return the folder of the job in the folder of all results."""
        place = out / protocol.PROTOCOL / self.environment.name / self.entry.name / self.budget.name
        return place / str(self.seed)

    def is_done(self, out: Path) -> bool:
        """Return whether the job has a result, in its folder or in the leaderboard."""
        key = Key(self.environment.name, self.entry.name, self.budget.name, self.seed)
        return (self.folder(out) / RESULT).exists() or key in recorded(out)


class Plan(NamedTuple):
    """The jobs to run; entries are given by words, so that other processes find them too."""

    environments: Sequence[protocol.Environment]
    entries: Sequence[str]
    budgets: Sequence[str] = protocol.BUDGETS
    seeds: Sequence[int] = ()
    """The seeds; none: those of the protocol."""

    def jobs(self) -> list[Job]:
        """Return the jobs, small budgets first, and for each budget the first seeds first.

        Raises:
            ValueError: an entry, a budget or a seed is invalid, or something is given twice.
        """
        entries = [find_entry(word) for word in self.entries]
        budgets = sorted(map(protocol.Budget.parse, self.budgets), key=lambda budget: budget.size)
        for kind, names in (
            ("environment", [environment.name for environment in self.environments]),
            ("entry", [entry.name for entry in entries]),
            ("budget", self.budgets), ("seed", self.seeds),
        ):  # fmt: skip
            twice = [name for i, name in enumerate(names) if name in names[:i]]
            if twice:
                raise ValueError(f"{kind} {twice[0]} is given twice; give it once")
        for seed in self.seeds:
            if seed < 0:
                raise ValueError(f"seed {seed} is not possible; choose whole numbers from 0 on")
        return [
            Job(environment, entry, budget, seed)
            for budget in budgets
            for seed in self.seeds or budget.seeds
            for environment in self.environments
            for entry in entries
        ]


def run(
    plan: Plan, out: Path, processes: int, seconds: float | None, best_response: int | None = None
) -> list[Job]:
    """Run the jobs that are not done, each in a process of its own; return those still not done.

    Those in a large environment follow each other in one process, which builds the tree once.

    Args:
        plan: the jobs.
        out: the folder of all results.
        processes: the maximum number of processes at a time.
        seconds: a time limit, after which the processes are stopped; training runs save first.
        best_response: the number of decisions of a best response to each player; None for none.
    """
    end = math.inf if seconds is None else time.monotonic() + seconds
    jobs, context = plan.jobs(), _context()
    pending = [n for n, job in enumerate(jobs) if best_response is not None or not job.is_done(out)]
    waiting, going = deque(_batches(jobs, pending)), list[tuple[list[int], Any, BaseProcess]]()
    try:
        while (waiting or going) and (remaining := end - time.monotonic()) > 0:
            while waiting and len(going) < processes:
                numbers = waiting.popleft()
                current = context.RawValue("q", numbers[0])
                arguments = plan, numbers, current, out, best_response
                process = context.Process(target=_work_alone, args=arguments)
                process.start()
                going.append((numbers, current, process))
            sentinels = [process.sentinel for *_, process in going]
            ended = wait(sentinels, None if remaining == math.inf else remaining)
            for batch in [batch for batch in going if batch[-1].sentinel in ended]:
                going.remove(batch)
                if rest := _jobs_after_death(jobs, *batch):
                    waiting.appendleft(rest)
    finally:
        for *_, process in going:
            process.terminate()  # a training run saves when it receives the signal
            process.join()
    return [job for job in jobs if not job.is_done(out)]


def _context() -> Any:
    """Return how processes are started: from a server that has imported all, where there is one."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def _batches(jobs: Sequence[Job], numbers: Iterable[int]) -> list[list[int]]:
    """Return the numbers of jobs by the process that does them."""
    batches: dict[Any, list[int]] = {}
    for number in numbers:
        job = jobs[number]
        key = (job.environment.name, job.budget) if job.environment.is_large else number
        batches.setdefault(key, []).append(number)
    return list(batches.values())


def _work_alone(
    plan: Plan, numbers: list[int], current: Any, out: Path, best_response: int | None
) -> None:
    """Do some jobs of a plan in a process of their own, which shares the ``current`` number."""
    torch.set_num_threads(1)
    jobs = plan.jobs()
    for number in numbers:
        current.value = number
        work([jobs[number]], out, best_response)


def _jobs_after_death(
    jobs: Sequence[Job], numbers: list[int], current: Any, process: BaseProcess
) -> list[int]:
    """Say at which job a process has died, if it has, and return the numbers of those after it."""
    process.join()
    code = process.exitcode
    if not code:
        return []
    ending = f"by signal {-code}" if code < 0 else f"with exit code {code}"
    _say(f"{jobs[current.value]} died: its process ended {ending}; the next jobs go on")
    return numbers[numbers.index(current.value) + 1 :]


def work(
    jobs: Sequence[Job], out: Path, best_response: int | None = None, patience: float = 0
) -> None:
    """Do the jobs that are neither done nor locked; a job that fails does not stop the others."""
    for job in jobs:
        folder = job.folder(out)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(folder / LOCK, timeout=patience):
                if not job.is_done(out):
                    _say(str(job))
                    write_json(folder / RESULT, learn_and_measure(job, folder / PLAYER))
                if best_response is not None:
                    _learn_best_response(job, folder, best_response)
        except Timeout:
            continue
        except Exception:
            _say(f"{job} failed:\n{traceback.format_exc()}")


def _say(text: str) -> None:
    sys.stderr.write(f"benchmark: {text}\n")


# --- On a cluster ---------------------------------------------------------------------------------

Files = Mapping[str, bytes]
"""The contents of the files in a job's folder, by path."""


def run_on_cluster(
    plan: Plan, out: Path, cluster: str, seconds: float | None, best_response: int | None = None
) -> list[Job]:
    """Run the jobs that are not done, each as a task of a cluster.

    Machines that share the folder of results work in it, so a job that loses its machine is resumed
    from the last checkpoint of its run. Other machines receive a copy of the job's folder, and
    return it when the job has ended; a job that is lost there is repeated from that copy.
    """
    out = out.resolve()  # processes of a cluster have another working directory
    out.mkdir(parents=True, exist_ok=True)
    jobs = [job for job in plan.jobs() if best_response is not None or not job.is_done(out)]
    own = [import_module(word, "entry") for word in plan.entries if is_place(word)]
    with NamedTemporaryFile(dir=out, prefix=".shared_") as mark:
        do = partial(_do_there, Path(mark.name), best_response)
        tasks = ((job, _read_files(job.folder(out))) for job in jobs)
        for (job, _), files in fan_out(do, tasks, cluster, seconds, own):
            _write_files(job.folder(out), files)
    return [job for job in jobs if not job.is_done(out)]


def _do_there(mark: Path, best_response: int | None, task: tuple[Job, Files]) -> Files:
    """Do a job where the file ``mark`` is, if it is here; else in a copy, and return its files."""
    job, files = task
    if mark.exists():
        work([job], mark.parent, best_response, patience=HANDED_OVER)
        return {}
    with TemporaryDirectory() as out:
        _write_files(job.folder(Path(out)), files)
        work([job], Path(out), best_response)
        return _read_files(job.folder(Path(out)))


def _read_files(folder: Path) -> Files:
    """Return the contents of the files in a folder, except locks."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != LOCK]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def _write_files(folder: Path, files: Files) -> None:
    """Replace a folder by one with these files; without files, leave it as it is."""
    if files:
        with written_aside(folder) as aside:
            for name, content in files.items():
                (aside / name).parent.mkdir(parents=True, exist_ok=True)
                (aside / name).write_bytes(content)


# --- What a job does ------------------------------------------------------------------------------


def learn_and_measure(job: Job, folder: Path) -> dict[str, Any]:
    """Run an entry, and measure its player.

    Returns:
        The job, its decisions and time, and whether these were ``"counted"`` or are only declared;
        the result of `Environment.measure`; settings and the evaluations of the learning curve from
        the entry's checkpoint, if there is one; and the commit, the machine, the number of torch's
        threads and versions.
    """
    resumed = folder.is_dir() and any(folder.iterdir())
    with counting() as counted:
        player = job.entry.train(job.environment, job.budget, job.seed, folder)
    check_player(player, f"entry {job.entry.name}: what it returned")
    card: dict[str, Any] = {}
    if (folder / FINAL).is_dir():
        card = read_card(folder / FINAL)
    decisions: int | None = counted.decisions
    seconds = counted.processor_seconds
    # A shipped entry counts the decisions that it learns from, over all starts of its run.
    shipped = not job.entry.source and "steps" in card
    if shipped or resumed:  # of another entry, only the last start could be counted
        decisions = card.get("steps", job.budget.limit)
        seconds = card.get("processor_seconds", seconds)
    game, params = job.environment.load()
    settings: Mapping[str, Any] = card.get("settings", getattr(player, "settings", {}))
    return {
        "protocol": protocol.PROTOCOL,
        "environment": job.environment.name,
        "entry": job.entry.name,
        "shown": job.entry.shown,
        "budget": job.budget.name,
        "seed": job.seed,
        "game": game.name,
        "version": game.version,
        "params": params.plain(),
        "source": job.entry.source,
        "decisions": decisions,
        "counted": shipped or not resumed,
        "processor_seconds": round(seconds, 1),
        "decisions_a_second": round(decisions / seconds) if decisions and seconds else None,
        "deals": job.environment.deals,
        "deal_seed": int(Deals.BENCHMARK),
        **job.environment.measure(player),
        "checkpoint": f"{PLAYER}/{FINAL}" if card else None,
        "curve": [
            line
            for line in card.get("curve", [])
            if any(key.startswith((EVALUATION, EXPLOITABILITY)) for key in line)
        ],
        "settings": {name: value for name, value in settings.items() if name not in SAID},
        "threads": torch.get_num_threads(),
        "machine": machine(),
        "commit": commit(),
        "versions": versions(),
    }


def _learn_best_response(job: Job, folder: Path, steps: int) -> None:
    """Learn a best response to the job's player, if it has rivals and a checkpoint."""
    game, params = job.environment.load()
    frozen = folder / PLAYER / FINAL
    done = (folder / BEST_RESPONSE / EXPLOIT).exists()
    if done or params.num_players == 1 or game.is_team(params) or not frozen.is_dir():
        return
    _say(f"{job}: best response")
    overrides = [f"steps={steps}", f"evaluation.final_deals={job.environment.deals}"]
    exploit(exploit_settings(str(frozen), None, overrides), folder / BEST_RESPONSE)
