"""What an analysis has found: values, as `--json` writes them."""

from __future__ import annotations

import msgspec


class Chances(msgspec.Struct, frozen=True):
    """By seat, the chance to win, 0..1, and between which bounds it lies, in 95 of 100.

    `proven` says that search proved the result: then chance and bounds are that, if nobody errs from there on.
    """

    turn: int
    chance: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    proven: bool = False


class SeatChance(msgspec.Struct, frozen=True):
    """What a seat that acts in a turn could think of its own chance; `worlds`: how many states it knew to fit.

    `is_true` says that no such states were found, and that the true one was taken.
    """

    turn: int
    seat: int
    chance: float
    low: float
    high: float
    worlds: int
    is_true: bool


class LineTurn(msgspec.Struct, frozen=True):
    """A turn of another way: each acting seat's action as text, and how the dice fell after it."""

    actions: dict[int, str]
    dice: tuple[int, ...] = ()


class Said(msgspec.Struct, frozen=True):
    """What a judge said of a decision: how deep it has looked, and the seat's chance `before` it.

    Each `mate` says in how many of its own actions the seat wins by force, as the judge says it, before the decision,
    after its own action, and after the better one; below zero: in how many it loses; none where nothing was said.
    """

    depth: int
    before: float
    mate_before: int | None = None
    mate_left: int | None = None
    mate_kept: int | None = None


class TurningPoint(msgspec.Struct, frozen=True):
    """A decision that cost its seat a part of its chance: what it played and what would have been better, as text.

    Both were played on `times` times with the same luck; `won` is how many first places the seat had after its own
    action, and after the better one (a shared first place is a part of one). `kept` is its chance after the better
    action, `left` after its own, by these matches; `error` is half of the 95 % interval of their difference. With
    `always`, luck decided nothing: all matches went the same ways. Where `times` is 0 both results are `proven` by
    search, or a judge has `said` what both are worth: `error` is then half of what its words differed by while it
    looked. `line` is how the match might have gone on after the better one, from that turn on. `fault` is the kind of
    the fault that came instead of an action, if one did.
    """

    turn: int
    seat: int
    played: str
    better: str
    kept: float
    left: float
    error: float
    line: tuple[LineTurn, ...] = ()
    fault: str = ""
    times: int = 0
    won: tuple[float, float] = (0.0, 0.0)
    always: bool = False
    proven: bool = False
    said: Said | None = None

    @property
    def loss(self) -> float:
        """The part of the chance that the decision cost."""
        return self.kept - self.left


class Stopped(msgspec.Struct, frozen=True):
    """A bot that was stopped: `place` counts turns from 0, `turn` is the turn's number, `fault` its fault's kind."""

    place: int
    turn: int
    seat: int
    fault: str


class ByJudge(msgspec.Struct, frozen=True):
    """Who judged all positions, by its own name, and how deep it usually looked: the first time, and the second one.

    Of the decisions that were `falls` by the first look, so many were looked at `again`. The bounds of the curve are
    the least and the most that was said of a position, and no 95 % interval.
    """

    name: str
    depth: int
    depth_again: int
    falls: int
    again: int


class PointsMade(msgspec.Struct, frozen=True):
    """A turn, and by how many points of the game's own a seat had more after it; below 0: less."""

    turn: int
    points: float


class Marked(msgspec.Struct, frozen=True):
    """What a game's drawing marks on the time line: its kind, how often it came, in which turn first and last."""

    kind: str
    times: int
    first: int
    last: int


class SeatFacts(msgspec.Struct, frozen=True):
    """What the game counted of a seat: its `points` at the end (none: it counts none), made in `scoring` turns.

    `made` and `lost` are the few turns in which it made and lost the most, if some stand out.
    """

    seat: int
    points: float | None = None
    scoring: int = 0
    made: tuple[PointsMade, ...] = ()
    lost: tuple[PointsMade, ...] = ()
    marks: tuple[Marked, ...] = ()


class Gap(msgspec.Struct, frozen=True):
    """Turns in which a seat fell behind the leader the most: by how many points it was so before, after, at the end.

    A match is looked at for a stretch of at most a sixth of it.
    """

    seat: int
    first: int
    last: int
    before: float
    after: float
    end: float


class Facts(msgspec.Struct, frozen=True):
    """What is known without any search. `leader` is who won, otherwise who had the most points; none: nobody alone.

    The leader had more points than each other seat from the turn `since` to the end (none: not at the end); who was
    ahead alone changed so many times (`changes`). In a game without points all of that is empty.
    """

    leader: int | None = None
    since: int | None = None
    changes: int = 0
    seats: tuple[SeatFacts, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Analysis(msgspec.Struct, frozen=True):
    """The analysis of a match. `points` are the turning points, the most expensive first.

    `tried` decisions were played on, in `matches` matches, by the bots called `by`, seat by seat (an empty name: the
    search); nobody was there to play on where `by` is empty. With `own`, they are the bots that played. `error` says
    why matches could not be played on, if some could not. From the turn in which a bot was `stopped` on, nothing is
    tried: played on, it would be alive again. With a `judge`, all chances and points are what it says.
    `facts` need neither. Where `settled` is not 0, the bots went on from so many turns, and came to one result
    whatever the luck: their chance is known, and the curve is the search's alone, for players as good as each other.
    `absent` are the seats whose bots were not at hand as they played: changed since, or gone. Where the time was not
    enough for all `turns`, `chances` are of some of them, in order, with the first and the last, and closer where a
    chance fell; nothing is known of those between.
    In a game that hides something, its seats had so many `decisions` in all; `seen` are those that were judged.
    There was no time for the last `unread` turns of the match: all of this is of those before. On `named` seats sits
    a bot that the operator named, and that is not the program that played.
    """

    game: str
    end: str  # the digest of the replay's last state
    seats: tuple[str, ...]
    compiled: bool
    playouts: int
    chances: tuple[Chances, ...]
    seen: tuple[SeatChance, ...]
    points: tuple[TurningPoint, ...]
    tried: int = 0
    matches: int = 0
    by: tuple[str, ...] = ()
    own: bool = False
    error: str = ""
    stopped: Stopped | None = None
    judge: ByJudge | None = None
    facts: Facts = Facts()
    settled: int = 0
    absent: tuple[int, ...] = ()
    turns: int = 0
    decisions: int = 0
    unread: int = 0
    named: tuple[int, ...] = ()

    def __repr__(self) -> str:
        """One short line: all that was found may be thousands of numbers."""
        turns, points = len(self.chances), len(self.points)
        return f"<Analysis of {self.game}: turns {turns}, turning points {points}>"
