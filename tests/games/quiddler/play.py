"""Helpers of the Quiddler tests: cards by name, and a table in words."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

from tests.games import kinds
from tests.games.duel import plain
from tests.games.kinds import Kinds
from tests.games.quiddler.laying import COPIES, KINDS, Dictionary, Turn, layable, without

from kitchentable.games.quiddler import GAME, Lexicon
from kitchentable.games.quiddler.state import PHASES
from kitchentable.games.quiddler.words.lexicon import find_lexicon

CARDS = Kinds(COPIES)
numbers, names, shares, deck_of = CARDS.numbers, CARDS.names, CARDS.shares, CARDS.deck_of
full_deck, whole_deck = CARDS.full_deck, CARDS.whole_deck


@cache
def dictionary(lexicon: Any = "scowl60") -> Dictionary:
    """Return the reference's dictionary of a lexicon."""
    return Dictionary(find_lexicon(lexicon).words)


@cache
def few(*words: str) -> Lexicon:
    """Return a lexicon of a few words."""
    return Lexicon.from_words(words)


def held(counts: Iterable[int]) -> tuple[str, ...]:
    """Return the names of cards, in alphabetical order, from the number of each kind."""
    pairs = zip(KINDS, counts, strict=True)
    return tuple(sorted(kind for kind, number in pairs for _ in range(int(number))))


# --- A table in words ---------------------------------------------------------------------------


class Table(kinds.Table):
    """A table where ``+x`` spells a card, ``-x`` discards one, and ``c-a-t.`` spells a word."""

    game = GAME
    kinds = CARDS
    phases = PHASES

    def __init__(self, *hands: str, then: str = "", **params: Any) -> None:
        """Deal a game; hands set the number of cards too."""
        sizes = {"hand_sizes": [len(hands[0].split())]} if hands else {}
        super().__init__(*hands, then=then, **sizes | params)

    def check(self) -> None:
        """Check that every card is in exactly one place."""
        assert_all_cards(plain(self.state))

    def names_of(self, action: str) -> list[str]:
        """Return the actions that spell and end a word, or that of a sign."""
        if action.endswith("."):
            return [*(f"spell:{card}" for card in action[:-1].split("-")), "word"]
        if action[0] in "+-":
            return [("spell:" if action[0] == "+" else "discard:") + action[1:]]
        return [action]

    def hand(self, seat: int) -> str:
        """Return a seat's cards."""
        return " ".join(held(self.state.hands[seat]))

    @property
    def scores(self) -> list[int]:
        """Points of each seat in the last finished hand."""
        return self.state.last_scores[: self.state.num_players].tolist()


# --- All cards ----------------------------------------------------------------------------------


def assert_all_cards(state: Any) -> None:
    """Check that every card of the deck is in exactly one place, and that there are no others."""
    seats, deck, pile = int(state.num_players), int(state.deck_size), int(state.pile_size)
    cards = Counter(names([*state.deck[:deck], *state.pile[:pile]]))
    for seat in range(seats):
        cards += Counter(held(state.hands[seat]))
        cards += Counter(names(state.laid[seat][: state.num_laid[seat]]))
        hidden = Counter(held(state.hands[seat]))
        assert Counter(held(state.picked_up[seat])) <= hidden
        hidden -= Counter(held(state.picked_up[seat]))
        assert Counter(held(state.drawn_since[seat])) <= hidden + Counter(
            held(state.left_since[seat])
        )
    assert cards == whole_deck(state)
    if state.reshuffled:
        drawn = sum((Counter(held(counts)) for counts in state.drawn_since), Counter())
        assert drawn + Counter(names(state.deck[:deck])) == Counter(held(state.recycled))
    counts = Counter(names(state.pile[:pile]))
    assert [counts[kind] for kind in KINDS] == list(state.pile_counts)
    beyond = [*state.deck[deck:], *state.pile[pile:]]
    beyond += [c for s in range(8) for c in state.laid[s][int(state.num_laid[s]) :]]
    assert set(beyond) <= {-1}
    assert not any(any(hand) for hand in state.hands[seats:])


def laid_words(state: Any, seat: int) -> list[list[str]]:
    """Return a seat's words, followed by the one being spelled, if there is one."""
    ends = [int(end) for end in state.word_ends[seat][: int(state.num_words[seat])]]
    starts, cards = [0, *ends], names(state.laid[seat][: int(state.num_laid[seat])])
    words = [cards[a:b] for a, b in zip(starts, [*ends, len(cards)], strict=True)]
    return words if words[-1] else words[:-1]


def turn_of(state: Any, params: Any) -> list[str] | None:
    """Return the actions that are legal for the cards of the current player in a record.

    Return None unless the player is to meld and discard. The barred card follows from the record's
    cards too, so redealt tables can be checked.
    """
    if PHASES[state.phase] != "meld and discard":
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
