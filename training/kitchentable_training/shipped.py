"""The shipped settings and trained players.

In a checkout of the project these are the folders ``configs/`` and ``checkpoints/``. If installed,
the settings are in this package, and the players, fifty times as large, in a package of their own.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from kitchentable.core.parameters import did_you_mean
from kitchentable_training.files import CARD, read_yaml

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
PLAYERS = "kitchentable_players"
"""The package with the trained players, built from ``checkpoints/``."""


def config_folder() -> Path:
    """Return the folder of the shipped settings."""
    installed = HERE / "configs"
    return installed if installed.is_dir() else CHECKOUT / "configs"


def shipped_configs() -> list[str]:
    """Return the names of the shipped settings files, for `find_config`."""
    return sorted(file.stem for file in config_folder().glob("*.yaml"))


def shipped_runs() -> dict[str, Path]:
    """Return the shipped settings files by the names of the runs in them, and by their own."""
    files = [config_folder() / f"{name}.yaml" for name in shipped_configs()]
    return {run: file for file in files for run in (file.stem, *read_yaml(file).get("stages", ()))}


def find_config(name: str) -> Path:
    """Return the shipped settings file of that name, or with a run of that name.

    Raises:
        ValueError: there are no such settings.
    """
    runs = shipped_runs()
    if name not in runs:
        close = did_you_mean(name, runs) or (
            "; give a YAML file, a checkpoint's folder, or a name that `kitchentable configs` lists"
        )
        raise ValueError(f"there are no settings {name!r}{close}")
    return runs[name]


def player_folder() -> Path | None:
    """Return the folder of the shipped players; None if they are not installed."""
    checkout = CHECKOUT / "checkpoints"
    if checkout.is_dir():
        return checkout
    spec = find_spec(PLAYERS)
    places = spec and spec.submodule_search_locations
    return Path(places[0]) if places else None


def player_folders() -> list[Path]:
    """Return the folders of trained players that are found by name, the user's own first."""
    shipped = player_folder()
    return [Path("checkpoints"), *([] if shipped is None else [shipped])]


def shipped_players() -> list[str]:
    """Return the names of the trained players that are found without a path."""
    return sorted({card.parent.name for at in player_folders() for card in at.glob(f"*/{CARD}")})


def say_players() -> str:
    """Return which trained players there are, or how to install them, for error messages."""
    names = shipped_players()
    if names:
        return f"the name of a trained player ({', '.join(names)})"
    return "the name of a trained player, once the distribution kitchentable-players is installed"
