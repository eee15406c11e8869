"""Tests of `dohyo.series.broadcast`."""
