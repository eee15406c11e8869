"""The standings of a ladder with many bots: in pages, with one's own bots always there, and never of yesterday."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from dohyo.core.contest import Entrant, Fixture, Result, Version
from dohyo.guests.site.arena.standings import LINES, LadderPage, bot_page, first_lines, ladder_page
from dohyo.series.store import Store, open_store
from dohyo.series.store.records import PublishedRating

BOTS = 2 * LINES + 50


@dataclass
class Pair:
    """A store as the judge has it, and as the web server reads it."""

    judge: Store
    web: Store
    contest: int
    numbers: int = 0

    def play(self, *seats: int, batch: int = 0) -> None:
        """Play a match, which the first of these bots wins."""
        fixture = Fixture(batch, self.numbers, seats, self.numbers)
        self.numbers += 1
        self.judge.schedule(self.contest, [fixture])
        self.judge.record(self.contest, [Result(fixture, tuple(range(1, len(seats) + 1)), at=1.0)])

    def publish(self, batch: int, order: list[int]) -> None:
        """Publish ratings that put the bots in this order."""
        rated = [PublishedRating(n, 2000.0 - at, 1990.0 - at, 2010.0 - at) for at, n in enumerate(order)]
        self.judge.rate(self.contest, batch, sorted(rated, key=lambda each: each.entrant))

    def page(self, page: int = 1, *own: str) -> LadderPage:
        """What the web server shows."""
        return ladder_page(self.web, "many", page, own)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """A ladder with several pages of bots."""
    where = str(tmp_path / "arena.db")
    with open_store(where, create=True) as judge:
        contest = judge.begin("many", "chess", {}, 1.0).id
        judge.enter(contest, [Entrant(n, Version(f"bot {n}", f"{n:064x}")) for n in range(BOTS)], 1.0)
        with open_store(where) as web:
            yield Pair(judge, web, contest)


def test_every_bot_stands_on_one_page(pair: Pair) -> None:
    """The pages together have each bot once, in its order; a page that is not there is the nearest one."""
    pair.play(3, 4)
    order = [*range(BOTS - 1, -1, -1)]
    pair.publish(0, order)
    pages = [pair.page(number) for number in (1, 2, 3)]
    assert [line.bot for page in pages for line in page.lines] == [f"bot {number}" for number in order]
    assert [line.place for page in pages for line in page.lines] == [*range(1, BOTS + 1)]
    assert {(page.pages, page.bots, page.played) for page in pages} == {(3, BOTS, 1)}
    assert pair.page(10**30).lines == pages[-1].lines
    assert pair.page(-5).lines == pages[0].lines


def test_ones_own_bots_are_always_shown(pair: Pair) -> None:
    """Those on other pages are there too, each once; a name that nobody has is none."""
    pair.play(0, 1)
    pair.publish(0, [*range(BOTS)])
    page = pair.page(2, "bot 120", "bot 5", "bot 249", "nobody")
    assert [line.bot for line in page.own] == ["bot 5", "bot 249"]
    assert [line.place for line in page.own] == [6, 250]
    assert "bot 120" in {line.bot for line in page.lines}


def test_nothing_is_shown_stale_after_a_result(pair: Pair) -> None:
    """Whatever another process stores is on the next page that somebody asks for: results, ratings, who left."""
    pair.play(0, 1)
    pair.publish(0, [*range(BOTS)])
    for count in range(2, 6):
        pair.play(1, 0)
        page = pair.page()
        assert (page.played, page.lines[0].matches, page.lines[0].lost) == (count, count, count - 1)
        assert page.recent[0].number == count - 1
        assert first_lines(pair.web, "many").played == count
        found = bot_page(pair.web, "many", "bot 1")
        assert found is not None
        assert (found.line.won, len(found.recent)) == (count - 1, count)
    pair.publish(0, [1, 0, *range(2, BOTS)])
    assert [line.bot for line in pair.page().lines[:2]] == ["bot 1", "bot 0"]
    pair.play(1, 0, batch=1)
    pair.publish(1, [2, 1, 0, *range(3, BOTS)])
    assert [line.bot for line in first_lines(pair.web, "many").lines] == ["bot 2", "bot 1", "bot 0"]
    left = Entrant(2, Version("bot 2", f"{2:064x}"), until=2)
    newer = Entrant(BOTS, Version("bot 2", "f" * 64), since=2, follows=2)
    pair.judge.enter(pair.contest, [left], 2.0)
    assert "bot 2" not in {line.bot for line in pair.page().lines}
    assert bot_page(pair.web, "many", "bot 2") is None
    pair.judge.enter(pair.contest, [newer], 2.0)
    assert pair.page(1, "bot 2").own[0].place is None
    assert pair.page(1, "bot 2").bots == BOTS


def test_a_store_knows_who_takes_part_at_every_moment(pair: Pair) -> None:
    """Entrants that were read before are read anew after each change of another process."""
    before = pair.web.entrants(pair.contest)
    paused = Entrant(7, before[7].version, absences=((1, None),))
    for now in (paused, before[7], paused):
        pair.judge.enter(pair.contest, [now], 2.0)
        assert pair.web.entrants(pair.contest)[7] == now
    pair.web.entrants(pair.contest).clear()
    assert len(pair.web.entrants(pair.contest)) == BOTS


def test_a_ladder_that_has_not_begun_is_empty(pair: Pair) -> None:
    """Before the judge has begun with a ladder, and before there is a store, its page shows nothing."""
    assert ladder_page(None, "many") == LadderPage()
    assert ladder_page(pair.web, "another") == LadderPage()
    assert bot_page(pair.web, "another", "bot 1") is None
    assert not first_lines(pair.web, "another").begun
