"""Explanations of a Fiddlefoo table and its actions, for people who are learning the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from kitchentable.core.bits import count_bits
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.board import find_cells
from kitchentable.games.fiddlefoo.effects import PENALTY_DRAWS
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
    effects_to_come,
    interrupted,
    notes_words,
    range_words,
    unable,
    wildcard_throw_may_come,
)
from kitchentable.games.fiddlefoo.render.view import (
    View,
    cards_of,
    cell_at,
    hand,
    pair,
    possible,
    prospect,
    prospects,
)
from kitchentable.games.fiddlefoo.state import State
from kitchentable.render.phrases import count, number_word


def situation(view: View) -> str:
    """Explain the current decision and what led to it, or how the game has ended."""
    state = view.state
    if view.is_over:
        return _ending(view)
    texts = [
        _last_game(view),
        _DECISIONS[int(state.phase)](view),
        *interrupted(view),
        _to_come(view),
        about_cards(_action_cards(view)),
    ]
    return " ".join(text for text in texts if text)


def _action_cards(view: View) -> Iterable[int]:
    """Return the cards whose effects matter for the decision, as far as the viewer knows them."""
    state = view.state
    seen = [held for held in hand(view, int(state.current_player)) if held.is_open]
    if state.phase in (s.CARD, s.AGAIN):
        return (held.card for held in seen if not works_when_drawn(held.card))
    if state.phase == s.CELL:
        partners = {candidate.cards[1] for candidate in prospects(state).values()}
        return filter(works_in_pairs, {int(state.chosen), *partners})
    if state.phase == s.THROW:
        may, pair_made = possible(view), pair(state)
        thrown = {held.card for held in seen if f"throw:{c.CARD_NAMES[held.card]}" in may}
        return {
            *filter(works_when_thrown, thrown),
            *filter(works_in_pairs, pair_made.cards if pair_made else ()),
        }
    return ()


def _to_come(view: View) -> str:
    """Return what else will follow in this play, besides throws."""
    state = view.state
    sentences = [f"The effect of {in_words(card)} comes next." for card in effects_to_come(state)]
    if state.draws:
        sentences.append(f"{view.who(state.drawer):is} still to draw {state.draws}.")
    if state.again and state.phase != s.AGAIN:
        sentences.append(f"After the throws {view.who(state.player).inside} may play again.")
    return " ".join(sentences)


# --- Turns ----------------------------------------------------------------------------------------


def _play(view: View) -> str:
    state, who = view.state, view.mover
    wild = (
        " Purple pairs with every color, and may lie beside every color but purple."
        if state.wildcard
        else ""
    )
    text = (
        f"{who.whose} turn: {who.they} choose a hand card to add to the map, and then its cell. "
        "The card must touch a card on the map, and share a row or column with a card of its "
        f"color, but not lie beside one.{wild} The two make a pair, at which the other players may "
        "throw cards."
    )
    last = int(state.last_added)
    if c.count(state.on_map) > len(c.COLORS) and state.places[last] >= 0:
        text += f" {in_full(last)} was added last."
    if state.blocked:
        text += f" The draw pile is empty; {unable(state)}."
    return text


def _cell(view: View) -> str:
    state, who = view.state, view.mover
    card = in_words(int(state.chosen))
    first = f"{who:chooses} the cell for {card}, which lies face up already."
    if state.chosen == c.INSTAPLAY and state.nested:
        first = (
            f"{who:has} drawn {card}, which must be played at once, and {who.does('chooses')} its "
            "cell."
        )
    song = "nobody throws"
    if wildcard_throw_may_come(state):
        song += f" anything but {in_words(c.WILDCARD_THROW)}"
    if state.deck_size:
        song += f", and {who.inside:draws} a card"
    return (
        f"{first} Each cell shows the pair {who.they} would make there: the numbers in its range, "
        "between those of the two cards, and its distance, the cells between them. Others may "
        "throw cards of the pair's color in the range, or one card of any color with as many notes "
        f"as the distance. A distance above {s.LONGEST} is a Safe Song: {song}."
    )


def _throw(view: View) -> str:
    state, who, target = view.state, view.mover, view.who(view.state.player)
    pair_made = f"{in_words(int(state.card))} and {in_words(int(state.partner))}"
    more = "" if state.thrown == s.NOTHING else "more "
    sentences = [
        f"{target} made a pair with {pair_made}. {who} may throw {more}at {target.inside}: "
        f"{_fitting(state)}."
    ]
    if state.cooperative:
        won = "the team wins" if state.games == 1 else "this game is won"
        sentences.append(
            f"A card higher than the top of its color's pile may go there instead; {won} if each "
            f"pile ends with exactly {s.FULL_PILE} notes."
        )
    received = [in_words(card) for card in cards_of(state.received & state.hands[state.player])]
    if received:
        sentences.append(f"In this turn {target.inside:has} received {', '.join(received)}.")
    return " ".join([*sentences, _rule_of_throws(state)])


def _fitting(state: State) -> str:
    """Return which cards may still be thrown at the pair, and why."""
    fits = []
    if not state.safe:
        between = f"between {state.low} and {state.high}"
        fits += [f"{cards} ({between})" for cards in range_words(state)]
    if not state.safe and state.thrown == s.NOTHING:
        fits += [f"{card} (the distance is {state.distance})" for card in notes_words(state)]
    if wildcard_throw_may_come(state):
        song = "even at this Safe Song" if state.safe else "at any pair"
        fits.append(f"{in_words(c.WILDCARD_THROW)} ({song})")
    return ", or ".join(fits)


def _rule_of_throws(state: State) -> str:
    """Return which throws can be combined, and what passing means."""
    if state.thrown != s.NOTHING:
        return "Throw only more cards in the range, or pass."
    if state.safe or not range_words(state):
        return "Or pass."
    single = ", or one card for its notes" if notes_words(state) else ""
    return f"Throw any number of cards in the range{single}, or pass."


def _again(view: View) -> str:
    color = c.COLORS[view.state.turn_color]
    return (
        f"{_by_pair(view, 'play again')}, and the throws at it are over. {view.mover} may play one "
        f"more card, of any color but {color}, which makes another pair. Passing ends the turn."
    )


# --- Effects of a pair ----------------------------------------------------------------------------


def _by_pair(view: View, card: str) -> str:
    return f"The card {card} is in the pair that {view.mover.inside} made"


def _discard(view: View) -> str:
    return (
        f"{_by_pair(view, 'discard')}. {view.mover} may take one hand card out of the game, for "
        "all to see: nobody gets it, and it costs nothing. Or pass, and keep it."
        f"{'' if view.state.safe else ' Then the others may throw.'}"
    )


def _move(view: View) -> str:
    return (
        f"{_by_pair(view, 'move')}. {view.mover} may choose a card on the map, but not one of "
        "the pair, and then move it to an empty cell beside a card. Colors do not matter there, "
        "and no pair is made. Or pass, and leave the map as it is."
    )


def _move_cell(view: View) -> str:
    who, card = view.mover, in_full(int(view.state.chosen))
    return (
        f"{who:moves} {card}, by the effect of move, and {who.does('chooses')} its new cell: any "
        "empty one beside a card. Colors do not matter, and it makes no pair there."
    )


def _remove(view: View) -> str:
    left = int(view.state.removals)
    one_by_one = ", one at a time" if left > 1 else ""
    cards = "one more card" if left == 1 else f"up to {left} cards"
    return (
        f"{_by_pair(view, 'remove cards')}. {view.mover} may take {cards} on the map out of the "
        f"game{one_by_one}, but not those of the pair. Or pass, and leave the map as it is."
    )


# --- Effects of a draw ----------------------------------------------------------------------------


def _swap_card(view: View) -> str:
    who, left = view.mover, int(view.state.swaps)
    return (
        f"{who:has} drawn swap map, which is shown to all and must be obeyed: up to "
        f"{number_word(s.MOST_SWAPS)} hand cards are swapped with cards on the map, {left} still "
        f"to go. {who:chooses} a hand card, which goes face up on the map, and then the map card "
        "that comes to the hand. The rules for adding cards do not apply, and no pair is made."
    )


def _swap_map(view: View) -> str:
    who, card = view.mover, in_full(int(view.state.chosen))
    return (
        f"{who:gives} {card} to the map, by the effect of swap map, and {who.does('chooses')} the "
        f"map card to take for it: that comes to the hand, known to all, and {card} takes its "
        "cell. No pair is made."
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
    sentences = [f"The game is over: {_why(view)}.", _result(view)]
    if state.games > 1:
        totals = view.by_seat(state.totals)
        if state.cooperative:
            totals = count(int(state.totals[0]), "full pile")
        sentences.append(f"Totals after {state.games} games: {totals}.")
    won = "" if state.cooperative else " with the fewest points"
    return " ".join([*sentences, f"{decision(view)}{won}."])


def _why(view: View) -> str:
    """Return why the last game ended."""
    state, num_players = view.state, int(view.state.num_players)
    out = [player for player in range(num_players) if not c.count(state.last_hands[player])]
    if state.cooperative and num_players - len(out) <= 1:
        return "at most one player has cards left"
    if out and not state.cooperative:
        return f"{view.who(*out).inside:has} no cards left"
    return "the draw pile is empty and nobody can play"


def _result(view: View) -> str:
    """Return how the last game was scored."""
    state = view.state
    if state.cooperative:
        piles = zip(c.COLORS, state.last_pile_notes, strict=True)
        note_counts = ", ".join(f"{color} {notes}" for color, notes in piles)
        return f"Notes on the piles: {note_counts}; each had to have exactly {s.FULL_PILE}."
    return f"The cards left in the hands count {view.by_seat(state.last_scores)}."


# --- Actions --------------------------------------------------------------------------------------

ACTION_HELP = {
    "card": "choose {} from the hand, to play it or as an effect asks",
    "cell": "put the chosen card in row and column {}",
    "throw": "throw {} at the player who made the pair: it goes into that hand, face up",
    "pass": "throw no card, or no more cards; or do nothing with an effect",
    "pile": "put {} on the pile of its color, instead of throwing it",
    "map": "choose {} on the map, as an effect asks",
}
ACTION_WORDS = {
    "card": "Choose {}",
    "cell": lambda _, cell: "Row {}, column {}".format(*cell.split(",")),
    "throw": "Throw {}",
    "pile": "Put {} on its pile",
    "map": "Choose {} on the map",
}


def explain(view: View, action_name: str) -> str:
    """Return what a legal action would do now: the pair it makes, or why a card may be thrown."""
    kind, _, argument = action_name.partition(":")
    if kind == "pass":
        return _passing(view)
    if kind == "cell":
        row, column = argument.split(",")
        return _laying(view.state, s.SIDE * int(row) + int(column))
    return _OF_CARDS[kind](view, c.CARD_NAMES.index(argument))


# --- Cards of the hand ----------------------------------------------------------------------------


def _choosing(view: View, card: int) -> str:
    state = view.state
    worth = _worth(card)
    if state.phase == s.DISCARD:
        return f"take {worth} out of the game"
    if state.phase == s.SWAP_CARD:
        return f"swap {worth} for a card on the map"
    legal = np.zeros(s.BLOCKS, np.uint64)
    find_cells(state, card, legal)
    cells = sum(int(count_bits(block)) for block in legal)
    also = "also play" if state.phase == s.AGAIN else "play"
    return f"{also} {worth}: {count(cells, 'possible cell')}"


def _worth(card: int) -> str:
    return f"{in_full(card)} ({count(int(c.NOTES[card]), 'note')})"


def _throwing(view: View, card: int) -> str:
    state, to = view.state, view.who(view.state.player).inside
    return f"give {to} {in_full(card)}: {_why_thrown(state, card)}{_after(state, card)}"


def _putting(view: View, card: int) -> str:
    """Return the explanation of putting a card on its pile, with the pile's new notes."""
    state = view.state
    color = int(c.COLOR[card])
    notes = int(state.pile_notes[color]) + int(c.NOTES[card])
    full = f"{notes} of {s.FULL_PILE} notes{', too many' * (notes > s.FULL_PILE)}"
    return f"put {in_full(card)} on the {c.COLORS[color]} pile: {full}{_after(state, card)}"


