"""Engines: programs that speak UCI or XBoard (CECP).

`group.py` asks the engines of a match: `uci.py`, `xboard.py` (what these are told: `uci_protocol.py`,
`xboard_protocol.py`; in a recorded match: `telling.py`). `words.py` reads the operator's words for them, `options.py`
asks an engine which options it has, also for `dohyo check`, `kept.py` keeps an engine from match to match; `kind.py`
joins these.
"""
