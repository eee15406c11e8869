"""Tests of `dohyo.guests.bundles`."""
