"""The terms of a contest: they decide every match, and do not change until the contest is over.

A store may hold damaged contests: rows that fit their columns but not each other. The store itself checks each value
(`series/store/columns.py`). Only the format knows whether the results fit it; if they do not, it raises some error,
which `reporting_damage` turns into an `OperatorError`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from dohyo import clean
from dohyo.bench.check.in_short import first_error
from dohyo.bots.content import printable
from dohyo.core.bot_spec import BotSpec, HandIn, text_of
from dohyo.core.clock import Clock, Mode
from dohyo.core.errors import BuildError, OperatorError
from dohyo.core.external_referee import USUAL, ExternalReferee, game_of
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.request_fields import MAX_SEED
from dohyo.executors.refereed import RefereeKind, check_referee, kind_of
from dohyo.executors.version import Rules, rules_of
from dohyo.i18n import LANGUAGES, Message, Speaker
from dohyo.match import own_games
from dohyo.match.clocks import check_measured, read_clock
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.another import ANYWHERE
from dohyo.series.formats import MAX_ROUNDS
from dohyo.series.formats.base import TABLE
from dohyo.series.store.records import Contest

if TYPE_CHECKING:
    from dohyo.series.store import Store

MAX_LEFT_OUT = 1000  # omitted entries of a folder that are listed
MAX_JOINED = 10_000  # bots that came later, whose names are kept
LONGEST_WORD = 1000  # characters of a sentence about one
NAME = 200  # characters of its name
FIRST_LINES = 5  # of a compiler's output from its first error on, where a bot does not build
LAST_LINES = 10  # of the same output
COMPILER_LINES = FIRST_LINES + 1 + LAST_LINES  # with the one that stands for what is between them
LONGEST_LINE = 200  # characters of one of them
SHORT = 3  # letters of a file's name that may be a part of any word
STRENGTH = {"none": 0, "auto": 1, "require": 2}


class Contender(msgspec.Struct, frozen=True):
    """A bot at the beginning: its name in the contest, and what the operator meant by it; none where nobody tells.

    Of a store's this is only shown, and compared with what is typed now: nothing is started or opened because of it.
    """

    name: str
    bot: BotSpec | None = None

    @property
    def typed(self) -> str:
        """What a person types for it; its name where nothing is known."""
        return self.name if self.bot is None else text_of(self.bot)

    @property
    def path(self) -> str:
        """Where a hand-in was; empty for any other bot."""
        return self.bot.path if isinstance(self.bot, HandIn) else ""


class LeftOut(msgspec.Struct, frozen=True):
    """An entry of the folder of hand-ins that does not take part: its name, and why, in each language.

    The sentences are stored whole, because whoever reads the store may have another version of Dohyo. `log` is
    what its compiler printed, in short, where it does not build.
    """

    name: Annotated[str, Meta(max_length=LONGEST_WORD)]
    why: dict[str, Annotated[str, Meta(max_length=LONGEST_WORD)]]
    log: Annotated[tuple[Annotated[str, Meta(max_length=LONGEST_LINE)], ...], Meta(max_length=COMPILER_LINES)] = ()

    @classmethod
    def of(cls, name: str, error: OperatorError, path: str = "") -> LeftOut:
        """The entry with the sentences of `error`; its `path`, which is private, is replaced by the name."""
        why = {}
        for language in LANGUAGES:
            said = error.say(Speaker(language))
            why[language] = (said.replace(clean.line(path), name) if path else said)[:LONGEST_WORD]
        lines = (_under_name(line, name, path) if path else line for line in compiler_lines(error))
        return cls(clean.line(name, NAME), why, tuple(clean.line(line, LONGEST_LINE) for line in lines))

    def reason(self, speaker: Speaker) -> str:
        """Why it does not take part."""
        return self.why.get(speaker.language) or next(iter(self.why.values()), "")


def compiler_lines(error: OperatorError) -> list[str]:
    """A compiler's output in short, if there is any: its first error, from which others follow, and its end."""
    if not isinstance(error, BuildError):
        return []
    lines = clean.block(error.log.rstrip()).splitlines()
    end = max(0, len(lines) - LAST_LINES)
    first = first_error(lines)
    if first >= end:
        return lines[end:]
    gap = [clean.CUT] if first + FIRST_LINES < end else []
    return [*lines[first : min(first + FIRST_LINES, end)], *gap, *lines[end:]]


