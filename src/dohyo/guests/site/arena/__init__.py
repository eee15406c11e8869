"""What people hand in, and where it plays: hand-ins, ladders, standings."""
