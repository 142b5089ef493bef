"""A training run. Its folder contains everything that is needed to resume it."""

from __future__ import annotations

import math
import shutil
import time
import warnings
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from filelock import FileLock, Timeout
from stable_baselines3.common.logger import Logger
from tqdm import tqdm

from kitchentable import Game, find_game
from kitchentable.engine.cuda import SIMULATED, check_usable
from kitchentable.players.scripted import Player
from kitchentable_training import files
from kitchentable_training.algorithms.behavior_cloning import Demonstrator, clone_behavior
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.learner import Learner
from kitchentable_training.algorithms.ppo import PPO
from kitchentable_training.algorithms.registry import find_algorithm
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.duplicate import LEARNER_NAME, curve_points, measure
from kitchentable_training.exact.exploitability import measure as measure_exactly
from kitchentable_training.exact.tree import game_tree
from kitchentable_training.named import name_module
from kitchentable_training.networks.carry_over import carry_over
from kitchentable_training.networks.mixture import Mixture
from kitchentable_training.networks.policy import PolicyPlayer, frozen_player
from kitchentable_training.players import checkpoint
from kitchentable_training.players.by_name import (
    checkpoint_named,
    identity_of,
    make_player,
    make_players,
)
from kitchentable_training.runs.bar import progress_bar
from kitchentable_training.runs.log import RunLog
from kitchentable_training.runs.processes import join
from kitchentable_training.runs.progress import (
    EVALUATION,
    EXPLOITABILITY,
    cut_progress,
    learning_curve,
    read_progress,
)
from kitchentable_training.runs.settings import BehaviorCloningSettings, RunSettings, parse_settings
from kitchentable_training.runs.state import (
    OTHERS,
    Tensors,
    export_run,
    import_run,
    part_of,
    put_together,
)
from kitchentable_training.stopping import held_back

OF_A_PROCESS = 1_000_003
"""The difference between the seeds of two processes' opponents."""
ON_GPU = (
    "with the same weights to the last bit on the same GPU with the same versions, except where "
    "torch adds numbers up in no fixed order"
)
"""How exactly a run on a GPU resumes; on the CPU, it resumes with exactly the same weights."""


