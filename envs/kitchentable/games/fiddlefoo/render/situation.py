"""Explanations of the current state of a Fiddlefoo game, for people who are learning it."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.render.action_cards import (
    about_cards,
    in_full,
    in_words,
    works_in_pairs,
    works_when_drawn,
    works_when_thrown,
)
from kitchentable.games.fiddlefoo.render.sentences import (
    decision,
    interrupted,
    notes_words,
    range_words,
)
from kitchentable.games.fiddlefoo.render.view import View, cards_of, hand, pair, possible, prospects
from kitchentable.games.fiddlefoo.state import State
from kitchentable.render.phrases import count, number_word


def situation(view: View) -> str:
    """Explain the current decision and what led to it, or how the game has ended."""
    state = view.state
    if view.is_over:
        return _ending(view)
    told = [
        _last_game(view),
        _DECISIONS[int(state.phase)](view),
        *interrupted(view),
        _to_come(view),
        about_cards(_action_cards(view)),
    ]
    return " ".join(text for text in told if text)


def _action_cards(view: View) -> Iterable[int]:
    """Return the cards whose effects matter for the decision, as far as the viewer knows them."""
    state = view.state
    seen = [held for held in hand(view, int(state.current_player)) if held.is_open]
    if state.phase in (s.CARD, s.AGAIN):
        return (held.card for held in seen if not works_when_drawn(held.card))
    if state.phase == s.CELL:
        partners = {found.cards[1] for found in prospects(state).values()}
        return filter(works_in_pairs, {int(state.chosen), *partners})
    if state.phase == s.THROW:
        may, made = possible(view), pair(state)
        thrown = {held.card for held in seen if f"throw:{c.CARD_NAMES[held.card]}" in may}
        return {
            *filter(works_when_thrown, thrown),
            *filter(works_in_pairs, made.cards if made else ()),
        }
    return ()


def _to_come(view: View) -> str:
    """Return what else will follow in this play, besides throws."""
    state = view.state
    asked = [
        card for card in state.effects if card in (c.DISCARD_CARD, c.MOVE_CARD, c.REMOVE_CARDS)
    ]
    told = [f"Then follows the effect of {in_words(card)}." for card in asked]
    if state.draws:
        told.append(f"{view.who(state.drawer):is} still to draw {state.draws}.")
    if state.again and state.phase != s.AGAIN:
        told.append(f"After the throws {view.who(state.player).inside} may play again.")
    return " ".join(told)


# --- Turns ----------------------------------------------------------------------------------------


def _play(view: View) -> str:
    state, who = view.state, view.mover
    wild = " (purple counts as any color)" if state.wildcard else ""
    told = (
        f"{who.whose} turn: {who.they} choose a hand card to add to the map, and then its cell. "
        "The card must touch the map, and lie in a row or column with a card of its color but not "
        f"beside one{wild}: the two make a pair, at which the other seats may throw cards."
    )
    last = int(state.last_added)
    if c.count(state.on_map) > len(c.COLORS) and state.places[last] >= 0:
        told += f" {in_full(last)} was added last."
    if state.blocked:
        told += f" The draw pile is empty; seats in a row that could not play: {state.blocked}."
    return told


def _cell(view: View) -> str:
    state, who = view.state, view.mover
    card = in_words(int(state.chosen))
    first = f"{who:chooses} the cell where {card} is added to the map; the card lies open already."
    if state.chosen == c.INSTAPLAY and state.nested:
        first = (
            f"{who:has} drawn {card}, which must be played at once, and {who.does('chooses')} its "
            "cell."
        )
    return (
        f"{first} Each cell tells the pair that arises there: its range, the numbers between those "
        "of the two cards, and its distance, the cells between them. Cards in the range can be "
        "thrown, or one with as many notes as the distance; a distance above "
        f"{s.LONGEST} is a Safe Song: nobody throws, but {who.inside:draws} a card."
    )


def _throw(view: View) -> str:
    state, who, target = view.state, view.mover, view.who(view.state.player)
    pair_made = f"{in_words(int(state.card))} and {in_words(int(state.partner))}"
    more = "" if state.thrown == s.NOTHING else "more: "
    told = [
        f"{who} may throw {more}{_fitting(state)}, open into {target.inside.whose} hand, for "
        f"making the pair {pair_made}."
    ]
    if state.cooperative:
        told.append(
            "A card higher than the top of its color's pile may go there instead: the team wins "
            f"if each pile ends with exactly {s.FULL_PILE} notes."
        )
    received = [in_words(card) for card in cards_of(state.received & state.hands[state.player])]
    if received:
        told.append(f"In this turn {target.inside:has} received {', '.join(received)}.")
    return " ".join([*told, _rule_of_throws(state)])


def _fitting(state: State) -> str:
    """Return which cards may still be thrown at the pair, and why."""
    fits = []
    if not state.safe:
        between = f"between {state.low} and {state.high}"
        fits += [f"{cards} ({between})" for cards in range_words(state)]
    if not state.safe and state.thrown == s.NOTHING:
        fits += [f"{card} (the distance is {state.distance})" for card in notes_words(state)]
    if c.has(state.in_play, c.WILDCARD_THROW):
        song = "even at this Safe Song" if state.safe else "at any pair"
        fits.append(f"{in_words(c.WILDCARD_THROW)} ({song})")
    return ", or ".join(fits)


def _rule_of_throws(state: State) -> str:
    """Return which throws can be combined, and what passing means."""
    if state.thrown != s.NOTHING:
        return "After a card in the range only such may follow; to pass throws no more."
    if state.safe or not range_words(state):
        return "To pass throws nothing."
    single = ", or a single one for its notes" if notes_words(state) else ""
    return f"Several cards in the range may be thrown{single}; to pass throws nothing."


def _again(view: View) -> str:
    color = c.COLORS[view.state.turn_color]
    return (
        f"{_by_pair(view, 'play again')}, and the throws at it are over. {view.mover} may play one "
        f"more hand card, of another color than {color}, with all that follows from a pair. To "
        "pass ends the play."
    )


# --- Effects of a pair ----------------------------------------------------------------------------


def _by_pair(view: View, card: str) -> str:
    return f"The card {card} is in the pair that {view.mover.inside:has} made"


def _discard(view: View) -> str:
    return (
        f"{_by_pair(view, 'discard')}. {view.mover} may take one hand card out of the game, for "
        "all to see; nobody gets it and it costs nothing. To pass keeps the hand as it is. Then "
        "the others may throw."
    )


def _move(view: View) -> str:
    return (
        f"{_by_pair(view, 'move')}. {view.mover} may choose a card on the map, not of the pair, "
        "and then move it to another empty cell beside a card. Colors do not matter there and no "
        "pair arises; to pass leaves the map as it is."
    )


def _move_cell(view: View) -> str:
    who, card = view.mover, in_full(int(view.state.chosen))
    return (
        f"{who:moves} {card}, by the effect of move, and {who.does('chooses')} its new cell: any "
        "empty one beside a card. Colors do not matter and no pair arises, so nobody throws at it."
    )


def _remove(view: View) -> str:
    left = int(view.state.removals)
    cards = "one more card" if left == 1 else f"up to {left} cards"
    return (
        f"{_by_pair(view, 'remove cards')}. {view.mover} may take {cards} on the map, one after "
        "another, out of the game, but not those of the pair. To pass leaves the rest where it is."
    )


# --- Effects of a draw ----------------------------------------------------------------------------


def _swap_card(view: View) -> str:
    who, left = view.mover, int(view.state.swaps)
    return (
        f"{who:has} drawn swap map, which is shown to all and must be obeyed: up to "
        f"{number_word(s.MOST_SWAPS)} hand cards are swapped with cards on the map, {left} still "
        f"to go. {who:chooses} a hand card; it goes to the map, open, and then a map card comes to "
        "the hand in its place. No rules of the map hold for that and no pair arises."
    )


def _swap_map(view: View) -> str:
    who, card = view.mover, in_full(int(view.state.chosen))
    return (
        f"{who:gives} {card} to the map, by the effect of swap map, and {who.does('chooses')} the "
        f"map card to take for it: that comes to the hand, known to all, and {card} lies in its "
        "cell. No pair arises."
    )


_DECISIONS = {
    s.CARD: _play,
    s.CELL: _cell,
    s.THROW: _throw,
    s.DISCARD: _discard,
    s.MOVE: _move,
    s.MOVE_CELL: _move_cell,
    s.REMOVE: _remove,
    s.AGAIN: _again,
    s.SWAP_CARD: _swap_card,
    s.SWAP_MAP: _swap_map,
}


# --- Scores ---------------------------------------------------------------------------------------


def _last_game(view: View) -> str:
    """Return how a game has just ended; empty if none has."""
    state = view.state
    if not state.hand_over:
        return ""
    return f"Game {state.games_done} is over. {_result(view)} The next one is dealt."


def _ending(view: View) -> str:
    """Return how the whole game has ended."""
    state = view.state
    told = [f"The game is over: {_why(view)}.", _result(view)]
    if state.games > 1:
        totals = view.by_seat(state.totals)
        if state.cooperative:
            totals = count(int(state.totals[0]), "full pile")
        told.append(f"Totals after {state.games} games: {totals}.")
    won = "" if state.cooperative else ", for the fewest points win"
    return " ".join([*told, f"{decision(view)}{won}."])


def _why(view: View) -> str:
    """Return why the last game ended."""
    state, num_players = view.state, int(view.state.num_players)
    out = [player for player in range(num_players) if not c.count(state.last_hands[player])]
    if state.cooperative and num_players - len(out) <= 1:
        return "at most one seat has cards left"
    if out and not state.cooperative:
        return f"{view.who(*out).inside:has} no cards left"
    return "the draw pile is empty and no seat can play"


def _result(view: View) -> str:
    """Return how the last game was scored."""
    state = view.state
    if state.cooperative:
        piles = zip(c.COLORS, state.last_pile_notes, strict=True)
        told = ", ".join(f"{color} {notes}" for color, notes in piles)
        return f"Notes on the piles: {told}; each had to have exactly {s.FULL_PILE}."
    return f"The notes left in the hands count {view.by_seat(state.last_scores)}."
