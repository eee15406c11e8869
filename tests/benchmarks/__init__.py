"""Tests of `dohyo.benchmarks`."""
