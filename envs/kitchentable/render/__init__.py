"""What drawings and texts of all games are made of."""