def _under_name(line: str, name: str, path: str) -> str:
    """A compiler's line with a hand-in's name for its path and its file, which may tell whose it is."""
    whole, entry = clean.line(path), clean.line(os.path.basename(path))
    stem = os.path.splitext(entry)[0]
    if name in (entry, stem):
        return line.replace(whole, entry)
    found = re.escape(stem) if len(stem) > SHORT else rf"(?<!\w){re.escape(stem)}(?!\w)"
    return re.sub(f"{re.escape(whole)}|{re.escape(entry)}|{found}", lambda _: name, line)


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """A contest's terms.

    `setup` and `options` hold all options of the game and of the format. `clock` is none for the game's usual clock;
    `mode` then says how it counts time, and none, where another program referees, means the game's own mode.
    `python` is the interpreter for bots in Python. `sandbox` is auto, require or none. With
    `fault_is_last`, a bot with a fault gets the last place in that match, whatever the game says. `referee` is the
    program of others that referees the game, as it was when the contest began, without the place where it is
    (`ExternalReferee.stored`).

    With `keeps_engines`, engines play on from match to match. `rules` are the game's as they were at the beginning,
    where edited ones would make it another series.

    Six fields are not terms. Three change with the folder: `left_out` are its entries that do not take part, `alike`
    the names of bots with the same file contents, `joined` those who came after the beginning. `renamed` has the
    names of bots that were called otherwise before, by each name that they had. `was_over` says that the contest goes
    on after it was over, `is_replacing` that it does because new versions were let in, so that until its next end
    others may enter, too.
    """

    game: str
    format: str
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]
    seed: Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
    setup: dict[str, Any]
    options: dict[str, Any]
    bots: tuple[Contender, ...]
    clock: Clock | None = None
    mode: Mode | None = None
    sandbox: Literal["auto", "require", "none"] = "auto"
    pondering: bool = False
    fault_is_last: bool = False
    python: str | None = None
    referee: dict[str, Any] | None = None
    keeps_engines: bool = False
    rules: Rules | None = None
    left_out: Annotated[tuple[LeftOut, ...], Meta(max_length=MAX_LEFT_OUT)] = ()
    alike: Annotated[tuple[tuple[str, ...], ...], Meta(max_length=MAX_LEFT_OUT)] = ()
    joined: Annotated[tuple[Contender, ...], Meta(max_length=MAX_JOINED)] = ()
    renamed: Annotated[dict[str, str], Meta(max_length=MAX_JOINED)] = {}
    was_over: bool = False
    is_replacing: bool = False


# Fields of a `Spec` that may change.
NO_TERMS = ("left_out", "alike", "joined", "renamed", "was_over", "is_replacing")


class MatchTerms(msgspec.Struct, frozen=True):
    """On what terms a command plays a series that it brings itself: as for a match, with `seats` seats.

    `mode` says how the game's usual clock counts time, if no clock is given; with `restart` engines are started anew
    for each match.
    """

    seed: int = 0
    seats: int = 2
    setup: dict[str, Any] = {}
    clock: Clock | None = None
    mode: Mode | None = None
    sandbox: str = "auto"
    pondering: bool = False
    restart: bool = False

    def check(self, game: Game) -> None:
        """Raise `OperatorError` for an impossible seed or setup, and where a referee's program is not there."""
        if not 0 <= self.seed <= MAX_SEED:
            raise OperatorError("bad-seed", seed=self.seed, most=MAX_SEED)
        resolve(game.options, self.setup, game.catalogue)
        if game.referee is not None:
            check_referee(game.referee, sandbox_of(self.sandbox))

    def spec(self, game: Game, format_: str, rounds: int, options: dict[str, Any]) -> Spec:
        """The terms as a store keeps them, of a series of this format; without bots."""
        return Spec(
            game=game.name,
            format=format_,
            rounds=rounds,
            seed=self.seed,
            setup=resolve(game.options, self.setup, game.catalogue),
            options={TABLE.name: self.seats, **options},
            bots=(),
            clock=self.clock,
            mode=self.mode,
            sandbox=cast(Any, self.sandbox),
            pondering=self.pondering,
            referee=None if game.referee is None else game.referee.stored,
            keeps_engines=not self.restart,
            rules=rules_of(game),
        )


class Difference(msgspec.Struct, frozen=True):
    """What is `stored` of a contest, and what is `given` now, under `key`."""

    key: str
    stored: str | None
    given: str | None

    def error(self, name: str, another: Message = ANYWHERE) -> OperatorError:
        """The sentence about the contest of this name, with how `another` one begins instead."""
        kind = "contest-changed"
        if self.key.startswith("bots."):
            kind = "contest-without-bot" if self.given is None else "contest-other-bot"
        elif self.stored is None:
            kind = "contest-begun-without"
        elif self.given is None:
            kind = "contest-begun-with"
        elif self.key == "sandbox" and STRENGTH.get(self.given, 0) < STRENGTH.get(self.stored, 0):
            kind = "contest-begun-in-sandbox"
        key = self.key.removeprefix("bots.")
        more = {} if kind == "contest-without-bot" else {"another": another}
        return OperatorError(kind, name=name, key=key, stored=self.stored, given=self.given, **more)


