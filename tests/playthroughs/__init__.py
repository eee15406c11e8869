"""Tests of `dohyo.playthroughs`."""
