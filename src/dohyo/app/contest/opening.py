"""Begin a contest, or go on with it: what is asked for is looked at, then compared with what the store has."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from time import time
from typing import Any, cast

from msgspec.structs import replace

from dohyo import games
from dohyo.app.clocks import check_measured, fair_mode, names_mode, read_clock
from dohyo.app.contest import field as fields
from dohyo.app.contest import returning
from dohyo.app.contest.asking import USUAL, Asked, Tell
from dohyo.app.contest.field import Field, Known
from dohyo.app.contest.loop import Loop
from dohyo.app.contest.orders import Orders
from dohyo.app.contest.spec import MOST_LEFT_OUT, Spec, as_stored, difference, of_stored, terms_of, with_our_word
from dohyo.app.play import MOST_SEED
from dohyo.bots.content import listed
from dohyo.contest import formats
from dohyo.contest.fixtures import Entrant
from dohyo.contest.formats import Batches
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.runner import usage
from dohyo.store import Store, open_store
from dohyo.store.records import Contest

LeaveOut = Callable[[str, OperatorError], None]


def silent(key: str, **details: object) -> None:
    """Tell nobody."""


def begin(
    asked: Asked, *, frozen: bool, leave_out: LeaveOut, join: Callable[[str], None], tell: Tell = silent
) -> Opened:
    """Begin the contest that is asked for, or go on with it where the store has it already.

    `leave_out` is told of bots in a folder that cannot be used, `join` of bots that enter with a new version, `tell`
    of whatever else a person may want to know. Raises `OperatorError` for whatever is wrong, before anything is
    stored.
    """
    game, setup, clock = look_at(asked)
    begun = returning.stored_terms(asked)
    spec = _terms(game, asked, setup, clock)
    known, left_out = fields.gather(game, asked, leave_out, tell, _seating(game, spec, begun))
    if begun is not None:
        known = returning.under_old_names(begun, known, tell if asked.names else silent)
    alike = fields.alike_among(known)
    for names in alike:
        tell("contest.alike", bots=listed(names))
    spec = replace(spec, bots=tuple(each.contender for each in known))
    fold = _fold(game, spec, len(known if begun is None else begun.bots))
    if begun is None:  # options may name bots
        fold.enter([Entrant(number, each.contender.name) for number, each in enumerate(known)])
    spec = replace(spec, options=fold.terms.options)
    store = open_store(asked.store, create=True)
    try:
        contest = store.begin(asked.name, game.name, as_stored(spec), time())
        store.lease(contest.id)
        stored = of_stored(contest.spec)
        if asked.seed is None:
            spec = replace(spec, seed=stored.seed)
        spec = _by_its_mode(replace(spec, seeds=stored.seeds), stored, asked)
        if begun is None and not names_mode(asked.clock) and fair_mode() == "wall":
            tell("contest.by-wall", missing=usage.missing("fair"))
        joins = formats.find(stored.format).joins
        if begun is not None:
            closed = "contest-bot-changed-frozen" if frozen else "" if joins else "contest-bot-changed"
            spec = replace(spec, bots=returning.without_strangers(stored, asked, known, closed, tell))
        before, stored = stored, _agreed(contest.name, stored, spec, game)
        stored = replace(stored, left_out=left_out, alike=alike[:MOST_LEFT_OUT])
        opened = _open(store, asked.store, contest, game, stored, known, frozen, join, asked.commands)
        if stored != before:
            store.set_spec(contest.id, as_stored(stored))
        if stored.rounds != before.rounds:
            tell("contest.extended", before=before.rounds, rounds=stored.rounds)
        if begun is not None:
            returning.enter_newcomers(store, contest, game, known, stored, joins and not frozen, tell)
        return opened
    except BaseException:
        store.close()
        raise


def look_at(asked: Asked) -> tuple[Game, dict[str, Any], Clock | None]:
    """The game that is asked for, the whole setup, and the clock. Raises `OperatorError` for what cannot be."""
    game = games.find(asked.game)
    setup = resolve(game.options, asked.setup, game.catalogue)
    clock = None if asked.clock is None else read_clock(game, asked.clock, mode=fair_mode())
    formats.find(asked.format)
    if asked.seed is not None and not 0 <= asked.seed <= MOST_SEED:
        raise OperatorError("bad-seed", seed=asked.seed, most=MOST_SEED)
    if asked.sandbox not in ("auto", "require", "none"):
        raise OperatorError("contest-value", key="sandbox", value=asked.sandbox, takes="auto, require, none")
    return game, setup, clock


def _terms(game: Game, asked: Asked, setup: dict[str, Any], clock: Clock | None) -> Spec:
    """The terms that are asked for, still without bots, the format's options still as they were typed."""
    return Spec(
        game=game.name,
        format=asked.format,
        rounds=asked.rounds,
        seed=secrets.randbelow(MOST_SEED + 1) if asked.seed is None else asked.seed,
        setup=setup,
        options=dict(asked.options),
        bots=(),
        clock=clock,
        mode=fair_mode() if clock is None else None,
        sandbox=cast(Any, asked.sandbox),  # looked at by `look_at`
        pondering=asked.pondering,
        fault_is_last=asked.fault_is_last,
        python=asked.python,
        seeds=formats.NEW,
    )


