"""Contests as decisions: who plays whom next, who is better, how sure we are. Results in, decisions out; no I/O.

`formats/` says who plays whom next. Ratings are fitted to all results at once: start with `ratings.py`, which uses
`meetings.py` (results as pairs, seed by seed), `bradley_terry.py` (the model and its fit) and `intervals.py` (how
certain it is); the sums over results are in `plain.py`, and with NumPy in `arrays.py`. `ladder_ratings.py` follows
results seed by seed, for formats that pair by strength. `sequential.py` decides when a comparison of two bots may
stop. The values themselves (entrant, fixture, result) are in `core/contest.py`.
"""
