"""Watching a match in the terminal, turn by turn; while it is played, or from its replay.

Theory of operation
-------------------
A viewer holds the scenes so far and shows one of them. `on_turn` adds a scene. It returns when the person wants to
see the scene after the last one, because the time is up or a key was pressed. So a live match goes on at the viewer's
pace, outside all thinking times, and while it is paused one can look at earlier scenes. In place of the board a key
shows what the bots wrote and were sent (`watch_texts.py`), made when it is looked at.

If standard output is not a terminal, every board is printed as plain text, one below the other.
"""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import chop_cells
from rich.console import Group
from rich.live import Live
from rich.text import Text

from dohyo import clean
from dohyo.core import playback
from dohyo.core.game import Frame, Game
from dohyo.core.playback import Moment
from dohyo.core.replay import Move, Replay
from dohyo.i18n import Speaker
from dohyo.match.replays.sent import Sent
from dohyo.match.telling.fault_words import kind_word
from dohyo.terminal.screen import Progress, bot_names, can_draw, console
from dohyo.terminal.watch_texts import lines_of

if TYPE_CHECKING:
    from rich.console import Console

    from dohyo.terminal.watch_texts import ShownLine

RATES = (1, 2, 5, 10, 20, 50, 100)  # turns per second
USUAL_RATE = 3  # at first: which of them
PATIENCE = 1.0  # seconds after which a paused picture is drawn again: the terminal may have a new size

# What terminals send for the keys that have no character: CSI or SS3, numbers, a letter or a tilde.
SEQUENCE = re.compile(rb"\x1b[\[O]([0-9;]*)([A-Za-z~])")
NAMES = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"H": "home", b"F": "end"}
TILDES = {b"1": "home", b"4": "end", b"5": "page up", b"6": "page down", b"7": "home", b"8": "end"}
REST_OF_SEQUENCE = 0.05  # seconds: nothing follows a single Escape
GONE = "gone"  # the terminal sends nothing any more

LEAVE = ("q", "Q", "\x03", "\x04", GONE)
FORTH = ("right", "n", "l")
BACK = ("left", "p", "h")
TEXTS = ("e", "E", "i")
SCROLL = {"up": -1, "down": 1, "k": -1, "j": 1}
PAGE = {"page up": -1, "page down": 1}
AROUND = 3  # lines of the screen around the texts: title, an empty one, keys


class Scene(NamedTuple):
    """One moment: the frame, and what went wrong then. `moment` is the turn that led to it, none at the start."""

    frame: Frame
    note: str
    moment: Moment | None = None


@contextmanager
def watching(game: Game, speaker: Speaker) -> Iterator[Viewer | Printer]:
    """A listener for a match of `game`, live or recorded.

    The terminal is restored when this ends, however it ends.
    """
    out = console()
    if not can_draw():
        yield Printer(game, speaker, out)
        return
    with ExitStack() as stack:
        keyboard = stack.enter_context(Keyboard())
        yield Viewer(game, speaker, out, keyboard, stack)


def turn_of(scene: Scene, last: Scene | None, speaker: Speaker) -> str:
    """Which turn a scene shows, by its number in the match; `last` is the last one, if that is known."""
    if scene.moment is None:
        return speaker.say("watch.start")
    number = scene.moment.turn.turn
    if last is None or last.moment is None:
        return speaker.say("watch.turn", turn=number)
    return speaker.say("watch.turn-of", turn=number, last=last.moment.turn.turn)


class Scenes:
    """Makes the scenes of a match that may still be going on."""

    def __init__(self, game: Game, speaker: Speaker) -> None:
        self.game = game
        self.speaker = speaker.knowing(game.catalogue)
        self.names: list[str] = []
        self.sent: Sent | None = None  # once there are scenes
        self._moments: Iterator[Moment] | None = None

    def new(self, replay: Replay) -> Iterator[Scene]:
        """The scenes of the turns that were added to `replay`; before the first one, that of the beginning."""
        is_first = self._moments is None
        if self._moments is None:
            self.names, self.sent = bot_names(replay.header.seats), Sent(self.game, replay)
            if not replay.turns:
                yield Scene(self._frame(playback.beginning(self.game, replay)), "")
            # The list of turns grows during a live match, and these moments with it.
            self._moments = playback.moments(self.game, replay)
        for moment in self._moments:
            if is_first:
                yield Scene(self._frame(moment.before), "")
                is_first = False
            if moment.turn.moves:
                frame = self.game.frame(moment.before, moment.actions, moment.events, moment.after)
                yield Scene(frame, self._note(moment), moment)
            if moment.turn is replay.turns[-1]:
                return

    def picture(self, scene: Scene) -> str:
        """The board in rich's markup."""
        return self.game.terminal(scene.frame, self.names, self.speaker)

    def reason(self, replay: Replay) -> str:
        """Why the match ended."""
        return self.speaker.say(replay.result.reason_key)

    def _frame(self, state: Any) -> Frame:
        return self.game.frame(state, [None] * len(self.names), [], state)

    def _note(self, moment: Moment) -> str:
        say = self.speaker.say
        faults = [
            self.speaker.labelled(
                self.names[move.seat], f"{say(f'fault.{kind_word(fault)}')} {self.speaker.say_any(fault.told)}"
            )
            + (f" ({say('viewer.fault-note')})" if fault.note else "")
            for move in moment.turn.moves
            for fault in move.faults
        ]
        return clean.line("; ".join(faults))


