"""What a notebook asks of contests and comparisons: their results as objects that become data frames."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dohyo.core.clock import Clock
from dohyo.core.game import Game
from dohyo.series.standings import Standings
from dohyo.system.proc import fair_mode

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

    columns: dict[str, list[Any]]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.columns.values())))

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


class ComparisonResult(msgspec.Struct, frozen=True):
    """Whether a bot is better: `decision` is better, not-better or undecided; `seed` plays the same matches again.

    `candidate` and `rows` name the bots. Each row is one baseline: its name, in how many matches it played, how often
    the candidate was placed before it, with it and after it, the difference in Elo with the ends of its 95 %
    interval, and how likely the candidate is the better one.
    """

    candidate: str
    decision: str
    matches: int
    seed: int
    rows: tuple[tuple[str, int, int, int, int, float, float, float, float], ...]

    def to_frame(self, library: str = "") -> Any:
        """A data frame, one row for each baseline. Raises `OperatorError` without pandas or polars."""
        from dohyo.series.dataframes import frame, rows_to_columns

        names = ("baseline", "matches", "won", "tied", "lost", "elo", "low", "high", "superiority")
        columns = rows_to_columns(names, self.rows)
        count = len(self.rows)
        return frame({"candidate": [self.candidate] * count, **columns, "decision": [self.decision] * count}, library)


def compare(
    game: str | Game,
    candidate: str,
    baselines: str | Sequence[str],
    *,
    seed: int | None = None,
    rounds: int | None = None,
    setup: Mapping[str, object] | None = None,
    clock: str | float | Clock | None = None,
    workers: int | None = None,
    python: str | None = None,
    sandbox: str = "auto",
) -> ComparisonResult:
    """Whether the candidate is better than the baselines, as `dohyo compare` finds out: it plays until it is known.

    Bots are words as on the command line, programs in the sandbox that the word `sandbox` means (auto, require or
    none); it is no `Sandbox`, because each process that plays makes its own. `rounds` is the most that are played
    (none: no limit), `workers` how many matches run at once. Raises `OperatorError` for a mistake of the caller.
    """
    from dohyo.executors.pool import Pool
    from dohyo.executors.refereed import game_of_word
    from dohyo.match.clocks import read_clock
    from dohyo.match.found_bots import find_named
    from dohyo.match.play import new_seed
    from dohyo.sandbox import choose
    from dohyo.series.compare import Terms, Trial, decision, labels, seats_of

    chosen = game_of_word(game) if isinstance(game, str) else game
    others = [baselines] if isinstance(baselines, str) else list(baselines)
    box, mode = choose(sandbox), fair_mode()
    terms = Terms(
        seed=new_seed() if seed is None else seed,
        seats=seats_of(chosen, len(others)),
        setup=dict(setup or {}),
        clock=None if clock is None else read_clock(chosen, clock, mode=mode),
        mode=mode,
        sandbox=sandbox,
        rounds=rounds,
    )
    terms.check(chosen)
    trial = Trial(chosen, find_named(chosen, [candidate, *others], python, box, setup=setup), terms)
    with Pool(workers) as pool:
        for _ in trial.play(pool):
            pass
    known, (first, *rest) = trial.known, labels(trial.bots)
    rows = [
        (name, one.matches, one.won, one.tied, one.lost, *one.estimate)
        for name, one in zip(rest, known.against, strict=True)
    ]
    return ComparisonResult(first, decision(known.verdict), known.matches, terms.seed, tuple(rows))
