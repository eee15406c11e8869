"""Tests of `dohyo.executors.refereed`."""
