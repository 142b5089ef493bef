"""Sentences about a table of Fiddlefoo that text and pictures share."""

from __future__ import annotations

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.hands import full_piles
from kitchentable.games.fiddlefoo.render.action_cards import in_words
from kitchentable.games.fiddlefoo.render.view import View, cards_of, cost, named, pair
from kitchentable.games.fiddlefoo.rules import has_won
from kitchentable.games.fiddlefoo.state import State
from kitchentable.render.phrases import count, holding, scored, units

# --- The decision -------------------------------------------------------------------------------


def decision(view: View) -> str:
    """Return a sentence on the current decision, or on how the game has ended."""
    state = view.state
    if not view.is_over:
        return _choice(view)
    if state.cooperative:
        return "The team has won" if has_won(state) else "The team has lost"
    return view.outcome


def _choice(view: View) -> str:
    """Return what the seat to act decides."""
    state, who = view.state, view.mover
    chosen = in_words(int(state.chosen)) if state.chosen != c.NO_CARD else ""
    if state.phase == s.THROW:
        more = "" if state.thrown == s.NOTHING else "more "
        piles = ", or on piles" * bool(state.cooperative)
        return f"{who} may throw {more}cards at {view.who(state.player).inside}{piles}"
    if state.phase == s.AGAIN:
        return f"{who} may play another card, but not a {c.COLORS[state.turn_color]} one"
    return {
        s.CARD: f"{who:chooses} a card to play",
        s.CELL: f"{who:chooses} a cell for {chosen}",
        s.DISCARD: f"{who} may take a hand card out of the game",
        s.MOVE: f"{who} may move a map card",
        s.MOVE_CELL: f"{who:chooses} where to move {chosen}",
        s.REMOVE: f"{who} may remove map cards (up to {state.removals})",
        s.SWAP_CARD: f"{who:chooses} a hand card to swap with the map ({state.swaps} to go)",
    }.get(int(state.phase), f"{who:chooses} a map card to swap with {chosen}")


# --- The pair -----------------------------------------------------------------------------------


def about_pair(state: State) -> str:
    """Return a description of the counted pair and what may be thrown at it; empty without one."""
    pair_made = pair(state)
    if pair_made is None:
        return ""
    names = " and ".join(in_words(card) for card in pair_made.cards)
    size = f"{count(pair_made.span, 'number')} in range, distance {pair_made.distance}"
    song = " Safe Song." if pair_made.safe else ""
    throws_are_over = state.phase == s.AGAIN
    thrown = "" if throws_are_over else f" {_may_be_thrown(state)}"
    return f"{names}: {size}.{song}{thrown}"


def _may_be_thrown(state: State) -> str:
    """Return which cards may be thrown at the counted pair."""
    fits = [] if state.safe else [*range_words(state), *notes_words(state)]
    if wildcard_throw_may_come(state):
        fits.append(in_words(c.WILDCARD_THROW))
    return f"May be thrown: {', or '.join(fits)}." if fits else "Nothing may be thrown."


def wildcard_throw_may_come(state: State) -> bool:
    """Return whether the card that may be thrown at any pair may be in a hand or the draw pile."""
    card, gone = c.WILDCARD_THROW, (state.on_map, state.removed, state.on_piles)
    return bool(c.has(state.in_play, card)) and not any(c.has(cards, card) for cards in gone)


def effects_to_come(state: State) -> list[int]:
    """Return the cards of the pair whose effects are still to come."""
    chosen = (c.DISCARD_CARD, c.MOVE_CARD, c.REMOVE_CARDS)
    return [int(card) for card in state.effects if card in chosen]


def range_words(state: State) -> list[str]:
    """Return a phrase for the cards in range of the counted pair, as a list of one or none."""
    low, high = int(state.low) + 1, int(state.high) - 1
    if high < low:
        return []
    numbers = str(low) if low == high else f"{low} to {high}"
    if state.color == s.ANY_COLOR:
        return [f"any color {numbers}"]
    wild = f" or {c.COLORS[c.PURPLE]}" if state.wildcard and state.color != c.PURPLE else ""
    return [f"{c.COLORS[state.color]}{wild} {numbers}"]


def notes_words(state: State) -> list[str]:
    """Return a phrase for the cards whose notes fit its distance, as a list of one or none."""
    notes = int(state.distance)
    return [f"one card with {count(notes, 'note')}"] if notes <= c.MOST_NOTES else []


# --- Other information --------------------------------------------------------------------------


def note(view: View) -> str:
    """Return sentences on the turn, the last game, and what is still to come."""
    state = view.state
    if state.phase == s.OVER:
        return "Game over."
    sentences = []
    if state.hand_over:
        sentences.append(scored("Game", int(state.games_done)))
    sentences.append(f"{view.who(state.turn).whose} turn.")
    sentences += [*interrupted(view), *_to_come(view)]
    if state.blocked:
        sentences.append(f"The pile is empty; {unable(state)}.")
    return " ".join(sentences)


