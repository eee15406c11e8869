"""Tests of `dohyo.guests.tune`."""
