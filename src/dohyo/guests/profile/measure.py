"""How long a bot thinks, turn by turn, on which processor time, with how much memory; and which turns were slowest.

Matches are played as contests play them (programs that are not to move are paused, time counts as `fair` where the
system can measure that), but without the fast path, so that the match's stopwatch measures every turn. There is no
second clock here: all times are those that the replays have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from dohyo import bots
from dohyo.bench.check.check import OPPONENT, SEATS
from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultKind
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.seeds import derived
from dohyo.match.clocks import read_clock
from dohyo.match.found_bots import find_named
from dohyo.match.play import Interrupted, check_seed, play_match, working_copies
from dohyo.match.players.players import Players
from dohyo.match.replays import recorded
from dohyo.match.telling.own_times import CLOSE, Turn, own_times
from dohyo.sandbox import Limits, Sandbox
from dohyo.system import proc
from dohyo.system.proc import fair_mode

MATCHES = 4
MAX_MATCHES = 10_000
EVERY = 0.1  # seconds between two looks at a program's memory, after its first turns
OFTEN = 10  # turns after which memory is looked at that seldom


class TurnTime(msgspec.Struct, omit_defaults=True):
    """One turn of the bot, in match number `match` (from 1): times in seconds.

    `seconds` is what was charged, `wall` what a watch showed, `cpu` the processor time, if it was measured; `limit`
    is what was allowed, without any reserve (with time for the whole match, the part of it that a bot is told).
    `own` is what of it may be held against the bot, if that is less (`own_times`).
    `sent` is the size of the input in bytes. `late` says that the time was over.
    """

    match: int
    turn: int
    seconds: float
    limit: float
    sent: int
    wall: float
    cpu: float | None = None
    is_first: bool = False
    late: bool = False
    own: float | None = None

    @property
    def share(self) -> float:
        """The part of its limit that it took, as far as that is known to be its own time."""
        return (self.seconds if self.own is None else self.own) / self.limit


class Spread(msgspec.Struct):
    """How long several turns took, in seconds: the median, and what 90 % and 99 % did not exceed.

    `share` is the longest, as a part of its limit; `limit` is the shortest limit among them.
    """

    turns: int
    median: float
    p90: float
    p99: float
    longest: float
    limit: float
    share: float


class ProfiledMatch(msgspec.Struct):
    """One match: its number, from 1, its seed, the bot's seat, its turns, and the replay's file, if there is one.

    `memory` is the most that its program took, in bytes; none where that is not known. `faults` are the bot's.
    """

    number: int
    seed: int
    seat: int
    turns: int
    memory: int | None
    faults: int = 0
    replay: str | None = None


class Profile(msgspec.Struct):
    """What was measured. `turns` are in the order in which they were played; `clock` is that of the matches, whose
    seeds follow from `seed`.

    `first` are the first turns of the matches, in which programs may still start or be compiled, `usual` all others;
    `cpu` is the processor time of these, if it was measured. `close` is how many turns took more than half their
    limit, `late` how many took longer than allowed.
    """

    game: str
    bot: str
    language: str
    digest: str
    seed: int
    sandbox: str
    memory_limit: int | None
    clock: Clock
    matches: list[ProfiledMatch]
    turns: list[TurnTime]
    usual: Spread | None = None
    first: Spread | None = None
    cpu: Spread | None = None
    memory: int | None = None
    close: int = 0
    late: int = 0

    def slowest(self, count: int) -> list[TurnTime]:
        """The turns that took the largest part of their limits, the worst first."""
        return sorted(self.turns, key=lambda turn: (-turn.share, turn.match, turn.turn))[:count]


class Wanted(msgspec.Struct, frozen=True):
    """What is to be played: as for `play_match`. `matches` have seeds that follow from `seed`."""

    seed: int = 0
    matches: int = MATCHES
    setup: Mapping[str, object] = {}
    clock: str | float | Clock | None = None
    python: str | None = None


class Stopped(BaseException):
    """Profiling ended early: `known` is what `profile` would have returned of the matches so far.

    The cause of this exception is what ended it: the `KeyboardInterrupt`, or the error of a later match.
    """

    def __init__(self, known: tuple[Profile, Bot, list[Replay]]) -> None:
        super().__init__()
        self.known = known


def profile(
    game: Game,
    bot: str,
    opponents: Sequence[str],
    wanted: Wanted,
    sandbox: Sandbox,
    keep: Callable[[int, Replay], str | None],
    on_match: Callable[[int], None],
) -> tuple[Profile, Bot, list[Replay]]:
    """Play matches of `bot` against `opponents`, and measure its turns; also the bot, and the replays.

    Without opponents it plays against the sample bot `random`, or itself where a game has none. Its seat is another
    one in each match. `keep` is called with each match's number and replay, and returns the name of its file, if it
    has one; `on_match` with the number before each match.

    Raises `OperatorError` for a mistake of the caller. Whatever ends this early once something is measured, Ctrl-C
    or an error, raises `Stopped` with what is known by then.
    """
    check_seed(wanted.seed)
    if not 1 <= wanted.matches <= MAX_MATCHES:
        raise OperatorError("profile-matches", given=wanted.matches, most=MAX_MATCHES)
    seated = find_named(
        game, [bot, *(opponents or _usual_opponents(game, bot))], wanted.python, sandbox, setup=wanted.setup
    )
    clock = read_clock(game, wanted.clock, [one.lifetime for one in seated], fair_mode())
    limit = None if sandbox.is_none else Limits().memory
    own = seated[0]
    found = Profile(game.name, own.name, own.language, own.digest, wanted.seed, sandbox.name, limit, clock, [], [])
    replays: list[Replay] = []
    try:
        for number in range(1, wanted.matches + 1):
            on_match(number)
            replay, memory, interrupt = _play(found, number, seated, game, wanted, sandbox)
            _add(found, replays, game, replay, memory)
            found.matches[-1].replay = keep(number, replay)
            if interrupt is not None:
                raise interrupt
    except BaseException as error:
        if not found.matches:
            raise
        raise Stopped((_summed_up(found), own, replays)) from error
    return _summed_up(found), own, replays


def _play(
    found: Profile, number: int, seated: Sequence[Bot], game: Game, wanted: Wanted, sandbox: Sandbox
) -> tuple[Replay, _Memory, Interrupted | None]:
    """Play one match, in which the first bot sits on the next seat.

    Returns the replay, the memory that was seen, and what has ended the match early, if anything has.
    """
    seat = (number - 1) % len(seated)
    order = [*seated[1 : seat + 1], seated[0], *seated[seat + 1 :]]
    memory, stopped = _Memory(seat), None
    seed = derived(wanted.seed, "profile", number)
    options: dict[str, Any] = {"setup": wanted.setup, "clock": found.clock, "sandbox": sandbox, "pondering": False}
    options["asks_where"] = True
    with working_copies(game) as copies:
        bots_there = order if copies is None else copies.make(order)
        try:
            replay = play_match(game, bots_there, seed=seed, on_start=memory.start, on_turn=memory.look, **options)
        except Interrupted as interrupt:
            replay, stopped = interrupt.replay, interrupt
    return replay, memory, stopped


def _add(found: Profile, replays: list[Replay], game: Game, replay: Replay, memory: _Memory) -> None:
    """Add what was measured in the next match."""
    number, seat = len(replays) + 1, memory.seat
    turns = _turns(game, replay, seat, number, found.clock)
    own = [move for turn in replay.turns for move in turn.moves if move.seat == seat]
    faults = sum(not fault.note for move in own for fault in move.faults)
    replays.append(replay)
    found.matches.append(ProfiledMatch(number, replay.header.seed, seat, len(turns), memory.most, faults))
    found.turns += turns


def _usual_opponents(game: Game, bot: str) -> list[str]:
    """Opponents where none are named: as many as `check` takes."""
    others = max(game.seats[0], min(SEATS, game.seats[1])) - 1
    return [OPPONENT if OPPONENT in bots.samples(Path(game.folder) / "bots") else bot] * others


class _Memory:
    """Looks at the memory of one seat's program between turns; `most` is what it took at most."""

    def __init__(self, seat: int) -> None:
        self.most: int | None = None
        self.seat = seat
        self._players: Players | None = None
        self._turns, self._next = 0, 0.0

    def start(self, players: Players) -> None:
        """The players of the match."""
        self._players = players

    def look(self, replay: Replay) -> None:
        """Look at it, if it is time to: no clock runs."""
        self._turns += 1
        now = monotonic()
        if self._players is None or (self._turns > OFTEN and now < self._next):
            return
        self._next = now + EVERY
        program = self._players.processes.get(self.seat)
        if program is not None and (seen := proc.peak_memory(program.process)):
            self.most = max(self.most or 0, seen)


