"""Goes through matches and keeps the puzzles that are found, one by one; each match is looked through once.

In each match it begins where something hangs on a turn and is soon known: at the end, and from there on back; the
further from it, the less is looked for. Or it begins with the decisions that a search likes best.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import msgspec

from dohyo import clean
from dohyo.core import seeds
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.game import Game, Information
from dohyo.core.playback import Moment, moments
from dohyo.core.replay import Replay
from dohyo.guests.puzzles.matches import Match, read
from dohyo.guests.puzzles.proving import Prover
from dohyo.guests.puzzles.trying import Proposal, Proposer, Trying
from dohyo.match import own_games
from dohyo.search.proof import is_provable
from dohyo.series.branches import ByBots, PlaysOn
from dohyo.series.onward import PLAYOUTS, QUICK, BySearch, quick, strongest
from dohyo.series.puzzles.file import Written
from dohyo.series.puzzles.puzzle import Puzzle, Source, identifier, position_of

DEEP = 30  # turns from the end of a match that are proven ...
UNCLEAR = 6  # ... until nothing is known of so many, one after the other; then only what is near is looked for
A_MATCH = 20.0  # seconds, at most, for a match that is proven or proposed from
A_TRIAL = 60.0  # and for one proposal that is tried
MAX_TURNS = 20_000  # of a match: states of each are kept; a longer one is left out
NAME = 60  # characters of a bot's name that are kept


class Count(msgspec.Struct):
    """How far a search is: matches that were looked through, positions, and puzzles by game."""

    matches: int = 0
    of: int = 0
    positions: int = 0
    found: Counter[str] = msgspec.field(default_factory=Counter)
    silent: set[str] = msgspec.field(default_factory=set)  # games in which nobody strong plays on
    unread: int = 0

    @property
    def puzzles(self) -> int:
        """How many were found in all."""
        return sum(self.found.values())


class _Kind(NamedTuple):
    """By what a puzzle counts as another one: the game, who is to move, what that seat sees, and the solution."""

    game: str
    seat: int
    seen: str
    solution: str


class Finder:
    """Looks for puzzles until so many are found, or the time is over; a context manager, which ends its players."""

    def __init__(
        self,
        written: Written,
        *,
        most: int,
        seconds: float,
        compiled: bool,
        seed: int = 0,
        on_progress: Callable[[Count], None] = lambda count: None,
    ) -> None:
        self.count = Count()
        self._written, self._most, self._compiled, self._seed = written, most, compiled, seed
        self._until = time.monotonic() + seconds
        self._on_progress = on_progress
        self._stack = ExitStack()
        self._provers: dict[str, Prover] = {}
        self._proposers: dict[tuple[str, int], Proposer] = {}
        self._seen: set[tuple[str, str, int]] = set()  # positions that were looked at
        self._known = {_kind(one) for one in written.known.puzzles}
        self._pool: object = None

    def __enter__(self) -> Finder:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def look(self, matches: Sequence[Match], game: str | None = None) -> Count:
        """Go through these matches, those of one game if it is given; what was found, and what not.

        Raises `OperatorError` where all that is left is of games that are not found here.
        """
        unknown: OperatorError | None = None
        has_looked = False
        left = [one for one in matches if one.key not in self._written.known.looked]
        self.count.matches, self.count.of = len(matches) - len(left), len(matches)
        for match in left:
            if self._is_over():
                break
            self._on_progress(self.count)
            replay = read(match)
            if replay is None or replay.played > MAX_TURNS:
                self.count.unread += 1
            elif game not in (None, replay.header.game):  # it is still to be looked through
                self.count.matches += 1
                continue
            else:
                try:
                    self._look_at(match, replay)
                except (ReplayError, OperatorError) as error:  # of other rules, or of a game that is not here
                    self.count.unread += 1
                    if isinstance(error, OperatorError) and error.key in own_games.NOT_FOUND:
                        unknown = unknown or error
                        continue  # it is still to be looked through, once the game is found
            if self._is_over():
                break
            self.count.matches += 1
            self._written.add_looked(match.key)
            has_looked = True
        self._on_progress(self.count)
        if unknown is not None and not has_looked:
            raise unknown
        return self.count

    def _is_over(self) -> bool:
        return time.monotonic() >= self._until or self.count.puzzles >= self._most

    def _look_at(self, match: Match, replay: Replay) -> None:
        game, seats = own_games.find(replay.header.game), len(replay.header.seats)
        if game.referee is not None or seats < 2:
            return
        played = [one for one in moments(game, replay) if one.turn.moves]
        if not played:
            return
        if is_provable(game, seats):
            self._prove(match, replay, game, played)
        else:
            self._try(match, replay, game, played)

    @contextmanager
    def _compiling(self) -> Iterator[None]:
        """A block whose time does not count: a game's rules are compiled once."""
        begun = time.monotonic()
        yield
        self._until += time.monotonic() - begun

    # --- proven

    def _prove(self, match: Match, replay: Replay, game: Game, played: Sequence[Moment]) -> None:
        if game.name not in self._provers:
            with self._compiling():
                self._provers[game.name] = Prover(game, compiled=self._compiled)
                self._provers[game.name].warm(played[0].before)
        prover, unclear = self._provers[game.name], 0
        until = min(self._until, time.monotonic() + A_MATCH)
        for back, moment in enumerate(reversed(played)):
            if self._is_over() or time.monotonic() >= until:
                return
            seat = next(seat for seat, action in enumerate(moment.actions) if action is not None)
            if not self._is_new(game, moment, seat):
                continue
            found = prover.look(moment.before, until, deep=back < DEEP and unclear < UNCLEAR)
            unclear = unclear + 1 if prover.is_unclear else 0
            if found is not None:
                self._add(
                    match,
                    replay,
                    game,
                    moment,
                    seat,
                    solution=game.protocol.text(found.solution),
                    how="proven",
                    within=found.within,
                    others=found.others,
                    checked=found.positions,
                )

    # --- tried

    def _try(self, match: Match, replay: Replay, game: Game, played: Sequence[Moment]) -> None:
        seats = len(replay.header.seats)
        players = self._players(game, replay, seats)
        if players is None:
            self.count.silent.add(game.name)
            return
        if (game.name, seats) not in self._proposers:
            with self._compiling():
                self._proposers[game.name, seats] = Proposer(game, seats, compiled=self._compiled)
        proposer = self._proposers[game.name, seats]
        until = min(self._until, time.monotonic() + A_MATCH)
        proposed = proposer.proposals(replay, played, until)
        self.count.positions += len(played)
        trying = Trying(proposer, *players, seed=seeds.derived(replay.header.seed, "puzzles", self._seed))
        for one in proposed:
            if self._is_over():
                return
            if self._is_new(game, one.moment, one.seat):
                self._try_one(match, replay, game, trying, one, players[1].names)

    def _try_one(
        self, match: Match, replay: Replay, game: Game, trying: Trying, one: Proposal, names: Sequence[str]
    ) -> None:
        self._on_progress(self.count)
        found = trying.look(one, min(self._until, time.monotonic() + A_TRIAL))
        if found is not None:
            self._add(
                match,
                replay,
                game,
                one.moment,
                one.seat,
                solution=game.protocol.text(found.solution),
                how="tried",
                won=found.won,
                times=found.times,
                others=found.others,
                checked=found.checked,
                by=tuple(dict.fromkeys(clean.line(name, NAME) for name in names if name)),
            )

    def _players(self, game: Game, replay: Replay, seats: int) -> tuple[PlaysOn, PlaysOn] | None:
        """Who plays on, at first and the second time; none where nobody strong can without seeing what is hidden."""
        bot = strongest(game)
        if bot is None:
            if game.information is Information.IMPERFECT:
                return None
            usual = PLAYOUTS[0 if self._compiled else 1]
            first, second = (BySearch(game, seats, self._compiled, usual * times // 2) for times in (1, 2))
            return first, second
        if self._pool is None:
            from dohyo.executors.pool import Pool

            self._pool = self._stack.enter_context(Pool())
        clock, setup = game.usual_clock([bot.lifetime]), dict(replay.header.setup)
        first_bots, second_bots = (
            ByBots(game, [bot] * seats, self._pool, setup=setup, clock=quick(clock, times * QUICK))  # type: ignore[arg-type]
            for times in (1, 2)
        )
        return first_bots, second_bots

    # --- kept

    def _is_new(self, game: Game, moment: Moment, seat: int) -> bool:
        """Whether a position was not looked at before; it counts now."""
        key = game.name, game.rules.LAYOUT.digest(moment.before), seat
        if key in self._seen:
            return False
        self._seen.add(key)
        if is_provable(game, len(moment.actions)):
            self.count.positions += 1
        return True

    def _add(self, match: Match, replay: Replay, game: Game, moment: Moment, seat: int, **told: object) -> None:
        """Keep a puzzle, unless there is one that looks the same."""
        header, played = replay.header, moment.actions[seat]
        names = tuple(clean.line(one.name, NAME) for one in header.seats)
        made = msgspec.convert(
            {
                "game": game.name,
                "rules": game.version,
                "setup": header.setup,
                "seats": len(header.seats),
                "state": game.rules.LAYOUT.as_dict(moment.before),
                "turn": moment.turn.turn,
                "seat": seat,
                "source": Source(match.label, names, "" if played is None else game.protocol.text(played)),
                **told,
            },
            Puzzle,
        )
        named = msgspec.structs.replace(made, id=identifier(game, made, moment.before))
        kind = _kind(named)
        if kind in self._known:
            return
        self._known.add(kind)
        self._written.add(named)
        self.count.found[game.name] += 1
        self._on_progress(self.count)


def _kind(puzzle: Puzzle) -> _Kind:
    """By what a puzzle counts as another one; a stranger's that cannot be set is known by its name alone."""
    try:
        position = position_of(puzzle)
    except OperatorError:
        return _Kind(puzzle.game, puzzle.seat, puzzle.id, puzzle.solution)
    state = position.state
    frame = position.game.frame(state, [None] * puzzle.seats, (), state, puzzle.seat)
    seen = hashlib.sha256(msgspec.json.encode(frame, order="sorted")).hexdigest()
    return _Kind(puzzle.game, puzzle.seat, seen, puzzle.solution)
