"""Tests of the command `dohyo`, as a person or a script types it."""
