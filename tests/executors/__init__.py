"""Tests of `dohyo.executors`."""
