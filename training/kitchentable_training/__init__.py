"""Self-play training and evaluation of players for the games of `kitchentable`."""
