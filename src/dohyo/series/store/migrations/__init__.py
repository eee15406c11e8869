"""How the tables came to be: one file in `versions` for each step.

A step that was released is never changed, and never undone.
"""
