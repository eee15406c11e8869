"""Replays: a match as data, a setup and a list of moves, the dice's too; every other fact follows from the rules.

`replay_format.py` makes bytes of them, and reads these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Protocol, overload

import msgspec
from msgspec import Meta

from dohyo import clean
from dohyo.core.clock import Clock, Seconds
from dohyo.core.faults import Fault

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]
    import polars

FORMAT = 1
INTERRUPTED = "unfinished"  # the reason of the end of an interrupted match

# Moves and turns hold no cycles (`gc=False`): a contest makes millions of them, and the collector need not look.

# Numbers as the compiled rules and everybody's JSON can hold them.
Whole = Annotated[int, Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
Count = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Points = Whole | Annotated[float, Meta(ge=-1e15, le=1e15)]


DEBUG = "debug"  # the build of a seat
STOPPED, BUSY = "stopped", "busy"  # what disturbed a match
# A forged replay must not write lines of its own into what is shown as sent.
Limits = Annotated[str, Meta(max_length=100, pattern="^[a-z0-9 ]*(?!\\n)$")]
Guess = Annotated[str, Meta(max_length=10, pattern="^[a-z0-9]*(?!\\n)$")]


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who sat where: the bot's name, SHA-256 of its content in hex, its language, and its `build`: `DEBUG`, or none.

    `protocol` is what its program spoke, if that was not the game's own text: "uci", "xboard", "http"; of a person
    "me". `go` is what an engine was told in each `go` behind its time: "nodes 500"; of a person the limit of a turn.

    A name may come from a file's name with bytes that are not UTF-8; a replay has a sign for each of them.
    """

    name: str
    digest: str = ""
    language: str = ""
    build: str = ""
    protocol: Annotated[str, Meta(max_length=20)] = ""
    go: Limits = ""

    def __post_init__(self) -> None:
        """Make the name one that can be stored."""
        if not self.name.isprintable() and (name := clean.storable(self.name)) != self.name:
            msgspec.structs.force_setattr(self, "name", name)


