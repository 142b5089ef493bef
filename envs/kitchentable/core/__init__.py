"""What a game is: its record, parameters, rule functions, random stream, and where it is found."""
