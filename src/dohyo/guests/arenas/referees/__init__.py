"""Matches that a program of others referees.

`kind.py` is what comes in by the door `referees`. `file.py` reads the operator's file about such a program into the
terms of `terms.py`, `match.py` plays one match by it, `process.py` is one run of it, bounded in time and output.
"""
