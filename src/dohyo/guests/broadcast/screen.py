"""A broadcast in the terminal: board, commentary, standings, redrawn; without a terminal, sentences line by line."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Sequence
from time import sleep
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from dohyo import clean
from dohyo.core.game import Game
from dohyo.i18n import Speaker
from dohyo.series.broadcast.lines import Line
from dohyo.series.broadcast.programme import Told
from dohyo.series.broadcast.stage import Row, Table
from dohyo.system.priority import giving_way
from dohyo.terminal.screen import can_draw, console
from dohyo.terminal.watch import LEAVE, Keyboard

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from dohyo.series.broadcast.programme import Programme

LOOK = 0.1  # seconds between two looks at what is new
KEPT = 60  # lines that are kept
WIDE = 110  # columns from which the board has something beside it
SIDE = 44  # columns of that
NAME = 24  # letters of a name
ENOUGH = 8  # lines for sentences and a table of standings
ARROW = 30  # standings for which an arrow stays
STYLES = {"end": "bold", "chance": "bold", "table": "yellow", "fault": "red"}


def show(name: str, game: Game, make: Callable[[], Programme], speaker: Speaker) -> None:
    """Show the broadcast that is made, until it is over, or a signal ends it."""
    out = console()
    with giving_way():
        programme = make()
        try:
            if can_draw():
                _draw(programme, Picture(name, game, speaker), out)
            else:
                _print(programme, Printed(game, speaker), out)
        except KeyboardInterrupt:
            sys.stdout.write("\n")  # who watches leaves so
        finally:
            programme.close()


def _draw(programme: Programme, picture: Picture, out: Console) -> None:
    live = Live(console=out, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
    size, key = None, ""
    with Keyboard() as keyboard, live:
        while not programme.is_over and key not in LEAVE:
            told = programme.more()
            picture.take(told)
            if told or size != out.size:
                size = out.size
                live.update(picture.drawn(size.width, size.height), refresh=True)
            key = keyboard.press(LOOK)


def _print(programme: Programme, printed: Printed, out: Console) -> None:
    while not programme.is_over:
        for line in printed.lines(programme.more()):
            out.print(line, soft_wrap=True)
        sys.stdout.flush()
        sleep(LOOK)


class Teller:
    """Says what is told, in a language and with a game's own sentences."""

    def __init__(self, game: Game, speaker: Speaker) -> None:
        self.game = game
        self.speaker = speaker.knowing(game.catalogue)
        self.names: list[str] = []
        self.match: dict[str, Any] = {}

    def begin(self, values: dict[str, Any]) -> None:
        """Another match is shown."""
        self.match = values
        self.names = [clean.line(seat["name"]) for seat in values["seats"]]

    def said(self, line: Line) -> str:
        """A line as a sentence."""
        return clean.line(self.speaker.say_any(line.said))

    def board(self, frame: Any) -> Text:
        """The board."""
        return Text.from_markup(self.game.terminal(frame, self.names, self.speaker), emoji=False)

    def heading(self) -> str:
        """Which match it is, and of what kind."""
        kind = "live" if self.match["live"] else "replayed" if self.match["film"] else "just-played"
        number = self.speaker.say("broadcast.match", number=self.match["number"])
        which = self.speaker.listed((self.speaker.say(f"broadcast.{kind}"), number))
        return self.speaker.labelled(which, self.speaker.listed(self.names))

    def progress(self, table: Table) -> str:
        """How many matches were played."""
        if table.total is None:
            return self.speaker.say("broadcast.played-open", played=table.played)
        return self.speaker.say("broadcast.played", played=table.played, total=table.total)


class Printed(Teller):
    """A broadcast as plain lines: sentences, and of each match the last board and the best of the standings."""

    FIRST = 10  # of the standings

    def __init__(self, game: Game, speaker: Speaker) -> None:
        super().__init__(game, speaker)
        self._frame: Any = None
        self._table: Table | None = None
        self._printed: Table | None = None  # the standings that were printed last

    def lines(self, told: Sequence[Told]) -> list[str]:
        """What is to be printed now."""
        found: list[str] = []
        for name, values, _ in told:
            if name == "match":
                self.begin(values)
                self._frame = None
                found += ["", self.heading()]
            elif name == "turns":
                self._frame = values["turns"][-1]["frame"]
            elif name == "line":
                turn = values["line"].turn
                where = "" if turn is None else f"{self.speaker.say('broadcast.turn', turn=turn)}: "
                found.append(f"  {where}{self.said(values['line'])}")
            elif name == "table":
                self._table = values["table"]
            elif name == "end":
                found += self._end()
            elif name == "quiet":
                found.append(self.speaker.say("broadcast.quiet"))
        return found

    def _end(self) -> list[str]:
        """The last board, and the standings after it."""
        board = (
            []
            if self._frame is None
            else [f"  {line.rstrip()}" for line in self.board(self._frame).plain.splitlines()]
        )
        if self._table is None or self._table == self._printed:
            return board
        self._printed = self._table
        rows = [
            f"  {_place(row):>3}  {row.name[:NAME]:{NAME}}  {_figure(row)}" for row in self._table.rows[: self.FIRST]
        ]
        return [*board, f"  {self.progress(self._table)}", *rows]


