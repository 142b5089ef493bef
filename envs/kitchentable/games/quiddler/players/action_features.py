"""Features of each legal action of Quiddler for a network.

The words in the cards that an action keeps, lays or begins to spell, what they score given the
words that others have laid, and what one more card of each kind would add. The network has to learn
how likely that card is, and what the other seats may do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_int32s, scratch_ints
from kitchentable.core.state import NOBODY, Bits, BoolArray, FloatArray, Ints
from kitchentable.games.quiddler import scoring
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES, NUM_KINDS, VALUES
from kitchentable.games.quiddler.observation import LETTERS_SPAN
from kitchentable.games.quiddler.players.melds import (
    NEVER,
    UNIT,
    Bonus,
    Melds,
    best_without_one,
    find_melds,
    linear_bonus,
    valued_with,
    without_one,
)
from kitchentable.games.quiddler.players.outlook import (
    Additions,
    Outlook,
    Rest,
    find_additions,
    look_out,
    value_rest,
)
from kitchentable.games.quiddler.players.reading import Look, look_at
from kitchentable.games.quiddler.words.graph import TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import (
    KEPT_BY_SPELLING,
    MAX_HELD,
    NUM_SETS,
    Graph,
    edge_of,
    follow,
    held_kinds,
)

MOST = 34
"""Maximum number of rows: three actions for each of eleven kinds, and one more."""
NAMES = (
    # One-hot: what the action does; `spell` and `word` set `longest` too, as they lay words.
    *("draw", "take", "stay", "longest", "most", "spell", "word"),
    *CARD_NAMES,  # one-hot: the card discarded, taken or spelled
    # The best meld of the cards that the action keeps or lays. For `take`, after the best discard;
    # for `draw`, of the hand as it is; for `spell` and `word`, of all that can still be laid if the
    # word goes on with the card, or ends. Points are those in words minus those left over, plus the
    # bonus that the longest word earns or loses. `most` has the same values as `longest`.
    "points",  # 0.5 for 0, 1 for 60
    "bonus",  # letters of the longest word, or the number of words if that counts, of 10
    "all_laid",  # whether words use up all these cards
    "gain",  # points more than those of the whole hand as it is: 0.5 for 0, 1 for 20
    "left",  # points left over, of 40
    "value",  # points of the card, of 15
    "unseen",  # unseen copies of the card, of all
    "lays",  # whether the action lays words
    "last",  # whether the last turns have begun; 0 for `draw` and `word`
    # With `meld="spell"`, before the last turns, a meld with a longer word and perhaps fewer
    # points. For cards that are kept: the best meld if every letter of the longest word scored five
    # points more. For `spell` and `word`: the meld with the longest word that is still possible,
    # not counting words that are laid already.
    "letters",  # letters of that word, or the number of words if that counts, of 10
    "points_then",  # points of that meld: 0.5 for 0, 1 for 60
    # The hand after the action; all zero if the action lays words:
    *(f"keeps_{name}" for name in CARD_NAMES),  # whether there is a card of the kind
    *(f"keeps_more_{name}" for name in CARD_NAMES),  # whether there are several
    # If the hand can still get another card, and a card of the kind is unseen:
    *(f"adds_{name}" for name in CARD_NAMES),  # points that the card would add, of 20
    *(f"longest_{name}" for name in CARD_NAMES),  # `letters` with the card
)
# Column indices of these names.
DRAW, TAKE, STAY = map(NAMES.index, ("draw", "take", "stay"))
LONGEST, SPELL, WORD = map(NAMES.index, ("longest", "spell", "word"))
KIND = NAMES.index(CARD_NAMES[0])
POINTS, BONUS, ALL_LAID = map(NAMES.index, ("points", "bonus", "all_laid"))
GAIN, LEFT, VALUE, UNSEEN = map(NAMES.index, ("gain", "left", "value", "unseen"))
LAYS, LAST, LETTERS, POINTS_THEN = map(NAMES.index, ("lays", "last", "letters", "points_then"))
KEEPS, KEEPS_MORE, ADDS, LONGEST_WITH = (
    NAMES.index(f"{what}_{CARD_NAMES[0]}") for what in ("keeps", "keeps_more", "adds", "longest")
)
MOST_POINTS, MOST_GAIN, MOST_LEFT, MOST_BONUS = 60, 20, 40, 10
MOST_VALUE = int(VALUES.max())
FIGURE = 1 << 16
"""More than the worth of any hand."""
LONGER = 5 * UNIT + 1
"""Worth of a letter if longer words are preferred: 5 points, about half a bonus, and 1 more, which
lets `_figure` read the letters from a worth."""
NUM_ENDINGS = NUM_KINDS + 1
"""Ways in which a word may go on: with a card of each kind, or by ending."""


def silent(params: s.Params) -> tuple[str, ...]:
    """Return the names of the features that are always 0 with these parameters."""
    if params.meld != "auto":
        return ("most",)
    return (
        "spell",
        "word",
        "letters",
        "points_then",
        *(f"longest_{name}" for name in CARD_NAMES),
    )


@allocating_kernel
def write(
    observation: FloatArray,
    mask: BoolArray,
    variant: s.State,
    actions: Ints,
    out: FloatArray,
    *tables: Any,
) -> None:
    """Write the features of the first `MOST` legal actions into the rows of ``out``."""
    seen = look_at(observation, variant)
    if not mask.any() or seen.phase == s.JUDGE:
        return
    nodes, edges, index, marks = tables[:4]
    bonus = linear_bonus(1, variant.num_players == 2 and variant.two_player_bonus == s.BONUS_MOST)
    brings = _bonus_now(seen, variant)
    by_itself = variant.meld == s.BY_ITSELF
    later = brings  # the bonus that `auto` ignores when it chooses words
    if not by_itself:
        later = np.zeros_like(brings)
        for letters in range(brings.shape[0]):
            bonus.longest[letters] += brings[letters]
    may_prefer = not by_itself and seen.last_turns == 0
    melds = find_melds(seen.hand, bonus, index, marks)
    if seen.phase == s.SOURCE:
        additions = find_additions(melds, bonus, index, *tables[4:])
        _write_sources(
            seen, mask, melds, additions, bonus, brings, later, may_prefer, out, index, marks
        )
        return
    if seen.last_turns == 0 and seen.length == 0 and seen.words[0] == 0:
        first = s.STAY if by_itself else s.DISCARD
        additions = find_additions(melds, bonus, index, *tables[4:])
        _write_kept_and_one_more(seen, melds, additions, bonus, first, may_prefer, actions, out)
    if by_itself:
        _add_bonus(melds, later)
        _write_discards(seen, melds, brings, actions, out)
    else:
        _write_spelling(seen, melds, bonus, brings, mask, nodes, edges, actions, out)
        if may_prefer and actions[0] <= s.WORD:
            _write_figures(seen, melds, bonus, mask, nodes, edges, actions, out)


@allocating_kernel
def _bonus_now(seen: Look, variant: s.State) -> Ints:
    """Return the bonus of the longest word given what others have laid, by letters; shape (21,)."""
    brings = np.zeros(LETTERS_SPAN + 1, np.int64)
    best, rivals = 0, 0  # the others' longest word, and how many have laid one of its length
    for seat in range(1, seen.seats):
        if seen.longest[seat] > best:
            best, rivals = seen.longest[seat], 0
        rivals += seen.longest[seat] == best
    if best > 0 and (seen.seats > 2 or variant.two_player_bonus == s.BONUS_LONGEST):
        for letters in range(brings.shape[0]):
            figure = max(letters, seen.longest[0])
            if figure > best:
                brings[letters] = UNIT * scoring.BONUS
            elif figure < best and rivals == 1:
                # Whole points, so that the letters can still be read from a worth.
                brings[letters] = -UNIT * (scoring.BONUS // (seen.seats - 1))
    return brings


@subroutine
def _add_bonus(melds: Melds, later: Ints) -> None:
    """Add the bonus of the longest word to the worth of each set."""
    for held in range(1 << melds.size):
        melds.worth[held] += later[_figure(melds.worth[held])]


@kernel
def _figure(worth: int) -> int:
    """Read from a worth the letters of the longest word, or the number of words if that counts."""
    return int(worth % UNIT)


@allocating_kernel
def _write_sources(
    seen: Look, mask: BoolArray, melds: Melds, additions: Additions, bonus: Bonus, brings: Ints,
    later: Ints, may_prefer: bool, out: FloatArray, index: Ints, marks: Bits,
) -> None:  # fmt: skip
    """Write the features of `draw` and `take`."""
    longer = linear_bonus(LONGER, bonus.for_most)
    hand = (1 << melds.size) - 1
    now = melds.worth[hand] + later[_figure(melds.worth[hand])]
    row = 0
    if mask[s.DRAW]:
        outlook = look_out(melds, bonus, 0, additions)
        _write_adds(seen, melds.worth[hand], outlook, 0, brings[0], later, out[0])
        if may_prefer:
            preferred = valued_with(melds, longer)
            _write_letters(preferred.worth[hand], out[0])
            _write_longest(seen, look_out(preferred, longer, 0, additions), 0, out[0])
        _add_bonus(melds, later)
        out[0, DRAW] = 1.0
        _write_meld(melds, hand, now, brings, out[0])
        _write_kept(seen, NOBODY, out[0])
        row = 1
    if mask[s.TAKE]:
        seen.hand[seen.top] += 1
        more = find_melds(seen.hand, bonus, index, marks)
        if may_prefer:
            preferred = valued_with(more, longer)
            _write_letters(preferred.worth[best_without_one(preferred, NOBODY)], out[row])
        _add_bonus(more, later)
        out[row, TAKE] = 1.0
        _write_card(seen, seen.top, out[row])
        _write_meld(more, best_without_one(more, NOBODY), now, brings, out[row])
        _write_kept(seen, NOBODY, out[row])


@allocating_kernel
def _write_kept_and_one_more(
    seen: Look, melds: Melds, additions: Additions, bonus: Bonus, first: int, may_prefer: bool,
    actions: Ints, out: FloatArray,
) -> None:  # fmt: skip
    """Write what one more card adds after each discard; ``first`` is the first discard action."""
    hand, discards = (1 << melds.size) - 1, 0
    for action in actions:
        if first <= action < first + NUM_KINDS:
            discards |= hand ^ without_one(melds, action - first)
    if discards == 0:
        return
    outlook = look_out(melds, bonus, discards, additions)
    nothing = np.zeros_like(bonus.longest)  # nobody has laid words
    preferred, preferring = melds, outlook
    if may_prefer:
        longer = linear_bonus(LONGER, bonus.for_most)
        preferred = valued_with(melds, longer)
        preferring = look_out(preferred, longer, discards, additions)
    for row in range(actions.shape[0]):
        kind = actions[row] - first
        if 0 <= kind < NUM_KINDS:
            kept = without_one(melds, kind)
            one = 0
            while outlook.gone[one] != hand ^ kept:
                one += 1
            _write_adds(seen, melds.worth[kept], outlook, one, 0, nothing, out[row])
            if may_prefer:
                _write_letters(preferred.worth[kept], out[row])
                _write_longest(seen, preferring, one, out[row])


@subroutine
def _write_adds(
    seen: Look, now: int, outlook: Outlook, row: int, least: int, later: Ints, out: FloatArray
) -> None:
    """Write the points that a card of each kind would add.

    Args:
        seen: the table.
        now: worth of the cards without the card.
        outlook: worth of the cards with the card.
        row: row of ``outlook``.
        least: worth of the cards if no word is laid.
        later: bonus of the longest word, by letters.
        out: receives the features; one row.
    """
    now = max(now + later[_figure(now)], least)
    for kind in range(NUM_KINDS):
        if seen.unseen[kind] > 0:
            worth = outlook.laid[kind * MAX_HELD + row]
            more = max(worth + later[_figure(worth)], least) - now
            out[ADDS + kind] = min(max(more, 0) / (UNIT * MOST_GAIN), 1.0)


@subroutine
def _write_longest(seen: Look, outlook: Outlook, row: int, out: FloatArray) -> None:
    """Write the letters of the longest word with a card of each kind, longer words preferred."""
    for kind in range(NUM_KINDS):
        if seen.unseen[kind] > 0:
            worth = outlook.laid[kind * MAX_HELD + row]
            out[LONGEST_WITH + kind] = min(_figure(worth) / MOST_BONUS, 1.0)


@kernel
def _write_letters(worth: int, out: FloatArray) -> None:
    """Write the letters and the points of a worth in which longer words are preferred."""
    letters = _figure(worth)
    points = (worth - LONGER * letters) // UNIT
    out[LETTERS] = min(letters / MOST_BONUS, 1.0)
    out[POINTS_THEN] = min(max(0.5 + 0.5 * points / MOST_POINTS, 0.0), 1.0)


@subroutine
def _write_discards(seen: Look, melds: Melds, brings: Ints, actions: Ints, out: FloatArray) -> None:
    """Write the features of the discards of ``meld="auto"``."""
    now = melds.worth[(1 << melds.size) - 1]
    for row in range(actions.shape[0]):
        if actions[row] < 0:
            return
        what, kind = divmod(int(actions[row]) - s.STAY, NUM_KINDS)
        out[row, STAY + what] = 1.0  # actions and names have the same order
        _write_card(seen, kind, out[row])
        _write_meld(melds, without_one(melds, kind), now, brings, out[row])
        out[row, LAYS] = what > 0
        if what == 0:
            _write_kept(seen, kind, out[row])


@subroutine
def _write_spelling(
    seen: Look, melds: Melds, bonus: Bonus, brings: Ints, mask: BoolArray, nodes: Graph,
    edges: Graph, actions: Ints, out: FloatArray,
) -> None:  # fmt: skip
    """Write the features of the discards and the spelling of ``meld="spell"``."""
    now = melds.worth[(1 << melds.size) - 1]
    worths = scratch_ints(NUM_ENDINGS)
    _value_words(seen, melds, bonus, mask, nodes, edges, worths)
    for row in range(actions.shape[0]):
        action = int(actions[row])
        if action < 0:
            return
        if action > s.WORD:
            kind = action - s.DISCARD
            out[row, STAY] = 1.0
            _write_card(seen, kind, out[row])
            kept = without_one(melds, kind)
            _write_kept(seen, kind, out[row])
            _write_meld(melds, kept, now, brings, out[row])
            if seen.last_turns > 0:  # no more words can be laid
                _write_worth(bonus.longest[0] - UNIT * melds.values[kept], now, out[row])
                out[row, LEFT] = min(melds.values[kept] / MOST_LEFT, 1.0)
            continue
        kind = action - s.SPELL if action < s.WORD else NUM_KINDS
        out[row, LONGEST] = 1.0
        out[row, SPELL if action < s.WORD else WORD] = 1.0
        if action < s.WORD:
            _write_card(seen, kind, out[row])
        out[row, ALL_LAID] = seen.last_turns == 0
        out[row, LAYS] = 1.0
        if worths[kind] > NEVER:
            _write_worth(worths[kind], now, out[row])


@subroutine
def _value_words(
    seen: Look, melds: Melds, bonus: Bonus, mask: BoolArray, nodes: Graph, edges: Graph,
    worths: Ints,
) -> None:  # fmt: skip
    """Find the worth of what can still be laid if the word goes on with each kind, or ends.

    Args:
        seen: the table.
        melds: melds of the hand.
        bonus: worth of the bonuses.
        mask: the legal actions.
        nodes: nodes of the word graph.
        edges: edges of the word graph.
        worths: receives the worth by kind of the next card, then for ending the word; `NEVER` if
            there is no such word; shape (`NUM_ENDINGS`,).
    """
    worths[:] = NEVER
    if not (mask[s.WORD] or mask[s.SPELL : s.WORD].any()):
        return
    rest = Rest(scratch_int32s(NUM_SETS), scratch_int32s(NUM_SETS))
    value_rest(melds, bonus, seen.last_turns == 0, rest)
    node, used, step = 0, 0, 0
    for i in range(seen.length):
        step = follow(node, seen.spelled[i], nodes, edges)
        if step == 0:  # a bluff
            return
        cards = melds.places[seen.spelled[i]] & ~used
        node, used = step >> TARGET_SHIFT, used | (cards & -cards)
    if step & WORD_BIT:
        worths[NUM_KINDS] = _worth_beside(melds, bonus, rest, used)
    for kind in range(NUM_KINDS):
        step = follow(node, kind, nodes, edges) if mask[s.SPELL + kind] else 0
        if step:
            cards = melds.places[kind] & ~used
            after = used | (cards & -cards)
            worths[kind] = _best_through(step, after, melds, bonus, rest, nodes, edges)


@subroutine
def _best_through(
    step: int, used: int, melds: Melds, bonus: Bonus, rest: Rest, nodes: Graph, edges: Graph
) -> int:
    """Return the best worth with a word through the edge ``step``; ``used``: its cards so far."""
    best = _worth_beside(melds, bonus, rest, used) if step & WORD_BIT else NEVER
    waiting = scratch_ints(KEPT_BY_SPELLING)
    held = held_kinds(melds.places, (1 << melds.size) - 1)
    depth = 0
    node = nodes[step >> TARGET_SHIFT]
    kinds = node & held
    while kinds or depth:
        if kinds == 0:
            depth -= 1
            node, kinds, used = waiting[3 * depth], waiting[3 * depth + 1], waiting[3 * depth + 2]
            continue
        bit = kinds & -kinds
        kinds ^= bit
        cards = melds.places[lowest_bit(bit)] & ~used
        if cards:
            waiting[3 * depth], waiting[3 * depth + 1], waiting[3 * depth + 2] = node, kinds, used
            depth += 1
            step = edge_of(node, bit, edges)
            node, used = nodes[step >> TARGET_SHIFT], used | (cards & -cards)
            kinds = node & held
            if step & WORD_BIT:
                best = max(best, _worth_beside(melds, bonus, rest, used))
    return best


@subroutine
def _worth_beside(melds: Melds, bonus: Bonus, rest: Rest, word: int) -> int:
    """Return the worth of a word and the best meld of the other cards, one of them discarded."""
    others = ((1 << melds.size) - 1) ^ word
    laid = rest.laid[others]
    if bonus.for_longest:
        laid = max(laid, rest.plain[others] + bonus.longest[min(melds.letters[word], LETTERS_SPAN)])
    else:
        laid += bonus.most[1]  # one word more
    return int(UNIT * melds.values[word] + laid) if laid > NEVER // 2 else NEVER


@allocating_kernel
def _write_figures(
    seen: Look, melds: Melds, bonus: Bonus, mask: BoolArray, nodes: Graph, edges: Graph,
    actions: Ints, out: FloatArray,
) -> None:  # fmt: skip
    """Write the features of spelling if the longest word, or the number of words, comes first."""
    first = linear_bonus(FIGURE, bonus.for_most)
    melds = valued_with(melds, first)
    worths = scratch_ints(NUM_ENDINGS)
    _value_words(seen, melds, first, mask, nodes, edges, worths)
    for row in range(actions.shape[0]):
        action = int(actions[row])
        if action < 0 or action > s.WORD:
            return
        worth = worths[action - s.SPELL if action < s.WORD else NUM_KINDS]
        if worth > NEVER:
            out[row, LETTERS] = min(worth // FIGURE / MOST_BONUS, 1.0)
            points = worth % FIGURE // UNIT
            out[row, POINTS_THEN] = min(0.5 + 0.5 * points / MOST_POINTS, 1.0)


@subroutine
def _write_kept(seen: Look, without: int, out: FloatArray) -> None:
    """Write the hand without a card of kind ``without``, or as it is for `NOBODY`."""
    for kind in range(NUM_KINDS):
        count = seen.hand[kind] - (kind == without)
        out[KEEPS + kind] = count > 0
        out[KEEPS_MORE + kind] = count > 1


@kernel
def _write_card(seen: Look, kind: int, out: FloatArray) -> None:
    out[KIND + kind] = 1.0
    out[VALUE] = VALUES[kind] / MOST_VALUE
    out[UNSEEN] = seen.unseen[kind] / COPIES[kind]
    out[LAST] = seen.last_turns > 0


@kernel
def _write_meld(melds: Melds, kept: int, now: int, brings: Ints, out: FloatArray) -> None:
    """Write the best meld of a set of cards; ``now`` is the worth of the whole hand before."""
    worth = melds.worth[kept]
    _write_worth(worth, now, out)
    out[ALL_LAID] = melds.all_laid[kept] > NEVER
    # `points` is laid minus left over, and the value of the set is their sum.
    points = (worth - brings[_figure(worth)]) // UNIT
    out[LEFT] = min(max((melds.values[kept] - points) / 2 / MOST_LEFT, 0.0), 1.0)


@kernel
def _write_worth(worth: int, now: int, out: FloatArray) -> None:
    out[POINTS] = min(max(0.5 + 0.5 * (worth // UNIT) / MOST_POINTS, 0.0), 1.0)
    out[BONUS] = min(_figure(worth) / MOST_BONUS, 1.0)
    out[GAIN] = min(max(0.5 + 0.5 * (worth - now) / UNIT / MOST_GAIN, 0.0), 1.0)
