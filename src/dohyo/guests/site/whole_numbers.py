"""Numbers that somebody writes into a form: also in full-width digits, as Japanese keyboards write them."""

from __future__ import annotations

from dohyo.match.clocks import narrow

MAX_DIGITS = 10


def in_ascii(word: str) -> str:
    """What was written for a number, without blanks around it, and with full-width signs as the usual ones."""
    return narrow(word).strip()


def whole(word: str, least: int, most: int) -> int | None:
    """The whole number that was written; none where it is no number, or not within these bounds."""
    plain = in_ascii(word)
    if not plain.isascii() or not plain.isdecimal() or len(plain) > MAX_DIGITS:
        return None
    return number if least <= (number := int(plain)) <= most else None
