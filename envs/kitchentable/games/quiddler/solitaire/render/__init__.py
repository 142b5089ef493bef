"""Text and pictures of a table of Quiddler Solitaire."""
