"""What a game is, as data: its rules, its players, and what people are shown of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import ParamInfo, TableParams
from kitchentable.core.rewards import REWARDS
from kitchentable.core.rng import pick_legal
from kitchentable.core.state import (
    BoolArray,
    FloatArray,
    IntArray,
    Tables,
    TableState,
    record_dtype,
    slices,
)


class _FromModules:
    """A group of fields that can be gathered from the modules of a game by their names."""

    @classmethod
    def of(cls, *modules: ModuleType, **given: Any) -> Self:
        """Take each field from the first module that has its name.

        Args:
            modules: functions have the names of fields (``step``), classes are written ``Params``,
                constants ``WORST_HAND``.
            given: fields by name, where they are not to be found like that.

        Raises:
            TypeError: a field is missing that has no default; names all of them.
        """
        found, missing = dict(given), []
        for one in dataclasses.fields(cls):  # type: ignore[arg-type]
            name = _spelled(one)
            there = [vars(module).get(name) for module in modules]
            values = [value for value in there if not isinstance(value, ModuleType | None)]
            if values:
                found.setdefault(one.name, values[0])
            elif one.default is one.default_factory is MISSING and one.name not in given:
                missing.append(name)
        if missing:
            where = ", ".join(module.__name__ for module in modules)
            raise TypeError(
                f"{cls.__name__}.of: {where} have no {', '.join(missing)}; "
                f"kitchentable.core.game.{cls.__name__} says what these are"
            )
        return cls(**found)


def _spelled(one: dataclasses.Field[Any]) -> str:
    """Return what a field's value is called in a module: a function, a class or a constant."""
    if str(one.type).startswith("Callable"):
        return one.name
    return one.name.title() if str(one.type).startswith("type[") else one.name.upper()


def _write_params(state: Any, params: Any) -> None:
    """Write the parameters into the fields of a record that have their names."""
    for name, value in params.as_dict().items():
        if name == "reward":
            state.reward = REWARDS.index(value)
        elif name in state.dtype.names:
            setattr(state, name, value)


@dataclass(frozen=True, kw_only=True, eq=False)
class Rules(_FromModules):
    """How a game is played.

    The rule functions take one state record and work in place. They are plain functions that numba
    can compile. ``*tables`` are the game's large read-only arrays, if it has any.
    """

    params: type[TableParams]
    """A frozen dataclass; making one checks it and raises `ValueError`."""
    state: type[TableState]
    """Its annotations are the fields of the record, see `record_dtype`."""
    worst_hand: int
    """At least as many points as a hand can win or lose: what an illegal action costs with
    ``"margin"``."""

    # What depends on the parameters, asked once when a table is made.
    action_names: Callable[[Any], tuple[str, ...]]
    """``(params)``: the name of each action."""
    observation_layout: Callable[[Any], Mapping[str, int]]
    """``(params)``: name and length of each part of an observation, in order."""
    configure: Callable[[Any, Any], None] = _write_params
    """``(state, params)``: write the parameters into a record."""
    deck: Callable[[Any], Mapping[str, int]] = field(default=lambda _: {})
    """``(params)``: the name of each kind of card, in the order of its number, and its copies."""
    card_parts: tuple[str, ...] = ()
    """The parts of an observation that are vectors over the kinds of ``deck``, one or several.
    Not every variant has them all."""
    image_parts: Callable[[Any], Mapping[str, tuple[int, int, int]]] = field(default=lambda _: {})
    """``(params)``: the parts of an observation that are maps, by name: (channels, height, width),
    whose product is the part's length."""
    tables: Callable[[Any], Tables] = field(default=lambda _: ())
    """``(params)``: the read-only arrays that rule functions and scripted players want."""
    info: Callable[[Any], Mapping[str, Any]] = field(default=lambda _: {})
    """``(params)``: facts for every agent's infos, texts and numbers. What was saved under other
    facts (another word list, say) is refused."""
    cooperative: Callable[[Any], bool] = field(default=lambda _: False)
    """``(params)``: whether several seats win or lose together, as a team."""
    variants: tuple[Mapping[str, Any], ...] = ({},)
    """Parameters that between them reach every rule and number of seats, for the contract tests;
    the first are the defaults."""

    # Rule functions.
    init: Callable[..., None]
    """``(state, top, *tables)``: deal a new game; ``top`` are the first cards of the deck."""
    legal_action_mask: Callable[..., None]
    """``(state, mask, *tables)``: mark the legal actions; ``mask`` is all False on entry."""
    step: Callable[..., None]
    """``(state, action, *tables)``: play a legal action for the current player."""
    rewards: Callable[[Any, FloatArray], None]
    """``(state, out)``: the rewards of the last step by seat; ``out`` is zero on entry. Only a step
    that ends a hand (``state.hand_over``) or the game may pay: after others not everybody asks."""
    scores: Callable[[Any, IntArray], None]
    """``(state, out)``: points by seat, as the rule sheet counts them."""
    ranks: Callable[[Any, IntArray], None]
    """``(state, out)``: rank by seat, 1 the best; equals share the better one. One seat alone, and
    every seat of a team, has 2 until it has won."""
    observe: Callable[..., None]
    """``(state, viewer, out, *tables)``: what a seat sees; ``out`` is zero on entry."""
    redeal: Callable[..., None] | None = None
    """``(state, viewer, *tables)``: deal anew, by ``state.rng``, what a seat cannot know."""
    state_layout: Callable[[Any], Mapping[str, int]] | None = None
    """``(params)``: name and length of each part of the full state, in order."""
    observe_state: Callable[..., None] | None = None
    """``(state, out, *tables)``: the full state; ``out`` is zero on entry."""
    hand_scores: Callable[[Any, int], list[int]] | None = None
    """``(state, player)``: the points of each finished hand (not compiled); without it a game is
    one hand."""

    @cached_property
    def state_dtype(self) -> np.dtype[np.void]:
        """The dtype of the record."""
        return record_dtype(self.state)


