"""The definition of a game as data: its rules, its players, and how it is shown to people."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from functools import cached_property
from itertools import chain
from types import ModuleType
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import (
    ParamInfo,
    TableParams,
    check_types,
    did_you_mean,
    one_line_repr,
)
from kitchentable.core.rng import ANY_LEGAL
from kitchentable.core.state import (
    BoolArray,
    FloatArray,
    IntArray,
    Tables,
    TableState,
    for_loops,
    record_dtype,
    slices,
)


class _FromModules:
    """The base of dataclasses whose fields can be collected by name from modules of a game."""

    @classmethod
    def of(cls, *modules: ModuleType, **given: Any) -> Self:
        """Take each field from the first module that defines its name.

        Args:
            modules: the modules. A function has the name of its field (``step``), a class is
                capitalized (``Params``), and a constant is in upper case (``WORST_HAND``).
            given: fields by name; they take precedence over the modules.

        Raises:
            TypeError: fields without a default are missing; the message names all of them.
        """
        by_name, missing = dict(given), []
        for member in dataclasses.fields(cls):  # type: ignore[arg-type]
            name = _spelled(member)
            candidates = [vars(module).get(name) for module in modules]
            values = [value for value in candidates if not isinstance(value, ModuleType | None)]
            if values:
                by_name.setdefault(member.name, values[0])
            elif member.default is member.default_factory is MISSING and member.name not in given:
                missing.append(name)
        if missing:
            where = ", ".join(module.__name__ for module in modules)
            raise TypeError(
                f"{cls.__name__}.of: {where} have no {', '.join(missing)}; "
                f"kitchentable.core.game.{cls.__name__} says what these are"
            )
        return cls(**by_name)


def _spelled(member: dataclasses.Field[Any]) -> str:
    """Return the name of a field's value in a module, where it is a function, class or constant."""
    if str(member.type).startswith("Callable"):
        return member.name
    return member.name.title() if str(member.type).startswith("type[") else member.name.upper()


NOWHERE = 2**31 - 1
"""Where the parts begin that a variant does not have: outside of every observation."""


class NoKnowledge:
    """The knowledge of a game that defines none."""

    num_players: Annotated[int, np.int8]


@kernel
def _know_nothing(state: Any, viewer: int, known: Any, *tables: Any) -> None:
    """Write nothing."""


