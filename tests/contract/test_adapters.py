"""What PettingZoo, Gymnasium and stable-baselines3 require, and what is promised beyond that."""

import copy
import importlib.util
import json
import pickle
import subprocess
import sys
import warnings
from dataclasses import replace
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
    AssertOutOfBoundsWrapper,
    BaseWrapper,
    CaptureStdoutWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)
from pettingzoo.utils.wrappers import MultiEpisodeEnv
from tests.conftest import (
    COMPILED,
    check_payoffs,
    illegal,
    make_table,
    random_moves,
    scaled,
    seats,
    seats_of,
    short,
)
from tests.contract.payoffs import collected

from kitchentable import Batch, SeatEnv, TableEnv, all_games
from kitchentable.adapters import registration
from kitchentable.adapters.vector import SeatVectorEnv
from kitchentable.adapters.wrappers import wrap
from kitchentable.core.registry import place_of
from kitchentable.core.rewards import REWARDS
from kitchentable.core.state import NOBODY
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.render.window import Window

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
    names = (
        *("agents", "agent_selection", "transcript"),
        *("rewards", "_cumulative_rewards", "terminations", "truncations"),
    )
    seen = [[a.tobytes() for a in table.observe(one).values()] for one in table.possible_agents]
    infos = {
        agent: info | {"action_mask": info["action_mask"].tobytes()}
        for agent, info in table.infos.items()
    }
    told = copy.deepcopy([getattr(table, name) for name in names])
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
def test_pettingzoo_api(variant, capsys) -> None:
    game, params = variant
    for table in (module_of(game).raw_env(**params), module_of(game).env(**params)):
        api_test(table, num_cycles=40)


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
        with pytest.raises(NotImplementedError, match=r"has no rules.state_layout"):
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


def test_every_agent_has_the_same_constant_spaces(variant) -> None:
    game, params = variant
    table = make_table(game, **params)
    for agent in table.possible_agents:
        assert table.observation_space(agent) is table.observation_space(agent)
        assert table.action_space(agent) is table.action_space(agent)
        assert table.observation_space(agent) == table.observation_space("player_0")
        assert table.action_space(agent).n == len(table.action_names)
    boxes = [id(box) for space in table.observation_spaces.values() for box in space.values()]
    assert len(set(boxes)) == len(boxes), "seeding one agent's space touches another's"


def test_a_whole_game_as_agents_see_it(variant) -> None:
    """Check masks, names, flags and rewards at every decision, up to the last dead step."""
    game, params = variant
    table, rng = make_table(game, **params), np.random.default_rng(0)
    table.reset(seed=3)
    names, first = table.action_names, table.agent_selection
    for agent in random_moves(table, rng):
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
        before = everything(table)
        table.observe(rng.choice(table.agents))
        assert table.last()[1] == table.last()[1]
        assert everything(table) == before
    payoffs = dict.fromkeys(table.possible_agents, 0.0)
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
    paid = np.array([list(payoffs.values())])
    team = game.is_team(table.params)
    check_payoffs(paid, table.ranks[None], table.params.reward, team=team)
    with pytest.raises(RuntimeError, match="reset"):
        table.step(0)
    assert table.transcript[0][0] == first


def test_after_the_last_agent_there_is_an_error_that_says_so(game) -> None:
    table = wrap(make_table(game, **short(game)))
    with pytest.raises(RuntimeError, match=r"no game has been dealt yet; call reset\(\) first"):
        table.unwrapped.last()
    table.reset(seed=0)
    table.step(int(table.last()[0]["action_mask"].argmin()))  # an illegal action ends the game
    for _ in table.agent_iter():
        table.step(None)
    for one in (table, table.unwrapped):
        with pytest.raises(RuntimeError, match=r"no game is being played; call reset\(\) first"):
            one.last()


