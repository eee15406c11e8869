"""Tests of `dohyo.system`."""
