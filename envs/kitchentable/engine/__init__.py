"""How games are played: what is compiled and cached, the loops over a batch, the batch."""
