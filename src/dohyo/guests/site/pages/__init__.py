"""The site's pages, each a function of a request: `accounts.py`, `ladders.py`, `hand_ins.py`, `matches.py`."""
