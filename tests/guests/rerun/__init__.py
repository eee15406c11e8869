"""Tests of `dohyo.guests.rerun`."""
