"""What a game is: declared facts, rules over a flat state, a protocol, a drawing.

A game is a folder with a `GAME` of this type; `dohyo.games` finds it. `Rules` and `TextProtocol` are fulfilled by
modules (`rules.py`, `protocol.py`). What stands in `ScoringRules` and `TalkingProtocol` only some games have; nobody
asks the modules for it but `Game` here (`score`, `comment`, `message`, `farewell`), which knows what to do without.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Protocol

import msgspec

from dohyo.core import flat
from dohyo.core.clock import Clock
from dohyo.core.dialogue import Command
from dohyo.core.faults import Fault
from dohyo.core.options import Option, Value
from dohyo.i18n import Catalogue

GAMES_GROUP = "dohyo.games"  # the entry points of packages that bring games along
GAMES_VARIABLE = "DOHYO_GAMES"  # of the environment: folders of games that need not be installed

State = Any  # a plain object made by the game's Layout
Frame = dict[str, Any]  # what JSON holds: everything that a view needs to draw one moment
Saying = tuple[str, Mapping[str, object]]  # a key in the table of words, and what fills its sentence's places
Event = tuple[int, int, int, int]


class Turns(enum.Enum):
    """Who moves in a turn."""

    ALTERNATING = "alternating"
    SIMULTANEOUS = "simultaneous"


class Chance(enum.Enum):
    """When the dice move."""

    NEVER = "never"
    AT_START = "at the start"
    EVERY_TURN = "every turn"


class Information(enum.Enum):
    """What a seat sees of the state."""

    PERFECT = "perfect"
    IMPERFECT = "imperfect"


class Rules(Protocol):
    """The functions of a `rules.py`, all in the common language of `dohyo.core.flat`."""

    LAYOUT: flat.Layout
    ACTIONS: int  # how many different actions there are; `legal` fills at most so many
    DICE: int  # how many numbers a roll has at most
    EVENTS_A_TURN: int
    REASONS: Mapping[int, str]  # why a match ended -> key in the table of words
    CONCESSIONS: Sequence[int]  # actions that are always accepted and never offered: to give up, to have no move

    def needs_dice(self, s: State) -> bool:
        """Whether the dice move next."""

    def roll(self, s: State, source: Any, dice: Any) -> int:
        """Draw the numbers of the dice's move into `dice`; how many."""

    def deal(self, s: State, dice: Any, events: Any) -> None:
        """Apply the dice's move."""

    def acts(self, s: State, seat: int) -> bool:
        """Whether the seat must answer now."""

    def legal(self, s: State, seat: int, out: Any) -> int:
        """Fill `out` with the seat's legal actions; how many."""

    def is_legal(self, s: State, seat: int, action: int) -> bool:
        """Whether `legal` lists this number, whatever it is; without the list."""

    def step(self, s: State, actions: Any, events: Any) -> None:
        """Play one turn; `actions` holds one number a seat, read for those that act."""

    def over(self, s: State) -> bool:
        """Whether the match has ended."""

    def winner(self, s: State) -> int:
        """The seat that has won, -1 for none."""

    def places(self, s: State, out: Any) -> int:
        """Fill `out` with each seat's place (1 the best); the reason of the end."""


class ScoringRules(Rules, Protocol):
    """What a `rules.py` has besides where a match gives points."""

    def scores(self, s: State, out: Any) -> None:
        """Fill `out` with each seat's points, once the match has ended."""


class TextProtocol(Protocol):
    """The functions of a `protocol.py`: values to text and back. No pipes."""

    READY: str  # the line a program prints before the first turn; empty when the protocol has none
    PROMPT_BYTES: int

    def prompt(self, s: State, seat: int, buffer: Any) -> int:
        """Write what the seat is sent into `buffer`; how many bytes."""

    def parse(self, reply: str, s: State, seat: int) -> int | Fault:
        """The action in a reply, or MALFORMED."""

    def text(self, action: int) -> str:
        """An action as canonical text, for replays."""

    def read(self, word: str) -> int | None:
        """The action whose `text` this is."""

    def answer(self, s: State, seat: int, fault: Fault) -> int:
        """The action that the rules put in the place of a fault."""

    def stops(self, fault: Fault) -> bool:
        """Whether the fault ends the player's part in the match."""


class TalkingProtocol(TextProtocol, Protocol):
    """What a `protocol.py` may have besides."""

    COMMENT: str  # what a program's lines begin with that are no answers and may come at any time

    def message(self, reply: str) -> str:
        """What a player put behind its action, for whoever watches; empty when there is nothing."""

    def farewell(self, s: State, seat: int, buffer: Any) -> int:
        """Write what a program that still lives is sent when the match is over into `buffer`; how many bytes."""


class Plane(msgspec.Struct, frozen=True):
    """One plane of an observation: its name, the least and the greatest number in it, and what they mean."""

    name: str
    low: float
    high: float
    meaning: str


class Observation(Protocol):
    """The facts and the function of an `observation.py`: what a learner on a seat sees, as numbers."""

    KIND: str  # of the numbers: "i1", "i2" or "f4", as in a Layout
    PLANES: Sequence[Plane]
    SHAPE: tuple[int, ...]  # of one plane; () where it is a single number

    def observe(self, s: State, seat: int, out: Any) -> None:
        """Fill `out`, a row of planes one after the other, each row by row, with what the seat may see.

        Its own things come first; every number is written. In the common language of `dohyo.core.flat`.
        """


