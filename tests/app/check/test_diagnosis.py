"""Diagnosis: what a crash report of each language comes to, and how its output is flushed."""

from __future__ import annotations

import pytest

from dohyo.app.check.diagnosis import crash_line
from dohyo.languages import flush_hint

PYTHON = """Traceback (most recent call last):
  File "/x/bot.py", line 3, in <module>
    main()
  File "/x/plan.py", line 7, in main
    raise KeyError('no')
KeyError: 'no'
"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: no
	at Plan.best(Plan.java:7)
	at Bot.main(Bot.java:3)
"""
NODE = """/x/plan.js:7
Error: no
    at best (/x/plan.js:7:9)
    at Object.<anonymous> (/x/bot.js:3:1)
"""
RUST = """thread 'main' panicked at src/plan.rs:7:9:
error: no
"""
GO = """panic: runtime error: index out of range
goroutine 1 [running]:
main.best(...)
	/x/plan.go:7
main.main()
	/x/bot.go:3 +0x1d
"""


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (PYTHON, "plan.py:7: KeyError: 'no'"),
        (JAVA, 'Plan.java:7: Exception in thread "main" java.lang.IllegalStateException: no'),
        (NODE, "plan.js:7: Error: no"),
        (RUST, "plan.rs:7: error: no"),
        (GO, "plan.go:7: panic: runtime error: index out of range"),
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
