"""Tests of `dohyo.games.abotcalypse`."""