def _write(state: Any, name: str, value: Any) -> None:
    """Write a number into a field of a record, or several into the first elements of an array.

    Raises:
        ValueError: the field cannot hold the value.
    """
    array = np.asarray(value)
    first = tuple(map(slice, array.shape))
    try:
        if first:
            state[name][first] = array
        else:
            state[name] = value
        held = state[name][first] if first else state[name]
        is_held = held.shape == array.shape and np.allclose(held, array, rtol=1e-6, atol=0)
    except (TypeError, ValueError, IndexError, OverflowError):
        is_held = False
    if not is_held:
        raise ValueError(
            f"{name}={one_line_repr(value)} does not fit into State.{name}, {state.dtype[name]}; "
            "give the field another type, or name the parameter in UNRECORDED and write the field "
            "in derive"
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Rules(_FromModules):
    """The rules of a game.

    The rule functions take one state record and change it in place. They are plain functions that
    numba can compile. ``*tables`` are the game's large read-only arrays, if it has any.
    """

    params: type[TableParams]
    """A frozen dataclass whose constructor raises `ValueError` if a parameter is invalid. Choices,
    of type `bool` or `Literal`, are checked before, by `Game.make_params`."""
    state: type[TableState]
    """A class whose annotations define the fields of the state record, see `record_dtype`."""
    worst_hand: int | None = None
    """An upper bound of the points that a hand can win or lose. An illegal action costs that many
    points with ``"margin"`` rewards, except for a team, which needs no bound."""

    # These depend on the parameters; they are called when a table is made.
    action_names: Callable[[Any], tuple[str, ...]]
    """``(params)``: the name of each action."""
    observation_layout: Callable[[Any], Mapping[str, int]]
    """``(params)``: name and length of each part of an observation, in order. In the rule
    functions, ``state.at`` has the index at which each part begins."""
    derive: Callable[[Any, Any], None] = field(default=lambda _, __: None)
    """``(state, params)``: write the fields of a record that follow from the parameters; each
    parameter is already in the field of its name."""
    unrecorded: tuple[str, ...] = ()
    """The parameters that are not written into the field of their name, because ``derive``,
    ``tables`` or another of these functions is where they take effect."""
    deck: Callable[[Any], Mapping[str, int]] = field(default=lambda _: {})
    """``(params)``: the number of copies of each kind of card by name, in the order of kinds."""
    card_parts: tuple[str, ...] = ()
    """The parts of an observation that consist of one or more vectors over the kinds of ``deck``.
    A variant need not have all of them. If there are none, the plain drawing takes parts that are
    as long as ``deck`` for cards."""
    image_parts: Callable[[Any], Mapping[str, tuple[int, int, int]]] = field(default=lambda _: {})
    """``(params)``: the shape (channels, height, width) of each part of an observation that is a
    map, by name. The product of the shape is the part's length."""
    part_shapes: Callable[[Any], Mapping[str, tuple[int, ...]]] = field(default=lambda _: {})
    """``(params)``: the shapes of other parts that have several axes, where the length of a later
    one than the first depends on the parameters. By them a network that plays at several tables
    knows which numbers mean the same."""
    tables: Callable[[Any], Tables] = field(default=lambda _: ())
    """``(params)``: the read-only arrays that rule functions and scripted players use."""
    info: Callable[[Any], Mapping[str, Any]] = field(default=lambda _: {})
    """``(params)``: facts (strings and numbers) for every agent's infos. Saved tables and
    checkpoints with other facts, such as another word list, are refused."""
    cooperative: Callable[[Any], bool] = field(default=lambda _: False)
    """``(params)``: whether several seats win or lose together, as a team."""
    variants: tuple[Mapping[str, Any], ...] = ({},)
    """Parameters for the contract tests that together cover every rule and number of seats. The
    first entry is the default parameters."""

    # Rule functions.
    init: Callable[..., None]
    """``(state, top, *tables)``: deal a new game; ``top`` has the top cards of the deck, int8."""
    legal_action_mask: Callable[..., None]
    """``(state, mask, *tables)``: mark the legal actions; ``mask`` is all False on entry."""
    step: Callable[..., None]
    """``(state, action, *tables)``: play a legal action for the current player."""
    rewards: Callable[[Any, FloatArray], None]
    """``(state, out)``: write the rewards of the last step by seat; ``out`` is zero on entry. Only
    steps that end a hand (``state.hand_over``) or the game may pay; callers may skip others."""
    scores: Callable[[Any, IntArray], None]
    """``(state, out)``: write the points by seat, as the rule sheet counts them."""
    ranks: Callable[[Any, IntArray], None]
    """``(state, out)``: write the rank by seat, 1 for the best; tied seats share the better rank.
    The only seat of a game, or every seat of a team, has rank 2 until it has won."""
    observe: Callable[..., None]
    """``(state, viewer, out, *tables)``: write a seat's observation; ``out`` is zero on entry."""
    knowledge: type[Any] = NoKnowledge
    """A class whose annotations define the fields of the record of what a seat knows, as numbers
    and sets: the parameters, and what an observation says, with hidden cards blank and seats
    counted from the viewer. Scripted players and action features read it, so a game needs it only
    for them."""
    know: Callable[..., None] = _know_nothing
    """``(state, viewer, known, *tables)``: write the record ``known`` of a seat. It writes every
    field, whatever the record held before; records that were written for the same parameters are
    equal to the last byte if the seat cannot tell the tables apart. ``viewer`` may be `NOBODY`, an
    onlooker, or `ALL_SEEING`; seats are counted from 0 then."""
    redeal: Callable[..., None] | None = None
    """``(state, viewer, *tables)``: deal again all cards that a seat cannot know, with the random
    stream in ``state.rng``; ``viewer`` may be `NOBODY`. The result depends on the stream and on
    what the viewer knows alone: records that it cannot tell apart become the same record."""
    state_layout: Callable[[Any], dict[str, int]] | None = None
    """``(params)``: name and length of the parts that follow player_0's observation in the full
    state, in order."""
    observe_state: Callable[..., None] | None = None
    """``(state, out, *tables)``: write the full state; ``out`` is zero on entry."""
    hand_scores: Callable[[Any, int], list[int]] | None = None
    """``(state, player)``: return the points of each finished hand (not compiled). None: a game is
    a single hand."""

    @cached_property
    def state_dtype(self) -> np.dtype[np.void]:
        """The dtype of the record; ``at`` has the parts of all variants."""
        layouts = [self._layout(self.params(**variant)) for variant in self.variants]
        return record_dtype(self.state, at=dict.fromkeys(chain(*layouts)))

    @cached_property
    def knowledge_dtype(self) -> np.dtype[np.void]:
        """The dtype of the record of what a seat knows."""
        return record_dtype(self.knowledge)

    @property
    def has_knowledge(self) -> bool:
        """Whether the game defines what a seat knows."""
        return self.know is not _know_nothing

    def known_by(self, player: Any) -> Callable[..., None]:
        """Return the function that writes what a scripted player reads: `random` reads nothing."""
        return _know_nothing if player is random else self.know

    def blank(self, count: int = 1) -> Any:
        """Return records for ``know`` to write, in the form that compiled loops take."""
        return for_loops(np.zeros(count, self.knowledge_dtype))

    def records(self, params: Any, count: int) -> Any:
        """Return records of tables at which no game has been dealt; np.recarray, shape (count,).

        They hold the parameters and what follows from them.
        """
        records = np.zeros(count, self.state_dtype).view(np.recarray)
        self.configure(records[0], params)
        records[1:] = records[0]
        return records

    def configure(self, state: Any, params: Any) -> None:
        """Write the parameters into the fields of their names in a record, and what follows.

        Raises:
            ValueError: a field cannot hold a value, or no variant has a part of the layout; the
                message names it.
        """
        for name, value in params.as_numbers().items():
            if name not in self.unrecorded:
                _write(state, name, value)
        starts = {name: part.start for name, part in slices(self._layout(params)).items()}
        state["at"] = tuple(
            starts.pop(name, NOWHERE) for name in self.state_dtype["at"].names or ()
        )
        if starts:
            raise ValueError(
                f"the part {next(iter(starts))!r} of the layout is in no variant; add parameters "
                "that have it to VARIANTS"
            )
        self.derive(state, params)

    def full_layout(self, params: Any) -> dict[str, int]:
        """Return the name and length of each part of the full state, in order.

        It is empty if the game defines no full state.
        """
        if self.state_layout is None:
            return {}
        seen = self.observation_layout(params)
        return {f"player_0_{name}": size for name, size in seen.items()} | self.state_layout(params)

    def _layout(self, params: Any) -> dict[str, int]:
        """Return the length of each part of an observation, and of the full state after it.

        Raises:
            TypeError: both have a part of the same name.
        """
        seen = self.observation_layout(params)
        more = {} if self.state_layout is None else self.state_layout(params)
        if twice := seen.keys() & more.keys():
            raise TypeError(f"state_layout: {min(twice)!r} is a part of the observation too")
        return {**seen, **more}


@dataclass(frozen=True, kw_only=True)
class ActionFeatures(_FromModules):
    """Features of each legal action, as numbers for a network.

    Features follow from the seat's knowledge and the mask alone: for example what an action scores
    at once, or how its card relates to the other visible ones. So they contain nothing that the
    seat may not know, and no judgement of a scripted player.
    """

    names: tuple[str, ...]
    """The names of the features of a row, in order; each feature is from 0 to 1."""
    team_names: tuple[str, ...] = ()
    """The names of the additional features at the tables of teams."""
    silent: Callable[[Any], tuple[str, ...]] = field(default=lambda _: ())
    """``(params)``: the names of the features that are always 0 with these parameters."""
    most: int
    """The maximum number of rows."""
    write: Callable[..., None]
    """``(known, mask, actions, out, *tables)``: write the features of the seat to act. Row i of
    ``out``, shape (``most``, features), describes the action ``actions[i]``. On entry ``out`` is
    zero, and ``actions`` holds the first legal actions, then -1 for unused rows; it may be changed
    to give an action several rows or none. A kernel; ``known`` may be changed to try actions."""


@dataclass(frozen=True, kw_only=True)
class DerivedParts(_FromModules):
    """Features of the table as a whole, for networks, in addition to the observation.

    Like `ActionFeatures`, they follow from the seat's knowledge and the mask alone.
    """

    layout: Callable[[Any], dict[str, int]]
    """``(params)``: name and length of each part, in order; may be empty. If an observation with
    other parameters has a part of the same name, both mean the same. Some layers of networks read a
    part of a certain name, such as ``pairs``, and say what it contains."""
    write: Callable[..., None]
    """``(known, mask, out, *tables)``: write the parts for the seat to act; ``out`` is flat and
    zero on entry. A kernel; ``known`` may be changed."""


@dataclass(frozen=True)
class Out:
    """How to read from a game's records which seat went out, for the statistics of tournaments."""

    words: str
    """What a seat that went out has done: a verb phrase that is shown to people."""
    find: Callable[[Any, NDArray[np.int64], int], BoolArray]
    """``(records, movers, seats)``: return which seats are out in each record, or go out with the
    decision that the mover is about to make; bool, shape (records, seats)."""
    after: bool = False
    """Whether to read the records after the step that ends a hand, instead of before it."""


def seat_in(field: str) -> Callable[[Any, NDArray[np.int64], int], BoolArray]:
    """Return an `Out.find` that reads a field of the record that holds a seat or `NOBODY`."""

    def find(records: Any, _: NDArray[np.int64], seats: int) -> BoolArray:
        return np.asarray(records[field][:, None] == np.arange(seats))

    return find


def _mover(_: Any, movers: NDArray[np.int64], seats: int) -> BoolArray:
    return np.asarray(movers[:, None] == np.arange(seats))


@kernel
def random(
    known: Any,  # noqa: ARG001
    mask: BoolArray,  # noqa: ARG001
    rng: NDArray[np.uint64],  # noqa: ARG001
    *tables: Any,  # noqa: ARG001
) -> int:
    """Play a uniformly random legal action; every game has this scripted player."""
    return ANY_LEGAL


@dataclass(frozen=True, kw_only=True)
class Players(_FromModules):
    """The scripted players of a game, and the features that help to learn it."""

    scripted: Mapping[str, Callable[..., int]] = field(default_factory=dict)
    """Functions ``(known, mask, rng, *tables) -> action`` by name, the weakest first; ``known`` is
    the knowledge of the seat to act (`Rules.knowledge`). `random` is added before all others. A
    player that has no preference returns `ANY_LEGAL`; one that draws from ``rng`` itself cannot
    tell its exact probabilities."""
    search_wins: Mapping[str, Any] | None = None
    """Parameters of the tables where `search` beats every scripted player; None: nowhere. This is
    measured with the other parameters at their defaults, and assumed for all of their values."""
    action_features: ActionFeatures | None = None
    """Features of each action for networks, if the game has any."""
    team_potential: Callable[[Any], Any] | None = None
    """``(records)``: return the progress of each team to its payoff, 0 to 1, judged by all cards,
    also hidden ones; float64, shape (games,). A potential for reward shaping (Ng, Harada and
    Russell, "Policy invariance under reward transformations", 1999)."""
    derived_parts: DerivedParts | None = None
    """Features of the table for networks, if the game has any."""
    out: Out = Out("made the last decision of a hand", _mover)
    """How to find the seat that went out."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scripted", {"random": random, **self.scripted})


@dataclass(frozen=True, kw_only=True)
class Render(_FromModules):
    """Functions that show a table to people; each takes a `kitchentable.render.view.View`.

    All are optional: `kitchentable.render.plain` shows a game that lacks them.
    """

    text: Callable[[Any], str] | None = None
    """``(view)``: return the table as text of at most 80 columns."""
    wide: Callable[[Any], Any] | None = None
    """``(view)``: return the table as a `Picture` for a screen, with the places to click."""
    tall: Callable[[Any], Any] | None = None
    """``(view)``: return the table as a `Picture` for a phone, `picture.TALL` pixels wide.
    None: a phone gets the plain drawing."""
    situation: Callable[[Any], str] | None = None
    """``(view)``: return sentences that say who decides, what the decision means and what led to
    it, or how the game ended."""
    explain: Callable[[Any, str], str] | None = None
    """``(view, action name)``: return what a legal action means at this table, where
    ``action_help`` is not enough."""
    action_help: Mapping[str, str] = field(default_factory=dict)
    """The meaning of actions by what precedes the colon in a name; ``{}`` is what follows it."""
    action_words: Mapping[str, str | Callable[[Any, str], str]] = field(default_factory=dict)
    """What people call actions, on buttons and in lists of decisions, which everybody reads: by
    what precedes the colon in a name, a text in which ``{}`` is what follows it, or a function
    ``(params, what follows)`` that returns the text. Actions without words show their names."""
    decided: Callable[[Any, str], str] | None = None
    """``(view, action name)``: return what a decision is called in lists of decisions where
    ``action_words`` say too little, as they do not see the table; else an empty string. The view is
    that of an onlooker, before the decision: what others know may be different in it."""
    undoable: str = ""
    """What precedes the colon in the names of actions that people may take back until they choose
    another one, as letters of a word that is not laid yet. Such actions reveal nothing."""
    rulebook: Callable[[Any], Mapping[str, Sequence[Any]]] | None = None
    """``(params)``: return the rules for people who have never seen the game, with the numbers of
    these parameters: the parts of each section by title (`kitchentable.render.rulebook`)."""
    param_infos: Mapping[str, ParamInfo] = field(default_factory=dict)
    """How forms ask for each parameter except ``reward``; those not listed keep their defaults."""

    def called(self, params: Any, action_name: str) -> str:
        """Return what people call an action."""
        kind, _, argument = action_name.partition(":")
        words = self.action_words.get(kind, f"{kind} {{}}" if argument else kind)
        text = words.format(argument) if isinstance(words, str) else words(params, argument)
        return _capitalized(text.replace("_", " "))

    def called_at(self, view: Any, action_name: str) -> str:
        """Return what people call a decision; ``view`` is an onlooker's before it."""
        words = self.decided(view, action_name) if self.decided else ""
        return _capitalized(words) or self.called(view.params, action_name)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """One game. Adapters, the engine and training know nothing else about a game.

    The rewards of most tables sum to zero. Two kinds of table are a team (`is_team`), which has no
    opponents and wins or loses as a whole, with rank 1 or 2. A single seat is paid at the end of
    the game: 1 or 0 with ``"win"``, a share from 0 to 1 with ``"margin"``. At a cooperative table
    all seats always have the same score, rank and rewards: 1 or 0 at the end of the game with
    ``"win"``, a share from 0 to 1 at the end of each hand with ``"margin"``.
    """

    name: str
    version: int
    title: str
    """The name shown to people."""
    about: str
    """What the game is about, in one sentence that does not name it."""
    rules: Rules
    players: Players = Players()
    render: Render = Render()

    def __post_init__(self) -> None:
        """Check the name, and that every parameter has a place where it takes effect.

        Raises:
            ValueError: the name cannot be part of an ID or of an address.
            TypeError: a parameter has no place; the message names it.
        """
        if not re.fullmatch("[a-z][a-z0-9_]*", self.name):
            raise ValueError(
                f"a game cannot be called {self.name!r}; choose lower-case letters, digits and "
                "underscores, as in top_card"
            )
        params = [f.name for f in dataclasses.fields(self.rules.params)]
        recorded, unrecorded = self.rules.state_dtype.names or (), self.rules.unrecorded
        for name in params:
            if name not in recorded and name not in unrecorded:
                raise TypeError(
                    f"{self.name}: State has no field for the parameter {name!r}; add one of that "
                    "name, or name the parameter in UNRECORDED if derive or tables use it"
                )
        for name in unrecorded:
            if name not in params:
                raise TypeError(f"{self.name}: UNRECORDED: there is no parameter {name!r}")

    def __copy__(self) -> Game:
        """Return the game itself: all copies in a process are one object and share its loops."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Return the game itself."""
        return self

    def is_team(self, params: Any) -> bool:
        """Whether a table wins or loses as a whole: a single seat, or several that cooperate."""
        return int(params.num_players) == 1 or self.rules.cooperative(params)

    def feature_names(self, params: Any) -> tuple[str, ...]:
        """Return the names of the action features at a table, in order.

        Raises:
            NotImplementedError: the game has no action features.
        """
        features = self.players.action_features
        if features is None:
            raise self.lacks("players.action_features", "action features")
        return features.names + (features.team_names if self.is_team(params) else ())

    def images(self, params: Any, observations: FloatArray) -> dict[str, FloatArray]:
        """Return the parts of observations that are maps as images, without copying.

        Args:
            params: the game's parameters.
            observations: one or more observations; shape (..., observation size).

        Returns:
            Views by name, of shape (..., channels, height, width); empty if there are no maps.

        Raises:
            ValueError: the observations have another size.
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
        """Return checked parameters, with defaults for missing ones and numpy scalars as Python's.

        Raises:
            ValueError: a parameter is unknown or invalid; the message says what is possible.
        """
        known = [f.name for f in dataclasses.fields(self.rules.params)]
        for name in params:
            if name not in known:
                close = did_you_mean(name, known) or f"; it has {', '.join(known)}"
                raise ValueError(f"{self.name} has no parameter {name!r}{close}")
        plain = {
            name: value.item() if isinstance(value, np.generic) else value
            for name, value in params.items()
        }
        check_types(self.name, self.rules.params, plain)
        return self.rules.params(**plain)

    def read_deck(self, params: Any, names: Sequence[str] | None) -> NDArray[np.int8]:
        """Return the numbers of the named cards, which will lie on top of a deck; int8.

        Args:
            params: the game's parameters.
            names: the names, the next card first; None for no cards.

        Raises:
            ValueError: ``names`` is not a list, a card is unknown, or the deck has fewer copies.
        """
        if names is None:
            return np.empty(0, np.int8)
        if isinstance(names, str) or not isinstance(names, Sequence):
            raise ValueError(f"deck={names!r} is not possible; give a list of card names")
        copies = self.rules.deck(params)
        for name in names:
            if name not in list(copies):  # a list, as the name may not be hashable
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
        """Return the points of a seat in each finished hand; the score if a game is one hand."""
        if self.rules.hand_scores is not None:
            return self.rules.hand_scores(state, player)
        is_over = state.terminated or state.truncated
        return [int(self.scores(state)[player])] if is_over else []

    def lacks(self, part: str, wanted_for: str) -> NotImplementedError:
        """Return an error that says which part of a game is missing, and what needs it.

        Args:
            part: the missing part, such as ``"rules.redeal"``.
            wanted_for: what needs the part.
        """
        return NotImplementedError(
            f"{self.name} does not support {wanted_for}: it defines no {part}, see "
            "kitchentable.core.game"
        )


def _by_seat(function: Callable[[Any, IntArray], None], state: Any) -> IntArray:
    """Return what a rule function writes by seat; int32, shape (seats,)."""
    out: IntArray = np.zeros(int(state.num_players), np.int32)
    function(state, out)
    return out
