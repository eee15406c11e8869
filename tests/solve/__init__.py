"""Tests of `dohyo.solve`."""
