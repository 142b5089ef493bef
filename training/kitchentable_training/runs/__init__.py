"""Training runs: their settings, folders, checkpoints and logs."""
