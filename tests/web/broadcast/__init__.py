"""Tests of `dohyo.web.broadcast`."""
