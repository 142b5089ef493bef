"""Draw the pictures of the README and the site: ``python -m docs.pictures``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from kitchentable import Batch, find_game
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.render.view import View
from kitchentable_training.cli.main import main as kitchentable

FOLDER = Path(__file__).parent / "pictures"
# File name, game, parameters, seed, decisions of the strongest player before the picture.
POSITIONS: list[tuple[str, str, dict[str, Any], int, int]] = [
    ("diddly", "diddly", {}, 5, 75),
    ("diddly_nine", "diddly", {"cards": 9, "num_players": 4}, 3, 60),
    ("quiddler", "quiddler", {"hand_sizes": (10,)}, 3, 22),
    ("quiddler_solitaire", "quiddler_solitaire", {}, 3, 20),
    ("fiddlefoo", "fiddlefoo", {}, 3, 44),
    ("fiddlefoo_cooperative", "fiddlefoo", {"cooperative": True}, 2, 60),
    ("fiddlefoo_talkytoot", "fiddlefoo", {"num_players": 4, "talkytoot": "all"}, 3, 67),
    ("addtoo", "addtoo", {}, 1, 24),
    ("addtoo_four", "addtoo", {"num_players": 4}, 6, 32),
]
FILMS = {
    "addtoo": (), "diddly": ("rounds=1",), "fiddlefoo": (), "quiddler": ("hand_sizes=[5]",),
    "quiddler_solitaire": (),
}  # fmt: skip
"""The parameters of each game's animation."""
IN_README = "diddly"
"""The game whose animation is also a GIF."""


def main() -> None:
    """Draw each position as seen by the seat to move, and the animations."""
    FOLDER.mkdir(exist_ok=True)
    for name, game_name, params, seed, decisions in POSITIONS:
        game = find_game(game_name)
        batch = Batch(game, 1, seed=seed, autoreset=False, **params)
        player = ScriptedPlayer(game, list(game.players.scripted)[-1])
        for _ in range(decisions):
            batch.step(player.act(batch, np.array([0])))
        viewer = int(batch.current_player[0])
        picture = View(game, batch.states[0], batch.params, viewer).draw().to_rgb()
        Image.fromarray(picture).save(FOLDER / f"{name}.png", optimize=True)
    for name, words in FILMS.items():
        strongest = list(find_game(name).players.scripted)[-1]
        files = [f"--svg={FOLDER / name}.svg"]
        files += [f"--gif={FOLDER / name}.gif"] * (name == IN_README)
        kitchentable(["watch", strongest, "--game", name, "--seed", "3", *files, *words])


if __name__ == "__main__":
    main()
