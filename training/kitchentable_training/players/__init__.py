"""Players by name, checkpoints, and tree search with a network."""
