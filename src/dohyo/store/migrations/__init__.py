"""How the tables came to be: one file in `versions` for each step, never changed once it was released, and never undone."""
