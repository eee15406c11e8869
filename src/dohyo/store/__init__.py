"""What was played: bots, contests and results in a database, replays and archives as files. Append-only."""
