"""What a broadcast reads: a contest's standings, matches that were played, are played and come next.

It asks for no lease and writes nothing into the store, so whoever plays the contest never waits for it. Beside the
store it says that somebody watches (`dohyo.executors.told`).
"""

from __future__ import annotations

from contextlib import suppress

import msgspec

from dohyo import clean
from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.executors.told import AGAIN, OnAir, all_on_air, watch
from dohyo.series.broadcast.interest import Candidate, Known
from dohyo.series.loop import BRACKET
from dohyo.series.renaming import under_names
from dohyo.series.session import view_of
from dohyo.series.standings import GONE, Standings, matches_of
from dohyo.series.store import Store
from dohyo.series.versions import version_numbers
from dohyo.series.watched import live_folder, series_of

LOOKED_AT = 40  # of the last matches
OF_ONE = 4  # of the last matches of whoever has waited
AHEAD = 200  # scheduled matches that are looked at
MAX_WISHES = 24
MAX_SCHEDULE = 20_000  # matches of a batch: of a longer one, what comes next is not looked for
LONGEST_NAME = 60
MAX_REPLAY = 32 << 20  # bytes


class Row(msgspec.Struct, frozen=True):
    """A line of the standings as it is shown: `figure` is the rating, or points where there is none."""

    entrant: int
    name: str
    place: int | None
    figure: float
    matches: int
    is_rated: bool = False


class Table(msgspec.Struct, frozen=True):
    """The standings at a moment: of all who play, how many matches were played, of how many (none: not known)."""

    rows: tuple[Row, ...] = ()
    known: dict[int, Known] = {}
    played: int = 0
    total: int | None = None
    is_over: bool = False


class Stage:
    """The contest of this name in a store, or the only one; what is read of it at this moment.

    Raises `OperatorError` where there is none, or where it has no rules to show a match with.
    """

    delay = 0  # turns by which a match is shown later than it is played

    def __init__(self, store: Store, name: str | None = None, *, is_live: bool = True) -> None:
        self.store = store
        self.contest = store.contest(name)
        self._view = view_of(store, self.contest, results=False)
        self.game: Game = self._view.game
        if self.game.referee is not None:
            raise OperatorError("watch-refereed", name=self.contest.name)
        self.is_live = is_live
        self._live = live_folder(store) if is_live else None
        self._series = series_of(self.contest)
        self._marked: float | None = None
        self._wished: tuple[int, ...] = ()
        self.names: dict[int, str] = {}
        self._final: dict[int, bool] = {}  # by batch
        self._sides: dict[tuple[str, str], int] = {}  # entrants by name and digest
        self._learn(self._view.entrants)

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def table(self) -> Table:
        """The standings now."""
        self.contest = self.store.contest(self.contest.name)
        self._view = view = view_of(self.store, self.contest)
        self._learn(view.entrants)
        standings = view.standings()
        is_over = self.contest.state == "over"
        return Table(
            rows_of(standings, self.names),
            known_of(standings, self.names),
            sum(batch.played for batch in view.progress),
            matches_of(view.format, view.progress, is_over),
            is_over,
        )

    def entrants(self) -> list[Entrant]:
        """Who takes part at the moment."""
        return [each for each in self._view.entrants if not each.is_away]

    def count_played(self) -> int:
        """How many matches have a result that counts: quick to read."""
        return self.store.count_played(self.contest.id)

    def last(self, most: int = LOOKED_AT) -> list[Result]:
        """The last results, ascending by number."""
        return list(self.store.last_played(self.contest.id, most))

    def last_of(self, entrant: int, most: int = OF_ONE) -> list[Result]:
        """The last results of somebody."""
        return list(self.store.last_played(self.contest.id, most, [entrant]))

    def result(self, number: int) -> Result | None:
        """The result of a match, if it has one."""
        return next(iter(self.store.results_of(self.contest.id, [number])), None)

    def upcoming(self, most: int = AHEAD) -> list[Fixture]:
        """The matches that are drawn and have no result, ascending."""
        batch = self.store.batch(self.contest.id, max(0, self.store.count_batches(self.contest.id) - 1))
        if batch is None or batch.complete or batch.size > MAX_SCHEDULE:
            return []
        return list(self.store.unplayed(self.contest.id, batch.batch))[:most]

    def is_decisive(self, fixture: Fixture) -> bool:
        """Whether nobody else plays in this round of a knock-out."""
        if self._view.format.info.draws != BRACKET:
            return False
        if fixture.batch not in self._final:
            there = {frozenset(each.seats) for each in self.store.scheduled(self.contest.id, fixture.batch)}
            self._final[fixture.batch] = len(there) == 1 and fixture.batch > 0
        return self._final[fixture.batch]

    def replay(self, result: Result) -> Replay | None:
        """The match of a result; none where it is gone, or is no replay of this game."""
        if result.replay is None:
            return None
        try:
            replay = decode(self.store.files.get(result.replay, MAX_REPLAY))
        except (OperatorError, ReplayError):
            return None
        if replay.header.game != self.game.name:
            return None
        return under_names(replay, [self._view.entrants[each].name for each in result.fixture.seats])

    def candidate(self, result: Result) -> Candidate:
        """A match that was played, as the director takes it."""
        fixture = result.fixture
        has_fault = any(result.faults)
        return Candidate(
            fixture.number,
            fixture.seats,
            False,
            result.places,
            result.scores,
            self.is_decisive(fixture),
            has_fault,
            result.at,
        )

    # --- while it is played

    def on_air(self) -> list[OnAir]:
        """The matches that are being written turn by turn."""
        return [] if self._live is None else all_on_air(self._live, self._series)

    def wish(self, wishes: list[int], now: float) -> None:
        """Say that somebody watches, and what he would like to see."""
        wanted = tuple(wishes[:MAX_WISHES])
        if self._live is None or (self._marked is not None and now - self._marked < AGAIN and wanted == self._wished):
            return
        self._marked, self._wished = now, wanted
        with suppress(OSError):  # a store that can only be read: then nothing is seen while it is played
            self._live.mkdir(mode=0o700, parents=True, exist_ok=True)
            watch(self._live, self._series, wanted)

    def entrant_of(self, name: str, digest: str) -> int | None:
        """Who a seat of a match is, by its bot."""
        return self._sides.get((name, digest))

    def _learn(self, entrants: list[Entrant]) -> None:
        numbers = version_numbers((each.number, each.name) for each in entrants)
        shown = {each.number: clean.line(each.name)[:LONGEST_NAME] for each in entrants}
        self.names = {
            number: f"{name} v{numbers[number]}" if number in numbers else name for number, name in shown.items()
        }
        self._sides = {(each.name, each.version.digest): each.number for each in entrants}


def rows_of(standings: Standings, names: dict[int, str]) -> tuple[Row, ...]:
    """The lines of those who still play, the best first."""
    found = []
    for row in standings.rows:
        if row.state in GONE:
            continue
        is_rated = standings.rated and row.elo is not None
        figure = row.elo if is_rated and row.elo is not None else row.points
        found.append(Row(row.entrant, names[row.entrant], row.place, figure, row.matches, is_rated))
    return tuple(found)


def known_of(standings: Standings, names: dict[int, str]) -> dict[int, Known]:
    """What the standings say of each who takes part."""
    return {
        row.entrant: Known(names[row.entrant], row.place, row.elo, row.low, row.high, row.matches)
        for row in standings.rows
    }
