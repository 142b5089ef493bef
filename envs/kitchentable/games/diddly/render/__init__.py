"""A table of Diddly in words and in pictures."""
