"""The definition of a game: state record, parameters, rule functions, random stream, registry."""
