"""The tree search with a network's policy and value."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.contract.team_game import BURN, CARDS, DRAW, KEEP, KINDS, PLANE, POOL, TURNS

from kitchentable import Batch, find_game
from kitchentable.core.kernels import kernel
from kitchentable.core.rng import shuffle
from kitchentable.players.scripted import ScriptedPlayer, play_out
from kitchentable_training.cli.main import main
from kitchentable_training.networks.network import build_network
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.players import by_name
from kitchentable_training.players.by_name import identity_of, make_player
from kitchentable_training.players.checkpoint import make_card, write_checkpoint
from kitchentable_training.players.tree_search import EXPLORATION, Forest, TreeSearchPlayer

RIVALS = {"num_players": 2, "reward": "margin"}
OTHERS_BURNT = PLANE + TURNS
"""Index in the observation of the first card burnt by the next seat."""


def write(
    folder, game=POOL, *, weights=(), bias=0.0, favorite=None, episode="hand",
    outputs="logits", **params,
):  # fmt: skip
    """Write a checkpoint with a value linear in the observation and one preferred action."""
    table = game.make_params(**params)
    network = NetworkSettings(layers=[])
    made = build_network(game, table, network)
    with torch.no_grad():
        for layer in (made.value, made.policy):
            layer.weight.zero_()
            layer.bias.zero_()
        made.value.bias[0] = bias
        for place, weight in weights:
            made.value.weight[0, place] = weight
        if favorite is not None:
            made.policy.bias[favorite] = 1.0
    card = make_card(game, table, network, outputs=outputs, value_until=episode)
    write_checkpoint(folder, card, made.state_dict())
    return folder


def search(folder, game=POOL, params=None, **options):
    table = game.make_params(**(RIVALS if params is None else params))
    return TreeSearchPlayer(folder, game, table, **options)


def tables(count=1, game=POOL, **params):
    return Batch(game, count, seed=3, autoreset=False, **(params or RIVALS))


def play(batch, *actions):
    for action in actions:
        batch.step(action)
    return batch


def held(batch):
    """Return the points of the card being held in every game."""
    return batch.states.deck[np.arange(batch.num_envs), batch.states.drawn] + 1.0


def decide(player, batch, game=0):
    """Return the decision in a game, and the values of its actions."""
    action = int(player.act(batch, np.array([game]))[0])
    return action, player.values


def forest(legal, priors=(0.25, 0.25, 0.25, 0.25), sign=1.0):
    """Return a tree of one decision, given the legal ones among four actions."""
    zero, mask = np.zeros(1, np.int64), np.isin(np.arange(4), legal)[None]
    tree = Forest(zero, zero, mask, np.array([priors], np.float32))
    tree.decisions["sign"][:1] = sign
    return tree


def test_compiled_choices_are_those_of_a_plain_one():
    rng = np.random.default_rng(1)
    for _ in range(200):
        legal = [action for action in range(4) if rng.random() < 0.7] or [3]
        priors, sign = rng.random(4), float(rng.choice([-1, 1]))
        tree = forest(legal, priors, sign)
        options = tree.of(0)
        options.begun = rng.integers(0, 4, len(legal))
        options.ended = np.minimum(options.begun, rng.integers(0, 4, len(legal)))
        options.value_sum = options.ended * rng.normal(size=len(legal))
        low, high = tree.bounds[0] = np.sort(rng.normal(size=2))
        tried, ended = options.begun.sum(), options.ended.sum()
        mean = options.value_sum.sum() / ended if ended else 0.0
        worth = [one.value_sum / one.ended if one.ended else mean for one in options]
        bonus = EXPLORATION * np.sqrt(tried) * options.prior / (1 + options.begun)
        scores = sign * np.array(worth) / (high - low) + bonus if tried else options.prior
        (option,), (action,) = tree.choose(np.zeros(1, np.int64), np.zeros(1, np.int64))
        assert tree.options["action"][option] == action == legal[scores.argmax()]


def halve(player, trees, worths):
    """Halve a root whose actions have constant values; return the best and the actions tried."""
    halving, tried = player._halve(trees, 0), []
    while True:
        try:
            options, deals = next(halving)
        except StopIteration as halved:
            return halved.value, tried
        tried.append((sorted(options.tolist()), deals))
        for name, more in (("ended", 1.0), ("value_sum", np.array(worths)[options])):
            trees.of(0)[name][options] += deals * more


def test_the_worse_half_is_dropped_until_one_is_left(tmp_path):
    """Every halving has equally many rollouts, and at most four deals are tried at once."""
    folder = write(tmp_path / "one", **RIVALS)
    everything = [0, 1, 2, 3]
    best, tried = halve(search(folder, rollouts=24), forest(everything), [3.0, 1.0, 4.0, 2.0])
    assert (best, tried) == (2, [(everything, 3), ([0, 2], 4), ([0, 2], 2)])
    best, tried = halve(search(folder, rollouts=24), forest([1, 2, 3]), [3.0, 1.0, 4.0])
    assert (best, tried) == (2, [([0, 1, 2], 4), ([0, 2], 4), ([0, 2], 2)])
    assert halve(search(folder), forest([3]), [0.0]) == (0, [])


def test_the_actions_of_a_decision_are_tried_on_the_same_deals(tmp_path):
    """The next seat burns the card it draws, and the leaf shows which one."""
    folder = write(tmp_path / "one", weights=[(OTHERS_BURNT, 1.0)], favorite=BURN, **RIVALS)
    batch, player = play(tables(20), DRAW), search(folder, rollouts=2)
    found = [decide(player, batch, i)[1] for i in range(20)]
    assert all(values[KEEP] == values[BURN] for values in found)
    assert len({values[KEEP] for values in found}) > 2


def test_a_leaf_is_the_next_new_decision_of_the_seat_that_searches(tmp_path):
    """The rival's decision is no leaf: its value would be based on its own card."""
    folder = write(tmp_path / "own", weights=[(0, 1.0)], **RIVALS)
    batch = play(tables(), DRAW)
    action, values = decide(search(folder, rollouts=8), batch)
    assert action == KEEP
    assert values == pytest.approx({KEEP: held(batch)[0] / KINDS, BURN: 0.0})


