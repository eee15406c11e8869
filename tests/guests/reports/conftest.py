"""What these tests share with those of other commands and of other pages: a folder, words typed, a browser."""

from __future__ import annotations

from tests.cli.conftest import copy_of, folder, held, once, typed, without_processes
from tests.web.conftest import pages, pages_of_file, show, visit

__all__ = [
    "copy_of",
    "folder",
    "held",
    "once",
    "pages",
    "pages_of_file",
    "show",
    "typed",
    "visit",
    "without_processes",
]
