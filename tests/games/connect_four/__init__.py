"""Tests of `dohyo.games.connect_four`."""
