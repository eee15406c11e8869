"""Contests as decisions: who plays whom next, who is better, how sure we are. Results in, decisions out; no I/O."""
