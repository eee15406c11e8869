"""Recorded matches as arrays."""