def test_rivals_new_to_the_tree_play_what_the_network_thinks_most_probable(tmp_path):
    places = {"weights": [(OTHERS_BURNT, 1.0)], **RIVALS}
    batch = play(tables(), DRAW)
    _, kept = decide(search(write(tmp_path / "one", favorite=KEEP, **places), rollouts=1), batch)
    _, burnt = decide(search(write(tmp_path / "two", favorite=BURN, **places), rollouts=1), batch)
    assert set(kept.values()) == {0.0}
    assert max(burnt.values()) > 0


def test_a_new_decision_of_a_team_mate_is_a_leaf(tmp_path):
    """Its value is that of the whole team."""
    team = {"num_players": 3, "cooperative": True, "reward": "margin"}
    folder = write(tmp_path / "one", weights=[(TURNS, 1.0)], bias=2.0, **team)
    batch = play(tables(**team), DRAW)
    _, values = decide(search(folder, params=team, rollouts=2), batch)
    assert set(values) == {KEEP, BURN}
    assert all(value >= 2 for value in values.values())


def test_more_rollouts_look_further(tmp_path):
    """The value is 50 wherever the hand goes on; deep in the tree it ends and pays instead."""
    folder = write(tmp_path / "one", bias=50.0, **RIVALS)
    batch = play(tables(), DRAW)
    _, near = decide(search(folder, rollouts=2), batch)
    _, far = decide(search(folder, rollouts=2000), batch)
    assert near == {KEEP: 50.0, BURN: 50.0}
    assert max(far.values()) < 50


