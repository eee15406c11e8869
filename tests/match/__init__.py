"""Tests of `dohyo.match`."""
