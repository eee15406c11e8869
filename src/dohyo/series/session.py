"""A contest that this process runs (`begin`, `go_on`), or only looks at (`look`).

The request is checked, then compared with what the store has; nothing is written before that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import time
from typing import Any, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from dohyo.bots.content import listed
from dohyo.core.clock import Clock
from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.notices import Tell
from dohyo.core.options import resolve
from dohyo.core.request_fields import STRICT
from dohyo.executors.refereed import check_referee, game_of_word
from dohyo.match.clocks import check_measured, names_mode, read_clock
from dohyo.match.play import MAX_SEED, new_seed
from dohyo.match.sandboxing import sandbox_of
from dohyo.series import formats
from dohyo.series.another import another
from dohyo.series.ends_early import tell_early_ends
from dohyo.series.formats import Format
from dohyo.series.formats.brackets import Bracket
from dohyo.series.formats.hills import Hill
from dohyo.series.formats.named import renamed
from dohyo.series.hand_ins import alike_among, likenesses, under_old_names
from dohyo.series.loop import Loop, made_format
from dohyo.series.loop import begun as series_of
from dohyo.series.own_bots import usual_sandbox
from dohyo.series.renaming import call_as_listed, checked, former, spec_with
from dohyo.series.request import ContestRequest
from dohyo.series.roster import (
    BuiltBot,
    enter_changed,
    enter_first,
    enter_newcomers,
    gather,
    keep_what_is_over,
    stored_terms,
    with_more_rounds,
    without_strangers,
)
from dohyo.series.spec import (
    MAX_LEFT_OUT,
    LeftOut,
    Spec,
    as_stored,
    difference,
    of_stored,
    reporting_damage,
    terms_of,
    with_our_word,
)
from dohyo.series.standings import Standings, standings_of
from dohyo.series.store import Store, open_store
from dohyo.series.store.files import AnyFiles
from dohyo.series.store.records import Aside, Contest, Progress
from dohyo.system import proc
from dohyo.system.proc import fair_mode

LeaveOut = Callable[[str, OperatorError], None]
MatchNumbers = dict[tuple[int, frozenset[int]], list[int]]  # by batch and who met


def silent(key: str, **details: object) -> None:
    """Ignore the message."""


def begin(
    request: ContestRequest,
    *,
    frozen: bool,
    leave_out: LeaveOut,
    tell: Tell = silent,
    replaces: bool = False,
    files: Path | AnyFiles | None = None,
) -> ContestSession:
    """Begin the contest that is asked for, or go on with it where the store has it already.

    `leave_out` is called with bots in a folder that cannot be used, `tell` with other messages for a person. Only
    with `replaces` may new versions of bots make matches of a contest that is over count for nobody. `files` says
    where the store's files are, if not in the usual place. Raises `OperatorError` for whatever is wrong, before
    anything is stored.
    """
    if request.sandbox is None:
        request.sandbox = usual_sandbox(request, tell)
    game, begun, spec, built, left_out, names = _gathered(request, leave_out, tell, files)
    if begun is None:
        tell_early_ends(game, request, built, tell)
    store = open_store(request.store, create=True, files=files)
    try:
        contest = store.begin(request.name, game.name, as_stored(spec), time())
        store.lease(contest.id)
        stored = spec_with(of_stored(contest.spec), checked(contest, store.entrants(contest.id), names))
        _check_referee_is(contest.name, stored, game)
        spec = replace(spec, seed=stored.seed) if request.seed is None else spec
        spec = _by_its_mode(spec, stored, request)
        _tell_terms(game, request, tell, begun is None)
        joins = formats.find(stored.format).info.joins
        if begun is not None:
            closed = "contest-bot-changed-frozen" if frozen else "" if joins else "contest-bot-changed"
            spec = replace(spec, bots=without_strangers(stored, request, built, closed, tell))
        before, stored = stored, _agreed(contest.name, stored, spec, game, request.store)
        call_as_listed(store, contest, names, tell)
        if joins and not frozen and not replaces:
            keep_what_is_over(store, contest, built)
        stored = replace(stored, left_out=left_out, alike=_told_alike(store, contest, built, tell)[:MAX_LEFT_OUT])
        session = _open(store, request.store, contest, game, stored, built, frozen, tell=tell)
        if stored != before:
            store.amend_spec(contest.id, partial(_amended, stored))
        if stored.rounds != before.rounds:
            tell("contest.extended", before=before.rounds, rounds=stored.rounds)
        if begun is not None:
            enter_newcomers(store, contest, game, built, stored, joins and not frozen, tell)
        return session
    except BaseException:
        store.close()
        raise


class _Gathered(NamedTuple):
    game: Game
    begun: Spec | None  # the terms of the contest that the store has already
    spec: Spec
    built: list[BuiltBot]
    left_out: tuple[LeftOut, ...]
    names: dict[str, str]  # that the list of names gives to those who take part, by those that they have


def _gathered(request: ContestRequest, leave_out: LeaveOut, tell: Tell, files: Path | AnyFiles | None) -> _Gathered:
    """What is asked for, with its bots built; nothing is stored."""
    game, setup, clock = look_at(request.check())
    begun = stored_terms(request, files)
    spec = _terms(game, request, setup, clock)
    built, left_out = gather(game, request, leave_out, tell, _seating(game, spec, begun))
    names: dict[str, str] = {}
    if begun is not None:
        built, names = under_old_names(begun, built, tell if request.names else silent)
    spec = replace(spec, bots=tuple(each.contender for each in built))
    format_ = made_format(game, spec, len(built if begun is None else begun.bots))
    if begun is None:  # options may name bots
        format_.check_new()
        format_.enter([Entrant(number, each.version()) for number, each in enumerate(built)])
    options = format_.terms.options
    for known in () if begun is None else (former(begun), names):  # what is typed names bots as they were called
        options = renamed(options, format_.info.options, known)
    return _Gathered(game, begun, replace(spec, options=options), built, left_out, names)


def _told_alike(store: Store, contest: Contest, built: Sequence[BuiltBot], tell: Tell) -> tuple[tuple[str, ...], ...]:
    """The names of hand-ins that hold exactly the same files, each group also told."""
    alike = alike_among(built, likenesses(store, contest, {each.contender.name for each in built}))
    for names in alike:
        tell("contest.alike", bots=listed(names))
    return alike


def _amended(stored: Spec, plain: dict[str, Any]) -> dict[str, Any]:
    """These terms, with who has joined or is called otherwise meanwhile, and whether it was over: some commands wait
    for nobody."""
    now = of_stored(plain)
    names = {"bots": now.bots, "options": now.options, "renamed": now.renamed}
    kept = names | {"joined": now.joined, "was_over": now.was_over, "is_replacing": now.is_replacing}
    return as_stored(replace(stored, **kept))


def look_at(request: ContestRequest) -> tuple[Game, dict[str, Any], Clock | None]:
    """The requested game, the whole setup, and the clock. Raises `OperatorError` for what is impossible."""
    game = game_of_word(request.game)
    setup = resolve(game.options, request.setup, game.catalogue)
    clock = None if request.clock is None else read_clock(game, request.clock, mode=fair_mode())
    formats.chosen(request.format)
    if request.seed is not None and not 0 <= request.seed <= MAX_SEED:
        raise OperatorError("bad-seed", seed=request.seed, most=MAX_SEED)
    if request.sandbox not in (None, "auto", "require", "none"):
        raise OperatorError("contest-value", key="sandbox", value=request.sandbox, takes="auto, require, none")
    if game.referee is not None:
        if request.pondering:
            raise OperatorError("referee-no-clock", game=game.name, option="--pondering")
        check_referee(game.referee, sandbox_of(request.sandbox or STRICT))
    return game, setup, clock


def _terms(game: Game, request: ContestRequest, setup: dict[str, Any], clock: Clock | None) -> Spec:
    """The requested terms, without bots; the format's options are still as they were typed."""
    return Spec(
        game=game.name,
        format=request.format,
        rounds=request.rounds,
        seed=new_seed() if request.seed is None else request.seed,
        setup=setup,
        options=dict(request.options),
        bots=(),
        clock=clock,
        mode=fair_mode() if clock is None and game.referee is None else None,
        sandbox=cast(Any, request.sandbox),  # looked at by `look_at`
        pondering=request.pondering,
        fault_is_last=request.fault_is_last,
        python=request.python,
        referee=None if game.referee is None else game.referee.stored,
    )


