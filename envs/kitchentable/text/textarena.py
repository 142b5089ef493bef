"""The games as environments of TextArena: importing this module registers them.

``textarena.make("kitchentable/quiddler_v0")`` takes the game's parameters and those of
`TextArenaEnv`; ``reset(num_players=2, seed=1)`` deals.
"""

from __future__ import annotations

from typing import Any

try:
    import textarena as ta
except ImportError as error:
    raise ImportError(
        'the environments of TextArena need it: pip install "kitchentable[textarena]"'
    ) from error
from textarena.envs.registration import ENV_REGISTRY
from textarena.wrappers import (
    ActionFormattingWrapper,
    GameMessagesAndCurrentBoardObservationWrapper,
)

from kitchentable.core.game import Game
from kitchentable.core.registry import all_games, when_added
from kitchentable.text.env import ALL, TextEnv

WRAPPERS = [GameMessagesAndCurrentBoardObservationWrapper, ActionFormattingWrapper]
"""The default wrappers: an observation has the rules, what has happened, and the current table."""


class TextArenaEnv(ta.Env):
    """A table of TextArena's players; see `TextEnv`.

    The prompt has the rules, decisions are told to all players, and the board is what the player to
    act knows of the table. Rewards at the end are the payoffs of the game. TextArena's wrappers
    remember what was told, so make an environment for each game.

    Attributes:
        text: the table as text, from the first `reset` on.
        state: TextArena's state.
    """

    def __init__(self, game: str, *, tries: int = 3, compact: bool = False, **params: Any) -> None:
        """Create the environment; `reset` deals.

        Args:
            game: the game's name.
            tries: the number of answers to a decision, of which the last one must be usable.
            compact: whether observations leave out explanations.
            params: the game's parameters except the number of seats, see its page.
        """
        self._game, self._options = game, {"tries": tries, "compact": compact, **params}
        self._tries = tries

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deal a new game.

        Args:
            num_players: the number of seats.
            seed: the seed of the deal; None: a random one.

        Raises:
            ValueError: the game has no such number of seats, or a parameter is invalid.
        """
        self.text = TextEnv(self._game, seat=ALL, num_players=num_players, **self._options)
        self.state = ta.FFAMultiPlayerState(num_players, seed, error_allowance=self._tries - 1)
        self.text.reset(seed)
        self.state.reset(game_state={}, player_prompt_function=self._prompt)
        self._show()

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        del game_state
        return self.text.introduce(player_id)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the answer of the player to act; return whether the game is over, and an info."""
        state, player = self.state, self.state.current_player_id
        kinds = ta.ObservationType
        state.add_observation(action, kinds.PLAYER_ACTION, from_id=player, to_id=player)
        text, _, ended, stopped, info = self.text.step(action)
        if info["action"] is not None:
            message = f"player_{player}: {info['action']}"
            state.add_observation(message, kinds.GAME_ACTION_DESCRIPTION)
        if ended or stopped:
            state.game_info[player]["invalid_move"] = info.get("illegal", False)
            paid = dict(enumerate(info["payoffs"]))
            state.set_game_outcome(paid, reason=self.text.situation())
        elif info["action"] is None:
            state.set_invalid_move(text)
        else:
            self._show()
        done, about = state.step(rotate_player=False)
        return done, {**about, **info}

    def _show(self) -> None:
        """Show the table to the player to act."""
        self.state.manually_set_current_player_id(self.text.seat, force=True)
        board = self.text.observe(news=False)
        kind = ta.ObservationType.GAME_BOARD
        self.state.add_observation(board, kind, to_id=self.text.seat)


def enter(game: Game) -> None:
    """Register a game with TextArena by its name."""
    if (name := f"kitchentable/{game.name}_v{game.version}") not in ENV_REGISTRY:
        ta.register(name, TextArenaEnv, WRAPPERS, game=game.name)


for _game in all_games().values():
    enter(_game)
when_added.append(enter)
