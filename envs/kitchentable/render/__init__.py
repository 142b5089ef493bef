"""The building blocks of the drawings and texts of all games."""
