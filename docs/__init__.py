"""The documentation, and the code that generates its pages, tables and pictures."""
