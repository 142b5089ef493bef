"""The rules of Quiddler Solitaire for people; see `kitchentable.render.rulebook`."""

from __future__ import annotations

from kitchentable.games.quiddler.cards import CARD_NAMES, DECK, NUM_CARDS
from kitchentable.games.quiddler.render.cards import FACES
from kitchentable.games.quiddler.render.rulebook import deck_parts, words_part
from kitchentable.games.quiddler.solitaire.state import NUM_DEALT, NUM_STACKS, STACK_SIZE, Params
from kitchentable.games.quiddler.words.lexicon import find_lexicon
from kitchentable.render.phrases import number_word
from kitchentable.render.rulebook import SETUP, Figure, Sections, cards_picture
from kitchentable.render.scene import GREEN

OPEN = "th e b e a r d s"
"""The open cards of the example, one on each stack."""
IN_WORD = 5
"""How many of them are in its word, from the left."""


def rulebook(params: Params) -> Sections:
    """Return the rules."""
    names = OPEN.split()
    word = "".join(names[2 : 2 + IN_WORD]).upper()
    notes = [f"stack {i + 1}{' *' * (2 <= i < 2 + IN_WORD)}" for i in range(NUM_STACKS)]
    faces = [FACES[CARD_NAMES.index(name)] for name in names]
    return {
        "Components": [*deck_parts(DECK), words_part(len(find_lexicon(params.lexicon)))],
        SETUP: [
            f"Deal {NUM_STACKS} stacks of {STACK_SIZE} cards: {STACK_SIZE - 1} face down and the "
            f"last one face up on top. The other {NUM_CARDS - NUM_DEALT} cards are not used, and "
            "you do not know which they are. If the open cards make no word, deal again.",
        ],
        "A turn": [
            "Make a word of two or more of the open cards, from as many stacks. You spell it card "
            "by card; a card can be added only if the open cards can still complete a word.",
            "The cards of the word are removed, and each stack that they came from turns up its "
            "next card.",
            "If a stack is used up, its place is filled: the stack with the most cards gives its "
            "open card away and turns up the next one. A stack of one card gives nothing away, so "
            "places stay empty late in the game.",
            Figure(
                f"Example: the cards marked * make {word}. They are removed, and their "
                f"{number_word(IN_WORD)} stacks turn up a new card each.",
                cards_picture(list(zip(faces, notes, strict=True)), GREEN),
            ),
        ],
        "End of the game": [
            f"You win when all {NUM_DEALT} cards are used up in words. You lose when the open "
            "cards make no word.",
        ],
        "Scoring": [
            "The score is the number of cards that you have used; their points do not matter here."
        ],
    }
