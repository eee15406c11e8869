"""Puzzles from matches: they are looked for, checked twice, and solved in a browser.

`searching.py` goes through matches (`matches.py` finds them) and keeps what it finds in a file. Where two seats see
all, `proving.py` proves; elsewhere `trying.py` plays on. `serving.py` gives the page on which they are solved. What a
puzzle is, its file, and bots that solve them: `dohyo.series.puzzles`.
"""
