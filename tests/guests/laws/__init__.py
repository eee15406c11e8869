"""Tests of `dohyo.guests.starters`."""
