"""Players that are kept from one match of a series to the next, of whatever kind."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Protocol


class Keeper(Protocol):
    """Keeps the players of one kind."""

    def pause(self) -> None:
        """A match begins: pause all that wait."""

    def close(self) -> None:
        """End all that wait."""


class Kept:
    """What each kind of player keeps. One thread's; `close` ends it."""

    def __init__(self) -> None:
        self._keepers: dict[Callable[[], Keeper], Any] = {}

    def of(self, made: Callable[[], Any]) -> Any:
        """The keeper that a kind has `made`, the same one in every match."""
        if made not in self._keepers:
            self._keepers[made] = made()
        return self._keepers[made]

    def pause(self) -> None:
        """A match begins: pause all that wait; those that play in it go on when they are taken."""
        for keeper in self._keepers.values():
            keeper.pause()

    def close(self) -> None:
        """End all that wait."""
        with ExitStack() as ends:
            for keeper in self._keepers.values():
                ends.callback(keeper.close)
