"""What is found wrong with a store or with results, for a person: sentence by sentence, and how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from dohyo import clean
from dohyo.i18n import Message, Speaker, say

MOST = 50  # findings that are printed
STEP = 1000  # matches between two reports of the progress


def tell(key: str, language: str, **details: object) -> None:
    """Print a sentence of the catalogue, cleaned."""
    sys.stdout.write(clean.line(say(key, language, **details)) + "\n")


def tell_findings(findings: Sequence[Message], language: str) -> None:
    """Print the first findings, and how many more there are."""
    for finding in findings[:MOST]:
        sys.stdout.write(clean.line(Speaker(language).say(finding)) + "\n")
    if len(findings) > MOST:
        tell("verify.more", language, count=len(findings) - MOST)


def progress(language: str) -> Callable[[int], None]:
    """What tells a person at a terminal how many matches were looked at."""
    is_watched = sys.stderr.isatty()

    def told(so_far: int) -> None:
        if is_watched and so_far % STEP == 0:
            sys.stderr.write(say("verify.so-far", language, count=so_far) + "\n")

    return told
