"""What is told of a fault, as a person reads it."""

from __future__ import annotations

from dohyo.core.faults import Fault
from dohyo.i18n import Catalogue, Speaker
from dohyo.i18n.speaker import NOTHING


def detail(fault: Fault, language: str = "en", own: Catalogue = NOTHING) -> str:
    """What exactly happened; `own` are a game's sentences."""
    return Speaker(language, own).say_any(fault.told)
