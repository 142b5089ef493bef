"""What PettingZoo, Gymnasium and stable-baselines3 require, and what is promised beyond that."""

import copy
import importlib.util
import json
import pickle
import subprocess
import sys
import warnings
from functools import partial
from itertools import product
from types import SimpleNamespace

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils import (
    BaseWrapper,
    CaptureStdoutWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)
from pettingzoo.utils.wrappers import MultiEpisodeEnv
from tests.conftest import COMPILED, illegal, make_table, random_moves, scaled, seats, short
from tests.contract.payoffs import collected

from kitchentable import Batch, SeatEnv, TableEnv, find_game
from kitchentable.adapters import registration
from kitchentable.adapters.vector import SeatVectorEnv
from kitchentable.adapters.wrappers import OrderWrapper
from kitchentable.core.state import NOBODY
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.render.window import Window

DIDDLY, KUHN = find_game("diddly"), find_game("kuhn_poker")
# PettingZoo's checks warn about every Dict observation and every empty mask of a waiting agent.
quiet = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be",
    "ignore:Observation is not a NumPy array",
    "ignore:Action mask numpy array is all zeros",
    "ignore:The observation contains negative numbers",
    "ignore:no screen was found",
    "ignore:.*illegal",
)


def module_of(game):
    """Return the public module of a game, or its equivalent for a game outside the package."""
    if game.rules.step.__module__.startswith("kitchentable."):
        return importlib.import_module(f"kitchentable.{game.name}_v{game.version}")
    return SimpleNamespace(
        raw_env=partial(TableEnv, game.name), env=partial(registration.env, game.name)
    )


def facts_of(table):
    return dict(table.game.rules.info(table.params)).items()


def everything(table: TableEnv) -> list:
    """Return the whole content of a table, and all that it shows and returns."""
    names = "agents agent_selection transcript rewards _cumulative_rewards terminations truncations"
    seen = [[a.tobytes() for a in table.observe(one).values()] for one in table.possible_agents]
    infos = {
        agent: info | {"action_mask": info["action_mask"].tobytes()}
        for agent, info in table.infos.items()
    }
    told = copy.deepcopy([getattr(table, name) for name in names.split()])
    return [table.save(), table._batch.states.tobytes(), seen, infos, *told]


def tables_alike(one: TableEnv, two: TableEnv) -> bool:
    return everything(one) == everything(two)


def twins(table: TableEnv) -> list[TableEnv]:
    """Return copies of a table, one for each way to copy it."""
    loaded = TableEnv(table.game.name, **table.params.as_dict())
    loaded.reset(seed=99)
    loaded.load(table.save())
    return [loaded, copy.deepcopy(table), pickle.loads(pickle.dumps(table))]


# --- PettingZoo ---------------------------------------------------------------------------------


@quiet
def test_pettingzoo_api(kind) -> None:
    game, params = kind
    for make in (module_of(game).raw_env, module_of(game).env):
        api_test(make(**params), num_cycles=40)


@quiet
def test_pettingzoo_seed(game) -> None:
    seed_test(lambda: module_of(game).env(), num_cycles=100)


@quiet
def test_pettingzoo_render(game) -> None:
    render_test(lambda **options: module_of(game).env(**options))
    assert make_table(game).render() is None


@quiet
def test_pettingzoo_state(game) -> None:
    table = module_of(game).env()
    if game.rules.state_layout is None:
        table.reset()
        with pytest.raises(NotImplementedError, match=r"defines no rules.state_layout"):
            table.state()
        return
    check_state_space(table)
    check_state(table, 50)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has it from 1.27 on")
def test_registered_with_pettingzoo(game) -> None:
    name = f"kitchentable/{game.name}_v{game.version}"
    table = pettingzoo.make("aec", name, render_mode="ansi")
    assert str(table) == f"{game.name}_v{game.version}"
    table.reset(seed=1)
    other = module_of(game).raw_env()
    other.reset(seed=1)
    assert tables_alike(table.unwrapped, other)


def test_seeding_the_space_of_one_agent_touches_no_other() -> None:
    table = make_table(DIDDLY)
    boxes = [id(box) for space in table.observation_spaces.values() for box in space.values()]
    assert len(set(boxes)) == len(boxes)


