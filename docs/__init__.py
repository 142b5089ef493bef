"""The documentation, and what makes its pages, tables and pictures."""
