"""Tests of `dohyo.bots`."""
