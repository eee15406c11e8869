"""Tests of `dohyo.i18n`."""
