"""Exhaustive walks of small tables, compared with paper, a slow second walk, and OpenSpiel."""

import itertools
import re
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from tests.training import tiny_settings
from tests.training.poker import AVERAGES, OPEN_SPIEL, POLICIES

from kitchentable import find_game
from kitchentable.core.game import Game
from kitchentable.core.rewards import POINTS_PER_UNIT
from kitchentable.engine.batch import Batch
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.benchmark.protocol import find_environment
from kitchentable_training.exact import sequences
from kitchentable_training.exact.efg import write_efg
from kitchentable_training.exact.equilibrium import SOLVERS, solved
from kitchentable_training.exact.exploitability import best_response, exploitability, measure
from kitchentable_training.exact.mirror_descent import MirrorDescent
from kitchentable_training.exact.tree import GameTree, _orders
from kitchentable_training.players.by_name import make_player, set_sampling
from kitchentable_training.players.checkpoint import load_player, read_card
from kitchentable_training.runs.progress import EXPLOITABILITY
from kitchentable_training.runs.run import Run

KUHN, LEDUC = find_game("kuhn_poker"), find_game("leduc_poker")
PARAMS = KUHN.make_params(reward="margin")
SMALL = {
    "diddly": {"cards": 2, "rounds": 1, "turn_limit": 1, "copies": {"1": 2, "D": 1, "H": 3}},
    "addtoo": {
        "diamonds": ["1-2", "2-7", "2-9", "3-4", "4-7"], "hand": 2, "max_hands": 1, "target": 1,
        "turned": False,
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return GameTree(KUHN, PARAMS)


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return GameTree(LEDUC, LEDUC.make_params(reward="margin"))


@pytest.fixture(params=["kuhn", "leduc"])
def poker(request) -> GameTree:
    return request.getfixturevalue(request.param)


# --- Kuhn poker, on paper -------------------------------------------------------------------------


def test_every_deal_and_every_sequence_of_decisions_is_there(kuhn) -> None:
    assert kuhn.chances.tolist() == [1 / 6] * 6
    # Per deal: nothing, P, B, PP, PB, BP, BB, PBP, PBB. Per seat: three cards, two histories.
    assert [len(level.movers) for level in kuhn.levels] == [6, 12, 24, 12]
    assert [len(level.owners) for level in kuhn.levels] == [3, 6, 3, 0]
    assert (kuhn.num_nodes, kuhn.num_sets) == (54, 12)


def test_only_cards_that_are_dealt_count(leduc) -> None:
    """Of six cards three are dealt, in 120 ways; a seat knows two of them."""
    assert leduc.chances.tolist() == [1 / 120] * 120
    assert leduc.num_sets == 936


def test_a_player_that_never_bluffs_is_called_with_the_king_only(kuhn) -> None:
    """The best response bets with the king too, which wins 3/2 on average; the jack loses 1."""
    policy = kuhn.policy(ScriptedPlayer(KUHN, "cautious"))
    assert all(set(one.tolist()) <= {0.0, 1.0} for one in policy)
    found = exploitability(kuhn, policy)
    np.testing.assert_allclose(found.values, [0, 0], atol=1e-12)
    np.testing.assert_allclose(found.best_responses, np.array([1 / 6, 1 / 6]), atol=1e-12)


def test_a_best_response_is_paid_what_it_says(kuhn) -> None:
    """It bets or calls with the king and folds the jack, for example."""
    uniform = kuhn.uniform()
    best = exploitability(kuhn, uniform).best_responses
    np.testing.assert_allclose(best, [1 / 2, 5 / 12], atol=1e-12)
    for seat in range(2):
        response, paid = best_response(kuhn, uniform, seat)
        assert exploitability(kuhn, response).values[seat] == pytest.approx(paid, abs=1e-12)
        for level, one, other in zip(kuhn.levels, response, uniform, strict=True):
            own = level.owners[level.set_of_pair] == seat
            assert (one[~own] == other[~own]).all()


@pytest.mark.parametrize("name", POLICIES)
def test_values_and_exploitabilities_are_those_of_open_spiel(poker, name) -> None:
    found = exploitability(poker, poker.policy(POLICIES[name](poker)))
    figures = found.values[0], found.exploitability
    assert figures == pytest.approx(OPEN_SPIEL[poker.game.name][name], abs=1e-9)
    assert found.values.sum() == pytest.approx(0, abs=1e-12)


# --- Equilibria -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("solver", "name", "iterations", "most", "near"),
    [
        ("pcfr+", "kuhn", 700, 1e-5, 1e-3), ("pcfr+", "leduc", 700, 2e-3, 1e-3),
        ("mmd", "kuhn", 3000, 3e-3, 1e-3), ("external_sampling", "kuhn", 1_000_000, 5e-3, 5e-3),
        ("outcome_sampling", "kuhn", 1_000_000, 5e-3, 5e-3),
    ],
)  # fmt: skip
def test_the_equilibrium_is_found(request, solver, name, iterations, most, near) -> None:
    """Leduc's value is to six digits what others have published.

    OpenSpiel's samples lose 0.016 and 0.057 on average after 3,000 iterations of its own.
    """
    tree = request.getfixturevalue(name)
    found = exploitability(tree, solved(solver, tree, iterations, seed=1))
    assert 0.0 <= found.exploitability < most
    value = {"kuhn": -1 / 18, "leduc": -0.085606}[name]
    assert found.values[0] == pytest.approx(value, abs=near)


@pytest.mark.parametrize("solver", ["cfr", "cfr+", "dcfr"])
def test_averages_are_those_of_open_spiel_after_each_iteration(poker, solver) -> None:
    tabular = SOLVERS[solver](poker, 0)
    for theirs in AVERAGES[poker.game.name][solver]:
        tabular.run(1)
        found = exploitability(poker, tabular.solution()).exploitability
        assert found == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "alpha", "theirs"),
    [
        ("kuhn", 1.0, {1: 0.22641830014380554, 10: 0.1178203137376935, 50: 0.037699362325943814}),
        ("leduc", 5.0, {1: 1.6839428415462208, 2: 1.301469155759515, 5: 0.9036821005070627}),
    ],
)
def test_mirror_descent_is_that_of_its_authors(request, name, alpha, theirs) -> None:
    """Computed with the program that accompanies the paper (github.com/ssokota/mmd)."""
    tree = request.getfixturevalue(name)
    tabular = MirrorDescent(tree, alpha)
    for iteration, lost in theirs.items():
        tabular.run(iteration - tabular.iteration)
        found = exploitability(tree, tabular.solution()).exploitability
        assert found == pytest.approx(lost, abs=1e-9)


