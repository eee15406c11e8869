"""Who takes part: accounts, sessions, what may be tried how often."""