def _no_names(_: Any) -> tuple[str, ...]:
    """Name nothing that is always 0."""
    return ()


@dataclass(frozen=True, kw_only=True)
class ActionFeatures(_FromModules):
    """What can be said of each legal action, as numbers for a network.

    Facts that follow from the observation, the mask and the parameters alone: what an action scores
    at once, how its card relates to the others in sight. So nobody sees more than the seat may
    know, and nothing of what a scripted player thinks of it.
    """

    names: tuple[str, ...]
    """Of the numbers of a row, in order; each from 0 to 1."""
    team_names: tuple[str, ...] = ()
    """Of those that follow at the tables of teams."""
    silent: Callable[[Any], tuple[str, ...]] = _no_names
    """``(params)``: those that are 0 at all tables with these parameters."""
    most: int
    """Rows at most."""
    write: Callable[..., None]
    """``(observation, mask, variant, actions, out, *tables)``: for the seat to act; row i of
    ``out``, shape (``most``, numbers), is about the action ``actions[i]``. On entry ``out`` is
    zero, and ``actions`` holds the first legal actions and then -1: a row for each. It may be
    written too, where an action is to have several rows, or none. Compiled; it may make arrays."""
    write_pairs: Callable[..., None] | None = None
    """``(observation, variant, out, *tables)``, for ``network.reply_rounds`` where all hands lie
    open: how their cards follow each other. ``out`` is flat and zero on entry; its numbers have the
    shape (seats, hand, hand * ``pair_numbers`` + 1), where seats count from the one to act and hand
    is the number of ``slot_`` names. For each card, ``pair_numbers`` numbers for each card of the
    next seat, all zero if that one cannot be laid on it; then 1. ``names`` must have these groups,
    each without a gap: ``slot_0`` and so on, one of which is 1, that of the card that the action is
    about; ``room_...``, the room that the action leaves; ``reply_0_0_...``, ``reply_0_1_...`` and
    so on for each of the next seat's cards and each way in which it could follow, as many numbers
    each: the first is 0 if it cannot follow like that, and the next ``pair_numbers`` are the room
    that it leaves for each number of a pair. Compiled; it may make arrays."""
    pair_numbers: int = 0
    """Numbers for each pair that ``write_pairs`` writes."""


@dataclass(frozen=True, kw_only=True)
class DerivedParts(_FromModules):
    """What networks may be told of the table as a whole beside the observation.

    Facts that follow from the observation, the mask and the parameters alone, as with
    `ActionFeatures`.
    """

    layout: Callable[[Any], dict[str, int]]
    """``(params)``: name and length of each part, in order; may be empty. Names that the
    observation has at other tables mean the same."""
    write: Callable[..., None]
    """``(observation, mask, variant, out, *tables)``: for the seat to act; ``out`` is flat and zero
    on entry. Compiled; it may make arrays."""


