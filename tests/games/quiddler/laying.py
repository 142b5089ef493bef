"""What Quiddler's cards can spell, in plain Python: a reference for the fast solver.

It is written from the rule sheet, works on card names, tuples and sets by trying everything, and
shares no code with the engine.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

VALUES = {
    "a": 2, "b": 8, "c": 8, "d": 5, "e": 2, "f": 6, "g": 6, "h": 7, "i": 2, "j": 13, "k": 8, "l": 3,
    "m": 5, "n": 5, "o": 2, "p": 6, "q": 15, "r": 5, "s": 3, "t": 3, "u": 4, "v": 11, "w": 10,
    "x": 12, "y": 4, "z": 14, "qu": 9, "in": 7, "er": 7, "th": 9, "cl": 10,
}  # fmt: skip
OFTEN = {"e": 12, "a": 10, "i": 8, "o": 8, "n": 6, "r": 6, "t": 6, "u": 6}
COPIES = {kind: OFTEN.get(kind, 4 if kind in set("dglsy") else 2) for kind in VALUES}
KINDS = list(VALUES)

Hand = tuple[str, ...]
"""Names of cards in alphabetical order."""


def value(cards: Iterable[str]) -> int:
    """Return the total points of some cards."""
    return sum(VALUES[card] for card in cards)


def letters(cards: Iterable[str]) -> int:
    """Return the number of letters on some cards."""
    return len("".join(cards))


def without(cards: Iterable[str], *gone: str) -> Hand:
    """Return a hand without some of its cards."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(sorted(left))


# --- Words --------------------------------------------------------------------------------------


class Dictionary:
    """The words that count, and the hands of one deck that spell them."""

    def __init__(self, words: Iterable[str]) -> None:
        """Take the words, and find each hand of cards that spells one by trying all ways."""
        self.words = frozenset(words)
        self.prefixes = {word[:end] for word in self.words for end in range(len(word) + 1)}
        ways = {tuple(sorted(way)) for word in self.words for way in spellings(word)}
        self.hands = {way for way in ways if 2 <= len(way) <= 10 and in_deck(way)}

    def has(self, cards: Sequence[str]) -> bool:
        """Return whether cards in this order are a word: two cards or more."""
        return len(cards) >= 2 and "".join(cards) in self.words


def spellings(word: str) -> list[list[str]]:
    """Return all ways to spell letters with cards, with any number of copies."""
    ways: list[list[list[str]]] = [[[]]]
    for end in range(1, len(word) + 1):
        ways.append([[*way, word[end - 1]] for way in ways[end - 1]])
        if word[max(0, end - 2) : end] in VALUES and end > 1:
            ways[end] += [[*way, word[end - 2 : end]] for way in ways[end - 2]]
    return ways[-1]


def in_deck(cards: Sequence[str]) -> bool:
    """Return whether one deck has this many copies."""
    return all(cards.count(card) <= COPIES[card] for card in set(cards))


# --- Laying a hand ------------------------------------------------------------------------------


def subsets_of(hand: Hand) -> list[Hand]:
    """Return the cards of every subset of a hand; bit p of its index is card p."""
    subsets: list[Hand] = [()]
    for card in hand:
        subsets += [(*subset, card) for subset in subsets]
    return subsets


def _words_by_first(dictionary: Dictionary, subsets: list[Hand]) -> dict[int, list[int]]:
    words: dict[int, list[int]] = {1 << p: [] for p in range(11)}
    for number, cards in enumerate(subsets):
        if cards in dictionary.hands:
            words[number & -number].append(number)
    return words


@lru_cache(maxsize=2000)
def layable(dictionary: Dictionary, hand: Hand) -> frozenset[Hand]:
    """Return each set of the hand's cards that words can use up, the empty one included."""
    subsets = subsets_of(hand)
    words = _words_by_first(dictionary, subsets)
    done = [True] + [False] * (len(subsets) - 1)
    for number in range(1, len(subsets)):
        done[number] = any(
            word & ~number == 0 and done[number ^ word] for word in words[number & -number]
        )
    return frozenset(cards for cards, is_done in zip(subsets, done, strict=True) if is_done)


