"""What a game is, as data: its parameters, its record and its rule functions."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from kitchentable.picture import Picture

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int32]
Tables = tuple[NDArray[Any], ...]

NOBODY = -1
"""A seat that is none; as a viewer: somebody who sees every card."""


class TableState:
    """The fields that every game's record begins with."""

    seed: Annotated[np.uint64, np.uint64]
    """Names the game; see `kitchentable.rng`."""
    rng: Annotated[np.uint64, np.uint64]
    """The random stream of the current hand."""
    num_players: Annotated[int, np.int8]
    current_player: Annotated[int, np.int8]
    """The seat to act."""
    reward: Annotated[int, np.int8]
    """Index into `kitchentable.payoff.REWARDS`."""
    hand_over: Annotated[bool, np.bool_]
    """Whether the last step ended a hand."""
    terminated: Annotated[bool, np.bool_]
    """Whether the game is over by its rules."""
    truncated: Annotated[bool, np.bool_]
    """Whether the game was stopped at its limit."""


@dataclass(frozen=True, kw_only=True)
class TableParams:
    """The parameters that every game has. Each game adds its own and checks them all."""

    num_players: int = 2
    reward: str = "win"

    def as_dict(self) -> dict[str, Any]:
        """Return the values by name as they are: ``make_params(**values)`` makes the same again."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    def plain(self) -> dict[str, Any]:
        """Return the values as JSON would give them back: for files, cards and comparisons.

        ``make_params`` takes these too (a list for a tuple, say). A game overrides this where a
        value is none that JSON knows.
        """
        plain: dict[str, Any] = json.loads(json.dumps(self.as_dict()))
        return plain


@dataclass(frozen=True)
class ParamInfo:
    """How a parameter is asked for where people choose it: on a page, in a form."""

    about: str
    """What it is, in a few words."""
    values: tuple[Any, ...] = ()
    """What there is to choose from, if that is a list; not all of it need go together."""
    span: tuple[int, int] | None = None
    """The lowest and the highest value of a whole number."""


@dataclass(frozen=True, kw_only=True)
class Hints:
    """What can be worked out from an observation, as numbers for a network that wants them.

    Whatever takes long to learn and is quick to compute, by the observation, the mask and the
    parameters alone: so nobody sees more than the seat may know.
    """

    layout: Callable[[Any], Mapping[str, int]]
    """``(params)``: name and length of each part, in order."""
    write: Callable[..., None]
    """``(observation, mask, variant, out, *tables)``: for the seat to act; ``out`` is zero on
    entry. Compiled; it may make arrays."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """One game. Adapters, the engine and training know nothing of a game beyond this.

    The rule functions take one state record and work in place. They are plain functions that numba
    can compile. ``*tables`` are the game's large read-only arrays, if it has any.

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
    params: type[TableParams]
    """A frozen dataclass; making one checks it and raises `ValueError`."""
    state_dtype: np.dtype[np.void]
    """Of the record: `record_dtype` of a class that extends `TableState`."""
    worst_hand: int
    """More points than a hand can win or lose: what an illegal action costs with ``"margin"``."""

    # What depends on the parameters, asked once when a table is made.
    configure: Callable[[Any, Any], None]
    """``(state, params)``: write the parameters into a record."""
    action_names: Callable[[Any], tuple[str, ...]]
    """``(params)``: the name of each action."""
    action_help: Mapping[str, str]
    """What the actions mean, by what stands before the colon; ``{}`` is what stands after it."""
    deck: Callable[[Any], Mapping[str, int]]
    """``(params)``: the name of each kind of card, in the order of its number, and its copies."""
    observation_layout: Callable[[Any], Mapping[str, int]]
    """``(params)``: name and length of each part of an observation, in order."""
    card_parts: tuple[str, ...]
    """The parts of an observation that are vectors over the kinds of ``deck``, one or several.
    Not every variant has them all."""
    state_layout: Callable[[Any], Mapping[str, int]]
    """``(params)``: likewise, for the full state."""

    # Rule functions.
    init: Callable[..., None]
    """``(state, top, *tables)``: deal a new game; ``top`` are the first cards of the deck."""
    legal_action_mask: Callable[..., None]
    """``(state, mask, *tables)``: mark the legal actions; ``mask`` is all False on entry."""
    step: Callable[..., None]
    """``(state, action, *tables)``: play a legal action for the current player."""
    rewards: Callable[[Any, FloatArray], None]
    """``(state, out)``: the rewards of the last step by seat; ``out`` is zero on entry."""
    returns: Callable[[Any, FloatArray], None]
    """``(state, out)``: all rewards of the game so far by seat; ``out`` is zero on entry."""
    scores: Callable[[Any, IntArray], None]
    """``(state, out)``: points by seat, as the rule sheet counts them."""
    ranks: Callable[[Any, IntArray], None]
    """``(state, out)``: rank by seat, 1 the best; equals share the better one. One seat alone, and
    every seat of a team, has 2 until it has won."""
    hand_scores: Callable[[Any, int], list[int]]
    """``(state, player)``: the points of each finished hand (not compiled)."""
    observe: Callable[..., None]
    """``(state, viewer, out, *tables)``: what a seat sees; ``out`` is zero on entry."""
    observe_state: Callable[..., None]
    """``(state, out, *tables)``: the full state; ``out`` is zero on entry."""
    redeal: Callable[..., None]
    """``(state, viewer, *tables)``: deal anew, by ``state.rng``, what a seat cannot know."""

    # Words and pictures for people.
    to_text: Callable[[Any, Any, int], str]
    """``(state, params, viewer)``: the table as a seat sees it, or `NOBODY` for all of it."""
    to_picture: Callable[..., Picture]
    """``(state, params, viewer, *, tall=False)``: likewise, drawn, with the places to click if the
    viewer is to act, or `NOBODY`. ``tall``: for a phone, `picture.TALL` wide."""
    situation: Callable[[Any, Any, int], str]
    """``(state, params, viewer)``: in sentences, who decides what, what that means and what led to
    it; or how it ended."""
    param_infos: Mapping[str, ParamInfo]
    """How each parameter but ``reward`` is asked for."""

    variants: tuple[Mapping[str, Any], ...]
    """Parameters that between them reach every rule and number of seats, for the contract tests;
    the first are the defaults."""
    bots: Mapping[str, Callable[..., int]]
    """``(observation, mask, variant, rng, *tables) -> action`` by name, the weakest first."""
    variant: Callable[[Any], NDArray[np.int64]]
    """``(params)``: the parameters as numbers, for players, who know what they play."""
    tables: Callable[[Any], Tables] = field(default=lambda _: ())
    """``(params)``: the read-only arrays that rule functions and scripted players want."""
    info: Callable[[Any], Mapping[str, Any]] = field(default=lambda _: {})
    """``(params)``: facts for every agent's infos, texts and numbers. What was saved under other
    facts (another word list, say) is refused."""
    cooperative: Callable[[Any], bool] = field(default=lambda _: False)
    """``(params)``: whether several seats win or lose together, as a team."""
    image_parts: Callable[[Any], Mapping[str, tuple[int, int, int]]] = field(default=lambda _: {})
    """``(params)``: the parts of an observation that are maps, by name: (channels, height, width),
    whose product is the part's length."""

    explain: Callable[[Any, Any, str], str] | None = None
    """``(state, params, action name)``: what a legal action means at this very table, where
    ``action_help`` cannot tell enough."""
    hints: Hints | None = None
    """What players may work out from an observation, if the game offers that."""

    def is_team(self, params: Any) -> bool:
        """Whether a table is won or lost as a whole: one seat alone, or several that cooperate."""
        return int(params.num_players) == 1 or self.cooperative(params)

    def images(self, params: Any, observations: FloatArray) -> dict[str, FloatArray]:
        """View the parts of observations that are maps as images, without copying.

        Args:
            params: the game's parameters.
            observations: one or many; shape (..., observation size).

        Returns:
            By name, views of shape (..., channels, height, width); none if there are no maps.
        """
        where = slices(self.observation_layout(params))
        return {
            name: observations[..., where[name]].reshape(*observations.shape[:-1], *shape)
            for name, shape in self.image_parts(params).items()
        }

    def make_params(self, **params: Any) -> Any:
        """Check parameters by name and fill in the defaults.

        Raises:
            ValueError: a parameter is unknown or its value impossible; says what is possible.
        """
        known = [f.name for f in dataclasses.fields(self.params)]
        for name in params:
            if name not in known:
                raise ValueError(
                    f"{self.name} has no parameter {name!r}; it has {', '.join(known)}"
                )
        return self.params(**params)

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
        copies = self.deck(params)
        for name in names:
            if name not in copies:
                known = ", ".join(copies)
                raise ValueError(f"deck: there is no card {name!r} in {self.name}; {known}")
            if list(names).count(name) > copies[name]:
                raise ValueError(f"deck: there are only {copies[name]} cards {name!r}")
        numbers = {name: i for i, name in enumerate(copies)}
        return np.array([numbers[name] for name in names], np.int8)