class Header(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is known before the first turn.

    `rules` is the version of the game's rules. `start` holds the fields of the state that the match began with, if
    that was not the setup's own beginning (a match that continues another replay), `first` the number of its first
    turn: turn numbers and dice continue those of the other match. `pondering` says whether programs ran while they
    were not to move.
    """

    dohyo: int = msgspec.field(default=0)
    game: str
    rules: Whole
    setup: dict[str, Any]
    seats: tuple[Seat, ...]
    clock: Clock | None = None
    seed: Whole
    software: str
    sandbox: str = ""
    start: dict[str, Any] | None = None
    first: Whole = 0
    pondering: bool = True


class Move(msgspec.Struct, omit_defaults=True, gc=False):
    """One seat's part in a turn.

    `action` is the canonical text of what was carried out; `reply` what the program wrote, if that differs; `seconds`
    the time it was charged, None if it was not asked; `cpu` the processor time of its program, if that was measured,
    and `wall` the wall time, if that is not what was charged; `bank` what was left of its reserve, if its clock has
    one; `ponder` the other side's move on which its engine was told to ponder after this one. `faults` are in the
    order in which they were noticed. `stderr` is the end of what it wrote to standard error since its last turn,
    `stderr_dropped` the number of bytes that came before and were not stored; `comments` and `comments_dropped` the
    same for its comment lines, if the game's protocol has them.
    """

    seat: Whole
    action: str
    seconds: Seconds | None = None
    reply: str | None = None
    faults: tuple[Fault, ...] = ()
    stderr: str = ""
    stderr_dropped: Count = 0
    comments: str = ""
    comments_dropped: Count = 0
    cpu: Seconds | None = None
    wall: Seconds | None = None
    bank: Seconds | None = None
    ponder: Guess = ""


class Turn(msgspec.Struct, omit_defaults=True, gc=False):
    """One line: the dice's move if they moved first, the seats' moves, and the digest of the state after all that.

    A match that ended before its first turn has one line without moves.
    """

    turn: Whole
    dice: tuple[Whole, ...] = ()
    moves: tuple[Move, ...] = ()
    digest: str = ""


class Result(msgspec.Struct, frozen=True, omit_defaults=True, dict=True):
    """How it ended: each seat's place (1 the best, equal ones shared), the winner's seat if there is one, and why.

    Why is `reason_key`, a key among the game's sentences (called `reason` where it is stored); `reason` is the
    sentence. `unfinished` says that the match was interrupted; `places` is then empty. `last` holds what seats wrote
    to standard error, and as comments, after their last turn. `scores` holds each seat's points, in a game that gives
    points. `adjudicated` says that not the game's rules ended it, but its operator's, which is in the setup
    (`adjudication.py`).
    """

    places: tuple[Whole, ...]
    winner: Whole | None
    reason_key: str = msgspec.field(name="reason")
    unfinished: bool = False
    last: tuple[Move, ...] = ()
    scores: tuple[Points, ...] = ()
    adjudicated: bool = False

    @property
    def reason(self) -> str:
        """Why it ended, as a sentence in the language of the environment; the key where nobody has a sentence."""
        shows, of = Replay.shown_by, vars(self)
        return (
            self.reason_key if shows is None else shows.reason(self.reason_key, of.get("game"), of.get("sentences"))
        )

    def __repr__(self) -> str:
        """Places and winner, points if there are some, and why, as a sentence and as a key."""
        scores = f", scores={self.scores}" if self.scores else ""
        why = clean.line(f"reason={self.reason!r}, reason_key={self.reason_key!r}")
        return f"Result(places={self.places}, winner={self.winner}{scores}, {why})"


class Shows(Protocol):
    """What shows replays."""

    def html(self, replay: Replay) -> str:
        """An element of HTML."""

    def frame(self, replay: Replay, library: str) -> Any:
        """A data frame."""

    def reason(self, key: str, game: str | None, sentences: Any) -> str:
        """The sentence of a reason's key: of the game of that name, whose own sentences may be known."""


class Replay(msgspec.Struct):
    """A whole match.

    `cpu` holds, if it could be measured, the processor seconds of each seat's program from its start to its end, with
    all that it started. `disturbed` is for how many seconds the referee itself stood still when that may have changed
    the match: then the match says nothing about its bots. `disturbed_by` says by what: `STOPPED` if it stood still,
    `BUSY` if the machine was so busy that a program got no processor until its time was over by the wall clock.
    """

    header: Header
    turns: MutableSequence[Turn]
    result: Result
    cpu: tuple[Seconds | None, ...] = ()
    disturbed: Seconds = 0.0
    disturbed_by: Annotated[str, Meta(max_length=20)] = ""

    # How it is shown in a notebook, and as a data frame: by packages above this one, which `dohyo` names here.
    shown_by: ClassVar[Shows | None] = None

    def __post_init__(self) -> None:
        """Let the result know whose sentences tell why the match ended; that is not stored with it."""
        if vars(self.result).setdefault("game", self.header.game) != self.header.game:  # it is in another replay, too
            self.result = msgspec.structs.replace(self.result)
            vars(self.result)["game"] = self.header.game

    def __repr__(self) -> str:
        """One line: what was played, and how it ended."""
        result = self.result
        end = f"{result.reason}, places {result.places}" if result.places else result.reason
        return clean.line(f"<Replay of {self.header.game}, seed {self.header.seed}: {self.played} turns, {end}>")

    def same_game(self, other: Replay) -> bool:
        """Whether both went alike: game, setup, seed, dice, actions, states, places; not times, texts and names."""
        return self._course() == other._course()

    def _course(self) -> tuple[Any, ...]:
        """All that decides how a match went, and how it went."""
        known, result = self.header, self.result
        turns = [(one.turn, one.dice, one.digest, [(m.seat, m.action) for m in one.moves]) for one in self.turns]
        return known.game, known.rules, known.setup, known.seed, known.start, turns, result.places, result.reason_key

    def _repr_html_(self) -> str | None:
        """The viewer's page for a notebook; none where `dohyo` did not make it."""
        return None if self.shown_by is None else self.shown_by.html(self)

    @overload
    def to_frame(self, library: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_frame(self, library: str = "") -> Any: ...
    def to_frame(self, library: str = "") -> Any:
        """A data frame with a row for each turn and seat that acted: by pandas or polars, see `docs/notebooks.md`.

        Raises `OperatorError` where neither is installed.
        """
        if self.shown_by is None:
            raise TypeError("a replay becomes a data frame where `dohyo.play` or `dohyo.load` has made it")
        return self.shown_by.frame(self, library)

    @property
    def played(self) -> int:
        """How many turns were played; a last line without moves does not count."""
        return sum(1 for turn in self.turns if turn.moves)


def faults_of(turns: Sequence[Turn], seat: int) -> list[tuple[int, Fault]]:
    """Every fault of a seat with the number of its turn."""
    return [(turn.turn, fault) for turn in turns for move in turn.moves if move.seat == seat for fault in move.faults]


# --- lines that are made late

DIGEST = 8  # characters


class PlayedTurns(NamedTuple):
    """Turns in which one seat moved, and replied with an action's exact text: columns, a row for each turn.

    What it `said` was legal and carried out, or it had no choice, and another of the `actions` was.
    """

    seats: Sequence[int]
    actions: Sequence[int]
    said: Sequence[int]
    seconds: Sequence[float]  # to the microsecond
    digests: str  # of the states after the turns, 8 characters each


Waiting = tuple[int, PlayedTurns, int, tuple[int, ...], Sequence[str]]  # a place, and what `add_played` is given


class Lines(MutableSequence[Turn]):
    """The lines of a replay, to be used as a list of `Turn`: played quickly, they become objects when somebody looks.

    A match is often played for its result alone, and making the objects of a turn takes as long as a fiftieth of the
    turn. So the referee hands over columns (`add_played`), and the first look at any line makes the lines of all.
    """

    def __init__(self, turns: Iterable[Turn] = ()) -> None:
        """Begin with these."""
        # The lines that are made, and what is waiting for its place behind them.
        self._parts: tuple[list[Turn], list[Waiting]] = list(turns), []

    def add_played(self, played: PlayedTurns, first: int, rolled: tuple[int, ...], texts: Sequence[str]) -> None:
        """Add turns as columns: the number of the `first`, the dice before it, and the text of each action."""
        made, waiting = self._parts
        waiting.append((len(made), played, first, rolled, texts))

    def _all(self) -> list[Turn]:
        """All lines, made if they were not."""
        made, waiting = self._parts
        if waiting:
            lines = list(chain.from_iterable(_lines_of(*each[1:]) for each in waiting))
            del made[waiting[0][0] :]  # what Ctrl-C has left there before the last of these steps
            made += lines
            self._parts = made, []
        return made

    def __len__(self) -> int:
        made, waiting = self._parts
        return (waiting[0][0] if waiting else len(made)) + sum(len(played.seats) for _, played, *_ in waiting)

    def __iter__(self) -> Iterator[Turn]:
        return iter(self._all())

    @overload
    def __getitem__(self, at: int) -> Turn: ...
    @overload
    def __getitem__(self, at: slice) -> list[Turn]: ...
    def __getitem__(self, at: int | slice) -> Turn | list[Turn]:
        return self._all()[at]

    def __setitem__(self, at: Any, line: Any) -> None:
        self._all()[at] = line

    def __delitem__(self, at: int | slice) -> None:
        del self._all()[at]

    def insert(self, at: int, line: Turn) -> None:
        """Put a line before the one at this place."""
        self._all().insert(at, line)

    def append(self, line: Turn) -> None:
        """Add a line at the end."""
        self._all().append(line)

    def __add__(self, more: Iterable[Turn]) -> list[Turn]:
        return [*self, *more]

    def __radd__(self, more: Iterable[Turn]) -> list[Turn]:
        return [*more, *self]

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, Lines) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce__(self) -> Any:
        return list, (self._all(),)

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Turn]:
        from copy import deepcopy

        return deepcopy(self._all(), memo)


def _lines_of(played: PlayedTurns, first: int, rolled: tuple[int, ...], texts: Sequence[str]) -> list[Turn]:
    """The lines of turns that were columns."""
    # Without Python code between two lines: that would take as long as the lines.
    words = map(texts.__getitem__, played.actions)
    if played.said is played.actions:
        moves = zip(map(Move, played.seats, words, played.seconds))
    else:
        both = zip(played.said, played.actions, strict=True)
        replies = (None if said == action else texts[said] for said, action in both)
        moves = zip(map(Move, played.seats, words, played.seconds, replies))
    digests = [played.digests[at : at + DIGEST] for at in range(0, len(played.digests), DIGEST)]
    numbers = range(first, first + len(played.seats))
    return list(map(Turn, numbers, chain((rolled,), repeat(())), moves, digests))
