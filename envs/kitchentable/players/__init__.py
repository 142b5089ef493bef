"""Players for any game: scripted players, search, and functions."""