def as_stored(spec: Spec) -> dict[str, Any]:
    """The terms as the store keeps them."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(spec))
    return plain


def of_stored(plain: dict[str, Any]) -> Spec:
    """The terms that a store kept. Raises `OperatorError` for invalid terms: anybody may have written the store."""
    try:
        spec = msgspec.convert(plain, Spec, strict=False)
        return spec if spec.referee is None else replace(spec, referee=ExternalReferee.of_stored(spec.referee).stored)
    except (msgspec.ValidationError, RecursionError) as error:
        raise OperatorError("contest-terms-unreadable", error=error) from error


def terms_of(contest: Contest) -> tuple[Spec, Game]:
    """A contest's terms and its game from a store, checked. Raises `OperatorError` for impossible ones."""
    spec = of_stored(contest.spec)
    game = own_games.find(contest.game) if spec.referee is None else game_of(ExternalReferee.of_stored(spec.referee))
    if spec.game != game.name:
        raise OperatorError("contest-terms-unreadable", error=f"{spec.game}, {game.name}")
    clock = None if spec.clock is None else read_clock(game, spec.clock)
    if clock is None and spec.mode is not None:
        check_measured(spec.mode)
    return replace(spec, setup=resolve(game.options, spec.setup, game.catalogue), clock=clock), game


def referee_kind_of(contest: Contest) -> RefereeKind | None:
    """The kind of program that refereed a contest's matches; none where Dohyo did.

    Raises `OperatorError` if no guest brings it.
    """
    referee = contest.spec.get("referee")
    if referee is None:
        return None
    return kind_of(str(referee.get("kind", USUAL)) if isinstance(referee, dict) else USUAL)


def with_our_word(name: str, stored: Spec, sandbox: str, python: str | None) -> Spec:
    """The terms to go on with if the operator names only the store, the sandbox and the interpreter.

    Raises `OperatorError` if the store has another sandbox or another interpreter: a stranger may have written the
    store, so these two come from the present command line alone.
    """
    options = {"sandbox": (stored.sandbox, sandbox), "python": (stored.python, python)}
    for key, (before, now) in options.items():
        if before == now:
            continue
        if before is None or (key == "sandbox" and STRENGTH[stored.sandbox] > STRENGTH.get(sandbox, 0)):
            raise Difference(key, before, now).error(name)
        raise OperatorError("contest-own-word", name=name, key=key, value=before)
    return stored


def clock_meant(spec: Spec, game: Game) -> Clock | None:
    """The clock of all matches, named or not; none where it is not named, and follows from who plays."""
    if spec.clock is not None or game.lifetimes or game.referee is not None:
        return spec.clock
    usual = game.usual_clock()
    return usual if spec.mode is None or usual.mode != "wall" else replace(usual, mode=spec.mode)


def difference(stored: Spec, given: Spec, game: Game) -> Difference | None:
    """The first difference, as an operator types it; none if they are the same.

    A clock is the same whether the usual one is named or left out.
    """
    meant = clock_meant(stored, game)
    same: tuple[str, ...] = NO_TERMS
    if meant is not None and meant == clock_meant(given, game):
        same += ("clock", "mode")
    for field in Spec.__struct_fields__:
        before, after = msgspec.to_builtins(getattr(stored, field)), msgspec.to_builtins(getattr(given, field))
        if before == after or field in ("bots", *same):
            continue
        if field == "clock":
            return Difference(field, clock_word(stored.clock, game), clock_word(given.clock, game))
        if isinstance(before, dict) and isinstance(after, dict):
            keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
            return Difference(f"{field}.{keys[0]}", _shown(before.get(keys[0])), _shown(after.get(keys[0])))
        return Difference(field, _shown(before), _shown(after))
    return _of_bots(stored, given)


def _of_bots(stored: Spec, given: Spec) -> Difference | None:
    """A bot is known by its name; where its files lie may change, and what is in them is compared elsewhere."""
    before, after = ({each.name: each.typed for each in spec.bots} for spec in (stored, given))
    if before.keys() != after.keys():
        name = next(name for name in {**before, **after} if (name in before) != (name in after))
        return Difference(f"bots.{name}", before.get(name), after.get(name))
    if list(before) != list(after):
        return Difference("bots", ", ".join(before), ", ".join(after))
    return None


def clock_word(clock: Clock | None, game: Game) -> str | None:
    """A clock as it is typed: a preset or seconds, then the options that differ."""
    if clock is None:
        return None
    base = game.clocks.get(clock.preset) or Clock(turn=clock.turn)
    words = [clock.preset or f"{clock.turn:g}"]
    for key in ("mode", "bank", "grace", "strikes", "wall", "increment", "moves", "ready"):
        value = getattr(clock, key)
        if value != getattr(base, key):
            words.append(f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}")
    return ",".join(words)


def typed(value: object) -> str:
    """An option's value as it is typed: yes, no, or what it says; several with commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ",".join(f"{key}={typed(each)}" for key, each in value.items())
    return ",".join(map(typed, value)) if isinstance(value, list | tuple) else str(value)


def _shown(value: object) -> str | None:
    return None if value is None else typed(value)


# --- damaged contests


# What formats, standings and ratings raise for results and terms that do not belong to them.
OUT_OF_THE_FORMAT = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
SHOWN = 200  # characters of a reason


@contextmanager
def reporting_damage(store: Store) -> Iterator[None]:
    """A block that uses a stored contest. Raises `OperatorError` if what is stored makes no sense."""
    try:
        yield
    except OUT_OF_THE_FORMAT as error:
        reason = printable(f"{type(error).__name__}: {error}"[:SHOWN])
        raise OperatorError("store-damaged", store=store.shown, reason=reason) from error
