"""What is going on at a table of Fiddlefoo, in sentences for who is learning the game."""

from __future__ import annotations

from collections.abc import Iterable

from kitchentable.games.fiddlefoo.cards import (
    COLORS,
    DISCARD_CARD,
    INSTAPLAY,
    MOVE_CARD,
    REMOVE_CARDS,
    WILDCARD_THROW,
    count,
    has,
)
from kitchentable.games.fiddlefoo.render.effects import (
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
from kitchentable.games.fiddlefoo.render.view import View, cards_of, choices, hand, pair, prospects
from kitchentable.games.fiddlefoo.state import (
    AGAIN,
    CARD,
    CELL,
    DISCARD,
    FULL_PILE,
    MOVE,
    MOVE_CELL,
    NOTHING,
    OVER,
    REMOVE,
    SWAP_CARD,
    SWAP_MAP,
    THROW,
    Params,
    State,
)


def situation(view: View) -> str:
    """Say who decides what, what that means and what led to it; or how the game has ended."""
    state, params, viewer = view.state, view.params, view.viewer
    if state.phase == OVER:
        return _ending(state)
    told = [
        _last_game(state),
        _DECISIONS[int(state.phase)](state),
        *interrupted(state),
        _to_come(state),
        about_cards(_action_cards(state, params, viewer)),
    ]
    return " ".join(text for text in told if text)


def _action_cards(state: State, params: Params, viewer: int) -> Iterable[int]:
    """Return the action cards that matter for the decision, as far as the viewer knows them."""
    mover = int(state.current_player)
    if state.phase in (CARD, AGAIN):
        seen = hand(state, viewer, mover)
        return (held.card for held in seen if held.is_open and not works_when_drawn(held.card))
    if state.phase == CELL:
        partners = {found.cards[1] for found in prospects(state).values()}
        return filter(works_in_pairs, {int(state.chosen), *partners})
    if state.phase == THROW:
        may = choices(state, params, viewer)
        made = pair(state)
        return {
            *filter(works_when_thrown, may.hand),
            *filter(works_in_pairs, made.cards if made else ()),
        }
    return ()


def _to_come(state: State) -> str:
    """Say what else this play leads to, if that is more than throws."""
    asked = [card for card in state.effects if card in (DISCARD_CARD, MOVE_CARD, REMOVE_CARDS)]
    told = [f"Then follows the effect of {in_words(card)}." for card in asked]
    if state.draws:
        told.append(f"player_{state.drawer} is still to draw {state.draws}.")
    if state.again and state.phase != AGAIN:
        told.append(f"After the throws player_{state.player} may play again.")
    return " ".join(told)


# --- Turns ----------------------------------------------------------------------------------------


def _play(state: State) -> str:
    who = f"player_{state.current_player}"
    wild = " (purple counts as any color)" if state.wildcard else ""
    told = (
        f"It is the turn of {who}, who chooses a hand card to add to the map, and then its cell. "
        "The card must touch the map, and lie in a row or column with a card of its color but not "
        f"beside one{wild}: the two make a pair, at which the other seats may throw cards."
    )
    last = int(state.last_added)
    if count(state.on_map) > len(COLORS) and state.places[last] >= 0:
        told += f" {in_full(last)} was added last."
    if state.blocked:
        told += f" The draw pile is empty; seats in a row that could not play: {state.blocked}."
    return told


def _cell(state: State) -> str:
    who, card = f"player_{state.current_player}", in_words(int(state.chosen))
    first = f"{who} chooses the cell where {card} is added to the map; the card lies open already."
    if state.chosen == INSTAPLAY and state.nested:
        first = f"{who} has drawn {card}, which must be played at once, and chooses its cell."
    return (
        f"{first} Each cell tells the pair that arises there: its range, the numbers between those "
        "of the two cards, and its distance, the cells between them. Cards in the range can be "
        "thrown, or one with as many notes as the distance; a distance above 3 is a Safe Song: "
        f"nobody throws, but {who} draws a card."
    )


def _throw(state: State) -> str:
    who, target = f"player_{state.current_player}", f"player_{state.player}"
    pair_made = f"{in_words(int(state.card))} and {in_words(int(state.partner))}"
    more = "" if state.thrown == NOTHING else "more: "
    told = [
        f"{who} may throw {more}{_fitting(state)}, open into the hand of {target}, who has made "
        f"the pair {pair_made}."
    ]
    if state.cooperative:
        told.append(
            "A card higher than the top of its color's pile may go there instead: the team wins "
            f"if each pile ends with exactly {FULL_PILE} notes."
        )
    received = [in_words(card) for card in cards_of(state.received & state.hands[state.player])]
    if received:
        told.append(f"In this turn {target} has received {', '.join(received)}.")
    return " ".join([*told, _rule_of_throws(state)])


def _fitting(state: State) -> str:
    """Say what the seat that is asked may still throw at the pair, and why."""
    fits = []
    if not state.safe:
        between = f"between {state.low} and {state.high}"
        fits += [f"{cards} ({between})" for cards in range_words(state)]
    if not state.safe and state.thrown == NOTHING:
        fits += [f"{card} (the distance is {state.distance})" for card in notes_words(state)]
    if has(state.in_play, WILDCARD_THROW):
        song = "even at this Safe Song" if state.safe else "at any pair"
        fits.append(f"{in_words(WILDCARD_THROW)} ({song})")
    return ", or ".join(fits)


def _rule_of_throws(state: State) -> str:
    """Say how throws go together, and what to pass means."""
    if state.thrown == NOTHING and (state.safe or not range_words(state)):
        return "To pass throws nothing."
    if state.thrown != NOTHING:
        return "After a card in the range only such may follow; to pass throws no more."
    return (
        "Several cards in the range may be thrown, or a single one for its notes; to pass throws "
        "nothing."
    )


def _again(state: State) -> str:
    who = f"player_{state.current_player}"
    return (
        f"The card play again is in the pair that {who} has made, and the throws at it are over: "
        f"{who} may play one more hand card, of another color than {COLORS[state.turn_color]}, "
        "with all that follows from a pair. To pass ends the play."
    )


# --- Effects of a pair ----------------------------------------------------------------------------


def _discard(state: State) -> str:
    who = f"player_{state.current_player}"
    return (
        f"The card discard is in the pair that {who} has made: {who} may take one hand card out "
        "of the game, for all to see; nobody gets it and it costs nothing. To pass keeps the hand "
        "as it is. Then the others may throw."
    )


def _move(state: State) -> str:
    who = f"player_{state.current_player}"
    return (
        f"The card move is in the pair that {who} has made: {who} may choose a card on the map, "
        "not of the pair, and then move it to another empty cell beside a card. Colors do not "
        "matter there and no pair arises; to pass leaves the map as it is."
    )


def _move_cell(state: State) -> str:
    who, card = f"player_{state.current_player}", in_full(int(state.chosen))
    return (
        f"{who} moves {card}, by the effect of move, and chooses its new cell: any empty one "
        "beside a card. Colors do not matter and no pair arises, so nobody throws at it."
    )


def _remove(state: State) -> str:
    who, left = f"player_{state.current_player}", int(state.removals)
    cards = "one more card" if left == 1 else f"up to {left} cards"
    return (
        f"The card remove cards is in the pair that {who} has made: {who} may take {cards} on the "
        "map, one after another, out of the game, but not those of the pair. To pass leaves the "
        "rest where it is."
    )


# --- Effects of a draw ----------------------------------------------------------------------------


def _swap_card(state: State) -> str:
    who, left = f"player_{state.current_player}", int(state.swaps)
    return (
        f"{who} has drawn swap map, which is shown to all and must be obeyed: up to three hand "
        f"cards are swapped with cards on the map, {left} still to go. {who} chooses a hand card; "
        "it goes to the map, open, and then a map card comes to the hand in its place. No rules "
        "of the map hold for that and no pair arises."
    )


def _swap_map(state: State) -> str:
    who, card = f"player_{state.current_player}", in_full(int(state.chosen))
    return (
        f"{who} gives {card} to the map, by the effect of swap map, and chooses the map card to "
        f"take for it: that comes to the hand, known to all, and {card} lies in its cell. No pair "
        "arises."
    )


_DECISIONS = {
    CARD: _play,
    CELL: _cell,
    THROW: _throw,
    DISCARD: _discard,
    MOVE: _move,
    MOVE_CELL: _move_cell,
    REMOVE: _remove,
    AGAIN: _again,
    SWAP_CARD: _swap_card,
    SWAP_MAP: _swap_map,
}


# --- Scores ---------------------------------------------------------------------------------------


def _last_game(state: State) -> str:
    """Say how a game has just ended, if one has."""
    if not state.hand_over:
        return ""
    return f"Game {state.games_done} is over. {_result(state)} The next one is dealt."


def _ending(state: State) -> str:
    """Say how it all has ended."""
    told = [f"The game is over: {_why(state)}.", _result(state)]
    if state.games > 1:
        unit = "Full piles" if state.cooperative else "Points"
        totals = state.totals[: 1 if state.cooperative else int(state.num_players)]
        told.append(f"{unit} of all {state.games} games: {_listed(totals, state)}.")
    won = "" if state.cooperative else ", for the fewest points win"
    return " ".join([*told, f"{decision(state)}{won}."])


def _why(state: State) -> str:
    """Say why the last game has ended."""
    hands = [count(state.last_hands[player]) for player in range(int(state.num_players))]
    out = [f"player_{player}" for player, cards in enumerate(hands) if cards == 0]
    if state.cooperative and len(hands) - len(out) <= 1:
        return "at most one seat has cards left"
    if out and not state.cooperative:
        return f"{' and '.join(out)} {'have' if len(out) > 1 else 'has'} no cards left"
    return "the draw pile is empty and no seat can play"


def _result(state: State) -> str:
    """Say how the last game was scored."""
    if state.cooperative:
        piles = zip(COLORS, state.last_pile_notes, strict=True)
        told = ", ".join(f"{color} {notes}" for color, notes in piles)
        return f"Notes on the piles: {told}; each had to have exactly {FULL_PILE}."
    scores = state.last_scores[: int(state.num_players)]
    return f"The notes left in the hands cost {_listed(scores, state)}."


def _listed(points: Iterable[int], state: State) -> str:
    if state.cooperative:
        return ", ".join(map(str, points))
    return ", ".join(f"player_{player} {number}" for player, number in enumerate(points))
