"""Tests of `dohyo.bench`."""
