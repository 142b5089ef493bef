"""Copies and pickles of the training package's objects that hold games go on like the originals."""

import copy
import pickle

import numpy as np
import pytest
from tests.contract.holders import legal, plain, play_seat

from kitchentable import SeatEnv, find_game
from kitchentable_training.algorithms.vec_env import LearnerVecEnv
from kitchentable_training.players.by_name import make_player
from kitchentable_training.session import Session

DIDDLY = find_game("diddly")
SEARCH = "search:rollouts=20"


def learner(*opponents: str, **options):
    return LearnerVecEnv.make("diddly", 6, dict.fromkeys(opponents, 1), seed=3, **options)


def play_learner(env: LearnerVecEnv, steps: int):
    """Play games that restart by themselves, beginning with a deal of all now and then."""
    for number in range(steps):
        if number == steps // 2:
            yield env.reset()
        env.step_async(np.array([legal(mask, number) for mask in env.action_masks()]))
        yield env.step_wait()[:3]
        seating = env.seating
        yield env.batch.states, seating.numbers.numpy(), seating.payoffs.numpy(), env.sums()


def seat_with(spec: str) -> SeatEnv:
    """Return one seat at a table whose other player is one of the training package."""
    player = make_player(spec, DIDDLY, DIDDLY.make_params(), seed=4)
    if spec == "diddly_2p":
        player.deterministic = False  # it draws with its own generator
    return SeatEnv("diddly", opponents=player)


def play_session(session: Session, steps: int):
    for number in range(steps):
        if not session.over:
            session.play(session.legal_actions()[number % len(session.legal_actions())])
        yield session.saved(["a", "b"]), session.batch.states


HOLDERS = {
    "learner": (lambda: learner("greedy", "diddly_2p"), play_learner, 10),
    "hands": (lambda: learner("greedy", "random", episode="hand", rounds=1), play_learner, 40),
    "trained": (lambda: seat_with("diddly_2p"), play_seat, 10),
    "search": (lambda: seat_with(SEARCH), play_seat, 10),
    "tree": (lambda: seat_with(f"{SEARCH}:value=diddly_2p"), play_seat, 2),
    "session": (lambda: Session(DIDDLY, DIDDLY.make_params(), 1), play_session, 40),
}
"""By name: functions that make and play an object, and the number of steps."""


@pytest.mark.parametrize("name", HOLDERS)
def test_copies_go_on_as_the_original_does_and_apart(name) -> None:
    make, play, steps = HOLDERS[name]
    holder = make()
    if play is play_learner:
        holder.reset()
    list(play(holder, 5))
    copies = copy.deepcopy(holder), pickle.loads(pickle.dumps(holder))
    one, other, expected = ([plain(one) for one in play(each, steps)] for each in (*copies, holder))
    assert one == other == expected
