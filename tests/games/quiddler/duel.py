"""The engine of Quiddler beside the plain reference: both must agree after every action."""

from __future__ import annotations

from collections import Counter
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from tests.games import duel
from tests.games.quiddler.play import (
    assert_all_cards,
    deck_of,
    dictionary,
    held,
    laid_words,
    names,
)
from tests.games.quiddler.reference import ReferenceGame

from kitchentable.games.quiddler import GAME
from kitchentable.games.quiddler.state import PHASES

VERDICTS = ("", "valid", "invalid")


def describe(state: Any) -> dict[str, Any]:
    """Return the whole content of a record in the reference's terms."""
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
    """Return the same for a reference game."""
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
        "truncated": game.truncated,
    }


class Duel(duel.Duel[ReferenceGame]):
    """Games of the engine, each with a reference game that must agree after every action."""

    game = GAME
    reshuffles = 0

    def reference(self, i: int, **options: Any) -> ReferenceGame:
        """Return the reference of a game that has just been dealt; options replace the defaults."""
        params = self.batch.params.as_dict()
        deck = partial(deck_of, self.batch.states[i].seed, copies=params.pop("copies"))
        words = dictionary(params.pop("lexicon"))
        reshuffled, laid = partial(self._reshuffled, i), partial(self._laid, i)
        return ReferenceGame(words, deck, reshuffled, laid, **params, **options)

    def check(self, i: int, game: ReferenceGame) -> None:
        """Check that a record agrees with its reference."""
        state = duel.plain(self.batch.states[i])
        assert describe(state) == describe_reference(game)
        assert_all_cards(state)

    def _reshuffled(self, i: int, cards: list[str]) -> list[str]:
        """Read the order of a new draw pile from the engine, which has drawn its first card."""
        state, game = self.batch.states[i], self.references[i]
        new = Counter(held(state.hands[game.player])) - Counter(game.hands[game.player])
        deck = [*new, *names(state.deck[: state.deck_size][::-1])]
        assert Counter(deck) == Counter(cards)
        self.reshuffles += 1
        return deck

    def _laid(self, i: int, seat: int) -> list[list[str]]:
        """Return the words that the engine has laid for a seat."""
        state = duel.plain(self.batch.states[i])
        if not state.hand_over:
            return laid_words(state, seat)
        # The hand is over, and the next one may be dealt already: read the copy kept for display.
        cards = {"laid": state.last_laid, "word_ends": state.last_word_ends}
        sizes = [
            int(ends[words - 1]) if words else 0
            for ends, words in zip(state.last_word_ends, state.last_num_words, strict=True)
        ]
        kept = SimpleNamespace(**cards, num_words=state.last_num_words, num_laid=sizes)
        return laid_words(kept, seat)
