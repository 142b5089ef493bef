"""The scoring of a hand of Quiddler (sheet: Scoring, Challenges)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.state import NOBODY
from kitchentable.games.quiddler.cards import LETTERS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.state import BONUS_LONGEST, BONUS_MOST, REJECTED, State

BONUS = 10


@kernel
def word_start(state: State, player: int, word: int) -> int:
    """Return the index in ``laid`` at which a seat's word begins."""
    return int(state.word_ends[player, word - 1]) if word > 0 else 0


@kernel
def word_sum(state: State, player: int, word: int, table: NDArray[np.int64]) -> int:
    """Return the sum of ``table``, `VALUES` or `LETTERS`, over the cards in a seat's word."""
    total = 0
    for i in range(word_start(state, player, word), state.word_ends[player, word]):
        total += table[state.laid[player, i]]
    return total


@kernel
def laid_points(state: State, player: int) -> int:
    """Return the points of a seat's words; rejected words are subtracted."""
    points = 0
    for word in range(state.num_words[player]):
        value = word_sum(state, player, word, VALUES)
        points += -value if state.verdicts[player, word] == REJECTED else value
    return points


@kernel
def longest_word(state: State, player: int) -> int:
    """Return the letters in a seat's longest word that is not rejected; 0 if there is none."""
    longest = 0
    for word in range(state.num_words[player]):
        if state.verdicts[player, word] != REJECTED:
            longest = max(longest, word_sum(state, player, word, LETTERS))
    return longest


@kernel
def standing_words(state: State, player: int) -> int:
    """Return the number of a seat's words that are not rejected."""
    words = 0
    for word in range(state.num_words[player]):
        words += state.verdicts[player, word] != REJECTED
    return words


@kernel
def cards_points(state: State, player: int) -> int:
    """Return a seat's points in this hand before bonuses, at least 0."""
    points = laid_points(state, player) - state.lost[player]
    for kind in range(NUM_KINDS):
        points -= state.hands[player, kind] * VALUES[kind]
    return max(int(points), 0)


@kernel
def bonus_seat(state: State, bonus: int) -> int:
    """Return the seat that gets `BONUS_LONGEST` or `BONUS_MOST`, or `NOBODY` in a tie.

    With two players only the bonus named by the parameter ``two_player_bonus`` is given.
    """
    if state.num_players == 2 and state.two_player_bonus != bonus:
        return NOBODY
    best, seat = 0, NOBODY
    for player in range(state.num_players):
        if bonus == BONUS_LONGEST:
            figure = longest_word(state, player)
        else:
            figure = standing_words(state, player)
        if figure > best:
            best, seat = figure, player
        elif figure == best:
            seat = NOBODY
    return seat


@kernel
def score_hand(state: State) -> None:
    """Write the points of a finished hand, and add them to the totals."""
    state.last_longest = bonus_seat(state, BONUS_LONGEST)
    state.last_most = bonus_seat(state, BONUS_MOST)
    for player in range(state.num_players):
        points = cards_points(state, player)
        points += BONUS * (player == state.last_longest) + BONUS * (player == state.last_most)
        state.last_scores[player] = points
        state.hand_points[player, state.hands_done] = points
        state.totals[player] += points
