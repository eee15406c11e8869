"""A contest to watch: `dohyo watch`, in the terminal or as a page for a big screen.

What is shown and said comes from `dohyo.series.broadcast`, the page from `dohyo.web.broadcast`. `screen.py` shows it
in a terminal, `command.py` is the command.
"""
