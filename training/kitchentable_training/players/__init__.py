"""Players by name, their checkpoints, and tree search with a network."""
