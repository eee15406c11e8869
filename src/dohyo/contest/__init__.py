"""Contests as decisions: who plays whom next, who is better, how sure we are. Results in, decisions out; no I/O.

`formats/` says who plays whom next. Ratings are fitted to all results at once: start with `ratings.py`, which uses
`result_arrays.py` (results as arrays, and their pairs), `bradley_terry.py` (the model and its fit), `bootstrap.py`
(intervals) and `spread.py` (how far apart strengths are, if results decide who meets). `ladder_ratings.py` follows
results one by one, for formats that pair by strength. `sequential.py` decides when a comparison of two bots may stop.
The values themselves (entrant, fixture, result) are in `core/contest.py`. `libraries.py` imports NumPy and SciPy,
which are not installed with Dohyo itself.
"""
