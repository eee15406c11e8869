"""Tests of `dohyo.fuzz`."""
