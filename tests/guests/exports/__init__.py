"""Tests of `dohyo.guests.exports`."""
