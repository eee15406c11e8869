"""What the operator is told beside a command's result, by whoever finds it out, as soon as it is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Hearer = Callable[[str, dict[str, object]], None]
_HEARERS: list[Hearer] = []


def tell(key: str, **details: object) -> None:
    """Tell the sentence of this key to whoever hears; where nobody does, nothing happens."""
    for hear in _HEARERS:
        hear(key, details)


@contextmanager
def heard_by(hear: Hearer) -> Iterator[None]:
    """What is told inside is told to this hearer, each notice once."""
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
