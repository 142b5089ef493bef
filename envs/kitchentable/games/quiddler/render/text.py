"""A table of Quiddler in words: the sentences that text and picture share, and the text itself.

What a seat could still lay is told only to who knows its hand.
"""

from __future__ import annotations

import textwrap

import numpy as np

from kitchentable.core.state import NOBODY
from kitchentable.games.quiddler.cards import CARD_NAMES, NO_CARD, NUM_KINDS, VALUES
from kitchentable.games.quiddler.melding import is_spelling, may_go_out
from kitchentable.games.quiddler.render.view import (
    ALPHABETICAL,
    Card,
    View,
    Word,
    choices,
    hand,
    knows,
    last_words,
    words,
    worths,
)
from kitchentable.games.quiddler.rules import hand_scores, ranks
from kitchentable.games.quiddler.scoring import (
    BONUS,
    bonus_seat,
    laid_points,
    longest_word,
    standing_words,
)
from kitchentable.games.quiddler.state import (
    BONUS_LONGEST,
    BONUS_MOST,
    BY_ITSELF,
    JUDGE,
    MELD,
    OVER,
    REJECTED,
    SOURCE,
    SPELL,
    STAY,
    UPHELD,
    WORD,
    Params,
    State,
)

ACTION_HELP = {
    "draw": "take the top card of the draw pile; only you see it",
    "take": "take the top card of the discard pile; everybody sees it",
    "spell": "add your {} to the word",
    "word": "end the word here and lay it",
    "discard": "lay your {} on the discard pile: your turn is over",
    "challenge": "say that word {} is not a word: if it is one, you lose its points",
    "pass": "challenge no word",
    "longest": "discard your {} and lay what scores most; if equal, the longest word",
    "most": "discard your {} and lay what scores most; if equal, the most words",
}

VERDICTS = {UPHELD: "upheld", REJECTED: "rejected"}
BONUS_NAMES = {BONUS_LONGEST: "longest word", BONUS_MOST: "most words"}

# --- Sentences ----------------------------------------------------------------------------------


def decision(state: State, params: Params, viewer: int) -> str:
    """Say who decides what."""
    if state.phase == OVER:
        return _outcome(state)
    player = int(state.current_player)
    if state.phase == SOURCE:
        top = CARD_NAMES[state.pile[state.pile_size - 1]]
        can_draw = state.deck_size > 0 or state.pile_size > 1
        what = f"may draw or take the {top}" if can_draw else f"can only take the {top}"
    elif state.phase == JUDGE:
        what = f"may challenge a word of player_{state.accused}"
    elif is_spelling(state):
        what = f'spells "{words(state, player)[-1]}"'
    else:
        what = _meld(state, params, viewer)
    return f"player_{player} {what}"


def _meld(state: State, params: Params, viewer: int) -> str:
    """Say what a seat may do with the cards that it holds after drawing."""
    player = int(state.current_player)
    if state.hands[player].sum() == 1:
        return "discards its last card"
    if state.going_out:
        return "is going out and spells another word"
    if state.last_turns > 0:
        return "may lay words, and discards"
    may = bool(may_go_out(state))
    if knows(viewer, player):
        mask = choices(state, params, viewer)
        laying = mask[STAY + NUM_KINDS :] if state.meld == BY_ITSELF else mask[SPELL:WORD]
        may = bool(laying.any())
        return "may go out, or discards" if may else "discards"
    return "discards, or goes out" if may else "discards"


def _outcome(state: State) -> str:
    winners = _winners(state)
    many = len(winners) > 3
    names = f"{len(winners)} seats" if many else " and ".join(f"player_{i}" for i in winners)
    return f"{names} wins" if len(winners) == 1 else f"{names} share the win"


def _winners(state: State) -> list[int]:
    rank = np.zeros(int(state.num_players), np.int32)
    ranks(state, rank)
    return [int(player) for player in np.flatnonzero(rank == 1)]


def listed(things: list[str]) -> str:
    """Write things one after another, with ``and`` before the last one."""
    return " and ".join(filter(None, (", ".join(things[:-1]), things[-1])))


def note(state: State, viewer: int) -> str:
    """Say what else matters now; empty if nothing does."""
    if state.phase == OVER:
        return "Game over."
    notes = []
    if state.hand_over:
        notes.append(f"Hand {state.hands_done} is over and scored; the next one is dealt.")
    if state.out != NOBODY or state.called:
        who = "Nobody went out in time" if state.called else f"player_{state.out} has gone out"
        notes.append(f"{who}; last turns still to be finished: {state.last_turns}.")
    if state.phase == MELD and state.taken != NO_CARD:
        notes.append(f"It has taken the {CARD_NAMES[state.taken]}.")
    if knows(viewer, int(state.current_player)):
        notes.append(_prospect(state))
    return " ".join(filter(None, notes))


