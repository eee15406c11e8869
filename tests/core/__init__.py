"""Tests of `dohyo.core`."""
