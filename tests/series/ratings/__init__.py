"""Tests of `dohyo.series.ratings`."""
