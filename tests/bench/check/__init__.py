"""Tests of `dohyo.bench.check`."""
