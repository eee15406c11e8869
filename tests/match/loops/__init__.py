"""Tests of `dohyo.match.loops`."""
