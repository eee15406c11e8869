"""Tests of `dohyo.guests.game_programs`."""
