"""Policy-space response oracles: meta-games, mixtures of networks, and what they learn."""

import itertools

import numpy as np
import pytest
import torch
from stable_baselines3.common.logger import Logger
from tests.training.tiny_settings import KUHN, ORACLES, learner, settings

from kitchentable import Batch, find_game
from kitchentable.core.rng import seeds_for
from kitchentable.players.scripted import play_out
from kitchentable_training.algorithms.psro import PSRO, solve
from kitchentable_training.exact.tree import GameTree, average
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.mixture import Mixture
from kitchentable_training.networks.network import build_network
from kitchentable_training.networks.policy import MixturePlayer
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.runs.run import Run


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    game = find_game("kuhn_poker")
    return GameTree(game, game.make_params(reward="margin"))


def make(**more) -> PSRO:
    return learner(settings(**{**ORACLES, **KUHN, **more}))


def mixture_player(tree: GameTree, shares: list[float]) -> MixturePlayer:
    """Return a mixture of networks that prefer some actions."""
    torch.manual_seed(3)
    inputs, how = NetworkInputs(tree.game, tree.params), NetworkSettings(layers=[8])
    mixture = Mixture([build_network(tree.game, tree.params, how) for _ in shares])
    for one in mixture.members:
        torch.nn.init.normal_(one.policy.weight, std=3.0)
    mixture.shares[:] = torch.tensor(shares)
    return MixturePlayer(mixture, inputs, "mixture", deterministic=False)


def test_the_meta_game_is_solved() -> None:
    """Rock wins 2 from scissors, all other wins are 1; a fourth strategy loses to all others."""
    gains = np.array([[0, -1, 2, 1], [1, 0, -1, 1], [-2, 1, 0, 1], [-1, -1, -1, 0]])
    np.testing.assert_allclose(solve(gains / 2), [0.25, 0.5, 0.25, 0.0], atol=1e-9)
    np.testing.assert_allclose(solve(gains / 2 + 7.0), [0.25, 0.5, 0.25, 0.0], atol=1e-9)
    np.testing.assert_allclose(solve(np.array([[0.0, -1.0], [1.0, 0.0]])), [0.0, 1.0], atol=1e-9)


@pytest.mark.parametrize("seats", [2, 3])
def test_payoffs_are_those_of_one_seat_among_copies_of_another_member(seats) -> None:
    """Members with different habits meet seat by seat."""
    table = {"num_players": seats, "reward": "margin"}
    mine = make(game="addtoo", params=table, num_envs=96)
    players = mine.population.members[:3]
    for number, one in enumerate(players):

        def act(batch, games, number=number):
            masks = batch.masks[games]
            return (masks * (1 + number * np.arange(masks.shape[1]) % 5)).argmax(axis=1)

        one.act = act
    mine._measure_payoffs(2, 0)
    deals = 96 // (2 * (seats if seats == 2 else 2 * seats))
    seeds = seeds_for(np.random.SeedSequence([1, 3, 2, 0]), deals)
    for other in (0, 1):
        for alone, among in ((2, other), (other, 2)):
            paid = []
            for seat in range(seats):
                batch = Batch(mine.oracle.games.game, deals, seed=0, autoreset=False, **table)
                batch.deal(seeds)
                seating = np.full((deals, seats), among)
                seating[:, seat] = alone
                paid.append(play_out(batch, players, seating)[:, seat].mean())
            assert mine.payoffs[alone, among] == pytest.approx(np.mean(paid))
            assert np.mean(paid) != 0.0
    assert not mine.payoffs[:2, :2].any()


def reach(tree, policy):
    """Return by depth how probably each node is reached."""
    found = [tree.chances]
    for below, chances in zip(tree.levels[1:], policy, strict=False):
        found.append(found[-1][below.parents] * chances[below.parent_pairs])
    return found


