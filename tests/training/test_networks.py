"""Networks: their layers and their inputs."""

from itertools import product

import numpy as np
import pytest
import torch

from kitchentable import Batch, find_game
from kitchentable_training.algorithms.rollout import RecordedInputs
from kitchentable_training.networks.inputs import (
    ACTIONS,
    COUNTS,
    FEATURES,
    MASK,
    NetworkInputs,
    pack,
    padded,
)
from kitchentable_training.networks.network import Rows, build_network
from kitchentable_training.networks.policy import PolicyPlayer, weights_of
from kitchentable_training.networks.pooling import pool, reference_pool
from kitchentable_training.networks.reply_layers import ReplyLayers, ReplySizes
from kitchentable_training.networks.settings import PAIRS, NetworkSettings
from kitchentable_training.networks.sparse import FEWEST_ROWS, SparseLinear


def network(*, rows: bool = False) -> NetworkSettings:
    by_rows = {"action_features": rows, "value_of_actions": rows, "reply_rounds": 2 * rows}
    return NetworkSettings(layers=[8], **by_rows)


def by_decision(shown):
    """Return the rows of action features of each decision, without padding."""
    counts = shown[COUNTS].tolist()
    return shown[FEATURES][: sum(counts)].split(counts)


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


@pytest.mark.parametrize(("share", "skips"), [(0.1, True), (0.5, False)])
def test_a_layer_that_skips_zeros_gives_and_learns_what_any_other_does(share, skips) -> None:
    random = torch.Generator().manual_seed(1)
    inputs = torch.rand(FEWEST_ROWS, 60, generator=random) - 0.5
    inputs[torch.rand(inputs.shape, generator=random) >= share] = 0.0
    inputs[3], inputs[:, 5] = 0.0, 0.0
    layer, slopes = SparseLinear(60, 9), torch.rand(FEWEST_ROWS, 9, generator=random)
    outputs = layer(inputs)
    assert ("Sparse" in outputs.grad_fn.name()) is skips
    weights = tuple(layer.parameters())
    expected = torch.nn.functional.linear(inputs, *weights)
    torch.testing.assert_close(outputs, expected)
    learned = torch.autograd.grad((outputs * slopes).sum(), weights)
    torch.testing.assert_close(learned, torch.autograd.grad((expected * slopes).sum(), weights))
    torch.testing.assert_close(layer(inputs[:, None]), expected[:, None])
    with pytest.raises(RuntimeError, match="shape"):
        layer(inputs[:, 1:])


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
    batch = Batch(game, 3, seed=3, **params)
    inputs = NetworkInputs(game, batch.params, network(rows=True))
    sizes = inputs.reply_sizes(2)
    assert sizes is not None
    sizes = sizes._replace(units=4)
    layers, checked = ReplyLayers(sizes), 0
    for _ in range(6):
        shown = inputs.tensors(batch)
        rows = Rows.of(shown)
        made = layers(shown[PAIRS], rows.features, rows.games)[: rows.used]
        tables = shown[PAIRS].view(3, seats, 5, 11)
        expected = [
            one
            for table, mine in zip(tables, by_decision(shown), strict=True)
            for one in replies_one_by_one(layers, table, mine)
        ]
        torch.testing.assert_close(made, torch.stack(expected))
        checked += int(made.any(dim=1).sum())
        batch.step(batch.sample_actions())
    assert checked > 20


def test_replies_may_be_none_at_all() -> None:
    layers = ReplyLayers(
        ReplySizes(
            seats=2, hand=5, pair=2, slot=3, room=slice(8, 20), replies=20, ways=2, way=3,
            rounds=1, units=4,
        )
    )  # fmt: skip
    made = layers(torch.zeros(3, 110), torch.zeros(2, 50), torch.tensor([0, 2]))
    assert made.tolist() == torch.zeros(2, 8).tolist()
    nothing = torch.zeros(0, dtype=torch.long)
    assert layers(torch.zeros(3, 110), torch.zeros(0, 50), nothing).shape == (0, 8)


def test_every_part_of_a_network_learns() -> None:
    game = find_game("addtoo")
    params = game.make_params()
    made = build_network(game, params, network(rows=True))
    inputs = NetworkInputs(game, params, network(rows=True))
    batch = Batch(game, 64, seed=1)
    for _ in range(6):
        batch.step(batch.sample_actions())
    logits, values = made(inputs.tensors(batch))
    assert logits.shape == batch.masks.shape
    assert values.shape == (64,)
    torch.autograd.backward(logits.log_softmax(dim=1)[:, 0].sum() + values.sum())
    assert all(weights.grad.any() for weights in made.parameters())


def test_actions_are_drawn_with_the_probabilities_that_are_told() -> None:
    """Sample in many copies of one game; otherwise the most probable action is played."""
    game, count = find_game("diddly"), 20_000
    batch = Batch(game, count, seed=1)
    batch.states[:] = batch.states[:1]
    batch.look()
    made = build_network(game, batch.params, network())
    torch.nn.init.normal_(made.policy.bias, generator=torch.Generator().manual_seed(1))
    player = PolicyPlayer(made, NetworkInputs(game, batch.params), "one", deterministic=False)
    chances = player.probabilities(batch, np.arange(1))[0]
    actions = player.act(batch, np.arange(count))
    shares = np.bincount(actions, minlength=len(chances)) / count
    np.testing.assert_allclose(shares, chances, atol=4 * np.sqrt(0.25 / count))
    assert np.ptp(chances[batch.masks[0]]) > 0.1
    player.seed(0)
    assert (player.act(batch, np.arange(count)) == actions).all()
    player.deterministic = True
    assert (player.act(batch, np.arange(count)) == chances.argmax()).all()