def arrays_within(value) -> list:
    """Return the arrays in nested dicts and tuples."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [array for one in value for array in arrays_within(one)]
    return [value] if isinstance(value, np.ndarray) else []


def scribble(*values) -> None:
    """Overwrite all arrays that can be written to, and check that they share no memory."""
    arrays = arrays_within(values)
    for i, array in enumerate(arrays):
        if array.flags.writeable:
            assert not any(np.may_share_memory(array, other) for other in arrays[:i])
            array.fill(True)


def test_writing_to_what_was_handed_out_changes_no_table(game) -> None:
    """Arrays are fresh, or read-only where PettingZoo expects the same array again."""
    pairs = [make_table(game, **short(game)) for _ in range(2)]
    spoiled, clean = pairs
    for table in pairs:
        table.reset(seed=4)
    while clean.agents:
        for _ in range(2):
            scribble(spoiled.last(), [spoiled.observe(one) for one in spoiled.possible_agents])
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


def test_writing_to_what_was_handed_out_changes_no_seat(game) -> None:
    options = {"opponents": "random", "mask_in_observation": True, **short(game)}
    for make in (SeatEnv, SeatVectorEnv):
        spoiled, clean = make(game.name, **options), make(game.name, **options)
        expected = clean.reset(seed=4)
        scribble(spoiled.reset(seed=4))
        for _ in range(40):
            mask = expected[-1]["action_mask"]
            found = spoiled.step(mask.argmax(-1))
            expected = clean.step(mask.argmax(-1))
            assert data_equivalence(found, expected)
            scribble(found, spoiled.action_masks() if make is SeatEnv else ())
            if make is SeatEnv and any(expected[2:4]):
                scribble(spoiled.reset())
                expected = clean.reset()


def test_what_was_handed_out_stays_as_it_was(game) -> None:
    table, seat = module_of(game).env(), SeatEnv(game.name, opponents="random")
    table.reset(seed=0)
    info = seat.reset(seed=0)[1]
    handed, ended = [], False
    while not ended and len(handed) < 60:
        seen, *_, told = table.last()
        masks = [table.infos[agent]["action_mask"] for agent in table.agents]
        handed += [(one, one.copy()) for one in (*seen.values(), *masks)]
        table.step(told["action_mask"].argmax())
        vector, _, *ends, info = seat.step(int(info["action_mask"].argmax()))
        handed += [(one, one.copy()) for one in (vector, info["action_mask"])]
        ended = any(ends) or any(table.terminations.values()) or any(table.truncations.values())
    assert all(np.array_equal(*pair) for pair in handed)


@pytest.mark.parametrize("reward", ["win", "margin"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_rewards_handed_to_each_agent_add_up_to_its_payoff(kind, reward, wrapped) -> None:
    game, params = kind
    for seed in range(scaled(20)):
        table = make_table(game, **params | {"reward": reward})
        played = wrap(table) if wrapped else table
        played.reset(seed=seed)
        handed, due = dict.fromkeys(table.possible_agents, 0.0), collected(table._batch)
        rng = np.random.default_rng(seed)
        for agent in played.agent_iter():
            seen, paid, terminated, truncated, _ = played.last()
            handed[agent] += paid
            legal = np.flatnonzero(seen["action_mask"])
            played.step(None if terminated or truncated else int(rng.choice(legal)))
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
    *(
        None,
        "draw",
        "0",
        "\n",
        1.5,
        0.0,
        -1,
        10_000,
        2**70,
        True,
        np.True_,
        np.array(True),
        [0],
        {},
    ),
    *(np.array([0]), np.zeros((3, 3)), np.float64(0), np.datetime64("now"), np.int64, object()),
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


def test_env_and_a_seat_end_the_game_whatever_is_sent(game) -> None:
    table, seat = module_of(game).env(), SeatEnv(game.name)
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


def test_every_interface_takes_the_same_kinds_of_integer(game) -> None:
    """As actions and as seeds: Python's and numpy's integers, and scalars of numpy and torch."""
    first = make_table(game)
    first.reset(seed=5)
    action = int(first.observe(first.agent_selection)["action_mask"].argmax())
    first.step(action)
    left = game.make_params().num_players - 1
    results = []
    for kind in KINDS_OF_INTEGER:
        for table in (make_table(game), module_of(game).env()):
            table.reset(seed=kind(5))
            table.step(kind(action))
            assert tables_alike(table.unwrapped, first)
        many = SeatVectorEnv(game.name, 1, opponents=["random"] * left)
        for seat in (SeatEnv(game.name, opponents=["random"] * left), many):
            seat.reset(seed=kind(5))
            action_of_seat = int(seat.batch.masks[0].argmax())
            sent = kind(action_of_seat)
            results.append(seat.step([sent] if seat is many else sent)[0].tobytes())
            assert seat._endings.offenders[0] == NOBODY
        assert Batch(game, 1, seed=kind(5)).states.seed == Batch(game, 1, seed=5).states.seed
    assert len(set(results)) == 1
    for one in (make_table(game), SeatEnv(game.name), SeatVectorEnv(game.name, 2)):
        one.reset(seed=2**64)


def test_what_is_no_seed_is_refused_before_anything_changes(game) -> None:
    table, wrapped, seat = make_table(game), module_of(game).env(), SeatEnv(game.name)
    many, player = SeatVectorEnv(game.name, 1), ScriptedPlayer(game, "random")
    batch = Batch(game, 1, seed=1)
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
        lambda wrong: Batch(game, 1, seed=wrong),
    )
    for attempt, wrong in product(attempts, (True, np.True_, -1, 1.5, "5", np.array([[5]]))):
        with pytest.raises(ValueError, match="seed: give a whole number from 0 on"):
            attempt(wrong)
    assert contents() == before


OPTIMIZED = """
import gymnasium
import numpy as np
from kitchentable import diddly_v0
assert False, "python -O leaves assertions out"
for wrong in (3.0, None, "18", np.array([18]), True, 10_000, -1):
    table, seat = diddly_v0.env(), gymnasium.make("kitchentable:kitchentable/Diddly-v0")
    table.reset(seed=1)
    seat.reset(seed=1)
    table.step(wrong)
    print(list(table.rewards.values()), list(table.terminations.values()), *seat.step(wrong)[1:3])
    raw = diddly_v0.raw_env()
    raw.reset(seed=1)
    try:
        raw.step(wrong)
    except ValueError:
        print("refused")
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
    end = ["[-1.0, 1.0] [True, True] -1.0 True", "refused"] * 7
    assert done.stdout.splitlines() == [
        *end, "player_0", "player_0 is to act; call step() or reset() before you go on"
    ]  # fmt: skip


