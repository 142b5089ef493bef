"""Scripted players of Add-Too."""
