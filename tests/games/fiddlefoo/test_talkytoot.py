"""Examples of Fiddlefoo's expansion cards: when paired, thrown, drawn or scored, and together."""

import pytest
from tests.games.fiddlefoo.play import Table

at = Table.at
DISCARD = "take a card out of the game"
YELLOW = "Y3@5,5 R5@5,6"
"""Yellow cards go to ``5,7`` at a distance of 1, red ones to ``5,4``."""
MOVE = "P1@5,5 R5@5,6 B2@6,6 B7@4,6"
BLUE = "B1@5,5 Y1@5,6"
"""``B16@5,7`` makes a pair of distance 1 with 2 to 15 in its range."""
SWAP, FOR = "choose a hand card to swap", "choose a map card to swap it with"
STUCK = "P4 P13"
"""A hand that cannot throw at a distance of 1, nor play where there is no purple card."""
BOTH = "hand_match_penalty hand_match_note_penalty"


def drawn(pile: str, *, places: str = YELLOW, card: str = "R1@5,4", keeps: str = "Y16 R16"):
    """Return a table where player_1 could not play, and so has drawn from this pile."""
    hand = f"{card.partition('@')[0]} {keeps}"
    return at(places, hand, STUCK, pile=pile).play(card)


def penalized(card: str, matching: str, other: str) -> None:
    """Check that a card draws another one if the last card played is a certain one."""
    places = "B1@5,5 R5@5,6"
    drawn(f"{card} Y2 Y4", places=places, card=matching, keeps="R1").follow(
        f"-> hand 1 = Y2 {STUCK} {card}; known 1 = {card}; pile = Y4"
    )
    drawn(f"{card} Y2 Y4", places=places if "B" in other else YELLOW, card=other).follow(
        f"-> hand 1 = {STUCK} {card}; known 1 ="
    )


