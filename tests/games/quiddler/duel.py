"""The engine of Quiddler beside the plain reference: both must agree after every action."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any

from tests.games import duel
from tests.games.duel import flat, one_hot, padded
from tests.games.quiddler.laying import KINDS, layable, letters, most_points, value, without
from tests.games.quiddler.play import (
    assert_all_cards,
    deck_of,
    dictionary,
    held,
    laid_words,
    names,
    numbers,
    shares,
    whole_deck,
)
from tests.games.quiddler.reference import ReferenceGame

from kitchentable.games.quiddler import GAME
from kitchentable.games.quiddler.state import PHASES

VERDICTS = ("", "valid", "invalid")
VALID, INVALID = 1, 2


def in_order(sets: Iterable[Iterable[str]]) -> list[tuple[str, ...]]:
    """Return the cards of each set, sorted."""
    return [tuple(sorted(cards)) for cards in sets]


# --- Observations ---------------------------------------------------------------------------------


def row(cards: list[str], size: int) -> list[float]:
    """Return cards in order, each one-hot, in a row of ``size`` places."""
    marks = [one_hot(31, KINDS.index(card)) for card in cards]
    return flat([*marks, *([0.0] * 31 for _ in range(size - len(cards)))])


def expected(state: Any, viewer: int, params: Any) -> dict[str, list[float]]:
    """Return the expected observation of a record, computed in plain Python."""
    seats, over = int(state.num_players), bool(state.terminated)
    order = [(viewer + i) % seats for i in range(seats)]
    hands = {seat: held(state.hands[seat]) for seat in order}
    words = {seat: laid_words(state, seat) for seat in order}
    spelled = [c for seat in order for c in names(state.laid[seat][: state.num_laid[seat]])]
    done = {seat: words[seat][: state.num_words[seat]] for seat in order}
    good = {
        seat: [w for w, v in zip(done[seat], state.verdicts[seat], strict=False) if v != INVALID]
        for seat in order
    }
    points = {s: 2 * value(flat(good[s])) - value(flat(done[s])) for s in order}
    shown = {seat: held(state.picked_up[seat]) for seat in order[1:]}
    pile = names(state.pile[: state.pile_size])
    seen = [*hands[viewer], *pile, *spelled, *flat(shown.values())]
    finished, sizes = int(state.hands_done), params.hand_sizes
    totals = [state.totals[seat] for seat in order]
    where = order.index(state.current_player)
    parts = {
        "phase": [0.0] * 3 if over else one_hot(3, state.phase),
        "to_act": [0.0] * seats if over else one_hot(seats, where),
        "hand": shares(hands[viewer]),
        "unseen": shares((whole_deck(state) - Counter(seen)).elements()),
        "discards": shares(pile),
        "top_discard": one_hot(31, KINDS.index(pile[-1])) if pile else [0.0] * 31,
        "recycled": shares(held(state.recycled)),
        "picked_up": flat(shares(cards) for cards in shown.values()),
        "draw_pile": [state.deck_size / 118],
        "hand_sizes": [0.0 if over else len(hands[seat]) / 11 for seat in order],
        "words": flat(
            [len(good[s]) / 5, max(map(letters, good[s]), default=0) / 20, max(0, points[s]) / 150]
            for s in order
        ),
        "turns": [state.turns[seat] / (params.max_turns + 1) for seat in order],
        "starter": one_hot(seats, order.index((state.dealer + 1) % seats)),
        "out": one_hot(seats, *(order.index(s) for s in order if s == state.out)),
        "last_turns": [state.last_turns / seats],
        "hands_done": [
            finished / len(sizes),
            float(finished == len(sizes) - 1),
            0.0 if over else sizes[finished] / 10,
        ],
        "totals": [total / (150 * len(sizes)) for total in totals],
        "lead": [0.5 + max(-60, min(60, totals[0] - total)) / 120 for total in totals[1:]],
    }
    if params.meld == "auto":
        return parts | expected_worth(state, viewer, params)
    longest = max(sizes)
    unfinished = words[state.current_player][state.num_words[state.current_player] :]
    parts["word"] = row(unfinished[0] if unfinished and not over else [], longest)
    return parts | (expected_challenge(state, order, done, longest) if params.challenges else {})


def expected_worth(state, viewer: int, params) -> dict[str, list[float]]:
    """Return the expected parts about the worth of the hand; only the seat to act has them."""
    parts = {"worth": [0.0] * 31, "out_without": [0.0] * 31, "best": [0.0], "taking": [0.0, 0.0]}
    hand, words = held(state.hands[viewer]), dictionary(params.lexicon)
    if viewer == state.current_player and state.phase == 1:
        worth = {kind: most_points(words, without(hand, kind)) for kind in set(hand)}
        best = max(worth.values())
        for kind, points in worth.items():
            k = KINDS.index(kind)
            parts["worth"][k] = max(0, 1 - (best - points) / 50)
            parts["out_without"][k] = float(without(hand, kind) in layable(words, hand))
        parts["best"] = [0.5 + best / 300]
    if viewer == state.current_player and state.phase == 0:
        top = names(state.pile[: state.pile_size])[-1]
        more = tuple(sorted((*hand, top)))
        barred = {top} if params.forbid_returning_discard and top not in hand else set()
        kept = [without(more, kind) for kind in set(more) - barred]
        now = most_points(words, hand)
        gain = max(most_points(words, cards) for cards in kept) - now
        parts["best"] = [0.5 + now / 300]
        out = any(cards in layable(words, cards) for cards in kept)
        parts["taking"] = [max(0, min(50, gain)) / 50, float(out)]
    return parts


def expected_challenge(state, order, done, longest: int) -> dict[str, list[float]]:
    seats = len(order)
    accused = [seat for seat in order if seat == state.accused]
    words = done[accused[0]] if accused else []
    cards = [card for word in words for card in word]
    starts = [sum(map(len, words[:i])) for i in range(len(words))]
    verdicts = state.verdicts[accused[0]][: len(words)] if accused else []
    return {
        "lost": [min(150, state.lost[seat]) / 150 for seat in order],
        "accused": one_hot(seats, *map(order.index, accused)),
        "accused_words": row(cards, longest),
        "word_starts": one_hot(longest, *starts),
        "verdicts": one_hot(10, *(2 * i + v - VALID for i, v in enumerate(verdicts) if v)),
    }


class Duel(duel.Duel[ReferenceGame]):
    """Games of the engine, each with a reference game that must agree after every action."""

    game, check_cards = GAME, staticmethod(assert_all_cards)

    def reference(self, i: int, **options: Any) -> ReferenceGame:
        params = self.batch.params.as_dict()
        deck = partial(deck_of, self.batch.states[i].seed, copies=params.pop("copies"))
        words = dictionary(params.pop("lexicon"))
        reshuffled, laid = partial(self._reshuffled, i), partial(self._laid, i)
        return ReferenceGame(words, deck, reshuffled, laid, **params, **options)

    def facts(self, state: Any, game: ReferenceGame) -> dict[str, tuple[Any, Any]]:
        seats = range(game.num_players)
        laid = [list(words) for words in game.laid]
        if game.spelling:
            laid[game.player].append(game.spelling)
        verdicts = [state.verdicts[seat][: state.num_words[seat]] for seat in seats]
        starter = (state.dealer + 1) % game.num_players
        return {
            "asks": (PHASES[state.phase], game.asks),
            "hands": ([held(state.hands[seat]) for seat in seats], in_order(game.hands)),
            "deck": (names(state.deck[: state.deck_size][::-1]), game.deck),
            "pile": (names(state.pile[: state.pile_size]), game.pile),
            "laid": ([laid_words(state, seat) for seat in seats], laid),
            "verdicts": ([[VERDICTS[v] for v in row] for row in verdicts], game.verdicts),
            "shown": (
                [held(state.picked_up[seat]) for seat in seats],
                in_order(cards.elements() for cards in game.shown),
            ),
            "recycled": (
                [held(state.recycled)],
                in_order([(game.recycled or Counter()).elements()]),
            ),
            "reshuffled": (bool(state.reshuffled), game.recycled is not None),
            "lost": ([*state.lost[: len(seats)]], game.lost),
            "turns": ([*state.turns[: len(seats)]], game.turns),
            "called": (bool(state.called), game.called),
            "last_turns": (state.last_turns, game.last_turns),
            "starter": (game.order[0] if game.terminated else starter, game.order[0]),
            **{
                name: (seat if seat >= 0 else None, wanted)
                for name, seat, wanted in (
                    ("out", state.out, game.out),
                    ("accused", state.accused, game.accused),
                    ("longest", state.last_longest, game.longest),
                    ("most", state.last_most, game.most),
                )
            },
        }

    def seen(self, i: int, viewer: int) -> dict[str, list[float]]:
        return expected(duel.plain(self.batch.states[i]), viewer, self.batch.params)

    def full(self, i: int) -> dict[str, list[float]]:
        game, state = self.references[i], self.batch.states[i]
        words = [laid_words(state, seat) for seat in range(game.num_players)]
        valid = [[float(game.dictionary.has(word)) for word in laid] for laid in words]
        return {
            "hands": flat(map(shares, game.hands)),
            "valid_words": flat(padded(row, 5) for row in valid),
            "deck_order": padded([(KINDS.index(card) + 1) / 31 for card in game.deck], 118),
        }

    def _reshuffled(self, i: int, cards: list[str]) -> list[str]:
        return names(self.reshuffled(i, numbers(cards)))

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
