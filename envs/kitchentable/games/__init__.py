"""The games, a folder or a file each; every one with a `GAME` is found by itself."""
