"""Who plays a match on from a position: the bots that played it, else strong ones of the game's, else the search."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from dohyo.core.game import Game, Information, State
from dohyo.core.replay import Replay
from dohyo.series.analyst import search_of
from dohyo.series.branches import Branch, ByBots, End, PlaysOn, end_of

if TYPE_CHECKING:
    from dohyo.bots import Bot
    from dohyo.core.clock import Clock
    from dohyo.match.replays.last import Typed
    from dohyo.sandbox import Sandbox
    from dohyo.search.uct import Assessment

SENSEI = "sensei"  # the strongest sample bot of a game, where there is one
QUICK = 0.2  # of the usual time has a bot that stands in for one that is not at hand: it plays the faster
PLAYOUTS = 400, 60  # a turn of the search that plays on, compiled and in plain Python
MAX_TURNS = 20_000  # of a match that it plays on
MAX_SEATS = 16  # of a stranger's match that is played on: each starts a program

Find = Callable[[int], "tuple[Bot, bool] | None"]
"""The bot that sat on a seat, and whether it is still the same; none if it is not at hand."""


class Onward(NamedTuple):
    """Who plays on. `is_own` says that they are the bots that played the match, on every seat.

    `absent` are the seats whose bots are not at hand as they played: they were changed since, or are gone. `named`
    are those whose bot the operator named, where that is another program and plays on.
    """

    by: PlaysOn
    is_own: bool
    absent: tuple[int, ...] = ()
    named: tuple[int, ...] = ()

    def told(self) -> dict[str, Any]:
        """The fields of an `Analysis` that say who played on."""
        told = {"by": self.by.names, "own": self.is_own, "error": self.by.error}
        return told | {"absent": self.absent, "named": self.named}


@contextmanager
def onward(
    game: Game,
    replay: Replay,
    find: Find | None = None,
    *,
    compiled: bool = True,
    sandbox: str = "auto",
    named: Collection[int] = (),
    most: int | None = MAX_SEATS,
) -> Iterator[Onward | None]:
    """Who plays this match on, while the context lasts; none where nobody can, and in one of more than `most` seats.

    `find` looks for the bots that played; those on `named` seats were named by the operator. Where one is not at
    hand, the game's `sensei` sits on its seat, and all have less time; where a game has none, the search plays for
    all seats, if everybody sees everything.
    """
    if most is not None and len(replay.header.seats) > most:
        yield None
        return
    known = [find(seat) if find is not None else None for seat in range(len(replay.header.seats))]
    bots = [None if one is None else one[0] for one in known]
    others = [seat for seat, one in enumerate(known) if one is None or not one[1]]
    is_own = not others
    absent, named = tuple(seat for seat in others if seat not in named), tuple(set(others) & set(named))
    if None in bots:
        instead = strongest(game)
        if instead is None:
            by = None if game.information is Information.IMPERFECT else BySearch(game, len(bots), compiled)
            yield None if by is None else Onward(by, False, absent)
            return
        bots = [bot or instead for bot in bots]
    from dohyo.executors.pool import Pool

    clock = replay.header.clock
    with Pool() as pool:
        setup = dict(replay.header.setup)
        limits = clock if all(one is not None for one in known) else quick(clock)
        by_bots = ByBots(game, [bot for bot in bots if bot], pool, setup=setup, clock=limits, sandbox=sandbox)
        yield Onward(by_bots, is_own, absent, named)


def finder(
    replay: Replay,
    path: str | None,
    python: str | None,
    sandbox: Sandbox,
    typed: Typed | None,
    trust: bool,
    words: Mapping[int, str] = MappingProxyType({}),
) -> Find | None:
    """Looks for the bots that played, as `dohyo rerun` does; none where strangers' programs would run unguarded.

    What the operator typed for the match is no stranger's: that may have changed since. Of a replay nobody knows who
    made it, and a name in it may be that of any file here: then only the very program that played is taken. `words`
    are the operator's own for some seats: what they mean sits there, whatever the replay says.

    The finder raises what `find_bots` raises for one of these.
    """
    from dohyo.bench.rerun import bot_that_played
    from dohyo.core.errors import OperatorError
    from dohyo.match import own_games
    from dohyo.match.found_bots import find_bots

    is_unguarded = sandbox.name == "none" and typed is None and not trust
    if is_unguarded and not words:
        return None

    def find(seat: int) -> tuple[Bot, bool] | None:
        if seat in words:
            game, setup = own_games.find(replay.header.game), dict(replay.header.setup)
            (bot,) = find_bots(game, [words[seat]], python, sandbox, setup=setup)
            return bot, bot.digest == replay.header.seats[seat].digest
        if is_unguarded:
            return None
        try:
            bot = bot_that_played(replay, seat, path, python, sandbox, typed=typed)
        except OperatorError:
            return None
        is_same = bot.digest == replay.header.seats[seat].digest
        return (bot, is_same) if is_same or typed is not None else None

    return find


def sample_finder(replay: Replay) -> Find:
    """Looks for sample bots that played, and for no file: a replay is a stranger's, and so may be what lies here."""
    from dohyo.bots import samples_of
    from dohyo.core.bot_spec import Sample
    from dohyo.core.errors import OperatorError
    from dohyo.match import own_games
    from dohyo.match.found_bots import find_bots
    from dohyo.match.sandboxing import sandbox_of

    game = own_games.find(replay.header.game)

    def find(seat: int) -> tuple[Bot, bool] | None:
        who = replay.header.seats[seat]
        if who.name not in samples_of(game):
            return None
        try:
            (bot,) = find_bots(game, [Sample(who.name)], None, sandbox_of("auto"))
        except OperatorError:
            return None
        return (bot, True) if bot.digest == who.digest else None

    return find


