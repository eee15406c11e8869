"""Tests of `dohyo.games.shoot_em_up`."""
