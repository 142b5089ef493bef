"""Lower bounds of the exploitability of a player, by an approximate best response.

The exploitability of a player is the payoff of a best response against it, minus the payoff of the
player against itself, which is 0 in these games. Exact best responses cannot be computed for games
of this size, but the gain of any opponent is a lower bound. Three opponents are measured on the
report deals, each played from every seat:

- A learner whose only opponents are copies of the frozen player (Timbers et al., "Approximate
  exploitability: learning a best response", 2022). It starts as a copy of the player, with a gain
  of 0, and uses the self-play algorithm with the league at all tables. From random weights most of
  the time would be spent on learning the game; only against action values and mixtures, which are
  no policy of one network, it starts from them.
- The strongest scripted player.
- A tree search with the frozen player's own network, which thus models its opponents well.

The frozen player always plays its most probable action, as in evaluations and tournaments. In
training it uses the same precision as the learner.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from scipy import stats

from kitchentable import Game, find_game
from kitchentable.core.parameters import TableParams
from kitchentable.core.rewards import POINTS_PER_UNIT
from kitchentable.players.scripted import Player
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.duplicate import figures, play_duplicate
from kitchentable_training.evaluate.formatting import DECIDED, markdown_table, number, rate, ties
from kitchentable_training.files import EXPLOIT, read_json, write_json
from kitchentable_training.players import by_name
from kitchentable_training.players.checkpoint import (
    check_card,
    read_card,
    why_no_search,
    why_no_start,
)
from kitchentable_training.players.own import OwnEvaluator, find_own
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import RunSettings, load_settings
from kitchentable_training.shipped import shipped_runs

BEST_RESPONSE: dict[str, Any] = {
    "steps": 20_000_000,
    "num_envs": 1024,
    "algorithm": "ppo",
    "training": {
        "league": 1.0,
        "bfloat16": True,
        "normalize_advantage": True,
        "n_epochs": 1,
        "learning_rate": 0.0001,
        "gae_lambda": 0.8,
        "ent_coef": 0.001,
        "final_ent_coef": 0.0,
    },
    "carry_over": False,
    "behavior_cloning": None,
    "evaluation.every": 1_000_000,
}
"""Settings of the learner, the same for every player, so that gains can be compared. All other
settings, such as the network and the episode, are those of the frozen player. The learning rate and
the entropy bonus are low because the learner starts where another run has ended."""
FROM_RANDOM: dict[str, Any] = {
    "start": None,
    "training": BEST_RESPONSE["training"]
    | {"learning_rate": 0.0005, "ent_coef": 0.04, "final_ent_coef": 0.005},
    "network.best_row": False,
}
"""What differs where it starts from random weights, as the self-play of `diddly_selfplay` does."""
SET_HERE = ("opponents", "evaluation.opponents")
"""Settings that define a best response and cannot be overridden."""
SEARCH_ROLLOUTS, SEARCH_DEALS = 100, 200
"""The tree search's rollouts per decision and its maximum number of deals, because it is slow."""


def exploit_settings(
    player: str, source: str | Path | None = None, overrides: Sequence[str] = ()
) -> RunSettings:
    """Return the settings of a run that learns a best response.

    Args:
        player: the frozen player: a checkpoint's folder or name, or the place of an own player.
        source: the checkpoint that the learner starts as, if not as the frozen player, which an
            own player needs; or a settings file to use instead of `BEST_RESPONSE`. Opponents in it
            are ignored. None for a frozen player that no policy can start as (`why_no_start`):
            the learner starts from random weights.
        overrides: ``key=value`` strings, as for `load_settings`.

    Raises:
        ValueError: there is no such checkpoint, its game has no opponents, or the settings are
            invalid or for another table.
    """
    own = by_name.is_own(player)
    if own and source is None:
        raise ValueError(
            f"{player} has no weights that a learner could start as; name a checkpoint or a "
            "settings file after it"
        )
    learner = str(source or player)
    card = None if own else read_card(by_name.checkpoint_named(player))
    about = load_settings(learner).model_dump() if card is None else card
    game = find_game(about["game"])
    _check_rivals(game, game.make_params(**about["params"]))
    for override in overrides:
        if override.startswith(SET_HERE):
            raise ValueError(f"{override!r}: the only opponent of a best response is {player}")
    strongest = list(game.players.scripted)[-1]
    starts = learner not in shipped_runs() and by_name.find_checkpoint(learner) is not None
    opponents = {"scripted": {}, "trained": {player: 1}, "past_selves": 0}
    opponents |= {"past_every": 1_000_000, "past_kept": 1}
    only = _as_overrides({"opponents": opponents, "evaluation.opponents": [player, strongest]})
    defaults = []
    if starts:
        from_random = source is None and card is not None and bool(why_no_start(card, "logits"))
        defaults = _defaults(learner, only, from_random=from_random)
    settings = load_settings(learner, [*defaults, *overrides, *only])
    if card is not None:
        here = find_game(settings.game)
        check_card(card, here, here.make_params(**settings.params))
    return settings