def _turns(game: Game, replay: Replay, seat: int, number: int, clock: Clock) -> list[TurnTime]:
    """The turns in which the seat was asked."""
    turns: list[TurnTime] = []
    for found in recorded.asked(game, replay, seat):
        move, is_first = found.move, not turns
        seconds = move.seconds or 0.0
        late = any(fault.kind is FaultKind.TIMEOUT for fault in move.faults)
        wall = seconds if move.wall is None else move.wall
        limit = clock.share(is_first)
        turns.append(TurnTime(number, found.turn, seconds, limit, len(found.prompt), wall, move.cpu, is_first, late))
    return turns


def _summed_up(found: Profile) -> Profile:
    usual, first = ([turn for turn in found.turns if turn.is_first is kind] for kind in (False, True))
    for turns in (usual, first):
        own = own_times([Turn(turn.seconds, turn.cpu, turn.late, turn.limit) for turn in turns], found.clock.mode)
        for turn, seconds in zip(turns, own, strict=True):
            turn.own = seconds if seconds < turn.seconds else None
    found.usual = spread([(turn.share * turn.limit, turn.limit) for turn in usual])
    found.first = spread([(turn.share * turn.limit, turn.limit) for turn in first])
    found.cpu = spread([(turn.cpu, turn.limit) for turn in usual if turn.cpu is not None])
    found.memory = max((match.memory for match in found.matches if match.memory is not None), default=None)
    found.close = sum(turn.share > CLOSE for turn in found.turns)
    found.late = sum(turn.late for turn in found.turns)
    return found


def spread(times: Sequence[tuple[float, float]]) -> Spread | None:
    """How long turns took: `times` are the seconds of each, and its limit; none of no turns."""
    if not times:
        return None
    ordered = sorted(seconds for seconds, _ in times)

    def at(part: float) -> float:
        """The smallest time that at least this part of the turns did not exceed."""
        return ordered[max(0, math.ceil(part * len(ordered)) - 1)]

    share = max(seconds / limit for seconds, limit in times)
    limit = min(limit for _, limit in times)
    return Spread(len(times), at(0.5), at(0.9), at(0.99), ordered[-1], limit, share)
