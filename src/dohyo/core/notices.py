"""Notices to the operator besides a command's result, given by any code as soon as they are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

Hearer = Callable[[str, dict[str, object]], None]
_HEARERS: list[Hearer] = []


class Tell(Protocol):
    """Receives messages that a person may want to read."""

    def __call__(self, key: str, **details: object) -> None:
        """A key of the catalogue, and the values of its sentence's placeholders."""


def tell(key: str, **details: object) -> None:
    """Give the sentence of this key to the current listener; without one, nothing happens."""
    for hear in _HEARERS:
        hear(key, details)


@contextmanager
def heard_by(hear: Hearer) -> Iterator[None]:
    """Notices inside this context go to this listener, each only once."""
    known: set[str] = set()

    def once(key: str, details: dict[str, object]) -> None:
        what = repr((key, sorted(details.items())))
        if what not in known:
            known.add(what)
            hear(key, details)

    _HEARERS.append(once)
    try:
        yield
    finally:
        _HEARERS.remove(once)