@lru_cache(maxsize=500)
def melds(dictionary: Dictionary, hand: Hand) -> dict[Hand, set[tuple[int, int]]]:
    """Return each set of cards that words can use up, and how.

    Returns:
        By set of cards, all pairs of the number of words and the letters of the longest.
    """
    subsets = subsets_of(hand)
    words = _words_by_first(dictionary, subsets)
    ways: list[set[tuple[int, int]]] = [{(0, 0)}] + [set() for _ in subsets[1:]]
    for number in range(1, len(subsets)):
        for word in words[number & -number]:
            if word & ~number == 0:
                size = letters(subsets[word])
                ways[number] |= {(n + 1, max(long, size)) for n, long in ways[number ^ word]}
    return {cards: way for cards, way in zip(subsets, ways, strict=True) if way}


def most_points(dictionary: Dictionary, kept: Hand) -> int:
    """Return the highest score of some cards: those in words minus those left over."""
    return 2 * max(map(value, layable(dictionary, kept))) - value(kept)


def best(dictionary: Dictionary, kept: Hand, objective: str) -> tuple[int, int, int]:
    """Return points, number of words and letters of the longest word of the best arrangement."""
    most = most_points(dictionary, kept)
    found = [
        pair
        for cards, pairs in melds(dictionary, kept).items()
        if 2 * value(cards) - value(kept) == most
        for pair in pairs
    ]
    wanted = max(found, key=lambda pair: pair if objective == "most" else pair[::-1])
    return most, *wanted


# --- Spelling a meld ----------------------------------------------------------------------------


class Turn:
    """What one seat may lay and discard in one turn.

    Attributes:
        last: whether it is a last turn.
        may_out: whether the seat may go out.
        barred: the card that must not be discarded, or None.
        free: whether any two or more cards are accepted as a word.
    """

    def __init__(
        self, dictionary: Dictionary, hand: Iterable[str], *, last: bool = False,
        may_out: bool = True, barred: str | None = None, free: bool = False,
    ) -> None:  # fmt: skip
        """Begin with the cards held after drawing."""
        self.dictionary, self.hand = dictionary, tuple(sorted(hand))
        self.last, self.may_out, self.barred, self.free = last, may_out, barred, free

    def legal(self, words: int, spelled: Sequence[str], left: Iterable[str]) -> list[str]:
        """Return the legal actions after complete words and the cards spelled of another one."""
        left = tuple(sorted(left))
        names = [
            f"spell:{kind}"
            for kind in sorted(set(left))
            if self._can_finish((*spelled, kind), without(left, kind))
        ]
        if spelled and self._is_word(spelled) and self._may_be_left(left):
            names.append("word")
        going_out = not self.last and (words > 0 or len(spelled) > 0)
        if not spelled and (not going_out or len(left) == 1):
            names += [f"discard:{kind}" for kind in sorted(set(left)) if kind != self.barred]
        return names

    def _is_word(self, cards: Sequence[str]) -> bool:
        return len(cards) >= 2 if self.free else self.dictionary.has(cards)

    def _may_be_left(self, left: Hand) -> bool:
        """Return whether a word may end with these cards left: the meld is or can be completed."""
        discards = [kind for kind in set(left) if kind != self.barred]
        if self.last or not self.may_out:
            return self.last and bool(discards)
        if self.free:
            return bool(discards) and len(left) != 2
        done = layable(self.dictionary, self.hand)
        return any(without(left, kind) in done for kind in discards)

    def _can_finish(self, cards: tuple[str, ...], left: Hand) -> bool:
        """Return whether these cards begin a word that may end; tries everything."""
        if self._is_word(cards) and self._may_be_left(left):
            return True
        if self.free:  # which cards the word takes does not matter if one is left to discard
            keep = [kind for kind in left if kind != self.barred][:1]
            rest = without(left, *keep)
            more = [rest[:number] for number in range(1, len(rest) + 1)]
            return any(
                self._is_word((*cards, *some)) and self._may_be_left(without(left, *some))
                for some in more
            )
        return "".join(cards) in self.dictionary.prefixes and any(
            self._can_finish((*cards, kind), without(left, kind)) for kind in sorted(set(left))
        )
