"""What a site needs that runs for months.

Copies of it (`backup.py`), its log (`logs.py`), figures (`metrics.py`), room on its disk (`room.py`), what is
removed from it (`sweeping.py`, `files.py`) and from the cache of builds (`cache.py`).
"""