def test_batches_have_few_different_numbers_of_rows_and_little_padding() -> None:
    places = torch.arange(10_000)
    assert len({len(padded(places[:count])) for count in range(4096, 8192, 5)}) <= 17
    for count in range(0, 10_000, 7):
        assert padded(places[:count])[:count].equal(places[:count])
        assert 0 <= len(padded(places[:count])) - count <= count / 16


@pytest.mark.parametrize("rows", [False, True])
def test_the_form_of_weights_is_known_without_them(rows) -> None:
    """Loading compares checkpoints with this form."""
    game = find_game("addtoo")
    params = game.make_params()
    forms = weights_of(game, params, network(rows=rows))
    built = build_network(game, params, network(rows=rows)).state_dict()
    assert {name: (one.shape, one.dtype) for name, one in forms.items()} == {
        name: (one.shape, one.dtype) for name, one in built.items()
    }
    assert all(one.is_meta for one in forms.values())


def shown_in(game, shown):
    """Return a batch of six games after some steps, and the inputs of a network for it."""
    batch = Batch(game, 6, seed=2)
    for _ in range(20):
        batch.step(batch.sample_actions())
    return batch, NetworkInputs(game, batch.params, shown)


ALL_INPUTS = NetworkSettings(
    relations=True, action_features=True, derived_parts=True, reply_rounds=1
)


def test_arrays_of_fixed_shape_hold_what_a_network_gets(game) -> None:
    """Gymnasium, stable-baselines3 and RLlib store arrays of fixed shape."""
    batch, inputs = shown_in(game, ALL_INPUTS)
    arrays = inputs(batch)
    assert {name: one.shape[1:] for name, one in arrays.items()} == inputs.shapes
    for k in range(6):
        assert inputs.space.contains({name: one[k] for name, one in arrays.items()})
    stored = {name: torch.from_numpy(one) for name, one in arrays.items()}
    packed = pack({**stored, MASK: torch.from_numpy(batch.masks)})
    shown = inputs.tensors(batch)
    assert packed.keys() == shown.keys()
    assert all(packed[name].equal(one) for name, one in shown.items())
    if FEATURES in inputs.shapes:
        used = arrays[ACTIONS] >= 0
        assert shown[COUNTS].tolist() == used.sum(axis=1).tolist()
        assert shown[ACTIONS].tolist() == arrays[ACTIONS][used].tolist()
        rows = torch.cat(by_decision(shown)).numpy()
        np.testing.assert_array_equal(rows, arrays[FEATURES][used])
        batch.states["terminated"] = True  # seats without legal actions get none
        batch.look()
        none = inputs.tensors(batch)
        assert (none[COUNTS].tolist(), len(none[FEATURES])) == ([0] * 6, 0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("some", [False, True], ids=["all games", "some games"])
@pytest.mark.parametrize("name", ["diddly", "addtoo"])
def test_minibatches_hold_what_was_shown(name, some, dtype) -> None:
    """At tables of the league, the network is shown only some of the games at each step."""
    batch, inputs = shown_in(find_game(name), ALL_INPUTS if name == "addtoo" else None)
    recorded = RecordedInputs(inputs, 5, 6, dtype=dtype, device=torch.device("cpu"))
    rng, out = np.random.default_rng(1), inputs.empty(6)
    for _ in range(2):  # the second rollout replaces the first one
        wanted = {}
        for step in range(6):
            games = np.flatnonzero(rng.random(6) < 0.5) if some else np.arange(6)
            given = games if some else slice(None)
            shown = recorded.write(step, given, inputs.tensors(batch, games, out))
            assert all(one.dtype == dtype for one in shown.values() if one.is_floating_point())
            for k, i in enumerate(games):
                alone = inputs.tensors(batch, np.asarray([i]))
                wanted[step, i] = {
                    key: one.to(dtype).float() if one.is_floating_point() else one
                    for key, one in alone.items()
                }
                if FEATURES in shown:
                    assert by_decision(shown)[k].float().equal(wanted[step, i][FEATURES])
            batch.step(batch.sample_actions())
    which = [place for place in rng.permutation(36).tolist() if divmod(place, 6) in wanted]
    for part in (which, which[:7], which[3:4]):
        taken = recorded.take(torch.tensor(part))
        rows = by_decision(taken) if FEATURES in taken else ()
        actions = taken[ACTIONS].split(taken[COUNTS].tolist()) if rows else ()
        for k, place in enumerate(part):
            one = wanted[divmod(place, 6)]
            fixed = taken.keys() - {FEATURES, ACTIONS, COUNTS}
            assert fixed == one.keys() - {FEATURES, ACTIONS, COUNTS}
            assert all(taken[key][k].float().equal(one[key][0].float()) for key in fixed)
            if rows:
                assert rows[k].float().equal(one[FEATURES])
                assert actions[k].equal(one[ACTIONS])