@pytest.mark.parametrize("reward", ["win", "margin"])
def test_env_ends_the_game_at_an_illegal_action(kind, reward) -> None:
    """The other seats share what the offender loses; in a team every seat loses 1."""
    game, params = kind
    table = wrap(make_table(game, **params | {"reward": reward}))
    team = game.is_team(table.unwrapped.params)
    stake = 1.0 if team or reward == "win" else game.rules.worst_hand / 10
    table.reset(seed=0)
    before = None
    for _ in range(6):
        mask = table.last()[0]["action_mask"]
        if mask.any() and not mask.all():
            before = copy.deepcopy(table)
        if mask.any():
            table.step(int(mask.argmax()))
    if before is None:
        pytest.skip("no action is illegal here")
    table = before
    offender = table.agent_selection
    table.step(illegal(table.last()[0]["action_mask"]))
    assert all(table.terminations.values())
    assert not any(table.truncations.values())
    lose = set(table.agents) if team else {offender}
    won = stake / max(1, len(table.agents) - 1)
    expected = {agent: -stake if agent in lose else won for agent in table.agents}
    assert table.rewards == pytest.approx(expected)
    for agent in list(table.agents):
        last = 2 if team else len(table.possible_agents)
        assert table.infos[agent]["rank"] == (1 if agent not in lose else last)
        assert table.infos[agent]["is_winner"] == (agent not in lose)
        assert not table.observe(agent)["action_mask"].any()
    while table.agents:
        for other in twins(table.unwrapped):
            assert tables_alike(table.unwrapped, other)
            assert other.ranks.tolist() == table.unwrapped.ranks.tolist()
        table.step(None)
    with pytest.raises(RuntimeError, match="no game is being played"):
        table.unwrapped.forfeit(0)


def test_a_loss_by_an_illegal_action_is_shown(kind) -> None:
    """The sentence precedes the usual text, which looks as if the game still went on."""
    game, params = kind
    options = {"render_mode": "ansi", "view": "all", **params}
    table, seat = wrap(make_table(game, **options)), SeatEnv(game.name, **options)
    many = SeatVectorEnv(game.name, 2, **options)
    table.reset(seed=0)
    info, infos = seat.reset(seed=0)[1], many.reset(seed=0)[1]
    before, offender = (table.render(), seat.render(), *many.render()), table.agent_selection
    masks = infos["action_mask"]
    if info["action_mask"].all():
        pytest.skip("no action is illegal here")
    table.step(illegal(table.last()[0]["action_mask"]))
    seat.step(illegal(info["action_mask"]))
    many.step([illegal(masks[0]), masks[1].argmax()])
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
    table = wrap(TableEnv("diddly", render_mode="human"))
    table.reset(seed=0)
    for choose in (np.argmax, np.argmin):  # a legal action, then one that ends the game as illegal
        table.step(int(choose(table.last()[0]["action_mask"])))
    assert len(shown) == 3
    seat = SeatEnv("diddly", render_mode="human")
    _, info = seat.reset(seed=0)
    assert len(shown) == 4
    seat.step(int(info["action_mask"].argmax()))
    assert len(shown) == 5
    saved = table.save()
    table = wrap(TableEnv("diddly", render_mode="human"))
    table.load(saved)
    assert len(shown) == 6
    np.testing.assert_array_equal(shown[-1], shown[2])


