"""Self-play: it learns from what is played, and a resumed run continues as if never stopped."""

from copy import deepcopy

import numpy as np
import pytest
import torch
from stable_baselines3.common.logger import Logger
from tests.conftest import play_on
from tests.training.tiny_settings import (
    ALL,
    FICTITIOUS,
    LEAGUE,
    MIRROR_DESCENT,
    MONTE_CARLO,
    NETWORK,
    ORACLES,
    REGULARIZED,
    TAUGHT,
    check_resumed,
    learner,
    settings,
)

from kitchentable import Batch, all_games, find_game
from kitchentable.core.state import slices
from kitchentable.games.fiddlefoo.rules import team_potential
from kitchentable_training.algorithms import ppo
from kitchentable_training.algorithms.critic import copy_tables, leave_one_out
from kitchentable_training.algorithms.dmc import epsilon_greedy
from kitchentable_training.algorithms.lookahead import TEMPERATURE
from kitchentable_training.algorithms.magnet import RATE
from kitchentable_training.algorithms.rollout import Minibatch
from kitchentable_training.algorithms.seating import LEARNER
from kitchentable_training.networks.inputs import MASK, OBSERVATION, RELATIONS, NetworkInputs
from kitchentable_training.networks.network import log_policy, masked_logits_and_values
from kitchentable_training.networks.policy import PolicyPlayer
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.players.checkpoint import read_tensors
from kitchentable_training.runs.run import Run

IN_LEAGUE, TEAM, STILL = {"opponents": LEAGUE}, {"cooperative": True}, {"learning_rate": 1e-30}
TABLES = [
    ("quiddler_solitaire", {}), ("diddly", {"num_players": 8, "rounds": 1}),
    ("addtoo", {"num_players": 3}), ("fiddlefoo", TEAM),
]  # fmt: skip
"""One to eight seats, and a team."""


def quiet():
    return Logger(None, [])


def state_of(network):
    return {name: one.detach().clone() for name, one in network.state_dict().items()}


# --- Rollouts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "params"), TABLES)
@pytest.mark.parametrize("episode", ["game", "hand"])
def test_every_decision_is_learned_from_and_owed_what_its_episode_pays(game, params, episode):
    """Replay two rollouts and sum up by hand what follows each decision.

    Positions with a single legal action are no decisions, except the first of an episode.
    """
    reward = {"reward": "margin"} if episode == "hand" else {}
    chosen = settings(
        STILL | {"n_steps": 300, "batch_size": 1200, "gae_lambda": 1.0},
        game=game, params=params | reward, episode=episode, num_envs=12, steps=1 << 30,
    )  # fmt: skip
    mine = learner(chosen)
    batch = Batch(find_game(game), 12, seed=chosen.seed, **chosen.params)
    finished, first = 0, np.ones(12, bool)
    for _ in range(2):
        mine.update(quiet())
        rollout = mine.rollout
        assert rollout.learned.all()
        paid, ends = [], []
        for t in range(300):
            np.testing.assert_array_equal(rollout.inputs.masks[t].numpy(), batch.masks)
            np.testing.assert_array_equal(rollout.inputs.flat[t].numpy(), batch.observations)
            movers = batch.current_player.copy()
            np.testing.assert_array_equal(rollout.movers[t], movers)
            decided = (batch.masks.sum(axis=1) > 1) | (ends[-1] if ends else first)
            assert decided.all()
            brought, over = play_on(batch, rollout.actions[t].numpy(), by_hand=episode == "hand")
            paid.append(brought)
            ends.append(over)
        first = ends[-1]
        gains = rollout.advantages.numpy() + rollout.values[:-1].numpy()
        sums = np.cumsum(paid, axis=0)
        for i in range(12):
            lasts = np.flatnonzero([one[i] for one in ends])
            for t in range(lasts[-1] + 1 if len(lasts) else 0):
                last, seat = lasts[np.searchsorted(lasts, t)], rollout.movers[t, i]
                owed = sums[last, i, seat] - sums[t, i, seat] + paid[t][i, seat]
                assert gains[t, i] == pytest.approx(owed, abs=1e-4)
                finished += 1
    assert mine.steps == 2 * 12 * 300
    assert finished > 300


