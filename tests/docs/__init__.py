"""The documentation: its site, its reference, and what its pages tell people to type."""