WHEN_PAIRED = {
    "discard takes a hand card out of the game": lambda: at(
        YELLOW, "discard Y16 R1 B2", "Y5 R3"
    ).follow(
        f"discard@5,7 -> asks = 0 {DISCARD}; legal = card:Y16 card:R1 card:B2 pass",
        "card:R1 -> hand 0 = Y16 B2; out has R1; asks = 1 throw",
    ),
    "move puts a map card elsewhere whatever the colors": lambda: at(
        MOVE, "move R1", "Y5 R3"
    ).follow(
        # Neither a card of the pair nor, once it is lifted, its own cell may be chosen.
        "move@5,7 -> asks = 0 choose a card to move; legal = pass map:R5 map:B2 map:B7",
        "map:B2 -> asks = 0 choose a cell to move it to",
        "-> options cell = 3,6 4,5 4,7 5,4 5,8 6,5 6,7",
        "cell:4,7 -> map = B7@4,6 B2@4,7 P1@5,5 R5@5,6 move@5,7; hand 0 = R1",
    ),
    # Otherwise the penalty card drawn next would compare with blue and draw another card.
    "a moved card makes no pair and was not added by a play": lambda: at(
        MOVE, "move R1", "Y5", pile="hand_match_penalty Y1"
    ).follow(
        "move@5,7 map:B2 cell:3,6 -> asks = 0 choose a card to play; pile = Y1",
        "-> hand 1 = Y5 hand_match_penalty",
    ),
    # With purple as any color, `move` and `discard` make a pair.
    "the effect of the card played comes before its partner's": lambda: [
        at(f"{old}@5,5 R5@5,6 B2@6,6", f"{new} Y16", "R4 P7", wildcard=True).follow(
            f"{new}@5,7 -> asks = 0 {first}", f"pass -> asks = 0 {then}",
            "pass -> asks = 1 choose a card to play",
        )
        for new, old, first, then in (
            ("move", "discard", "choose a card to move", DISCARD),
            ("discard", "move", DISCARD, "choose a card to move"),
        )
    ],
    "play_again plays a card of another color, not one received, after the throws": lambda: at(
        "P10@5,5 R5@5,6 Y1@6,5", "play_again R1 Y16 P16", "P7 B12", "R6 B3"
    ).follow(
        "play_again@5,7 -> asks = 1 throw",
        ">P7 -> asks = 0 play again; legal = card:Y16 card:R1 pass",
        "card:R1 -> asks = 0 choose a cell for it; options cell = 5,4 5,8",
    ),
    # The color of the turn's first card stays barred; a received card may be played.
    "play_again gives another play each time it is paired": lambda: at(
        "play_again@5,5 R5@5,6", "Y16 Y2 B1", "R9 B16", wildcard=True
    ).follow(
        "Y16@5,7 >R9 -> asks = 0 play again; legal = card:R9 card:B1 pass",
        "R9@5,8 -> asks = 0 play again; legal = card:B1 pass",
        "B1@5,9 -> hand 0 = Y2; current_player = 1",
    ),
    "remove_cards takes up to three map cards out of the game": lambda: at(
        "R10@5,5 Y5@5,6 B2@6,6 P1@4,6 B9@3,6", "remove_cards R16", "Y16 R3"
    ).follow(
        "remove_cards@5,7 -> asks = 0 remove cards from the map",
        "-> legal = pass map:Y5 map:B2 map:B9 map:P1",
        "map:Y5 map:P1 -> legal = pass map:B2 map:B9",
        "map:B2 -> map = B9@3,6 R10@5,5 remove_cards@5,7; asks = 1 throw",
        "-> out has Y5; out has P1; out has B2",
    ),
}  # fmt: skip
WHEN_THROWN = {
    "draw makes the thrower draw one": lambda: at(BLUE, "B16 R1", "draw Y3", pile="P4 P1").follow(
        "B16@5,7 >draw -> hand 1 = Y3 P4; hand 0 = R1 draw; known 0 = draw; known 1 =; pile = P1"
    ),
    "notes_match_penalty costs two cards if it was thrown for its notes": lambda: at(
        "Y1@5,4 R5@5,6", "Y3 R16", "notes_match_penalty R1", pile="P4 P1 P7"
    ).follow(
        "Y3@5,7 >notes_match_penalty -> hand 1 = R1 P1 P4; known 1 =; pile = P7",
        "-> asks = 1 choose a card to play",
    ),
    # At a distance of 2 the card fits both ways.
    "notes_match_penalty costs nothing in the range": lambda: at(
        "Y3@5,4 R5@5,6", "Y16 R1", "notes_match_penalty B8 R3", pile="P4 P1 P7"
    ).follow("Y16@5,7 >notes_match_penalty -> hand 1 = R3 B8"),
    # No notes card may follow.
    "wildcard_throw can be thrown at any pair as a range card": lambda: at(
        YELLOW, "Y4 R1", "wildcard_throw B2 R3"
    ).follow(
        "Y4@5,7 -> options throw = B2 wildcard_throw",
        ">wildcard_throw -> asks = 1 choose a card to play",
    ),
    "wildcard_throw can be thrown at a Safe Song after the draw": lambda: at(
        "Y3@5,2 R5@5,6", "Y16 R1", "wildcard_throw Y5 R8", "R3 Y4", pile="B1"
    ).follow(
        "Y16@5,7 -> hand 0 = R1 B1; asks = 1 throw; options throw = wildcard_throw",
        ">wildcard_throw -> hand 0 = R1 B1 wildcard_throw; asks = 1 choose a card to play",
    ),
    "a draw from an empty pile falls away and may end the game": lambda: at(
        BLUE, "B16 R1", "draw"
    ).follow("B16@5,7 >draw -> over = True"),
}  # fmt: skip
WHEN_DRAWN = {
    "reveal_to_all is known while in that hand": lambda: drawn("reveal_to_all").follow(
        f"-> hand 1 = {STUCK} reveal_to_all; known 1 = reveal_to_all"
    ),
    "effects of draws do not happen to cards received": lambda: at(
        "Y1@5,5 R5@5,6", "Y16 R1", "reveal_to_all instaplay R3"
    ).follow(
        "Y16@5,7 >instaplay >reveal_to_all -> asks = 1 choose a card to play",
        "-> known 0 = instaplay reveal_to_all",
    ),
    "instaplay is played at once as a full play": lambda: drawn(
        "instaplay P1", keeps="Y5 Y16"
    ).follow(
        "-> asks = 1 choose a cell for it; options cell = 5,3 5,7; known 1 = instaplay",
        "cell:5,7 -> asks = 0 throw; options throw = Y5 Y16",
        # Then player_1's turn is over.
        f">Y5 -> hand 1 = Y5 {STUCK}; asks = 0 choose a card to play; pile = P1",
    ),
    "instaplay without a legal cell stays in the hand unseen": lambda: drawn(
        "instaplay P1", card="Y16@5,7", keeps="R1 R16"
    ).follow(f"-> hand 1 = {STUCK} instaplay; known 1 =; asks = 0 choose a card to play"),
    "hand_match_penalty draws another if the last card has its color": lambda: penalized(
        "hand_match_penalty", "B16@5,7", "R1@5,4"
    ),
    "hand_match_note_penalty draws another if the last card has its notes": lambda: penalized(
        "hand_match_note_penalty", "B8@5,7", "B7@5,7"
    ),
    # Neither a card just swapped in nor one just swapped out may be chosen.
    "swap_map swaps three hand cards with map cards": lambda: drawn(
        "swap_map B9", card="Y16@5,7", keeps="B1"
    ).follow(
        f"-> asks = 1 {SWAP}; legal = card:P4 card:P13 card:swap_map; known 1 = swap_map",
        f"card:P4 -> asks = 1 {FOR}; legal = map:Y3 map:Y16 map:R5; known 1 = P4 swap_map",
        "map:Y3 -> map = P4@5,5 R5@5,6 Y16@5,7; known 1 = Y3 swap_map",
        "-> legal = card:P13 card:swap_map",
        "card:swap_map -> legal = map:Y16 map:R5",
        "map:R5 card:P13 map:Y16 -> map = P4@5,5 swap_map@5,6 P13@5,7",
        "-> hand 1 = Y3 Y16 R5; known 1 = Y3 Y16 R5; asks = 0 choose a card to play; pile = B9",
    ),
    "penalties of draws follow one another": lambda: drawn(
        f"{BOTH} Y2 Y4", places="B1@5,5 R5@5,6", card="B9@5,7", keeps="R1"
    ).follow(f"-> hand 1 = Y2 {STUCK} {BOTH}; known 1 = {BOTH}"),
    "swap_map swaps as many cards as there are": lambda: at(
        YELLOW, "Y16 R1", "P4", pile="swap_map B9"
    ).follow(
        "Y16@5,7 card:P4 map:R5 card:swap_map map:Y3 -> hand 1 = Y3 R5",
        "-> asks = 1 choose a card to play",
    ),
}  # fmt: skip
TOGETHER = {
    "instaplay in the middle of throws and back": lambda: at(
        BLUE, "B16 B2 R16", "draw B4 R2", "B9 Y4 R12", pile="instaplay P1"
    ).follow(
        "B16@5,7 >draw -> asks = 1 choose a cell for it",
        # With Y1: 2 to 5, a distance of 1; the seat to the left of player_1 throws first.
        "cell:5,8 -> asks = 2 throw; options throw = Y4",
        ">Y4 -> asks = 0 throw; options throw = R16 B2",  # a notes card; not `draw`, just received
        # At player_0 again: neither B2, just received, nor R2 for its note.
        ">B2 -> asks = 1 throw; options throw = B4",
        ">B4 -> asks = 2 throw",
        ">B9 -> hand 0 = R16 B4 B9 draw; hand 1 = Y4 R2 B2; asks = 1 choose a card to play",
    ),
    "instaplay at a Safe Song is played before the throws": lambda: at(
        "Y1@9,2 R9@9,3 B1@5,2 R5@5,6", "B16 R1", "wildcard_throw Y4", pile="instaplay P1"
    ).follow(
        "B16@5,7 -> asks = 0 choose a cell for it",
        "cell:9,4 -> options throw = Y4 wildcard_throw",
        ">Y4 pass -> asks = 1 throw; options throw = wildcard_throw",  # at the Safe Song
        ">wildcard_throw -> hand 0 = Y4 R1 wildcard_throw; pile = P1; over = True",
    ),
    "a penalty of two cards goes on after instaplay with whoever has to draw": lambda: at(
        "B1@5,4 Y1@5,6 R9@5,9", "B16 R14 R16", "notes_match_penalty B4 R2", "draw B9 R12",
        pile="instaplay P1 P4 P7",
    ).follow(
        "B16@5,7 >notes_match_penalty -> asks = 1 choose a cell for it",
        "cell:5,10 >draw -> hand 2 = R12 B9 P1; hand 1 = R2 B4 P4 draw; asks = 2 throw",
    ),
    # A card swapped in from the map does not count as received; player_1 then draws, as it cannot
    # play.
    "a pair stands as made when its cards are swapped away": lambda: at(
        f"{BLUE} B9@4,6", "B16 R16", "draw B4 P16", pile="swap_map P1"
    ).follow(
        "B16@5,7 >draw card:P16 map:B9 card:swap_map map:B1 card:B4 map:B16 -> asks = 1 throw",
        "-> options throw = B9",
        ">B9 -> hand 0 = R16 B9 draw; hand 1 = B1 B16 P1",
    ),
    # Player_1 plays a second card in the turn of player_0, who began with blue.
    "the first color of a turn holds for everybody in it": lambda: at(
        "B1@5,5 R5@5,6 play_again@4,6 R16@3,6", "B16 R14", "draw Y16 B2 R1",
        pile="instaplay P1", wildcard=True,
    ).follow("B16@5,7 >draw cell:6,6 -> asks = 1 play again; legal = card:Y16 card:R1 pass"),
}  # fmt: skip
EXAMPLES = WHEN_PAIRED | WHEN_THROWN | WHEN_DRAWN | TOGETHER


