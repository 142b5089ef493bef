"""Positions of Diddly for the tests of its pictures, and helpers that read the pictures."""

from __future__ import annotations

import dataclasses

import pytest
from tests.games.positions import Positions

from kitchentable.games.diddly import GAME, rules
from kitchentable.games.diddly import state as table
from kitchentable.games.diddly.render.cards import FACES
from kitchentable.render.picture import Text

TABLES = [(2, 6), (3, 9), (4, 8), (5, 9), (6, 8), (8, 6)]
every_table = pytest.mark.parametrize(("seats", "cards"), TABLES)
both_layouts = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
NOUGHT = "0"
"""Marks a card worth nothing; no card has this name."""

# --- Tables ---------------------------------------------------------------------------------------


games = Positions(
    GAME, lambda seats, cards: {"seed": seats, "num_players": seats, "cards": cards, "rounds": 2}
)
changed, positions, sample, position_with = (
    games.copied, games.positions, games.sample, games.position_with,
)  # fmt: skip


def with_long_words(state):
    """Return a copy with the longest possible texts about a seat or a turn."""
    state = changed(state)
    state.totals[:] = table.WORST_HAND * table.MAX_ROUNDS
    state.last_scores[:] = table.WORST_HAND
    state.round_scores[:] = table.WORST_HAND
    state.last_boards[:] = table.CARD_NAMES.index("10")
    if state.phase in (table.PLACE, table.SWAP_FIRST, table.SWAP_SECOND, table.USE_PEEK):
        state.held = table.RECYCLE
        state.source = table.FROM_RECYCLING
        state.closer = state.dealer = state.current_player
    return state


def first_with(phase, condition=lambda _: True):
    for seats_and_cards in TABLES:
        params, states = positions(*seats_and_cards)
        for state in states:
            if state.phase == phase and condition(state):
                return params, changed(state)
    raise AssertionError("there is no such position")


def after(state, params, action):
    """Return the position after an action, given by name."""
    state = changed(state)
    rules.step(state, table.action_names(params).index(action))
    return state


# --- Pictures -------------------------------------------------------------------------------------


def words_in(texts):
    return " ".join(texts).split()


def spots(picture):
    """Return the box of each action that can be clicked."""
    return {action: spot.shape.bounds for spot in picture.spots for action in spot.actions}


def written_in(picture, box):
    """Return the texts in a box, except the mark of a worthless card."""
    left, top, right, bottom = box
    texts = [shape for shape in picture.shapes if isinstance(shape, Text)]
    inside = [text.text for text in texts if left < text.x < right and top < text.y < bottom]
    return {text for text in inside if text != NOUGHT}


def label_of(state, viewer, player, slot):
    """Return the label of a card on a board as a viewer sees it; empty if it is hidden."""
    if not table.is_known(state, viewer, player, slot):
        return set()
    return {FACES[state.boards[player, slot]].label}


def without_colours(picture):
    """Return the shapes as they look without any difference between colours."""

    def grey(shape):
        names = {"fill", "outline", "colour"} & {field.name for field in dataclasses.fields(shape)}
        drawn = {name: getattr(shape, name) is not None for name in names}
        return dataclasses.replace(shape, **drawn)

    return [grey(shape) for shape in picture.shapes]