def strongest(game: Game) -> Bot | None:
    """The game's strongest sample bot, built; none where it has only simple ones."""
    from dohyo.bots import samples_of
    from dohyo.core.errors import OperatorError
    from dohyo.match.found_bots import find_bots
    from dohyo.match.sandboxing import sandbox_of

    if SENSEI not in samples_of(game):
        return None
    try:
        return find_bots(game, [SENSEI], None, sandbox_of("auto"))[0]
    except OperatorError:  # it needs what is not installed here
        return None


def quick(clock: Clock | None, part: float = QUICK) -> Clock | None:
    """The clock for bots that stand in for others, `part` of this one; what is only for a program's start stays."""
    if clock is None or clock.is_whole_match:
        return None
    return replace(clock, turn=clock.turn * part, first=clock.limit(True), wall=None, preset="")


class BySearch:
    """The search plays on for all seats, in this process, by what it finds in a few playouts a turn."""

    def __init__(self, game: Game, seats: int, compiled: bool, playouts: int | None = None) -> None:
        self.game, self.seats = game, seats
        self.names = ("",) * seats
        self.error = ""
        self._search = search_of(game, seats, compiled=compiled)
        self._playouts = playouts or PLAYOUTS[0 if compiled else 1]

    def ends(self, branches: Sequence[Branch], until: float | None = None) -> list[End | None]:
        """Play each on to its end; see `PlaysOn`."""
        return [self._end(branch, until) for branch in branches]

    def _end(self, branch: Branch, until: float | None) -> End | None:
        rules, state = self.game.rules, self.game.rules.LAYOUT.copy(branch.state)
        source, dice = self.game.source(branch.seed), [0] * max(rules.DICE, 1)
        for turn in range(MAX_TURNS):
            if rules.over(state):
                return end_of(self.game, state, self.seats)
            if until is not None and time.monotonic() >= until:
                return None
            if rules.needs_dice(state):
                rules.roll(state, source, dice)
                rules.deal(state, dice, None)
                continue
            self._search.reseed((branch.seed + turn) % (1 << 30))
            rules.step(state, self._actions(state, self._search.assess([state], playouts=self._playouts)), None)
        return None

    def _actions(self, state: State, found: Assessment) -> list[int]:
        """By seat the action that was tried most; the first legal one where none was."""
        actions = [0] * self.seats
        for seat in self.game.acting(state, self.seats):
            tried = {one.action: one.visits for one in found.options.get(seat, ())}
            legal = list(self.game.legal_actions(state, seat))
            actions[seat] = max(legal, key=lambda action: tried.get(action, 0))
        return actions