def test_the_policy_of_a_mixture_is_what_is_seen_of_it(kuhn) -> None:
    """Every node is reached as often as by drawing a member for each seat."""
    shares = [0.3, 0.0, 0.7]
    player = mixture_player(kuhn, shares)
    policies = [kuhn.policy(one) for one in player.members]
    mixed = kuhn.policy(player)
    for level, one in zip(kuhn.levels, mixed, strict=True):
        totals = np.bincount(level.set_of_pair, one, len(level.owners))
        np.testing.assert_allclose(totals, 1.0)
    wanted = [np.zeros(len(level.movers)) for level in kuhn.levels]
    for first, second in itertools.product(range(3), repeat=2):
        seated = [
            np.where(level.owners[level.set_of_pair] == 0, *both)
            for level, *both in zip(kuhn.levels, policies[first], policies[second], strict=True)
        ]
        for depth, one in enumerate(reach(kuhn, seated)):
            wanted[depth] += shares[first] * shares[second] * one
    for one, other in zip(reach(kuhn, mixed), wanted, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_where_no_member_leads_their_shares_count(kuhn) -> None:
    uniform = kuhn.uniform()
    never = [one.copy() for one in uniform]
    for one in never:
        one[0::2], one[1::2] = 1.0, 0.0
    found = average(kuhn, [never, never], [0.4, 0.6])
    for one, other in zip(found, never, strict=True):
        np.testing.assert_allclose(one, other)


def test_a_seat_keeps_its_member_until_the_game_ends(kuhn) -> None:
    player = mixture_player(kuhn, [0.5, 0.0, 0.3, 0.2])
    batch, everyone = Batch(kuhn.game, 4000, seed=5), np.arange(4000)
    held = np.full((4000, 2), -1)
    counts = np.zeros((2, 4))
    both = []
    for _ in range(12):
        seats, drawn = batch.current_player.copy(), player.network.draw(batch, everyone)
        before = held[everyone, seats]
        assert ((before == -1) | (before == drawn)).all()
        held[everyone, seats] = drawn
        np.add.at(counts, (seats[before == -1], drawn[before == -1]), 1)
        legal = batch.masks[everyone, player.act(batch, everyone)]
        assert legal.all()
        batch.step(batch.sample_actions())
        both.append(held[batch.dones & (held >= 0).all(axis=1)])
        held[batch.dones] = -1
    shares = counts / counts.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shares, [[0.5, 0.0, 0.3, 0.2]] * 2, atol=0.02)
    first, second = np.concatenate(both).T
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(0.0, abs=0.03)


def test_a_mixture_answers_with_the_members_of_its_games(kuhn) -> None:
    player = mixture_player(kuhn, [0.4, 0.6])
    batch, games = Batch(kuhn.game, 50, seed=1), np.arange(50)[::-2].copy()
    drawn = player.network.draw(batch, games)
    assert set(drawn) == {0, 1}
    theirs = np.array([one.probabilities(batch, games) for one in player.members])
    found = player.probabilities(batch, games)
    np.testing.assert_array_equal(found, theirs[drawn, np.arange(len(games))])


def test_shares_of_the_run_are_equal_and_all_decisions_count() -> None:
    mine, joined = make(steps=12_000, num_envs=64), []
    while mine.steps < mine.settings.steps:
        before = mine.joined
        mine.update(Logger(None, []))
        if mine.joined > before:
            joined.append(mine.steps)
    assert mine.joined == 4
    assert mine.steps == joined[-1]
    np.testing.assert_allclose(np.diff([0, *joined]), 12_000 / 3, rtol=0.1)
    assert mine.network.shares.sum() == pytest.approx(1.0)


def test_who_has_no_opponents_learns_one_response(tmp_path) -> None:
    chosen = settings(**ORACLES, game="fiddlefoo", params={"cooperative": True}, steps=600)
    run = Run(chosen, tmp_path / "run")
    run.train()
    assert len(run.learner.network.members) == 1
    ours, oracle = run.learner.network.members[0], run.learner.oracle.network
    for one, other in zip(ours.parameters(), oracle.parameters(), strict=True):
        assert torch.equal(one, other)
