"""Tests of `dohyo.guests.reports`."""
