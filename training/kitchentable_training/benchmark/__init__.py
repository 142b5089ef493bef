"""A benchmark for learning algorithms: a protocol, entries, results and a leaderboard."""
