"""What the Quiddler tests share: a table in words, the engine and the reference side by side."""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.games.quiddler.laying import COPIES, KINDS, Dictionary, Turn, layable, without
from tests.games.quiddler.reference import ReferenceGame

from kitchentable.core.rng import shuffle, start_stream
from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME, Lexicon
from kitchentable.games.quiddler.state import PHASES
from kitchentable.games.quiddler.words.lexicon import find_lexicon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

VERDICTS = ("", "valid", "invalid")


@cache
def dictionary(lexicon: Any = "scowl60") -> Dictionary:
    """Return the reference's view of a lexicon."""
    return Dictionary(find_lexicon(lexicon).words)


@cache
def few(*words: str) -> Lexicon:
    """Return a lexicon of a few words."""
    return Lexicon.from_words(words)


def numbers(kinds: Iterable[str]) -> NDArray[np.int8]:
    """Return the engine's numbers of cards."""
    return np.array([KINDS.index(kind) for kind in kinds], np.int8)


def names(cards: Iterable[Any]) -> list[str]:
    """Return the names of cards from the engine's numbers."""
    return [KINDS[card] for card in (cards.tolist() if isinstance(cards, np.ndarray) else cards)]


def held(counts: Iterable[int]) -> tuple[str, ...]:
    """Return the names of cards, in alphabetical order, from how many there are of each kind."""
    pairs = zip(KINDS, counts, strict=True)
    return tuple(sorted(kind for kind, number in pairs for _ in range(int(number))))


def plain(state: Any) -> Any:
    """Return a copy of a record in Python's own numbers: numpy takes long to read a field."""
    return SimpleNamespace(**dict(zip(state.dtype.names, state.item(), strict=True)))


def full_deck() -> list[str]:
    """Return all cards of a deck."""
    return [kind for kind in KINDS for _ in range(COPIES[kind])]


# --- A table in words ---------------------------------------------------------------------------


def rig(*hands: str, then: str = "") -> list[str]:
    """Return the top of a deck that deals these hands, followed by other cards.

    Args:
        hands: the cards of each seat in the order of play.
        then: the first discard and what is drawn.
    """
    dealt = zip(*(hand.split() for hand in hands), strict=True)
    return [*(card for row in dealt for card in row), *then.split()]


class Table:
    """One game of the engine whose deck is rigged, played by the names of actions."""

    def __init__(self, *hands: str, then: str = "", **params: Any) -> None:
        """Deal a game.

        Args:
            hands: the cards of each seat, player_0 first; they say how many seats and cards.
            then: the first discard and what is drawn.
            params: of the game.
        """
        if hands:
            params = {"num_players": len(hands), "hand_sizes": [len(hands[0].split())]} | params
        self.batch = Batch(GAME, 1, seed=7, autoreset=False, **params)
        self.batch.reset(top=numbers(rig(*hands, then=then)))
        assert_all_cards(plain(self.state))

    @property
    def state(self) -> Any:
        """The record."""
        return self.batch.states[0]

    @property
    def legal(self) -> list[str]:
        """Names of the legal actions."""
        return [self.batch.action_names[a] for a in np.flatnonzero(self.batch.masks[0])]

    def options(self, what: str) -> str:
        """Return what can stand after the colon of legal actions, separated by blanks."""
        return " ".join(n.partition(":")[2] for n in self.legal if n.startswith(f"{what}:"))

    @property
    def asks(self) -> str:
        """Who decides what, such as ``0 draw or take``."""
        phases = (*PHASES, "over")
        return f"{self.state.current_player} {phases[self.state.phase]}"

    @property
    def pile(self) -> list[str]:
        """The discard pile, its top last."""
        return names(self.state.pile[: self.state.pile_size])

    def hand(self, seat: int) -> str:
        """Return a seat's cards."""
        return " ".join(held(self.state.hands[seat]))

    @property
    def scores(self) -> list[int]:
        """Points of the hand that finished last, by seat."""
        return self.state.last_scores[: self.state.num_players].tolist()

    def play(self, actions: str) -> Table:
        """Play actions by name, separated by blanks; ``+x`` spells a card, ``-x`` discards one.

        ``c-a-t.`` is short for spelling these cards and ending the word.
        """
        for action in actions.split():
            for name in _names_of(action):
                self.batch.step(np.array([self.batch.action_names.index(name)]))
                assert_all_cards(plain(self.state))
        return self

    def put_deck_under_pile(self, *keep: str) -> Table:
        """Put the draw pile under the discard pile, as if it had been played.

        Args:
            keep: cards that stay, the next one first.
        """
        state = self.state
        down, up = int(state.deck_size), int(state.pile_size)
        cards = names(state.deck[:down])
        for card in keep:
            cards.remove(card)
        state.pile[: len(cards) + up] = [*numbers(cards), *state.pile[:up]]
        np.add.at(state.pile_counts, numbers(cards), 1)
        state.deck[:] = -1
        state.deck[: len(keep)] = numbers(keep[::-1])
        state.pile_size, state.deck_size = len(cards) + up, len(keep)
        self.batch.look()
        return self