def _why_thrown(state: State, card: int) -> str:
    """Return the reason why a card may be thrown at the counted pair."""
    if card == c.WILDCARD_THROW:
        return "it fits any pair"
    if not c.has(state.fits_range, card):
        return f"its notes, {c.NOTES[card]}, equal the distance"
    low, high = int(state.low) + 1, int(state.high) - 1
    if low == high:
        return f"{low} is the only number in range"
    return f"{c.NUMBER[card]} is in the range {low} to {high}"


def _after(state: State, card: int) -> str:
    """Return what follows after a card is thrown or put on its pile; usually empty."""
    by_notes = not c.has(state.fits_range, card)
    draws = int(card == c.DRAW_CARD)
    if card == c.NOTES_MATCH_PENALTY and by_notes:
        draws = PENALTY_DRAWS
    draws = min(draws, int(state.deck_size))
    return f"{'; thrown alone' * by_notes}{f', then draw {draws}' if draws else ''}"


# --- The map --------------------------------------------------------------------------------------


def _laying(state: State, place: int) -> str:
    """Return the pair that the chosen card would make in a cell, or that it is moved there."""
    card, where = int(state.chosen), _at(place)
    if state.phase == s.MOVE_CELL:
        return f"move {in_full(card)} to {where}"
    pair_ahead = prospect(state, place)
    song = ", Safe Song" if pair_ahead.safe else ""
    size = f"{count(pair_ahead.span, 'number')} in range, distance {pair_ahead.distance}{song}"
    return f"{where}: pair with {in_full(pair_ahead.cards[1])}, {size}"