class Printer:
    """A listener without a terminal: every board as plain text."""

    def __init__(self, game: Game, speaker: Speaker, out: Console) -> None:
        self._scenes = Scenes(game, speaker)
        self._out = out

    def on_turn(self, replay: Replay) -> None:
        """Print what is new."""
        for scene in self._scenes.new(replay):
            board = Text.from_markup(self._scenes.picture(scene), emoji=False).plain.splitlines()
            lines = [turn_of(scene, None, self._scenes.speaker), *(line.rstrip() for line in board)]
            self._out.print("\n".join([*lines, *([scene.note] if scene.note else []), ""]))

    def finish(self, replay: Replay) -> None:
        """Nothing more to print."""

    def play(self, replay: Replay) -> None:
        """Print all of a replay."""
        self.on_turn(replay)
        self._out.print(self._scenes.reason(replay))


class Viewer:
    """A listener with a terminal and, mostly, a keyboard."""

    def __init__(self, game: Game, speaker: Speaker, out: Console, keyboard: Keyboard, terminal: ExitStack) -> None:
        self._maker = Scenes(game, speaker)
        self._speaker = speaker
        self._out = out
        self._keyboard = keyboard
        self._terminal = terminal  # closing it restores the terminal
        self._live: Live | None = None
        self._scenes: list[Scene] = []
        self._at = 0
        self._rate = USUAL_RATE
        self._is_paused = False
        self._has_left = False
        self._ended = ""  # why the match ended, once it has
        self._last: Sequence[Move] = ()  # what bots wrote after their last turn
        self._texts: Texts | None = None  # in place of the board
        self._progress = Progress(speaker)

    def on_turn(self, replay: Replay) -> None:
        """Show a turn of a live match; returns when the next one is wanted."""
        if self._has_left:
            self._progress.on_turn(replay)
            return
        for scene in self._maker.new(replay):
            self._scenes.append(scene)
            self._at = len(self._scenes) - 1
            self._show()

    def finish(self, replay: Replay) -> None:
        """Stay at the end of a live match until the person leaves."""
        self._progress.show("")
        self._ended, self._last = self._maker.reason(replay), replay.result.last
        self._is_paused = True
        if self._scenes and self._keyboard.is_there:
            self._show()

    def play(self, replay: Replay) -> None:
        """Show a recorded match from its beginning."""
        self._scenes = list(self._maker.new(replay))
        self._ended, self._last = self._maker.reason(replay), replay.result.last
        self._show()

    def _show(self) -> None:
        """Show the scenes so far, until the person wants the one after the last, or leaves."""
        key, drawn = "", None
        while not self._has_left:
            shown = (self._at, self._is_paused, self._out.size)
            if key or shown != drawn:  # what nobody touches is not painted again and again
                self._draw()
                drawn = shown
            key = self._keyboard.press(PATIENCE if self._is_paused else 1 / RATES[self._rate])
            is_last = self._at == len(self._scenes) - 1
            if is_last and not self._ended and (key in FORTH or not (key or self._is_paused)):
                self._is_paused = key in FORTH
                return
            if is_last and not (key or self._keyboard.is_there):
                return
            self._obey(key, is_last)

    def _obey(self, key: str, is_last: bool) -> None:
        """Do what a key means; no key means that it is time for the next scene."""
        if key == "":
            self._is_paused = self._is_paused or is_last
            self._at += not self._is_paused
        elif key == " ":
            begins_again = is_last and bool(self._ended)  # there is no next scene
            self._at = 0 if begins_again else self._at
            self._is_paused = not self._is_paused and not begins_again
        elif key in "+=-":
            self._rate = min(max(self._rate + (-1 if key == "-" else 1), 0), len(RATES) - 1)
        elif key in LEAVE:
            self._has_left = True
            self._terminal.close()
        elif key in FORTH or key in BACK or key in ("home", "end"):
            last = len(self._scenes) - 1
            goal = {"home": 0, "end": last}.get(key, self._at + (1 if key in FORTH else -1))
            self._at = min(max(goal, 0), last)
            self._is_paused = True
        elif key in TEXTS:
            self._texts = Texts() if self._texts is None else None
            self._is_paused = True
        elif self._texts is not None:
            self._texts.obey(key, len(self._maker.names), self._room())

    def _room(self) -> int:
        """How many lines of texts there is room for."""
        return max(1, self._out.size.height - AROUND)

    def _draw(self) -> None:
        if self._live is None:
            self._live = self._terminal.enter_context(
                Live(console=self._out, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
            )
        scene = self._scenes[self._at]
        turn = turn_of(scene, self._scenes[-1] if self._ended else None, self._speaker)
        title = Text.assemble((self._maker.game.title, "bold"), f"   {turn}   {self._mode()}")
        if self._texts is None:
            body = [Text.from_markup(self._maker.picture(scene), emoji=False), Text(scene.note, style="bold red")]
        else:
            last = self._last if scene is self._scenes[-1] else ()
            body = self._texts.body(self._maker, scene, last, self._room(), self._out.size.width)
        keys = "watch.keys" if self._texts is None else "watch.text-keys"
        lines = [title, *body, Text(self._speaker.say(keys), style="dim")]
        for line in lines:
            line.no_wrap, line.overflow = True, "crop"
        self._live.update(Group(*lines), refresh=True)

    def _mode(self) -> str:
        """Whether it plays, how fast, or that this is the end."""
        if self._ended and self._at == len(self._scenes) - 1:
            return self._speaker.say("watch.ended", reason=self._ended)
        if self._is_paused:
            return self._speaker.say("watch.paused")
        return self._speaker.say("watch.playing", rate=RATES[self._rate])


class Texts:
    """What bots wrote and were sent in a turn, as it is looked at: from which line on, and of which seat."""

    def __init__(self) -> None:
        self._seat: int | None = None
        self._first = 0
        self._held: tuple[object, list[ShownLine]] = (None, [])  # the last picture: of which scene and seat, and what

    def obey(self, key: str, seats: int, room: int) -> None:
        """Scroll, or choose the bot of a seat; the same seat again, or a, means all."""
        if key in SCROLL or key in PAGE:
            self._first += SCROLL.get(key, 0) + PAGE.get(key, 0) * room
        elif key.isdecimal() and int(key) < seats:
            self._seat = None if self._seat == int(key) else int(key)
            self._first = 0
        elif key == "a":
            self._seat, self._first = None, 0

    def body(self, maker: Scenes, scene: Scene, last: Sequence[Move], room: int, width: int) -> list[Text]:
        """What is on the screen now: `room` lines, and one that says how many there are; longer ones are broken."""
        wanted = (id(scene), self._seat, len(last), width)
        if self._held[0] != wanted:
            assert maker.sent is not None
            lines = lines_of(maker.sent, scene.moment, maker.names, maker.speaker, self._seat, last)
            parts = [line._replace(text=part) for line in lines for part in chop_cells(line.text, width) or [""]]
            self._held = (wanted, parts)
        lines = self._held[1]
        self._first = min(max(self._first, 0), max(0, len(lines) - room))
        shown = lines[self._first : self._first + room]
        end = self._first + len(shown)
        where = maker.speaker.say("watch.lines", first=self._first + 1, last=end, of=len(lines))
        filled = [Text(line.text, style=line.style) for line in shown] + [Text("")] * (room - len(shown))
        return [*filled, Text(where if len(lines) > room else "", style="dim")]


class Keyboard:
    """The keys that a person presses; `is_there` is false where standard input is no terminal."""

    def __init__(self) -> None:
        self.is_there = sys.stdin is not None and sys.stdin.isatty()
        self._waiting = b""
        self._before: list[Any] = []

    def __enter__(self) -> Keyboard:
        if self.is_there:
            self._input = sys.stdin.fileno()
            self._before = termios.tcgetattr(self._input)
            tty.setcbreak(self._input)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before:
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)
            self._before = []

    def press(self, seconds: float | None) -> str:
        """The next key: its character, or a name such as "left"; empty when none came within `seconds`."""
        if not self.is_there:
            select.select([], [], [], seconds)
            return ""
        if not self._waiting and not self._read(seconds):
            return ""
        if self._waiting == b"\x1b" or self._waiting in (b"\x1b[", b"\x1bO"):
            self._read(REST_OF_SEQUENCE)
        if not self._waiting:
            return GONE
        if found := SEQUENCE.match(self._waiting):
            self._waiting = self._waiting[found.end() :]
            number, letter = found.groups()
            return TILDES.get(number, "other") if letter == b"~" else NAMES.get(letter, "other")
        first, self._waiting = self._waiting[:1], self._waiting[1:]
        return first.decode("latin-1")

    def _read(self, seconds: float | None) -> bool:
        """Read what the terminal sends within `seconds`; whether anything came, including its end."""
        if not select.select([self._input], [], [], seconds)[0]:
            return False
        self._waiting += os.read(self._input, 1024)
        return True
