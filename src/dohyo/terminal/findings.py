"""What is found wrong with a store or with results, for a person: sentence by sentence, and how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker, say

if TYPE_CHECKING:
    from dohyo.series.store.verify import Finding

MOST = 50  # findings that are printed
STEP = 1000  # matches between two reports of the progress


def tell(key: str, language: str, **details: object) -> None:
    """Print a sentence of the catalogue, cleaned."""
    sys.stdout.write(clean.line(say(key, language, **details)) + "\n")


def tell_findings(findings: Sequence[Finding], language: str) -> None:
    """Print the first findings, and how many more there are."""
    for finding in findings[:MOST]:
        sys.stdout.write(clean.line(sentence(finding, language)) + "\n")
    if len(findings) > MOST:
        tell("verify.more", language, count=len(findings) - MOST)


def progress(language: str) -> Callable[[int], None]:
    """What tells a person at a terminal how many matches were looked at."""
    is_watched = sys.stderr.isatty()

    def told(so_far: int) -> None:
        if is_watched and so_far % STEP == 0:
            sys.stderr.write(say("verify.so-far", language, count=so_far) + "\n")

    return told


def sentence(finding: Finding, language: str) -> str:
    """A finding in a person's language, also if it is an error's own sentence."""
    details = {
        name: value.say(Speaker(language)) if isinstance(value, OperatorError) else value
        for name, value in finding.details.items()
    }
    return say(finding.key, language, **details)