class Run:
    """One training run and its folder.

    The folder contains ``settings.yaml``, ``progress.jsonl`` (a line per update), ``tensorboard/``,
    ``checkpoints/step_...`` and, when the run has finished, ``final`` and ``evaluation.json``. It
    is locked until `train` or the process ends. If several processes learn together (see
    `processes`), only the first one writes into it.
    """

    def __init__(self, settings: RunSettings, folder: str | Path) -> None:
        """Set up a new run, or resume from the last intact checkpoint in the folder.

        Args:
            settings: the settings of the run; see `load_settings`.
            folder: the folder of the run; created if it does not exist.

        Raises:
            ValueError: the folder contains a run with other settings or other versions of the
                players in them, another process trains there,
                the device is missing, does not support the settings or cannot be shared by the
                processes, or a checkpoint that the run needs is missing or does not fit.
            ImportError: a package is missing that games on a GPU need.
        """
        self.processes = join(settings.device)
        if self.processes.size > 1 and not settings.training.data_parallel:
            raise ValueError(
                f"algorithm: {settings.algorithm} learns in one process; start it without torchrun"
            )
        device = network_device(settings)
        if settings.network.module is not None:
            name_module(settings.network.module)
        self.settings = settings
        self.folder = Path(folder)
        self.game: Game = find_game(settings.game)
        self.params = self.game.make_params(**settings.params)
        self._set_up(device)  # before anything is written to the folder
        self._lock = _lock(self.folder) if self.processes.is_first else None
        with ExitStack() as on_failure:
            on_failure.callback(self._release)
            if self.processes.is_first:
                self._claim_folder()
            self._resumed = self._resume()
            on_failure.pop_all()

    def _set_up(self, device: torch.device) -> None:
        settings = self.settings
        # Opponents draw different random numbers in each process.
        self._seed = settings.seed + OF_A_PROCESS * self.processes.rank
        torch.set_num_threads(settings.threads)
        if settings.device == "cuda":
            torch.backends.cudnn.deterministic = True
        others = (settings.opponents, self._seed, device)
        on_gpu = settings.games_device == "cuda"
        self.pool = OpponentPool.make(self.game, self.params, *others, on_gpu=on_gpu)
        make = find_algorithm(settings.algorithm).load()
        self.learner: Learner = make(settings, self.pool)
        judges = settings.evaluation.opponents
        if settings.evaluation.exploitability:
            try:
                game_tree(self.game.name, self.params)  # it is kept for the evaluations
            except ValueError as error:
                raise ValueError(f"evaluation.exploitability: {error}") from None
        self._elsewhere = [self.game.make_params(**table) for table in settings.network.tables[1:]]
        self._judges = {
            params: make_players(judges, self.game, params, seed=1)
            for params in (self.params, *self._elsewhere)
        }
        self.seconds = 0.0
        """Training time so far over all starts, in seconds."""
        self.processor_seconds = 0.0
        """Processor time so far in seconds, which other programs on the machine do not increase."""
        begins = self.processes.is_first and not self._saved()
        if settings.start is not None and begins:
            self._weights_of(checkpoint_named(settings.start))
        if begins:
            self._imitated_players()
        self._players = self._find_players()

    def _imitated_players(self) -> list[Player]:
        """Return the player to imitate at each table; none without cloning."""
        players = []
        for settings, name in zip(self.settings.by_table(), self.settings.imitated, strict=False):
            params = self.game.make_params(**settings.params)
            try:
                players.append(make_player(name, self.game, params, settings.seed))
            except ValueError as error:
                raise ValueError(f"behavior_cloning.player: {error}") from None
        return players

    def _demonstrators(self, lesson: int) -> list[Demonstrator]:
        """Return a demonstrator for each table."""
        tables = zip(self.settings.by_table(), self._imitated_players(), strict=True)
        return [Demonstrator(self.game, settings, player, lesson) for settings, player in tables]

    def _find_players(self) -> dict[str, str]:
        """Return what tells apart players of one name: the `identity_of` those in the settings."""
        scripted = self.game.players.scripted
        identities = {
            name: identity_of(name) for name in self.settings.players_needed if name not in scripted
        }
        return {name: identity for name, identity in identities.items() if identity is not None}

    def train(self, seconds: float | None = None) -> Path | None:
        """Train to the end, evaluate, and return the folder of the final checkpoint.

        SIGINT, SIGTERM and SIGHUP take effect when the run has been saved; a second SIGINT or
        SIGTERM takes effect immediately. Behavior cloning before the first step is left after a
        lesson and starts again when resumed; what it has learned is the checkpoint
        ``behavior_cloning``. Progress is shown on standard error, whose loss has no effect.

        Args:
            seconds: a time limit, after which the run is saved so that it can be resumed; it does
                not interrupt behavior cloning.

        Returns:
            The folder, or None if the time limit was reached first.

        Raises:
            ValueError: the loss is not finite.
        """
        try:
            final = self.folder / files.FINAL
            if self._finished:
                return final
            end = math.inf if seconds is None else time.perf_counter() + seconds
            if self.learner.steps < self.settings.steps and not self._learn(end):
                return None
            if self.processes.is_first:
                self._finish(final)
            self.processes.from_first(None)  # wait until the final checkpoint is written
            return final
        finally:
            self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def _learn(self, end: float) -> bool:
        """Train for the remaining steps; return whether all were done before the time ``end``."""
        logger = Logger(None, [RunLog(self.folder)] if self.processes.is_first else [])
        bar = progress_bar(
            self.settings.steps,
            self.folder.name,
            unit=" decisions",
            initial=self.learner.steps,
            disable=not self.processes.is_first,
        )
        try:
            with bar, held_back() as signals:
                if not self._resumed:
                    self._begin(logger, signals)
                return self._update_to_the_end(logger, bar, signals, end)
        finally:
            logger.close()

    def _update_to_the_end(
        self, logger: Logger, bar: tqdm[Any], signals: Sequence[int], end: float
    ) -> bool:
        """Update, evaluate and save until the end; return whether all steps were done."""
        saved = time.perf_counter()
        while self.learner.steps < self.settings.steps:
            lap, before = time.perf_counter(), self.learner.steps
            processor_lap = time.process_time()
            self.pool.seed_own(self._seed + before)
            self.learner.update(logger)
            self.check_finite()
            now = time.perf_counter()
            self.seconds += now - lap
            self.processor_seconds += time.process_time() - processor_lap
            logger.record("time/fps", (self.learner.steps - before) / (now - lap))
            self._log_games(logger)
            self._do_what_is_due(logger, before)
            logger.record("time/seconds", self.seconds)
            logger.dump(self.learner.steps)
            bar.update(self.learner.steps - bar.n)
            # Only after an update, so that a run that is stopped again and again makes progress.
            ended = self.learner.steps >= self.settings.steps
            due = now - saved >= self.settings.checkpoint_seconds
            leaves, due = self.processes.any(bool(signals) or now >= end, due)
            if ended or leaves or due:
                self.save()
                saved = time.perf_counter()
            if leaves and not ended:
                return False
        return True

    def _do_what_is_due(self, logger: Logger, before: int) -> None:
        """Add a past self, and evaluate the learner, if the last update reached the step for it."""
        now, settings = self.learner.steps, self.settings
        if now // settings.opponents.past_every > before // settings.opponents.past_every:
            self.add_past_self()
        if now // settings.evaluation.every > before // settings.evaluation.every:
            points = self._curve_points() if self.processes.is_first else None
            for name, value in self.processes.from_first(points).items():
                logger.record(name, value)

    def _curve_points(self) -> dict[str, float]:
        """Evaluate the learner for its learning curve."""
        evaluation = self.settings.evaluation
        points = curve_points(self.evaluate(evaluation.deals))
        figures = {EVALUATION + name: win_rate for name, win_rate in points.items()}
        if evaluation.exploitability:
            tree = game_tree(self.game.name, self.params)
            exactly, _ = measure_exactly(tree, self.player())
            figures[EXPLOITABILITY] = exactly.exploitability
        return figures

    def _log_games(self, logger: Logger) -> None:
        """Log the payoffs of all processes' games by opponent."""
        by_opponent: dict[str, list[float]] = defaultdict(list)
        seating = self.learner.seating
        gathered = self.processes.gather((seating.results, seating.finished))
        results = [result for part, _ in gathered for result in part]
        for numbers, payoff in results:
            by_opponent["all"].append(payoff)
            for name in {seating.pool.label(number) for number in numbers} or {LEARNER_NAME}:
                by_opponent[name].append(payoff)
        seating.results.clear()
        for name, payoffs in by_opponent.items():
            logger.record(f"payoff/{name}", float(np.mean(payoffs)))
            logger.record(f"games/{name}", len(payoffs))
        logger.record("games/all", sum(finished for _, finished in gathered))
        seating.finished = 0

    def _begin(self, logger: Logger, signals: Sequence[int]) -> None:
        """Load start weights and clone behavior, if set; a run killed before that starts again."""
        if self.settings.start is not None:
            weights = self._weights_of(checkpoint_named(self.settings.start))
            self.learner.network.load_state_dict(weights)
        if self.settings.behavior_cloning is not None:
            self._clone_behavior(self.settings.behavior_cloning, logger, signals)
        weights = {name: tensor.cpu() for name, tensor in self.learner.network.state_dict().items()}
        self.learner.network.load_state_dict(self.processes.from_first(weights))
        if self.settings.behavior_cloning is not None:
            self.save()  # so that it is not repeated
            if self.processes.is_first:
                shutil.rmtree(self._checkpoints / files.CLONED, ignore_errors=True)

    def _weights_of(self, start: Path) -> Tensors:
        """Return the weights of a checkpoint for the policy that is trained."""
        own, card = self.learner.network.state_dict(), checkpoint.read_card(start)
        if why := checkpoint.why_no_start(card, self.settings.training.outputs):
            raise checkpoint.CheckpointError(f"start: a run cannot start as {start}: {why}")
        if not self.settings.carry_over:
            checkpoint.check_card(card, self.game, self.params)
            return checkpoint.read_tensors(start, files.WEIGHTS, own)
        if (name := card["game"]) != self.game.name:
            raise checkpoint.CheckpointError(f"start: {start} plays {name}, not {self.game.name}")
        if self.settings.network.module or card["network"].get("module"):
            raise checkpoint.CheckpointError(
                f"start: {start} cannot be carried over: only layers of the project's network are "
                "known by their names, not those of network.module; set carry_over to false"
            )
        other = checkpoint.load_player(start)
        try:
            return carry_over(other.network.state_dict(), other.inputs, own, self.learner.inputs)
        except ValueError as error:
            why = f"start: {start} cannot be carried over: {error}"
            raise checkpoint.CheckpointError(why) from None

    def _clone_behavior(
        self, settings: BehaviorCloningSettings, logger: Logger, signals: Sequence[int]
    ) -> None:
        """Learn the choices of other players."""
        start, processor_start = time.perf_counter(), time.process_time()
        others = self.learner.other_tables if isinstance(self.learner, PPO) else []
        networks = [learner.network for learner in (self.learner, *others)]
        tables = list(zip(networks, self._demonstrators(settings.lesson), strict=True))
        description = f"cloning {'at all tables' if others else self.settings.imitated[0]}"
        hidden = not self.processes.is_first
        with progress_bar(settings.decisions, description, disable=hidden) as bar:

            def progress(decisions: int, figures: dict[str, float]) -> None:
                self.check_finite()
                bar.update(decisions - bar.n)
                for name, value in figures.items():
                    logger.record(name, value)
                logger.dump(0)
                if signals and decisions < settings.decisions:
                    if self.processes.is_first:
                        weights = self.learner.network.state_dict()
                        folder = self._checkpoints / files.CLONED
                        checkpoint.write_checkpoint(folder, self._card(), weights)
                    raise KeyboardInterrupt(signals[0])

            clone_behavior(tables, settings, progress)
        self.seconds += time.perf_counter() - start
        self.processor_seconds += time.process_time() - processor_start

    def _finish(self, final: Path) -> None:
        results = self.evaluate(self.settings.evaluation.final_deals)
        files.write_json(self.folder / files.RESULTS, results)
        curve = learning_curve(read_progress(self.folder / files.PROGRESS))
        measured = {"results": results["opponents"], "deal_seed": results["deal_seed"]}
        card = self._card() | measured | {"curve": curve}
        if self._elsewhere:
            deals = self.settings.evaluation.final_deals
            card["results_elsewhere"] = [
                {"params": params.plain(), "results": self.evaluate(deals, params)["opponents"]}
                for params in self._elsewhere
            ]
        checkpoint.write_checkpoint(final, card, self.learner.network.state_dict())

    def check_finite(self) -> None:
        """Check that all weights are finite, also of networks that learn and are not played.

        Raises:
            ValueError: they are not, because the loss was not.
        """
        groups = [group["params"] for group in self.learner.optimizer.param_groups]
        weights = chain(self.learner.network.parameters(), *groups)
        if not all(parameter.isfinite().all() for parameter in weights):
            raise ValueError(
                f"the loss is no longer finite at step {self.learner.steps}; what was saved "
                f"before stays in {self._checkpoints}; try a lower learning rate"
            )

    def evaluate(self, deals: int, params: Any = None) -> dict[str, Any]:
        """Evaluate the learner on the selection deals, against the opponents in the settings.

        Args:
            deals: the number of deals.
            params: the parameters of one of the tables of the network; None: those of the run.
        """
        params = params or self.params
        judges = self._judges[params]
        for judge in judges:
            judge.seed(1)
        against = judges, self.game, params, deals
        return measure(self.player(params), *against, seed=Deals.SELECTION)

    def player(self, params: Any = None) -> PolicyPlayer:
        """Return the current learner as a player, at one of its tables; see `evaluate`."""
        params = params or self.params
        return self._frozen(
            params, self.folder.name, gives_action_values=self._learns_action_values
        )

    def add_past_self(self) -> None:
        """Add the current learner to the pool, if past selves take part."""
        if not self.settings.opponents.past_selves:
            return
        player = self._frozen(
            self.params,
            f"past:{self.learner.steps}",
            device=self.pool.device,
            deterministic=self._learns_action_values,
            seed=self._seed + 1000 + self.pool.next_number,
        )
        self.pool.add_past_self(player, self.learner.seating.numbers)

    def _frozen(self, params: Any, name: str, **more: Any) -> PolicyPlayer:
        """Return a copy of the current learner as a player; see `frozen_player`."""
        weights, network = self.learner.network.state_dict(), self.settings.network
        members = self._members
        return frozen_player(weights, self.game, params, network, name, members=members, **more)

    @property
    def _learns_action_values(self) -> bool:
        return self.settings.training.outputs == "action_values"

    @property
    def _members(self) -> int:
        """The number of members of the learner's network, if it is a mixture; else 0."""
        network = self.learner.network
        return len(network.members) if isinstance(network, Mixture) else 0

    def _card(self) -> dict[str, Any]:
        on_gpu = {"resumes": ON_GPU} if self.settings.device == "cuda" else {}
        return checkpoint.make_card(
            self.game,
            self.params,
            self.settings.network,
            outputs=self.settings.training.outputs,
            value_until=self.settings.training.value_until(self.settings.episode),
            members=self._members,
            settings=self.settings.model_dump(),
            players=self._players,
            steps=self.learner.steps,
            seconds=round(self.seconds, 1),
            processor_seconds=round(self.processor_seconds, 1),
            **on_gpu,
        )

    # --- The folder -----------------------------------------------------------------------------

    def _claim_folder(self) -> None:
        """Write or compare the settings, and remove what a killed process left half written."""
        for aside in (*self.folder.glob(f".{files.FINAL}.*"), *self._checkpoints.glob(".*")):
            if aside.is_dir():  # other files are those of a file manager
                shutil.rmtree(aside)
        check_settings(self.settings, self.folder)
        path = self.folder / files.SETTINGS
        if not path.exists():
            with files.written_aside(path) as aside:
                text = yaml.safe_dump(self.settings.model_dump(), sort_keys=False)
                aside.write_text(text, encoding="utf-8")
                # What cannot be read is not written.
                parse_settings(files.read_yaml(aside), str(path))

    def save(self) -> None:
        """Write a checkpoint from which the run resumes exactly; delete all but the newest ones."""
        parts = self.processes.at_first(export_run(self.learner))
        if not parts:
            return
        state, plain = put_together(parts)
        folder = self._checkpoints / f"{files.STEP}{self.learner.steps:012d}"
        weights = self.learner.network.state_dict()
        checkpoint.write_checkpoint(folder, self._card() | {"run": plain}, weights, state)
        for old in self._saved()[: -self.settings.checkpoints_kept]:
            shutil.rmtree(old)

    @property
    def _checkpoints(self) -> Path:
        return self.folder / files.CHECKPOINTS

    def _saved(self) -> list[Path]:
        return sorted(self._checkpoints.glob(f"{files.STEP}*"))

    def _resume(self) -> bool:
        """Resume from the newest intact checkpoint; return False if there is none."""
        newest = self._newest() if self.processes.is_first else None
        on_disk = (self.folder / files.FINAL).exists(), newest
        self._finished, newest = self.processes.from_first(on_disk)
        if newest is not None:
            folder, card, weights, state = newest
            if not self._finished:
                self._check_players(folder, card)
            self._go_on(folder, card, state)
            self.learner.network.load_state_dict(weights)
        if self.processes.is_first and not self._finished:
            cut_progress(self.folder / files.PROGRESS, -1 if newest is None else self.learner.steps)
        return newest is not None

    def _check_players(self, folder: Path, card: dict[str, Any]) -> None:
        """Check that the other players are still those with which the run has learned."""
        with files.reading(folder):
            before = dict(card.get("players", {}))
        changed = [name for name, now in self._players.items() if before.get(name, now) != now]
        if changed:
            raise ValueError(
                f"{self.folder} cannot be resumed, as {', '.join(changed)} changed since: it has "
                "other weights or another source; put the earlier ones back, or give another --run"
            )

    def _newest(self) -> tuple[Path, dict[str, Any], Tensors, Tensors] | None:
        """Return folder, card, weights and state of the newest intact checkpoint.

        Damaged checkpoints are renamed, so that they do not count among those that are kept.
        """
        expected = self.learner.network.state_dict()
        for folder in reversed(self._saved()):
            try:
                card = checkpoint.read_card(folder)
                checkpoint.check_card(card, self.game, self.params)
                weights = checkpoint.read_tensors(folder, files.WEIGHTS, expected)
                return folder, card, weights, checkpoint.read_tensors(folder, files.STATE)
            except checkpoint.DamagedCheckpointError as error:
                aside = folder.with_name(f"damaged_{folder.name}")
                shutil.rmtree(aside, ignore_errors=True)
                folder.replace(aside)
                warnings.warn(f"passed over {aside}, a checkpoint: {error}", stacklevel=2)
        return None

    def _go_on(self, folder: Path, card: dict[str, Any], state: Tensors) -> None:
        """Restore the state of a checkpoint."""
        with files.reading(folder):
            started = 1 + len(card["run"].get(OTHERS, []))
        if started != self.processes.size:
            raise ValueError(
                f"{self.folder} is a run of {started} processes; resume it with as many, "
                f"not with {self.processes.size}"
            )
        state, plain = part_of(state, card["run"], self.processes.rank)
        saved, batch = state.get("arrays/records"), self.learner.seating.batch
        if saved is not None and len(saved) != batch.records.numel():
            raise ValueError(
                f"{folder} holds tables of another version of {self.game.name}; go on with the "
                "version that saved them, or give another --run"
            )
        with files.reading(folder):
            try:
                import_run(self.learner, self.settings.network, state, plain)
            except RuntimeError as error:  # raised by torch
                raise ValueError(error) from None
            self.seconds = float(card["seconds"])
            self.processor_seconds = float(card.get("processor_seconds", 0.0))


