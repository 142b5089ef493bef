"""A table of Fiddlefoo in words and in pictures."""
