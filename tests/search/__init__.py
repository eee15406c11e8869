"""Tests of `dohyo.search`."""
