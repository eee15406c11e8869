"""Tests of `dohyo.classics.connect_four`."""