def _check_rivals(game: Game, params: TableParams) -> None:
    if params.num_players == 1:
        raise ValueError(f"{game.title} is a game for one player: there is no best response")
    if game.is_team(params):
        raise ValueError(f"this table of {game.name} is cooperative: there is no best response")


def _defaults(start: str, only: Sequence[str], *, from_random: bool) -> list[str]:
    """Return `BEST_RESPONSE` as overrides, with the weights of a checkpoint and another seed."""
    weights = FROM_RANDOM if from_random else {"start": start}
    defaults = _as_overrides(BEST_RESPONSE | weights)
    if read_card(by_name.checkpoint_named(start))["network"].get("tables"):
        defaults += _as_overrides({"network.tables": [], "carry_over": True})
    return [*defaults, f"seed={load_settings(start, [*defaults, *only]).seed + 1}"]


def _as_overrides(settings: Mapping[str, Any]) -> list[str]:
    return [f"{key}={json.dumps(value)}" for key, value in settings.items()]


def exploit(
    settings: RunSettings,
    folder: Path,
    seconds: float | None = None,
    *,
    others: Mapping[str, Any] | None = None,
) -> dict[str, Any] | None:
    """Learn a best response, or resume learning it, and measure its gain.

    It is measured on as many of the report deals as the run is evaluated on at its end.

    Args:
        settings: made by `exploit_settings`.
        folder: the folder of the run; the result is also written there, as ``exploit.json``.
        seconds: a time limit for the training, which can be resumed later.
        others: the gains of the other opponents against the frozen player on these deals, if an
            earlier result contains them.

    Returns:
        None if the time limit was reached first, or if this is not the first of several processes;
        otherwise the result: that of `measure_gains`, and the length of the training.

    Raises:
        ValueError: the folder contains a run with other settings, or a result for other weights.
    """
    (spec,) = settings.opponents.trained
    before = _result_before(folder / EXPLOIT, spec)
    run = Run(settings, folder)
    final = run.train(seconds)
    if final is None or before is not None or not run.processes.is_first:
        return before
    name, deals = f"{folder.name} (best response)", settings.evaluation.final_deals
    card = read_card(final)
    learned = {key: card[key] for key in ("steps", "seconds")}
    result = measure_gains(spec, final, name, deals, others=others) | learned
    write_json(folder / EXPLOIT, result)
    return result