@pytest.mark.parametrize("rule", EXAMPLES)
def test_examples(rule):
    EXAMPLES[rule]()


# --- What may be thrown, and where a card may go --------------------------------------------------

ALL = "B4 P7 Y3 R2 Y10 R12 notes_match_forbid"
THROWN = [
    ("the other color", "Y3@5,5 B5@5,6", "wildcard_pair@5,7", "Y5 Y8 R5 R6 B6 P7", "Y5 Y8"),
    ("any color", "throw_other_colors@5,5 Y5@5,6", "R1@5,7", ALL, "Y3 R2 B4 P7"),
    ("no Safe Song", "safety_rule_disable@5,2 Y5@5,6", "R1@5,7", "Y8 R5 Y2", "Y8 R5"),
    ("not in the range", "P1@5,5 R5@5,6", "P16@5,7", "notes_match_forbid P7", "P7"),
    ("but for its notes", "R1@5,2 Y5@5,6", "safety_rule_disable@5,7", "notes_match_forbid P7",
     "notes_match_forbid"),
    ("stays with three cards", "P1@5,5 R5@5,6", "P16@5,7", "cant_throw P7 R3", "P7"),
    ("goes from four", "P1@5,5 R5@5,6", "P16@5,7", "cant_throw P7 R3 R4", "P7 cant_throw"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "places", "play", "hand", "fits"), THROWN)