def _names_of(action: str) -> list[str]:
    if action.endswith("."):
        return [*(f"spell:{card}" for card in action[:-1].split("-")), "word"]
    if action[0] in "+-":
        return [("spell:" if action[0] == "+" else "discard:") + action[1:]]
    return [action]


# --- All cards ----------------------------------------------------------------------------------


def assert_all_cards(state: Any) -> None:
    """Check that all 118 cards are there, each in one place, and nothing beyond."""
    seats, deck, pile = int(state.num_players), int(state.deck_size), int(state.pile_size)
    cards = Counter(names([*state.deck[:deck], *state.pile[:pile]]))
    for seat in range(seats):
        cards += Counter(held(state.hands[seat]))
        cards += Counter(names(state.laid[seat][: state.num_laid[seat]]))
        for counts in (state.picked_up, state.drawn_since):
            assert all(counts[seat][k] >= 0 for k in range(len(KINDS)))
        for k in range(len(KINDS)):
            known = int(state.picked_up[seat][k]) + int(state.drawn_since[seat][k])
            assert known <= state.hands[seat][k]
    assert cards == COPIES
    counts = Counter(names(state.pile[:pile]))
    assert [counts[kind] for kind in KINDS] == list(state.pile_counts)
    beyond = [*state.deck[deck:], *state.pile[pile:]]
    beyond += [c for s in range(8) for c in state.laid[s][int(state.num_laid[s]) :]]
    assert set(beyond) <= {-1}
    assert not any(any(hand) for hand in state.hands[seats:])


def turn_of(state: Any, params: Any) -> list[str] | None:
    """Return what is legal by the cards that a record says the current player holds.

    None unless it is to meld and discard. What it held before its turn decides what is barred, so
    this can be asked of tables dealt anew too.
    """
    if (*PHASES, "over")[state.phase] != "meld and discard":
        return None
    seat, words = int(state.current_player), dictionary(params.lexicon)
    left, laid = held(state.hands[seat]), names(state.laid[seat][: state.num_laid[seat]])
    hand, taken = [*left, *laid], names([state.taken])[0] if state.taken >= 0 else None
    barred = taken if params.forbid_returning_discard and hand.count(taken) == 1 else None
    last, out = state.last_turns > 0, state.turns[seat] >= params.min_turns_before_out
    if params.meld == "spell":
        turn = Turn(words, hand, last=last, may_out=out, barred=barred, free=params.challenges)
        unfinished = laid_words(state, seat)[state.num_words[seat] :]
        return turn.legal(int(state.num_words[seat]), unfinished[0] if unfinished else [], left)
    kinds, done = set(left) - {barred}, layable(words, left)
    lays = [k for k in kinds if last or (out and without(left, k) in done)]
    stay = [f"discard:{kind}" for kind in kinds if not last]
    return stay + [f"{name}:{kind}" for name in ("longest", "most") for kind in lays]


# --- The engine and the reference side by side --------------------------------------------------


def deck_of(seed: Any, number: int) -> list[str]:
    """Return the deck of a hand, the top first: it depends on the game's seed alone."""
    stream = SimpleNamespace(seed=np.uint64(seed), rng=np.uint64(0))
    start_stream(stream, number)
    cards = numbers(full_deck())
    shuffle(stream, cards, 0, len(cards))
    return names(cards[::-1])


def laid_words(state: Any, seat: int) -> list[list[str]]:
    """Return a seat's words, and at last the one that is being spelled, if there is one."""
    ends = [int(end) for end in state.word_ends[seat][: int(state.num_words[seat])]]
    starts, cards = [0, *ends], names(state.laid[seat][: int(state.num_laid[seat])])
    words = [cards[a:b] for a, b in zip(starts, [*ends, len(cards)], strict=True)]
    return words if words[-1] else words[:-1]


def describe(state: Any) -> dict[str, Any]:
    """Return everything about a record in the reference's words."""
    seats = range(int(state.num_players))
    over = bool(state.terminated)
    return {
        "player": None if over else int(state.current_player),
        "asks": (*PHASES, "over")[state.phase],
        "hands": [held(state.hands[seat]) for seat in seats],
        "deck": names(state.deck[: state.deck_size][::-1]),
        "pile": names(state.pile[: state.pile_size]),
        "laid": [laid_words(state, seat) for seat in seats],
        "verdicts": [
            [VERDICTS[v] for v in state.verdicts[seat][: state.num_words[seat]]] for seat in seats
        ],
        "shown": [held(state.picked_up[seat]) for seat in seats],
        "recycled": held(state.recycled),
        "reshuffled": bool(state.reshuffled),
        "lost": list(state.lost[: len(seats)]),
        "turns": list(state.turns[: len(seats)]),
        "out": int(state.out),
        "called": bool(state.called),
        "last_turns": int(state.last_turns),
        "accused": int(state.accused),
        "history": [GAME.hand_scores(SimpleNamespace(**_arrays(state)), s) for s in seats],
        "totals": list(state.totals[: len(seats)]),
        "starter": None if over else (int(state.dealer) + 1) % len(seats),
        "bonuses": [int(state.last_longest), int(state.last_most)],
        "ends": [bool(state.hand_over), over],
        "truncated": bool(state.truncated),
    }


