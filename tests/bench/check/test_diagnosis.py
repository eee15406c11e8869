"""Diagnosis: what a crash report of each language comes to, and how its output is flushed."""

from __future__ import annotations

import pytest

from dohyo.bench.check.diagnosis import diagnose_fault
from dohyo.core.faults import Fault, FaultKind
from dohyo.languages import flush_hint
from dohyo.languages.traces import crash_line

PYTHON = """Traceback (most recent call last):
  File "/x/bot.py", line 3, in <module>
    main()
  File "/x/plan.py", line 7, in main
    raise KeyError('no')
KeyError: 'no'
"""


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (PYTHON, "plan.py:7, in main: KeyError: 'no'"),
        ("first\nlast\n", "last"),
        ("", ""),
    ],
)
def test_a_crash_report_in_one_line(report: str, line: str) -> None:
    """The line of the source where it went wrong, and the error: in Python the last place, elsewhere the first."""
    assert crash_line(report) == line


def test_flushing_in_a_language() -> None:
    """A language that we know has its own code for flushing, any other has none."""
    assert flush_hint("python") == "print(answer, flush=True)"
    assert flush_hint("whitespace") is None


@pytest.mark.parametrize(
    ("errors", "remedy"),
    [
        ("OSError: [Errno 30] Read-only file system: 'log.txt'", "check.may-not-write"),
        ("Error: EROFS: read-only file system, open 'log.txt'", "check.may-not-write"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'", "check.sees-its-copy"),
    ],
)
def test_the_remedy_for_a_file(errors: str, remedy: str) -> None:
    """It works at home, where a bot may write into its folder and reads what lies beside it: so that is said."""
    fault = Fault(FaultKind.EXITED, status=1)
    assert diagnose_fault(fault, 1.0, 1, errors).remedy == remedy
