"""A contest's report: what it says, how it looks on a phone and on a desk, and that it asks nobody for anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page

from dohyo import games, i18n
from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.guests.reports.certainty import sentences
from dohyo.guests.reports.content import Content, Share
from dohyo.guests.reports.drawings import cut, scale, spread
from dohyo.i18n import ENGLISH
from dohyo.web.plain.markup import Markup, element
from tests.guests.reports.pages import content_of, page_of
from tests.series.made_contests import HOSTILE, NAMES, hold
from tests.web.conftest import DESKTOP, PHONE, Open

OpenReport = Callable[..., Page]
FOUR = ("hunter", "mine", "other", "random", "fifth")


@pytest.fixture(scope="session")
def duels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a round-robin of eight bots, one of which runs out of time."""
    where = tmp_path_factory.mktemp("duels") / "duels.db"
    hold(where, clock=Clock(turn=0.05))
    return where


@pytest.fixture(scope="session")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the first five batches of a Swiss system of 24 bots."""
    where = tmp_path_factory.mktemp("swiss") / "swiss.db"
    hold(where, kind="swiss", rounds=7, names=[f"bot-{number:02}" for number in range(24)], batches=5)
    return where


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with matches of four seats, in which nobody misbehaves."""
    where = tmp_path_factory.mktemp("tables") / "tables.db"
    hold(where, game="drop-block", names=FOUR, rounds=2, calm=True)
    return where


@pytest.fixture
def show(visit: Open) -> OpenReport:
    """Open a store's report, as `visit` does: `show(store, language="ja", size=PHONE, color_scheme="dark")`."""

    def show_page(where: Path, language: str = "en", **options: Any) -> Page:
        return visit(report_of(where, language), **options)

    return show_page


@cache
def report_of(where: Path, language: str = "en") -> str:
    """The report of a store that stays as it is."""
    return page_of(where, language)


@cache
def known_of(where: Path) -> Content:
    """What that report shows, to be read alone."""
    return content_of(where)


# --- what it says


def test_the_numbers_are_the_stores(duels: Path) -> None:
    """The standing, who beat whom and the seats all count the same matches."""
    known = known_of(duels)
    assert known.counting == known.scheduled == 8 * 7 * 6
    assert [row.place for row in known.rows] == list(range(1, 9))
    for row in known.rows:
        whole = Share(row.won, row.drawn, row.lost)
        others = [share for (one, _), share in known.pairs.items() if one == row.entrant]
        seats = [share for (one, _), share in known.seats.items() if one == row.entrant]
        assert sum(others, start=Share()) == sum(seats, start=Share()) == whole
        assert whole.all == row.matches == 84
    assert known.kinds == ["timeout"]
    assert known.limits == (0.05, 0.05)


def test_maps_are_those_of_the_replays(duels: Path, tables: Path) -> None:
    """Each match counts for the map that its seed deals; a game whose dice choose none has no such table."""
    known = known_of(duels)
    assert list(known.grounds) == ["diamond", "random", "square"]
    assert sum(ground.matches for ground in known.grounds.values()) == known.counting
    for row in known.rows:
        shares = [ground.shares[row.entrant] for ground in known.grounds.values()]
        assert sum(shares, start=Share()) == Share(row.won, row.drawn, row.lost)
    assert known_of(tables).grounds == {}


