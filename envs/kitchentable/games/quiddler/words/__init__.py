"""Word lists, the words that a hand of cards can spell, and the best way to lay them.

`lexicon` reads a word list and builds two structures from it: a `graph`, which spelling follows
card by card, and a `hand_index`, which tells whether a set of cards spells a word. With these,
`solver` finds all that a hand can lay, `arrange` chooses the best way to lay it, and `meld` offers
this to users. `rebuild` makes the word lists that are shipped with the package.
"""