@dataclass(frozen=True)
class Out:
    """How a game's records tell which seat went out, for the statistics of tournaments."""

    words: str
    """What a seat has done that went out, for people."""
    find: Callable[[Any, NDArray[np.int64], int], BoolArray]
    """``(records, movers, seats)``: who is out in each record, or with the decision that the mover
    is about to make; shape (records, seats)."""
    after: bool = False
    """Whether a record tells it after the step that ends the hand, not before that step."""


def seat_in(field: str) -> Callable[[Any, NDArray[np.int64], int], BoolArray]:
    """Return what finds who is out by a field of the record that holds a seat, or `NOBODY`."""

    def find(records: Any, _: NDArray[np.int64], seats: int) -> BoolArray:
        return np.asarray(records[field][:, None] == np.arange(seats))

    return find


def _mover(_: Any, movers: NDArray[np.int64], seats: int) -> BoolArray:
    return np.asarray(movers[:, None] == np.arange(seats))


@kernel
def random(
    observation: FloatArray,  # noqa: ARG001
    mask: BoolArray,
    variant: NDArray[np.int64],  # noqa: ARG001
    rng: NDArray[np.uint64],
    *tables: Any,  # noqa: ARG001
) -> int:
    """Play any legal action, all alike: the scripted player that every game has."""
    return pick_legal(mask, rng)


def _as_numbers(params: Any) -> NDArray[np.int64]:
    """Return the parameters that are whole numbers or flags, in their order; the reward's index."""
    values = params.as_dict() | {"reward": REWARDS.index(params.reward)}
    return np.array([value for value in values.values() if isinstance(value, int)], np.int64)


