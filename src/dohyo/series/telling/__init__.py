"""A contest in words and tables, for whoever shows it: a terminal, a page, a forum.

`cells.py` is the table of standings, column by column; `words.py` are sentences on how far a contest is, what is
open, why bots fail; `markdown.py` is the table for a forum; `document.py` is all of it as one JSON document.
"""