@pytest.mark.parametrize("solver", ["external_sampling", "outcome_sampling"])
def test_samples_regret_on_average_what_the_whole_tree_does(kuhn, solver) -> None:
    """The first seat's regrets of the first iteration, in all information sets."""
    whole, samples = SOLVERS["cfr"](kuhn, 0), []
    whole.run(1)
    for seed in range(2000):
        sampled = SOLVERS[solver](kuhn, seed)
        sampled.run(1)
        samples.append(sampled.regrets)
    own = kuhn.sequences.seats[: len(whole.regrets)] == 0
    error = np.std(samples, axis=0) / np.sqrt(len(samples))
    assert (np.abs(np.mean(samples, axis=0) - whole.regrets) < 4.5 * error + 1e-12)[own].all()
    assert (np.abs(whole.regrets) > 4.5 * error)[own].sum() > own.sum() / 3, "not by chance"


def test_a_seed_repeats_samples(kuhn) -> None:
    found = [np.concatenate(solved("outcome_sampling", kuhn, 10, seed)) for seed in (1, 1, 2)]
    first, again, other = found
    assert (first == again).all()
    assert (first != other).any()


def test_sums_do_not_depend_on_the_number_of_threads(leduc, monkeypatch) -> None:
    monkeypatch.setattr(sequences, "ALONE", 0)
    found = []
    for threads in (1, 3):
        monkeypatch.setattr(sequences, "available_threads", lambda threads=threads: threads)
        found.append(np.concatenate(solved("dcfr", leduc, 20)))
    assert (found[0] == found[1]).all()


