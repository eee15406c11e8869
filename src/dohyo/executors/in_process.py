"""The executor in this process: one match after another, on all cores that this process may use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.executors.one_match import end_kept, play_order


class InProcess:
    """Plays matches in this process, one after the other.

    `play` raises `dohyo.match.play.Interrupted` for a signal during a match.
    """

    workers = 1

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play all orders; their reports."""
        for order in orders:
            yield play_order(order, "here")

    def close(self) -> None:
        """Between two reports nothing runs but players that are kept: end them."""
        end_kept()

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
