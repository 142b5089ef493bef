"""Scripted players of Quiddler."""