def _prospect(state: State) -> str:
    """Say what only who holds the cards can tell."""
    if state.phase == MELD and state.may_end:
        return "The word may end here."
    if state.phase == SOURCE and state.meld == BY_ITSELF:
        out = " and lets it go out" if state.out_by_taking and state.last_turns == 0 else ""
        return f"Taking is worth {state.worth_of_taking}{out}."
    return ""


def bonuses(state: State) -> str:
    """Say who has which bonus, or would have it now; empty as long as nobody has laid a word."""
    players = range(int(state.num_players))
    if not just_scored(state) and not any(state.num_words[player] for player in players):
        return ""
    told = []
    for bonus in _given(state):
        name, seat = BONUS_NAMES[bonus].capitalize(), leader(state, bonus)
        who = "nobody alone" if seat == NOBODY else f"player_{seat}"
        if seat != NOBODY and not just_scored(state):
            most = longest_word(state, seat) if bonus == BONUS_LONGEST else 0
            who += f" ({most} letters)" if most else f" ({standing_words(state, seat)})"
        when = f" in hand {state.hands_done}" if has_scored(state) else " so far"
        told.append(f"{name}{when}: {who}.")
    return " ".join(told)


def has_scored(state: State) -> bool:
    """Whether the words to look at are those of a finished hand."""
    return bool(state.hand_over) or state.phase == OVER


def just_scored(state: State) -> bool:
    """Whether a hand is over and new cards are dealt."""
    return bool(state.hand_over) and state.phase != OVER


def leader(state: State, bonus: int) -> int:
    """Return who has a bonus, or would have it if the hand ended now; or `NOBODY`."""
    if just_scored(state):
        return int(state.last_longest if bonus == BONUS_LONGEST else state.last_most)
    return int(bonus_seat(state, bonus))


def _given(state: State) -> list[int]:
    """Return the bonuses that there are."""
    if state.num_players > 2:
        return [BONUS_LONGEST, BONUS_MOST]
    return [bonus for bonus in BONUS_NAMES if bonus == state.two_player_bonus]


def hand_of_hands(state: State, params: Params) -> str:
    """Say which hand is being played; of a finished game, which was the last."""
    number = int(state.hands_done) + (state.phase != OVER)
    size = params.hand_sizes[number - 1]
    return f"hand {number} of {len(params.hand_sizes)} ({size} cards)"


def seen_by(viewer: int) -> str:
    """Say whose knowledge is shown."""
    return "all cards shown" if viewer == NOBODY else f"as player_{viewer} sees it"


def tags(state: State, viewer: int, player: int) -> list[str]:
    """Say in one word each what sets a seat apart."""
    over = state.phase == OVER
    bonuses_now = [] if just_scored(state) else _given(state)
    tags = {
        "you": player == viewer,
        "dealer": player == state.dealer and not over,
        "out": player == state.out,
        "accused": player == state.accused,
        "longest": BONUS_LONGEST in bonuses_now and player == leader(state, BONUS_LONGEST),
        "most": BONUS_MOST in bonuses_now and player == leader(state, BONUS_MOST),
        "winner": over and player in _winners(state),
    }
    return [tag for tag, holds in tags.items() if holds]


def progress(state: State, player: int) -> str:
    """Say how far a seat is in this hand: turns, words laid, points lost."""
    told = [f"turn {state.turns[player]}"] if state.turns[player] else []
    count = int(state.num_words[player])
    if count:
        told.append(f"{count} word{'s' * (count > 1)} for {laid_points(state, player)}")
    if state.lost[player]:
        told.append(f"{state.lost[player]} lost by challenges")
    return ", ".join(told)


def hands_sum(state: State, player: int, length: int) -> str:
    """Write how finished hands add up, the last ones in at most ``length`` characters.

    Empty for a single hand, which is the total.
    """
    scores = [str(score) for score in hand_scores(state, player)]
    if len(scores) < 2:
        return ""
    while len(text := "+".join(scores)) > length:
        scores = ["..", *scores[2 if scores[0] == ".." else 1 :]]
    return text


