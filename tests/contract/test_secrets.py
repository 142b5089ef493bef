"""What a seat cannot know changes nothing that it is told, and planted leaks are found."""

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.contract.test_shown import every_kind, every_table, sample

from kitchentable import Batch, Game, find_game
from kitchentable.adapters.display import view_of
from kitchentable.core.state import ALL_SEEING, NO_ACTION, NOBODY
from kitchentable.games.diddly.state import CARD_NAMES, NUM_KINDS, TAKE
from kitchentable.render.view import View

DIDDLY = find_game("diddly")
STREAMS = (1, 2, 3)


def told(game: Game, params: Any, record: Any, viewer: int, stream: int) -> dict[str, Any]:
    """Return all that a viewer is told of a table in which everything else is dealt anew.

    The functions of the game run uncompiled. Scripted players are left out, as knowledge and mask
    are all that they are given.
    """
    rules, tables = game.rules, game.rules.tables(params)
    state = record.copy()
    state.rng = stream
    rules.redeal(state, viewer, *tables)
    view = View(game, state, params, viewer)
    known = rules.blank().view(np.recarray)
    rules.know(state, viewer, known[0], *tables)
    found: dict[str, Any] = {
        "knowledge": known.tobytes(),
        "text": view.text(),
        "situation": view.situation(),
        "wide": view.draw().to_svg(spots=True),
        "tall": view.draw(tall=True).to_svg(spots=True),
    }
    if viewer != NOBODY:
        out = np.zeros(sum(rules.observation_layout(params).values()), np.float32)
        rules.observe(state, viewer, out, *tables)
        found["observation"] = out.tobytes()
    if view.acts(viewer):
        found["mask"] = list(view.legal)
        found["explanations"] = [view.explain(action) for action in view.legal]
        found["features"] = features(game, params, known[0], [*view.legal.values()], tables)
    return found


def features(game: Game, params: Any, known: Any, legal: list[int], tables: Any) -> bytes:
    described = game.players.action_features
    if described is None:
        return b""
    mask = np.isin(np.arange(len(game.rules.action_names(params))), legal)
    actions = np.full(described.most, NO_ACTION, np.int64)
    actions[: len(legal)] = legal[: described.most]
    rows = np.zeros((described.most, len(game.feature_names(params))), np.float32)
    described.write(known, mask, actions, rows, *tables)
    return rows.tobytes()


def leaks(game: Game, params: Any, record: Any, viewer: int) -> set[str]:
    """Return by which ways a viewer learns something that it cannot know."""
    first, *others = (told(game, params, record, viewer, stream) for stream in STREAMS)
    return {way for other in others for way in first if other[way] != first[way]}


@every_table
def test_nothing_that_is_hidden_is_told(name, variant) -> None:
    batch, moments = sample(name, variant)
    for i, (records, _) in enumerate(moments):
        for viewer in {NOBODY if i == 0 else i % batch.num_players, int(records[0].current_player)}:
            assert not leaks(batch.game, batch.params, records[0], viewer)


def test_whoever_looks_is_shown_a_new_deal(game) -> None:
    """Even a picture that read hidden cards would give nothing away."""
    batch = Batch(game, 1, seed=3)

    def shown(batch: Batch, viewer: int) -> bytes:
        fields = vars(view_of(batch, viewer).state)
        return b"".join(np.asarray(fields[name]).tobytes() for name in batch.states.dtype.names)

    table = shown(batch, ALL_SEEING)
    for viewer in (NOBODY, 0):
        twin = copy(batch)
        twin.redeal([viewer], 5)
        assert shown(batch, viewer) == shown(twin, viewer) != table
    assert shown(batch, ALL_SEEING) == table


# --- Planted leaks --------------------------------------------------------------------------------


def hidden(state: Any) -> int:
    """Return the kind of the next card of the deck, which no seat knows."""
    return int(state.deck[state.deck_size - 1])


def in_rules(name: str, leak: Any) -> Game:
    """Return Diddly with a leak at the end of a rule function."""
    honest = getattr(DIDDLY.rules, name)

    def leaking(state: Any, *rest: Any) -> None:
        honest(state, *rest)
        leak(hidden(state), rest[-1])

    return replace(DIDDLY, rules=replace(DIDDLY.rules, **{name: leaking}))


def in_render(name: str, leak: Any) -> Game:
    """Return Diddly with a leak in something that is shown."""
    honest = getattr(DIDDLY.render, name)

    def leaking(view: Any, *rest: Any) -> Any:
        return leak(hidden(view.state), honest(view, *rest))

    return replace(DIDDLY, render=replace(DIDDLY.render, **{name: leaking}))


def a_count(kind: int, known: Any) -> None:
    known.unseen[kind] -= 1


def a_place_that_is_not_in_play(kind: int, known: Any) -> None:
    known.boards[-1, -1] = kind


def a_small_number(kind: int, out: Any) -> None:
    out[-1] += kind / 1000


def a_legal_action(kind: int, mask: Any) -> None:
    mask[TAKE] &= kind % 2 == 0


def a_sentence(kind: int, words: str) -> str:
    return f"{words} {CARD_NAMES[kind]}"


def a_color(kind: int, picture: Any) -> Any:
    picture.rectangle(0, 0, 1, 1, fill=f"#0000{kind:02}")
    return picture


def a_feature() -> Game:
    """Return Diddly with a feature that reads the table instead of the knowledge."""
    described = DIDDLY.players.action_features
    tables: list[int] = []

    def write(known: Any, mask: Any, actions: Any, out: Any) -> None:
        described.write(known, mask, actions, out)
        out[0, 0] = tables[-1] / NUM_KINDS

    game = in_rules("know", lambda kind, _: tables.append(kind))
    described_too = replace(described, write=write)
    return replace(game, players=replace(game.players, action_features=described_too))


PLANTED = {
    "knowledge": [a_count, a_place_that_is_not_in_play],
    "observation": [a_small_number],
    "mask": [a_legal_action],
    "text": [a_sentence],
    "situation": [a_sentence],
    "explanations": [a_sentence],
    "wide": [a_color],
    "tall": [a_color],
    "features": [a_feature],
}
PLACES = {
    "knowledge": (in_rules, "know"),
    "observation": (in_rules, "observe"),
    "mask": (in_rules, "legal_action_mask"),
    "explanations": (in_render, "explain"),
}


@pytest.mark.parametrize(
    ("way", "leak"), [(way, leak) for way, planted in PLANTED.items() for leak in planted]
)
def test_a_planted_leak_is_found(way, leak) -> None:
    plant, name = PLACES.get(way, (in_render, way))
    game = leak() if leak is a_feature else plant(name, leak)
    batch, moments = every_kind("diddly", 0)
    found = [
        leaks(game, batch.params, records[0], int(records[0].current_player))
        for records, _ in moments[:-1]
    ]
    assert any(way in ways for ways in found)
