"""Engines: programs that speak UCI or XBoard (CECP).

`engines.py` chooses between `uci.py` and `xboard.py`; `kept_engines.py` keeps an engine from match to match.
"""
