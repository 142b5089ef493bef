"""Players by name, their checkpoints, and search with a learned value."""
