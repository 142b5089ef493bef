"""The data of tables for a browser, without anything that its person may not know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kitchentable import Game, all_games, find_game
from kitchentable.core.parameters import ParamInfo
from kitchentable.core.state import ALL_SEEING
from kitchentable.render.phrases import count
from kitchentable.render.voice import Voice
from kitchentable_training.evaluate.formatting import in_short, rate, value_in_words
from kitchentable_training.files import CARD, DamagedError, reading
from kitchentable_training.session import Session
from kitchentable_training.shipped import shipped_players
from kitchentable_training.web.names import voice_for
from kitchentable_training.web.seats import (
    ME,
    MOST_ROLLOUTS,
    MOST_SECONDS,
    OPEN,
    PEOPLE,
    PlayerPool,
)
from kitchentable_training.web.table import Table

YOU, SOMEBODY, FREE = "you", "somebody else", "open seat"

Json = dict[str, Any]


# --- Choices for a new game -----------------------------------------------------------------------


def choices(pool: PlayerPool) -> Json:
    """Return the games, their parameters and players, for the form of a new game."""
    return {
        "games": [_game(find_game(name)) for name in all_games()],
        "checkpoints": _checkpoints(pool),
        "own": list(pool.own),
        "limits": {"rollouts": MOST_ROLLOUTS, "seconds": MOST_SECONDS},
    }


def _game(game: Game) -> Json:
    defaults = game.make_params().plain()
    params = [_param(name, info, defaults[name]) for name, info in _infos(game).items()]
    return {
        "name": game.name,
        "title": game.title,
        "about": game.about,
        "params": params,
        "scripted": list(game.players.scripted),
        "search_wins": game.players.search_wins,
    }


def _infos(game: Game) -> dict[str, ParamInfo]:
    """Return what the lobby offers of each parameter; a game that says nothing has its seats."""
    seats = ParamInfo("seats", values=(game.make_params().num_players,))
    return {"num_players": seats, **game.render.param_infos}


def _param(name: str, info: ParamInfo, default: object) -> Json:
    low, high = info.span or (None, None)
    values = [list(v) if isinstance(v, tuple) else v for v in info.values]
    return {
        "name": name, "label": info.label, "about": info.about,
        "values": values or None, "words": [value_in_words(value, info) for value in values],
        "low": low, "high": high, "default": default,
    }  # fmt: skip


def _checkpoints(pool: PlayerPool) -> list[Json]:
    checkpoints = []
    for name, folder in pool.checkpoints().items():
        try:
            with reading(folder / CARD):
                checkpoints.append(_checkpoint(name, folder))
        except DamagedError:
            continue  # the results page shows what is wrong with it
    return checkpoints


def _checkpoint(name: str, folder: Path) -> Json:
    from kitchentable_training.players.checkpoint import (  # noqa: PLC0415 (torch)
        read_card,
        why_no_search,
    )

    card = read_card(folder)
    game = find_game(card["game"])
    here = {"params": card["params"], "results": card.get("results", {})}
    measured = [here, *card.get("results_elsewhere", [])]
    variants = [game.make_params(**table["params"]) for table in measured]
    return {
        "name": name,
        "game": game.name,
        "tables": [
            {
                "params": {param: params.plain()[param] for param in _infos(game)},
                "beats_scripted": _beats_scripted(game, params, table["results"]),
                "strength": _strength(game, params, table["results"]),
            }
            for params, table in zip(variants, measured, strict=True)
        ],
        "about": f"{game.title}, {in_short(game, variants[0].plain())}{also_at(len(variants) - 1)}",
        "searches": not why_no_search(card),
        "shipped": name in shipped_players(),
    }


def _beats_scripted(game: Game, params: Any, results: Json) -> bool:
    """Return whether a trained player wins more than its share against the strongest scripted one.

    For teams, it must win more of the same deals than the scripted team.
    """
    figures = results.get(list(game.players.scripted)[-1])
    if not figures:
        return False
    if game.is_team(params):
        return bool(figures["win_rate_difference_interval"][0] > 0)
    interval = figures["win_rate_interval"]  # None if no game was decided
    return interval is not None and bool(interval[0] > 1 / params.num_players)


def _strength(game: Game, params: Any, results: Json) -> str:
    """Return how often a trained player wins against the strongest scripted one, for people."""
    script = list(game.players.scripted)[-1]
    figures = results.get(script)
    if not figures or not figures["decided"]:
        return ""
    wins = f"wins {rate(figures['win_rate'], figures['win_rate_interval'])} of "
    if game.is_team(params):
        others = rate(figures["opponents_win_rate"], figures["opponents_win_rate_interval"])
        return f"{wins}games; {script} wins {others} with the same cards"
    wins += "decided games"
    if params.num_players == 2:
        return f"{wins} against {script}"
    even = f"{100 / params.num_players:.3g}%"
    return f"{wins} with {script} in the other seats; {even} would be even"


def also_at(others: int) -> str:
    """Return ``; also 2 other tables``, or nothing where there are none."""
    return f"; also {count(others, 'other table')}" if others > 0 else ""


# --- Tables ---------------------------------------------------------------------------------------


def table_row(table: Table, person: str) -> Json:
    """Return the data of a table for the list of all tables."""
    return {
        **_about(table, person),
        "seats": [seat["name"] for seat in _seats(table, person)],
        "mine": table.seat_of(person) is not None,
        "open": table.open_seats(),
        "created": table.record.created,
    }


def described(table: Table, pool: PlayerPool, person: str, since: int) -> Json:
    """Return the data of a table, and its decisions from number ``since`` on."""
    retrained = table.retrained(pool)
    with table.lock:
        session = table.session()
        return {
            **_about(table, person),
            "params": {name: table.record.saved.params[name] for name in _infos(table.game)},
            "seats": _seats(table, person),
            "retrained": retrained,
            "my_seat": table.seat_of(person),
            "my_name": _own_name(table, person),
            "may_see_all": table.is_open_to_all,
            "mover": None if session.over else session.mover,
            "decisions": [_decision(table, session, k) for k in range(since, table.moves)],
        }


def _about(table: Table, person: str) -> Json:
    record = table.record
    own_seat = table.seat_of(person)
    with table.lock:
        my_turn = own_seat is not None and not table.ended and table.session().mover == own_seat
    return {
        "id": table.id,
        "kind": table.kind,
        "game": record.saved.game,
        "title": table.game.title,
        "about": in_short(table.game, record.saved.params),
        "changes": table.changes,
        "moves": table.moves,
        "over": record.over,
        "my_turn": my_turn,
        "failed": table.failed or None,
        "can_delete": record.creator == person,
    }


def _seats(table: Table, person: str) -> list[Json]:
    record, free = table.record, table.open_seats()
    voice = voice_for(table, person)
    return [
        {
            "agent": f"player_{seat}",
            "short": str(voice.who(seat)),
            "name": _name(table, seat, person),
            "mine": owner is not None and owner == person,
            "open": seat in free,
        }
        for seat, owner in enumerate(record.owners)
    ]


def _name(table: Table, seat: int, person: str) -> str:
    if table.kind == "replay" or table.record.saved.players[seat] not in PEOPLE:
        return table.record.saved.players[seat]
    owner = table.record.owners[seat]
    if owner is None:
        return FREE
    return YOU if owner == person else table.name_of(seat) or SOMEBODY


def _own_name(table: Table, person: str) -> str | None:
    """Return the name that a person has at a table where other people play; "" if none yet."""
    seat = table.seat_of(person)
    return None if seat is None or not table.has_several_people else table.name_of(seat)


def public_names(table: Table) -> list[str]:
    """Return the names of the players by seat, for a public transcript."""
    return ["a person" if name in {ME, OPEN} else name for name in table.record.saved.players]


def _decision(table: Table, session: Session, k: int) -> Json:
    """Return a decision; decisions are public in all games, which a test checks."""
    agent, action = session.transcript[k]
    return {
        "k": k,
        "seat": int(agent.removeprefix("player_")),
        "action": action,
        "name": table.names()[k],
    }


# --- The table at one decision --------------------------------------------------------------------


def frame(table: Table, k: int, person: str, view: str, *, tall: bool) -> Json:
    """Return the table before decision ``k``, as a person may see it.

    Raises:
        RefusedError: there is no such decision or view, or the person may not have it.
    """
    with table.lock, table.at(k) as before:
        session = table.seen_by(person) if k == table.moves else before
        viewer = table.viewer(person, view, session.mover)
        now, voice, called = table.session(), voice_for(table, person), table.game.render.called
        seen = session.view(viewer, voice)
        shows_choices = not session.over and viewer in {ALL_SEEING, session.mover}
        own_seat = table.seat_of(person)
        return {
            "k": k,
            "moves": table.moves,
            "over": session.over,
            "view": "all" if viewer == ALL_SEEING else f"player_{viewer}",
            "mover": None if session.over else session.mover,
            "svg": seen.draw(tall=tall).to_svg(spots=True),
            "text": seen.text(),
            "situation": seen.situation(),
            "drafted": len(table.drafted) if session is not now else 0,
            "legal": [
                {"action": action, "name": called(table.params, action), "words": words}
                for action, words in (session.explanations(voice) if shows_choices else {}).items()
            ],
            "may_act": k == table.moves and own_seat == session.mover and not table.ended,
            "scores": table.game.scores(seen.state).tolist(),
            "ranks": table.game.ranks(seen.state).tolist(),
            "next": _decision(table, now, k) if k < table.moves else None,
            "result": _result(session, voice) if session.over else None,
        }


def _result(session: Session, voice: Voice) -> str:
    """Return how the game has ended, in the words of a person."""
    names = [str(voice.who(seat)) for seat in range(session.batch.num_players)]
    return session.result(names, agents=False)