def test_a_whole_game_as_agents_see_it(variant) -> None:
    """Check masks, names, flags and rewards at every decision, up to the last dead step."""
    game, params = variant
    table, rng = make_table(game, **params), np.random.default_rng(0)
    table.reset(seed=3)
    names, first = table.action_names, table.agent_selection
    for number, agent in enumerate(random_moves(table, rng)):
        assert (f"player_{table.mover}", table.is_over) == (agent, False)
        for other in table.agents:
            seen = table.observe(other)
            np.testing.assert_array_equal(
                seen["action_mask"], table.infos[other]["action_mask"], strict=True
            )
            assert table.observation_space(other).contains(seen)
            assert seen["action_mask"].any() == (other == agent)
        mask = table.observe(agent)["action_mask"]
        assert table.legal_actions() == [names[i] for i in np.flatnonzero(mask)]
        assert facts_of(table) <= table.infos[agent].items()
        if number % 10 == 0:
            before = everything(table)
            table.observe(rng.choice(table.agents))
            assert table.last()[1] == table.last()[1]
            assert everything(table) == before
    payoffs = dict.fromkeys(table.possible_agents, 0.0)
    assert table.is_over
    assert set(table.agents) == set(table.possible_agents)
    for agent in table.agents:
        info = table.infos[agent]
        seat = table.possible_agents.index(agent)
        assert info["score"] == table.scores[seat]
        assert sum(info["hand_scores"]) == info["score"]
        assert info["is_winner"] == (info["rank"] == 1)
        assert not info["action_mask"].any()
        assert facts_of(table) <= info.items()
    while table.agents:
        agent = table.agent_selection
        _, reward, terminated, truncated, _ = table.last()
        assert terminated != truncated
        payoffs[agent] = reward
        table.step(None)
    if game.is_team(table.params):
        assert len(set(payoffs.values())) == 1
    else:
        assert sum(payoffs.values()) == pytest.approx(0, abs=1e-5)
    for late in (table.last, lambda: table.step(0)):
        with pytest.raises(RuntimeError, match=r"no game is being played; call reset\(\) first"):
            late()
    assert table.transcript[0][0] == first


