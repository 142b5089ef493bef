"""Small tables walked whole: exact best responses, equilibria, and files for OpenSpiel."""
