"""Tests of `dohyo.series.formats`."""
