"""Elo of a contest of two bots where no ratings can be fitted: the figures of `dohyo compare`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dohyo.app.contest import standings
from dohyo.app.contest.duel import duel
from dohyo.app.contest.standings import Row, Standings
from dohyo.contest.sequential import Comparison
from dohyo.core.contest import Fixture
from dohyo.core.errors import OperatorError
from dohyo.store import Store, open_store
from tests.cli.conftest import Type, folder, typed
from tests.store.played import AT, entries, result

__all__ = ["folder", "typed"]

PAIRS = 30


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return open_store(str(tmp_path / "results.db"), create=True)


def table(first: int = 0, bots: int = 2, rated: bool = False) -> Standings:
    """A table of so many bots, the entrant `first` at its head."""
    order = sorted(range(bots), key=lambda entrant: entrant != first)
    rows = [
        Row(place=at, entrant=entrant, bot=str(entrant), digest="", points=0) for at, entrant in enumerate(order, 1)
    ]
    return Standings(rows=rows, rated=rated)


def held(store: Store, bots: int = 2, leaves_out: int = -1) -> int:
    """A contest in which entrant 0 wins on one seat or on both, pair by pair; one match may have no result."""
    contest = store.begin("spring", "wondev-woman", {}, AT)
    store.enter(contest.id, entries(bots), AT)
    matches = [Fixture(0, number, (number % 2, 1 - number % 2), 100 + number // 2) for number in range(2 * PAIRS)]
    store.schedule(contest.id, matches)
    store.record(
        contest.id,
        [
            result(match, places=(1, 2) if match.number % 3 else (2, 1))
            for match in matches
            if match.number != leaves_out
        ],
    )
    return contest.id


def test_it_is_what_compare_says(store: Store) -> None:
    """The same clusters give the same Elo, interval and likelihood; turned about for the other bot."""
    contest = held(store)
    pairs = [[1.0 if (number % 3 > 0) == (number % 2 == 0) else 0.0 for number in (at, at + 1)]
             for at in range(0, 2 * PAIRS, 2)]  # fmt: skip
    verdict = Comparison(None).take(sum(pair) / 2 for pair in pairs)
    found = duel(store, contest, table())
    assert found is not None
    assert (found.elo, found.low, found.high, found.los) == (
        verdict.elo, verdict.elo_low, verdict.elo_high, verdict.los)  # fmt: skip
    assert (found.entrant, found.other, found.clusters, found.size) == (0, 1, PAIRS, 2)
    turned = duel(store, contest, table(first=1))
    assert turned is not None
    assert turned.elo == pytest.approx(-found.elo)


def test_only_whole_pairs_count(store: Store) -> None:
    """Those before the first match that is missing: quick matches would otherwise count sooner than slow ones."""
    found = duel(store, held(store, leaves_out=21), table())
    assert found is not None
    assert found.clusters == 10


def test_who_gets_none(store: Store) -> None:
    """More than two bots, ratings that were fitted, nothing played."""
    assert duel(store, 1, table()) is None
    contest = held(store, bots=3)
    assert duel(store, contest, table(bots=3)) is None
    assert duel(store, contest, table(rated=True)) is None


def test_where_it_is_told(typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the table, in Markdown, JSON and the page; it says whose reckoning it is, and names the extra no more."""

    def none_there(*_: object) -> None:
        raise OperatorError("needs-stats")

    monkeypatch.setattr(standings, "fitted", none_there)
    two = ("a=random", "b@x=random")
    words = ("contest", "run", "--game", "wondev-woman", *two, "--seed", "1", "--trust", "--setup", "league=wood3")
    out = typed(*words).out
    document = json.loads(typed("contest", "standings", "contest.db", "--json").out)
    elo, wide = document["duel"]["elo"], document["duel"]["high"] - document["duel"]["elo"]
    told = f"as 'dohyo compare' reckons it from 1 pair: Elo {elo:+.0f} ± {wide:.0f}, LOS "
    assert told in out
    assert "dohyo[stats]" not in out
    typed("contest", "report", "contest.db", "--html", "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert f"Elo {elo:+.0f} ± {wide:.0f}" in page
    first, other = (row["bot"] for row in document["standings"])
    markdown = typed("contest", "standings", "contest.db", "--markdown").out
    assert f"`{first}` against `{other}`, as 'dohyo compare' reckons it" in markdown
    assert set(document["duel"]) == {"entrant", "other", "elo", "low", "high", "los", "clusters", "size"}
