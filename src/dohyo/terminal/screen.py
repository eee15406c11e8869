"""What commands print with: a console, tables, and harmless forms of strangers' texts."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, ClassVar, Protocol

from dohyo import clean
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.table import Table

    from dohyo.bots.bot import Bot
    from dohyo.core.replay import Replay, Seat
    from dohyo.match.telling.summary import SeatSummary, Summary

WIDE = 240  # columns, if no terminal sets a limit
HEADING = 9  # columns at least for what stands before facts
NAME = 64  # characters of a bot's name in a table


def can_draw() -> bool:
    """Whether standard output is a terminal on which a picture can be redrawn."""
    return sys.stdout.isatty() and os.environ.get("TERM") not in (None, "", "dumb", "unknown")


def console() -> Console:
    """Standard output: as wide as the terminal; without a terminal, as wide as needed and without colours.

    With `NO_COLOR` in the environment there is no style at all, where rich alone would still write in bold.

    Control characters of printed texts are removed; only rich's own sequences remain. This is the last protection: it
    does not prevent a text from imitating a row of a table.
    """
    is_seen = sys.stdout.isatty()
    return _console_type()(
        width=None if is_seen else WIDE,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=not is_seen,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


def console_to(file: IO[str]) -> Console:
    """A console that writes to a file, as wide as needed and without colours."""
    return _console_type()(
        file=file, width=WIDE, highlight=False, markup=False, emoji=False, soft_wrap=True, color_system=None
    )


@cache
def _console_type() -> type[Console]:
    from rich.console import Console as RichConsole
    from rich.segment import Segment as RichSegment

    class Output(RichConsole):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            """The segments to draw, with cleaned texts; control segments come from rich itself."""
            for text, style, control in super().render(renderable, options):
                yield RichSegment(text if control else clean.controls(text), style, control)

        def print(self, *objects: Any, **how: Any) -> None:
            """Print; sentences in wide letters are broken by width, as there are few spaces to break them at."""
            wraps = not how.get("soft_wrap", self.soft_wrap)
            if wraps and any(isinstance(each, str) and not each.isascii() for each in objects):
                from dohyo.terminal.folding import folded

                objects = tuple(folded(each, self.width) if isinstance(each, str) else each for each in objects)
            super().print(*objects, **how)

        def on_broken_pipe(self) -> None:
            """Raise an error for the closed pipe, which the command handles, instead of exiting at once."""
            raise BrokenPipeError

    return Output


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = (), named: int | None = None
) -> Table:
    """A plain table; the columns in `right` are numbers, the one that is `named` holds names from strangers.

    A name that does not fit is cut: a second line of it could look like a row.
    """
    from rich.table import Table as RichTable

    made = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for at, heading in enumerate(headings):
        made.add_column(heading, justify="right" if at in right else "left")
    for row in rows:
        made.add_row(*row)
    if named is not None:
        made.columns[named].no_wrap, made.columns[named].overflow = True, "ellipsis"
    return made


def show(made: Table, out: Console) -> None:
    """Print a table; in a file without the spaces at the ends of lines."""
    if out.is_terminal:
        out.print(made, soft_wrap=False)
        return
    with out.capture() as captured:
        out.print(made, soft_wrap=False)
    for line in captured.get().splitlines():
        out.print(line.rstrip())


def side_by_side(facts: Sequence[tuple[str, str]], speaker: Speaker) -> list[str]:
    """A line for each heading and fact: facts stand below each other, however wide the letters before them."""
    from rich.cells import cell_len

    named = [(speaker.labelled(heading), clean.line(fact)) for heading, fact in facts]
    wide = max(HEADING + 1, *(cell_len(name) for name, _ in named))
    return [f"{name}{' ' * (wide - cell_len(name))} {fact}" for name, fact in named]


def bot_names(seats: Iterable[Seat | SeatSummary | Bot]) -> list[str]:
    """The names of the bots on the seats; with the language, if several have the same name but for its capitals."""
    known = list(seats)
    bearers = [name for name, _ in {(seat.name.casefold(), seat.digest) for seat in known}]
    return [
        clean.line(f"{clean.line(seat.name, NAME)} ({seat.language})", NAME + NAME)
        if seat.language and bearers.count(seat.name.casefold()) > 1
        else clean.line(seat.name, NAME)
        for seat in known
    ]


def print_json(summary: Summary, more: Mapping[str, object]) -> None:
    """Print a match's summary and `more` as one JSON document."""
    import msgspec

    sys.stdout.write(clean.document({**msgspec.to_builtins(summary), **more}))


@contextmanager
def picture(out: Console, speaker: Speaker, lines: Callable[..., list[str]]) -> Iterator[Callable[..., None]]:
    """What to call with each new state: it draws the `lines` of that state in the place of those before.

    It draws no more often than a person can follow. What it has drawn is gone at the end.
    """
    from rich.live import Live
    from rich.text import Text

    drawn = 0.0
    with Live(console=out, auto_refresh=False, transient=True) as live:

        def draw(*state: object) -> None:
            nonlocal drawn
            if monotonic() - drawn >= Progress.EVERY:
                drawn = monotonic()
                live.update(Text("\n".join(lines(*state))), refresh=True)

        live.update(Text(speaker.say("progress.start")), refresh=True)
        yield draw


class TurnListener(Protocol):
    """Receives the progress of a match."""

    def on_turn(self, replay: Replay) -> None:
        """A turn was played; `replay` is the match so far."""

    def finish(self, replay: Replay) -> None:
        """The match is over."""


class Progress:
    """A listener that shows a person the progress of the match, in one line on standard error."""

    EVERY = 0.1  # seconds
    shown: ClassVar[Progress | None] = None  # the one whose line is seen now

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._is_seen = sys.stderr.isatty()
        self._next = 0.0
        self._wide = 0  # columns of the line that is shown

    def __enter__(self) -> Progress:
        self.show(self._speaker.say("progress.start"))
        return self

    def __exit__(self, *_: object) -> None:
        self.show("")

    def on_turn(self, replay: Replay) -> None:
        """Show the turn, if it is time to."""
        if self._is_seen and monotonic() >= self._next:
            self.show(self._speaker.say("watch.turn", turn=replay.header.first + len(replay.turns)))

    def finish(self, replay: Replay) -> None:
        """Nothing to show."""

    def show(self, line: str) -> None:
        """Replace the line before by `line`."""
        if self._is_seen:
            from rich.cells import cell_len

            self._next, told = monotonic() + self.EVERY, clean.line(line)
            wide, before = cell_len(told), self._wide
            # Blanks over the line before, as escape sequences are not for every terminal.
            sys.stderr.write(f"\r{told}{' ' * (before - wide)}" if told else f"\r{' ' * before}\r")
            sys.stderr.flush()
            self._wide = wide
            Progress.shown = self if told else None

    def step(self, line: str) -> None:
        """Show that a step begins which takes long; without a terminal, it gets a line of its own."""
        if self._is_seen:
            self.show(line)
        else:
            sys.stderr.write(f"{clean.line(line)}\n")
            sys.stderr.flush()


def note(sentence: str) -> None:
    """Write a sentence that stays to standard error: what is shown of progress makes room for it."""
    if Progress.shown is not None:
        Progress.shown.show("")
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
