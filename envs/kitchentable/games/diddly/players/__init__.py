"""Scripted players of Diddly."""