def check_choice(game: str, name: str, value: object, possible: tuple[object, ...]) -> None:
    """Refuse a parameter that is not one of the ``possible`` values.

    Raises:
        ValueError: names the parameter, the value and what is possible.
    """
    if not any(value == choice and type(value) is type(choice) for choice in possible):
        raise ValueError(f"{game}: {name}={value!r} is not possible; choose from {possible}")


def check_possible(game: str, action_name: str, possible: Collection[str]) -> None:
    """Refuse the name of an action that cannot be chosen at a table as it is.

    Raises:
        ValueError: names the action and what is possible.
    """
    if action_name not in possible:
        known = ", ".join(possible) or "nothing"
        raise ValueError(f"{game}: {action_name!r} is not possible now; choose from {known}")


def check_range(game: str, name: str, value: object, low: int, high: int) -> None:
    """Refuse a parameter that is not a whole number from ``low`` to ``high``.

    Raises:
        ValueError: names the parameter, the value and what is possible.
    """
    is_number = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:  # type: ignore[operator]
        raise ValueError(
            f"{game}: {name}={value!r} is not possible; choose a whole number from {low} to {high}"
        )


def record_dtype(cls: type[Any]) -> np.dtype[np.void]:
    """Build the dtype that a record class describes, fields in the order written, bases first.

    Args:
        cls: a class whose annotations are ``Annotated[int, scalar type]`` or
            ``Annotated[NDArray, scalar type, shape]``.
    """
    fields: list[tuple[Any, ...]] = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{cls.__name__}.{name} needs Annotated[type, scalar, *shape]")
        if hasattr(np.record, name):
            raise TypeError(f"{cls.__name__}.{name}: numpy's records have a method of that name")
        _, scalar, *shape = get_args(hint)
        fields.append((name, scalar, *shape))
    return _without_gaps(np.dtype(fields, align=True))


def _without_gaps(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """Make fields of the bytes that alignment leaves between the fields and after the last.

    Numpy does not copy such bytes, so the copies of equal records would differ in them.
    """
    fields: list[tuple[Any, ...]] = []
    end = 0
    for name, (kind, start, *_) in (dtype.fields or {}).items():
        if start > end:
            fields.append((f"padding_{end}", np.uint8, (start - end,)))
        fields.append((name, kind))
        end = start + kind.itemsize
    if dtype.itemsize > end:
        fields.append((f"padding_{end}", np.uint8, (dtype.itemsize - end,)))
    return np.dtype(fields, align=True)


def slices(layout: Mapping[str, int]) -> dict[str, slice]:
    """Turn lengths into places: the slice of each part of a flat vector."""
    parts, start = {}, 0
    for name, length in layout.items():
        parts[name] = slice(start, start + length)
        start += length
    return parts
