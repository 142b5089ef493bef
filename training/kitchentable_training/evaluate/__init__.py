"""How good players are: duplicate deals, intervals, tournaments, statistics of games."""