def arrays_within(value) -> list:
    """Return the arrays in nested dicts and tuples."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [array for one in value for array in arrays_within(one)]
    return [value] if isinstance(value, np.ndarray) else []


def scribble(*values) -> list[tuple[np.ndarray, np.ndarray]]:
    """Overwrite all arrays that can be written to, and check that they share no memory.

    Return each array with a copy of what it contains now.
    """
    arrays = arrays_within(values)
    for i, array in enumerate(arrays):
        if array.flags.writeable:
            assert not any(np.may_share_memory(array, other) for other in arrays[:i])
            array.fill(True)
    return [(array, array.copy()) for array in arrays]


def test_what_was_handed_out_and_a_table_do_not_change_each_other(game) -> None:
    """Arrays are fresh, or read-only where PettingZoo expects the same array again."""
    pairs = [make_table(game, **short(game)) for _ in range(2)]
    spoiled, clean = pairs
    for table in pairs:
        table.reset(seed=4)
    while clean.agents:
        for _ in range(2):
            seen = [spoiled.observe(one) for one in spoiled.possible_agents]
            handed = scribble(spoiled.last(), seen)
            assert spoiled.last()[4] == spoiled.infos[spoiled.agent_selection]
            for info in spoiled.infos.values():
                with pytest.raises(ValueError, match="read-only"):
                    info["action_mask"][0] = 1
        if game.rules.state_layout is not None:
            scribble(spoiled.state())
        assert tables_alike(spoiled, clean)
        mask, ended = clean.last()[0]["action_mask"], any(clean.last()[2:4])
        for table in pairs:
            table.step(None if ended else int(mask.argmax()))
        assert all(np.array_equal(*pair) for pair in handed)


def test_what_was_handed_out_and_a_seat_do_not_change_each_other(game) -> None:
    options = {"opponents": "random", "mask_in_observation": True, **short(game)}
    for make in (SeatEnv, SeatVectorEnv):
        spoiled, clean = make(game.name, **options), make(game.name, **options)
        expected = clean.reset(seed=4)
        handed = scribble(spoiled.reset(seed=4))
        for _ in range(40):
            mask = expected[-1]["action_mask"]
            found = spoiled.step(mask.argmax(-1))
            assert all(np.array_equal(*pair) for pair in handed)
            expected = clean.step(mask.argmax(-1))
            assert data_equivalence(found, expected)
            handed = scribble(found, spoiled.action_masks() if make is SeatEnv else ())
            if make is SeatEnv and any(expected[2:4]):
                found, expected = spoiled.reset(), clean.reset()
                assert all(np.array_equal(*pair) for pair in handed)
                handed = scribble(found)


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_rewards_handed_to_each_agent_add_up_to_its_payoff(kind, reward) -> None:
    game, params = kind
    table = OrderWrapper(make_table(game, **params | {"reward": reward}))
    due = collected(table.unwrapped.batch)
    for seed in range(scaled(5)):
        table.reset(seed=seed)
        handed, due[:] = dict.fromkeys(table.possible_agents, 0.0), 0
        rng = np.random.default_rng(seed)
        for agent in table.agent_iter():
            seen, paid, terminated, truncated, _ = table.last()
            handed[agent] += paid
            legal = np.flatnonzero(seen["action_mask"])
            table.step(None if terminated or truncated else int(rng.choice(legal)))
        np.testing.assert_allclose(list(handed.values()), due, atol=1e-5)


def test_reset_without_a_seed_goes_on_with_the_stream(game) -> None:
    one, two = make_table(game), make_table(game)
    for table in (one, two):
        table.reset(seed=5)
    first = everything(one)
    for table in (one, two):
        table.reset(options={"unknown": 1})
    assert everything(one) == everything(two) != first


# --- Illegal actions ----------------------------------------------------------------------------


NO_ACTIONS = (
    *(None, "draw", "0", "\n", 1.5, 0.0, -1, 10_000, 2**70, True, np.True_, [0], {}, object()),
    *(np.array([0]), np.array(True), np.float64(0), np.datetime64("now"), np.int64),
)
"""What is not an action, in any state of any game."""
KINDS_OF_INTEGER = [int, np.int16, np.uint64, np.array]
if importlib.util.find_spec("torch"):
    import torch

    NO_ACTIONS += torch.tensor([0]), torch.tensor(0.0), torch.tensor(True)
    KINDS_OF_INTEGER.append(torch.tensor)


def test_raw_env_refuses_what_is_no_legal_action(game) -> None:
    table = make_table(game)
    table.reset(seed=0)
    before = everything(table)
    for wrong in NO_ACTIONS:
        with pytest.raises(ValueError, match=r"legal: \w"):
            table.step(wrong)
    wrong = illegal(table.infos[table.agent_selection]["action_mask"])
    with pytest.raises(ValueError, match="may not play") as caught:
        table.step(wrong)
    assert [*table.action_names, "no action at all"][wrong] in str(caught.value)
    assert all(name in str(caught.value) for name in table.legal_actions())
    assert everything(table) == before


def test_env_and_a_seat_end_the_game_whatever_is_sent() -> None:
    table, seat = OrderWrapper(make_table(DIDDLY)), SeatEnv("diddly")
    for wrong in NO_ACTIONS:
        table.reset(seed=0)
        seat.reset(seed=0)
        offender = table.agent_selection
        table.step(wrong)
        assert all(table.terminations.values())
        assert table.rewards[offender] == -1
        ((agent, name),) = table.unwrapped.transcript
        assert (agent, name[:8]) == (offender, "illegal:")
        assert "\n" not in name
        assert len(name) < 100
        assert all(tables_alike(table.unwrapped, other) for other in twins(table.unwrapped))
        _, paid, terminated, _, info = seat.step(wrong)
        assert (paid, terminated, info["illegal"]) == (-1, True, True)


def test_every_interface_takes_the_same_kinds_of_integer() -> None:
    """As actions and as seeds: Python's and numpy's integers, and scalars of numpy and torch."""
    raw, seat = make_table(DIDDLY), SeatEnv("diddly", opponents="random")
    table, many = OrderWrapper(make_table(DIDDLY)), SeatVectorEnv("diddly", 1, opponents="random")
    results = set()
    for kind in KINDS_OF_INTEGER:
        for one in (raw, table, seat, many):
            one.reset(seed=kind(5))
        action = kind(int(raw.batch.masks[0].argmax()))
        raw.step(action)
        table.step(action)
        action = kind(int(seat.batch.masks[0].argmax()))
        seat.step(action)
        many.step([action])
        assert seat._forfeits.offenders[0] == many._forfeits.offenders[0] == NOBODY
        batches = raw.batch, table.unwrapped.batch, seat.batch, many.batch
        dealt = Batch(DIDDLY, 1, seed=kind(5))
        results.add(tuple(one.states.tobytes() for one in (*batches, dealt)))
    assert len(results) == 1
    for one in (raw, seat, many):
        one.reset(seed=2**64)


def test_what_is_no_seed_is_refused_before_anything_changes() -> None:
    table, wrapped, seat = make_table(DIDDLY), OrderWrapper(make_table(DIDDLY)), SeatEnv("diddly")
    many, player = SeatVectorEnv("diddly", 1), ScriptedPlayer(DIDDLY, "random")
    batch = Batch(DIDDLY, 1, seed=1)
    for one in (table, wrapped, seat, many):
        one.reset(seed=1)

    def contents() -> list:
        batches = batch, seat.batch, many.batch
        rngs = seat.np_random.bit_generator.state, many._rngs[0].bit_generator.state
        held = [one.states.tobytes() for one in batches]
        return [everything(table), everything(wrapped.unwrapped), held, rngs, player._seed]

    before = contents()
    attempts = (
        *(lambda wrong, one=one: one.reset(seed=wrong) for one in (table, wrapped, seat, many)),
        *(batch.seed, player.seed, lambda wrong: batch.seed_game(0, wrong)),
        lambda wrong: Batch(DIDDLY, 1, seed=wrong),
    )
    for attempt, wrong in product(attempts, (True, np.True_, -1, 1.5, "5", np.array([[5]]))):
        with pytest.raises(ValueError, match="seed: give a whole number from 0 on"):
            attempt(wrong)
    assert contents() == before
    fresh = OrderWrapper(make_table(DIDDLY))
    with pytest.raises(ValueError, match="seed"):
        fresh.reset(seed=-1)
    with pytest.raises(AttributeError, match="agents cannot be accessed before reset"):
        fresh.agents  # noqa: B018


OPTIMIZED = """
import gymnasium
from kitchentable import diddly_v0
assert False, "python -O leaves assertions out"
for wrong in (3.0, None, "18", True, 10_000, -1):
    table, seat = diddly_v0.env(), gymnasium.make("kitchentable:kitchentable/Diddly-v0")
    table.reset(seed=1)
    seat.reset(seed=1)
    table.step(wrong)
    print(list(table.rewards.values()), list(table.terminations.values()), *seat.step(wrong)[1:3])
