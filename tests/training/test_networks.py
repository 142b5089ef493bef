"""Networks: their layers and their inputs."""

from itertools import product

import numpy as np
import pytest
import torch
from tests.conftest import COMPILED

from kitchentable import Batch, find_game
from kitchentable_training.networks import pass_by
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.policy import PolicyPlayer, build_policy, weights_of
from kitchentable_training.networks.pooling import pool, reference_pool
from kitchentable_training.networks.reply_layers import ReplyLayers, ReplySizes
from kitchentable_training.networks.settings import NetworkSettings

pytestmark = pytest.mark.skipif(not COMPILED, reason="training is for compiled rules")


def network(*, rows: bool = False) -> NetworkSettings:
    by_rows = {"action_features": rows, "value_of_actions": rows, "reply_rounds": 2 * rows}
    return NetworkSettings(layers=[8], **by_rows)


def test_named_card_parts_are_vectors_over_the_deck(game) -> None:
    named = set()
    for given in game.rules.variants:
        params = game.make_params(**given)
        kinds, layout = len(game.rules.deck(params)), game.rules.observation_layout(params)
        here = [name for name in game.rules.card_parts if name in layout]
        assert here or not game.rules.card_parts
        assert all(layout[name] % kinds == 0 for name in here)
        named.update(here)
    assert named == set(game.rules.card_parts)


# --- Pooling ------------------------------------------------------------------------------------


def test_groups_are_pooled_as_torch_pools_them() -> None:
    random = torch.Generator().manual_seed(1)
    vectors = torch.rand(40, 7, generator=random).requires_grad_()
    members = torch.rand(12, 40, generator=random) < 0.2
    members[3] = False
    to, which = members.nonzero().unbind(1)
    weights, slopes = torch.rand(12, 14, generator=random), []
    for one in (pool, reference_pool):
        pooled = one(vectors, to, 12, which)
        for group, mine in enumerate(members):
            nothing, some = torch.zeros(14), vectors[mine]
            expected = torch.cat([some.amax(0), some.sum(0)]) if len(some) else nothing
            torch.testing.assert_close(pooled[group], expected)
        slopes += torch.autograd.grad((pooled * weights).sum(), vectors)
    torch.testing.assert_close(*slopes)
    torch.testing.assert_close(pool(vectors[which], to, 12), pooled)


def test_the_first_of_equal_numbers_takes_the_slope_of_the_maximum() -> None:
    vectors = torch.tensor([[1.0], [2.0], [2.0]], requires_grad=True)
    pool(vectors, torch.tensor([0, 0, 0]), 1)[0, 0].backward()
    assert vectors.grad.tolist() == [[0.0], [1.0], [0.0]]


# --- Replies ------------------------------------------------------------------------------------


def replies_one_by_one(
    layers: ReplyLayers, table: torch.Tensor, rows: torch.Tensor
) -> list[torch.Tensor]:
    """Return the output of `ReplyLayers` for the rows of one game, step by step and by name."""
    sizes = layers.sizes
    held = [int(seat[:, -1].sum()) for seat in table]
    fits = table[..., :-1].reshape(sizes.seats, sizes.hand, sizes.hand, sizes.pair)

    def told(first: int) -> torch.Tensor:
        both = torch.zeros(2, sizes.hand + 1)
        for k in range(2):
            both[k, held[(first + k) % sizes.seats]] = 1
        return both.flatten()

    def pool(heard: list[torch.Tensor]) -> torch.Tensor:
        silent = torch.zeros(2 * sizes.units)
        return torch.cat([torch.stack(heard).amax(0), sum(heard)]) if heard else silent

    def after(seat: int, card: int, under: int) -> list[tuple[int, int, int]]:
        """Return the steps that may follow after ``seat`` has laid a card on another one."""
        seat %= sizes.seats
        return [
            (seat, card, following)
            for following in range(sizes.hand)
            if fits[seat, card, following].any() and not (sizes.seats == 2 and following == under)
        ]

    def message(step: tuple[int, int, int], rounds: int) -> torch.Tensor:
        seat, under, card = step
        base = layers.step(torch.cat([fits[step], told(seat + 1)]))
        if rounds == 0:
            return base.relu()
        heard = [message(one, rounds - 1) for one in after(seat + 1, card, under)]
        return (base + layers.rounds[rounds - 1](pool(heard))).relu()

    made = []
    for row in rows:
        played = int(row[sizes.slot : sizes.slot + sizes.hand].argmax())
        facts = row[sizes.replies :].view(sizes.hand, sizes.ways, sizes.way)
        room, replies = layers.room(row[sizes.room]), []
        for reply, way in product(range(sizes.hand), range(sizes.ways)):
            fact = facts[reply, way]
            if fact[0] > 0:
                answers = [
                    (message(one, sizes.rounds) + layers.fit(fits[one] * fact[1:3])).relu()
                    for one in after(1, reply, played)
                ]
                about = torch.cat([fact, torch.eye(sizes.ways)[way], told(1)])
                replies.append((layers.reply(about) + room + layers.answers(pool(answers))).relu())
        made.append(pool(replies))
    return made


