"""The command ``benchmark``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kitchentable_training.cli import arguments
from kitchentable_training.files import check_writable

if TYPE_CHECKING:
    from kitchentable_training.benchmark.run import Job, Plan


def add_benchmark(commands: Any) -> None:
    """Add ``benchmark``."""
    parser = arguments.add_command(
        commands, "benchmark", _benchmark,
        "compare learning algorithms by a fixed protocol; resumes where it was stopped",
        ("", ""),
        ["benchmark --environments diddly_2p --entries my_file.py:learn --budgets 1M --compare",
         "benchmark --budgets 1M --seeds 1,2 --jobs 2 --minutes 30"],
    )  # fmt: skip
    for option, description in (
        ("environments", "names of environments (default: all)"),
        ("entries", "algorithms, also with changes as in ppo+features or mmd+ent_coef=0.1, or "
         "functions of your own as package.module:function or file.py:function (default: all "
         "algorithms)"),
        ("budgets", "decisions, as in 10M, or processor time, as in 5min (default: 1M,10M,100M)"),
        ("seeds", "whole numbers (default: 1 to 10 for up to a million decisions, else 1 to 5)"),
    ):  # fmt: skip
        parser.add_argument(f"--{option}", metavar="A,B,C", help=description)
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N",
        help="number of processes, of one thread each (default: %(default)s)",
    )  # fmt: skip
    arguments.add_ray_option(parser)
    arguments.add_minutes_option(parser)
    arguments.add_module_option(parser)
    parser.add_argument(
        "--out", type=Path, default=Path("runs/benchmark"), metavar="FOLDER",
        help="folder for results and players (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="list the jobs without running them")
    parser.add_argument(
        "--compare", action="store_true",
        help="set the results beside the published ones of the same environments and budgets",
    )  # fmt: skip
    parser.add_argument(
        "--best-response", type=int, metavar="STEPS",
        help="also train a best response to each player, for STEPS decisions",
    )  # fmt: skip
    parser.add_argument(
        "--tune", action="store_true",
        help="search for the settings of algorithms, and write FOLDER/tuning/tuned.json",
    )  # fmt: skip
    parser.add_argument(
        "--references", action="store_true",
        help="only measure the scripted players, which normalize the scores",
    )  # fmt: skip
    parser.set_defaults(when_stopped=arguments.GOES_ON)


def _benchmark(args: argparse.Namespace) -> None:
    from kitchentable_training.benchmark import entries, protocol, results, run  # noqa: PLC0415

    _check(args)
    environments = [
        protocol.find_environment(name)
        for name in arguments.read_names("--environments", args.environments)
    ]  # fmt: skip
    names = arguments.read_names("--entries", args.entries) or list(entries.NAMES)
    plan = run.Plan(
        environments or list(protocol.ENVIRONMENTS.values()),
        names,
        arguments.read_names("--budgets", args.budgets) or protocol.BUDGETS,
        _read_seeds(args.seeds),
    )
    plan.jobs()  # raises an error before anything is run
    if args.references:
        for environment in plan.environments:
            arguments.say(f"{environment.name}: {environment.references()}")
        return
    if args.tune:
        _tune(args, names)
        return
    check_writable(args.out / results.LEADERBOARD)
    unfinished = _run(args, plan)
    if not args.dry_run:
        _tell(args)
    _check_all_done(unfinished)


def _run(args: argparse.Namespace, plan: Plan) -> list[Job]:
    """Run the jobs of a plan, and return those that are not done; none of a dry run."""
    from kitchentable_training.benchmark import protocol, run  # noqa: PLC0415

    jobs = plan.jobs()
    unfinished = [job for job in jobs if not job.is_done(args.out)]
    done = len(jobs) - len(unfinished)
    arguments.say(f"{protocol.PROTOCOL}: {done} of {len(jobs)} jobs done, in {args.out}")
    if args.dry_run:
        arguments.say("\n".join(f"{job}{'' if job in unfinished else ': done'}" for job in jobs))
        return []
    bounds = arguments.seconds_of(args), args.best_response
    if args.ray is None:
        return run.run(plan, args.out, args.jobs, *bounds)
    return run.run_on_cluster(plan, args.out, args.ray, *bounds)


def _tell(args: argparse.Namespace) -> None:
    """Write all results of the folder, and print tables."""
    from kitchentable_training.benchmark import results  # noqa: PLC0415
    from kitchentable_training.benchmark.leaderboard import leaderboard_tables  # noqa: PLC0415

    all_results = results.read_results(args.out)
    results.write_leaderboard(args.out, all_results)
    results.write_csv(args.out / "results.csv", all_results)
    results.write_marl_json(args.out / "marl_eval.json", all_results)
    arguments.say(
        leaderboard_tables(results.beside_published(all_results) if args.compare else all_results)
    )


def _tune(args: argparse.Namespace, names: list[str]) -> None:
    """Run the trials of some entries, and write the chosen settings."""
    from kitchentable_training.benchmark import entries, results, tuning  # noqa: PLC0415

    args.out /= "tuning"
    path = args.out / entries.TUNED.name
    check_writable(path)
    unfinished = _run(args, tuning.plan(names))
    if not args.dry_run:
        tuning.write_chosen(results.read_results(args.out), names, path)
        arguments.say(f"the chosen settings are in {path}")
    _check_all_done(unfinished)


def _check_all_done(unfinished: list[Job]) -> None:
    if unfinished:
        raise ValueError(f"{len(unfinished)} jobs are not done; the first is {unfinished[0]}")


def _check(args: argparse.Namespace) -> None:
    if args.words:
        raise ValueError(f"benchmark takes options only, not {args.words[0]!r}")
    for option in ("jobs", "best_response"):
        value = getattr(args, option)
        if value is not None and value <= 0:
            text = f"--{option.replace('_', '-')} {value}"
            raise ValueError(f"{text} is not possible; choose more than 0")
    if args.tune:
        why = "is not for --tune, whose trials have environments, a budget and a seed of their own"
        arguments.refuse(args, why, environments=None, budgets=None, seeds=None, compare=False)
    if args.ray is not None and args.jobs > 1:
        raise ValueError("--jobs is for this machine alone; --ray takes the cores of the cluster")


def _read_seeds(text: str | None) -> list[int]:
    try:
        return [int(word) for word in arguments.read_names("--seeds", text)]
    except ValueError:
        raise ValueError(f"--seeds {text!r} is not possible; give numbers as in 1,2,3") from None