def _arrays(state: Any) -> dict[str, Any]:
    return {"hand_points": np.array(state.hand_points), "hands_done": state.hands_done}


def describe_reference(game: ReferenceGame) -> dict[str, Any]:
    """Return the same things about a reference game."""
    laid = [list(words) for words in game.laid]
    if game.spelling:
        laid[game.player].append(game.spelling)
    numbered = ("out", "accused")
    same = ["asks", "deck", "pile", "lost", "turns", "called", "last_turns"]
    same += ["verdicts", "history", "totals"]
    return {name: getattr(game, name) for name in same} | {
        "player": None if game.terminated else game.player,
        "hands": [tuple(sorted(hand)) for hand in game.hands],
        "laid": laid,
        "shown": [tuple(sorted(cards.elements())) for cards in game.shown],
        "recycled": tuple(sorted((game.recycled or Counter()).elements())),
        "reshuffled": game.recycled is not None,
        **{n: -1 if getattr(game, n) is None else getattr(game, n) for n in numbered},
        "starter": None if game.terminated else game.order[0],
        "bonuses": [-1 if seat is None else seat for seat in (game.longest, game.most)],
        "ends": [game.hand_over, game.terminated],
        "truncated": False,
    }


class Duel:
    """Games of the engine, each with a reference game that must agree after every action."""

    def __init__(self, num_envs: int, seed: int, **params: Any) -> None:
        """Deal ``num_envs`` games."""
        self.batch = Batch(GAME, num_envs, seed=seed, autoreset=False, **params)
        self.decisions = self.reshuffles = 0
        self.index = {name: a for a, name in enumerate(self.batch.action_names)}
        values = self.batch.params.as_dict()
        words = dictionary(values.pop("lexicon"))
        self.references = [
            ReferenceGame(
                words, partial(deck_of, state.seed), partial(self._reshuffled, i),
                partial(self._laid, i), **values,
            )
            for i, state in enumerate(self.batch.states)
        ]  # fmt: skip
        self.compare([True] * num_envs)

    def play(self, player: Callable[..., str], seed: int, steps: int = 100_000) -> Duel:
        """Play all games to their end, comparing after every action."""
        rng = np.random.default_rng(seed)
        for _ in range(steps):
            if not any(game.legal for game in self.references):
                break
            self.step([player(game, rng) if game.legal else "" for game in self.references])
        return self

    def step(self, actions: list[str]) -> None:
        """Play one action in each game, none where the name is empty."""
        self.batch.step(np.array([self.index.get(name, -1) for name in actions]))
        for game, name in zip(self.references, actions, strict=True):
            if name:
                game.play(name)
                self.decisions += 1
        self.compare([bool(name) for name in actions])

    def compare(self, played: list[bool]) -> None:
        """Check that every game of the engine is as its reference says."""
        nothing = [0.0] * self.batch.num_players
        paid = [game.rewards if played[i] else nothing for i, game in enumerate(self.references)]
        np.testing.assert_allclose(self.batch.rewards, paid, atol=1e-5)
        for i, game in enumerate(self.references):
            if not played[i]:
                continue
            state = plain(self.batch.states[i])
            legal = [self.batch.action_names[a] for a in np.flatnonzero(self.batch.masks[i])]
            assert legal == sorted(game.legal, key=self.index.__getitem__)
            assert self.batch.dones[i] == game.terminated
            assert describe(state) == describe_reference(game)
            assert_all_cards(state)
            if not game.terminated:
                assert self.batch.current_player[i] == game.player
            if game.hand_over:
                assert self.batch.scores(self.batch.states[i]).tolist() == game.totals
                assert self.batch.ranks(self.batch.states[i]).tolist() == game.ranks

    def _reshuffled(self, i: int, cards: list[str]) -> list[str]:
        """Read the order of a new draw pile from the engine, which has drawn its first card."""
        state, game = self.batch.states[i], self.references[i]
        new = Counter(held(state.hands[game.player])) - Counter(game.hands[game.player])
        deck = [*new, *names(state.deck[: state.deck_size][::-1])]
        assert Counter(deck) == Counter(cards)
        self.reshuffles += 1
        return deck

    def _laid(self, i: int, seat: int) -> list[list[str]]:
        """Read the words that the engine has laid for a seat."""
        state = plain(self.batch.states[i])
        if not state.hand_over:
            return laid_words(state, seat)
        # The hand is over, and the next may be dealt already: what it kept for people.
        cards = {"laid": state.last_laid, "word_ends": state.last_word_ends}
        sizes = [
            int(ends[words - 1]) if words else 0
            for ends, words in zip(state.last_word_ends, state.last_num_words, strict=True)
        ]
        kept = SimpleNamespace(**cards, num_words=state.last_num_words, num_laid=sizes)
        return laid_words(kept, seat)
