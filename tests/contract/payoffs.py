"""The payoffs of a finished game, computed a second way: from its scores and ranks alone."""

import numpy as np

WIN, MARGIN = range(2)
POINTS_PER_UNIT = 10


def collected(batch) -> np.ndarray:
    """Return a running total of what a batch of one game pays each seat from now on."""
    total = np.zeros(batch.num_players)

    def counting(play):
        def run(action):
            play(action)
            total[:] += batch.rewards[0]

        return run

    batch.step, batch.play = counting(batch.step), counting(batch.play)
    return total


def payoff(batch, state) -> np.ndarray:
    """Return what each seat should have been paid since the deal, as the environment guide has it.

    A team's ``"margin"`` is not covered: it differs from game to game.
    """
    seats, game = batch.num_players, batch.game
    scores, ranks = game.scores(state).astype(float), game.ranks(state)
    over = state.terminated or state.truncated
    if batch.is_team:
        assert state.reward == WIN
        return np.full(seats, float(over and ranks[0] == 1))
    if state.reward == WIN:
        winners = np.count_nonzero(ranks == 1)
        shares = np.where(ranks == 1, (seats / winners - 1) / (seats - 1), -1 / (seats - 1))
        return shares if over else np.zeros(seats)
    others = (scores.sum() - scores) / (seats - 1)
    low_is_good = scores[ranks == 1].min() < scores.max()
    return (scores - others) / POINTS_PER_UNIT * (-1 if low_is_good else 1)