def test_what_follows_a_rollout_and_what_a_limit_pays_is_told():
    """Diddly ends after two turns, often at this limit, which pays nothing."""
    chosen = settings(
        STILL | {"gae_lambda": 1.0, "n_steps": 32}, params={"rounds": 1, "turn_limit": 2},
        steps=1 << 30,
    )  # fmt: skip
    mine = learner(chosen)
    mine.update(quiet())
    rollout = mine.rollout
    batch = Batch(find_game("diddly"), 32, seed=chosen.seed, **chosen.params)
    limited = 0
    for t in range(32):
        paid, over = play_on(batch, rollout.actions[t].numpy())
        np.testing.assert_array_equal(rollout.ends[t], over)
        at_limit = over & ~paid.any(axis=1)
        assert batch.final_states["truncated"][at_limit].all()
        lost = -rollout.values[t, at_limit]
        np.testing.assert_allclose(rollout.advantages[t, at_limit], lost, atol=1e-6)
        limited += at_limit.sum()
    assert limited > 32
    np.testing.assert_array_equal(rollout.movers[-1], batch.current_player)
    with torch.no_grad():
        shown = mine.inputs.tensors(batch)
        values = mine.evaluate(mine.network, shown)[1].numpy()
    np.testing.assert_allclose(rollout.values[-1], values, rtol=1e-4, atol=1e-6)


def test_a_team_is_estimated_as_if_one_seat_made_all_decisions():
    chosen = settings(
        STILL | {"n_steps": 200, "batch_size": 6400, "gae_lambda": 0.8}, game="fiddlefoo",
        params=TEAM | {"reward": "margin"}, steps=1 << 30,
    )  # fmt: skip
    mine = learner(chosen)
    mine.update(quiet())
    rollout = mine.rollout
    going, values = ~rollout.ends.numpy(), rollout.values.numpy()
    rewards = rollout.rewards.numpy()
    following = np.zeros(32)
    for t in reversed(range(200)):
        td_error = rewards[t, :, 0] + going[t] * values[t + 1] - values[t]
        following = td_error + 0.8 * going[t] * following
        np.testing.assert_allclose(rollout.advantages[t], following, atol=1e-5)
    assert len(np.unique(rollout.movers)) == 4
    assert not going.all()


def test_at_tables_of_the_league_one_seat_learns():
    network = NETWORK | {"relations": True}
    chosen = settings(STILL | {"league": 0.25}, opponents=LEAGUE, num_envs=64, network=network)
    mine = learner(chosen)
    before = mine.seating.numbers.numpy().copy()
    assert ((before[:16] == LEARNER).sum(axis=1) == 1).all()
    assert (before[16:] == LEARNER).all()
    mine.update(quiet())
    learned = mine.rollout.learned.numpy()
    assert learned[:, 16:].all()
    assert 0.2 < learned[:, :16].mean() < 0.8
    first = before[np.arange(64), mine.rollout.movers[0]]
    np.testing.assert_array_equal(learned[0], first == LEARNER)
    assert mine.steps == learned.sum()
    assert not mine.rollout.advantages.numpy()[~learned].any()
    assert not mine.rollout.values[:-1].numpy()[~learned].any()
    # It learned from the inputs that it was shown, with the values it computed for them.
    batch = Batch(find_game("diddly"), 64, seed=chosen.seed, **chosen.params)
    for t, rows in enumerate(learned):
        shown = mine.inputs.tensors(batch, np.asarray(rows))
        recorded = mine.rollout.inputs.at(t)
        for name in (OBSERVATION, RELATIONS, MASK):
            np.testing.assert_array_equal(recorded[name][rows], shown[name])
        with torch.no_grad():
            logits, values = masked_logits_and_values(mine.network, shown)
        logs = logits.log_softmax(dim=1).gather(1, mine.rollout.actions[t, rows][:, None])
        torch.testing.assert_close(mine.rollout.log_probs[t, rows], logs[:, 0])
        torch.testing.assert_close(mine.rollout.values[t, rows], values)
        play_on(batch, mine.rollout.actions[t].numpy())


