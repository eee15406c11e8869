"""What is found wrong with a store or with results, for a person: sentence by sentence, and how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from dohyo import clean
from dohyo.i18n import Message, Speaker

MOST = 50  # findings that are printed
STEP = 1000  # matches between two reports of the progress


def tell(key: str, speaker: Speaker, **details: object) -> None:
    """Print a sentence of the catalogue, cleaned."""
    sys.stdout.write(clean.line(speaker.say(key, **details)) + "\n")


def tell_findings(findings: Sequence[Message], speaker: Speaker) -> None:
    """Print the first findings, and how many more there are."""
    for finding in findings[:MOST]:
        sys.stdout.write(clean.line(speaker.say(finding)) + "\n")
    if len(findings) > MOST:
        tell("verify.more", speaker, count=len(findings) - MOST)


def progress(speaker: Speaker) -> Callable[[int], None]:
    """What tells a person at a terminal how many matches were looked at."""
    is_watched = sys.stderr.isatty()

    def told(so_far: int) -> None:
        if is_watched and so_far % STEP == 0:
            sys.stderr.write(speaker.say("verify.so-far", count=so_far) + "\n")

    return told
