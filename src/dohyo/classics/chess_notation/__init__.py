"""What chess players exchange: positions (`fen.py`), moves (`san.py`), games (`pgn.py`), openings (`openings.py`).

For Chess960 there are its starts and rights to castle (`chess960.py`).

All of it is made from the rules of `classics/chess.py`, which the functions here are given as a `Game` or as a state:
no rule is written here again.
"""