# --- Players --------------------------------------------------------------------------------------


class Wavering:
    """Passes every third time."""

    name = "wavering"
    asked = 0

    def act(self, _, games):
        self.asked += 1
        return np.full(len(games), int(self.asked % 3 > 0))


class Thoughtful:
    """Bets with probabilities, or by action values, that are higher for better cards."""

    name = "random"  # a run may have this name, but is not the scripted player
    deterministic = True

    def __init__(self, *, gives_action_values=False):
        self.gives_action_values = gives_action_values

    def probabilities(self, batch, games):
        bets = batch.observations[games, :3] @ np.array([0.1, 0.5, 0.9], np.float32)
        return np.stack([1 - bets, bets], axis=1)

    def act(self, batch, games):
        return self.probabilities(batch, games).argmax(axis=1)


class Drawing(ScriptedPlayer):
    """Draws by itself, so it cannot tell its probabilities."""

    def probabilities(self, *_):
        raise NotImplementedError


def test_a_player_that_can_only_be_asked_is_estimated_with_an_error(kuhn) -> None:
    exact, none = measure(kuhn, ScriptedPlayer(KUHN, "random"))
    assert none == 0.0
    assert exact.nash_conv == pytest.approx(11 / 12, abs=1e-12)
    estimate, error = measure(kuhn, Drawing(KUHN, "random"), draws=500)
    assert 0.0 < error < 0.05
    assert abs(estimate.exploitability - exact.exploitability) < 4 * error


def test_a_player_without_probabilities_is_judged_by_action_frequencies(kuhn) -> None:
    assert not kuhn.tells(Wavering())
    policy = kuhn.policy(Wavering(), draws=3)
    assert {tuple(one.reshape(-1, 2)[0]) for one in policy[:3]} == {(1 / 3, 2 / 3)}


@pytest.mark.parametrize(
    ("gives_action_values", "most_probable", "bets"),
    [(False, False, [0.1, 0.5, 0.9]), (False, True, [0, 0, 1]), (True, False, [0, 0, 1])],
)
def test_a_player_is_measured_by_its_probabilities_or_its_best_actions(
    kuhn, gives_action_values, most_probable, bets
) -> None:
    """Of two actions that are equally good, it acts by the first one."""
    first = kuhn.policy(
        Thoughtful(gives_action_values=gives_action_values), most_probable=most_probable
    )[0].reshape(-1, 2)
    np.testing.assert_allclose(sorted(first[:, 1]), bets, atol=1e-7)


@pytest.mark.parametrize("gives_action_values", [False, True])
def test_a_player_is_sampled_by_probabilities_alone(gives_action_values) -> None:
    player = Thoughtful(gives_action_values=gives_action_values)
    set_sampling(player, sample=True)
    assert player.deterministic == gives_action_values


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "player", "lost"),
    [
        ("addtoo_small", "random", 7.441303), ("addtoo_small", "greedy", 6.821429),
        ("addtoo_small", "expert", 0.595238), ("diddly_small", "random", 4.889100),
        ("diddly_small", "greedy", 1.234524), ("diddly_small", "expert", 0.141071),
    ],
)  # fmt: skip
def test_scripted_players_lose_what_was_found_elsewhere(name, player, lost) -> None:
    tree = find_environment(name).tree()
    found, error = measure(tree, ScriptedPlayer(tree.game, player))
    assert error == 0.0
    assert found.exploitability == pytest.approx(lost, abs=1e-6)
    # A symmetric game is worth nothing; no rounding of float32 rewards is left.
    if name == "addtoo_small":
        assert found.values == pytest.approx([0, 0], abs=1e-12)