@pytest.mark.parametrize(
    ("reward", "episode", "later"), [("win", "hand", 0.0), ("margin", "game", 7.0)]
)
def test_where_everything_is_known_it_finds_the_best_action(tmp_path, episode, later, reward):
    """With the last card of a hand, payments are exact, in the reward of the value's training.

    What comes later counts if the value is of games, and not if it is of hands.
    """
    params = {**RIVALS, "hands": 2}
    folder = write(tmp_path / "one", bias=7.0, episode=episode, **params)
    params = {**params, "reward": reward}
    batch = play(tables(20, **params), *[DRAW, KEEP] * 3, DRAW)
    player = search(folder, params=params, rollouts=8)
    assert (player.act(batch, np.arange(20)) == KEEP).all()
    _, values = decide(player, batch)
    card = held(batch)[0]
    kept = batch.states.deck[0][:4] + 1
    margin = (kept[1] + kept[3] - kept[0] - kept[2]) / 10
    assert values == pytest.approx({KEEP: margin + later, BURN: margin - card / 10 + later})


def test_one_seat_alone_has_its_leaf_at_the_next_decision(tmp_path):
    solitaire = find_game("quiddler_solitaire")
    folder = write(tmp_path / "one", solitaire, bias=0.5, episode="game")
    batch = tables(1, solitaire, num_players=1)
    player = search(folder, solitaire, {}, rollouts=10)
    _, values = decide(player, batch)
    tried = [action for action, rollouts in player.visits.items() if rollouts]
    assert len(tried) > 1
    assert {values[action] for action in tried} == {0.5}


def test_the_budget_is_spent_as_told(tmp_path):
    folder = write(tmp_path / "one", weights=[(0, 1.0)], **RIVALS)
    batch = play(tables(3), DRAW)
    player = search(folder, rollouts=203)
    player.act(batch, np.arange(3))
    assert player.visits == {KEEP: 101, BURN: 101}
    player = search(folder, seconds=0.05)
    assert (player.act(batch, np.arange(3)) == KEEP).all()
    assert sum(player.visits.values()) >= 8
    batch = tables()
    assert decide(player, batch) == (DRAW, {DRAW: 0.0})
    assert player.visits == {DRAW: 0}
    assert len(player.act(batch, np.array([], np.intp))) == 0


def sorted_redeal(state, viewer):
    """Redeal as in Pool after sorting the unknown cards, so that their order cannot matter."""
    known = state.holds and viewer == state.current_player
    for i in range(state.drawn + known, CARDS):
        for j in range(i + 1, CARDS):
            if state.deck[j] < state.deck[i]:
                state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    shuffle(state, state.deck, state.drawn + known, CARDS)


def test_it_decides_by_what_its_seat_may_know(tmp_path):
    """Equal seeds then redeal the same whatever is hidden, so all results are the same."""
    game = replace(POOL, rules=replace(POOL.rules, redeal=kernel(sorted_redeal)))
    folder = write(tmp_path / "one", weights=[(TURNS, 1.0), (0, 0.5)], **RIVALS)
    batch = play(tables(20, game), DRAW)
    player = search(folder, game, rollouts=12)

    def found():
        player.seed(1)
        actions = player.act(batch, np.arange(20)).tolist()
        return actions, [decide(player, batch, i)[1] for i in range(20)]

    for seed in range(2):
        before, cards = found(), batch.states.deck.copy()
        assert len({tuple(values.values()) for values in before[1]}) > 2
        batch.redeal(batch.current_player.copy(), seed)
        assert (batch.states.deck != cards).any(axis=1).all()
        assert found() == before
        play(batch, KEEP, DRAW)


