"""Tests of `dohyo.guests.analysis`."""
