"""Tests of `dohyo.guests.broadcast`."""
