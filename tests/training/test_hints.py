"""Hints: what they say, that they give nothing away, and networks that are shown them."""

from pathlib import Path

import numpy as np
import pytest
import torch
from tests.conftest import COMPILED, play_batch, scaled
from tests.games.addtoo.layout import DIAMONDS
from tests.games.addtoo.play import Table
from tests.games.addtoo.slow import found_by_search

from kitchentable import Batch, all_games, find_game
from kitchentable.core.rng import seeds_for
from kitchentable.core.state import slices
from kitchentable.games.addtoo.players.lookahead import usual_depth
from kitchentable.games.fiddlefoo.players.hints import KINDS
from kitchentable.games.fiddlefoo.state import CARD, CELL, THROW
from kitchentable.players.scripted import ScriptedPlayer, play_out
from kitchentable_training.learn.run import Run
from kitchentable_training.learn.settings import load_settings
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.policy import PolicyPlayer, build_policy
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.players.checkpoint import CheckpointError, check_card, load_player

ADDTOO, FIDDLEFOO = find_game("addtoo"), find_game("fiddlefoo")
CONFIG = Path(__file__).parents[2] / "configs" / "fiddlefoo.yaml"
HINTED = NetworkSettings(features="flat", layers=[8], activation="relu", hints=True)
VARIANTS = [
    (game, params)
    for game in all_games().values()
    if game.players.hints
    for params in game.rules.variants
]
TINY = [
    *("steps=1024", "num_envs=32", "ppo.n_steps=16", "ppo.batch_size=256", "network.layers=[16]"),
    *("opponents.scripted={random: 1, greedy: 1}", "opponents.past_every=512"),
    *("evaluation.every=512", "evaluation.deals=2", "evaluation.final_deals=4"),
    "evaluation.opponents=[greedy]",
    "imitation={player: greedy, decisions: 2000, lesson: 2000, batch_size: 256,"
    " learning_rate: 0.001}",
]


def see(inputs: NetworkInputs, batch: Batch) -> np.ndarray:
    return inputs(batch.observations, batch.masks)


# --- What they are ------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "params"), VARIANTS, ids=[str(i) for i in range(len(VARIANTS))])
def test_hints_stand_behind_the_observation_and_give_nothing_away(game, params) -> None:
    """What a seat cannot know is dealt anew, and its hints stay the same."""
    batch = Batch(game, scaled(20), seed=3, **params)
    inputs, plain = NetworkInputs(game, batch.params, hints=True), batch.observations.shape[1]
    assert inputs.size == sum(inputs.layout.values()) == plain + inputs.num_hints
    spoke = False
    for step, _ in enumerate(play_batch(batch, 40)):
        before = see(inputs, batch)
        np.testing.assert_array_equal(before[:, :plain], batch.observations)
        assert before.min() >= 0.0
        assert before.max() <= 1.0
        spoke |= bool(before[:, plain:].any())
        table = batch.states.copy()
        batch.redeal(batch.current_player.copy(), step)
        np.testing.assert_array_equal(see(inputs, batch), before)
        batch.states[:] = table
        batch.look()
    assert spoke


def test_without_hints_the_observation_is_what_is_shown(game) -> None:
    batch = Batch(game, 4, seed=0)
    for wanted in (False, game.players.hints is None):
        if not (wanted and game.players.hints):
            inputs = NetworkInputs(game, batch.params, hints=wanted)
            np.testing.assert_array_equal(see(inputs, batch), batch.observations)
            assert inputs.num_hints == 0


def test_nothing_is_hinted_to_who_may_do_nothing() -> None:
    batch = Batch(FIDDLEFOO, 3, seed=0)
    inputs = NetworkInputs(FIDDLEFOO, batch.params, hints=True)
    seen = inputs(batch.observations, np.zeros_like(batch.masks))
    assert not seen[:, -inputs.num_hints :].any()


# --- What Fiddlefoo's say -----------------------------------------------------------------------