def test_payoffs_are_points_without_rounding() -> None:
    game = find_game("addtoo")
    tree = GameTree(game, game.make_params(**SMALL["addtoo"], reward="margin"))
    assert tree.unit == "points"
    paid = np.concatenate([level.payoffs for level in tree.levels])
    assert (paid == np.round(paid)).all()


def test_an_own_player_may_tell_its_probabilities(kuhn) -> None:
    """The example's are Kuhn's equilibrium; the other player can only be asked."""
    honest, bluffer = (
        make_player(f"examples/own_player.py:{name}", KUHN, PARAMS)
        for name in ("honest", "bluffer")
    )
    assert (kuhn.tells(honest), kuhn.tells(bluffer)) == (False, True)
    found, error = measure(kuhn, bluffer)
    assert (found.nash_conv, error) == (pytest.approx(0, abs=1e-9), 0)
    assert measure(kuhn, honest, 20)[0].nash_conv == pytest.approx(0.5)
    batch, everyone = Batch(KUHN, 3000, seed=1, **PARAMS.as_dict()), np.arange(3000)
    batch.step(np.zeros(3000, np.int64))
    jacks = batch.observations[:, 0] > 0
    assert bluffer.act(batch, everyone)[jacks].mean() == pytest.approx(1 / 3, abs=0.05)


# --- Refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (SMALL["diddly"] | {"rounds": 2}, "this table shuffles or deals again"),
        ({}, "the deck .* at most 1,000,000 deals"),
    ],
    ids=["chance after the deal", "a real deck"],
)
def test_what_cannot_be_walked_is_refused(params, message) -> None:
    diddly = find_game("diddly")
    with pytest.raises(ValueError, match=f"diddly: {message}"):
        GameTree(diddly, diddly.make_params(**params))


@pytest.mark.parametrize("dealt", [2, 5])
def test_orders_are_all_and_each_once(dealt) -> None:
    found = [tuple(order) for order in _orders([2, 0, 1, 2], dealt)]
    assert found == sorted(set(itertools.permutations([0, 0, 2, 3, 3], dealt)))


# --- A second, slow walk --------------------------------------------------------------------------


class SlowWalk:
    """Best responses by recursion, one game at a time; information sets are raw observations."""

    def __init__(self, game: Game, params: Any, orders: list[Any]) -> None:
        self.batch = Batch(game, 1, seed=0, autoreset=False, **params.as_dict())
        self.seats = range(self.batch.num_players)
        self.orders = orders

    def nash_conv(self, player: Any) -> float:
        self.player, self.nodes = player, 0
        roots = [self._grow(order) for order in self.orders]
        gained = 0.0
        for seat in self.seats:
            gained += self._best([(root, 1.0 / len(roots)) for root in roots], seat)
            gained -= float(np.mean([self._mean(root, seat) for root in roots]))
        return gained

    def _grow(self, order: Any) -> dict[str, Any]:
        self.batch.reset(top=np.array(order, np.int8))
        return self._node(((),) * len(self.seats), np.zeros(len(self.seats)))

    def _node(self, histories: Any, paid: Any) -> dict[str, Any]:
        self.nodes += 1
        batch = self.batch
        seen = [batch.observe([seat])[0].tobytes() for seat in self.seats]
        histories = tuple((*h, one) for h, one in zip(histories, seen, strict=True))
        if not batch.masks[0].any():
            return {"paid": paid}
        mover = int(batch.current_player[0])
        chances = self.player.probabilities(batch, np.arange(1))[0]
        record, children = batch.states.copy(), {}
        for action in np.flatnonzero(batch.masks[0]).tolist():
            batch.states[:] = record
            batch.look()
            batch.step([action])
            after = list(histories)
            after[mover] = (*after[mover], action)
            points = np.round(POINTS_PER_UNIT * batch.rewards[0].astype(float), 5)
            children[action] = self._node(tuple(after), paid + points)
        return {"mover": mover, "set": histories[mover], "children": children, "chances": chances}

    def _mean(self, node: Any, seat: int) -> float:
        if "paid" in node:
            return float(node["paid"][seat])
        chances = node["chances"]
        return sum(chances[a] * self._mean(child, seat) for a, child in node["children"].items())

    def _best(self, nodes: Any, seat: int) -> float:
        """Return the total value of nodes with one history of the seat, weighted by probability."""
        total, by_set = 0.0, defaultdict(list)
        waiting = list(nodes)
        while waiting:
            node, weight = waiting.pop()
            if "paid" in node:
                total += weight * node["paid"][seat]
            elif node["mover"] == seat:
                by_set[node["set"]].append((node, weight))
            else:
                chances = node["chances"]
                steps = node["children"].items()
                waiting += [(child, weight * chances[a]) for a, child in steps if chances[a] > 0]
        for found in by_set.values():
            actions = found[0][0]["children"]
            assert all(node["children"].keys() == actions.keys() for node, _ in found)
            total += max(
                self._best([(node["children"][a], weight) for node, weight in found], seat)
                for a in actions
            )
        return total


