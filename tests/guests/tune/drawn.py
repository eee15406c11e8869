"""What tests of tunings share: an executor whose matches are drawn by chance, from the values of the candidates."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from dohyo import games
from dohyo.bots import Bot
from dohyo.core import parameters
from dohyo.executors import MatchOrder, MatchReport
from dohyo.guests.tune.record import Record
from dohyo.guests.tune.space import read
from dohyo.guests.tune.tuning import Terms, Tuning

DUEL = games.find("wondev-woman")
BOT = Bot("bump", ("/bump",), "/", "0" * 64, "")
OTHER = Bot("other", ("/other",), "/", "1" * 64, "")
Strength = Callable[[dict[str, str]], float]  # of values by the names of variables, in Elo


class StoppedError(Exception):
    """The executor was stopped on request."""


class Drawn:
    """Draws each match by its own seed and seats; `reverse` reports in the other order, `most` ends in the middle."""

    workers = 1

    def __init__(self, strength: Strength, *, reverse: bool = False, most: int | None = None) -> None:
        self.strength, self.reverse, self.most = strength, reverse, most
        self.played: list[MatchOrder] = []

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """The reports of all orders."""
        for order in reversed([*orders]) if self.reverse else orders:
            if self.most is not None and len(self.played) >= self.most:
                raise StoppedError
            self.played.append(order)
            yield self.report(order)

    def report(self, order: MatchOrder) -> MatchReport:
        """What comes of a match."""
        first, second = (self.strength(parameters.parted(bot.command)[1]) for bot in order.bots)
        words = [parameters.given(bot.command) for bot in order.bots]
        wins = random.Random(f"{order.seed} {words}").random() < 1 / (1 + 10 ** ((second - first) / 400))
        return MatchReport(order.key, places=(1, 2) if wins else (2, 1))

    def close(self) -> None:
        """Nothing runs."""

    def __enter__(self) -> Drawn:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing runs."""


def bump(values: dict[str, str]) -> float:
    """600 Elo at a=0.7, nothing far from there, nor for a bot without a value."""
    a = float(values.get("DOHYO_PARAM_A", "-9"))
    return 600 * max(0.0, 1 - ((a - 0.7) / 0.3) ** 2)


def tuning(record: Record, params: Sequence[str] = ("a=0.0..1.0",), **terms: object) -> Tuning:
    """A tuning of a bot that nobody starts, against itself."""
    return Tuning(DUEL, BOT, [BOT], read(params), Terms(**{"seed": 4, "matches": 80, **terms}), record)  # type: ignore[arg-type]


def run(tuned: Tuning, executor: Drawn) -> Tuning:
    """Play a tuning until it is over, or stopped."""
    with suppress(StoppedError):
        for _ in tuned.play(executor):
            pass
    return tuned
