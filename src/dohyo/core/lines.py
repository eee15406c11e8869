"""The lines of a replay, in which turns that were played quickly become objects only when somebody reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple, overload

from dohyo.core.replay import Move, Turn

DIGEST = 8  # characters


class PlayedTurns(NamedTuple):
    """Turns in which one seat moved, and replied with an action's exact text: columns, a row for each turn.

    What it `said` was legal and carried out, or it had no choice, and another of the `actions` was.
    """

    seats: Sequence[int]
    actions: Sequence[int]
    said: Sequence[int]
    seconds: Sequence[float]  # to the microsecond
    digests: str  # of the states after the turns, 8 characters each


Waiting = tuple[int, PlayedTurns, int, tuple[int, ...], Sequence[str]]  # a place, and what `add_played` is given


class Lines(MutableSequence[Turn]):
    """The lines of a replay; to be used as a list of `Turn`.

    A match is often played for its result alone, and making the objects of a turn takes as long as a fiftieth of the
    turn. So the referee hands over columns (`add_played`), and the first look at any line makes the lines of all.
    """

    def __init__(self, turns: Iterable[Turn] = ()) -> None:
        """Begin with these."""
        # The lines that are made, and what is waiting for its place behind them.
        self._parts: tuple[list[Turn], list[Waiting]] = list(turns), []

    def add_played(self, played: PlayedTurns, first: int, rolled: tuple[int, ...], texts: Sequence[str]) -> None:
        """Add turns as columns: the number of the `first`, the dice before it, and the text of each action."""
        made, waiting = self._parts
        waiting.append((len(made), played, first, rolled, texts))

    def _all(self) -> list[Turn]:
        """All lines, made if they were not."""
        made, waiting = self._parts
        if waiting:
            lines = list(chain.from_iterable(_lines_of(*each[1:]) for each in waiting))
            del made[waiting[0][0] :]  # what Ctrl-C has left there before the last of these steps
            made += lines
            self._parts = made, []
        return made

    def __len__(self) -> int:
        made, waiting = self._parts
        return (waiting[0][0] if waiting else len(made)) + sum(len(played.seats) for _, played, *_ in waiting)

    def __iter__(self) -> Iterator[Turn]:
        return iter(self._all())

    @overload
    def __getitem__(self, at: int) -> Turn: ...
    @overload
    def __getitem__(self, at: slice) -> list[Turn]: ...
    def __getitem__(self, at: int | slice) -> Turn | list[Turn]:
        return self._all()[at]

    def __setitem__(self, at: Any, line: Any) -> None:
        self._all()[at] = line

    def __delitem__(self, at: int | slice) -> None:
        del self._all()[at]

    def insert(self, at: int, line: Turn) -> None:
        """Put a line before the one at this place."""
        self._all().insert(at, line)

    def append(self, line: Turn) -> None:
        """Add a line at the end."""
        self._all().append(line)

    def __add__(self, more: Iterable[Turn]) -> list[Turn]:
        return [*self, *more]

    def __radd__(self, more: Iterable[Turn]) -> list[Turn]:
        return [*more, *self]

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, Lines) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce__(self) -> Any:
        return list, (self._all(),)

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Turn]:
        from copy import deepcopy

        return deepcopy(self._all(), memo)


def _lines_of(played: PlayedTurns, first: int, rolled: tuple[int, ...], texts: Sequence[str]) -> list[Turn]:
    """The lines of turns that were columns."""
    # Without Python code between two lines: that would take as long as the lines.
    words = map(texts.__getitem__, played.actions)
    if played.said is played.actions:
        moves = zip(map(Move, played.seats, words, played.seconds))
    else:
        both = zip(played.said, played.actions, strict=True)
        replies = (None if said == action else texts[said] for said, action in both)
        moves = zip(map(Move, played.seats, words, played.seconds, replies))
    digests = [played.digests[at : at + DIGEST] for at in range(0, len(played.digests), DIGEST)]
    numbers = range(first, first + len(played.seats))
    return list(map(Turn, numbers, chain((rolled,), repeat(())), moves, digests))
