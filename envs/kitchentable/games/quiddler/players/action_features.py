"""Features of each legal action of Quiddler for a network.

The words in the cards that an action keeps, lays or begins to spell, what they score given the
words that others have laid, and what one more card of each kind would add. The network has to learn
how likely that card is, and what the other seats may do.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits, scratch_int16s, scratch_ints
from kitchentable.core.state import NOBODY, BoolArray, FloatArray, Ints
from kitchentable.games.quiddler import scoring
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES, NO_CARD, NUM_KINDS, VALUES
from kitchentable.games.quiddler.knowledge import Knowledge, num_spelled
from kitchentable.games.quiddler.observation import LETTERS_SPAN
from kitchentable.games.quiddler.players.melds import (
    BONUS_SIZE,
    BY_LETTERS,
    MELDS_BITS,
    MELDS_INTS,
    MELDS_WORTHS,
    NEVER,
    UNIT,
    Bonus,
    Melds,
    Room,
    best_without_one,
    figure_of,
    find_melds,
    linear_bonus,
    value_anew,
    without_one,
)
from kitchentable.games.quiddler.players.outlook import (
    Outlook,
    Rest,
    look_out,
    value_rest,
)
from kitchentable.games.quiddler.words.graph import TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import (
    KEPT_BY_SPELLING,
    MAX_HELD,
    Graph,
    edge_of,
    follow,
    held_kinds,
    sum_of,
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
FIGURE = 256
"""More than the points of any hand."""
LONGER = 5 * UNIT + 1
"""Worth of a letter if longer words are preferred: 5 points, about half a bonus, and 1 more, which
lets `figure_of` read the letters from a worth."""


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


class Table(NamedTuple):
    """The hand of the seat to act, what it is worth, and buffers."""

    melds: Melds
    bonus: Bonus
    """With which words are chosen."""
    brings: Ints
    """The bonus of the longest word given what others have laid, by letters; shape (21,)."""
    room: Room


@subroutine
def write(known: Knowledge, _mask: BoolArray, actions: Ints, out: FloatArray, *tables: Any) -> None:
    """Write the features of the first `MOST` legal actions into the rows of ``out``."""
    if known.phase == s.JUDGE:
        return
    for_most = known.num_players == 2 and known.two_player_bonus == s.BONUS_MOST
    bonus = linear_bonus(1, for_most, scratch_ints(BONUS_SIZE))
    brings = scratch_ints(BY_LETTERS)
    _find_bonus(known, brings)
    if known.meld != s.BY_ITSELF:  # which ignores it when it chooses words
        for letters in range(BY_LETTERS):
            bonus.longest[letters] += brings[letters]
    room = Room(scratch_ints(MELDS_INTS), scratch_bits(MELDS_BITS), scratch_int16s(MELDS_WORTHS))
    melds = find_melds(known, NO_CARD, bonus, room, *tables)
    table = Table(melds, bonus, brings, room)
    if known.phase == s.SOURCE:
        _write_sources(known, table, actions, out, *tables)
        return
    gets_another = known.last_turns == 0 and num_spelled(known) == 0 and known.words[0] == 0
    if known.meld == s.BY_ITSELF:
        if gets_another:
            _write_one_more(known, table, actions, out, *tables)
        _write_discards(known, table, actions, out)
    else:
        _write_spelling(known, table, actions, out, tables[0], tables[1])
        if gets_another:
            _write_one_more(known, table, actions, out, *tables)
            _write_longer(known, table, actions, out, *tables)
        if known.last_turns == 0 and actions[0] <= s.WORD:
            _write_figures(known, table, actions, out, tables[0], tables[1])


@subroutine
def _find_bonus(known: Knowledge, brings: Ints) -> None:
    """Write the bonus of the longest word given what others have laid, by letters."""
    brings[:] = 0
    seats, best, rivals = int(known.num_players), 0, 0
    for seat in range(1, seats):  # the others' longest word, and how many have one of its length
        if known.longest[seat] > best:
            best, rivals = int(known.longest[seat]), 0
        rivals += known.longest[seat] == best
    if best > 0 and (seats > 2 or known.two_player_bonus == s.BONUS_LONGEST):
        for letters in range(BY_LETTERS):
            figure = max(letters, int(known.longest[0]))
            if figure > best:
                brings[letters] = UNIT * scoring.BONUS
            elif figure < best and rivals == 1:
                # Whole points, so that the letters can still be read from a worth.
                brings[letters] = -UNIT * (scoring.BONUS // (seats - 1))


@kernel
def _with_bonus(known: Knowledge, brings: Ints, worth: int) -> int:
    """Return a worth with the bonus of the longest word, which ``"auto"`` has not added yet."""
    return int(worth + (brings[figure_of(worth)] if known.meld == s.BY_ITSELF else 0))


@kernel
def _add_bonus(known: Knowledge, melds: Melds, brings: Ints) -> None:
    """Add that bonus to the worth of each set."""
    if known.meld == s.BY_ITSELF:
        for held in range(1 << melds.size):
            melds.worth[held] = _with_bonus(known, brings, melds.worth[held])


@subroutine
def _write_sources(
    known: Knowledge, table: Table, actions: Ints, out: FloatArray, *tables: Any
) -> None:
    """Write the features of `draw` and `take`."""
    melds, brings, row = table.melds, table.brings, 0
    hand = (1 << melds.size) - 1
    now = _with_bonus(known, brings, melds.worth[hand])
    prefers = known.meld != s.BY_ITSELF and known.last_turns == 0
    if actions[0] == s.DRAW:
        _write_one_more(known, table, actions, out, *tables)
        _add_bonus(known, melds, brings)
        out[0, DRAW] = 1.0
        _write_meld(melds, hand, now, brings, out[0])
        _write_kept(melds, hand, out[0])
        if prefers:
            _write_longer(known, table, actions, out, *tables)
        row = 1
    take_row = out[row]
    more = find_melds(known, known.top, table.bonus, table.room, *tables)
    _add_bonus(known, more, brings)
    take_row[TAKE] = 1.0
    _write_card(known, known.top, take_row)
    _write_meld(more, best_without_one(more, NO_CARD), now, brings, take_row)
    _write_kept(more, (1 << more.size) - 1, take_row)
    if prefers:
        value_anew(more, linear_bonus(LONGER, table.bonus.for_most, scratch_ints(BONUS_SIZE)))
        _write_letters(more.worth[best_without_one(more, NO_CARD)], take_row)


@kernel
def _kept_by(known: Knowledge, melds: Melds, action: int) -> int:
    """Return the cards kept by an action that lays nothing: drawing or a discard; else `NOBODY`."""
    if known.phase == s.SOURCE:
        return (1 << melds.size) - 1 if action == s.DRAW else NOBODY
    kind = action - (s.STAY if known.meld == s.BY_ITSELF else s.DISCARD)
    return without_one(melds, kind) if 0 <= kind < NUM_KINDS else NOBODY


@subroutine
def _look_out(known: Knowledge, table: Table, bonus: Bonus, actions: Ints, *tables: Any) -> Outlook:
    """Find what one more card is worth after each action that lays nothing."""
    discards, hand = 0, (1 << table.melds.size) - 1
    for row in range(actions.shape[0]):
        kept = _kept_by(known, table.melds, actions[row])
        if kept != NOBODY:
            discards |= hand ^ kept
    return look_out(table.melds, bonus, discards, *tables)


@kernel
def _row_of(melds: Melds, outlook: Outlook, kept: int) -> int:
    """Return the row of an outlook for the cards kept."""
    row = 0
    while outlook.gone[row] != ((1 << melds.size) - 1) ^ kept:
        row += 1
    return row


@subroutine
def _write_one_more(
    known: Knowledge, table: Table, actions: Ints, out: FloatArray, *tables: Any
) -> None:
    """Write the points that a card of each kind would add to the cards kept."""
    melds, brings = table.melds, table.brings
    outlook = _look_out(known, table, table.bonus, actions, *tables)
    least = int(brings[0])  # if no word is laid
    for row in range(actions.shape[0]):
        kept = _kept_by(known, melds, actions[row])
        if kept == NOBODY:
            continue
        outlook_row = _row_of(melds, outlook, kept)
        now = max(_with_bonus(known, brings, melds.worth[kept]), least)
        for kind in range(NUM_KINDS):
            if known.unseen[kind] > 0:
                worth = _with_bonus(known, brings, outlook.laid[kind * MAX_HELD + outlook_row])
                more = max(worth, least) - now
                out[row, ADDS + kind] = min(max(more, 0) / (UNIT * MOST_GAIN), 1.0)


@subroutine
def _write_longer(
    known: Knowledge, table: Table, actions: Ints, out: FloatArray, *tables: Any
) -> None:
    """Write the longest word, alone and with a card of each kind, if longer words are preferred."""
    melds = table.melds
    longer = linear_bonus(LONGER, table.bonus.for_most, scratch_ints(BONUS_SIZE))
    value_anew(melds, longer)
    outlook = _look_out(known, table, longer, actions, *tables)
    for row in range(actions.shape[0]):
        kept = _kept_by(known, melds, actions[row])
        if kept == NOBODY:
            continue
        outlook_row = _row_of(melds, outlook, kept)
        _write_letters(melds.worth[kept], out[row])
        for kind in range(NUM_KINDS):
            if known.unseen[kind] > 0:
                letters = figure_of(outlook.laid[kind * MAX_HELD + outlook_row])
                out[row, LONGEST_WITH + kind] = min(letters / MOST_BONUS, 1.0)


@kernel
def _write_letters(worth: int, out: FloatArray) -> None:
    """Write the letters and the points of a worth in which longer words are preferred."""
    letters = figure_of(worth)
    points = (worth - LONGER * letters) // UNIT
    out[LETTERS] = min(letters / MOST_BONUS, 1.0)
    out[POINTS_THEN] = min(max(0.5 + 0.5 * points / MOST_POINTS, 0.0), 1.0)


@subroutine
def _write_discards(known: Knowledge, table: Table, actions: Ints, out: FloatArray) -> None:
    """Write the features of the discards of ``meld="auto"``."""
    melds = table.melds
    _add_bonus(known, melds, table.brings)
    now = melds.worth[(1 << melds.size) - 1]
    for row in range(actions.shape[0]):
        if actions[row] < 0:
            return
        way, kind = divmod(int(actions[row]) - s.STAY, NUM_KINDS)
        kept = without_one(melds, kind)
        out[row, STAY + way] = 1.0  # actions and names have the same order
        _write_card(known, kind, out[row])
        _write_meld(melds, kept, now, table.brings, out[row])
        out[row, LAYS] = way > 0
        if way == 0:
            _write_kept(melds, kept, out[row])


@subroutine
def _write_spelling(
    known: Knowledge, table: Table, actions: Ints, out: FloatArray, nodes: Graph, edges: Graph
) -> None:
    """Write the features of the discards and the spelling of ``meld="spell"``."""
    melds, bonus = table.melds, table.bonus
    now = melds.worth[(1 << melds.size) - 1]
    worths = scratch_ints(MOST)
    _value_words(known, table, bonus, actions, worths, nodes, edges)
    for row in range(actions.shape[0]):
        action = int(actions[row])
        if action < 0:
            return
        if action > s.WORD:
            kind = action - s.DISCARD
            kept = without_one(melds, kind)
            out[row, STAY] = 1.0
            _write_card(known, kind, out[row])
            _write_kept(melds, kept, out[row])
            _write_meld(melds, kept, now, table.brings, out[row])
            if known.last_turns > 0:  # no more words can be laid
                left = sum_of(melds.points, kept)
                _write_worth(bonus.longest[0] - UNIT * left, now, out[row])
                out[row, LEFT] = min(left / MOST_LEFT, 1.0)
            continue
        out[row, LONGEST] = 1.0
        out[row, SPELL if action < s.WORD else WORD] = 1.0
        if action < s.WORD:
            _write_card(known, action - s.SPELL, out[row])
        out[row, ALL_LAID] = known.last_turns == 0
        out[row, LAYS] = 1.0
        if worths[row] > NEVER:
            _write_worth(worths[row], now, out[row])


@subroutine
def _value_words(
    known: Knowledge, table: Table, bonus: Bonus, actions: Ints, worths: Ints, nodes: Graph,
    edges: Graph,
) -> None:  # fmt: skip
    """Find the worth of what can still be laid if the word goes on with each kind, or ends.

    ``worths`` receives it by row; `NEVER` if there is no such word.
    """
    worths[:] = NEVER
    if actions[0] > s.WORD:
        return
    melds = table.melds
    rest = value_rest(melds, bonus, known.last_turns == 0)
    node, used, step = 0, 0, 0
    for i in range(num_spelled(known)):
        step = follow(node, int(known.word[i]), nodes, edges)
        if step == 0:  # a bluff
            return
        cards = melds.places[known.word[i]] & ~used
        node, used = step >> TARGET_SHIFT, used | (cards & -cards)
    for row in range(actions.shape[0]):
        action = int(actions[row])
        if action < 0 or action > s.WORD:
            return
        if action == s.WORD:
            if step & WORD_BIT:
                worths[row] = _worth_beside(melds, bonus, rest, used)
            continue
        edge = follow(node, action - s.SPELL, nodes, edges)
        if edge:
            cards = melds.places[action - s.SPELL] & ~used
            after = used | (cards & -cards)
            worths[row] = _best_through(edge, after, melds, bonus, rest, nodes, edges)


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
        letters = sum_of(melds.letters, word)
        laid = max(laid, rest.plain[others] + bonus.longest[min(letters, LETTERS_SPAN)])
    else:
        laid += bonus.most[1]  # one word more
    return int(bonus.unit * sum_of(melds.points, word) + laid) if laid > NEVER // 2 else NEVER


@subroutine
def _write_figures(
    known: Knowledge, table: Table, actions: Ints, out: FloatArray, nodes: Graph, edges: Graph
) -> None:
    """Write the features of spelling if the longest word, or the number of words, comes first."""
    first = linear_bonus(FIGURE, table.bonus.for_most, scratch_ints(BONUS_SIZE), unit=1)
    value_anew(table.melds, first)
    worths = scratch_ints(MOST)
    _value_words(known, table, first, actions, worths, nodes, edges)
    for row in range(actions.shape[0]):
        action = int(actions[row])
        if action < 0 or action > s.WORD:
            return
        if worths[row] > NEVER:
            out[row, LETTERS] = min(worths[row] // FIGURE / MOST_BONUS, 1.0)
            points = worths[row] % FIGURE
            out[row, POINTS_THEN] = min(0.5 + 0.5 * points / MOST_POINTS, 1.0)


@kernel
def _write_kept(melds: Melds, kept: int, out: FloatArray) -> None:
    """Write which kinds there are in a set of cards, and of which there are several."""
    for kind in range(NUM_KINDS):
        cards = melds.places[kind] & kept
        out[KEEPS + kind] = cards != 0
        out[KEEPS_MORE + kind] = cards & (cards - 1) != 0


@kernel
def _write_card(known: Knowledge, kind: int, out: FloatArray) -> None:
    out[KIND + kind] = 1.0
    out[VALUE] = VALUES[kind] / MOST_VALUE
    out[UNSEEN] = known.unseen[kind] / COPIES[kind]
    out[LAST] = known.last_turns > 0


@kernel
def _write_meld(melds: Melds, kept: int, now: int, brings: Ints, out: FloatArray) -> None:
    """Write the best meld of a set of cards; ``now`` is the worth of the whole hand before."""
    worth = melds.worth[kept]
    _write_worth(worth, now, out)
    out[ALL_LAID] = melds.all_laid[kept] > NEVER
    # `points` is laid minus left over, and the value of the set is their sum.
    points = (worth - brings[figure_of(worth)]) // UNIT
    out[LEFT] = min(max((sum_of(melds.points, kept) - points) / 2 / MOST_LEFT, 0.0), 1.0)


@kernel
def _write_worth(worth: int, now: int, out: FloatArray) -> None:
    out[POINTS] = min(max(0.5 + 0.5 * (worth // UNIT) / MOST_POINTS, 0.0), 1.0)
    out[BONUS] = min(figure_of(worth) / MOST_BONUS, 1.0)
    out[GAIN] = min(max(0.5 + 0.5 * (worth - now) / UNIT / MOST_GAIN, 0.0), 1.0)