def test_a_step_may_have_no_decision_of_the_learner():
    """The network cannot take an empty batch; at two tables of eight, most steps are of others."""
    chosen = settings(
        {"league": 1.0, "batch_size": 32}, opponents=LEAGUE, num_envs=2,
        params={"num_players": 8, "rounds": 1}, network=NETWORK | {"relations": True},
    )  # fmt: skip
    mine = learner(chosen)
    mine.update(quiet())
    assert not mine.rollout.learned.any(axis=1).all()


# --- Learning -------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", [{}, MONTE_CARLO], ids=["ppo", "dmc"])
def test_self_play_learns(algorithm, tmp_path) -> None:
    """It learns to win chips from `random`; the other algorithms learn to play Kuhn poker."""
    own = {"learning_rate": 0.003, "batch_size": 256, "n_epochs": 2}
    chosen = settings(
        own if algorithm else own | {"normalize_advantage": True}, game="leduc_poker",
        params={"reward": "margin"}, steps=40_960, num_envs=64, network={"layers": [32]},
        evaluation={"every": 1 << 20, "final_deals": 300, "opponents": ["random"]}, **algorithm,
    )  # fmt: skip
    run = Run(chosen, tmp_path / "run")
    before = run.evaluate(300)["opponents"]["random"]["difference_interval"]
    run.train()
    after = run.evaluate(300)["opponents"]["random"]["difference_interval"]
    assert before[0] < 0
    assert after[0] > 0.4


def test_each_epoch_goes_through_every_decision_once_a_minibatch_at_a_time():
    mine, rows, losses = learner(settings({"n_epochs": 3, "batch_size": 128})), [], []
    add_gradients, log = mine._add_gradients, quiet()

    def watched(some):
        figures = add_gradients(some)
        rows.append(some)
        losses.append(figures["value_loss"])
        return figures

    mine._add_gradients = watched
    mine.update(log)
    assert log.name_to_value["train/value_loss"] == pytest.approx(np.mean(losses))
    assert [len(some) for some in rows] == 12 * [128]
    for epoch in range(3):
        assert sorted(torch.cat(rows[4 * epoch : 4 * epoch + 4]).tolist()) == list(range(512))


@pytest.mark.parametrize("normalize", [True, False])
def test_advantages_of_a_minibatch_are_normalized_if_that_is_wanted(normalize):
    mine, found = learner(settings({"normalize_advantage": normalize})), []
    back = mine.backward
    mine.backward = lambda *seen: found.append(seen[2].advantages) or back(*seen)
    mine.update(quiet())
    assert len(found) == 8
    for gains in found:
        is_normal = abs(gains.mean()) < 1e-5 and abs(gains.std() - 1) < 1e-3
        assert is_normal == normalize


def test_a_gradient_is_no_longer_than_it_may_be():
    """Such short gradients move nothing, compared with the constant in Adam's denominator."""
    mine = learner(settings({"max_grad_norm": 1e-12, "learning_rate": 0.01}))
    before = state_of(mine.network)
    mine.update(quiet())
    torch.testing.assert_close(state_of(mine.network), before, atol=1e-6, rtol=0.0)


def test_schedules_go_down_a_line():
    own = {
        "learning_rate": 0.01, "final_learning_rate": 0.0, "ent_coef": 0.5, "final_ent_coef": 0.1,
    }  # fmt: skip
    mine, found = learner(settings(own, steps=1024)), []
    learn = mine.learn

    def watched():
        found.append((mine.optimizer.param_groups[0]["lr"], mine.loss_weights.entropy))
        return learn()

    mine.learn = watched
    for _ in range(2):
        mine.update(quiet())
    assert found == [pytest.approx(one) for one in ((0.01, 0.5), (0.005, 0.3))]


