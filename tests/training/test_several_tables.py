"""One network that plays at several tables of a game."""

import json

import numpy as np
import pytest
import torch
from tests.training import tiny_settings
from tests.training.tiny_settings import TAUGHT, check_resumed

from kitchentable import Batch, find_game
from kitchentable.players.scripted import play_out
from kitchentable_training.networks.carry_over import carry_over
from kitchentable_training.networks.inputs import FLAT, NetworkInputs
from kitchentable_training.networks.network import build_network, masked_logits_and_values
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.players.by_name import make_player
from kitchentable_training.players.checkpoint import read_card
from kitchentable_training.runs.best_response import exploit_settings
from kitchentable_training.runs.run import Run

DIDDLY = find_game("diddly")
TABLES = [{"num_players": 2}, {"num_players": 3}, {"num_players": 2, "cards": 9}]
ALONE = NetworkSettings(layers=[8], relations=True, action_features=True)
SEVERAL = ALONE.model_copy(update={"tables": TABLES})


def made(table, network=SEVERAL, seed=1):
    """Return a batch, the network for its table, and its inputs."""
    batch = Batch(DIDDLY, 4, seed=0, **table)
    for _ in range(30):
        batch.step(batch.sample_actions())
    torch.manual_seed(seed)
    inputs = NetworkInputs(DIDDLY, batch.params, network)
    return batch, build_network(DIDDLY, batch.params, network), inputs


def test_an_input_has_one_weight_at_all_tables():
    """Compared with adding up by names; a card lies at the same seat and place everywhere."""
    networks = [made(table) for table in TABLES]
    weights = networks[0][1].layers[0].weight
    for (batch, network, inputs), table in zip(networks, TABLES, strict=True):
        network.load_state_dict(networks[0][1].state_dict())
        shown = inputs.tensors(batch)
        values = dict.fromkeys(inputs.weight_names, 0.0)
        values |= dict.fromkeys([f"{k}={v}" for k, v in ({"cards": 6} | table).items()], 1.0)
        for i, row in enumerate(shown[FLAT]):
            told = values | dict(zip(inputs.names, row.tolist(), strict=True))
            expected = torch.tensor([told[name] for name in inputs.weight_names]) @ weights.T
            found = network.layers[0](shown[FLAT])[i] - network.layers[0].bias
            torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)
    names = networks[0][2].weight_names
    assert len(names) == len(set(names))
    assert {"cards.2.5.H", "cards.1.8.H", "cards=9"} <= set(names)
    assert not {"cards.2.8.H", "rounds=5"} & set(names)


@pytest.mark.parametrize(("before", "after"), [(ALONE, SEVERAL), (SEVERAL, ALONE)])
def test_a_player_goes_on_at_more_or_fewer_tables(before, after):
    """What the parameters of a table add is kept at one table."""
    batch, theirs, there = made(TABLES[0], before)
    _, fresh, here = made(TABLES[0], after, seed=2)
    fresh.load_state_dict(carry_over(theirs.state_dict(), there, fresh.state_dict(), here))
    shown = there.tensors(batch)
    wanted = masked_logits_and_values(theirs, shown)[0]
    torch.testing.assert_close(masked_logits_and_values(fresh, shown)[0], wanted)


def test_features_that_are_used_at_any_table_are_not_silent():
    quiddler = find_game("quiddler")
    auto, spell = ({"meld": meld} for meld in ("auto", "spell"))
    alone, both, same = (
        NetworkInputs(
            quiddler, quiddler.make_params(**auto), ALONE.model_copy(update={"tables": tables})
        ).silent
        for tables in ([], [auto, spell], [auto])
    )
    assert alone == same
    assert len(both) < len(alone)


def settings(**more):
    content = {
        "own": {"magnet_coef": 0.1, "duplicates": 1}, "params": TABLES[0], "steps": 500,
        "num_envs": 12, "network": SEVERAL.model_dump(exclude_defaults=True),
        "evaluation": {"every": 300, "deals": 1, "final_deals": 2, "opponents": ["random"]},
    }  # fmt: skip
    return tiny_settings.settings(**content | more)