def _at(phase: int, seed: int) -> Batch:
    """Return one game in the middle, at a decision of this kind."""
    batch = Batch(FIDDLEFOO, 1, seed=seed)
    for _ in range(200):
        batch.step(batch.sample_actions())
        if batch.states.phase[0] == phase and batch.states.on_map[0, 0].bit_count() > 8:
            return batch
    raise AssertionError("no such decision")


@pytest.mark.skipif(not COMPILED, reason="hundreds of deals are played")
@pytest.mark.parametrize("seed", range(4))
def test_cell_hints_are_what_the_other_hand_holds_on_average(seed) -> None:
    """By dealing anew what the seat cannot know, and looking what could be thrown at each cell."""
    batch, deals = _at(CELL, seed), 1500
    inputs = NetworkInputs(FIDDLEFOO, batch.params, hints=True)
    parts = slices(inputs.layout)
    seen = see(inputs, batch)[0]
    many = Batch(FIDDLEFOO, deals, seed=1)
    cells = np.flatnonzero(batch.masks[0, 54 : 54 + 144])
    assert len(cells)
    mover = int(batch.current_player[0])
    for cell in cells[:6]:
        many.states[:] = batch.states[0]
        many.look()
        many._loops.redeal(many.records, np.full(deals, mover), seeds_for(seed, deals), many.tables)
        many.look()
        many.step(np.full(deals, 54 + cell))
        safe = bool(many.states.safe[0])
        hands = many.states.hands[:, 1 - mover, 0]
        held = np.bitwise_count(hands & many.states.fits_range[:, 0]).astype(float)
        notes = np.bitwise_count(hands & many.states.fits_notes[:, 0])
        thrown = np.where(held > 0, held, notes > 0)
        sizes = np.bitwise_count(hands)
        found = {kind: seen[parts[f"cell_{kind}"]][cell] for kind in KINDS}
        assert found["calm"] == pytest.approx(1.0 - min(thrown.mean(), 8.0) / 8.0, abs=0.02)
        strain = 1.0 - min((thrown / sizes).mean(), 2.0) / 2.0
        assert found["strain"] == pytest.approx(strain, abs=0.02)
        # Range cards and notes cards are taken as drawn apart from each other.
        assert found["quiet"] == pytest.approx((thrown == 0).mean(), abs=0.1)
        assert found["open"] == pytest.approx((thrown < sizes).mean(), abs=0.1)
        assert found["song"] == (not safe)


@pytest.mark.parametrize("seed", range(3))
def test_card_hints_are_those_of_the_best_cell(seed) -> None:
    """And the best card is the one that the expert plays."""
    batch = _at(CARD, seed)
    inputs = NetworkInputs(FIDDLEFOO, batch.params, hints=True)
    parts = slices(inputs.layout)
    about_cards = see(inputs, batch)[0]
    legal = np.flatnonzero(batch.masks[0, :54])
    merits = about_cards[parts["card_merit"]]
    assert set(np.flatnonzero(merits)) == set(legal)
    chosen = ScriptedPlayer(FIDDLEFOO, "expert", batch.params).act(batch, np.arange(1))[0]
    assert merits[chosen] == merits.max() == 1.0
    for card in legal:
        table = batch.states.copy()
        batch.step(np.array([card]))
        about_cells = see(inputs, batch)[0]
        cells = np.array([about_cells[parts[f"cell_{kind}"]] for kind in KINDS])
        assert set(np.flatnonzero(cells[0])) == set(np.flatnonzero(batch.masks[0, 54:198]))
        best = cells[1:, cells[0] > 1.0 - 1e-6]
        hint = np.array([about_cards[parts[f"card_{kind}"]][card] for kind in KINDS[1:]])
        assert np.abs(best - hint[:, None]).max(axis=0).min() < 1e-4
        batch.states[:] = table
        batch.look()