def test_where_bfloat16_would_be_emulated_layers_multiply_in_float32(monkeypatch, caplog):
    monkeypatch.setattr("torch.backends.mkldnn.is_available", lambda: False)
    learned = []
    for bfloat16 in (True, False):
        mine = learner(settings({"bfloat16": bfloat16}))
        mine.update(quiet())
        learned.append([one.tolist() for one in mine.network.parameters()])
    assert caplog.messages == ["this device has no bfloat16: learning in float32 instead"]
    assert learned[0] == learned[1]


def test_an_update_in_which_the_learner_never_decides_changes_nothing(monkeypatch):
    mine = learner(settings({"league": 1.0}, opponents=LEAGUE))
    before = state_of(mine.network)
    monkeypatch.setattr(ppo, "LEARNER", 99)
    mine.update(quiet())
    assert mine.steps == 0
    torch.testing.assert_close(state_of(mine.network), before, atol=0.0, rtol=0.0)


def test_networks_in_the_other_seats_multiply_as_the_learners(monkeypatch):
    monkeypatch.setattr(ppo, "multiplies_bfloat16", lambda *_, **__: True)
    mine = learner(settings({"league": 1.0, "bfloat16": True}, opponents=LEAGUE))
    other = PolicyPlayer(deepcopy(mine.network), mine.inputs, "other")
    made = []
    other.network.policy.register_forward_hook(lambda _, __, logits: made.append(logits.dtype))
    mine.seating.pool.add_past_self(other, np.array([]))
    mine.seating.begin()
    mine.update(quiet())
    assert set(made) == {torch.bfloat16}


def test_the_magnet_holds_the_policy_and_follows_it():
    moved = []
    for coef in (0.0001, 1000.0):
        own = {"learning_rate": 0.003, "n_epochs": 4}
        mine = learner(settings(own | {"magnet_coef": coef}))
        start = [one.detach().clone() for one in mine.network.parameters()]
        mine.update(quiet())
        now = [one.detach() for one in mine.network.parameters()]
        (magnet,) = mine.options
        magnet.begin_rollout(mine)
        for was, mean, policy in zip(start, magnet.network.parameters(), now, strict=True):
            torch.testing.assert_close(mean.detach(), was.lerp(policy, RATE))
        shown, fresh = mine.rollout.inputs.at(0), learner(settings(own))
        both = [masked_logits_and_values(one.network, shown)[0] for one in (mine, fresh)]
        logs = [logits.log_softmax(1) for logits in both]
        moved.append((logs[0].exp() * (logs[0] - logs[1])).sum(1).mean().item())
    assert 0 <= moved[1] < 0.1 * moved[0]


@torch.no_grad()
def tried(mine, worth_of_leaf):
    """Return the result of `Trials` for the learner's games, with given values of leaves."""
    (lookahead,) = mine.options
    worth = lookahead.trials.action_values(0, lambda *leaf: torch.as_tensor(worth_of_leaf(*leaf)))
    assert worth.shape == mine.games.masks.shape
    return worth.numpy()


LOOKAHEAD = {"lookahead": 2, "magnet_coef": 1.0}


