"""Puzzles: positions in which one action holds a win that all others give away, found in matches or written.

What a puzzle is: `puzzle.py`; the file that holds them, with what was tried on them: `file.py`. A bot is put into
their positions by `solving.py`. How hard a puzzle is, and how good who solves it: `ratings.py`. They are looked for
by the guest `puzzles`.
"""