def _seating(game: Game, spec: Spec, begun: Spec | None) -> Callable[[int], None]:
    """A check that refuses too many bots for the format, before any of them is built.

    Some bots may be omitted later. So it refuses only what would be refused with fewer bots, too. The number of
    ratings is checked later, for the same reason.
    """

    def objection(bots: int) -> OperatorError | None:
        try:
            made_format(game, spec, bots)
        except OperatorError as error:
            return None if error.key == "format-ratings" else error
        return None

    def seat(bots: int) -> None:
        wrong = objection(bots) if begun is None and bots else None
        if wrong is not None and all(objection(fewer) for fewer in range(1, bots)):
            raise wrong

    return seat


def _by_its_mode(spec: Spec, stored: Spec, request: ContestRequest) -> Spec:
    """The requested terms; time is counted as in the existing contest, unless another way is named."""
    if names_mode(request.clock):
        return spec
    mode = stored.mode if stored.clock is None else stored.clock.mode
    if mode is not None:
        check_measured(mode)
    if spec.clock is None:
        return replace(spec, mode=mode)
    return spec if mode is None else replace(spec, clock=replace(spec.clock, mode=mode))


def _tell_terms(game: Game, request: ContestRequest, tell: Tell, is_new: bool) -> None:
    """Tell what is unusual in the terms of a new contest."""
    if is_new and game.referee is not None:
        tell("contest.refereed", game=game.name)
    elif is_new and not names_mode(request.clock) and fair_mode() == "wall":
        tell("contest.by-wall", missing=proc.missing("fair"))


