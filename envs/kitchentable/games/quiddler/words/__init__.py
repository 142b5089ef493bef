"""The word lists that come with the package, and the script that makes them."""
