"""How a `Game` is put together: from modules, in groups, with parts that may be missing."""

import re
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Annotated, Literal

import numpy as np
import pytest
from examples import top_card
from numpy.typing import NDArray
from tests.conftest import make_table

from kitchentable import Batch
from kitchentable.core.game import Game, Rules
from kitchentable.players.search import SearchPlayer


def module(name, **content):
    made = ModuleType(name)
    vars(made).update(content)
    return made


def test_fields_are_gathered_by_their_names_from_the_first_module_that_has_them():
    first = module("first", init=1, Params=2, rewards=3)
    second = module("second", **{name: getattr(top_card, name) for name in dir(top_card)})
    rules = Rules.of(first, second, scores=4)
    assert (rules.init, rules.params, rules.rewards, rules.scores) == (1, 2, 3, 4)
    assert rules.step is top_card.step
    assert rules.card_parts == top_card.CARD_PARTS
    assert rules.worst_hand == top_card.WORST_HAND


def test_constants_and_modules_of_a_field_s_name_are_not_taken_for_functions():
    rules = Rules.of(module("game", REWARDS=("win", "margin"), redeal=np), top_card)
    assert rules.rewards is top_card.rewards
    assert rules.redeal is top_card.redeal


def test_all_that_is_missing_is_named():
    with pytest.raises(TypeError, match=r"Rules.of: half have no State, .*step.*, ranks"):
        Rules.of(module("half", Params=1, init=2))


@pytest.mark.parametrize(
    ("use", "part"),
    [
        (lambda game: Batch(game, 1).redeal(np.zeros(1, np.int64), 0), "rules.redeal"),
        (SearchPlayer, "rules.redeal"),
        (lambda game: Batch(game, 1).observe_state(), "rules.state_layout"),
        (lambda game: Batch(game, 1).derive(), "players.derived_parts"),
    ],
)
def test_a_missing_part_is_named_where_it_is_wanted(use, part):
    rules = Rules.of(top_card, redeal=None)
    game = Game(name="bare", version=0, title="Bare", about="Rules alone.", rules=rules)
    with pytest.raises(
        NotImplementedError, match=rf"bare does not support .*: it defines no {part}"
    ):
        use(game)


def test_a_game_of_one_hand_needs_no_list_of_them():
    table = make_table(top_card.GAME)
    table.reset(seed=1)
    assert top_card.GAME.hand_scores(table._batch.states[0], 0) == []
    while table.agents and not table.terminations[table.agent_selection]:
        table.step(int(np.flatnonzero(table._batch.masks[0])[0]))
    assert [table.infos[agent]["hand_scores"] for agent in table.possible_agents] == [
        [score] for score in table.scores
    ]


# --- Parameters of a game of one's own ----------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Params(top_card.Params):
    low_wins: bool = False
    ties: Literal["nobody", "first", "last"] = "nobody"
    prizes: tuple[int, ...] | None = (1, 2, 3)
    share: float = 0.1


class State(top_card.State):
    low_wins: Annotated[bool, np.bool_]
    ties: Annotated[int, np.int8]
    prizes: Annotated[NDArray[np.int8], np.int8, (4,)]
    most: Annotated[int, np.int8]
    share: Annotated[float, np.float32]


def with_parameters(state=State, **rules) -> Game:
    """Return Top Card with further parameters, of which nothing lists the fields."""
    own = replace(top_card.GAME.rules, params=Params, state=state, **rules)
    return Game(name="own", version=0, title="Own", about="More.", rules=own)


def configured(game, **params):
    return game.rules.records(game.make_params(**params), 1)[0]


def test_a_new_parameter_reaches_its_field_without_further_code():
    game = with_parameters()
    record = configured(game, low_wins=True, ties="last", prizes=(4, 5))
    assert (record.low_wins, record.ties, record.share) == (True, 2, np.float32(0.1))
    assert record.prizes.tolist() == [4, 5, 0, 0]


def test_what_follows_from_the_parameters_is_derived_after_them():
    def derive(state, params):
        state.most = state.prizes.max()

    assert configured(with_parameters(derive=derive), prizes=(4, 9)).most == 9


def test_a_parameter_without_a_field_is_refused_unless_it_is_said_to_have_none():
    with pytest.raises(TypeError, match="own: State has no field for the parameter 'low_wins'"):
        with_parameters(top_card.State)
    unrecorded = ("low_wins", "ties", "prizes", "share")
    assert configured(with_parameters(top_card.State, unrecorded=unrecorded), ties="last")
    with pytest.raises(TypeError, match="own: UNRECORDED: there is no parameter 'price'"):
        with_parameters(unrecorded=("price",))


@pytest.mark.parametrize("wrong", [(1, 2, 3, 4, 5), (300,), (1.5,), ("x",), None])
def test_a_value_that_its_field_cannot_hold_is_refused(wrong):
    message = re.escape(f"prizes={wrong!r} does not fit into State.prizes")
    with pytest.raises(ValueError, match=message):
        configured(with_parameters(), prizes=wrong)


@pytest.mark.parametrize("names", ["2", 2, {"2"}], ids=repr)
def test_cards_on_top_are_given_as_a_list(names):
    with pytest.raises(ValueError, match=r"deck=.* is not possible; give a list of card names"):
        top_card.GAME.read_deck(top_card.GAME.make_params(), names)
