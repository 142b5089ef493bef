"""A table of Quiddler Solitaire in words and in pictures."""