def _check_referee_is(name: str, stored: Spec, game: Game) -> None:
    """Raise `OperatorError` if another program referees now than when the contest began."""
    if stored.referee is not None and game.referee is not None and stored.referee != game.referee.stored:
        raise OperatorError("referee-changed", name=name, file=game.referee.file)


def _agreed(name: str, stored: Spec, given: Spec, game: Game, where: str) -> Spec:
    """The terms to go on with. Raises `OperatorError` if they differ from those that the contest was begun with."""
    terms = with_more_rounds(stored, given)
    if (found := difference(terms, of_stored(as_stored(given)), game)) is not None:
        raise found.error(name, another(where))
    return terms


def go_on(
    where: str,
    name: str | None,
    *,
    sandbox: str = STRICT,
    python: str | None = None,
    typed: Sequence[str] = (),
    referee: str | None = None,
    files: Path | AnyFiles | None = None,
) -> ContestSession:
    """Go on with a contest of a store: the one of this name, or the only one.

    Anybody may have written the store. So the bots are those that it holds, no path in it is used, and `sandbox` and
    `python` come from the operator. A bot that it holds as a command line or a server's address plays only if it is
    among those that are `typed` again, NAME=BOT each. Where a program of others referees, `referee` is its file.
    `files` says where the store's files are, if not in the usual place.
    """
    store = open_store(where, files=files)
    try:
        contest = store.contest(name)
        store.lease(contest.id)
        spec, game = terms_of(contest)
        spec = with_our_word(contest.name, spec, sandbox, python)
        game = _with_referee(contest.name, spec, game, referee)
        if not store.entrants(contest.id):
            raise OperatorError("contest-nobody-entered", name=contest.name)
        return _open(store, where, contest, game, spec, [], False, typed)
    except BaseException:
        store.close()
        raise


def _with_referee(name: str, spec: Spec, game: Game, file: str | None) -> Game:
    """The game to play: where a program of others referees it, by the file that the operator names."""
    if spec.referee is None:
        if file is not None:
            raise OperatorError("referee-not-needed", game=game.name)
        return game
    if file is None:
        raise OperatorError("referee-file-needed", game=game.name)
    named = game_of_word(file)
    if named.referee is None:
        raise OperatorError("referee-file-needed", game=game.name)
    _check_referee_is(name, spec, named)
    check_referee(named.referee, sandbox_of(spec.sandbox))
    return named


class ContestSession(msgspec.Struct):
    """A contest whose lease this process holds; a context manager, which closes the store when it ends."""

    store: Store
    where: str
    contest: Contest
    game: Game
    spec: Spec
    loop: Loop

    def __enter__(self) -> ContestSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()


def _open(
    store: Store,
    where: str,
    contest: Contest,
    game: Game,
    spec: Spec,
    built: list[BuiltBot],
    frozen: bool,
    typed: Sequence[str] = (),
    tell: Tell = silent,
) -> ContestSession:
    if not store.entrants(contest.id):
        enter_first(store, contest, game, built)
    joins = formats.find(spec.format).info.joins
    for name, lost in enter_changed(store, contest, game, built, joins, frozen, spec.format):
        tell("contest.joins", bot=name)
        if lost:
            tell("contest.replaces", bot=name, count=lost)
            contest = _replacing(store, contest)
    loop = series_of(store, contest, game, spec, built, plays_on=True)
    loop.roster.type_again(typed)
    loop.reopen()
    loop.take_up()
    return ContestSession(store, where, contest, game, spec, loop)


def _replacing(store: Store, contest: Contest) -> Contest:
    """The contest, whose end is given up if it was over: a new version has just replaced matches that counted."""
    if contest.state == "over":
        leave_over(store, contest, "stopped")
    store.amend_spec(contest.id, lambda plain: {**plain, "is_replacing": True})
    return store.contest(contest.name)


# --- a contest to look at, whichever process runs it at the moment


