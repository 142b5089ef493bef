"""Scripted players of Fiddlefoo."""