def test_a_run_learns_at_all_tables_and_its_player_plays_there(tmp_path):
    """Also where there are fewer seats or cards; elsewhere it says what it was not made for."""
    whole, _ = check_resumed(settings(), tmp_path)
    elsewhere = read_card(whole / "final")["results_elsewhere"]
    assert [one["params"]["num_players"] for one in elsewhere] == [3, 2]
    assert all(one["results"]["random"]["deals"] == 2 for one in elsewhere)
    settings_of = exploit_settings(str(whole), None)
    assert (settings_of.network.tables, settings_of.carry_over) == ([], True)
    for table in (*TABLES, {"num_players": 2, "rounds": 2}):
        player = make_player(str(whole), DIDDLY, DIDDLY.make_params(**table))
        batch = Batch(DIDDLY, 4, seed=0, autoreset=False, **table)
        play_out(batch, [player], np.zeros(batch.rewards.shape, int))
        assert (batch.states.terminated | batch.states.truncated).all()
    for table, what in (
        ({"num_players": 4}, "to_act.3"),
        ({"cards": 9, "num_players": 3}, "cards"),
    ):
        with pytest.raises(ValueError, match=rf"was made for other tables.* no weights for {what}"):
            make_player(str(whole), DIDDLY, DIDDLY.make_params(**table))


def test_all_tables_are_learned_from(tmp_path):
    """The decisions of each table count, and each changes the weights of what is only there.

    So do the critics of the duplicate tables.
    """
    run = Run(settings(), tmp_path / "run")
    before = run.learner.network.layers[0].weight.clone()
    critics = [
        next(option.network for option in learner.options if option.learns)
        for learner in (run.learner, *run.learner.other_tables)
    ]
    untrained = [critic[-1].weight.clone() for critic in critics]
    run.train()
    for critic, weight in zip(critics, untrained, strict=True):
        assert (critic[-1].weight != weight).any()
    changed = (run.learner.network.layers[0].weight != before).any(dim=0).nonzero()[:, 0]
    names = [run.learner.inputs.weight_names[i] for i in changed]
    for own in ("cards.2", "num_players=3", "cards.1.8", "cards=9"):
        assert any(name.startswith(own) for name in names)
    assert run.learner.steps == 500 + -500 % (3 * 4 * 16)


def test_at_each_table_its_own_player_is_imitated(tmp_path):
    players = ["greedy", "expert", "greedy"]
    lessons = TAUGHT | {"player": players, "decisions": 30_000, "lesson": 5000}
    tables = [table | {"reward": "margin"} for table in TABLES]
    network = SEVERAL.model_copy(update={"tables": tables}).model_dump(exclude_defaults=True)
    chosen = settings(
        params=tables[0], network=network, episode="hand", steps=1, behavior_cloning=lessons
    )
    run = Run(chosen, tmp_path)
    demonstrators = run._demonstrators(run.settings.behavior_cloning.lesson)
    tables = [(one._player.name, one._batch) for one in demonstrators]
    places = [(name, batch.num_players, batch.params.cards) for name, batch in tables]
    assert places == [("greedy", 2, 6), ("expert", 3, 6), ("greedy", 2, 9)]
    run.train()
    lines = [json.loads(line) for line in (tmp_path / "progress.jsonl").read_text().splitlines()]
    rates = [line["behavior_cloning/agreement"] for line in lines if line["step"] == 0]
    assert min(rates[-3:]) > 0.75, rates


FIDDLEFOO = {"game": "fiddlefoo", "params": {"num_players": 4}, "num_envs": 8}


@pytest.mark.parametrize(
    ("more", "network", "message"),
    [
        ({"algorithm": "dmc", "own": {}}, {}, "only algorithm: ppo learns at"),
        ({"num_envs": 16, "own": {}}, {}, "num_envs=16 is no multiple of the 3 tables"),
        ({"num_envs": 9}, {}, "training.duplicates=1: num_envs=9 is no multiple of 6"),
        ({"params": TABLES[1]}, {}, r"network.tables.0: the first table is that of params"),
        ({}, {"action_features": False}, "network.tables: .* wants layers and network.action_feat"),
        ({}, {"tables": [*TABLES, {"seats": 2}]}, "network.tables.3.seats: there is no such para"),
        ({}, {"tables": [*TABLES, TABLES[1]]}, "tables.3: it is the same as .*1"),
        ({}, {"tables": [*TABLES[:2], {"reward": "margin"}]}, "tables.2.reward: it is win in"),
        ({"own": {"league": 0.5}}, {}, "training.league: it is for one table"),
        (FIDDLEFOO, {"tables": [FIDDLEFOO["params"], {"cooperative": True}]},
         "some are for a team and some are not"),
    ],
)  # fmt: skip
def test_what_several_tables_need_is_said(more, network, message):
    given = {"action_features": True, "tables": TABLES, **network}
    with pytest.raises(ValueError, match=message):
        settings(**more, network=given)
