"""The broadcast of one contest: what is new, again and again, for whoever shows it.

What is told is a name and values, in an order in which it can be shown as it comes:

    match    the match that is shown from now on: its number, its seats, whether it is being played, or a film.
             What was told before it is needed no more
    turns    turns that happen now, `rate` a second: frames, moves, the number of each
    chances  each seat's chance after a turn, where that is known
    line     a sentence, see `Line`
    end      how the match ended: places, and why
    table    the standings, whenever they have changed
    next     who plays next, a few matches
    quiet    there is nothing to be shown at the moment

Theory of operation
-------------------
`more` is called several times a second and does what is due by then. The pace is made here, not where it is shown:
so all who watch see the same at the same time, and whoever comes later gets the match from its beginning on. What is
read costs time that bots may need. So standings are read anew only after a pause that is `SPARING` times as long as
reading took.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic, thread_time, time
from typing import Any, NamedTuple, Protocol

from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.game import State
from dohyo.core.playback import Moment
from dohyo.core.referee import outcome
from dohyo.core.replay import Result
from dohyo.i18n import Message
from dohyo.match.replays.live_match import LiveMatch, first_told, turn_told
from dohyo.series.broadcast.director import Director
from dohyo.series.broadcast.interest import Candidate, Interest, interest
from dohyo.series.broadcast.lines import Line, Lines
from dohyo.series.broadcast.moving import Streaks, moves
from dohyo.series.broadcast.showing import Showing, Stored, seen
from dohyo.series.broadcast.stage import LOOKED_AT, Stage, Table

TABLE = 2.0  # seconds between two looks at the standings, at least
SPARING = 30.0
SPOKEN = 12.0  # seconds between two sentences on who has moved: of quick bots places change all the time
CHOICE = 1.0  # seconds between two looks for another match
SCHEDULE = 10.0  # seconds between two looks at what comes next
STALE = 10.0  # seconds after its last line in which a match counts as being played
RESULT = 6.0  # seconds for which the result of a live match is waited for
RECENT = 180.0  # seconds after its end in which a match was just played
FILM = 250  # of the last matches, from which a film is made
WAITED = 3  # of those who were not shown for long, whose matches are looked for
NEXT = 3  # matches that are announced


class Told(NamedTuple):
    """Something that is told. With a match that `begins`, what was told before is needed no more."""

    name: str
    values: dict[str, Any]
    begins: bool = False


class Judging(Protocol):
    """Says chances, if it can, and later."""

    def ask(self, mark: tuple[int, int], state: State, seats: int) -> None:
        """Have a position judged, known by this mark; only if nothing else is being judged."""

    def answers(self) -> list[tuple[tuple[int, int], tuple[float, ...]]]:
        """What has been found since, by mark: the chance of each seat."""

    def close(self) -> None:
        """End it."""


class Programme:
    """What is broadcast of a stage."""

    def __init__(
        self, stage: Stage, judging: Judging | None = None, *, speed: float = 1.0, most: int | None = None
    ) -> None:
        """With `speed`, matches are shown so many times as fast as usual; it is over after `most` of them."""
        self.stage = stage
        self.is_over = False
        self._judging = judging
        self._speed = speed
        self._left = most
        self._director = Director()
        self._table: Table | None = None
        self._streaks = Streaks()
        self._showing: Showing | None = None
        self._lines: Lines | None = None
        self._names: list[str] = []
        self._last: Moment | None = None  # the turn that was shown last
        self._result: Result | None = None  # of the match that is shown, if its replay is there
        self._is_begun = False  # that the first position was told
        self._over_since: float | None = None
        self._looked = self._spoken = self._chosen = self._scheduled = float("-inf")
        self._rest = TABLE
        self._counted = -1
        self._wishes: list[int] = []
        self._upcoming: list[list[str]] = []  # who plays next
        self._is_quiet = False

    def close(self) -> None:
        """End it, and let go of what is open."""
        self._leave()
        if self._judging is not None:
            self._judging.close()
        self.stage.close()

    def more(self, now: float | None = None) -> list[Told]:
        """What is new."""
        real = monotonic() if now is None else now
        told = self._stand(real)
        self._announce(real)
        if self._table is None or not self._table.is_over:  # of a film nobody plays anything
            self.stage.wish(self._wishes, real)
        now = self._speed * real
        if self._director.wants(now) and now - self._chosen >= CHOICE:
            self._chosen = now
            told += self._choose(now)
        try:
            told += self._go_on(now)
        except (ReplayError, OperatorError, StopIteration):  # it does not follow from the rules: it is left
            self._leave()
            self._director.has_gone()
        return told

    # --- the standings

    def _stand(self, now: float) -> list[Told]:
        """The standings, if they have changed, and what is said of that."""
        if now - self._looked < self._rest:
            return []
        self._looked = now
        count = self.stage.count_played()
        was_over = self._table is not None and self._table.is_over
        if self._table is not None and count == self._counted and was_over:
            return []
        spent = thread_time()
        table, before, self._counted = self.stage.table(), self._table, count
        self._rest = max(TABLE, SPARING * (thread_time() - spent))
        if before is not None and table == before:
            return []
        self._table = table
        self._director.enter(each.number for each in self.stage.entrants())
        said = self._streaked(count)
        if before is not None and now - self._spoken >= SPOKEN:
            said += (moved := moves(before.known, table.known)[:1])
            self._spoken = now if moved else self._spoken
        if table.is_over and before is not None and not was_over and table.rows:
            said.append(Line(Message("broadcast.over", {"name": table.rows[0].name}), "table"))
        return [self._standings(), *map(_said, said)]

    def _standings(self) -> Told:
        assert self._table is not None
        return Told("table", {"table": self._table})

    def _streaked(self, count: int) -> list[Line]:
        found = self._streaks.new(self.stage.last(), count)
        return [
            Line(Message("broadcast.streak", {"name": self.stage.names[entrant], "count": wins}), "table")
            for entrant, wins in found
            if entrant in self.stage.names
        ]

    def _announce(self, now: float) -> None:
        """Look at what comes next, and what of it would be good to see."""
        if now - self._scheduled < SCHEDULE or self._table is None:
            return
        self._scheduled = now
        fixtures = [] if self._table.is_over else self.stage.upcoming()
        waiting = {entrant: at for at, entrant in enumerate(self._director.waiting()[:WAITED])}
        ranked = []
        for fixture in fixtures:
            match = Candidate(fixture.number, fixture.seats, True, is_decisive=self.stage.is_decisive(fixture))
            is_due = any(entrant in waiting for entrant in fixture.seats)
            ranked.append((self._worth(match).worth + is_due, -fixture.number))
        self._wishes = [-number for _, number in sorted(ranked, reverse=True)]
        self._upcoming = [[self.stage.names.get(entrant, "") for entrant in each.seats] for each in fixtures[:NEXT]]

    # --- which match is shown

    def _worth(self, match: Candidate) -> Interest:
        return interest(match, {} if self._table is None else self._table.known)

    def _choose(self, now: float) -> list[Told]:
        """Let the director choose, and begin with what it has chosen."""
        live = self._live()
        offered = [match for match, _ in live.values()] + self._stored()
        chosen = self._director.choose(offered, self._worth, now)
        if chosen is None:
            for _, match in live.values():
                match.close()
            is_new = self._director.now is None and not self._is_quiet
            self._is_quiet = self._is_quiet or is_new
            return [Told("quiet", {})] if is_new else []
        for number, (_, match) in live.items():
            if not (chosen.is_live and number == chosen.number):
                match.close()
        self._leave()
        if chosen.is_live:
            match = live[chosen.number][1]
            self._showing, count = Showing(match, now), None
            self._names = [seat.name for seat in match.seats]
        else:
            result = self.stage.result(chosen.number)
            replay = None if result is None else self.stage.replay(result)
            if replay is None:
                self._director.has_gone()
                return []
            count = len(replay.turns)
            self._showing, self._result = Showing(Stored(self.stage.game, replay), now, count), replay.result
            self._names = [seat.name for seat in replay.header.seats]
        return self._begin(chosen, count)

    def _begin(self, chosen: Candidate, count: int | None) -> list[Told]:
        """What is told of a match that is shown from now on."""
        known = {} if self._table is None else self._table.known
        is_film = not chosen.is_live and time() - chosen.at > RECENT
        names = [
            self.stage.names.get(entrant, name) for entrant, name in zip(chosen.seats, self._names, strict=False)
        ]
        self._names = [*names, *self._names[len(names) :]]
        self._lines = Lines(self.stage.game, chosen, self._names, known)
        self._is_quiet = self._is_begun = False
        seats = [
            {"entrant": entrant, "name": name, "place": there.place, "elo": there.elo}
            for entrant, name in zip(chosen.seats, self._names, strict=False)
            for there in [known.get(entrant)]
            if there is not None
        ]
        if len(seats) != len(self._names):
            seats = [{"entrant": None, "name": name, "place": None, "elo": None} for name in self._names]
        why = interest(chosen, known)
        values = {"number": chosen.number, "seats": seats, "live": chosen.is_live, "film": is_film, "count": count}
        told = [Told("match", values, begins=True), *([self._standings()] if self._table is not None else [])]
        told.append(Told("next", {"matches": self._upcoming}))
        return told + [_said(line) for line in self._lines.beginning(why)]

    def _live(self) -> dict[int, tuple[Candidate, LiveMatch]]:
        """The matches that are being played and were not shown, opened."""
        found = {}
        for each in self.stage.on_air():
            if time() - each.at > STALE or self._director.was_shown(each.number) or each.number in found:
                continue
            try:
                match = LiveMatch(self.stage.game, each.path, self.stage.delay)
            except OSError:
                continue
            try:
                match.has_ended()  # reads who plays
            except (OSError, ReplayError):
                match.close()
                continue
            seats = [self.stage.entrant_of(seat.name, seat.digest) for seat in match.seats]
            known = tuple(seat for seat in seats if seat is not None)
            if not seats or len(known) != len(seats):
                match.close()
                continue
            found[each.number] = Candidate(each.number, known, True), match
        return found

    def _stored(self) -> list[Candidate]:
        """Matches that were played: the last ones, and some of those who have waited."""
        is_film = not self.stage.is_live or (self._table is not None and self._table.is_over)
        results = {each.fixture.number: each for each in self.stage.last(FILM if is_film else LOOKED_AT)}
        for entrant in self._director.waiting()[:WAITED]:
            results |= {each.fixture.number: each for each in self.stage.last_of(entrant)}
        return [self.stage.candidate(each) for each in results.values() if each.replay is not None]

    def _leave(self) -> None:
        """Show nothing more of the match that is shown."""
        if self._showing is not None:
            self._showing.close()
        self._showing, self._lines, self._last, self._over_since, self._result = None, None, None, None, None

    # --- the match that is shown

    def _go_on(self, now: float) -> list[Told]:
        """The turns that are due, what is said of them, and how it ended."""
        if self._showing is None or self._lines is None:
            return []
        told: list[Told] = []
        if not self._is_begun:
            first = self._showing.first()
            if first is None and not self._showing.is_over:
                return []
            self._is_begun = True
            if first is not None:
                shown = {**first_told(self.stage.game, first, len(self._names)), "turn": None}
                told.append(Told("turns", {"rate": self._showing.rate, "turns": [shown]}))
        told += self._turns(self._showing.due(now), self._showing.rate, self._lines)
        told += self._judged(self._lines)
        if self._showing.is_over:
            self._over_since = now if self._over_since is None else self._over_since
            told += self._end(now, self._lines)
        return told

    def _turns(self, moments: Sequence[Moment], rate: float, lines: Lines) -> list[Told]:
        """Turns, with what is said of each; of too many some are only spoken of."""
        shown, said = [], []
        for moment, is_seen in zip(moments, seen(moments, rate), strict=True):
            self._last = moment
            for turn in turn_told(self.stage.game, moment):
                said += lines.turn(moment, turn["frame"])
                if is_seen:
                    shown.append(turn)
        if not shown:
            return list(map(_said, said))
        if self._judging is not None and self._last is not None and self._director.now is not None:
            mark = self._director.now.number, self._last.turn.turn
            self._judging.ask(mark, self._last.after, len(self._names))
        return [Told("turns", {"rate": self._speed * rate, "turns": shown}), *map(_said, said)]

    def _judged(self, lines: Lines) -> list[Told]:
        """Chances that were found meanwhile, of this match."""
        told = []
        for (number, turn), chances in () if self._judging is None else self._judging.answers():
            if self._director.now is not None and number == self._director.now.number:
                told.append(Told("chances", {"turn": turn, "chances": list(chances)}))
                told += map(_said, lines.chances(chances, turn))
        return told

    def _end(self, now: float, lines: Lines) -> list[Told]:
        """How the match ended, once that is known; then the director may choose another one."""
        assert self._director.now is not None
        assert self._over_since is not None
        found = self._ended(self._director.now.number)
        if found is None:
            if now - self._over_since >= RESULT:  # whoever played it has stopped
                self._done(now)
            return []
        self._done(now)
        places, reason = found
        turn = 0 if self._last is None else self._last.turn.turn
        values = {"places": list(places), "reason": reason, "turn": turn}
        return [Told("end", values), *map(_said, lines.ending(places, Message(reason), turn))]

    def _done(self, now: float) -> None:
        """The end was shown; the match has no more turns."""
        self._director.end_shown(now)
        if self._left is not None:
            self._left -= 1
            self.is_over = self._left <= 0
        if self._showing is not None:
            self._showing.close()
        self._showing = None

    def _ended(self, number: int) -> tuple[tuple[int, ...], str] | None:
        """The places that count, and the key of the reason; none while they are not known.

        What the operator's rules say of faults is in the store's places alone.
        """
        game, stored = self.stage.game, self.stage.result(number)
        result = self._result
        if result is None and self._last is not None and game.rules.over(self._last.after):
            result = outcome(game, self._last.after, len(self._names))
        if result is None and stored is not None and (replay := self.stage.replay(stored)) is not None:
            result = replay.result
        if result is None or result.unfinished:
            return None
        return (result.places if stored is None else stored.places), result.reason_key


def _said(line: Line) -> Told:
    return Told("line", {"line": line})
