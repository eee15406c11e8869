"""Tests of `dohyo.games.wondev_woman`."""