def check_settings(settings: RunSettings, folder: Path) -> None:
    """Check that a folder contains no run with other settings.

    Raises:
        ValueError: it does; names the settings that differ.
    """
    path = folder / files.SETTINGS
    if not path.exists():
        return
    saved = parse_settings(files.read_yaml(path), str(path))
    if saved != settings:
        values, saved_values = settings.model_dump(), saved.model_dump()
        differ = [key for key in values if values[key] != saved_values[key]]
        raise ValueError(
            f"{folder} holds a run with other settings ({', '.join(differ)}); give another --run, "
            "or delete that folder"
        )


def network_device(settings: RunSettings) -> torch.device:
    """Return the device on which a run's networks are trained.

    Raises:
        ImportError: a package that games on a GPU need is missing.
        ValueError: there is no GPU.
    """
    if settings.device == "cpu" or SIMULATED:
        return torch.device("cpu")
    if not torch.cuda.is_available():
        raise ValueError("device: cuda is not possible: torch finds no GPU here; choose cpu")
    if settings.games_device == "cuda":
        check_usable()
    return torch.device("cuda")


def _lock(folder: Path) -> FileLock:
    """Lock a run's folder; the system releases the lock when the process ends or is killed."""
    folder.mkdir(parents=True, exist_ok=True)
    # The browser page holds the lock for a moment to see whether it is free.
    lock = FileLock(folder / files.LOCK, timeout=0.5)
    try:
        lock.acquire()
    except Timeout:
        raise ValueError(
            f"another process is training in {folder}; let it finish, or give another --run"
        ) from None
    return lock
