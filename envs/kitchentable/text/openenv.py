"""The games as environments of OpenEnv: a server, and its client.

``python -m kitchentable.text.openenv quiddler`` serves one seat of a game over HTTP; every client
has a table of its own.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

try:
    from openenv.core.client_types import StepResult
    from openenv.core.env_client import EnvClient
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State
except ImportError as error:
    raise ImportError(
        'the environments of OpenEnv need it: pip install "kitchentable[openenv]"'
    ) from error

from kitchentable.text.env import TextEnv

PORT = 8000
TABLES = 64
"""The default maximum number of tables of a server."""


class TextAction(Action):
    """A language model's answer."""

    text: str


class TextObservation(Observation):
    """What `TextEnv` returns, besides reward and end."""

    text: str
    seat: int
    """The seat to answer next."""
    info: dict[str, Any] = {}  # noqa: RUF012 (pydantic copies it)
    """The info of the last step, see `TextEnv.step`."""


class TextEnvironment(Environment[TextAction, TextObservation, State]):
    """A table behind a server; see `TextEnv`, whose arguments it takes."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, game: str, **options: Any) -> None:
        """Create the environment.

        Args:
            game: the game's name.
            options: the other arguments of `TextEnv`.

        Raises:
            ValueError: an argument is invalid; the message says what is possible.
        """
        super().__init__()
        self._text = TextEnv(game, **options)
        self._state = State()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **_: Any
    ) -> TextObservation:
        """Deal a new game; the arguments are OpenEnv's."""
        self._state = State(episode_id=episode_id)
        return TextObservation(text=self._text.reset(seed), seat=self._text.seat)

    def step(self, action: TextAction, timeout_s: float | None = None, **_: Any) -> TextObservation:
        """Play an answer; see `TextEnv.step`. A step takes no time worth limiting."""
        del timeout_s
        text, reward, ended, stopped, info = self._text.step(action.text)
        self._state.step_count += 1
        over = ended or stopped
        return TextObservation(text=text, seat=self._text.seat, info=info, reward=reward, done=over)

    @property
    def state(self) -> State:
        """The number of answers in this game, and its name."""
        return self._state


def make_app(game: str, *, tables: int = TABLES, **options: Any) -> Any:
    """Return the server's application, made by OpenEnv's `create_app`.

    Args:
        game: the game's name.
        tables: the maximum number of tables at the same time.
        options: the other arguments of `TextEnv`.

    Raises:
        ValueError: an argument is invalid; the message says what is possible.
    """
    TextEnv(game, **options)  # else the first client would hear of what is invalid
    make = partial(TextEnvironment, game, **options)
    return create_app(
        make, TextAction, TextObservation, env_name="kitchentable", max_concurrent_envs=tables
    )


class TextClient(EnvClient[TextAction, TextObservation, State]):
    """A client: ``TextClient(base_url=...).sync()`` plays without ``await``."""

    def _step_payload(self, action: TextAction) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: Mapping[str, Any]) -> StepResult[TextObservation]:
        ending = {name: payload[name] for name in ("reward", "done")}
        return StepResult(TextObservation(**payload["observation"], **ending), **ending)

    def _parse_state(self, payload: Mapping[str, Any]) -> State:
        return State(**payload)


def main(argv: Sequence[str] | None = None) -> None:
    """Serve a game."""
    import uvicorn  # noqa: PLC0415 (it comes with OpenEnv)

    parser = argparse.ArgumentParser(
        prog="python -m kitchentable.text.openenv", description=__doc__
    )
    parser.add_argument("game", help="the game's name")
    parser.add_argument("--host", default="127.0.0.1", help="the address (default: %(default)s)")
    parser.add_argument("--port", type=int, default=PORT, help="the port (default: %(default)s)")
    parser.add_argument(
        "--options", type=json.loads, default={}, metavar="JSON",
        help='arguments of TextEnv and parameters of the game, as in \'{"opponents": "random"}\'',
    )  # fmt: skip
    args = parser.parse_args(argv)
    uvicorn.run(make_app(args.game, **args.options), host=args.host, port=args.port)


if __name__ == "__main__":
    main()
