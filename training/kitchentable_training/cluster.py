"""Independent tasks, run in sequence on this machine or in parallel on a Ray cluster.

A task is a call of a function with one argument. On a cluster, the call is sent with all its data,
runs in a process of its own with one core and one thread, and is repeated elsewhere if its machine
fails. Each result is returned once. Nothing here is random, so results do not depend on where a
task ran, as far as machines compute the same floats.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from kitchentable.core.registry import IMPORTED
from kitchentable_training.named import NAMED, import_module, named_modules, own_files

Task = TypeVar("Task")
Result = TypeVar("Result")

LOCAL = "local"
"""The address of a temporary cluster on this machine, which lasts as long as the command."""
RETRIES = 10
"""How often a task may lose its machine or process before the whole call fails."""
LEAVE_TAKING = 60
"""Seconds for stopped tasks to save their state."""


def fan_out(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    cluster: str | None = None,
    seconds: float | None = None,
    modules: Iterable[ModuleType] = (),
) -> Iterator[tuple[Task, Result]]:
    """Call a function for each task, and yield each task with its result when it is done.

    Args:
        function: the function; an exception in it ends the whole call.
        tasks: its arguments. On a cluster, they, the function and the results are pickled.
        cluster: the address of a Ray cluster, as for `ray.init`, or `LOCAL`; None: run the tasks
            here, in order. An existing connection to a cluster is used instead.
        seconds: a time limit on a cluster, after which tasks are stopped as by Ctrl-C.
        modules: modules that the machines of a cluster may lack; tasks take their contents along.

    Raises:
        ImportError: Ray is not installed.
        OSError: there is no such cluster, or it has lost a task too often.
    """
    if cluster is None:
        yield from ((task, function(task)) for task in tasks)
        return
    import ray  # noqa: PLC0415 (of the extra `ray`)

    for module in modules:
        _send_by_value(module)
    end = None if seconds is None else time.monotonic() + seconds
    with _connection(cluster):
        # Pickled here, because arrays that Ray unpickles are read-only, for which Numba would
        # compile its loops again.
        packed = ray.put(ray.cloudpickle.dumps(function))
        call = ray.remote(num_cpus=1, max_retries=RETRIES)(_call)
        waiting = {call.remote(packed, task): task for task in tasks}
        try:
            while waiting:
                timeout = None if end is None else max(0.0, end - time.monotonic())
                done, _ = ray.wait(list(waiting), timeout=timeout)
                if not done:
                    return
                yield waiting.pop(done[0]), ray.get(done[0])
        except ray.exceptions.RayTaskError as error:  # raised by the function
            raise error.cause from None
        except ray.exceptions.RayError as error:
            raise OSError(f"the cluster has lost a task: {error}") from None
        finally:
            for reference in waiting:
                ray.cancel(reference)
            ray.wait(list(waiting), num_returns=len(waiting), timeout=LEAVE_TAKING)


def _send_by_value(module: ModuleType) -> None:
    """Let tasks take along what a module and those beside it define."""
    import ray  # noqa: PLC0415

    files = own_files(module)
    for one in list(sys.modules.values()):
        if Path(getattr(one, "__file__", None) or "").resolve() in files:
            ray.cloudpickle.register_pickle_by_value(one)


def _call(packed: bytes, task: Any) -> Any:
    """Run a task in a process of the cluster."""
    import ray  # noqa: PLC0415

    for word in named_modules():
        import_module(word, "module")  # networks are pickled by the names of their modules
    return ray.cloudpickle.loads(packed)(task)


@contextmanager
def _connection(address: str) -> Iterator[None]:
    """Connect to a cluster, or start one on this machine, in a context."""
    import ray  # noqa: PLC0415

    if ray.is_initialized():
        yield
        return
    _check_address(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # sends nothing to Ray's developers
    options: dict[str, Any] = {"include_dashboard": False} if address == LOCAL else {}
    # Other machines know nothing of this one's environment.
    known = {name: os.environ[name] for name in (IMPORTED, NAMED) if name in os.environ}
    if known:
        options["runtime_env"] = {"env_vars": known}
    ray.init(address, logging_level="warning", **options)
    try:
        yield
    finally:
        ray.shutdown()


def _check_address(address: str) -> None:
    """Check that something listens at an address, because Ray would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
        except OSError as error:
            raise OSError(f"there is no Ray cluster at {address}: {error}") from None
