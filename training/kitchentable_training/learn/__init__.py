"""Training runs: settings become players."""