@pytest.mark.parametrize("params", [{}, {"cooperative": True}, {"talkytoot": "all"}], ids=str)
def test_the_expert_chooses_what_has_most_merit(params) -> None:
    """Every choice of a card, a cell or, in a team, a throw."""
    batch = Batch(FIDDLEFOO, scaled(40), seed=4, **params)
    inputs = NetworkInputs(FIDDLEFOO, batch.params, hints=True)
    expert = ScriptedPlayer(FIDDLEFOO, "expert", batch.params)
    parts, everyone = slices(inputs.layout), np.arange(batch.num_envs)
    at_throw, checked = int(batch.states.at_throw[0]), 0
    for _ in range(60):
        seen, actions = see(inputs, batch), expert.act(batch, everyone)
        about = {CARD: ["card_merit"], CELL: ["cell_merit"]}
        if batch.is_team:
            about[THROW] = ["throw_merit", "pass_merit", "pile_merit"]
        starts = {CARD: 0, CELL: int(batch.states.num_cards[0]), THROW: at_throw}
        for i in everyone:
            phase = int(batch.states.phase[i])
            if phase in about:
                merits = np.concatenate([seen[i, parts[name]] for name in about[phase]])
                assert merits[actions[i] - starts[phase]] == pytest.approx(1.0, abs=1e-6)
                assert merits.max() <= 1.0
                checked += 1
        batch.step(actions)
    assert checked > 10 * batch.num_envs


# --- What Add-Too's say --------------------------------------------------------------------------


def test_hints_of_a_position_worked_out_by_hand() -> None:
    """The rival goes out on 6-10, with 15 for 15, and 8-9 is left. After 8-9, for 10, nobody draws
    and each holds one, the rival having had its turn: that is worth 7."""
    batch = Table.at("1-5@0,0,0,0", "8-9 6-10", "3-5").env._batch
    inputs = NetworkInputs(ADDTOO, batch.params, hints=True)
    parts, seen = slices(inputs.layout), see(inputs, batch)[0]
    best, other = 10 + 7, 15 - 15 - 10
    tiles = [DIAMONDS.index("8-9"), DIAMONDS.index("6-10")]
    assert seen[parts["prospect"]][0] == pytest.approx(0.5 + best / 200)
    assert seen[parts["merit"]][tiles] == pytest.approx([1, np.exp(1.5 * (other - best))])
    assert seen[parts["ease"]][tiles] == pytest.approx([1, 1 - (best - other) / 40])
    assert seen[parts["gain"]][tiles] == pytest.approx([10 / 40, 15 / 40])
    for name in ("merit", "ease", "gain"):
        assert set(np.flatnonzero(seen[parts[name]])) == set(tiles)


@pytest.mark.parametrize("params", [{}, {"num_players": 3, "strict_colors": True}], ids=str)
def test_hints_are_what_the_search_finds(params) -> None:
    """As deep as the expert looks; of a diamond, what holds of its best place."""
    batch = Batch(ADDTOO, 10 if COMPILED else 1, seed=4, **params)
    inputs, index = NetworkInputs(ADDTOO, batch.params, hints=True), batch.action_names.index
    parts, expert = slices(inputs.layout), ScriptedPlayer(ADDTOO, "expert", batch.params)
    for _ in play_batch(batch, 60 if COMPILED else 4):
        seen = see(inputs, batch)[0]
        depth = usual_depth(batch.num_players)
        plays, values, best = found_by_search(batch, 0, depth, every=True)
        prospect = min(max(0.5 + values[best] / 200, 0), 1)
        assert seen[parts["prospect"]][0] == pytest.approx(prospect)
        choosing, wanted = batch.states.chosen[0] < 0, {}
        for (diamond, place, points), value in zip(plays, values, strict=True):
            action = index(f"tile:{diamond}" if choosing else place)
            loss = values[best] - value
            wanted.setdefault(action, []).append((loss, points))
        merit, ease, gain = (seen[parts[name]] for name in ("merit", "ease", "gain"))
        assert set(wanted) == set(np.flatnonzero(batch.masks[0])) >= set(np.flatnonzero(merit))
        assert merit[expert.act(batch, np.arange(1))[0]] == 1.0
        for action, found in wanted.items():
            loss = min(found)[0]
            assert merit[action] == pytest.approx(np.exp(-1.5 * loss), abs=1e-6)
            assert ease[action] == pytest.approx(max(1 - loss / 40, 0), abs=1e-6)
            points = {min(points / 40, 1) for lost, points in found if lost < loss + 1e-6}
            assert min(abs(gain[action] - one) for one in points) < 1e-6