def last_hand(state: State, player: int) -> str:
    """Say what a seat had in the hand that finished last; empty before there is one."""
    if state.hands_done == 0:
        return ""
    told = [
        " ".join(filter(None, (str(word), str(word.points), VERDICTS.get(word.verdict))))
        for word in last_words(state, player)
    ] or ["no words"]
    if player == state.last_longest:
        told.append(f"longest word {BONUS}")
    if player == state.last_most:
        told.append(f"most words {BONUS}")
    return f"Last hand {state.last_scores[player]}: {', '.join(told)}"


def reshuffled(state: State) -> str:
    """Say what the draw pile was made anew of in this hand; empty if it was not."""
    if not state.reshuffled:
        return ""
    counts = [f"{CARD_NAMES[k]}{state.recycled[k]}" for k in ALPHABETICAL if state.recycled[k]]
    return f"Reshuffled into the draw pile: {' '.join(counts)}"


# --- Text ---------------------------------------------------------------------------------------

_LINE = 80
_GLUE = "\N{NO-BREAK SPACE}"
"""Holds a card and its number together while lines are broken; written as a plain space."""
_LEGEND = "a2 card and points   [ ] hidden   [a2] seen to be picked up   a2* likewise, open"


def text(view: View) -> str:
    """Write the table in at most 80 columns; brackets are cards that the viewer does not see."""
    state, params, viewer = view.state, view.params, view.viewer
    dealer = "" if state.phase == OVER else f", dealer player_{state.dealer}"
    sentences = [
        f"Quiddler, {hand_of_hands(state, params)}{dealer}, {seen_by(viewer)}",
        decision(state, params, viewer),
        note(state, viewer),
        bonuses(state),
        _piles(state),
        reshuffled(state),
    ]
    blocks = [_block(state, viewer, player) for player in range(int(state.num_players))]
    lines = [*_wrapped(sentences, ""), "", *(line for block in blocks for line in block)]
    return "\n".join([*lines, "", _LEGEND])


def _wrapped(sentences: list[str], indent: str) -> list[str]:
    lines: list[str] = []
    for sentence in sentences:
        lines += textwrap.wrap(
            sentence, _LINE, initial_indent=indent, subsequent_indent=indent + "  "
        )
    return [line.replace(_GLUE, " ") for line in lines]


def _piles(state: State) -> str:
    piles = f"Draw pile {state.deck_size}."
    if state.pile_size == 0:
        return f"{piles} No discard pile."
    kinds = [kind for kind in ALPHABETICAL if state.pile_counts[kind]]
    counts = ", ".join(f"{CARD_NAMES[kind]}{_GLUE}x{state.pile_counts[kind]}" for kind in kinds)
    top = CARD_NAMES[state.pile[state.pile_size - 1]]
    return f"{piles} Discard pile {state.pile_size}, {top} on top: {counts}."


def _block(state: State, viewer: int, player: int) -> list[str]:
    """Return the lines of one seat: name and total, hand, words, the last hand."""
    acts = state.phase != OVER and player == state.current_player
    total = f"player_{player} {state.totals[player]} pts"
    added = hands_sum(state, player, 24)
    about = [total, f"({added})" if added else "", progress(state, player)]
    first = " ".join([*filter(None, about), *(f"[{tag}]" for tag in tags(state, viewer, player))])
    cards = "  ".join(_card(card) for card in hand(state, viewer, player))
    told = [_describe(word) for word in words(state, player)]
    if state.challenges:  # which are named by their number
        told = [f"{i}:{_GLUE}{text}" for i, text in enumerate(told)]
    worth = ", ".join(f"{CARD_NAMES[k]}:{n}" for k, n in worths(state, viewer, player).items())
    lines = [
        f"hand   {cards or 'none'}",
        f"words  {'; '.join(told)}" if told else "",
        f"worth if discarded  {worth}" if worth else "",
    ]
    return [
        *_wrapped([first], "> " if acts else "  "),
        *_wrapped([*filter(None, lines), last_hand(state, player)], "    "),
    ]


def _card(card: Card) -> str:
    if card.kind == NO_CARD:
        return "[ ]"
    name = f"{CARD_NAMES[card.kind]}{VALUES[card.kind]}"
    if not card.is_open:
        return f"[{name}]"
    return f"{name}*" if card.picked_up else name


def _describe(word: Word) -> str:
    if not word.finished:
        return f"{word}.. {word.points}"
    verdict = f", {VERDICTS[word.verdict]}" if word.verdict in VERDICTS else ""
    return f"{word} {word.points} ({word.letters} letters{verdict})".replace(" ", _GLUE)