@pytest.mark.parametrize(
    ("game", "params", "episode"),
    [
        ("quiddler_solitaire", {}, "game"), ("fiddlefoo", {"num_players": 2}, "game"),
        ("addtoo", {"num_players": 2, "reward": "margin"}, "hand"),
        ("fiddlefoo", {"cooperative": True, "reward": "margin"}, "hand"),
    ],
)  # fmt: skip
def test_lookahead_finds_what_each_legal_action_leads_to(game, params, episode):
    """Each action is played separately; a leaf is worth the sum of what its mover sees."""
    mine = learner(settings(LOOKAHEAD, game=game, params=params, episode=episode, num_envs=8))
    batch, deals = mine.games.batch, 2
    one = Batch(batch.game, 8, seed=0, autoreset=False, **batch.params.as_dict())
    checked = 0
    for _ in range(8):
        movers, masks = batch.current_player.astype(np.int64), batch.masks.copy()
        found = tried(mine, lambda tables, on: tables.observations[on].sum(axis=1))
        wanted = np.zeros_like(found)
        for seed in np.random.SeedSequence([mine.settings.seed, 0]).generate_state(deals):
            for action in range(masks.shape[1]):
                some = np.flatnonzero(masks[:, action] & (masks.sum(axis=1) > 1))
                one.states[:] = batch.states
                one.look()
                one.redeal(movers, int(seed))
                moves = np.full(8, -1)
                moves[some] = action
                paid, over = play_on(one, moves, by_hand=episode == "hand")
                for i in some:
                    allied = batch.is_team or one.current_player[i] == movers[i]
                    leaf = 0.0 if over[i] else (1 if allied else -1) * one.observations[i].sum()
                    wanted[i, action] += (paid[i, movers[i]] + leaf) / deals
                    checked += 1
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
        batch.step(batch.sample_actions())
    assert checked > 200


def test_the_policy_learns_what_lookahead_finds():
    """It gets closer to the softmax of the action values, whatever was played."""
    params = {"num_players": 2, "reward": "margin"}
    chosen = settings(LOOKAHEAD | {"learning_rate": 0.01}, game="addtoo", params=params)
    mine, everything = learner(chosen), torch.arange(32 * 16)
    player = PolicyPlayer(mine.network, mine.inputs, "mine")

    def minibatch():
        found = mine._minibatch(everything)
        mine.options[0].loss(mine, found)
        return found

    @torch.no_grad()
    def divergence(network):
        found = minibatch()
        logs = masked_logits_and_values(network, found.inputs)[0].log_softmax(dim=1)
        gaps = (logs.exp() * (logs - found.reference)).masked_fill(~found.inputs[MASK], 0.0)
        return gaps.sum(dim=1).mean().item()

    action_values = tried(mine, player.values)
    wanted = np.where(mine.games.masks, np.exp(action_values / TEMPERATURE), 0.0)
    mine.update(quiet())  # plays, and learns at a rate of 0.01
    found = minibatch()
    assert not found.advantages.any()
    shares = found.reference[:32].exp().numpy()
    np.testing.assert_allclose(shares, wanted / wanted.sum(axis=1, keepdims=True), rtol=1e-4)
    for _ in range(20):
        mine.learn()
    assert divergence(mine.network) < divergence(learner(chosen).network) / 2


def test_shaping_pays_a_team_for_its_piles_and_takes_that_back_at_the_end():
    """With the same decisions with and without shaping, the difference is the piles' value."""
    params, own = TEAM | {"reward": "margin"}, {"n_steps": 600, "batch_size": 2400}
    plain, shaped = (
        learner(settings(own | {"shaping": shaping}, game="fiddlefoo", params=params, num_envs=4))
        for shaping in (False, True)
    )
    for one in (plain, shaped):
        one.collect()
    np.testing.assert_array_equal(plain.rollout.actions, shaped.rollout.actions)
    batch = Batch(find_game("fiddlefoo"), 4, seed=1, **params)
    potential = team_potential(batch.states)
    for t, actions in enumerate(np.asarray(plain.rollout.actions)):
        before = potential
        _, over = play_on(batch, actions)
        potential = team_potential(batch.states)
        told = np.asarray(shaped.rollout.rewards[t] - plain.rollout.rewards[t])
        wanted = np.broadcast_to((potential * ~over - before)[:, None], told.shape)
        np.testing.assert_allclose(told, wanted, atol=1e-5)
    assert plain.rollout.ends.any()


def test_the_critic_that_sees_everything_never_plays(tmp_path):
    run = Run(settings({"full_state_critic": True}), tmp_path / "run")
    critic = run.learner.options[0].network
    start = state_of(critic)
    final = run.train()
    assert all(not torch.equal(one, start[name]) for name, one in state_of(critic).items())
    wanted = run.learner.network.state_dict()
    assert read_tensors(final, "weights.safetensors").keys() == wanted.keys()
    assert run.learner.games.batch.observe_state().shape[1] > 0


