"""Tests of what `dohyo` is for programs in Python: the scripts of people who use it."""
