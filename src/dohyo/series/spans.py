"""Numbers of matches in few words."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.i18n import Speaker

MAX_SPANS = 8  # that are named


def numbers(found: Sequence[int], speaker: Speaker) -> str:
    """Ascending numbers in few words: those that follow each other as one span."""
    spans: list[list[int]] = []
    for number in found:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    told = [
        str(first) if first == last else speaker.say("numbers.span", first=first, last=last)
        for first, last in spans[:MAX_SPANS]
    ]
    return ", ".join([*told, *(["..."] if len(spans) > MAX_SPANS else [])])
