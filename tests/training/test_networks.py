"""Networks: the layers for each game's structure, and the inputs that they get."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from gymnasium import spaces
from tests.conftest import COMPILED

from kitchentable import Batch, find_game
from kitchentable.core.state import slices
from kitchentable_training.learn import settings as config
from kitchentable_training.learn.settings import load_settings
from kitchentable_training.networks import pass_by
from kitchentable_training.networks.card_layers import CardEmbeddings, CardKinds, CardRelations
from kitchentable_training.networks.features import FEATURES
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.map_layers import MapCells
from kitchentable_training.networks.parts import Slots, find_kind_parts, find_slots
from kitchentable_training.networks.policy import PolicyPlayer, build_policy, weights_of
from kitchentable_training.networks.pooling import pool, reference_pool
from kitchentable_training.networks.reply_layers import ReplyLayers, ReplySizes
from kitchentable_training.networks.settings import NetworkSettings

pytestmark = pytest.mark.skipif(not COMPILED, reason="training is for compiled rules")

CONFIGS = Path(__file__).parents[2] / "configs"


def network(features: str, *, rows: bool = False) -> NetworkSettings:
    by_rows = {"action_features": rows, "value_of_actions": rows, "reply_rounds": 2 * rows}
    return NetworkSettings(features=features, layers=[8], activation="relu", **by_rows)


def space(layout: dict[str, int]) -> spaces.Box:
    return spaces.Box(0.0, 1.0, (sum(layout.values()),), np.float32)


# --- Cards and maps -----------------------------------------------------------------------------


def test_card_relations_are_the_products_of_all_card_vectors() -> None:
    layout = {"a": 6, "b": 2, "c": 3}
    net = CardRelations(space(layout), layout, {"a": 3, "c": 3}, learned=0)
    rng = np.random.default_rng(0)
    seen = rng.random((5, 11), np.float32)
    out = net(torch.from_numpy(seen)).detach().numpy()
    cards = [seen[:, 0:3], seen[:, 3:6], seen[:, 8:11]]
    products = [(cards[i] * cards[j]).sum(axis=1) for i in range(3) for j in range(i, 3)]
    np.testing.assert_array_equal(out[:, :11], seen)
    np.testing.assert_allclose(out[:, 11:], np.stack(products, axis=1), rtol=1e-5)
    assert net.features_dim == out.shape[1]
    with pytest.raises(ValueError, match="the same number of kinds"):
        CardRelations(space(layout), layout, {"a": 3, "b": 2})


def test_the_named_parts_are_what_networks_can_take(variant) -> None:
    """Named card parts are vectors over the deck, and maps are images."""
    game, params = variant
    checked = game.make_params(**params)
    kinds, layout = len(game.rules.deck(checked)), game.rules.observation_layout(checked)
    named = [name for name in game.rules.card_parts if name in layout]
    assert named
    assert all(layout[name] % kinds == 0 for name in named)
    has_maps = bool(game.rules.image_parts(checked))
    for features in ("cards", "embeddings", "kinds", *["maps"] * has_maps):
        policy = build_policy(game, checked, network(features))
        seen = torch.rand(3, sum(layout.values()))
        assert policy.extract_features(seen).shape == (3, policy.features_dim)


def test_cells_are_seen_alike_everywhere_and_with_what_is_no_map() -> None:
    """A pattern gives the same features wherever it lies; the hand affects those of all cells."""
    layout = {"a": 4, "m": 2 * 36, "b": 3, "n": 36}
    net = MapCells(space(layout), layout, {"m": (2, 6, 6), "n": (1, 6, 6)})
    seen = torch.zeros(3, sum(layout.values()))
    places = slices(layout)
    maps = seen[:, places["m"]].view(3, 2, 6, 6), seen[:, places["n"]].view(3, 1, 6, 6)
    for game, (row, column) in enumerate([(2, 2), (3, 3), (3, 3)]):
        maps[0][game, 1, row, column] = 1.0
        maps[1][game, 0, row, column - 1] = 0.5
    seen[2, places["b"]] = torch.tensor([1.0, 0.0, 0.5])
    out = net(seen)
    assert net.features_dim == out.shape[1]
    one, moved, other = out[:, :-7].view(3, -1, 6, 6)
    torch.testing.assert_close(one[:, 1:4, 1:4], moved[:, 2:5, 2:5])
    assert not torch.equal(one, moved)
    assert not torch.equal(moved[:, 1, 1], other[:, 1, 1])
    torch.testing.assert_close(out[:, -7:], seen[:, [0, 1, 2, 3, 76, 77, 78]])
    with pytest.raises(ValueError, match="the same height and width"):
        MapCells(space(layout), layout, {"m": (2, 6, 6), "n": (1, 4, 9)})
    with pytest.raises(ValueError, match=r"map m: 72 numbers do not fill \(3, 6, 6\)"):
        MapCells(space(layout), layout, {"m": (3, 6, 6)})


def test_every_named_card_part_is_one_of_some_variant(game) -> None:
    layouts = [
        game.rules.observation_layout(game.make_params(**params)) for params in game.rules.variants
    ]
    assert set(game.rules.card_parts) <= set().union(*layouts)


# --- Shared layers ------------------------------------------------------------------------------

SLOTS = [
    ("diddly", {"num_players": 3, "cards": 9}, [Slots(27, ("cards",), ("face_up", "peeked"))]),
    (
        "addtoo",
        {"num_players": 3},
        [Slots(3, ("hands",), ("to_act", "hand_sizes", "points", "totals", "to_go"))],
    ),
    (
        "quiddler",
        {"challenges": True},
        [
            Slots(1, ("picked_up",), ("lead",)),
            Slots(10, ("word", "accused_words"), ("word_starts",)),
        ],
    ),
    ("quiddler_solitaire", {}, [Slots(8, ("open",), ("heights",))]),
    ("fiddlefoo", {"num_players": 4}, [Slots(3, ("known",), ("lead",))]),
]


@pytest.mark.parametrize(("name", "params", "wanted"), SLOTS, ids=[name for name, *_ in SLOTS])
def test_slots_are_what_the_game_has_several_of(name, params, wanted) -> None:
    game = find_game(name)
    checked = game.make_params(**params)
    assert find_slots(game, checked) == wanted
    assert find_kind_parts(game, checked) == (["layout"] if name == "addtoo" else [])


LAYOUT = {"a": 2, "cards": 12, "pile": 4, "open": 6, "where": 8}
"""Three slots with a card of four kinds and two numbers each; two numbers for each kind."""
CARDS = {"cards": 4, "pile": 4}
AT = slices(LAYOUT)


def without_surroundings(net: CardEmbeddings | CardKinds) -> None:
    with torch.no_grad():
        for name, weights in net.named_parameters():
            if "context" in name:
                weights.zero_()


def test_slots_share_their_layers() -> None:
    """When slots change places their features move along, and the mean stays."""
    net = CardEmbeddings(space(LAYOUT), LAYOUT, CARDS, [Slots(3, ("cards",), ("open",))])
    seen = torch.rand(2, sum(LAYOUT.values()))
    turned = seen.clone()
    for name in ("cards", "open"):
        turned[:, AT[name]] = seen[:, AT[name]].view(2, 3, -1).roll(1, dims=1).flatten(1)
    with_surroundings = net(turned)
    without_surroundings(net)
    before, after = net(seen), net(turned)
    assert before.shape == (2, net.features_dim)
    torch.testing.assert_close(before[:, :32], seen)
    one, other = before[:, -32:].view(2, 4, 8), after[:, -32:].view(2, 4, 8)
    torch.testing.assert_close(one[:, :3].roll(1, dims=1), other[:, :3])
    torch.testing.assert_close(one[:, 3], one[:, :3].mean(dim=1))
    torch.testing.assert_close(one[:, 3], other[:, 3])
    assert not torch.equal(one[:, 0], one[:, 1])
    assert not torch.equal(with_surroundings[:, -32:], after[:, -32:])


def test_a_card_has_one_vector_wherever_it_lies_and_several_have_the_sum() -> None:
    net = CardEmbeddings(space(LAYOUT), LAYOUT, CARDS, [])
    seen = torch.zeros(1, sum(LAYOUT.values()))
    seen[0, AT["cards"]] = torch.eye(4)[:3].flatten()
    seen[0, AT["pile"]] = torch.tensor([1.0, 1.0, 0.5, 0.0])
    first, second, third, pile = net(seen)[0, 32:].view(4, 16)
    torch.testing.assert_close(first, net.embedding.weight[:, 0])
    torch.testing.assert_close(pile, first + second + 0.5 * third)


def test_kinds_share_their_layers() -> None:
    """When kinds change places, with all that belongs to them, their features move along."""
    net = CardKinds(space(LAYOUT), LAYOUT, CARDS, ["where"])
    without_surroundings(net)
    seen = torch.rand(2, sum(LAYOUT.values()))
    renamed = seen.clone()
    for name in CARDS:
        renamed[:, AT[name]] = seen[:, AT[name]].view(2, -1, 4).roll(1, dims=2).flatten(1)
    renamed[:, AT["where"]] = seen[:, AT["where"]].view(2, 4, 2).roll(1, dims=1).flatten(1)
    before = net(seen)
    assert before.shape == (2, net.features_dim)
    torch.testing.assert_close(before[:, :32], seen)
    assert not torch.allclose(net(renamed)[:, 32:64], before[:, 32:64].roll(8, dims=1))
    with torch.no_grad():
        net.learned.copy_(net.learned.roll(1, dims=0))
    torch.testing.assert_close(net(renamed)[:, 32:64], before[:, 32:64].roll(8, dims=1))
    torch.testing.assert_close(net(renamed)[:, 64:], before[:, 64:])


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
    sizes = inputs.reply_sizes(2, 4)
    assert sizes is not None
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


@pytest.mark.parametrize("features", list(FEATURES))
def test_every_part_of_a_network_learns_and_action_features_pass_by(features) -> None:
    game = find_game("addtoo")
    params = game.make_params()
    policy = build_policy(game, params, network(features, rows=True))
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
    policy = build_policy(game, batch.params, network("flat"))
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


@pytest.mark.parametrize("features", ["cards", "embeddings", "kinds"])
def test_a_game_that_names_no_cards_is_told_so(features, monkeypatch) -> None:
    diddly = find_game("diddly")
    nameless = replace(diddly, rules=replace(diddly.rules, card_parts=()))
    monkeypatch.setattr(config, "find_game", lambda _: nameless)
    with pytest.raises(ValueError, match=f"{features}; diddly names no cards"):
        load_settings(CONFIGS / "diddly.yaml", [f"network.features={features}"])


def test_the_ablation_measures_a_network(monkeypatch) -> None:
    """With little training and few deals, all figures exist and are plausible."""
    from benchmarks import ablation

    table = ablation.Table("diddly", 4_000, ("embeddings",))
    small = {"TABLES": (table,), "DEALS": 4, "UNSEEN": 2_000, "OPPONENTS": ("greedy",)}
    for name, value in (small | {"TAUGHT": ablation.TAUGHT.replace("20_000", "4_000")}).items():
        monkeypatch.setattr(ablation, name, value)
    (row,) = ablation.measure()
    assert row["network"] == "embeddings"
    assert 0 < row["decisions"] <= 4_000
    assert len(row["agreement"]) == len(ablation.SEEDS)
    assert all(0.1 < share < 1 for share in row["agreement"])
    assert row["greedy"]["deals"] == 4
    low, high = row["greedy"]["win_rate_interval"]
    assert low <= row["greedy"]["win_rate"] <= high


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("features", FEATURES)
def test_the_form_of_weights_is_known_without_them(features, rows) -> None:
    """Loading compares checkpoints with this form."""
    for game in (find_game("diddly"), find_game("fiddlefoo"), find_game("addtoo")):
        params = game.make_params()
        if FEATURES[features].missing(game, params):
            continue
        forms = weights_of(game, params, network(features, rows=rows))
        built = build_policy(game, params, network(features, rows=rows)).state_dict()
        assert {name: (one.shape, one.dtype) for name, one in forms.items()} == {
            name: (one.shape, one.dtype) for name, one in built.items()
        }
        assert all(one.is_meta for one in forms.values())
