"""The steps by which the tables changed, one file for each, in the order that their revisions say.

`first.py` makes the tables of version 0.1.0; no other step has been needed.
"""
