"""A table of Add-Too in words and in pictures."""