table.reset(seed=1)
try:
    for agent in table.agent_iter():
        print(agent)
except RuntimeError as error:
    print(error)
"""


@pytest.mark.skipif(not COMPILED, reason="one game that starts quickly is enough")
def test_illegal_actions_are_the_same_without_assertions() -> None:
    command = [sys.executable, "-O", "-c", OPTIMIZED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        *["[-1.0, 1.0] [True, True] -1.0 True"] * 6,
        "player_0",
        "player_0 is to act; call step() or reset() before you go on",
    ]


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_env_ends_the_game_at_an_illegal_action(kind, reward) -> None:
    """The other seats share what the offender loses; in a team every seat loses 1."""
    game, params = kind
    table = OrderWrapper(make_table(game, **params | {"reward": reward}))
    team = game.is_team(table.unwrapped.params)
    stake = 1.0 if team or reward == "win" else game.rules.worst_hand / 10
    table.reset(seed=0)
    for _ in range(4):
        mask = table.last()[0]["action_mask"]
        following = copy.deepcopy(table)
        following.step(int(mask.argmax()))
        if not following.infos[following.agent_selection]["action_mask"].any():
            break
        table = following
    offender = table.agent_selection
    table.step(illegal(table.last()[0]["action_mask"]))
    assert all(table.terminations.values())
    assert not any(table.truncations.values())
    lose = set(table.agents) if team else {offender}
    won = stake / max(1, len(table.agents) - 1)
    expected = {agent: -stake if agent in lose else won for agent in table.agents}
    assert table.rewards == pytest.approx(expected)
    last = 2 if team else len(table.possible_agents)
    for agent, info in table.infos.items():
        assert info["rank"] == (last if agent in lose else 1)
        assert info["is_winner"] == (agent not in lose)
        assert not table.observe(agent)["action_mask"].any()
    while table.agents:
        for other in twins(table.unwrapped):
            assert tables_alike(table.unwrapped, other)
            assert other.ranks.tolist() == table.unwrapped.ranks.tolist()
        table.step(None)
    with pytest.raises(RuntimeError, match="no game is being played"):
        table.unwrapped.forfeit(0)


def test_a_loss_by_an_illegal_action_is_shown() -> None:
    """The sentence precedes the usual text, which looks as if the game still went on."""
    options = {"render_mode": "ansi", "view": "all"}
    table, seat = OrderWrapper(make_table(DIDDLY, **options)), SeatEnv("diddly", **options)
    many = SeatVectorEnv("diddly", 2, **options)
    table.reset(seed=0)
    seat.reset(seed=0)
    masks = many.reset(seed=0)[1]["action_mask"]
    before, offender = (table.render(), seat.render(), *many.render()), table.agent_selection
    table.step(-1)
    seat.step(-1)
    many.step([-1, masks[1].argmax()])
    shown = table.render(), seat.render(), *many.render()
    losers = offender, f"player_{seat.seat}", f"player_{many.seats[0]}"
    for text, old, loser in zip(shown, before, losers, strict=False):
        assert text.startswith(f"{loser} chose an illegal action and loses")
        assert text.endswith(f"\n\n{old}")
    assert "illegal" not in shown[-1]
    table.reset()
    seat.reset()
    many.step([0, 0])
    assert not any("illegal" in text for text in (table.render(), seat.render(), many.render()[0]))


def test_a_window_shows_every_change_of_a_table(monkeypatch) -> None:
    shown = []
    monkeypatch.setattr(Window, "show", lambda _, rgb: shown.append(rgb))
    table, seat = (make("diddly", render_mode="human") for make in (TableEnv, SeatEnv))
    table = OrderWrapper(table)
    table.reset(seed=0)
    for action in (int(table.last()[0]["action_mask"].argmax()), -1):  # the second one is illegal
        table.step(action)
    assert len(shown) == 3
    _, info = seat.reset(seed=0)
    seat.step(int(info["action_mask"].argmax()))
    assert len(shown) == 5
    other = OrderWrapper(TableEnv("diddly", render_mode="human"))
    other.load(table.save())
    assert len(shown) == 6
    np.testing.assert_array_equal(shown[-1], shown[2])


# --- Rigged decks -------------------------------------------------------------------------------


def test_a_rigged_deck_deals_the_named_cards(game) -> None:
    table = make_table(game)

    def dealt(**options) -> bytes:
        table.reset(seed=0, options=options)
        return table.batch.states.tobytes()

    names = [name for name, count in game.rules.deck(table.params).items() for _ in range(count)]
    top = names[::-1]
    whole = dealt(deck=top)
    assert dealt(deck=top[:-1]) == whole, "the last card has only one place left"
    assert dealt(deck=[]) == dealt()
    assert (dealt(deck=names) != whole) == (names != top)


def test_impossible_decks_are_named_and_change_nothing(game) -> None:
    table = make_table(game)
    table.reset(seed=0)
    before = everything(table)
    name, count = next(iter(game.rules.deck(table.params).items()), ("joker", 0))
    for deck, message in (
        (["joker"], "'joker'"),
        ([7], "7"),
        ("7", "list of card names"),
        ([name] * (count + 1), f"only {count} cards '{name}'|there is no card 'joker'"),
    ):
        with pytest.raises(ValueError, match=message):
            table.reset(seed=1, options={"deck": deck})
    assert everything(table) == before


# --- Copies, pickles, saved tables --------------------------------------------------------------


def test_copy_pickle_save_and_load_all_through_whole_games(variant) -> None:
    """At intervals, so that every kind of decision comes up."""
    game, params = variant
    table, rng = make_table(game, **params), np.random.default_rng(0)
    table.reset(seed=1)
    for number, agent in enumerate(random_moves(table, rng)):
        if number % 17 == 0 and number < scaled(120):
            assert all(tables_alike(table, other) for other in twins(table))
        if number in (20, 41) and game.rules.redeal is not None:
            table.redeal(agent, number)
    assert "score" in table.infos[table.agent_selection]
    while table.agents:
        assert all(tables_alike(table, other) for other in twins(table))
        table.step(None)
    assert all(tables_alike(table, other) for other in twins(table))


def finished(table) -> list:
    """Play a wrapped table to its last agent, as its agents see it, and return all of that."""
    told, rng = [], np.random.default_rng(1)
    for agent in table.agent_iter():
        seen, *rest, info = table.last()
        told.append((agent, [one.tobytes() for one in seen.values()], *rest, len(info)))
        legal = np.flatnonzero(seen["action_mask"])
        table.step(None if any(rest[1:]) else int(rng.choice(legal)))
    return told


WRAPPERS = {
    "none": lambda table: table,
    "own": OrderWrapper,
    "base": lambda table: BaseWrapper(OrderWrapper(table)),
    "order, own": lambda table: OrderEnforcingWrapper(OrderWrapper(table)),
    "illegal": lambda table: TerminateIllegalWrapper(OrderEnforcingWrapper(table), -1),
    "printed": lambda table: CaptureStdoutWrapper(OrderWrapper(table)),
    "episodes": lambda table: MultiEpisodeEnv(OrderWrapper(table), num_episodes=1),
}
"""Ways to wrap a table."""
NEED_RESET = {"order, own", "illegal", "episodes"}
"""Wrappers that do not know that a game has begun before their own `reset`."""


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_saved_table_goes_on_through_every_wrapper(monkeypatch, name) -> None:
    monkeypatch.setattr(Window, "show", lambda *_: None)
    table = OrderWrapper(TableEnv("top_card", num_players=3))
    table.reset(seed=6)
    for _ in range(4):
        table.step(int(table.last()[0]["action_mask"].argmax()))
    saved = table.save()
    expected = finished(table)
    assert len(expected) > 4
    options = {"num_players": 3, "render_mode": "human" if name == "printed" else None}
    ways = [lambda one: one.reset(options={"saved": saved}), lambda one: one.load(saved)]
    for load in ways[: 1 if name in NEED_RESET else 2]:
        other = WRAPPERS[name](TableEnv("top_card", **options))
        load(other)
        assert finished(other) == expected
        load(other)  # not only into a fresh one
        assert finished(other) == expected


def test_load_refuses_what_does_not_fit() -> None:
    """A table of another game or with another parameter or fact, and damage."""
    table = make_table(KUHN)
    table.reset(seed=1)
    before, saved = everything(table), table.save()
    content = json.loads(saved)
    del content["check"]
    for other, message in (
        ({"game": "diddly"}, "game is 'diddly', here it is 'kuhn_poker'"),
        ({"params": {"num_players": 2, "reward": "margin"}}, "params is .*'margin'.*'win'"),
        ({"info": {"words": 3}}, "info is {'words': 3}, here it is {}"),
    ):
        with pytest.raises(ValueError, match=message):
            table.load(json.dumps(content | other).encode())
    for damaged in (saved[:-20], "text", None):
        with pytest.raises(ValueError, match="damaged"):
            table.load(damaged)
    for more in ({"seed": 1}, {"options": {"deck": []}}):
        options = {**more.get("options", {}), "saved": saved}
        with pytest.raises(ValueError, match="goes with neither a seed nor a"):
            table.reset(**more | {"options": options})
    assert everything(table) == before


WRONG = (
    *(None, True, -1, 0, 1.5, 2**64, "", "x", "illegal:0", [], [None], ["x"], [[]], [["x", 1]], {}),
    *([True], [{}], [1.5], [["player_0"]], [["player_0", -1]], [["player_0", "x"]], [[[], 1]]),
)


def refusal(table: TableEnv, data: bytes) -> str:
    """Return the error message with which a table refuses to load data; empty if it loads."""
    try:
        table.load(data)
    except ValueError as error:
        return str(error)
    return ""


def test_load_refuses_forged_tables_or_plays_on(game) -> None:
    """Try wrong values without a checksum; a refusal leaves the table unchanged."""
    table, rng = make_table(game, **short(game)), np.random.default_rng(0)
    table.reset(seed=0)
    for _ in random_moves(table, rng):
        pass
    content = json.loads(table.save())
    del content["check"]
    finished = content["actions"]
    history = content["actions"] = finished[:3]
    forged = [{**content, name: wrong} for name in content for wrong in WRONG]
    forged += [{name: content[name] for name in content if name != other} for other in content]
    longer = [
        [*all_, *more] for all_ in (history, finished) for more in WRONG if type(more) is list
    ]
    longer += [history[:i] + history[i + 1 :] for i in range(3)]
    forged += [{**content, "actions": one} for one in longer]
    refused, before = 0, make_table(game, **short(game))
    before.reset(seed=1)
    target = copy.deepcopy(before)
    for one in forged:
        if said := refusal(target, json.dumps(one).encode()):
            refused += 1
            assert "\n" not in said
            assert tables_alike(target, before)
        else:
            for _ in random_moves(target, rng) if target.agents else ():
                pass
            target = copy.deepcopy(before)
    assert refused > len(WRONG) * len(content) / 2


def test_redeal_keeps_what_an_agent_sees(game) -> None:
    if game.rules.redeal is None:
        pytest.skip("the game has no redeal")
    table, rng = make_table(game, **seats(game, 3)), np.random.default_rng(0)
    table.reset(seed=5)
    between = table.possible_agents[len(table.possible_agents) // 2]
    for _, agent in zip(range(30), random_moves(table, rng), strict=False):
        for viewer in (agent, between):
            world = copy.deepcopy(table).redeal(viewer, seed=7)
            assert data_equivalence(world.observe(viewer), table.observe(viewer))
            legal = np.flatnonzero(world.infos[agent]["action_mask"])
            assert world.legal_actions() == [world.action_names[i] for i in legal]
            assert world.transcript == table.transcript


# --- Gymnasium and stable-baselines3 ------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "params", "truncates"),
    [("diddly", {"turn_limit": 1}, True), ("diddly", {"rounds": 1}, False),
     ("addtoo", {"max_hands": 1}, True)],
)  # fmt: skip
def test_a_seat_is_told_whether_its_game_was_stopped_or_is_over(game, params, truncates) -> None:
    env = SeatEnv(game, opponents="random", **params)
    _, info = env.reset(seed=1)
    ends = (False, False)
    while not any(ends):
        _, _, *ends, info = env.step(int(info["action_mask"].argmax()))
    assert ends == [not truncates, truncates]
    with pytest.raises(RuntimeError, match="the game is over"):
        env.step(0)


@pytest.mark.filterwarnings("ignore:.*illegal")
@pytest.mark.parametrize("mask", [False, True])
def test_gymnasium_checker(game, mask) -> None:
    from gymnasium.utils.env_checker import check_env

    name = registration.gymnasium_id(game.name, game.version)
    env = gymnasium.make(name, render_mode="ansi", mask_in_observation=mask)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version")
        check_env(env.unwrapped, skip_render_check=True)


def test_sb3_checker(game) -> None:
    check_env = pytest.importorskip("stable_baselines3.common.env_checker").check_env
    check_env(SeatEnv(game.name, opponents="random"))


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_rewards_of_a_seat_add_up_to_its_payoff(kind, reward) -> None:
    game, params = kind
    count = game.make_params(**params).num_players - 1
    others = (list(game.players.scripted)[1::-1] * count)[:count]
    for seat in (*range(count + 1), None):
        env = SeatEnv(game.name, seat=seat, opponents=others, **params | {"reward": reward})
        due = collected(env.batch)
        for seed in range(scaled(3)):
            due[:] = 0
            seen, info = env.reset(seed=seed)
            handed, over = 0.0, False
            rng = np.random.default_rng(seed)
            while not over:
                assert env.observation_space.contains(seen)
                np.testing.assert_array_equal(env.action_masks(), info["action_mask"])
                action = rng.choice(np.flatnonzero(info["action_mask"]))
                seen, paid, terminated, truncated, info = env.step(action)
                handed += paid
                over = terminated or truncated
            assert handed == pytest.approx(due[info["seat"]], abs=1e-5)
            assert info["score"] == env.batch.standings()[0][0, info["seat"]]
            assert sum(info["hand_scores"]) == info["score"]
            assert dict(game.rules.info(env.batch.params)).items() <= info.items()
            assert seat is None or info["seat"] == seat
            with pytest.raises(RuntimeError, match="reset"):
                env.step(0)


def test_an_illegal_action_ends_the_seats_game(kind) -> None:
    game, params = kind
    env = SeatEnv(game.name, **params)
    _, info = env.reset(seed=0)
    seen, paid, terminated, truncated, info = env.step(illegal(info["action_mask"]))
    assert (paid, terminated, truncated) == (-1.0, True, False)
    assert env.observation_space.contains(seen)
    assert info["action_mask"].all()  # no policy is ever asked with an empty mask
    assert not info["is_winner"]
    assert info["rank"] == (2 if env.batch.is_team else env.batch.num_players)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"seat": 99}, "seat=99 is not possible; choose from 0 to 1$"),
        ({"seat": 0.0}, "seat=0.0 is not possible"),
        ({"opponents": ["random"] * 99}, "99 given, 1 seats"),
        ({"opponents": "wizard"}, "no player 'wizard'"),
        ({"opponents": [7]}, "opponents: 7 is neither a player nor the name of one"),
        ({"opponents": [SimpleNamespace(act=max)]}, r"neither a player.*methods `act` and `seed`"),
        ({"render_mode": "smell"}, "render_mode='smell'"),
        ({"view": "player_99"}, "view='player_99'"),
        ({"mask_in_observation": ""}, "mask_in_observation='' is not possible"),
        (
            {"mask_in_observation": "row_actions"},
            "a key other than 'observation', 'action_features'",
        ),
    ],
)
def test_impossible_options_of_a_seat_are_named(wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        SeatEnv("diddly", **wrong)


def test_what_is_impossible_at_a_table_is_named() -> None:
    table = make_table(DIDDLY)
    for early in (
        table.last,
        lambda: table.step(0),
        lambda: table.observe("player_0"),
        lambda: table.infos,
        lambda: table.redeal("player_0", 1),
    ):
        message = r"no game (has been dealt yet|is being played); call reset\(\) first"
        with pytest.raises(RuntimeError, match=message):
            early()
    with pytest.raises(RuntimeError, match="nothing to save"):
        table.save()
    table.reset(seed=1)
    before = everything(table)
    asked = (table.observe, table.observation_space, table.action_space)
    for call in (*asked, lambda agent: table.redeal(agent, 1)):
        for nobody in ("player_99", ["player_0"]):
            with pytest.raises(ValueError, match=r"there is no agent .*; there are player_0"):
                call(nobody)
    for seed in (-1, 1.5, None):
        with pytest.raises(ValueError, match=f"seed: give a whole number from 0 on, not {seed}"):
            table.redeal("player_0", seed)
    for options, message in (
        (["deck"], r"options=\['deck'\] is not possible; give a dict"),
        ({"decks": []}, "options: there is no 'decks'; did you mean \"deck\""),
        ({"save": b""}, "options: there is no 'save'; did you mean \"saved\""),
    ):
        with pytest.raises(ValueError, match=message):
            table.reset(options=options)
    assert everything(table) == before


def test_what_is_impossible_at_a_seat_is_named() -> None:
    env = SeatEnv("diddly", seat=np.int64(0))
    with pytest.raises(RuntimeError, match=r"no game has been dealt yet; call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    before = env.batch.states.tobytes()
    with pytest.raises(ValueError, match=r"options=.*'deck'.* is not possible; there are none"):
        env.reset(options={"deck": ["nonsense"]})
    assert env.batch.states.tobytes() == before
