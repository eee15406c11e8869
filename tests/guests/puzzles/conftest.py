"""Fixtures of the command line, for the tests of the puzzles' command."""

from __future__ import annotations

from tests.cli.conftest import folder, new_process, typed, without_processes

__all__ = ["folder", "new_process", "typed", "without_processes"]
