"""The modules that users import: signatures and docstrings have every parameter of the game.

A module may also take ``**options`` and leave the parameters to the game's `Params`.
"""

import ast
import importlib
import inspect
import itertools
import re
import sys
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from kitchentable import all_games

GAMES = [
    game for game in all_games().values() if game.rules.step.__module__.startswith("kitchentable.")
]
every_module = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
SHOWN = {"render_mode": None, "view": "mover"}


def module_of(game):
    return importlib.import_module(f"kitchentable.{game.name}_v{game.version}")


def takes_options(make):
    """Return whether a function takes ``**options`` and nothing else."""
    kinds = [one.kind for one in inspect.signature(make).parameters.values()]
    return kinds == [inspect.Parameter.VAR_KEYWORD]


def plain(text):
    return " ".join(text.split()).lower()


def documented(params):
    """Return the docstring below each field in a dataclass's source."""
    tree = ast.parse(Path(sys.modules[params.__module__].__file__).read_text())
    body = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Params").body
    return {
        field.target.id: below.value.value
        for field, below in itertools.pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr)
    }


@every_module
def test_every_parameter_is_in_the_signature_with_its_default(game):
    expected = {field.name: field.default for field in fields(game.rules.params)} | SHOWN
    assert MISSING not in expected.values()
    module = module_of(game)
    for make in (module.raw_env, module.env):
        assert make(**expected).unwrapped.params == game.make_params()
        if takes_options(make):
            continue
        parameters = inspect.signature(make).parameters
        assert {name: one.default for name, one in parameters.items()} == expected
        assert all(one.kind is inspect.Parameter.KEYWORD_ONLY for one in parameters.values())


@every_module
def test_every_parameter_is_documented_as_in_params(game):
    module = module_of(game)
    told = documented(game.rules.params)
    assert len(told) >= len(fields(game.rules.params)) - 2, "all but num_players and reward"
    for make in (module.raw_env, module.env):
        if takes_options(make):
            continue
        text = plain(make.__doc__)
        assert all(f" {name}: " in text for name in inspect.signature(make).parameters)
        for name, words in told.items():
            assert plain(f"{name}: {words}") in text
        low, high = (
            end(game.make_params(**params).num_players for params in game.rules.variants)
            for end in (min, max)
        )
        seats = re.search(r"num_players: (.*?)\. ", text)[1]
        assert str(low) in seats
        assert str(high) in seats
    assert "raises `valueerror`" in plain(module.raw_env.__doc__)
    assert "ends the game" in plain(module.env.__doc__)
