"""Text and pictures of a Diddly table."""
