"""HTML pages and pictures of results."""
