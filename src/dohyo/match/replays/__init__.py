"""Replays as files.

`replays.py` saves, loads and verifies one; `last.py` keeps the last match; `replay_lines.py` writes one as JSON
Lines.
"""
