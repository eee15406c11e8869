"""Who is better, and how sure that is. Results in, strengths out; no I/O.

Ratings are fitted to all results at once: start with `ratings.py`, which uses `meetings.py` (results as pairs, seed
by seed), `bradley_terry.py` (the model and its fit) and `intervals.py` (how certain it is); the sums over results are
in `plain.py`, and with NumPy in `arrays.py`. `ladder_ratings.py` follows results seed by seed, for formats that pair
by strength.
"""