def _seating(game: Game, spec: Spec, begun: Spec | None) -> Callable[[int], None]:
    """What refuses so many bots that the format cannot seat, before one of them is built.

    Some may be left out later: so it refuses what would be refused with fewer, too. How many ratings there are is
    looked at later, for the same reason.
    """

    def objection(bots: int) -> OperatorError | None:
        try:
            _fold(game, spec, bots)
        except OperatorError as error:
            return None if error.key == "format-ratings" else error
        return None

    def seat(bots: int) -> None:
        wrong = objection(bots) if begun is None and bots else None
        if wrong is not None and all(objection(fewer) for fewer in range(1, bots)):
            raise wrong

    return seat


def _by_its_mode(spec: Spec, stored: Spec, asked: Asked) -> Spec:
    """The terms that are asked for, time counted as the contest that is there counts it, unless another is named."""
    if names_mode(asked.clock):
        return spec
    if spec.clock is None:
        if stored.clock is None and stored.mode is not None:
            check_measured(stored.mode)
        return replace(spec, mode=stored.mode)
    mode = spec.clock.mode if stored.clock is None else stored.clock.mode
    check_measured(mode)
    return replace(spec, clock=replace(spec.clock, mode=mode))


def _agreed(name: str, stored: Spec, given: Spec, game: Game) -> Spec:
    """The terms to go on with. Raises `OperatorError` where others are given than the contest was begun with."""
    terms = returning.with_more_rounds(stored, given)
    if (found := difference(terms, of_stored(as_stored(given)), game)) is not None:
        raise found.error(name)
    return terms


def go_on(
    where: str, name: str | None, *, sandbox: str = USUAL, python: str | None = None, commands: bool = False
) -> Opened:
    """Go on with a contest that a store has: the one of this name, or the only one.

    The store may be anybody's: bots are those that it holds, no path in it is looked at, and `sandbox` and `python`
    are the operator's. With `commands`, bots are run too that it holds as command lines.
    """
    store = open_store(where)
    try:
        contest = store.contest(name)
        store.lease(contest.id)
        spec, game = terms_of(contest)
        spec = with_our_word(contest.name, spec, sandbox, python)
        if not store.entrants(contest.id):
            raise OperatorError("contest-nobody-entered", name=contest.name)
        return _open(store, where, contest, game, spec, [], False, lambda name: None, commands)
    except BaseException:
        store.close()
        raise


class Opened:
    """A contest whose lease this process has; a context manager, at whose end the store is closed."""

    def __init__(self, store: Store, where: str, contest: Contest, game: Game, spec: Spec, loop: Loop) -> None:
        self.store = store
        self.where = where
        self.contest = contest
        self.game = game
        self.spec = spec
        self.loop = loop

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()


def _open(
    store: Store,
    where: str,
    contest: Contest,
    game: Game,
    spec: Spec,
    known: list[Known],
    frozen: bool,
    join: Callable[[str], None],
    commands: bool,
) -> Opened:
    if not store.entrants(contest.id):
        fields.enter_first(store, contest, game, known)
    joins = formats.find(spec.format).joins
    for name in fields.enter_changed(store, contest, game, known, joins, frozen, spec.format):
        join(name)
    field = Field(store, contest, game, spec, known, commands)
    fold = fold_of(game, spec, field)
    loop = Loop(store, contest, fold, field, Orders(store, contest, game, spec, field))
    loop.reopen()
    loop.take_up()
    return Opened(store, where, contest, game, spec, loop)


def fold_of(game: Game, spec: Spec, field: Field) -> Batches:
    """The contest's format, before its first batch."""
    return _fold(game, spec, sum(entry.since == 0 for entry in field.entries))


def _fold(game: Game, spec: Spec, entrants: int) -> Batches:
    return formats.make(
        spec.format,
        seats=game.seats,
        rounds=spec.rounds,
        seed=spec.seed,
        entrants=entrants,
        options=spec.options,
        seeds=spec.seeds,
    )
