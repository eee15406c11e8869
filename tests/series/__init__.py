"""Tests of `dohyo.series`."""
