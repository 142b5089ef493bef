"""Scripted players of Quiddler Solitaire."""