@pytest.mark.parametrize("layers", [[], [8]])
def test_advantages_go_by_what_the_critic_expects_of_the_full_state(layers):
    """It reads no action features."""
    network = {"layers": layers, "action_features": True, "relations": True}
    one, seen = learner(settings({"full_state_critic": True}, network=network)), []
    (critic,) = one.options
    critic.network.register_forward_hook(lambda _, inputs, values: seen.append((*inputs, values)))
    one.collect()
    size = one.inputs.flat_size
    for t, (inputs, values) in enumerate(seen):
        torch.testing.assert_close(one.rollout.values[t], values[:, 0])
        torch.testing.assert_close(inputs[:, :size], one.rollout.inputs.flat[t])
    np.testing.assert_array_equal(seen[-1][0][:, size:], one.games.observe_state())


def test_duplicate_tables_have_the_same_cards_to_come():
    one = learner(settings({"duplicates": 3}, game="quiddler", params={}, num_envs=8))
    for _ in range(3):
        one.collect()
    copy_tables(one.games, one.seating, 4)
    one.look()
    batch = one.games.batch
    for _ in range(300):
        legal = batch.masks.argmax(axis=1)
        for table in range(0, 8, 4):
            copies = batch.records[table : table + 4].tobytes()
            assert copies == 4 * batch.records[table].tobytes()
        batch.step(legal)
    assert batch.records[0].tobytes() != batch.records[4].tobytes()


