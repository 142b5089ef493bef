"""A table of Quiddler in words and in pictures."""
