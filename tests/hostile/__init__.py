"""Tests of `dohyo.hostile`."""