@pytest.mark.parametrize(
    ("name", "player"), [("kuhn_poker", "random"), ("diddly", "greedy"), ("addtoo", "random")]
)
def test_a_slow_walk_finds_the_same(name, player) -> None:
    game = find_game(name)
    params = game.make_params(**SMALL.get(name, {}), reward="margin")
    plays = ScriptedPlayer(game, player)
    copies = list(game.rules.deck(params).values())
    tree, slow = GameTree(game, params), SlowWalk(game, params, list(_orders(copies, sum(copies))))
    found = exploitability(tree, tree.policy(plays)).nash_conv
    assert found > 0
    assert slow.nash_conv(plays) == pytest.approx(found, abs=1e-9)
    assert slow.nodes >= tree.num_nodes  # the tree merges deals that come to the same


# --- Files ----------------------------------------------------------------------------------------


def test_the_file_of_a_tree_is_the_tree(kuhn, tmp_path) -> None:
    """Parse it by Gambit's manual, line by line, each node before its descendants."""
    write_efg(kuhn, tmp_path / "kuhn.efg")
    header, *lines = (tmp_path / "kuhn.efg").read_text().splitlines()
    assert header == 'EFG 2 R "kuhn_poker" { "player_0" "player_1" }'
    nodes, sets = iter(lines), set()

    def uniform_worth():
        line = next(nodes)
        inside = re.search(r"\{ (.*) \}", line)[1]
        if line[0] == "t":
            return np.array(inside.split(), float)
        chances = map(float, re.findall(r'" (\S+)', inside))
        if line[0] == "p":
            sets.add(tuple(line.split()[2:4]))
            assert inside == '"pass" "bet"'
            chances = [0.5, 0.5]
        return sum(chance * uniform_worth() for chance in chances)

    assert uniform_worth() == pytest.approx([1 / 8, -1 / 8])
    assert len(sets) == kuhn.num_sets
    assert next(nodes, None) is None


# --- Learning curves ------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["ppo", "dmc"])
def test_a_learning_curve_ends_with_the_exploitability_of_what_is_saved(kuhn, algorithm, tmp_path):
    """A network that learned action values plays the best one."""
    judges = tiny_settings.KUHN["evaluation"] | {"every": 512, "exploitability": True}
    more = tiny_settings.KUHN | {"evaluation": judges}
    chosen = tiny_settings.settings(algorithm=algorithm, steps=512, **more)
    final = Run(chosen, tmp_path / "run").train()
    found, _ = measure(kuhn, load_player(final))
    (*_, last) = read_card(final)["curve"]
    assert last[EXPLOITABILITY] == pytest.approx(found.exploitability)


def test_a_game_whose_tree_is_too_large_is_named_before_anything_is_written(tmp_path) -> None:
    judges = {"opponents": ["random"], "exploitability": True}
    with pytest.raises(ValueError, match=r"evaluation\.exploitability: diddly: the deck of this"):
        Run(tiny_settings.settings(evaluation=judges), tmp_path / "run")
    assert not (tmp_path / "run").exists()