def test_equal_seeds_play_equal_games(tmp_path):
    """This network's leaves differ between deals, so other seeds find other values."""
    folder = write(tmp_path / "one", weights=[(TURNS, 1.0)], **RIVALS)

    def game_of(seed):
        players = [search(folder, seed=seed, rollouts=10), ScriptedPlayer(POOL, "random")]
        payoffs = play_out(tables(10), players, np.tile([0, 1], (10, 1)))
        return payoffs.tolist(), players[0].values

    assert game_of(1) == game_of(1)
    assert game_of(1)[1] != game_of(2)[1]


OWN = """
import numpy as np

class Mine:
    def seed(self, seed): pass
    def act(self, batch, games): return batch.masks[games].argmax(axis=1)
    def {method}(self, batch, games):
        self.asked, masks = getattr(self, "asked", 0) + 1, batch.masks[games]
        return masks / masks.sum(axis=1, keepdims=True), np.zeros(len(games))

def mine(game, params, seed):
    return Mine()
"""


def test_an_own_player_guides_a_search_by_its_values(tmp_path, pool, capsys):
    for method in ("evaluate", "believe"):
        (tmp_path / f"{method}.py").write_text(OWN.format(method=method))
    place = f"{tmp_path}/evaluate.py:mine"
    spec = f"search:value={place}:rollouts=8"
    found = make_player(spec, pool, pool.make_params(**RIVALS))
    batch = play(tables(), DRAW)
    (action,) = found.act(batch, np.array([0]))
    assert batch.masks[0, action]
    assert sum(found.visits.values()) >= 8
    assert found._guide._player.asked > 1
    assert identity_of(spec) == identity_of(place) != identity_of("greedy")
    assert identity_of("greedy") is None
    assert main(["tournament", spec, "random", "--deals", "2", "--game", pool.name]) == 0
    assert spec in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"believe\.py:mine returns no values, which a search nee"):
        make_player(f"search:value={tmp_path}/believe.py:mine", pool, pool.make_params(**RIVALS))
    for options in ("", ":rollouts=9", ":rollouts=9:seconds=2"):
        for value in ("a.b:mine", "C:\\x\\a.py:mine", "runs/a:b"):
            assert by_name.checkpoint_in(f"search:value={value}{options}") == value


def test_the_newest_checkpoint_of_a_run_guides_a_search(tmp_path):
    newest = write(tmp_path / "mine" / "checkpoints" / "step_000000000020", **RIVALS)
    write(newest.parent / "step_000000000010", weights=[(0, 1.0)], **RIVALS)
    spec = f"search:value={tmp_path / 'mine'}:rollouts=8"
    assert by_name.first_card([spec])["game"] == POOL.name
    assert identity_of(spec) == identity_of(str(newest))
    assert make_player(spec, POOL, POOL.make_params(**RIVALS)).act(tables(), np.array([0])).size


def test_what_cannot_guide_a_search_is_refused(tmp_path):
    folder, diddly = write(tmp_path / "one", **RIVALS), find_game("diddly")
    two, three = (POOL.make_params(num_players=count) for count in (2, 3))
    for game, table, value, message in (
        (POOL, two, f"{folder}:dance=1", "'dance=1' is not possible; choose from rollouts="),
        (POOL, two, f"{folder}:rollouts=0", "choose values above 0"),
        (POOL, two, f"{folder}:seconds=nan", "choose values above 0"),
        (POOL, two, f"{folder}:value=own.py:player", "value is given twice"),
        (POOL, two, "nowhere", "no checkpoint 'nowhere'"),
        (POOL, three, str(folder), "needs num_players=2; this table has num_players=3"),
        (diddly, diddly.make_params(), str(folder), f"plays {POOL.name}; this table is diddly"),
    ):
        with pytest.raises(ValueError, match=message):
            make_player(f"search:value={value}", game, table)
    with pytest.raises(ValueError, match="value_until on its card is null"):
        search(write(tmp_path / "two", episode=None, **RIVALS))
    with pytest.raises(ValueError, match="no policy, which a tree search needs"):
        search(write(tmp_path / "three", outputs="action_values", **RIVALS))