# --- What nobody may change by the way ------------------------------------------------------------

PINNED = [
    (FIDDLEFOO, {}, 12.085),
    (FIDDLEFOO, {"cooperative": True}, 3.345),
    (ADDTOO, {}, 4.783),
    (ADDTOO, {"num_players": 3}, 4.805),
    (ADDTOO, {"num_players": 4, "turned": False}, 3.716),
]


@pytest.mark.skipif(not COMPILED, reason="hundreds of decisions are looked at")
@pytest.mark.parametrize(
    ("game", "params", "pinned"),
    PINNED,
    ids=[f"{game.name}-{params}" for game, params, _ in PINNED],
)
def test_hints_stay_as_they_are(game, params, pinned) -> None:
    """Trained players were trained on them: with others they would play worse, or nonsense.

    Who changes what `expert` thinks has to train the game's `checkpoints/` anew, and pin this.
    """
    batch = Batch(game, 200, seed=8, **params)
    inputs, total = NetworkInputs(game, batch.params, hints=True), 0.0
    for _ in play_batch(batch, 40):
        total += float(see(inputs, batch)[:, -inputs.num_hints :].sum())
    assert total / 8000 == pytest.approx(pinned, abs=0.01 if game is FIDDLEFOO else 0.002)


# --- Networks -----------------------------------------------------------------------------------


def test_hints_go_straight_to_the_actions() -> None:
    """With all layers before dead, each hint still moves its action."""
    params = FIDDLEFOO.make_params()
    policy = build_policy(FIDDLEFOO, params, HINTED)
    inputs = NetworkInputs(FIDDLEFOO, params, hints=True)
    with torch.no_grad():
        for weights in policy.mlp_extractor.layers.parameters():
            weights.zero_()
        policy.action_net.weight.zero_()
        policy.action_net.bias.zero_()
        policy.action_net.weight[5, 8 + 5] = 2.0  # the hint about the sixth card
    shown = torch.zeros(1, inputs.size)
    shown[0, inputs.size - inputs.num_hints + 5] = 0.5
    logits = policy.get_distribution(shown).distribution.logits[0].detach()
    assert logits[5] - logits[4] == pytest.approx(1.0, abs=1e-5)


@pytest.mark.skipif(not COMPILED, reason="training is for compiled rules")
def test_a_hinted_player_is_trained_saved_and_played(tmp_path) -> None:
    settings = load_settings(CONFIG, TINY)
    final = Run(settings, tmp_path / "run").train()
    player = load_player(final)
    assert isinstance(player, PolicyPlayer)
    assert player.inputs.num_hints
    batch = Batch(FIDDLEFOO, 8, seed=0, autoreset=False)
    play_out(batch, [player], np.zeros(batch.rewards.shape, int))
    assert batch.states.terminated.all()


def test_a_checkpoint_without_its_hints_is_refused() -> None:
    from kitchentable_training.players.checkpoint import make_card

    params = FIDDLEFOO.make_params()
    card = make_card(FIDDLEFOO, params, HINTED)
    check_card(card, FIDDLEFOO, params)
    card["network"]["hints"] = False
    with pytest.raises(CheckpointError, match="observation"):
        check_card(card, FIDDLEFOO, params)


def test_a_game_without_hints_is_refused() -> None:
    diddly = CONFIG.with_name("diddly.yaml")
    with pytest.raises(ValueError, match=r"network\.hints: diddly has none"):
        load_settings(diddly, ["network.hints=true"])
