"""Tests of `dohyo.guests.haskell`."""