class ContestView(msgspec.Struct):
    """The present state of a contest: terms, entrants, progress; `format` knows the batches that are over."""

    store: Store
    contest: Contest
    game: Game
    spec: Spec
    format: Format
    entrants: list[Entrant]
    progress: list[Progress]

    @classmethod
    def of(cls, session: ContestSession) -> ContestView:
        """The contest that this process has run."""
        store, contest, loop = session.store, session.contest, session.loop
        return cls(
            store, contest, session.game, session.spec, loop.format, loop.roster.read(), store.progress(contest.id)
        )

    def standings(self) -> Standings:
        """The present standings."""
        with reporting_damage(self.store):
            return standings_of(self.store, self.contest, self.format, self.entrants)

    def bracket(self) -> Bracket | None:
        """The bracket, including results of the unfinished batch; none if the format has no bracket."""
        with reporting_damage(self.store):
            return self.format.bracket(self.entrants, self.store.played(self.contest.id, self.format.batch))

    def hill(self) -> Hill | None:
        """Who held the hill; none if the format has no hill."""
        with reporting_damage(self.store):
            return self.format.hill(self.store.played(self.contest.id))

    def asides(self) -> tuple[list[Aside], list[Aside]]:
        """The matches that are open through errors, and those that were passed over as a bot left or paused.

        Without those that were played and count for nobody.
        """
        if not any(batch.set_aside for batch in self.progress):
            return [], []
        voided = set(self.store.voided(self.contest.id))
        found = [each for each in self.store.set_aside(self.contest.id) if each.fixture.number not in voided]
        away = {each.number for each in self.entrants if each.is_away and self.format.info.passes_over}
        asides: tuple[list[Aside], list[Aside]] = [], []
        for each in found:
            asides[not each.attempts or not away.isdisjoint(each.fixture.seats)].append(each)
        return asides

    def lacks_matches(self) -> bool:
        """Whether matches are to be played where all have the same ones: drawn, passed over until now, or missing."""
        if not all(batch.complete for batch in self.progress):
            return True
        away = {each.number for each in self.entrants if each.is_away}
        if any(away.isdisjoint(each.fixture.seats) for each in self.asides()[1]):
            return True
        with reporting_damage(self.store):
            return self.format.info.passes_over and bool(self.format.next(self.entrants))

    @property
    def played(self) -> int:
        """How many matches were played, those that count for nobody too."""
        return sum(batch.played for batch in self.progress) + self.voided

    @property
    def voided(self) -> int:
        """How many matches were played and count for nobody."""
        return len(self.store.voided(self.contest.id)) if any(batch.set_aside for batch in self.progress) else 0

    def match_numbers(self, bracket: Bracket) -> MatchNumbers:
        """The numbers of the matches of a bracket that were played, ascending, by batch and who met."""
        found: MatchNumbers = {}
        batches = {each.batch for round_ in bracket.rounds for each in round_.pairings if each.batch is not None}
        with reporting_damage(self.store):
            for batch in sorted(batches):
                for result in self.store.played(self.contest.id, batch):
                    fixture = result.fixture
                    found.setdefault((batch, frozenset(fixture.seats)), []).append(fixture.number)
        return found

    def name(self, entrant: int) -> str:
        """What an entrant is called."""
        return self.entrants[entrant].version.name


def state_of(store: Store, contest: Contest) -> str:
    """Running, stopped or over. A contest that was killed is recognised by its lease, which nobody holds."""
    if contest.state != "running":
        return contest.state
    try:
        store.lease(contest.id).close()
    except OperatorError as error:
        return "running" if error.key == "contest-runs" else contest.state
    return "stopped"


def leave_over(store: Store, contest: Contest, state: str) -> None:
    """Let the contest be running or stopped; if it was over, this is remembered."""
    if contest.state == "over":
        store.amend_spec(contest.id, lambda plain: {**plain, "was_over": True, "is_replacing": False})
    store.set_state(contest.id, state)


def look(store: Store, name: str | None, *, results: bool = True) -> ContestView:
    """The contest of this name, or the only one. Raises `OperatorError` when there is none.

    Without `results` the format receives none, for callers who need no standings: many results take long to read.
    """
    contest = store.contest(name)
    return view_of(store, replace(contest, state=state_of(store, contest)), results=results)


def view_of(store: Store, contest: Contest, *, results: bool = True) -> ContestView:
    """A contest of a store to look at, in the state that it is given with: no lease is asked for."""
    spec, game = terms_of(contest)
    loop = series_of(store, contest, game, spec, ())
    if results:
        loop.take_up()
    return ContestView(store, contest, game, spec, loop.format, loop.roster.entrants, store.progress(contest.id))
