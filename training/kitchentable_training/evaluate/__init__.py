"""Evaluation of players: duplicate deals, intervals, tournaments and game statistics."""
