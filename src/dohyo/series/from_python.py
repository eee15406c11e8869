"""What a program in Python asks of many matches: contests, comparisons, analyses.

Their results are objects; those of many rows become data frames.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import msgspec

from dohyo import clean
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE, Game
from dohyo.core.replay import Replay
from dohyo.series.analysed import Analysis
from dohyo.series.dataframes import Cell
from dohyo.series.standings import Standings
from dohyo.system.proc import fair_mode

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]
    import polars

    from dohyo.series.compare import Terms, Trial
    from dohyo.series.session import ContestSession

RATINGS = ("batch", "entrant", "bot", "version", "elo", "low", "high", "mu", "sigma")


def standings(store: str | os.PathLike[str], name: str | None = None) -> Standings:
    """The present standings of a contest in a store: the one of this name, or the only one.

    `to_frame()` makes a data frame of them. Raises `OperatorError` where there is no such contest.
    """
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    with open_store(os.fspath(store)) as opened:
        return look(opened, name).standings()


class ContestTable(msgspec.Struct, frozen=True):
    """Rows of a contest as columns, by name; all of equal length."""

    columns: dict[str, list[Cell]]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.columns.values())))

    @overload
    def to_frame(self, library: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_frame(self, library: str = "") -> Any: ...
    def to_frame(self, library: str = "") -> Any:
        """A data frame of them. Raises `OperatorError` without pandas or polars."""
        from dohyo.series.dataframes import frame

        return frame(self.columns, library)


def matches(
    store: str | os.PathLike[str], name: str | None = None, *, bot: str | None = None, everything: bool = False
) -> ContestTable:
    """The matches of a contest that were played, a row for each match and seat: all, or those of one `bot`.

    With `everything`, results that do not count have rows, too: the column `counts` says no there, `because` why.
    The columns are those of `dohyo contest export --format parquet` (docs/contests.md). Raises `OperatorError` where
    there is no such contest, or no such bot in it.
    """
    from dohyo.series.exports.export import columns_of, lines
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    with open_store(os.fspath(store)) as opened:
        return ContestTable(columns_of(lines(look(opened, name, results=False), bot, everything=everything)))


def ratings(store: str | os.PathLike[str], name: str | None = None) -> ContestTable:
    """The ratings that a contest has published, a row for each batch and bot: how they came to be what they are.

    `batch` is the one after which they were published, `elo` the rating, `low` and `high` its 95 % interval, `mu` and
    `sigma` those by which a ladder chooses opponents. `version` is the digest of the bot's files. Raises
    `OperatorError` where there is no such contest.
    """
    from dohyo.series.dataframes import rows_to_columns
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    rows = []
    with open_store(os.fspath(store)) as opened:
        view = look(opened, name, results=False)
        for batch, published in opened.ratings(view.contest.id).items():
            for one in published:
                version = view.entrants[one.entrant].version
                own = (one.rating, one.low, one.high, one.mu, one.sigma)
                rows.append((batch, one.entrant, version.name, version.digest, *own))
    return ContestTable(rows_to_columns(RATINGS, rows))


class Compared(NamedTuple):
    """What is known of the candidate and one baseline.

    In how many matches both played, how often the candidate was placed before it, with it and after it, the
    difference in Elo with the ends of its 95 % interval, and how likely the candidate is the better one, 0 to 1.
    Where one side has scored all, `elo` is infinite, and so is the end of the interval that is not known.
    """

    baseline: str
    matches: int
    won: int
    tied: int
    lost: int
    elo: float
    low: float
    high: float
    superiority: float


class OnSeat(NamedTuple):
    """How the candidate did on one seat, against all baselines.

    In how many matches it had the seat, how many opponents it was placed before, with and after there, and its score,
    0 to 1, with the ends of the 95 % interval.
    """

    seat: int
    matches: int
    won: int
    tied: int
    lost: int
    score: float
    low: float
    high: float


class ComparisonResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a bot is better: `decision` is better, not-better or undecided; `seed` plays the same matches again.

    `candidate` and `rows`, one for each baseline, name the bots. `elo` with the ends `low` and `high` of its 95 %
    interval, and `superiority`, how likely the candidate is better at all (0 to 1), are those against all baselines
    together; see `Compared`. `llr` is the state of the test, which calls it not better at `bounds[0]`, and better at
    `bounds[1]`. `pentanomial` says how many pairs brought 0, 1/2, 1, 3/2 and 2 points; none with more than two seats.
    `seats` has a row for each seat of the candidate.
    """

    candidate: str
    decision: Literal["better", "not-better", "undecided"]
    matches: int
    seed: int
    rows: tuple[Compared, ...]
    elo: float
    low: float
    high: float
    superiority: float
    llr: float
    bounds: tuple[float, float]
    pentanomial: tuple[int, int, int, int, int] | None
    seats: tuple[OnSeat, ...]

    @overload
    def to_frame(self, library: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_frame(self, library: str = "") -> Any: ...
    def to_frame(self, library: str = "") -> Any:
        """A data frame, one row for each baseline. Raises `OperatorError` without pandas or polars."""
        from dohyo.series.dataframes import frame, rows_to_columns

        columns = rows_to_columns(Compared._fields, self.rows)
        count = len(self.rows)
        return frame({"candidate": [self.candidate] * count, **columns, "decision": [self.decision] * count}, library)


def compare(
    game: str | Game,
    candidate: str,
    baselines: str | Sequence[str],
    *,
    against: str | Sequence[str] = (),
    seats: int | None = None,
    elo0: float = 0.0,
    elo1: float = 10.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    save: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    rounds: int | None = None,
    setup: Mapping[str, object] | None = None,
    clock: str | float | Clock | None = None,
    workers: int | None = None,
    python: str | None = None,
    sandbox: str = "auto",
    itself: bool = False,
) -> ComparisonResult:
    """Whether the candidate is better than the baselines, as `dohyo compare` finds out: it plays until it is known.

    Bots are words as on the command line, programs in the sandbox that the word `sandbox` means (auto, require or
    none); it is no `Sandbox`, as each process that plays makes its own. Bots in `against` fill the seats that are
    left, of `seats` in all, and do not count. It is called better when it is more than `elo0` Elo better, wrongly at
    most in a share `alpha`; not better when it is not `elo1` better, wrongly at most in a share `beta`. `rounds` is
    the most pairs that are played (none: no limit), `workers` how many matches run at once; `save` keeps them in a
    folder, where the same call goes on. `itself` allows twice the same program. Raises `OperatorError` for mistakes.
    """
    from dohyo.executors.refereed import game_of_word
    from dohyo.match.clocks import read_clock
    from dohyo.series.compare import Terms, seats_of
    from dohyo.series.sequential import Hypotheses

    chosen, mode = game_of_word(game) if isinstance(game, str) else _for_processes(game), fair_mode()
    words = _words([candidate]), _words(baselines), _words(against)
    terms = Terms(
        seed=0 if seed is None else seed,  # see `_trial`
        seats=seats_of(chosen, len(words[1]), seats, len(words[2])),
        hypotheses=Hypotheses(elo0, elo1, alpha, beta),
        setup=dict(setup or {}),
        clock=None if clock is None else read_clock(chosen, clock, mode=mode),
        mode=mode,
        sandbox=sandbox,
        rounds=rounds,
    )
    with ExitStack() as opened:
        trial = _trial(chosen, words, terms, seed is None, save, python, itself, opened)
        return _compared(_decided(trial, workers))


def _trial(
    game: Game,
    words: tuple[list[str], list[str], list[str]],
    terms: Terms,
    draws_seed: bool,
    save: str | os.PathLike[str] | None,
    python: str | None,
    itself: bool,
    opened: ExitStack,
) -> Trial:
    """The comparison that is asked for; with a folder, that which is in it, with its seed if none is given."""
    from dohyo.match.found_bots import find_named
    from dohyo.match.play import new_seed
    from dohyo.sandbox import choose
    from dohyo.series.compare import Trial, check_differs, older_version
    from dohyo.series.compare_folder import ComparisonFolder

    box = choose(terms.sandbox)
    folder = None if save is None else opened.enter_context(ComparisonFolder(os.fspath(save), False))
    if draws_seed:
        stored = None if folder is None else folder.seed
        terms = msgspec.structs.replace(terms, seed=new_seed() if stored is None else stored)
    terms.check(game)
    candidate, baselines, against = words
    found = find_named(game, [*candidate, *baselines, *against], python, box, setup=terms.setup)
    if not itself:
        check_differs(found[: 1 + len(baselines)], "itself=True")
    return Trial(game, found, terms, folder, older_version(baselines), len(against))


def _decided(trial: Trial, workers: int | None) -> Trial:
    """The comparison, played until it is known."""
    from dohyo.executors.pool import Pool

    with Pool(workers) as pool:
        for _ in trial.play(pool):
            pass
    return trial


def _compared(trial: Trial) -> ComparisonResult:
    """What a comparison came to."""
    from dohyo.series.compare import decision, labels

    known, (name, *rest) = trial.known, labels(trial.bots)
    verdict = known.verdict
    return ComparisonResult(
        candidate=name,
        decision=decision(verdict),
        matches=known.matches,
        seed=trial.terms.seed,
        rows=tuple(
            Compared(other, one.matches, one.won, one.tied, one.lost, *one.estimate)
            for other, one in zip(rest, known.against, strict=False)  # the last ones only play along
        ),
        elo=verdict.elo,
        low=verdict.elo_low,
        high=verdict.elo_high,
        superiority=verdict.los,
        llr=verdict.llr,
        bounds=(verdict.lower, verdict.upper),
        pentanomial=known.pairs,
        seats=tuple(
            OnSeat(seat, one.matches, one.won, one.tied, one.lost, *one.share) for seat, one in enumerate(known.seats)
        ),
    )


def _words(bots: object) -> list[str]:
    """One bot, or several, as they are typed. Raises `OperatorError` for a class, say: no other process starts it."""
    words = []
    for bot in bots if isinstance(bots, Iterable) and not isinstance(bots, str) else [bots]:
        if not isinstance(bot, str | os.PathLike):
            raise OperatorError("bot-no-word", bot=clean.line(getattr(bot, "__name__", type(bot).__name__)))
        words.append(os.fspath(bot))
    return words


def _for_processes(game: Game) -> Game:
    """The game, if other processes find it, too, by its name. Raises `OperatorError`."""
    from dohyo.games import is_found

    if game.referee is None and not is_found(game):
        place = str(game.file or game.folder)
        raise OperatorError("game-only-loaded", name=game.name, path=place, variable=GAMES_VARIABLE)
    return game


def contest(
    game: str | Game,
    bots: Sequence[str] = (),
    *,
    folder: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002  (as the option is called)
    rounds: int | None = None,
    store: str | os.PathLike[str] | None = None,
    name: str | None = None,
    seed: int | None = None,
    setup: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    clock: str | float | Clock | None = None,
    workers: int | None = None,
    python: str | None = None,
    sandbox: str | None = None,
    batches: int | None = None,
) -> Standings:
    """Hold a contest as `dohyo contest run` does, and return its standings; all results are in its store.

    Bots are words as on the command line, and those in `folder` take part, too; one there that cannot be used is left
    out, with a warning. `format` says who plays whom (round-robin), `rounds` how much is played (1), `options` are
    the format's. `store` is a file or a database's address (contest.db); called again for the same contest, it goes
    on with it, and no match counts twice. `seed` decides all dice, `setup` has the game's options, `workers` says how
    many matches run at once, `sandbox` is require, auto or none. A ladder has no end of its own: `batches` ends it.

    Raises `OperatorError` for a mistake of the caller. Ctrl-C stops the contest, and what was played is kept.
    """
    from dohyo.bots.typed_words import named
    from dohyo.series.request import ContestRequest
    from dohyo.series.session import ContestView, begin

    called = game if isinstance(game, str) else _for_processes(game).name
    given: dict[str, Any] = {"format": format, "rounds": rounds, "name": name, "seed": seed, "sandbox": sandbox}
    given |= {"clock": clock, "python": python, "workers": workers}
    given |= {"setup": None if setup is None else dict(setup), "options": None if options is None else dict(options)}
    given |= {key: os.fspath(path) for key, path in (("folder", folder), ("store", store)) if path is not None}
    asked = {key: value for key, value in given.items() if value is not None}
    request = ContestRequest(game=called, bots=list(map(named, _words(bots))), is_named=name is not None, **asked)
    with begin(request, frozen=False, leave_out=_left_out) as session:
        _played(session, workers, batches)
        return ContestView.of(session).standings()


def _left_out(bot: str, error: OperatorError) -> None:
    warnings.warn(f"{bot} does not take part: {error}", stacklevel=4)


def _played(session: ContestSession, workers: int | None, batches: int | None) -> None:
    """Play a contest on this machine, until it is over; its state is in the store, however this ends."""
    from dohyo.executors.pool import Pool
    from dohyo.series.results import Publisher, Silent
    from dohyo.series.session import leave_over

    store, contest, loop, state = session.store, session.contest, session.loop, "stopped"
    leave_over(store, contest, "running")
    try:
        with Pool(workers) as pool:
            publisher = Publisher(store, contest, lambda: loop.format, loop.roster, Silent())
            over = loop.run(pool, publisher, batches)
            publisher.finish()
        state = "over" if over and loop.format.info.ends else "stopped"
    finally:
        store.set_state(contest.id, state)


def analyse(
    replay: Replay | str | os.PathLike[str],
    *,
    seconds: float = 60.0,
    playouts: int | None = None,
    seat: int | None = None,
    by: str | None = None,
    python: str | None = None,
    sandbox: str = "auto",
) -> Analysis:
    """Why a match went as it did, as `dohyo analyse` finds out: each seat's chance, and the decisions that cost most.

    The match is a replay or the file of one. It is thought about for so many `seconds` in all, or with so many
    `playouts` for each turn. With `seat`, only the decisions of that seat are judged. `by` names who says what
    positions are worth, in place of bots and search: uci:stockfish. The bots that played are played on where they are
    at hand, in the sandbox (auto, require or none). Raises `OperatorError` for a mistake of the caller.
    """
    from dohyo import doors
    from dohyo.match.replays.replays import load

    match, path = (replay, None) if isinstance(replay, Replay) else (load(replay), os.fspath(replay))
    options = {"seconds": seconds, "playouts": playouts, "seat": seat, "by": by, "python": python}
    found: Analysis = doors.load(doors.find("analyses", "python"))(match, path, **options, sandbox=sandbox)
    return found
