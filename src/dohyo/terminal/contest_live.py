"""What a person sees while a contest runs: a table that is redrawn, or lines.

The table's ratings are fitted again from time to time, and never for more than a small share of the time: the
processor is needed for the bots.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.live import Live
from rich.text import Text

from dohyo.core.game import title_in
from dohyo.core.rulings_in_force import InForce
from dohyo.i18n import Speaker
from dohyo.series.standings import matches_of, standings_of
from dohyo.series.telling.cells import shortened
from dohyo.series.telling.words import format_in, last_line, time_left
from dohyo.terminal.screen import can_draw, console
from dohyo.terminal.standings import standing_table

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from dohyo.core.contest import Fixture, Result
    from dohyo.executors.played_again import CountsAgain
    from dohyo.series.session import ContestSession
    from dohyo.series.standings import Standings
    from dohyo.series.store.records import Progress

REDRAWN = 4  # times per second
SHARE = 0.05  # the part of the time that the live table's ratings may take
LINES = 10  # how many lines report the progress if there is no terminal
OPEN_LINE = 100  # matches per line, if their number is not known
BAR = 24  # letters
LEAST_BAR = 6  # of the same
GAP = "  "


class Counting:
    """What every display knows: how many matches there were, how many there will be, and how fast they are played."""

    def __init__(self, session: ContestSession, speaker: Speaker) -> None:
        self.session = session
        self.speaker = speaker
        progress = session.store.progress(session.contest.id)
        voided = len(session.store.voided(session.contest.id))  # they were played, too
        self.played = self.before = sum(batch.played for batch in progress) + voided
        self.aside = sum(batch.set_aside for batch in progress) - voided
        self._again = self._asked()
        self.total: int | None = None
        self.batch = max(0, len(progress) - 1)
        self.began = monotonic()
        self.counts: CountsAgain | None = None  # who plays, if that is known

    def on_batch(self, batch: Progress) -> None:
        """A batch begins."""
        self.batch = batch.batch
        self.total = matches_of(self.session.loop.format, self.session.store.progress(self.session.contest.id))

    def _asked(self) -> set[int]:
        """The matches that were played before, and are to be played again: they are counted already."""
        return {fixture.number for _, fixture in self.session.store.pending(self.session.contest.id)}

    def on_result(self, result: Result) -> None:
        """A match was played."""
        if result.fixture.number in self._again:
            self._again.discard(result.fixture.number)
        else:
            self.played += 1

    def on_aside(self, fixture: Fixture, error: str) -> None:
        """A match is not tried any more."""
        self.aside += 1

    def on_batch_over(self, batch: int) -> None:
        """A batch is over."""
        self._again = self._asked()

    def summary(self) -> str:
        """The progress, the speed, and the time that is left."""
        seconds = monotonic() - self.began
        here = self.played - self.before
        parts = [
            self.speaker.say("contest.done-open", played=self.played, batch=self.batch)
            if self.total is None
            else self.speaker.say("contest.done", played=self.played, total=self.total)
        ]
        if here and seconds:
            rate = here / seconds
            parts.append(self.speaker.say("contest.rate", rate=f"{rate:.0f}" if rate >= 10 else f"{rate:.2g}"))
            left = (self.total or 0) - self.played - self.aside
            if left > 0:
                parts.append(self.speaker.say("contest.left", left=time_left(left * seconds / here, self.speaker)))
        if self.aside:
            parts.append(self.speaker.say("contest.aside", count=self.aside))
        if self.counts is not None and self.counts.again:
            parts.append(self.speaker.say("contest.again", count=self.counts.again))
        return self.speaker.listed(parts)


class Lines(Counting):
    """Plain lines, if there is no terminal."""

    def __init__(self, session: ContestSession, speaker: Speaker) -> None:
        super().__init__(session, speaker)
        self._told = -1
        self._reason = ""  # of the last match that was left open

    def on_batch(self, batch: Progress) -> None:
        """Do not report again what was played before."""
        super().on_batch(batch)
        self._told = max(self._told, self._step())

    def on_result(self, result: Result) -> None:
        """Report the progress, after each tenth of the matches."""
        super().on_result(result)
        if self._step() > self._told:
            self._told = self._step()
            sys.stdout.write(self.summary() + "\n")
            sys.stdout.flush()

    def on_aside(self, fixture: Fixture, error: str) -> None:
        """Report a match that is not tried any more; a reason that many have is told once."""
        super().on_aside(fixture, error)
        before, self._reason = self._reason, last_line(error)
        if self._reason and self._reason == before:
            told = self.speaker.say("contest.aside-same", number=fixture.number)
        else:
            told = self.speaker.say("contest.aside-line", number=fixture.number, error=self._reason)
        sys.stdout.write(told + "\n")

    def _step(self) -> int:
        if self.total is None:
            return self.played // OPEN_LINE
        return self.played * LINES // max(1, self.total)


class Screen(Counting):
    """A table on a terminal, drawn by rich."""

    def __init__(self, session: ContestSession, speaker: Speaker) -> None:
        super().__init__(session, speaker)
        self._table: Standings | None = None
        self._next = 0.0
        self._heading = heading(session, speaker)

    def on_batch(self, batch: Progress) -> None:
        """Show the standings before the batch, if it is time to."""
        super().on_batch(batch)
        if self._table is None or monotonic() >= self._next:
            self._stand()

    def on_result(self, result: Result) -> None:
        """Show the new standings, if it is time to."""
        super().on_result(result)
        if monotonic() >= self._next:
            self._stand()

    def on_batch_over(self, batch: int) -> None:
        """Show the format's standings."""
        super().on_batch_over(batch)
        if monotonic() >= self._next:
            self._stand()

    def _stand(self) -> None:
        start = monotonic()
        loop = self.session.loop
        self._table = standings_of(self.session.store, self.session.contest, loop.format, loop.roster.entrants)
        spent = monotonic() - start
        self._next = monotonic() + max(1 / REDRAWN, spent * (1 / SHARE - 1))

    def __rich_console__(self, out: Console, options: ConsoleOptions) -> RenderResult:
        """The heading, the progress, and as many lines of the standings as fit on the terminal."""
        yield Text(self._heading, style="bold", no_wrap=True, overflow="ellipsis")
        summary = self.summary()
        yield Text.assemble(*self._bar(options.max_width - cell_len(summary) - len(GAP)), summary)
        if self._table is None:
            return
        yield Text()
        room = max(3, (out.size.height or 24) - 6)
        rows = len(self._table.rows)
        yield standing_table(self._table, self.speaker, rows if rows <= room else room - 1, options.max_width)
        if rows > room:
            yield Text(self.speaker.say("contest.more-rows", count=rows - room + 1), style="dim")

    def _bar(self, room: int) -> Sequence[Any]:
        """The bar and the gap behind it, as far as the words beside it leave it room: they are not cut for it."""
        if not self.total or room < LEAST_BAR:
            return ()
        whole = min(BAR, room)
        full = min(whole, (self.played + self.aside) * whole // self.total)
        return (("━" * full, "green"), ("━" * (whole - full), "bright_black"), GAP)


def heading(session: ContestSession, speaker: Speaker) -> str:
    """What is played, in one line."""
    spec, store, contest = session.spec, session.store, session.contest.id
    out = InForce(store.rulings_of_bots(contest)).disqualified
    # From the store: newcomers and new versions have entered there, and the roster reads it with the next batch.
    playing = sum(entrant.until is None and entrant.name not in out for entrant in store.entrants(contest))
    title = title_in(session.game, speaker)
    name = shortened(session.contest.name)
    return speaker.say(
        "contest.begins", name=name, title=title, format=format_in(spec.format, speaker), bots=playing, seed=spec.seed
    )


@contextmanager
def onlooker(session: ContestSession, speaker: Speaker, quiet: bool) -> Iterator[Counting]:
    """The display: none, a screen, or lines. The terminal is restored when this ends, however it ends."""
    if quiet:
        yield Counting(session, speaker)
        return
    if not can_draw():
        lines = Lines(session, speaker)
        sys.stdout.write(heading(session, speaker) + "\n")
        if lines.before:
            sys.stdout.write(speaker.say("contest.goes-on", played=lines.before) + "\n")
        sys.stdout.flush()
        yield lines
        return

    screen = Screen(session, speaker)
    live = Live(
        screen,
        console=console(),
        refresh_per_second=REDRAWN,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    with live:
        yield screen
