"""The line of progress on standard error, and what is said meanwhile."""

from __future__ import annotations

import io
import sys

import pytest

from dohyo.i18n import ENGLISH
from dohyo.terminal.screen import Progress, note


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_notice_stands_on_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shown of progress makes room for a sentence that stays; without progress it is only written."""
    monkeypatch.setattr(sys, "stderr", seen := _Terminal())
    with Progress(ENGLISH) as progress:
        progress.show("turn 1")
        before = len(seen.getvalue())
        note("Building sensei")
        assert seen.getvalue()[before:] == "\r      \rBuilding sensei\n"
        before = len(seen.getvalue())
        progress.show("turn 2")
        assert seen.getvalue()[before:] == "\rturn 2"
    before = len(seen.getvalue())
    note("Done")
    assert seen.getvalue()[before:] == "Done\n"