# --- Rigged decks -------------------------------------------------------------------------------


def test_a_rigged_deck_deals_the_named_cards(game) -> None:
    table = make_table(game)
    copies = game.rules.deck(table.params)
    names = [name for name, count in copies.items() for _ in range(count)]
    top = names[::-1]
    table.reset(seed=0, options={"deck": top})
    whole = table._batch.states.tobytes()
    table.reset(seed=0, options={"deck": top[:-1]})  # the last card has only one place left
    assert table._batch.states.tobytes() == whole
    table.reset(seed=0, options={"deck": []})
    plain = table._batch.states.tobytes()
    table.reset(seed=0)
    assert table._batch.states.tobytes() == plain
    table.reset(seed=0, options={"deck": names})
    assert (table._batch.states.tobytes() != whole) == (names != top)


@pytest.mark.parametrize(
    ("deck", "message"),
    [(["joker"], "'joker'"), ("7", "list of card names"), ([7], "7"), (3, "list of card names")],
)
def test_impossible_decks_are_named_and_change_nothing(game, deck, message) -> None:
    table = make_table(game)
    table.reset(seed=0)
    before = everything(table)
    with pytest.raises(ValueError, match=message):
        table.reset(seed=1, options={"deck": deck})
    assert everything(table) == before


def test_too_many_copies_of_a_card_are_named(game) -> None:
    table = make_table(game)
    name, count = next(iter(game.rules.deck(table.params).items()), ("joker", 0))
    with pytest.raises(ValueError, match=f"only {count} cards '{name}'|there is no card 'joker'"):
        table.reset(options={"deck": [name] * (count + 1)})


# --- Copies, pickles, saved tables --------------------------------------------------------------


def test_copy_pickle_save_and_load_all_through_whole_games(variant) -> None:
    """At intervals, so that every kind of decision comes up."""
    game, params = variant
    table, rng = make_table(game, **params), np.random.default_rng(0)
    table.reset(seed=1)
    for number, agent in enumerate(random_moves(table, rng)):
        if number > scaled(120):
            break
        if number % 7 == 0:
            assert all(tables_alike(table, other) for other in twins(table))
        if number % 21 == 20 and game.rules.redeal is not None:
            table.redeal(agent, number)
    _finish(table, 9)
    assert "score" in table.infos[table.agent_selection]
    while table.agents:
        assert all(tables_alike(table, other) for other in twins(table))
        table.step(None)
    assert all(tables_alike(table, other) for other in twins(table))


def _finish(table: TableEnv, seed: int) -> list:
    rng = np.random.default_rng(seed)
    for _ in random_moves(table, rng):
        pass
    return everything(table)


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
    "own": wrap,
    "base": lambda table: BaseWrapper(wrap(table)),
    "order": OrderEnforcingWrapper,
    "order, own": lambda table: OrderEnforcingWrapper(wrap(table)),
    "bounds": AssertOutOfBoundsWrapper,
    "illegal": lambda table: TerminateIllegalWrapper(OrderEnforcingWrapper(table), -1),
    "illegal, own": lambda table: TerminateIllegalWrapper(wrap(table), -1),
    "printed": lambda table: CaptureStdoutWrapper(wrap(table)),
    "episodes": lambda table: MultiEpisodeEnv(wrap(table), num_episodes=1),
}
"""Ways to wrap a table."""
NEED_RESET = {"order", "order, own", "illegal", "episodes"}
"""Wrappers that do not know that a game has begun before their own `reset`."""


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_saved_table_goes_on_through_every_wrapper(monkeypatch, name) -> None:
    monkeypatch.setattr(Window, "show", lambda *_: None)
    table = wrap(TableEnv("top_card", num_players=3))
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


