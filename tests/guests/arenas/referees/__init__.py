"""Tests of `dohyo.guests.arenas.referees`."""
