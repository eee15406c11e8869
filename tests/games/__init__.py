"""Tests of `dohyo.games`."""
