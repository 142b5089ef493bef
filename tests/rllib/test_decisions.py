"""Recording decisions and cutting them into episodes, by hand: one game of three seats."""

import numpy as np
import pytest

from kitchentable_training.rllib.decisions import Decisions

NOBODY = np.zeros(0, np.int64)


class Table:
    """One game; each decision is recorded as a running number."""

    def __init__(self) -> None:
        self.decisions, self.count = Decisions(1, 3), 0

    def decide(self, seat) -> None:
        self.count += 1
        self.decisions.add(np.array([0]), np.array([seat]), seen=np.array([self.count]))

    def pay(self, *rewards) -> None:
        self.decisions.pay(np.array([rewards], np.float32))

    def end(self, *, truncated=False) -> None:
        seats = self.decisions.seats_of(0)
        self.decisions.end(0, truncated, seats, seen=-1 - seats)

    def cut(self, mover=None):
        games = NOBODY if mover is None else np.array([0])
        seats = NOBODY if mover is None else np.array([mover])
        return self.decisions.cut(games, seats, seen=np.full(len(games), 99))


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_reward_goes_to_the_last_decision_or_else_to_the_first(table) -> None:
    table.decide(0)
    table.pay(0.5, 2, 0)  # seat 1 has decided nothing yet
    table.decide(1)
    table.pay(1, 0, 0)
    table.decide(0)
    table.pay(0, 4, 0)
    table.pay(8, 16, 7)  # seat 2 has no decision that this could be credited to
    table.end()
    first, second = table.cut()
    assert first.rewards.tolist() == [1.5, 8]
    assert second.rewards.tolist() == [22]
    assert (first.paid, second.paid) == (9.5, 22)
    assert first.rows["seen"].tolist() == [1, 3]
    assert (first.last["seen"], second.last["seen"]) == (-1, -2)
    assert first.terminated
    assert not first.truncated
    # Nothing is carried over to the next game, whose episodes have new ids.
    table.decide(2)
    table.end(truncated=True)
    (third,) = table.cut()
    assert third.rewards.tolist() == [0]
    assert third.truncated
    assert third.is_over
    assert third.number not in {first.number, second.number}


def test_an_open_decision_begins_the_next_chunk(table) -> None:
    table.decide(0)
    table.decide(0)
    table.decide(1)
    table.pay(1, 2, 0)
    (chunk,) = table.cut(mover=2)
    assert chunk.rows["seen"].tolist() == [1]
    assert chunk.last["seen"] == 2
    assert not chunk.is_over
    table.pay(4, 8, 0)
    assert table.cut(mover=2) == []
    table.decide(2)
    table.end()
    chunks = table.cut()
    assert [one.rows["seen"].tolist() for one in chunks] == [[2], [3], [4]]
    assert [one.rewards.tolist() for one in chunks] == [[5], [10], [0]]
    assert [one.started for one in chunks] == [1, 0, 0]
    assert chunks[0].number == chunk.number
    assert chunks[0].paid == 5


def test_the_last_decision_of_the_seat_to_act_is_complete(table) -> None:
    for seat in (0, 1, 0):
        table.decide(seat)
    games = np.array([0])
    assert table.decisions.known(games, np.array([1])) == 2
    assert table.decisions.known(games, np.array([2])) == 1
    chunks = table.cut(mover=1)
    assert [one.rows["seen"].tolist() for one in chunks] == [[1], [2]]
    assert [int(one.last["seen"]) for one in chunks] == [3, 99]
    assert table.decisions.known(NOBODY, NOBODY) == 0
    table.end()
    (last,) = table.cut()
    assert (last.started, last.rows["seen"].tolist()) == (1, [3])