def test_of_very_many_matches_the_first_tell_the_maps(duels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more seeds are dealt again than take a moment, and the page says how many matches that were."""
    monkeypatch.setattr("dohyo.guests.reports.content.MAX_DEALT", 50)
    dealt = sum(ground.matches for ground in content_of(duels).grounds.values())
    assert 50 < dealt <= 100  # matches of 50 seeds, two of each, and not all of the last ones
    assert f"on each map in the first {dealt} matches" in page_of(duels)


@pytest.mark.parametrize("name", ["square", "diamond", "random"])
def test_a_map_is_known_by_its_name(name: str) -> None:
    """Wondev Woman says which map was dealt, whatever the seed."""
    game = games.find("wondev-woman")
    setup = resolve(game.options, {"map": name})
    assert {game.map_name(Referee(game, setup, 2, seed).state) for seed in range(20)} == {name}


def test_ratings_go_by_batch_or_by_match(duels: Path, swiss: Path) -> None:
    """Several batches show what was published after each; one batch is fitted tenth by tenth, ending at the table."""
    by_match = known_of(duels).history
    assert not by_match.by_batch
    assert [at for at, _ in by_match.moments] == [336 * part // 10 for part in range(1, 11)]
    table = {row.entrant: row.elo for row in known_of(duels).rows}
    assert by_match.moments[-1][1] == pytest.approx(table)
    by_batch = known_of(swiss).history
    assert by_batch.by_batch
    assert [at for at, _ in by_batch.moments] == [0, 1, 2, 3, 4]


def test_how_sure_it_is(duels: Path, swiss: Path, tables: Path) -> None:
    """Sentences say who may be best, what is told apart, what went wrong, and that it is not over."""
    told = sentences(known_of(duels), ENGLISH)
    assert told[0].startswith("Who is best is not settled: by the 95 % intervals it is one of yokozuna, ozeki")
    apart = r"Pairs of bots that are told apart, their 95 % intervals not overlapping: \d+ of 28\."
    assert re.fullmatch(apart, told[1])
    late = sum(next(row for row in known_of(duels).rows if row.entrant == NAMES.index("lazy")).faults.values())
    assert f"Most faults: lazy, {max(late, 1)} in 84 matches." in told
    told = sentences(known_of(swiss), ENGLISH)
    assert re.search(r" (and \d+ more|may be any of them)\.$", told[0])
    assert "The contest is not over; 120 matches were played so far." in told
    assert not any("faults" in sentence for sentence in sentences(known_of(tables), ENGLISH))
    known = content_of(tables)
    known.rows[0].first = known.rows[0].last = 1
    for row in known.rows[1:]:
        row.first = 2
    assert sentences(known, ENGLISH)[0] == "The best bot is hunter: its 95 % interval lies wholly above all others."


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        (Clock(turn=0.05), "; 50 ms are allowed."),
        (Clock(turn=0.05, first=1.0), "; 50 ms are allowed, and 1 s for the first turn."),
        (Clock(turn=0.05, bank=1.0), "for one turn."),
        (Clock(turn=0.05, mode="cpu"), "for one turn."),
    ],
)
def test_what_is_allowed(tmp_path: Path, clock: Clock, said: str) -> None:
    """Who takes longer than allowed is marked; the first turn may take longer, and where there is a reserve, any."""
    hold(tmp_path / "clocks.db", names=("quick", "lazy"), rounds=20, clock=clock)
    page = page_of(tmp_path / "clocks.db")
    assert f"The longest time that a bot took for one turn{said.removeprefix('for one turn')}" in page
    assert ('class="bar over"' in page) == (said == "; 50 ms are allowed.")


def test_without_the_libraries(duels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ratings cannot be made there are points, and a word on what is missing; the page is still whole."""
    known = content_of(duels)
    known.standings.rated = False
    for row in known.rows:
        row.elo = row.low = row.high = None
    monkeypatch.setattr("dohyo.guests.reports.page.content", lambda *_: known)
    page = page_of(duels)
    assert "nobody can say how much of the order is luck" in page
    assert "dohyo[stats]" in page
    assert 'class="cell elo"' not in page


def test_nothing_played_yet(tmp_path: Path) -> None:
    """A contest that was begun has a report too."""
    hold(tmp_path / "new.db", batches=0)
    page = page_of(tmp_path / "new.db")
    assert "Nothing was played yet." in page
    assert "Who beat whom" not in page


class Reader(HTMLParser):
    """What a page is made of: that every element is closed, and which attributes there are."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: set[str] = set()
        self.elements: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_strangers_names_are_text(duels: Path, language: str) -> None:
    """Every element is closed, there is no script and no attribute that is one, and a hostile name is text."""
    page = report_of(duels, language)
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert not reader.elements & {"img", "script", "iframe", "object", "form"}
    assert not {name for name in reader.attributes if name.startswith("on")} | reader.attributes & {"style", "src"}
    assert HOSTILE not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert f'lang="{language}"' in page


def test_markup_is_escaped_once() -> None:
    """Text is escaped wherever it stands, markup is left as it is, and control characters go."""
    made = element("p", "<&>\x1b", element("b", "x"), None, 3, title='"<', data_label="a", hidden=None)
    assert made == '<p title="&quot;&lt;" data-label="a">&lt;&amp;&gt;\ufffd<b>x</b>3</p>'
    assert isinstance(made, Markup)


# --- how it looks


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("store", ["duels", "swiss", "tables"])
def test_nothing_is_wider_than_the_screen(
    show: OpenReport, request: pytest.FixtureRequest, store: str, size: tuple[int, int]
) -> None:
    """The page itself never scrolls sideways; a table that is wider does so by itself."""
    page = show(request.getfixturevalue(store), size=size, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    spilt = page.evaluate(
        """() => [...document.querySelectorAll('section')].filter(section => {
            const edge = section.getBoundingClientRect().right + 1;
            return [...section.querySelectorAll('p, h2, .line, .chart text, .bars, .wide')]
                .some(part => part.getBoundingClientRect().right > edge);
        }).map(section => section.className)"""
    )
    assert spilt == []


@pytest.mark.parametrize("kind", ["round-robin", "ladder"])
def test_words_of_a_line_do_not_lie_on_each_other(show: OpenReport, tmp_path: Path, kind: str) -> None:
    """On a phone the cells of a line, with their labels, are apart; also a ladder's points, which are long."""
    hold(tmp_path / "lines.db", kind=kind, names=FOUR, rounds=2, batches=2)
    page = show(tmp_path / "lines.db", size=PHONE)
    lapped = page.evaluate(
        """() => [...document.querySelectorAll('.line:not(.head)')].flatMap(line => {
            const cells = [...line.querySelectorAll('.range, .points, .matches, .record')];
            return cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1);
        }).length"""
    )
    assert lapped == 0


def test_marks_stand_clear(show: OpenReport, duels: Path) -> None:
    """On a phone the marks over the bars are apart from their neighbours and on the card; no curve crosses a mark."""
    page = show(duels, size=PHONE)
    ends = page.evaluate(
        """() => [...document.querySelectorAll('.bars thead .number, .bars thead .tick')].map(part => {
            const text = document.createRange();
            text.selectNodeContents(part);
            return [text.getBoundingClientRect().left, text.getBoundingClientRect().right];
        })"""
    )
    assert all(one[1] + 4 <= other[0] for one, other in pairwise(ends))
    assert ends[-1][1] <= page.locator(".bars").evaluate("bars => bars.getBoundingClientRect().right")
    marks, plot = page.locator(".chart .marks").bounding_box(), page.locator(".chart .plot").bounding_box()
    assert marks is not None
    assert plot is not None
    assert marks["x"] + marks["width"] <= plot["x"] + 0.5


def test_it_can_be_read_aloud(show: OpenReport, duels: Path) -> None:
    """Every section has a heading for a name, the table its rows and cells, the chart a sentence."""
    page = show(duels)
    names = [section.get_attribute("aria-labelledby") for section in page.query_selector_all("section")]
    assert names == ["sure", "standings", "time", "cross", "seat", "map", "faults", "think", "latest"]
    assert all(page.locator(f"h2#{name}").count() == 1 for name in names)
    table = page.get_by_role("table", name="Standings")
    assert table.get_by_role("row").count() == 9
    assert table.get_by_role("rowheader").all_inner_texts()[0] == NAMES[0]
    assert "to" in table.get_by_role("row").nth(1).inner_text()
    chart = page.get_by_role("img")
    assert chart.get_attribute("aria-label") == (
        "Ratings of 8 bots from match 33 to match 336; the table below has the numbers."
    )
    page.get_by_text("In numbers, by matches played").click()
    assert page.get_by_role("cell", name=f"{known_of(duels).history.moments[-1][1][0]:.0f}").count() >= 1


def test_intervals_are_where_they_belong(show: OpenReport, duels: Path) -> None:
    """A rating's point lies in its interval, and the better rating further to the right."""
    page = show(duels)
    drawn = page.evaluate(
        """() => [...document.querySelectorAll('.line:not(.head) .plot svg')].map(svg => {
            const at = name => svg.querySelector(name).getBoundingClientRect();
            const point = at('.middle'), span = at('.span');
            return [span.left, (point.left + point.right) / 2, span.right];
        })"""
    )
    assert len(drawn) == 8
    assert all(low < middle < high for low, middle, high in drawn)
    middles = [middle for _, middle, _ in drawn]
    assert middles == sorted(middles, reverse=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_on_every_colour(show: OpenReport, duels: Path, scheme: str) -> None:
    """Numbers on the heat map, and the names beside the chart, stand out from what is behind them (WCAG: 4.5)."""
    page = show(duels, color_scheme=scheme)
    weakest = page.evaluate(
        """() => {
            const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
            const light = (...colours) => {
                colours.forEach(colour => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); });
                const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(part => part / 255)
                    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
            };
            const ratio = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
            const card = getComputedStyle(document.querySelector('section')).backgroundColor;
            const cells = [...document.querySelectorAll('.heat td[class^=h]')].map(cell => {
                const style = getComputedStyle(cell);
                return ratio(light(card, style.color), light(card, style.backgroundColor));
            });
            const names = [...document.querySelectorAll('.label')]
                .map(text => ratio(light(card, getComputedStyle(text).fill), light(card)));
            return Math.min(...cells, ...names);
        }"""
    )
    assert weakest >= 4.5


# --- pieces of drawings


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_a_scale_holds_its_values(values: Sequence[float]) -> None:
    """Every value lies on the scale, and its marks do, ascending and few."""
    along = scale(values)
    assert all(along.low <= value <= along.high for value in values)
    assert all(0 <= along.share(value) <= 1 for value in values)
    assert list(along.ticks) == sorted(along.ticks)
    assert len(along.ticks) <= 7


@given(st.lists(st.floats(0, 200), max_size=12).map(sorted))
def test_names_are_apart(wanted: list[float]) -> None:
    """Names beside the chart keep their order and distance, and stay inside as long as there is room."""
    found = spread(wanted, 15, 0, 200)
    assert len(found) == len(wanted)
    assert all(later - earlier >= 15 - 1e-9 for earlier, later in pairwise(found))
    assert all(-1e-9 <= place <= 200 + 1e-9 for place in found)


def test_long_names_are_cut() -> None:
    """A name beside the chart is as wide as there is room; letters of East Asia count twice."""
    assert cut("short", 8) == "short"
    assert cut("a long name", 6) == "a lon…"
    assert cut("狼と香辛料", 6) == "狼と…"
