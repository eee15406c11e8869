"""Vocabulary shared by every room: games, states, faults, replays, the referee. No I/O, no clock."""
