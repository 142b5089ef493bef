"""The commands of ``kitchentable``: their arguments and what they do.

What only some commands need is imported in these: `watch`, `play` and `bench` need no torch.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kitchentable import all_games, find_game
from kitchentable.render.rulebook import Rulebook
from kitchentable_training import files
from kitchentable_training.cli import arguments
from kitchentable_training.cli.benchmark import add_benchmark
from kitchentable_training.evaluate.deals import Deals, describe_deals
from kitchentable_training.players import by_name
from kitchentable_training.players.llm import is_llm, usages
from kitchentable_training.session import Session, names_by_seat, played, read_saved, replayed
from kitchentable_training.shipped import find_config, shipped_configs

if TYPE_CHECKING:
    from kitchentable.text.moves import Move
    from kitchentable_training.runs.settings import RunSettings

PORT = 8765
"""The default port of `serve`."""
DRAWS = 100
"""The default of ``exploit --draws``."""

# --- train, report --------------------------------------------------------------------------------


def _add_train(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "train", _train,
        "train a player, or resume a run",
        ("CONFIG | key=value", "a settings file (YAML), the name of shipped settings (see configs) "
         "or a checkpoint; and settings that override it"),
        ["train diddly_demo training.ent_coef=0.01 --run short",
         "train --resume runs/short"],
    )  # fmt: skip
    parser.add_argument(
        "--resume", type=Path, metavar="FOLDER", help="resume the run in this folder"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say which runs would be trained, and stop"
    )
    arguments.add_run_options(parser, "that of the settings")


def _train(args: argparse.Namespace) -> None:
    from kitchentable_training.runs.processes import Processes  # noqa: PLC0415
    from kitchentable_training.runs.stages import (  # noqa: PLC0415
        describe_plan,
        train_in_order,
    )

    seconds = arguments.seconds_of(args)
    runs = _runs_to_train(args)
    *_, folder = runs
    is_first = Processes().is_first  # only the first one prints
    if is_first and (args.dry_run or len(runs) > 1):
        arguments.say(describe_plan(runs))
    if args.dry_run:
        return
    resume = "kitchentable train --resume" if len(runs) == 1 else ""
    try:
        stopped_run = train_in_order(runs, seconds, _announce)
    except KeyboardInterrupt:
        unfinished = (run for run in runs if not (run / files.FINAL).is_dir())
        if is_first:
            arguments.say_left(next(unfinished, folder), "Stopped", resume)
        raise
    if not is_first:
        return
    if stopped_run is not None:
        arguments.say_left(stopped_run, arguments.time_is_up(args), resume)
        return
    from kitchentable_training.report.page import write_report  # noqa: PLC0415

    report = write_report(folder)
    _print_results(files.read_json(folder / files.RESULTS))
    arguments.say(f"\nThe trained player: {folder / files.FINAL}\nThe report: {report}")


def _announce(folder: Path) -> None:
    arguments.say(f"The run: {folder} (settings, progress.jsonl, tensorboard, checkpoints)")


def _given(words: Sequence[str]) -> str:
    """Return the end of an error about the number of words."""
    return f", not {', '.join(words)}" if words else ""


def _runs_to_train(args: argparse.Namespace) -> dict[Path, RunSettings]:
    """Return the settings of the wanted run, last, and of those that it needs, by folder."""
    from kitchentable_training.runs.settings import load_settings, load_stages  # noqa: PLC0415
    from kitchentable_training.runs.stages import in_folder, plan  # noqa: PLC0415

    sources, overrides = arguments.split_words(args.words)
    if args.resume is not None:
        if args.words or args.run:
            raise ValueError("--resume takes the settings of the run; give no others")
        return {args.resume: load_settings(args.resume / files.SETTINGS)}
    if len(sources) != 1:
        raise ValueError(f"give the settings of one run, or --resume FOLDER{_given(sources)}")
    stages = load_stages(sources[0], overrides)
    folder = arguments.run_folder(args, list(stages)[-1])
    return in_folder(plan(folder.name, stages), args.runs_folder)


def _add_report(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "report", _report,
        "write an HTML report on runs, trained players, tournaments and evaluations",
        ("WHAT", "the folder of a run, even one that is still training; the folder or name of a "
         "checkpoint; a JSON file written by tournament or evaluate; the folder of a benchmark"),
        ["report runs/diddly", "report runs/diddly diddly_2p tournament.json --out page.html"],
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, metavar="FILE.html",
        help="the page (default: report.html; for a single run, in the run's folder)",
    )  # fmt: skip
    arguments.add_module_option(parser)


def _report(args: argparse.Namespace) -> None:
    if not args.words:
        raise ValueError("give the folder of a run, a checkpoint, or a tournament's JSON file")
    from kitchentable_training.report.page import write_report  # noqa: PLC0415

    arguments.say(f"The report: {write_report(*args.words, out=args.out)}")


# --- evaluate, tournament -------------------------------------------------------------------------


def _add_measuring(parser: argparse.ArgumentParser, deals: int) -> None:
    arguments.add_game_option(parser)
    arguments.add_module_option(parser)
    parser.add_argument(
        "--deals", type=int, default=deals, metavar="N",
        help="number of deals; each is played from every seat in turn, or once by a team "
        "(default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=arguments.seed, default=int(Deals.REPORT), metavar="S",
        help="seed of the deals (default: %(default)s, the report deals, by which nothing is "
        "chosen)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="write the results")
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="plot the results")
    arguments.add_ray_option(parser)


def _add_evaluate(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "evaluate", _evaluate,
        "evaluate a player on duplicate deals against others, or compare a team with other teams",
        ("PLAYER | param=value", f"{arguments.players_help()}; and parameters of the game"),
        ["evaluate runs/diddly/final --deals 10000 --plot wins.png",
         "evaluate expert --game diddly --against random,greedy cards=9 num_players=3"],
    )  # fmt: skip
    parser.add_argument(
        "--against", metavar="A,B,C",
        help="opponents, or other teams (default: all scripted players)",
    )  # fmt: skip
    parser.add_argument(
        "--with", dest="mates", metavar="A,B,C",
        help="teammates in a cooperative game; the player takes each seat in turn",
    )  # fmt: skip
    _add_measuring(parser, 1000)
    arguments.add_sample_option(parser)


def _evaluate(args: argparse.Namespace) -> None:
    from kitchentable_training.evaluate.duplicate import measure  # noqa: PLC0415

    specs, settings = arguments.split_words(args.words)
    if len(specs) != 1:
        raise ValueError(f"give one player{_given(specs)}")
    if args.deals < 1:
        raise ValueError(f"--deals {args.deals} is not possible; choose at least 1")
    against = arguments.read_names("--against", args.against)
    mates, given = arguments.read_names("--with", args.mates), arguments.read_params(settings)
    _check_cluster(args.ray, [*specs, *against, *mates])
    game, params = arguments.choose_table(args.game, [*specs, *against, *mates], given)
    player = by_name.make_player(specs[0], game, params)
    opponents = by_name.make_players(against or game.players.scripted, game, params, seed=1)
    teammates = by_name.make_players(mates, game, params, seed=1)
    participants = [player, *opponents, *teammates]
    for participant in participants:
        by_name.set_sampling(participant, args.sample)
    options: dict[str, Any] = {"teammates": teammates, "seed": args.seed, "cluster": args.ray}
    _check_outputs(args)
    results = measure(player, opponents, game, params, args.deals, **options)
    results |= {"sampled": True} if args.sample else {}
    results |= usages(participants)
    _keep(results, args)
    _print_results(results)
    _say_usages(results)
    if any(hasattr(participant, "deterministic") for participant in participants):
        arguments.say(f"\nTrained players {by_name.PLAY[args.sample]}.")


def _check_outputs(args: argparse.Namespace) -> None:
    """Check that the results can be written to the files that were asked for."""
    if args.plot:
        files.check_ending("--plot", args.plot, ".png")
    files.check_writable(args.out, args.plot)


def _keep(results: Mapping[str, Any], args: argparse.Namespace) -> None:
    """Write results to the files that were asked for."""
    if args.out:
        files.write_json(args.out, results)
    if args.plot:
        from kitchentable_training.report.page import plot_results  # noqa: PLC0415

        plot_results(results, args.plot)


def _print_results(results: Mapping[str, Any]) -> None:
    from kitchentable_training.evaluate.formatting import describe_table, result_table  # noqa: PLC0415

    table = describe_table(results["game"], results["version"], results["params"])
    arguments.say(f"{results['player']} at {table}, {describe_deals(results['deal_seed'])}:\n")
    arguments.say(result_table(results))


def _add_tournament(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "tournament", _tournament,
        "rate players by a round robin on the same deals, or compare teams",
        ("PLAYER | param=value", f"{arguments.players_help()}; and parameters of the game"),
        ["tournament random greedy expert --deals 2000 --plot tournament.png",
         "tournament expert diddly_2p runs/diddly --deals 1000 --out tournament.json"],
    )  # fmt: skip
    _add_measuring(parser, 500)


def _tournament(args: argparse.Namespace) -> None:
    from kitchentable_training.evaluate.tournament import round_robin, tournament_table  # noqa: PLC0415

    specs, settings = arguments.split_words(args.words)
    _check_cluster(args.ray, specs)
    game, params = arguments.choose_table(args.game, specs, arguments.read_params(settings))
    players = by_name.make_players(specs, game, params)
    options: dict[str, Any] = {"seed": args.seed, "cluster": args.ray}
    options["progress"] = lambda text: sys.stderr.write(text + "\n")
    _check_outputs(args)
    results = round_robin(players, game, params, args.deals, **options) | usages(players)
    _keep(results, args)
    arguments.say(tournament_table(results))
    _say_usages(results)


def _check_cluster(address: str | None, specs: Sequence[str]) -> None:
    """Refuse language models on a cluster: their requests are limited and counted in one process.

    Raises:
        ValueError: there is a cluster and a language model.
    """
    if address is not None and any(map(is_llm, specs)):
        raise ValueError("--ray is not possible with llm: players; leave it out")


def _say_usages(results: Mapping[str, Any]) -> None:
    """Print what the language models among the players have been asked."""
    for usage in results.get("usage", {}).values():
        arguments.say(f"\n{usage}")


# --- watch, play ----------------------------------------------------------------------------------


def _add_watch(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "watch", _watch,
        "watch a game in the terminal, or write it as an animation",
        ("PLAYER | param=value", f"one for all seats or one each: {arguments.players_help()}; and "
         "parameters of the game"),
        ["watch greedy expert --step rounds=1",
         "watch --replay game.json --mp4 game.mp4 --svg game.svg --frame-seconds 2"],
    )  # fmt: skip
    arguments.add_game_option(parser)
    arguments.add_module_option(parser)
    parser.add_argument("--seed", type=arguments.seed, help="seed of the deal (default: random)")
    parser.add_argument(
        "--view", default="mover", metavar="WHO",
        help="whose cards are shown: mover (the player to act), all, or player_0 ... "
        "(default: mover)",
    )  # fmt: skip
    parser.add_argument("--step", action="store_true", help="wait for Enter after each decision")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="show a saved game")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the game")
    for form, description in (
        ("gif", "an animated GIF"),
        ("mp4", "a video"),
        ("svg", "an animated SVG"),
    ):
        parser.add_argument(
            f"--{form}", type=Path, metavar=f"FILE.{form}", help=f"write {description}"
        )
    parser.add_argument("--tall", action="store_true", help="draw in portrait format, for phones")
    parser.add_argument(
        "--frame-seconds", type=float, default=1.0, metavar="S",
        help="seconds per frame (default: %(default)s)",
    )  # fmt: skip


def _watch(args: argparse.Namespace) -> None:
    from kitchentable_training.cli.watch import watch  # noqa: PLC0415
    from kitchentable_training.film.films import FORMATS, write_films  # noqa: PLC0415

    films = {form: getattr(args, form) for form in FORMATS if getattr(args, form) is not None}
    if films and args.step:
        raise ValueError("--step waits in the terminal; it does not go with --gif, --mp4 or --svg")
    if args.tall and not films:
        raise ValueError("--tall is for drawings; give --gif, --mp4 or --svg too")
    files.check_writable(args.save, *films.values())
    session, names, moves = _game_to_watch(args)
    if films:
        count = write_films(
            session, moves, films, view=args.view, seconds=args.frame_seconds, tall=args.tall
        )
        for file in films.values():
            arguments.say(f"{file}: {count} pictures")
    else:
        watch(
            session, moves, names, arguments.say, view=args.view, ask=input if args.step else None
        )
    if args.save:
        session.save(args.save, names)


def _game_to_watch(args: argparse.Namespace) -> tuple[Session, Sequence[str], Iterator[Move]]:
    """Return a game, the names of its players, and its decisions, saved or yet to be made."""
    specs, settings = arguments.split_words(args.words)
    if args.replay:
        if args.words or args.game or args.seed is not None:
            raise ValueError("--replay shows the game in the file; give no players or parameters")
        saved = read_saved(args.replay)
        session = Session.of(saved)
        names = names_by_seat(saved, session.batch.num_players)
        return session, names, replayed(session, saved.actions)
    if not specs:
        raise ValueError("name one player for all seats, or one for each; or --replay FILE")
    given = arguments.read_params(settings)
    if len(specs) > 1:
        given = {"num_players": len(specs), **given}
    game, params = arguments.choose_table(args.game, specs, given)
    seats = arguments.seat_players(specs, params.num_players)
    players = by_name.make_players(seats, game, params, args.seed or 0)
    session = Session(game, params, args.seed)
    return session, [player.name for player in players], played(session, players)


def _add_play(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "play", _play,
        "play in the terminal, against players or with them as a team",
        ("PLAYER | param=value", f"one for all other seats (default: the strongest scripted one) "
         f"or one each: {arguments.players_help()}; and parameters of the game"),
        ["play expert", "play greedy expert --seat 1 --game diddly cards=9 rounds=1"],
    )  # fmt: skip
    arguments.add_game_option(parser)
    arguments.add_module_option(parser)
    parser.add_argument("--seat", type=int, default=0, help="your seat (default: %(default)s)")
    parser.add_argument("--seed", type=arguments.seed, help="seed of the deal (default: random)")


def _play(args: argparse.Namespace) -> None:
    from kitchentable_training.cli.play import play  # noqa: PLC0415

    specs, settings = arguments.split_words(args.words)
    given = arguments.read_params(settings)
    if len(specs) > 1:
        given = {"num_players": len(specs) + 1, **given}
    game, params = arguments.choose_table(args.game, specs, given)
    if args.seat not in range(params.num_players):
        raise ValueError(
            f"--seat {args.seat} is not possible; choose 0 to {params.num_players - 1}"
        )
    if specs and params.num_players == 1:
        raise ValueError(
            f"{game.title} is a game for one player; leave out the opponents, and give "
            f"--game {game.name}"
        )
    strongest = list(game.players.scripted)[-1]
    others = arguments.seat_players(specs or [strongest], params.num_players - 1)
    players: list[Any] = list(by_name.make_players(others, game, params, args.seed or 0))
    players.insert(args.seat, None)
    play(Session(game, params, args.seed), players, input, arguments.say, seat=args.seat)


# --- rules --------------------------------------------------------------------------------------


def _add_rules(commands: Any) -> None:
    arguments.add_command(
        commands, "rules", _rules,
        "print the rules of a game, with the numbers of its parameters",
        ("GAME | param=value", "the game, and its parameters"),
        ["rules diddly", "rules quiddler num_players=4 challenges=true"],
    )  # fmt: skip


def _rules(args: argparse.Namespace) -> None:
    names, settings = arguments.split_words(args.words)
    if len(names) != 1:
        raise ValueError(f"name one game: {', '.join(all_games())}")
    game = find_game(names[0])
    arguments.say(Rulebook(game, game.make_params(**arguments.read_params(settings))).text())


# --- serve ----------------------------------------------------------------------------------------


def _add_serve(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "serve", _serve,
        "serve the browser page: play, watch, replay, read results",
        ("", ""),
        ["serve --browser", "serve --port 9000 --runs-folder runs --tables-folder tables"],
    )  # fmt: skip
    parser.add_argument(
        "--host", default="127.0.0.1",
        help="address to listen on (default: %(default)s, which only this machine can reach)",
    )  # fmt: skip
    parser.add_argument(
        "--port", type=int, default=PORT, help="port; 0 chooses a free one (default: %(default)s)"
    )
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME",
        help="another host name by which browsers may reach the server; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--tables-folder", type=Path, default=Path("tables"), metavar="FOLDER",
        help="folder for games, which continue after a restart (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--runs-folder", type=Path, default=Path("runs"), metavar="FOLDER",
        help="folder with runs, whose players can be opponents, and results "
        "(default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--most-tables", type=int, default=256, metavar="N",
        help="maximum number of tables; above it, finished ones are closed (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--player", dest="players", action="append", default=[], metavar="PLAYER",
        help="a player of your own, FILE.py:FUNCTION, or a language model, llm:model=NAME:url=URL, "
        "which the page then offers; can be repeated",
    )  # fmt: skip
    parser.add_argument("--browser", action="store_true", help="open the page in a browser")
    arguments.add_module_option(parser)


def _serve(args: argparse.Namespace) -> None:
    from kitchentable_training.web.serve import serve  # noqa: PLC0415 (an extra)

    if args.words:
        raise ValueError(f"serve takes options only, not {args.words[0]!r}")
    if args.most_tables < 1:
        raise ValueError(f"--most-tables {args.most_tables} is not possible; choose at least 1")
    serve(
        args.host,
        args.port,
        args.tables_folder,
        args.runs_folder,
        arguments.say,
        allow_hosts=args.allow_host,
        most_tables=args.most_tables,
        players=args.players,
        browse=args.browser,
    )


# --- bench ----------------------------------------------------------------------------------------


def _add_bench(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "bench", _bench,
        "measure the speed of a game on this machine, in decisions per second",
        ("param=value", "parameters of the game"),
        ["bench", "bench --game diddly cards=9 num_players=4 --threads 2"],
    )  # fmt: skip
    arguments.add_game_option(parser)
    parser.add_argument(
        "--seconds", type=float, default=0.5, help="length of a run (default: %(default)s)"
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=5,
        help="number of runs; the median is reported (default: %(default)s)",
    )
    parser.add_argument(
        "--threads", type=int, default=1, help="threads for large batches (default: %(default)s)"
    )


def _bench(args: argparse.Namespace) -> None:
    from kitchentable_training.cli.bench import measure, speed_table  # noqa: PLC0415
    from kitchentable_training.evaluate.formatting import describe_table  # noqa: PLC0415

    names, settings = arguments.split_words(args.words)
    if names:
        raise ValueError(f"bench takes parameters of the game only, not {names[0]!r}")
    game, params = arguments.choose_table(args.game, (), arguments.read_params(settings))
    options = {"seconds": args.seconds, "runs": args.runs, "threads": args.threads}
    speeds = measure(game, **options, **params.as_dict())
    arguments.say(
        f"{describe_table(game.name, game.version, params.plain())}, random legal play:\n"
    )
    arguments.say(speed_table(speeds))


# --- compile --------------------------------------------------------------------------------------


def _add_compile(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "compile", _compile,
        "compile games in advance, into ~/.cache/kitchentable or NUMBA_CACHE_DIR/kitchentable",
        ("GAME", f"one or more of {', '.join(all_games())} (default: all)"),
        ["compile", "compile diddly fiddlefoo --jobs 2 --parallel"],
    )  # fmt: skip
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N",
        help="number of processes (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--parallel", action="store_true", help="also for batches that use several threads"
    )
    parser.add_argument("--no-players", action="store_true", help="do not compile scripted players")


def _compile(args: argparse.Namespace) -> None:
    from kitchentable_training.cli.compile import compile_games  # noqa: PLC0415

    if args.jobs < 1:
        raise ValueError(f"--jobs {args.jobs} is not possible; choose 1 or more")
    games = [find_game(name).name for name in args.words] or list(all_games())
    start = time.monotonic()
    compile_games(games, jobs=args.jobs, players=not args.no_players, parallel=args.parallel)
    arguments.say(f"{', '.join(games)}: compiled, in {time.monotonic() - start:.0f} s")


# --- exploit, reproduce ---------------------------------------------------------------------------


def _add_exploit(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "exploit", _exploit,
        "train a best response to a fixed player, and report its gain",
        ("PLAYER | LEARNER | key=value", "the fixed player: a checkpoint by folder or name, or "
         "your own, as in my_player.py:function; the checkpoint that the learner starts as "
         "(default: the fixed player), or a settings file; and settings that override these"),
        ["exploit runs/diddly steps=2_000_000 --run beats_diddly",
         "exploit --exact diddly random cfr+:100 cards=2 rounds=1 turn_limit=1 "
         "reward=margin copies='{\"1\": 3, \"5\": 3, \"D\": 1}'"],
    )  # fmt: skip
    parser.add_argument(
        "--exact", metavar="TABLE",
        help="compute exact best responses instead, at a small table of the benchmark or of any "
        "game; then the arguments are players, or cfr+:N, tabular CFR+ after N "
        "iterations (also cfr, dcfr, pcfr+, mmd, external_sampling, outcome_sampling), and "
        "parameters of the game",
    )  # fmt: skip
    parser.add_argument(
        "--draws", type=int, default=DRAWS, metavar="N",
        help="with --exact: actions asked for in every information set to estimate the "
        "probabilities of a player that does not report them, a multiple of 10 (default: "
        "%(default)s)",
    )  # fmt: skip
    arguments.add_sample_option(parser, "with --exact: ")
    arguments.add_run_options(parser, "exploit_PLAYER")


def _exploit(args: argparse.Namespace) -> None:
    if args.exact is not None:
        from kitchentable_training.benchmark.exact_table import exact_table  # noqa: PLC0415

        why = "is for training; with --exact, the best response is computed"
        arguments.refuse(args, why, run=None, runs_folder=by_name.RUNS, minutes=None)
        words, parameters = arguments.split_words(args.words)
        options = {"draws": args.draws, "sample": args.sample}
        arguments.say(exact_table(args.exact, words, arguments.read_params(parameters), **options))
        return
    why = (
        "is for --exact; a best response learns against a player that plays its most probable "
        "action"
    )
    arguments.refuse(args, why, sample=False, draws=DRAWS)
    from kitchentable_training.runs.best_response import exploit, exploit_settings, exploit_table  # noqa: PLC0415
    from kitchentable_training.runs.processes import Processes  # noqa: PLC0415

    names, overrides = arguments.split_words(args.words)
    if not 1 <= len(names) <= 2:
        raise ValueError(f"give one player and at most one learner{_given(names)}")
    path = Path(names[0])
    name = path.parent.name if path.name == files.FINAL else path.name
    name = names[0].rpartition(":")[2] if by_name.is_own(names[0]) else name
    settings = exploit_settings(names[0], names[1] if len(names) == 2 else None, overrides)
    folder = arguments.run_folder(args, f"exploit_{name}")
    is_first = Processes().is_first  # only the first one prints
    try:
        result = exploit(settings, folder, arguments.seconds_of(args))
    except KeyboardInterrupt:
        if is_first:
            arguments.say_left(folder, "Stopped")
        raise
    if not is_first:
        return
    if result is None:
        arguments.say_left(folder, arguments.time_is_up(args))
    else:
        arguments.say(exploit_table(result))


def _add_reproduce(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "reproduce", _reproduce,
        "train a shipped player again, and compare it with its card",
        ("PLAYER | GAME", "the name of a player, or of a game for all its players"),
        ["reproduce diddly_2p", "reproduce fiddlefoo"],
    )  # fmt: skip
    parser.set_defaults(when_stopped=arguments.GOES_ON)


def _reproduce(args: argparse.Namespace) -> None:
    from kitchentable_training.runs.reproduce import (  # noqa: PLC0415
        plan_for,
        players_to_reproduce,
        reproduce,
        reproduction_table,
    )

    if not args.words:
        raise ValueError("name a shipped player or a game")
    names = [name for word in args.words for name in players_to_reproduce(word)]
    for name in names:
        plan_for(name)  # raises an error before hours of training
    for name in names:
        result = reproduce(name)
        if result is not None:
            arguments.say(reproduction_table(result))


def _add_configs(commands: Any) -> None:
    parser = arguments.add_command(
        commands, "configs", _configs,
        "list the shipped settings, or copy some of them to edit",
        ("NAME", "settings to copy (default: list all)"),
        ["configs", "configs diddly fiddlefoo --to mine"],
    )  # fmt: skip
    parser.add_argument(
        "--to", type=Path, default=Path(), metavar="FOLDER",
        help="folder for the copies (default: the current one)",
    )  # fmt: skip


def _configs(args: argparse.Namespace) -> None:
    if not args.words:
        names = shipped_configs()
        width = max(map(len, names))
        for name in names:
            arguments.say(f"{name:{width}} {_first_sentence(find_config(name))}")
    copies = {find_config(name): args.to / f"{name}.yaml" for name in args.words}
    for copy in copies.values():
        if copy.exists():
            raise ValueError(f"{copy} is there already; move it away, or choose another --to")
    for config, copy in copies.items():
        files.write_text(copy, config.read_text(encoding="utf-8"))
        arguments.say(f"{copy}")


def _first_sentence(config: Path) -> str:
    """Return the first sentence of the comment at the beginning of a settings file."""
    lines = takewhile(
        lambda line: line.startswith("# "), config.read_text(encoding="utf-8").splitlines()
    )
    comment = " ".join(line.removeprefix("# ") for line in lines)
    return comment.partition(". ")[0].removesuffix(".") + "."


COMMANDS = (
    _add_train, _add_configs, _add_evaluate, _add_tournament, _add_watch, _add_play, _add_rules,
    _add_serve, _add_bench, _add_compile, _add_report, _add_exploit, _add_reproduce, add_benchmark,
)  # fmt: skip
"""The commands in the order of ``--help``."""
