"""Tasks that do not depend on each other: here one after the other, or on a cluster by Ray.

A task is a function's call with one argument. On a cluster it is sent there with all that it needs,
runs in a process of its own with one core and one thread, and is done again elsewhere if its
machine fails. Results come back to where the command was given, each once. Nothing here is random,
so the figures do not depend on where a task ran, as far as machines calculate alike.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

LOCAL = "local"
"""The address of a cluster that is this machine, and lasts as long as the command."""
RETRIES = 10
"""How often a task may lose its machine, or its process, before the whole is given up."""
LEAVE_TAKING = 60
"""Seconds for tasks that are stopped to save what they have."""


def fan_out(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    cluster: str | None = None,
    seconds: float | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Call a function with each of the tasks, and give each task with its result as it ends.

    Args:
        function: what is done; an exception in it ends the whole.
        tasks: the arguments. On a cluster they, the function and the results are pickled.
        cluster: the address of a Ray cluster, as `ray.init` takes it, or `LOCAL`; None: the tasks
            run here, in order. A program that is connected to a cluster already stays so.
        seconds: a bound for a cluster: after so long the tasks are stopped as by Ctrl-C.

    Raises:
        ImportError: Ray is missing.
        OSError: there is no such cluster, or it has lost a task again and again.
    """
    if cluster is None:
        yield from ((task, function(task)) for task in tasks)
        return
    import ray  # noqa: PLC0415 (of the extra `ray`)

    end = None if seconds is None else time.monotonic() + seconds
    with _connection(cluster):
        # Packed here, for arrays that Ray unpacks cannot be written to, which numba would compile
        # its loops anew for.
        packed = ray.put(ray.cloudpickle.dumps(function))
        call = ray.remote(num_cpus=1, max_retries=RETRIES)(_call)
        waiting = {call.remote(packed, task): task for task in tasks}
        try:
            while waiting:
                left = None if end is None else max(0.0, end - time.monotonic())
                done, _ = ray.wait(list(waiting), timeout=left)
                if not done:
                    return
                yield waiting.pop(done[0]), ray.get(done[0])
        except ray.exceptions.RayTaskError as error:  # which the function has raised
            raise error.cause from None
        except ray.exceptions.RayError as error:
            raise OSError(f"the cluster has lost a task: {error}") from None
        finally:
            for one in waiting:
                ray.cancel(one)
            ray.wait(list(waiting), num_returns=len(waiting), timeout=LEAVE_TAKING)


def _call(packed: bytes, task: Any) -> Any:
    """Do a task, in a process of the cluster."""
    import ray  # noqa: PLC0415

    return ray.cloudpickle.loads(packed)(task)


@contextmanager
def _connection(address: str) -> Iterator[None]:
    """Connect to a cluster, or make one of this machine."""
    import ray  # noqa: PLC0415

    if ray.is_initialized():
        yield
        return
    _check_address(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would tell Ray's makers
    options = {"include_dashboard": False} if address == LOCAL else {}
    ray.init(address, logging_level="warning", **options)
    try:
        yield
    finally:
        ray.shutdown()


def _check_address(address: str) -> None:
    """Refuse an address at which nobody listens: Ray would try for many minutes.

    Raises:
        OSError: names it.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
        except OSError as error:
            raise OSError(f"there is no Ray cluster at {address}: {error}") from None