class Picture(Teller):
    """A broadcast as a picture that is redrawn."""

    def __init__(self, name: str, game: Game, speaker: Speaker) -> None:
        super().__init__(game, speaker)
        self._name = clean.line(name)
        self._said: deque[tuple[str, str]] = deque(maxlen=KEPT)
        self._frame: Any = None
        self._turn: int | None = None
        self._table: Table | None = None
        self._arrows: dict[int, tuple[int, int]] = {}  # by entrant: how far it went, and for how long that is shown
        self._next: Sequence[Sequence[str]] = ()
        self._chances: Sequence[float] | None = None

    def take(self, told: Sequence[Told]) -> None:
        """Take in what is new."""
        for name, values, _ in told:
            if name == "match":
                self.begin(values)
                self._frame = self._turn = self._chances = None
            elif name == "turns":
                self._frame, self._turn = values["turns"][-1]["frame"], values["turns"][-1]["turn"]
            elif name == "line":
                line = values["line"]
                self._said.appendleft((self.said(line), STYLES.get(line.kind, "")))
            elif name == "table":
                self._stand(values["table"])
            elif name == "next":
                self._next = values["matches"]
            elif name == "chances":
                self._chances = values["chances"]

    def drawn(self, width: int, height: int) -> RenderableType:
        """The picture, of so many columns and lines."""
        head = Text(self._name, style="bold", no_wrap=True, overflow="ellipsis")
        if not self.match:
            return Group(head, Text(), Text(self.speaker.say("broadcast.quiet")))
        if self._turn is not None:
            head.append(f"   {self.speaker.say('broadcast.turn', turn=self._turn)}", style="not bold")
        lines = [head, Text(self.heading(), no_wrap=True, overflow="ellipsis")]
        lines += [self._odds()] if self._chances is not None else []
        board = Text() if self._frame is None else self.board(self._frame)
        room = max(3, height - len(lines) - 1)
        if width < WIDE:
            return Group(*lines, *self._below_each_other(board, room))
        board.no_wrap, board.overflow = True, "crop"
        grid = Grid.grid(padding=(0, 2))
        grid.add_column(width=width - SIDE - 4, no_wrap=True, overflow="crop")
        grid.add_column(width=SIDE)
        half = room // 2
        grid.add_row(board, Group(*self._standings(half), Text(), *self._sentences(room - half - 1)))
        return Group(*lines, Text(), grid)

    def _below_each_other(self, board: Text, room: int) -> list[Text]:
        """Board, sentences and standings for a narrow terminal; of a high board as much as there is room for."""
        shown = board.split("\n")[: room - 2]
        below = room - len(shown)
        for line in shown:
            line.no_wrap, line.overflow = True, "crop"
        if below >= ENOUGH:
            return [*shown, Text(), *self._sentences(below // 2), *self._standings(below - below // 2 - 1)]
        said = self._sentences(2)[:1] or [Text()]
        said[0].no_wrap = True
        return [*shown, *said, self._leaders()]

    def _leaders(self) -> Text:
        """The standings in one line."""
        rows = () if self._table is None else self._table.rows
        shown = self.speaker.listed(f"{_place(row)} {row.name[:NAME]}" for row in rows)
        told = self.speaker.labelled(self.speaker.say("broadcast.standings"), shown)
        return Text(told, style="yellow", no_wrap=True, overflow="ellipsis")

    def _odds(self) -> Text:
        assert self._chances is not None
        shown = [f"{name} {chance:.0%}" for name, chance in zip(self.names, self._chances, strict=False)]
        told = self.speaker.labelled(self.speaker.say("broadcast.chances"), self.speaker.listed(shown))
        return Text(told, no_wrap=True, overflow="ellipsis")

    def _sentences(self, most: int) -> list[Text]:
        """What was said, the newest first, each as one line or two."""
        found = [
            Text(said, style=style, overflow="ellipsis") for said, style in list(self._said)[: max(1, most // 2)]
        ]
        if found and not found[0].style:
            found[0].style = "bold"
        return found

    def _standings(self, most: int) -> list[Text]:
        if self._table is None:
            return []
        title = f"{self.speaker.say('broadcast.standings')}  {self.progress(self._table)}"
        found = [Text(title, style="yellow", no_wrap=True, overflow="ellipsis")]
        for row in self._table.rows[: max(1, most - 1)]:
            text = Text(
                f"{_place(row):>3} {row.name[:NAME]:{NAME}} {_figure(row):>7} ", no_wrap=True, overflow="crop"
            )
            by, left = self._arrows.get(row.entrant, (0, 0))
            if left:
                text.append(f"▲{by}" if by > 0 else f"▼{-by}", style="green" if by > 0 else "red")
            found.append(text)
        return found

    def _stand(self, table: Table) -> None:
        """Take the standings, with arrows for those who moved."""
        before = {} if self._table is None else {row.entrant: row.place for row in self._table.rows}
        self._arrows = {entrant: (by, left - 1) for entrant, (by, left) in self._arrows.items() if left > 1}
        for row in table.rows:
            was = before.get(row.entrant)
            if was is not None and row.place is not None and was != row.place:
                self._arrows[row.entrant] = was - row.place, ARROW
        self._table = table


def _place(row: Row) -> str:
    return "-" if row.place is None else str(row.place)


def _figure(row: Row) -> str:
    return f"{row.figure:.0f}" if row.is_rated else f"{row.figure:g}"
