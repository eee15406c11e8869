"""The steps by which the tables changed, one file for each, in the order that their revisions say.

`first.py` made the tables; each other file adds what its name says.
"""
