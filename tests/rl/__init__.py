"""Tests of `dohyo.rl`."""