def _taking(view: View, card: int) -> str:
    """Return what choosing a map card does."""
    state = view.state
    where = _at(int(state.places[card]))
    if state.phase == s.MOVE:
        return f"move {in_full(card)} from {where}"
    if state.phase == s.REMOVE:
        return f"take {in_full(card)} in {where} out of the game"
    worth = _worth(card)
    return f"take {worth} from {where} for {in_full(int(state.chosen))}"


def _at(place: int) -> str:
    row, column = cell_at(place)
    return f"row {row}, column {column}"


# --- Passing --------------------------------------------------------------------------------------


def _passing(view: View) -> str:
    state = view.state
    if state.phase == s.THROW:
        phrase = "nothing" if state.thrown == s.NOTHING else "nothing more"
        return f"throw {phrase} at {view.who(state.player).inside}"
    if state.phase == s.REMOVE:
        phrase = "cards" if state.removals == s.MOST_REMOVALS else "more cards"
        return f"take no {phrase} off the map"
    return {
        s.DISCARD: "keep all cards of the hand",
        s.MOVE: "move no card",
    }.get(int(state.phase), "play no other card")


_OF_CARDS: dict[str, Callable[[View, int], str]] = {
    "card": _choosing,
    "throw": _throwing,
    "pile": _putting,
    "map": _taking,
}
