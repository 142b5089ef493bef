"""Processor time of the page's answer to a click, from request to response, over random games.

python -m benchmarks page
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

from kitchentable import find_game
from kitchentable_training.web.app import make_app
from kitchentable_training.web.serve import collect_seldom

HOST = "http://localhost"
CLICKS = 300
"""The number of clicks in each row; games begin anew until there are as many."""
QUANTILES = {"median": 0.5, "p95": 0.95, "p99": 0.99, "longest": 1.0}
TABLES: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("diddly", {"num_players": seats}) for seats in (2, 8)),
    *(("quiddler", {"num_players": seats, "meld": "auto"}) for seats in (2, 8)),
    ("quiddler", {"meld": "spell"}),
    ("quiddler_solitaire", {}),
    *(("fiddlefoo", {"num_players": seats}) for seats in (2, 6)),
    ("fiddlefoo", {"talkytoot": "all"}),
    *(("addtoo", {"num_players": seats}) for seats in (2, 4, 6)),
    ("leduc_poker", {}),
)


def measure() -> dict[str, Any]:
    """Return quantiles of the processor time in milliseconds, for each table."""
    collect_seldom()
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        rows = [runner.run(_row(Path(folder) / str(i), *table)) for i, table in enumerate(TABLES)]
    return {"clicks": CLICKS, "rows": rows}


async def _row(folder: Path, game: str, params: dict[str, Any]) -> dict[str, Any]:
    # Without its lifespan, the application has no threads in which players think.
    app = make_app(folder / "tables", folder / "runs", {"localhost"}, cookie="page")
    seconds: list[float] = []

    async def timed(scope: Any, receive: Any, send: Any) -> None:
        start = time.process_time()
        await app(scope, receive, send)
        if scope["path"].endswith("/play"):
            seconds.append(time.process_time() - start)

    sent, headers = httpx2.ASGITransport(timed), {"Origin": HOST}
    async with httpx2.AsyncClient(transport=sent, base_url=HOST, headers=headers) as client:
        await client.get(f"/?key={app.state.server.keys.entry}")
        while len(seconds) <= CLICKS:
            await _play(app.state.server, client, game, params, len(seconds))
    times = 1000 * np.array(seconds[1 : CLICKS + 1])  # the first one imports and fills caches
    quantiles = {name: float(np.quantile(times, part)) for name, part in QUANTILES.items()}
    return {"game": game, "params": params, **quantiles}


async def _play(
    server: Any, client: httpx2.AsyncClient, game: str, params: dict[str, Any], seed: int
) -> None:
    """Play a game by random clicks against a scripted player."""
    plain, rng = find_game(game).make_params(**params).plain(), np.random.default_rng(seed)
    others = plain["num_players"] - 1
    seats = ["me", *[list(find_game(game).players.scripted)[1]] * others]
    given = {name: plain[name] for name in params}
    request = {"game": game, "params": given, "seats": seats, "seed": seed}
    table = server.tables.find((await client.post("/api/tables", json=request)).json()["id"])
    while not table.record.over:
        if table.waits_for_player():
            table.let_player_move(server.pool, server.tables.store)
            continue
        legal = table.seen_by(table.record.creator).legal_actions()
        click = {"action": str(rng.choice(legal)), "k": table.moves, "tall": bool(table.moves % 2)}
        answer = await client.post(f"/api/tables/{table.id}/play", json=click)
        answer.raise_for_status()
