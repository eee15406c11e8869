"""What a page asks of a sitting, as JSON: one wish in each request, and its answer.

    {"told": {"version": N, "epoch": N, "count": N, "eyes": SEAT or null}}    what is known now, see `Sitting.told`
    {"act": {"number": N, "line": TEXT}}      answer the question of this number
    {"why": {"number": N, "line": TEXT}}      why a line is no action now
    {"back" | "resign" | "hint": {"number": N}}

An answer to all but the first is {"said": SENTENCE}, which is empty where there is nothing to say, and for a hint
also the `action` that it names.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dohyo.match.choices import MAX_LINE
from dohyo.match.people.sitting import RefusedError, Sitting

MAX_WISH = 2000  # bytes


class Told(msgspec.Struct, forbid_unknown_fields=True):
    """What a page knows already."""

    version: int = -1
    epoch: int = 0
    count: int = 0
    eyes: int | None = None


class Answering(msgspec.Struct):
    """The question that is meant, and a line."""

    number: int
    line: str = ""


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """What a page wants; exactly one of these."""

    told: Told | None = None
    act: Answering | None = None
    why: Answering | None = None
    back: Answering | None = None
    resign: Answering | None = None
    hint: Answering | None = None


def read(body: bytes) -> Wish | None:
    """The wish in a request's body; none if there is none."""
    try:
        wish = msgspec.json.decode(body[: MAX_WISH + 1], type=Wish)
    except (msgspec.MsgspecError, UnicodeError):
        return None
    meant = [getattr(wish, name) for name in wish.__struct_fields__ if getattr(wish, name) is not None]
    return wish if len(body) <= MAX_WISH and len(meant) == 1 else None


def answered(sitting: Sitting, wish: Wish, wait: float) -> dict[str, Any]:
    """The answer to a wish. What is new is waited for, at most so many seconds."""
    if (known := wish.told) is not None:
        told: dict[str, Any] = sitting.told(known.version, known.epoch, known.count, known.eyes, wait)
        return told
    try:
        return _done(sitting, wish)
    except RefusedError as refused:
        return {"said": refused.said}


def _done(sitting: Sitting, wish: Wish) -> dict[str, Any]:
    """Do what is wanted. Raises `RefusedError`."""
    if wish.act is not None:
        sitting.act(wish.act.number, wish.act.line[: MAX_LINE + 1])
    elif wish.why is not None:
        return {"said": sitting.why_not(wish.why.number, wish.why.line[: MAX_LINE + 1])}
    elif wish.back is not None:
        sitting.back(wish.back.number)
    elif wish.resign is not None:
        sitting.resign(wish.resign.number)
    elif wish.hint is not None:
        return msgspec.to_builtins(sitting.hint(wish.hint.number))  # type: ignore[no-any-return]
    return {"said": ""}
