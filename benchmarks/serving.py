"""The server under load: 200 tables of bots at once, each with a page that listens."""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np

TABLES = 200
PEOPLE = 4
"""The number of browsers that create the tables, because each one is limited."""
BOTS = ["search:rollouts=256", "expert"]
GAMES = ("diddly", "quiddler", "fiddlefoo", "addtoo")
REQUESTS = 300
TURNS = 100
PAUSE = 0.05
"""Seconds between two requests of a viewer."""
LINK = re.compile(r"(http://\S+?)/\?key=(\S+)")


def measure() -> dict[str, Any]:
    """Return milliseconds and megabytes of an idle and of a busy server."""
    return asyncio.run(_measure())


async def _measure() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        server, address, key = _start(Path(folder))
        try:
            async with AsyncExitStack() as stack:
                people = [
                    await stack.enter_async_context(_person(address, key)) for _ in range(PEOPLE)
                ]
                return await _both(people, server.pid)
        finally:
            server.terminate()
            server.wait()


async def _both(people: Sequence[httpx.AsyncClient], pid: int) -> dict[str, Any]:
    client = people[0]
    # Finish one game of each kind first, so that everything is compiled and loaded.
    await _all_over(client, [await _table(client, game, BOTS, 0) for game in GAMES])
    begun = _megabytes(pid)
    mine = await _table(client, "diddly", ["me", "greedy"], 1, {"rounds": 100})
    idle = {"frame": await _frames(client, [mine]), "turn": await _turns(client, mine)}
    start = time.perf_counter()
    tables = [
        await _table(people[i % PEOPLE], GAMES[i % len(GAMES)], BOTS, i) for i in range(TABLES)
    ]
    created = time.perf_counter() - start
    listening = [asyncio.create_task(_listen(client, table)) for table in tables]
    before, start = await _progress(client, tables), time.perf_counter()
    busy = {"frame": await _frames(client, tables), "turn": await _turns(client, mine)}
    after, seconds = await _progress(client, tables), time.perf_counter() - start
    memory = _megabytes(pid)
    for i, table in enumerate(tables):
        (await people[i % PEOPLE].delete(f"/api/tables/{table}")).raise_for_status()
    for task in listening:
        task.cancel()
    return {
        "tables": TABLES,
        "idle": idle,
        "busy": busy,
        "seconds to create them": created,
        "still playing at the end": after["playing"],
        "decisions a second": (after["moves"] - before["moves"]) / seconds,
        "megabytes before": begun,
        "megabytes": memory,
    }


def _start(folder: Path) -> tuple[subprocess.Popen[str], str, str]:
    """Start a server; return its process, its address and its key."""
    command = [
        *(sys.executable, "-m", "kitchentable_training", "serve", "--port", "0"),
        *("--tables-folder", str(folder / "tables"), "--runs-folder", str(folder / "runs")),
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    for line in server.stdout:
        found = LINK.search(line)
        if found:
            return server, found[1], found[2]
    raise RuntimeError("the server did not start")


@asynccontextmanager
async def _person(address: str, key: str) -> AsyncIterator[httpx.AsyncClient]:
    limits = httpx.Limits(max_connections=2 * TABLES)
    headers = {"Origin": address}
    async with httpx.AsyncClient(
        base_url=address, headers=headers, limits=limits, timeout=120, follow_redirects=True
    ) as client:
        (await client.get("/", params={"key": key})).raise_for_status()
        yield client


async def _table(
    client: httpx.AsyncClient,
    game: str,
    seats: list[str],
    seed: int,
    params: dict[str, Any] | None = None,
) -> str:
    wanted = {"game": game, "seats": seats, "seed": seed, "params": params or {}}
    answer = await client.post("/api/tables", json=wanted)
    answer.raise_for_status()
    return str(answer.json()["id"])


async def _frames(client: httpx.AsyncClient, tables: list[str]) -> dict[str, float]:
    """Time requests for the latest pictures of random tables."""
    rng = np.random.default_rng(0)

    async def look() -> None:
        table = str(rng.choice(tables))
        now = (await client.get(f"/api/tables/{table}?since=100000")).json()["moves"]
        (await client.get(f"/api/tables/{table}/frames/{now}")).raise_for_status()

    return await _timed(look, REQUESTS)


async def _turns(client: httpx.AsyncClient, table: str) -> dict[str, float]:
    """Time turns, from the action until it is the person's turn again."""
    rng = np.random.default_rng(0)

    async def turn() -> None:
        now = (await client.get(f"/api/tables/{table}?since=100000")).json()
        frame = (await client.get(f"/api/tables/{table}/frames/{now['moves']}")).json()
        action = str(rng.choice([one["action"] for one in frame["legal"]]))
        wanted = {"action": action, "k": now["moves"]}
        (await client.post(f"/api/tables/{table}/play", json=wanted)).raise_for_status()
        while not (await client.get(f"/api/tables/{table}?since=100000")).json()["my_turn"]:
            await asyncio.sleep(0.01)

    return await _timed(turn, TURNS)


async def _timed(what: Callable[[], Any], times: int) -> dict[str, float]:
    """Return milliseconds: the median, the 95th percentile and the maximum."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        await what()
        taken.append(1000 * (time.perf_counter() - start))
        await asyncio.sleep(PAUSE)
    return {
        "median": statistics.median(taken),
        "95 %": float(np.quantile(taken, 0.95)),
        "longest": max(taken),
    }


async def _listen(client: httpx.AsyncClient, table: str) -> None:
    """Listen to a table's events, like a page."""
    async with client.stream("GET", f"/api/tables/{table}/events") as events:
        async for _ in events.aiter_lines():
            pass


async def _progress(client: httpx.AsyncClient, tables: list[str]) -> dict[str, int]:
    """Return the number of tables still playing, and the total number of decisions so far."""
    listed = (await client.get("/api/tables")).json()["tables"]
    ours = [table for table in listed if table["id"] in set(tables)]
    playing = sum(not table["over"] for table in ours)
    return {"playing": playing, "moves": sum(table["moves"] for table in ours)}


async def _all_over(client: httpx.AsyncClient, tables: list[str]) -> None:
    wanted = set(tables)
    while wanted:
        listed = (await client.get("/api/tables")).json()["tables"]
        wanted -= {table["id"] for table in listed if table["over"]}
        await asyncio.sleep(0.5)


def _megabytes(pid: int) -> float:
    """Return the resident memory of a process."""
    with Path(f"/proc/{pid}/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
