"""Guests: what is not needed to play, judge, keep and show matches of programs.

Each folder is one guest. It comes in by a door, an entry point of `pyproject.toml`, as a package from outside would
(`docs/doors.md`). The rest of Dohyo does not know it by name, and guests do not know each other.
"""
