"""Tests of `dohyo.series.store`."""
