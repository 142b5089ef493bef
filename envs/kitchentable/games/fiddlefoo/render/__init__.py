"""Text and picture rendering of Fiddlefoo."""