def measure_gains(
    player: str, answer: Path, name: str, deals: int, *, others: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Measure what a best response and other opponents gain against a frozen player.

    Args:
        player: the frozen player: a checkpoint's folder or name, or the place of an own player.
        answer: the folder of the best response's checkpoint.
        name: the best response's name in the result.
        deals: the number of report deals.
        others: the gains of the other opponents on these deals, if they are known.

    Returns:
        The exploited player, and what was played; under ``"itself"`` the frozen player's result
        against copies of itself; under ``"opponents"``, by name, the results against it of the best
        response, of the strongest scripted player and, if the frozen player's network supports a
        search, of the tree search, with 95% intervals; and ``"at_least"``, see `surely_lost`. Gains
        are points per game above the mean of the others, negated where low points win.
    """
    played = read_card(answer)["params"]
    game = find_game(read_card(answer)["game"])
    # `margin` pays by points, whether high or low points win.
    params = game.make_params(**played | {"reward": "margin"})
    frozen = by_name.make_player(player, game, params)
    best = by_name.make_player(str(answer), game, params)
    gains = {name: _gain(best, frozen, game, params, deals)}
    gains |= others or _gains_of_others(player, frozen, game, params, deals)
    return {
        "player": frozen.name,
        "weights": by_name.identity_of(player),
        "game": game.name,
        "version": game.version,
        "params": played,
        "deal_seed": int(Deals.REPORT),
        "deals": deals,
        "itself": {"win_rate": 1.0 / params.num_players, "gain": 0.0},
        "opponents": gains,
        "at_least": surely_lost(gains.values()),
    }


def surely_lost(gains: Collection[Mapping[str, Any]]) -> float:
    """Return the largest lower end of the gains of several opponents, or 0, with 95% confidence.

    Taken from 95% intervals it would be too high more often than that. So the intervals are widened
    to 1 - 0.05 / number (Bonferroni), which Student's t allows without the payoffs.
    """

    def lower_end(gain: Mapping[str, Any]) -> float:
        usual, wide = (
            stats.t.ppf(1 - 0.025 / number, gain["deals"] - 1) for number in (1, len(gains))
        )
        return float(gain["gain"] - (gain["gain"] - gain["gain_interval"][0]) * wide / usual)

    return max(0.0, *map(lower_end, gains))


def search_with(player: str, game: Game, params: Any) -> Player | None:
    """Return a tree search with a frozen player's own network.

    Returns:
        None if there is no value, or none that is suitable for a search.

    Raises:
        ValueError: there is no such checkpoint, or it was made for another game or table.
    """
    if by_name.is_own(player):
        if not isinstance(find_own(player).player(game, params), OwnEvaluator):
            return None
    elif why_no_search(read_card(by_name.checkpoint_named(player))):
        return None
    spec = f"search:value={player}:rollouts={SEARCH_ROLLOUTS}"
    return by_name.make_player(spec, game, params, seed=1)


def _result_before(path: Path, player: str) -> dict[str, Any] | None:
    """Return the earlier result of the run, or None."""
    if not path.exists():
        return None
    result = read_json(path)
    if result.get("weights") != by_name.identity_of(player):
        raise ValueError(
            f"{path} was made with other weights or another source of {player}; give another --run"
        )
    return result


def _gains_of_others(
    spec: str, frozen: Player, game: Game, params: Any, deals: int
) -> dict[str, Any]:
    """Measure what the strongest scripted player and the search gain against the frozen player."""
    scripted = by_name.make_player(list(game.players.scripted)[-1], game, params, seed=1)
    gains = {scripted.name: _gain(scripted, frozen, game, params, deals)}
    if (search := search_with(spec, game, params)) is not None:
        fewer = min(deals, SEARCH_DEALS)
        gains[search.name] = _gain(search, frozen, game, params, fewer)
    return gains


def _gain(player: Player, frozen: Player, game: Game, params: Any, deals: int) -> dict[str, Any]:
    """Measure a player against copies of the frozen one; payoffs are by `margin`."""
    measured = figures(play_duplicate(player, frozen, game, params, deals, seed=Deals.REPORT))
    keys = ("win_rate", "win_rate_interval", "games", "decided", "deals", "truncated")
    kept = {key: measured[key] for key in keys}
    gains = [POINTS_PER_UNIT * value for value in measured["payoff_interval"]]
    return {**kept, "gain": POINTS_PER_UNIT * measured["payoff"], "gain_interval": gains}


def exploit_table(result: Mapping[str, Any]) -> str:
    """Return a result as a Markdown table, followed by a sentence that says what it means."""
    itself = result["itself"]
    rows = [["itself", f"{100 * itself['win_rate']:.1f}%", "", f"{itself['gain']:+.1f}"]]
    rows += [
        [
            name,
            rate(gain["win_rate"], gain["win_rate_interval"]),
            ties(gain),
            number(gain["gain"], gain["gain_interval"]),
        ]
        for name, gain in result["opponents"].items()
    ]
    player = result["player"]
    header = [f"against {player}", "win rate (95% interval)", "ties", "points gained per game"]
    if result["at_least"] > 0:
        meaning = f"{player} can be exploited by {result['at_least']:.1f} points per game or more."
    else:
        meaning = f"Nobody here gained anything against {player}; others still might."
    played = f"Trained players {by_name.PLAY[False]}."
    note = f"{DECIDED} A gain is good for who plays."
    return f"{markdown_table(header, rows)}\n\n{note}\n\n{meaning} {played}"
