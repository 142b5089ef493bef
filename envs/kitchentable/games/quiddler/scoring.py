"""What a hand of Quiddler is worth (sheet: Scoring, Challenges)."""

from __future__ import annotations

from kitchentable.core.kernels import kernel
from kitchentable.core.state import NOBODY
from kitchentable.games.quiddler.cards import LETTERS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.state import BONUS_LONGEST, BONUS_MOST, REJECTED, State

BONUS = 10


@kernel
def word_start(state: State, player: int, word: int) -> int:
    """Return where a seat's word begins in ``laid``."""
    return int(state.word_ends[player, word - 1]) if word > 0 else 0


@kernel
def word_value(state: State, player: int, word: int) -> int:
    """Return the points on the cards of a seat's word."""
    value = 0
    for i in range(word_start(state, player, word), state.word_ends[player, word]):
        value += VALUES[state.laid[player, i]]
    return value


@kernel
def word_letters(state: State, player: int, word: int) -> int:
    """Return the letters of a seat's word, which may be more than its cards."""
    letters = 0
    for i in range(word_start(state, player, word), state.word_ends[player, word]):
        letters += LETTERS[state.laid[player, i]]
    return letters


@kernel
def laid_points(state: State, player: int) -> int:
    """Return the points of a seat's words; those of a rejected one count against it."""
    points = 0
    for word in range(state.num_words[player]):
        value = word_value(state, player, word)
        points += -value if state.verdicts[player, word] == REJECTED else value
    return points


@kernel
def longest_word(state: State, player: int) -> int:
    """Return the letters of a seat's longest word that has not been rejected; 0 if it has none."""
    longest = 0
    for word in range(state.num_words[player]):
        if state.verdicts[player, word] != REJECTED:
            longest = max(longest, word_letters(state, player, word))
    return longest


@kernel
def standing_words(state: State, player: int) -> int:
    """Return how many of a seat's words have not been rejected."""
    words = 0
    for word in range(state.num_words[player]):
        words += state.verdicts[player, word] != REJECTED
    return words


@kernel
def cards_points(state: State, player: int) -> int:
    """Return a seat's points before the bonuses, which are outside the floor at zero."""
    points = laid_points(state, player) - state.lost[player]
    for kind in range(NUM_KINDS):
        points -= state.hands[player, kind] * VALUES[kind]
    return max(int(points), 0)


@kernel
def bonus_seat(state: State, bonus: int) -> int:
    """Return who has a bonus, `BONUS_LONGEST` or `BONUS_MOST`: nobody in a tie.

    With two players only the one of the parameter ``two_player_bonus`` is given.
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
    """Write the points of a finished hand."""
    state.last_longest = bonus_seat(state, BONUS_LONGEST)
    state.last_most = bonus_seat(state, BONUS_MOST)
    for player in range(state.num_players):
        points = cards_points(state, player)
        points += BONUS * (player == state.last_longest) + BONUS * (player == state.last_most)
        state.last_scores[player] = points
        state.hand_points[player, state.hands_done] = points
        state.totals[player] += points