@pytest.mark.parametrize("seats", [2, 3])
def test_replies_are_followed_as_they_are_one_by_one(seats) -> None:
    torch.manual_seed(seats)
    game, params = find_game("addtoo"), {"num_players": seats}
    batch = Batch(game, 6, seed=3, **params)
    inputs = NetworkInputs(game, batch.params, action_features=True, pairs=True)
    sizes = inputs.reply_sizes(2)
    assert sizes is not None
    sizes = sizes._replace(units=4)
    layers, checked = ReplyLayers(sizes), 0
    for _ in range(12):
        seen = inputs.tensor(batch.observations, batch.masks)
        rows = seen[:, -inputs.num_row_numbers :].view(6, *inputs.action_rows)
        follow = seen[:, : -inputs.num_row_numbers][:, -sizes.numbers :]
        games, order = rows[:, :, 0].nonzero().unbind(1)
        made = layers(follow, rows[games, order], games)
        tables = follow.view(6, seats, 5, 11)
        expected = [
            one
            for table, mine in zip(tables, rows, strict=True)
            for one in replies_one_by_one(layers, table, mine[mine[:, 0] > 0])
        ]
        torch.testing.assert_close(made, torch.stack(expected))
        checked += int(made.any(dim=1).sum())
        batch.step(batch.sample_actions())
    assert checked > 100


def test_replies_may_be_none_at_all() -> None:
    sizes = ReplySizes(
        seats=2,
        hand=5,
        pair=2,
        slot=3,
        room=slice(8, 20),
        replies=20,
        ways=2,
        way=3,
        rounds=1,
        units=4,
    )
    made = ReplyLayers(sizes)(torch.zeros(3, 110), torch.zeros(2, 50), torch.tensor([0, 2]))
    assert made.tolist() == torch.zeros(2, 8).tolist()
    nothing = torch.zeros(0, dtype=torch.long)
    assert ReplyLayers(sizes)(torch.zeros(3, 110), torch.zeros(0, 50), nothing).shape == (0, 8)


# --- All of them --------------------------------------------------------------------------------


def test_every_part_of_a_network_learns_and_action_features_pass_by() -> None:
    game = find_game("addtoo")
    params = game.make_params()
    policy = build_policy(game, params, network(rows=True))
    inputs = NetworkInputs(game, params, action_features=True, pairs=True)
    batch = Batch(game, 64, seed=1)
    for _ in range(6):
        batch.step(batch.sample_actions())
    seen = inputs.tensor(batch.observations, batch.masks)
    latent = policy.mlp_extractor.forward_actor(policy.extract_features(seen))
    assert latent.made.shape == (64, 8)
    rows = seen[:, -inputs.num_row_numbers :].view(64, *inputs.action_rows)
    for i, mine in enumerate(rows):
        passed = latent.rows[: latent.used][latent.games[: latent.used] == i]
        torch.testing.assert_close(passed[:, : mine.shape[1]], mine[mine[:, 0] > 0])
    chances = policy.get_distribution(seen).distribution.logits
    torch.autograd.backward(chances[:, 0].sum() + policy.predict_values(seen).sum())
    assert all(weights.grad.any() for weights in policy.parameters())


def test_actions_are_drawn_with_the_probabilities_that_are_told() -> None:
    """Sample in many copies of one game; otherwise the most probable action is played."""
    game, count = find_game("diddly"), 20_000
    batch = Batch(game, count, seed=1)
    batch.states[:] = batch.states[:1]
    batch.look()
    policy = build_policy(game, batch.params, network())
    torch.nn.init.normal_(policy.action_net.bias, generator=torch.Generator().manual_seed(1))
    inputs = NetworkInputs(game, batch.params)
    player = PolicyPlayer(policy, inputs, "one", deterministic=False)
    chances = player.probabilities(batch.observations[:1], batch.masks[:1])[0]
    actions = player.act(batch, np.arange(count))
    shares = np.bincount(actions, minlength=len(chances)) / count
    np.testing.assert_allclose(shares, chances, atol=4 * np.sqrt(0.25 / count))
    assert np.ptp(chances[batch.masks[0]]) > 0.1
    player.seed(0)
    assert (player.act(batch, np.arange(count)) == actions).all()
    player.deterministic = True
    assert (player.act(batch, np.arange(count)) == chances.argmax()).all()


def test_batches_have_few_different_numbers_of_rows_and_little_padding() -> None:
    sizes = {count + pass_by._padding(count) for count in range(4096, 8192)}
    assert len(sizes) <= 17
    assert all(0 <= pass_by._padding(count) <= count / 16 for count in range(10_000))


@pytest.mark.parametrize("rows", [False, True])
def test_the_form_of_weights_is_known_without_them(rows) -> None:
    """Loading compares checkpoints with this form."""
    for game in (find_game("diddly"), find_game("fiddlefoo"), find_game("addtoo")):
        params = game.make_params()
        forms = weights_of(game, params, network(rows=rows))
        built = build_policy(game, params, network(rows=rows)).state_dict()
        assert {name: (one.shape, one.dtype) for name, one in forms.items()} == {
            name: (one.shape, one.dtype) for name, one in built.items()
        }
        assert all(one.is_meta for one in forms.values())
