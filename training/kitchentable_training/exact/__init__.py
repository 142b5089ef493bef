"""Full game trees of small tables: exact best responses, equilibria, files for OpenSpiel."""
