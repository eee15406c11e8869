"""Tests of `dohyo.guests.verify`."""
