"""The engine of Diddly beside the plain reference: both must agree after every action."""

from collections import Counter
from functools import partial
from typing import Any

from tests.games import duel
from tests.games.diddly.play import (
    assert_all_cards,
    deck_of,
    facing,
    numbers,
    pile_of,
    shares,
    slots_of,
    whole_deck,
    words,
)
from tests.games.diddly.reference import KINDS, ReferenceGame
from tests.games.duel import flat, one_hot, padded

from kitchentable.games.diddly import GAME
from kitchentable.games.diddly.state import PHASES

ORIGINS = ("", "draw", "take", "recycle")


# --- Observations ---------------------------------------------------------------------------------


def card(kind: int, *, shown: bool = True) -> list[float]:
    return one_hot(len(KINDS), int(kind)) if shown and kind >= 0 else [0.0] * len(KINDS)


def expected(state, viewer: int) -> dict[str, list[float]]:
    """Return the expected observation of a record, but for what is known of a reshuffled deck."""
    seats, cards = int(state.num_players), int(state.cards)
    order = [(viewer + i) % seats for i in range(seats)]
    places = [(seat, slot) for seat in order for slot in range(cards)]
    up = {place: bool(state.face_up[place]) for place in places}
    known = {p: up[p] or (p[0] == viewer and bool(state.peeked[p])) for p in places}
    pile = words(pile_of(state))
    seen = Counter(pile) + Counter(words(state.boards[p] for p in places if known[p]))
    seen += Counter(words([state.held] if state.held >= 0 else []))
    over = bool(state.terminated or state.truncated)
    waiting = words(state.abilities[: state.num_abilities])
    points = [state.round_scores[seat, : state.rounds_done].tolist() for seat in order]
    totals = [sum(p) for p in points]
    rounds, left = int(state.rounds), int(state.rounds) - int(state.rounds_done)
    return {
        "phase": [0.0] * 6 if over else one_hot(6, state.phase),
        "to_act": [0.0] * seats if over else one_hot(seats, order.index(state.current_player)),
        "cards": flat(card(state.boards[p], shown=known[p]) for p in places),
        "face_up": [float(up[p]) for p in places],
        "peeked": [float(bool(state.peeked[p]) and not up[p]) for p in places],
        "unseen": shares(whole_deck(state) - seen),
        "discards": shares(Counter(pile)),
        "top_discard": card(state.pile[state.pile_size - 1] if pile else -1),
        "held": card(state.held),
        "source": one_hot(4, state.source)[1:],
        "swap_slot": one_hot(cards, state.swap_slot),
        "abilities": one_hot(6, *(2 * i + "PS".index(kind) for i, kind in enumerate(waiting))),
        "flips_left": [state.flips_left / 3 if state.phase == PHASES.index("flip") else 0.0],
        "draw_pile": [state.deck_size / 104],
        "starter": one_hot(seats, order.index((state.dealer + 1) % seats)),
        "closer": one_hot(seats, *(i for i, seat in enumerate(order) if seat == state.closer)),
        "turns": [state.turns[seat] / state.turn_limit for seat in order],
        "hands_done": [1 - left / rounds, float(left == 1)],
        "totals": [total / (10 * cards * rounds) for total in totals],
        "lead": [0.5 + max(-40, min(40, total - totals[0])) / 80 for total in totals[1:]],
        "hand_scores": flat([x / (10 * cards) for x in p] + [0.0] * left for p in points),
    }


class Duel(duel.Duel[ReferenceGame]):
    """Games of the engine, each with a reference game that must agree after every action."""

    game, check_cards = GAME, staticmethod(assert_all_cards)

    def reference(self, i: int, **options: Any) -> ReferenceGame:
        params = self.batch.params.as_dict() | options
        deck = partial(deck_of, self.batch.states[i].seed, copies=params.pop("copies"))
        return ReferenceGame(deck, partial(self._reshuffled, i), **params)

    def facts(self, state: Any, game: ReferenceGame) -> dict[str, tuple[Any, Any]]:
        seats, cards = game.num_players, game.cards
        boards = [
            zip(*((c.kind, c.face_up, c.peeked) for c in b), strict=True) for b in game.boards
        ]
        return {
            "asks": (PHASES[state.phase], game.asks),
            "boards": (
                [facing(*slots_of(state, seat)) for seat in range(seats)],
                [facing(*board) for board in boards],
            ),
            "deck": (words(state.deck[: state.deck_size][::-1]), game.deck),
            "pile": (words(pile_of(state)), game.pile),
            "reshuffled": (bool(state.reshuffled), game.known is not None),
            "held": (KINDS[state.held] if state.held >= 0 else None, game.held),
            "origin": (ORIGINS[state.source], game.origin),
            "first_slot": (state.swap_slot if state.swap_slot >= 0 else None, game.first_slot),
            "waiting": (words(state.abilities[: state.num_abilities]), game.waiting),
            "flips_left": (state.flips_left, game.flips_left),
            "to_flip": (state.seats_to_flip, len(game.to_flip)),
            "closer": (state.closer if state.closer >= 0 else None, game.closer),
            "turns": ([*state.turns[:seats]], game.turns),
            "starter": ((state.dealer + 1) % seats, game.order[0]),
            "last_boards": (
                [words(state.last_boards[i, :cards]) for i in range(seats) if state.rounds_done],
                game.last_boards,
            ),
        }

    def seen(self, i: int, viewer: int) -> dict[str, list[float]]:
        parts = expected(duel.plain(self.batch.states[i]), viewer)
        return parts | {"deck_kinds": shares(self.references[i].known or Counter())}

    def full(self, i: int) -> dict[str, list[float]]:
        game = self.references[i]
        kinds = [KINDS.index(one.kind) for board in game.boards for one in board]
        return {
            "player_0_cards": flat(map(card, kinds)),
            "player_0_unseen": shares(game.deck),
            "deck_order": padded([(KINDS.index(kind) + 1) / 15 for kind in game.deck], 104),
        }

    def _reshuffled(self, i: int, cards: list[str]) -> list[str]:
        return words(self.reshuffled(i, numbers(cards)))