GOING_ON = """
import importlib
from kitchentable.adapters.registration import env, register
from kitchentable.core.registry import shipped_versions
for name, params, saved, (module, variable, _) in SENT:
    if name not in shipped_versions():
        register(getattr(importlib.import_module(module), variable))
    table = env(name, render_mode="ansi", **params)
    table.load(bytes.fromhex(saved))
    table.step(int(table.last()[0]["action_mask"].argmax()))
    assert table.render() and table.num_agents == len(table.possible_agents)
    print(table.save().hex())
"""


def test_saved_tables_go_on_in_another_process() -> None:
    sent, expected = [], []
    for game in all_games().values():
        table = module_of(game).env(**short(game))
        table.reset(seed=6)
        table.step(int(table.last()[0]["action_mask"].argmax()))
        sent.append((game.name, short(game), table.save().hex(), place_of(game)))
        table.step(int(table.last()[0]["action_mask"].argmax()))
        expected.append(table.save().hex())
    command = [sys.executable, "-c", f"SENT = {sent!r}\n{GOING_ON}"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert told.stdout.split() == expected


def test_a_saved_table_goes_with_neither_a_seed_nor_a_deck(game) -> None:
    table = make_table(game)
    table.reset(seed=1)
    saved, before = table.save(), everything(table)
    for more in ({"seed": 1}, {"options": {"deck": []}}):
        options = {**more.get("options", {}), "saved": saved}
        with pytest.raises(ValueError, match="goes with neither a seed nor a"):
            table.reset(**more | {"options": options})
    with pytest.raises(ValueError, match="there is no 'save'; did you mean \"saved\""):
        table.reset(options={"save": saved})
    assert everything(table) == before


@pytest.mark.parametrize("name", ["num_players", "reward"])
def test_load_refuses_what_does_not_fit(game, name) -> None:
    ours, *_, theirs = seats_of(game) * 2 if name == "num_players" else REWARDS
    if ours == theirs:
        pytest.skip("the game has no other number of seats")
    table = make_table(game, **{name: ours})
    table.reset(seed=0)
    saved = table.save()
    other = make_table(game, **{name: theirs})
    other.reset(seed=0)
    before = everything(other)
    message = rf"params is .*'{name}': {ours!r}.*'{name}': {theirs!r}"
    with pytest.raises(ValueError, match=message):
        other.load(saved)
    for broken in (saved[:-20], saved.replace(b"deal", b"deat", 1), b"", b"table", "text"):
        with pytest.raises(ValueError, match="damaged"):
            other.load(broken)
    assert everything(other) == before


def test_load_refuses_a_table_with_other_facts(monkeypatch) -> None:
    kuhn, tables = all_games()["kuhn_poker"], []
    for motto in ("fortune favors the brave", "who dares wins"):
        rules = replace(kuhn.rules, info=lambda _, told=motto: {"motto": told})
        monkeypatch.setitem(all_games(), kuhn.name, replace(kuhn, rules=rules))
        tables.append(make_table(kuhn))
        tables[-1].reset(seed=1)
        assert tables[-1].infos["player_0"]["motto"] == motto
    before = everything(tables[1])
    with pytest.raises(ValueError, match=r"info is .*fortune.*, here it is .*who dares"):
        tables[1].load(tables[0].save())
    assert everything(tables[1]) == before


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


@pytest.mark.parametrize("finished", [False, True])
def test_load_refuses_forged_tables_or_plays_on(game, finished) -> None:
    """Try wrong values without a checksum; a refusal leaves the table unchanged."""
    table, rng = make_table(game), np.random.default_rng(0)
    table.reset(seed=0)
    moves = random_moves(table, rng)
    for _ in moves if finished else zip(range(3), moves, strict=False):
        pass
    content = json.loads(table.save())
    del content["check"]
    forged = [{**content, name: wrong} for name in content for wrong in WRONG]
    forged += [{name: content[name] for name in content if name != other} for other in content]
    history = content["actions"]
    longer = [[*history, *more] for more in WRONG if isinstance(more, list)]
    forged += [{**content, "actions": one} for one in longer]
    forged += [{**content, "actions": history[:i] + history[i + 1 :]} for i in range(3)]
    refused = 0
    before = make_table(game)
    before.reset(seed=1)
    target = copy.deepcopy(before)
    for one in forged:
        if said := refusal(target, json.dumps(one).encode()):
            refused += 1
            assert "\n" not in said
            assert tables_alike(target, before)
        else:
            if target.agents:
                _finish(target, 1)
            target = copy.deepcopy(before)
    assert refused > len(WRONG) * len(content) / 2


def test_redeal_keeps_what_an_agent_sees(game) -> None:
    if game.rules.redeal is None:
        pytest.skip("the game has no redeal")
    table, rng = make_table(game, **seats(game, 3)), np.random.default_rng(0)
    table.reset(seed=5)
    between = table.possible_agents[len(table.possible_agents) // 2]
    for _, agent in zip(range(scaled(100)), random_moves(table, rng), strict=False):
        for viewer in (agent, between):
            world = copy.deepcopy(table).redeal(viewer, seed=7)
            for key in ("observation", "action_mask"):
                np.testing.assert_array_equal(
                    table.observe(viewer)[key], world.observe(viewer)[key]
                )
            legal = np.flatnonzero(world.infos[agent]["action_mask"])
            assert world.legal_actions() == [world.action_names[i] for i in legal]
            assert viewer != agent or world.legal_actions() == table.legal_actions()
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
        for seed in range(scaled(10)):
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
            state = env.batch.states[0]
            assert handed == pytest.approx(due[info["seat"]], abs=1e-5)
            assert info["score"] == env.batch.scores(state)[info["seat"]]
            assert sum(info["hand_scores"]) == info["score"]
            assert dict(game.rules.info(env.batch.params)).items() <= info.items()
            assert seat is None or info["seat"] == seat
            with pytest.raises(RuntimeError, match="reset"):
                env.step(0)


def test_an_illegal_action_ends_the_seats_game(kind) -> None:
    game, params = kind
    env = SeatEnv(game.name, **params)
    for wrong in (None, -1, 10_000):
        _, info = env.reset(seed=0)
        action = illegal(info["action_mask"]) if wrong is None else wrong
        seen, paid, terminated, truncated, info = env.step(action)
        assert (paid, terminated, truncated) == (-1.0, True, False)
        assert env.observation_space.contains(seen)
        assert info["action_mask"].all()  # no policy is ever asked with an empty mask
        assert not info["is_winner"]
        assert info["rank"] == (2 if env.batch.is_team else env.batch.num_players)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"seat": 99}, "seat=99 is not possible; choose from 0 to {others}$"),
        ({"opponents": ["random"] * 99}, "99 given, {others} seats"),
        ({"opponents": "wizard"}, "no player 'wizard'"),
        ({"opponents": [7]}, "opponents: 7 is neither a player nor the name of one"),
        ({"opponents": [SimpleNamespace(act=max)]}, r"neither a player.*methods `act` and `seed`"),
        ({"render_mode": "smell"}, "render_mode='smell'"),
        ({"view": "player_99"}, "view='player_99'"),
        ({"mask_in_observation": ""}, "mask_in_observation='' is not possible"),
    ],
)
def test_impossible_options_of_a_seat_are_named(game, wrong, message) -> None:
    others = game.make_params().num_players - 1
    with pytest.raises(ValueError, match=message.format(others=others)):
        SeatEnv(game.name, **wrong)


