"""Simple players for any game's reference: each chooses one of the names in ``game.legal``."""


def at_random(game, rng):
    return str(rng.choice(game.legal))


def always_first(game, rng):
    return game.legal[0]


def always_last(game, rng):
    return game.legal[-1]
