"""The games, a folder each; every folder with a `GAME` is found by itself."""