def test_the_baseline_is_what_the_same_episode_paid_at_the_other_tables():
    """Compared with sums over each table, of random payoffs."""
    one = learner(settings({"duplicates": 3}, num_envs=8))
    rollout, rng = one.rollout, np.random.default_rng(1)
    of = torch.from_numpy
    rollout.rewards[:] = of(rng.normal(size=rollout.rewards.shape))
    rollout.ends[:] = of(rng.random(rollout.ends.shape) < 0.2)
    rollout.movers[:] = of(rng.integers(2, size=rollout.movers.shape))
    paid = {}  # by table and episode, for finished ones
    for table in range(8):
        first = 0
        for episode, last in enumerate(np.flatnonzero(rollout.ends[:, table])):
            paid[table, episode] = rollout.rewards[first : last + 1, table].numpy().sum(axis=0)
            first = last + 1
    found, checked = leave_one_out(rollout, 4), set()
    for t in range(17):
        for table in range(8):
            episode = int(rollout.ends[:t, table].sum())
            group = set(range(table // 4 * 4, table // 4 * 4 + 4)) - {table}
            others = [paid[other, episode] for other in group if (other, episode) in paid]
            mean = np.mean([other[rollout.movers[t, table]] for other in others]) if others else 0
            assert found[t, table].tolist() == pytest.approx([mean, float(bool(others))], abs=1e-5)
            checked.add(len(others))
    assert checked == {0, 1, 2, 3}


# --- Deep Monte Carlo -----------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
def test_the_best_action_is_played_but_for_epsilon(epsilon):
    """Of two that are equally good, it is the first one."""
    action_values = torch.tensor([[9.0, 1.0, 3.0, 2.0], [0.0, -5.0, 0.0, -6.0], [7.0, 4.0, 0, 4.0]])
    masks = torch.tensor([[False, True, True, True], [False, True, False, True], [False, True] * 2])
    values, logits = epsilon_greedy(action_values, masks, epsilon)
    assert values.tolist() == [3.0, -5.0, 4.0]
    wanted = masks * epsilon / masks.sum(dim=1, keepdim=True)
    for row, best in enumerate([2, 1, 1]):
        wanted[row, best] += 1 - epsilon
    torch.testing.assert_close(log_policy(logits, masks).exp(), wanted, atol=1e-7, rtol=1e-5)


def test_the_worth_of_the_played_action_alone_is_learned():
    mine = learner(settings({"vf_coef": 0.7}, **MONTE_CARLO))
    # Nothing is known yet of the fourth one, the last decision of its seat in the rollout.
    is_known = torch.arange(8) != 3
    mine.rollout.advantages.view(-1)[:8] = 0.1 * is_known
    make = torch.Generator().manual_seed(0)
    logits = torch.randn(8, 5, generator=make, requires_grad=True)
    values = torch.randn(8, generator=make, requires_grad=True)
    actions, nothing = torch.arange(8) % 5, torch.zeros(8)
    returns = torch.randn(8, generator=make)
    masks = {MASK: torch.ones(8, 5, dtype=torch.bool)}
    given = (torch.arange(8), masks, actions, nothing, nothing, returns)
    minibatch = Minibatch(*given, reference=torch.empty(8, 0))
    found = mine.backward(logits, values, minibatch)
    errors = is_known * (logits.detach()[torch.arange(8), actions] - returns)
    wanted = torch.zeros(8, 5)
    wanted[torch.arange(8), actions] = 2 * errors / 8
    torch.testing.assert_close(logits.grad, wanted)
    torch.testing.assert_close(values.grad, 0.7 * 2 * (values.detach() - returns) / 8)
    assert found["action_value_loss"] == pytest.approx(errors.square().mean().item())


def test_a_decision_is_expected_to_pay_what_its_best_legal_action_is_worth():
    mine = learner(settings(**MONTE_CARLO))
    mine.collect()
    rollout, best = mine.rollout, []
    with torch.no_grad():
        for t, masks in enumerate(rollout.inputs.masks):
            action_values, _ = mine.network(rollout.inputs.at(t))
            best.append(action_values.masked_fill(~masks, -torch.inf).amax(dim=1).tolist())
    torch.testing.assert_close(rollout.values, torch.tensor(best))


def test_a_run_explores_less_and_less():
    """At the end it does not explore: the action of highest value is played."""
    chosen = settings({"epsilon": 1.0, "final_epsilon": 0.0}, **MONTE_CARLO, steps=1024)
    mine, best = learner(chosen), []
    for epsilon in (1.0, 0.5, 0.0):
        assert mine.epsilon == epsilon
        shown = mine.rollout.inputs.at(-1)
        masks = shown[MASK].clone()
        with torch.no_grad():
            action_values, _ = masked_logits_and_values(mine.network, shown)
        mine.update(quiet())
        played = mine.rollout.actions[0]
        assert masks[torch.arange(32), played].all()
        best.append((action_values.argmax(1) == played).float().mean().item())
    assert best[0] < best[1] < best[2] == 1.0


@pytest.mark.parametrize("algorithm", [{}, MONTE_CARLO], ids=["ppo", "dmc"])
def test_past_selves_draw_but_for_those_that_know_what_is_worth_most(algorithm, tmp_path):
    run = Run(settings({"league": 1.0}, opponents=LEAGUE, **algorithm), tmp_path / "run")
    run.add_past_self()
    (past,) = run.pool.past.values()
    assert past.deterministic == bool(algorithm)


# --- Runs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "more", "until"),
    [
        ({}, {}, "game"), ({"gamma": 0.9}, {}, None), ({"gamma": 0.9}, MONTE_CARLO, None),
        ({}, REGULARIZED, None), ({"eta": 0}, REGULARIZED, "game"),
    ],
)  # fmt: skip
def test_only_a_value_of_what_is_paid_has_an_end(own, more, until):
    assert settings(own, **more).training.value_until("game") == until


@pytest.mark.parametrize(
    ("own", "more"),
    [
        ({}, {}),
        (ALL, IN_LEAGUE),
        ({"duplicates": 3, "full_state_critic": True}, {}),
        (LOOKAHEAD, {}),
        ({}, MIRROR_DESCENT),
        ({"league": 0.5, "bfloat16": True, "delta_m": 600, "n_epochs": 2}, REGULARIZED | IN_LEAGUE),
        ({"league": 1.0, "bfloat16": True}, MONTE_CARLO | IN_LEAGUE),
        ({}, FICTITIOUS),
        ({}, ORACLES | {"network": NETWORK | {"action_features": True}}),
    ],
    ids=["plain", "all options", "duplicates", "lookahead", "mmd", "rnad", "dmc", "nfsp", "psro"],
)
def test_a_run_that_is_left_at_every_update_ends_with_the_same_weights(own, more, tmp_path):
    chosen = settings(own, steps=1536, checkpoints_kept=99, checkpoint_seconds=0.0001, **more)
    check_resumed(chosen, tmp_path)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"own": {"shaping": True}, "game": "fiddlefoo", "params": {}}, "shaping: only for a team"),
        ({"own": {"shaping": True}}, "training.shaping: diddly has none"),
        ({"own": {"duplicates": 2}}, r"duplicates=2: num_envs=32 is no multiple of 3"),
        ({"own": {"duplicates": 1, "league": 0.5}}, r"duplicates: .* set training.league to 0"),
        (IN_LEAGUE, "training.league is 0"),
        ({"own": {"league": 0.5}}, "at least one of scripted or trained"),
        ({"own": {"shaping": True, "gamma": 0.9}, "game": "fiddlefoo", "params": TEAM},
         "training.shaping: set training.gamma to 1"),
        ({"own": {"lookahead": 1}}, "set training.magnet_coef, which weights it"),
        ({"own": LOOKAHEAD | {"league": 0.5}}, "lookahead: set training.league to 0"),
        ({"own": LOOKAHEAD, "params": {"num_players": 3, "reward": "margin"}},
         "training.lookahead: only for one or two seats, or for a team"),
        ({"own": LOOKAHEAD | {"gamma": 0.9}}, "lookahead: set training.gamma to 1"),
        (MONTE_CARLO | {"own": {"duplicates": 1}}, "training.duplicates: there is no such setting"),
        (MONTE_CARLO | {"behavior_cloning": TAUGHT | {"player": "greedy"}},
         "learns values, no policy; set behavior_cloning to null"),
        (MONTE_CARLO | {"network": NETWORK | {"action_features": True}},
         "network.best_row: .* which algorithm: dmc learns; set it to true"),
        (FICTITIOUS | IN_LEAGUE, "algorithm: nfsp learns in self-play only; set"),
        (ORACLES | IN_LEAGUE, "other players of algorithm: psro are its own popul"),
        (ORACLES | {"start": "diddly_2p"}, "start: the population of .* with random weights"),
        (FICTITIOUS | {"num_envs": 512}, "replay_size=600 is less than a rollout, .* = 2048"),
    ],
)  # fmt: skip
def test_settings_that_do_not_fit_together_are_named(more, message):
    with pytest.raises(ValueError, match=message):
        settings(**more)


# --- What is shown --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n, g in sorted(all_games().items()) if g.rules.card_parts])
def test_relations_are_the_products_of_every_two_vectors_over_cards(name):
    game = find_game(name)
    batch = Batch(game, 16, seed=3)
    for _ in range(25):
        batch.step(batch.sample_actions())
    inputs = NetworkInputs(game, batch.params, NetworkSettings(relations=True))
    seen = inputs(batch)
    assert list(seen) == [OBSERVATION, RELATIONS]
    np.testing.assert_array_equal(seen[OBSERVATION], batch.observations)
    kinds = len(game.rules.deck(batch.params))
    parts = slices(game.rules.observation_layout(batch.params))
    vectors = [batch.observations[:, parts[one]] for one in game.rules.card_parts if one in parts]
    cards = np.concatenate([one.reshape(16, -1, kinds) for one in vectors], axis=1)
    products = cards @ cards.transpose(0, 2, 1)
    first, second = np.triu_indices(cards.shape[1])
    np.testing.assert_allclose(seen[RELATIONS], products[:, first, second], atol=1e-5)
    assert seen[RELATIONS].any()
