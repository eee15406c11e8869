"""What the tests of exports share with those of other commands."""

from __future__ import annotations

from tests.cli.conftest import copy_of, folder, held, new_process, once, typed, without_processes

__all__ = ["copy_of", "folder", "held", "new_process", "once", "typed", "without_processes"]
