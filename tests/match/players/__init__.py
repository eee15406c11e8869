"""Tests of `dohyo.match.players`."""