def test_what_may_be_thrown(rule, places, play, hand, fits):
    table = Table.at(places, f"{play.partition('@')[0]} B13", hand, pile="B1").play(play)
    assert table.options("throw") == fits, rule
    assert table.hand(0) == "B13", "no Safe Song draws a card"


LIMITS = [
    ("B3@5,5 Y5@5,6", "range_limit", False), ("B2@5,5 Y5@5,6", "range_limit", True),
    ("range_limit@5,5 Y5@5,6", "B11", False), ("range_limit@5,5 Y5@5,6", "B12", True),
    ("B3@5,5 Y5@5,6", "B7", True),
    # The limit is for the pair that counts, and no second-best one is taken in its place.
    ("range_limit@5,5 Y5@5,6 B9@3,7", "B11", False),
    ("range_limit@5,5 Y5@5,6 B16@3,7", "B11", True),
    *((f"{one}@5,{column} Y5@5,6", other, column > 3) for column in (3, 4, 5)
      for one, other in (("R1", "distance_limit"), ("distance_limit", "R1"))),
    ("R1@5,3 Y5@5,6", "R12", True),
    ("Y3@5,5 R5@5,6", "wildcard_pair", False),  # it is red beside red
]  # fmt: skip


@pytest.mark.parametrize(("places", "card", "goes"), LIMITS)
def test_where_a_card_may_go(places, card, goes):
    table = Table.at(f"{places} Y4@8,8 B4@8,9", f"{card} Y16", "P1")
    assert ("5,7" in table.cells(card)) == goes


@pytest.mark.parametrize(("hand", "points"), [
    ("score_double_worst", 2),
    ("score_double_worst P1", 2 + 1),
    ("score_double_worst notes_match_forbid", 8 + 4),
    ("score_minus_conditional R1", -10 + 1),
    ("score_minus_conditional R1 R2", 3 + 1 + 1),
    ("score_minus_conditional discard R1 R2", -10 + 3 + 1 + 1),
    ("score_minus_conditional R1 remove_cards", 3 + 1 + 1),
    ("score_double_worst score_minus_conditional", 6 - 10),
    ("score_double_worst score_minus_conditional P4", 6 + 3 + 2),
])  # fmt: skip
def test_hands_are_scored_by_the_rules_of_their_cards(hand, points):
    ranks = "2 1" if points < 0 else "1 2"
    at("Y3@5,2 R5@5,6", "Y16", hand).follow(
        f"Y16@5,7 -> over = True; totals = 0 {points}; ranks = {ranks}"
    )