class Drawing(Protocol):
    """How a turn becomes a frame."""

    def __call__(
        self,
        before: State,
        actions: Sequence[int | None],
        events: Sequence[Event],
        after: State,
        seat: int | None = None,
    ) -> Frame:
        """What to draw after a turn, as `seat` sees it (everything when none)."""


class Game(msgspec.Struct, frozen=True):
    """One kind of game."""

    name: str
    title: str
    version: int  # of the rules: a replay names it, and is verified only with the same
    about: str
    seats: tuple[int, int]  # fewest, most
    turns: Turns
    chance: Chance
    information: Information
    options: tuple[Option, ...]
    clocks: Mapping[str, Clock]  # presets; the first is the default
    rules: Rules
    protocol: TextProtocol
    frame: Drawing
    terminal: Callable[[Frame, Sequence[str], str], str]  # a frame, the seats' names, a language: rich's markup
    start: Callable[[State, Mapping[str, Value], int], None]  # write a resolved setup for n seats into a new state
    folder: PurePath  # holds view.js and bots/
    catalogue: Catalogue = msgspec.field(default_factory=dict)  # its own sentences, by language and key
    source: Callable[[int], Any] = flat.source  # random numbers from a seed
    possible: Callable[[State], bool] = lambda state: True  # whether the rules can ever lead to such a state
    seat_outcome: Callable[[State, int], Saying] = lambda state, seat: ("fate.played", {})  # what became of a seat
    # How long a bot's process may live, "turn" or "match", and the clock's preset for that; by default a match only.
    lifetimes: Mapping[str, str] = msgspec.field(default_factory=dict)
    demo: Mapping[str, Value] = msgspec.field(default_factory=dict)  # a setup for a match short enough to be shown
    commands: tuple[Command, ...] = ()  # programs of the game's own
    out: Callable[[State, int], bool] = lambda state, seat: False  # whether nothing that a seat does counts any more
    map_name: Callable[[State], str] = lambda state: (
        ""
    )  # what a match is played on, where the dice choose among a few
    reseat: Callable[[State], None] = lambda state: None  # make a state ready for programs that were told nothing yet
    observation: Observation | None = (
        None  # what learners see; without it a game can be played in batch, and not observed
    )

    def new_state(self, setup: Mapping[str, Value], seats: int) -> State:
        """A state before its first dice and turn."""
        state = self.rules.LAYOUT.new()
        self.start(state, setup, seats)
        return state

    def new_events(self) -> Any:
        """An empty event log, large enough for a turn and its dice."""
        return flat.event_log(self.rules.EVENTS_A_TURN).new()

    def acting(self, state: State, seats: int) -> list[int]:
        """The seats that must answer now, ascending."""
        acts = self.rules.acts
        return [seat for seat in range(seats) if acts(state, seat)]

    def prompt(self, state: State, seat: int) -> bytes:
        """What a program on this seat is sent."""
        buffer = bytearray(self.protocol.PROMPT_BYTES)
        return bytes(buffer[: self.protocol.prompt(state, seat, buffer)])

    @property
    def comment(self) -> str:
        """What a program's comment lines begin with; empty in a protocol without comments."""
        found: str = getattr(self.protocol, "COMMENT", "")
        return found

    def message(self, reply: str) -> str:
        """What a player put behind its action, for whoever watches; empty in most protocols."""
        read = getattr(self.protocol, "message", None)
        found: str = "" if read is None else read(reply)
        return found

    def farewell(self, state: State, seat: int) -> bytes:
        """What a living program on this seat is sent when the match is over; empty in most protocols."""
        write = getattr(self.protocol, "farewell", None)
        if write is None:
            return b""
        buffer = bytearray(self.protocol.PROMPT_BYTES)
        return bytes(buffer[: write(state, seat, buffer)])

    def score(self, state: State, seats: int) -> tuple[float, ...]:
        """Each seat's points in a match that has ended; none at all in a game without points."""
        fill = getattr(self.rules, "scores", None)
        if fill is None:
            return ()
        points = flat.row_of(seats)
        fill(state, points)
        return tuple(points)

    def is_out(self, state: State, seat: int) -> bool:
        """Whether nothing that the seat does counts any more: it is out, or has nothing left to choose.

        Then any line, an empty one too, is taken for the one action that there is, such as Wondev Woman's NO-MOVE.
        """
        if self.out(state, seat):
            return True
        return list(self.legal_actions(state, seat)) in ([], [self.protocol.parse("", state, seat)])

    def legal_actions(self, state: State, seat: int) -> LegalActions:
        """The seat's legal actions: iterate over them, count them, ask whether one is `in`."""
        return LegalActions(self.rules, state, seat)


class LegalActions(Sequence[int]):
    """What a seat may do, as a collection over the buffer that `Rules.legal` fills."""

    __slots__ = ("_count", "_out")

    def __init__(self, rules: Rules, state: State, seat: int) -> None:
        self._out = flat.row_of(rules.ACTIONS)
        self._count = rules.legal(state, seat, self._out)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        return iter(self._out[: self._count])

    def __getitem__(self, at: Any) -> Any:
        return self._out[: self._count][at]

    def __contains__(self, action: object) -> bool:
        return action in self._out[: self._count]
