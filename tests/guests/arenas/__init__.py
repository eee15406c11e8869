"""Matches that a program of others referees."""