@dataclass(frozen=True, kw_only=True)
class Players(_FromModules):
    """Who can play a game, and what helps to learn it."""

    scripted: Mapping[str, Callable[..., int]] = field(default_factory=dict)
    """``(observation, mask, variant, rng, *tables) -> action`` by name, the weakest first. Every
    game has `random` besides, before all others."""
    search_wins: Mapping[str, Any] | None = None
    """The parameters of the tables where `search` beats every scripted player, measured with all
    others as usual and taken to hold whatever they are; None: of no table."""
    variant: Callable[[Any], NDArray[np.int64]] = _as_numbers
    """``(params)``: the parameters as numbers, for players, who know what they play."""
    action_features: ActionFeatures | None = None
    """What networks may be told of each action, if the game offers that."""
    team_potential: Callable[[Any], Any] | None = None
    """``(records)``: how far a team has come, 0 to 1 by game, on the way to what it is paid, by
    all cards, hidden or not; float64, shape (games,). A potential for reward shaping (Ng, Harada
    and Russell, "Policy invariance under reward transformations", 1999)."""
    derived_parts: DerivedParts | None = None
    """What networks may be told of the table, if the game offers that."""
    out: Out = Out("made the last decision of a hand", _mover)
    """Who goes out."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scripted", {"random": random, **self.scripted})


@dataclass(frozen=True, kw_only=True)
class Render(_FromModules):
    """What people are shown of a table, each by a `kitchentable.render.view.View`.

    Without any of it a game can be watched and played all the same, plainly.
    """

    text: Callable[[Any], str] | None = None
    """``(view)``: the table in at most 80 columns."""
    wide: Callable[[Any], Any] | None = None
    """``(view)``: the table as a `Picture` for a screen, with the places to click."""
    tall: Callable[[Any], Any] | None = None
    """``(view)``: likewise for a phone, `picture.TALL` wide; without it the wide one serves."""
    situation: Callable[[Any], str] | None = None
    """``(view)``: in sentences, who decides what, what that means and what led to it; or how it
    ended."""
    explain: Callable[[Any, str], str] | None = None
    """``(view, action name)``: what a legal action means at this very table, where ``action_help``
    cannot tell enough."""
    action_help: Mapping[str, str] = field(default_factory=dict)
    """What the actions mean, by what stands before the colon; ``{}`` is what stands after it."""
    param_infos: Mapping[str, ParamInfo] = field(default_factory=dict)
    """How each parameter but ``reward`` is asked for; without it they keep their defaults."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """One game. Adapters, the engine and training know nothing of a game beyond this.

    Most tables pay zero in sum. Two kinds are a team (`is_team`), which has nobody to win from and
    is won or lost as a whole, with rank 1 or 2. One seat alone is paid at the end: 1 or 0 with
    ``"win"``, a share from 0 to 1 with ``"margin"``. At a cooperative table all seats have the same
    score, rank and rewards at any time: 1 or 0 with ``"win"`` at the end, a share from 0 to 1 with
    ``"margin"`` at the end of each hand.
    """

    name: str
    version: int
    title: str
    """Its name for people."""
    about: str
    """What it is about, in one sentence without its name."""
    rules: Rules
    players: Players = Players()
    render: Render = Render()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by name: a game has one object in a process, whose loops it shares."""
        from kitchentable.core.registry import find_game  # noqa: PLC0415 (which imports this)

        return find_game, (self.name,)

    def is_team(self, params: Any) -> bool:
        """Whether a table is won or lost as a whole: one seat alone, or several that cooperate."""
        return int(params.num_players) == 1 or self.rules.cooperative(params)

    def images(self, params: Any, observations: FloatArray) -> dict[str, FloatArray]:
        """View the parts of observations that are maps as images, without copying.

        Args:
            params: the game's parameters.
            observations: one or many; shape (..., observation size).

        Returns:
            By name, views of shape (..., channels, height, width); none if there are no maps.

        Raises:
            ValueError: the observations are of another size.
        """
        where = slices(self.rules.observation_layout(params))
        size = max((part.stop for part in where.values()), default=0)
        shape = tuple(getattr(observations, "shape", ()))
        if shape[-1:] != (size,):
            raise ValueError(f"observations: give an array of shape (..., {size}), not {shape}")
        return {
            name: observations[..., where[name]].reshape(*observations.shape[:-1], *shape)
            for name, shape in self.rules.image_parts(params).items()
        }

    def make_params(self, **params: Any) -> Any:
        """Check parameters by name and fill in the defaults; numpy's numbers become Python's.

        Raises:
            ValueError: a parameter is unknown or its value impossible; says what is possible.
        """
        known = [f.name for f in dataclasses.fields(self.rules.params)]
        for name in params:
            if name not in known:
                raise ValueError(
                    f"{self.name} has no parameter {name!r}; it has {', '.join(known)}"
                )
        plain = {
            name: value.item() if isinstance(value, np.generic) else value
            for name, value in params.items()
        }
        return self.rules.params(**plain)

    def read_deck(self, params: Any, names: Sequence[str] | None) -> NDArray[np.int8]:
        """Return the numbers of named cards, which are to lie on top of a deck.

        Args:
            params: the game's parameters.
            names: the next card first; None for no cards.

        Raises:
            ValueError: this is no list of names, or a card is unknown or there are not so many.
        """
        if names is None:
            return np.empty(0, np.int8)
        if isinstance(names, str) or not isinstance(names, Sequence):
            raise ValueError(f"deck={names!r} is not possible; give a list of card names")
        copies = self.rules.deck(params)
        for name in names:
            if name not in list(copies):  # whatever it is, hashable or not
                known = ", ".join(copies)
                raise ValueError(f"deck: there is no card {name!r} in {self.name}; {known}")
            if list(names).count(name) > copies[name]:
                raise ValueError(f"deck: there are only {copies[name]} cards {name!r}")
        numbers = {name: i for i, name in enumerate(copies)}
        return np.array([numbers[name] for name in names], np.int8)

    def scores(self, state: Any) -> IntArray:
        """Return the points in a record, as the rule sheet counts them; int32, shape (seats,)."""
        return _by_seat(self.rules.scores, state)

    def ranks(self, state: Any) -> IntArray:
        """Return the ranks in a record, 1 the best; int32, shape (seats,)."""
        return _by_seat(self.rules.ranks, state)

    def hand_scores(self, state: Any, player: int) -> list[int]:
        """Return the points of a seat in each finished hand; of a single one the score."""
        if self.rules.hand_scores is not None:
            return self.rules.hand_scores(state, player)
        is_over = state.terminated or state.truncated
        return [int(self.scores(state)[player])] if is_over else []

    def lacks(self, part: str, wanted_for: str) -> NotImplementedError:
        """Return the error that says which part of a game is missing, and what needs it.

        Args:
            part: such as ``"rules.redeal"``.
            wanted_for: what was asked for.
        """
        return NotImplementedError(
            f"{self.name} has no {part}, which {wanted_for} needs; see kitchentable.core.game"
        )


def _by_seat(function: Callable[[Any, IntArray], None], state: Any) -> IntArray:
    """Return what a rule function writes by seat."""
    out: IntArray = np.zeros(int(state.num_players), np.int32)
    function(state, out)
    return out
