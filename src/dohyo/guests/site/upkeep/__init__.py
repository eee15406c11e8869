"""A site that runs for months: copies of it (`backup.py`), its log (`logs.py`), figures (`metrics.py`), room on its
disk (`room.py`), what is removed from it (`sweeping.py`, `files.py`) and from the cache of builds (`cache.py`)."""
