"""The modules that users import: `env` and `raw_env` show and take every parameter of the game."""

import importlib
import inspect
import pickle
from dataclasses import fields

import pytest

from kitchentable import all_games

GAMES = [
    game for game in all_games().values() if game.rules.step.__module__.startswith("kitchentable.")
]
SHOWN = {"render_mode": None, "view": "mover", "action_features": False}


@pytest.mark.parametrize("name", ["raw_env", "env"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_parameter_is_in_signature_and_docstring(game, name):
    make = getattr(importlib.import_module(f"kitchentable.{game.name}_v{game.version}"), name)
    named = inspect.signature(make).parameters
    defaults = {one.name: one.default for one in fields(game.rules.params)} | SHOWN
    assert {key: one.default for key, one in named.items()} == defaults
    assert all(one.kind is inspect.Parameter.KEYWORD_ONLY for one in named.values())
    assert all(f"\n    {key}: " in make.__doc__ for key in named)
    assert f"\n    {list(defaults)[-3]}: \n" not in make.__doc__, "the game's last one has no text"
    assert make(**defaults).unwrapped.params == game.make_params()
    assert pickle.loads(pickle.dumps(make)) is make
    with pytest.raises(ValueError, match=r"has no parameter 'n'; it has num_players, reward"):
        make(n=3)
