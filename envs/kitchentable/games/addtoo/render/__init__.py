"""Text, sentences and pictures of an Add-Too table."""
