"""Players of any game: the scripted ones at the table, and a search."""
