"""Tests of `dohyo.kaggle`."""
