"""Tests of `dohyo.guests.cluster`."""
