"""The players of a match, whatever they are.

`players.py` asks all of them side by side. `player.py` is what each of them has to offer: a process for a match
(`per_match.py`), a process for a turn (`per_turn.py`), an object of this process (`in_process.py`). `engines/` are
programs that speak UCI or XBoard, `servers/` are addresses that are asked over HTTP.
"""
