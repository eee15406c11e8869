"""Tests of `dohyo.guests.jvm`."""
