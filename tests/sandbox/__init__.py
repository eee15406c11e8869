"""Tests of `dohyo.sandbox`."""
