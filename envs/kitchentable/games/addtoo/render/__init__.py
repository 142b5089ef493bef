"""A table of Add-Too as text, in sentences and in pictures."""
