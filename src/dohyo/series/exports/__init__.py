"""A series of matches as other programs read it: CSV, JSON, Parquet, PGN."""
