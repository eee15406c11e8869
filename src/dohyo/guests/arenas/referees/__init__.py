"""Matches that a program of others referees.

`file.py` reads the operator's file about such a program, `match.py` plays one match by it, `process.py` is one run of
it, bounded in time and output.
"""
