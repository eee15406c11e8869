"""Tests of `dohyo.sim`."""
