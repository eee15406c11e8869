"""What search has proven of a match: results of positions, and decisions after which the result was worse."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from dohyo.core.game import Game
from dohyo.guests.analysis.kept import PlayedTurn
from dohyo.series.analyst import Analyst, Judged
from dohyo.series.branches import end_of

LONGEST = 8.0  # seconds for a proof


class ProvenMistake(NamedTuple):
    """A decision after which its seat's result was worse than it could have been, as search has proven.

    `left` and `kept` are the seat's share of the first place after what was played, and after the better action.
    """

    place: int
    seat: int
    played: int
    better: int
    left: float
    kept: float


def more(
    analysts: Sequence[Analyst], judged: dict[int, Judged], moments: Sequence[PlayedTurn], end: float | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give positions whose result is not proven more time, up to a moment of `time.monotonic`; none: no more.

    `judged` are positions by place, and is brought up to date. They are gone through from the end of the match on:
    proofs help each other. Yields each place with a new proof, and what is known of its chances (`Chances`).
    """
    unproven = [place for place, one in sorted(judged.items(), reverse=True) if one.proven is None]
    if end is None or not unproven:
        return
    free = list(analysts)

    def prove(place: int) -> Judged:
        analyst = free.pop()  # there are as many as threads
        try:
            left = max(0.0, min(LONGEST, (end - time.monotonic()) / 2))
            return analyst.prove(judged[place], moments[place].before, left)
        finally:
            free.append(analyst)

    with ThreadPoolExecutor(len(free)) as pool:
        found = dict(zip(unproven, pool.map(prove, unproven), strict=True))
    for place, one in found.items():
        judged[place] = one
        if one.proven is not None:
            yield place, {"chance": one.chance, "low": one.chance, "high": one.chance, "proven": True}


def mistakes(
    game: Game, judged: Mapping[int, Judged], moments: Sequence[PlayedTurn], only: int | None
) -> list[ProvenMistake]:
    """Decisions after which the seat's result was worse than it could have been: both are proven.

    `judged` are the true states by place. With `only` a seat, those of that seat.
    """
    found = []
    known = {place: one for place, one in judged.items() if one.proven is not None}
    for place, one in known.items():
        seat = one.proven.seat  # type: ignore[union-attr]
        after = known[place + 1].chance if place + 1 in known else _end(game, moments, place)
        played = moments[place].actions[seat]
        if after is None or played is None or only not in (None, seat) or after[seat] >= one.chance[seat]:
            continue
        options, proven = one.options[seat], one.proven.result  # type: ignore[union-attr]
        best = [each.action for each in one.proven.actions if each.result == proven]  # type: ignore[union-attr]
        better = max((each for each in best if each != played), key=lambda each: options[each][::-1], default=None)
        if better is None:
            continue
        found.append(ProvenMistake(place, seat, played, better, after[seat], one.chance[seat]))
    return found


def _end(game: Game, moments: Sequence[PlayedTurn], place: int) -> tuple[float, ...] | None:
    """By seat the share of the first place, if the match was over after this turn."""
    moment = moments[place]
    if place + 1 < len(moments) or not game.rules.over(moment.after):
        return None
    return end_of(game, moment.after, len(moment.actions)).shares
