"""Tests of `dohyo.guests`."""