def unable(state: State) -> str:
    """Return how many players in a row could not play."""
    blocked = int(state.blocked)
    return f"{count(blocked, 'player')}{' in a row' * (blocked > 1)} could not play"


def _to_come(view: View) -> list[str]:
    """Return sentences on what is still to come in this play."""
    state = view.state
    cards = effects_to_come(state)
    sentences = (
        [f"Effects to come: {', '.join(in_words(card) for card in cards)}."] if cards else []
    )
    if state.draws:
        sentences.append(f"{view.who(state.drawer):is} still to draw {state.draws}.")
    if state.again:
        sentences.append(f"Then {view.who(state.player).inside} may play again.")
    if (
        c.has(state.in_play, c.PLAY_AGAIN)
        and state.turn_color != s.NOWHERE
        and state.phase != s.AGAIN
    ):
        sentences.append(f"First color of the turn: {c.COLORS[state.turn_color]}.")
    return sentences


def interrupted(view: View) -> list[str]:
    """Return a sentence on the interrupted turn or play, as a list of one or none."""
    state = view.state
    if not state.nested:
        return []
    outer = [int(number) for number in state.outer]
    card, partner = outer[s.OUTER_CARD], outer[s.OUTER_PARTNER]
    owner = view.who(outer[s.OUTER_PLAYER]).inside.whose
    subject = f"{owner} turn"
    if card != c.NO_CARD:
        numbers = f"numbers {outer[s.OUTER_LOW]} and {outer[s.OUTER_HIGH]}"
        size = f"{numbers}, distance {outer[s.OUTER_DISTANCE]}"
        subject = f"{owner} pair of {in_words(card)} and {in_words(partner)} ({size})"
    if outer[s.OUTER_STAGE] == s.THROWS and outer[s.OUTER_THROWER] != outer[s.OUTER_PLAYER]:
        subject += f", at which {view.who(outer[s.OUTER_THROWER]).inside:is} asked"
    draws = outer[s.OUTER_DRAWS]
    continuation = f" {view.who(outer[s.OUTER_DRAWER]):is} then to draw {draws}." * bool(draws)
    return [f"Interrupted: {subject}.{continuation}"]


def out_of_game(state: State) -> str:
    """Return a sentence that names the cards removed from the game; empty without any."""
    cards = ", ".join(named(card) for card in cards_of(state.removed))
    return f"Out of the game: {cards}." if cards else ""


def last_piles(state: State) -> str:
    """Return a sentence on the piles at the end of the last game; empty before there is one."""
    if not state.cooperative or state.games_done == 0 or state.phase == s.OVER:
        return ""
    piles = ", ".join(
        f"{name} {notes}" for name, notes in zip(c.COLORS, state.last_pile_notes, strict=True)
    )
    return f"Last game's piles: {piles}. Games won: {state.games_won}."


def about(view: View) -> str:
    """Return the number of the current (or last) game, the number of games, and the variants."""
    state, params = view.state, view.params
    parts = [f"game {int(state.games_done) + (not view.is_over)} of {params.games}"]
    parts += [name for name in ("wildcard", "cooperative") if getattr(params, name)]
    if params.talkytoot:
        parts.append(f"{len(params.talkytoot)} of Talkytoot")
    return ", ".join(parts)


# --- A seat -------------------------------------------------------------------------------------


def tags(view: View, player: int) -> list[str]:
    """Return the tags of a seat, such as ``turn`` or ``winner``."""
    state, over = view.state, view.is_over
    claims = {
        "began": player == state.starter,
        "turn": player == state.turn and not over,
        "active": player == state.player and pair(state) is not None,
        "winner": over and not state.cooperative and player in view.winners,
    }
    return holding(claims)


def progress(view: View, player: int) -> str:
    """Return how many cards a seat holds, and their cost if the viewer sees them."""
    hands = view.state.last_hands if view.is_over else view.state.hands
    text = count(c.count(hands[player]), "card")
    notes = cost(view, player)
    return text if notes is None else f"{text}, cost {notes}"


def total(state: State, player: int) -> tuple[str, str]:
    """Return a seat's total and its unit; of a team: the full piles, now and in ended games."""
    won = int(state.totals[player])
    if state.cooperative and state.phase != s.OVER:
        won += full_piles(state)
    return str(won), units(won, "full pile" if state.cooperative else "point")


def last_hand(state: State, player: int) -> str:
    """Return a seat's points and hand at the end of the game that has just finished, if any."""
    if not state.hand_over or state.phase == s.OVER:
        return ""
    cards = ", ".join(named(card) for card in cards_of(state.last_hands[player])) or "no cards"
    return f"Last game {state.last_scores[player]}: {cards}"
