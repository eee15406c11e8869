"""Tests of `dohyo.quality`."""
