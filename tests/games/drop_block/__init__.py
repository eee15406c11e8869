"""Tests of `dohyo.games.drop_block`."""
