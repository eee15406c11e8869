"""People as players: the word `me` in the place of a bot's name.

`kind.py` reads the word, `group.py` asks whoever sits at the match's desk (`dohyo.match.people`), `terminal.py` is
the desk in a terminal. A page's desk is the core's own, `dohyo.match.people.sitting`.
"""
