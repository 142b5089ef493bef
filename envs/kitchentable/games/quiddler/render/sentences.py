"""Sentences shared by the text and the pictures of Quiddler: decisions, notes, bonuses, seats.

Only viewers who know a seat's hand are told what it can still lay.
"""

from __future__ import annotations

from kitchentable.core.state import NOBODY, just_scored
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, NO_CARD
from kitchentable.games.quiddler.melding import is_spelling, may_go_out
from kitchentable.games.quiddler.render.view import (
    ALPHABETICAL,
    View,
    given_bonuses,
    knows,
    last_words,
    top_discard,
    words,
)
from kitchentable.games.quiddler.scoring import (
    BONUS,
    bonus_seat,
    laid_points,
    longest_word,
    standing_words,
)
from kitchentable.games.quiddler.state import State
from kitchentable.render.phrases import count, holding, scored

VERDICTS = {s.UPHELD: "upheld", s.REJECTED: "rejected"}
BONUS_NAMES = {s.BONUS_LONGEST: "longest word", s.BONUS_MOST: "most words"}


def about(view: View) -> str:
    """Name the hand being played, or the last hand of a finished game."""
    sizes = view.params.hand_sizes
    number = int(view.state.hands_done) + (not view.is_over)
    return f"hand {number} of {len(sizes)} ({sizes[number - 1]} cards)"


# --- The decision -------------------------------------------------------------------------------


def decision(view: View) -> str:
    """Describe who decides what, or who has won."""
    if view.is_over:
        return view.outcome
    state, who = view.state, view.mover
    if state.phase == s.SOURCE:
        top = top_discard(state)
        can_draw = state.deck_size > 0 or state.pile_size > 1
        return f"{who} may draw or take the {top}" if can_draw else f"{who} can only take the {top}"
    if state.phase == s.JUDGE:
        return f"{who} may challenge {view.who(state.accused).inside.whose} words"
    if is_spelling(state):
        return f'{who:spells} "{words(state, int(state.current_player))[-1]}"'
    return _meld(view)


def _meld(view: View) -> str:
    """Describe what a seat may do with its cards after drawing."""
    state, who, player = view.state, view.mover, int(view.state.current_player)
    if state.hands[player].sum() == 1:
        return f"{who:discards} {who.their} last card"
    if state.going_out:
        return f"{who:is} going out and {who.does('spells')} another word"
    if state.last_turns > 0:
        return f"{who} may lay words, and {who.does('discards')}"
    if knows(view, player):
        return f"{who} may go out or discard" if may_lay(view) else f"{who:discards}"
    return f"{who:discards}, or {who.does('goes')} out" if may_go_out(state) else f"{who:discards}"


def may_lay(view: View) -> bool:
    """Whether the seat to act can lay something now instead of only discarding a card."""
    return not all(name.startswith("discard:") for name in view.legal)


def note(view: View) -> str:
    """Describe what else matters now; empty if nothing does."""
    if view.is_over:
        return "Game over."
    state, notes = view.state, []
    if state.hand_over:
        notes.append(scored("Hand", int(state.hands_done)))
    if state.out != NOBODY or state.called:
        out = "Nobody went out in time" if state.called else f"{view.who(state.out):has} gone out"
        notes.append(f"{out}; {count(int(state.last_turns), 'last turn')} to go.")
    if state.phase == s.MELD and state.taken != NO_CARD:
        notes.append(f"{view.mover:has} taken the {CARD_NAMES[state.taken]}.")
    if knows(view, int(state.current_player)):
        notes.append(_prospect(view))
    return " ".join(filter(None, notes))


def _prospect(view: View) -> str:
    """Describe what only the holder of the cards knows."""
    state = view.state
    if state.phase == s.MELD and state.may_end:
        return "The word may end here."
    if state.phase == s.SOURCE and state.meld == s.BY_ITSELF:
        goes_out = state.out_by_taking and may_go_out(state)
        consequence = f" and lets {view.mover.inside} go out" if goes_out else ""
        return f"Taking is worth {state.worth_of_taking}{consequence}."
    return ""


# --- The table ----------------------------------------------------------------------------------


def reshuffled(state: State) -> str:
    """List the cards in the last reshuffle of this hand; empty if there was none.

    Counts come before the letters, because numbers after the letters are points.
    """
    if not state.reshuffled:
        return ""
    counts = [f"{state.recycled[k]}{CARD_NAMES[k]}" for k in ALPHABETICAL if state.recycled[k]]
    return f"Reshuffled into the draw pile: {' '.join(counts)}"


def bonuses(view: View) -> str:
    """Describe who has which bonus, or would have it now; empty until somebody lays a word."""
    state = view.state
    scored = just_scored(state)
    if not scored and not state.num_words[: state.num_players].any():
        return ""
    sentences = []
    for bonus in given_bonuses(view.params):
        name, seat = BONUS_NAMES[bonus].capitalize(), leader(state, bonus)
        holder = "nobody alone" if seat == NOBODY else str(view.who(seat).inside)
        if seat != NOBODY and not scored:
            most = longest_word(state, seat) if bonus == s.BONUS_LONGEST else 0
            holder += f" ({most} letters)" if most else f" ({standing_words(state, seat)})"
        when = f" in hand {state.hands_done}" if scored or view.is_over else " so far"
        sentences.append(f"{name}{when}: {holder}.")
    return " ".join(sentences)


def leader(state: State, bonus: int) -> int:
    """Return the seat that has a bonus, or would have it if the hand ended now; or `NOBODY`."""
    if just_scored(state):
        return int(state.last_longest if bonus == s.BONUS_LONGEST else state.last_most)
    return int(bonus_seat(state, bonus))


# --- A seat -------------------------------------------------------------------------------------


def tags(view: View, player: int) -> list[str]:
    """Return one-word tags for what sets a seat apart."""
    state = view.state
    now = [] if just_scored(state) else given_bonuses(view.params)
    claims = {
        "dealer": player == state.dealer and not view.is_over,
        "out": player == state.out,
        "accused": player == state.accused,
        "longest": s.BONUS_LONGEST in now and player == leader(state, s.BONUS_LONGEST),
        "most": s.BONUS_MOST in now and player == leader(state, s.BONUS_MOST),
        "winner": view.is_over and player in view.winners,
    }
    return holding(claims)


def progress(state: State, player: int) -> str:
    """Describe a seat's progress in this hand: turns, words laid, points lost."""
    parts = [f"turn {state.turns[player]}"] if state.turns[player] else []
    if state.num_words[player]:
        laid = count(int(state.num_words[player]), "word")
        parts.append(f"{laid} for {laid_points(state, player)}")
    if state.lost[player]:
        parts.append(f"{state.lost[player]} lost by challenges")
    return ", ".join(parts)


def last_hand(state: State, player: int) -> str:
    """Describe a seat's result in the last finished hand; empty before there is one."""
    if state.hands_done == 0:
        return ""
    parts = [
        " ".join(filter(None, (str(word), str(word.points), VERDICTS.get(word.verdict))))
        for word in last_words(state, player)
    ] or ["no words"]
    if player == state.last_longest:
        parts.append(f"{BONUS_NAMES[s.BONUS_LONGEST]} {BONUS}")
    if player == state.last_most:
        parts.append(f"{BONUS_NAMES[s.BONUS_MOST]} {BONUS}")
    return f"Last hand {state.last_scores[player]}: {', '.join(parts)}"
