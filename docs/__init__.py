"""What makes the README's tables and pictures."""