def test_what_is_impossible_at_a_table_is_named(game) -> None:
    table = make_table(game)
    for early in (
        table.last,
        lambda: table.step(0),
        lambda: table.observe("player_0"),
        lambda: table.infos,
        *([] if game.rules.redeal is None else [lambda: table.redeal("player_0", 1)]),
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
    for seed in () if game.rules.redeal is None else (-1, 1.5, None):
        with pytest.raises(ValueError, match=f"seed: give a whole number from 0 on, not {seed}"):
            table.redeal("player_0", seed)
    with pytest.raises(ValueError, match=r"options=\['deck'\] is not possible; give a dict"):
        table.reset(options=["deck"])
    with pytest.raises(ValueError, match="options: there is no 'decks'; did you mean \"deck\""):
        table.reset(options={"decks": []})
    assert everything(table) == before


def test_what_is_impossible_at_a_seat_is_named(game) -> None:
    with pytest.raises(ValueError, match=r"seat=0.0 is not possible"):
        SeatEnv(game.name, seat=0.0)
    env = SeatEnv(game.name, seat=np.int64(0))
    with pytest.raises(RuntimeError, match=r"no game has been dealt yet; call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    before = env.batch.states.tobytes()
    with pytest.raises(ValueError, match=r"options=.*'deck'.* is not possible; there are none"):
        env.reset(options={"deck": ["nonsense"]})
    assert env.batch.states.tobytes() == before
