"""Words: which ones count, what a hand of cards can spell of them, and how it is laid best.

`lexicon` reads word lists and keeps them as a `graph`, which spelling walks along, and as a
`hand_index`, which says whether a set of cards spells a word. With these `solver` finds all that a
hand can lay, `arrange` lays it as well as can be, and `meld` does so for people. `rebuild` makes
the word lists that come with the package.
"""
