"""Tests of `dohyo.guests.profile`."""
