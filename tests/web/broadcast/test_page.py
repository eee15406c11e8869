"""The page of a broadcast in a browser: on a big screen and on a phone, by keyboard, for hours, whatever is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from dohyo import games
from dohyo.core.bot_spec import Sample
from dohyo.core.playback import moments
from dohyo.core.replay import Replay
from dohyo.i18n import Message, Speaker
from dohyo.match.play import play_match
from dohyo.match.replays.live_match import first_told, turn_told
from dohyo.series.broadcast.lines import Line
from dohyo.series.broadcast.programme import Told
from dohyo.series.broadcast.stage import Row, Table
from dohyo.web.broadcast.server import BroadcastServer

HALL, PHONE = (1920, 1080), (390, 844)
PATIENCE_MS = 30_000
HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe"
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { sources } of list.getEntries()) window.shifts.push(...sources.map(({ node }) => node?.id));
}).observe({ type: "layout-shift", buffered: true });
"""


class Script:
    """A programme that tells what a test says."""

    is_over = False

    def __init__(self) -> None:
        self._waiting: list[Told] = []
        self._lock = threading.Lock()

    def tell(self, *told: Told) -> None:
        """Tell this next."""
        with self._lock:
            self._waiting += told

    def more(self) -> list[Told]:
        """What a test said since."""
        with self._lock:
            told, self._waiting = self._waiting, []
        return told

    def close(self) -> None:
        """There is nothing to close."""


class Aired(NamedTuple):
    """A broadcast of a game that a test directs: what is told, and its address."""

    script: Script
    server: BroadcastServer


@pytest.fixture(scope="module")
def replay() -> Replay:
    """A match of four."""
    return play_match(games.find("drop-block"), [Sample("random")] * 4, seed=3, setup={"turns": 40}, sandbox="none")


@pytest.fixture
def air() -> Iterator[Callable[..., Aired]]:
    """Broadcast a game, in a language, until the test ends."""
    running: list[tuple[BroadcastServer, threading.Thread]] = []

    def begin(game: str = "drop-block", language: str = "en", name: str = "Spring cup") -> Aired:
        script: Any = Script()
        server = BroadcastServer(name, games.find(game), lambda: script, Speaker(language))
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        running.append((server, thread))
        return Aired(script, server)

    yield begin
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.close()


@pytest.fixture
def show(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a broadcast's page; whatever goes wrong in it fails the test."""
    wrong: list[str] = []
    contexts = []

    def opened(aired: Aired, size: tuple[int, int] = HALL, **more: Any) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.add_init_script(SHIFTS)
        page.goto(aired.server.address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def match(number: int = 1, names: tuple[str, ...] = ("a", "b", "c", "d"), live: bool = True) -> Told:
    """A match begins."""
    seats = [{"entrant": seat, "name": name, "place": seat + 1, "elo": 1500.0} for seat, name in enumerate(names)]
    return Told("match", {"number": number, "seats": seats, "live": live, "film": False, "count": None}, True)


def turns(replay: Replay, first: int = 0, last: int | None = None, rate: float = 50.0) -> list[Told]:
    """Some turns of a match, one event each."""
    game, told = games.find(replay.header.game), []
    for moment in moments(game, replay):
        if not told:
            told.append({**first_told(game, moment, len(replay.header.seats)), "turn": None})
        told += turn_told(game, moment)
    return [Told("turns", {"rate": rate, "turns": [turn]}) for turn in told[first:last]]


def line(key: str, kind: str = "event", **values: Any) -> Told:
    """Something is said."""
    return Told("line", {"line": Line(Message(f"broadcast.{key}", values), kind, 0, 3)})


def table(*order: int, played: int = 10, name: Callable[[int], str] = "bot {}".format) -> Told:
    """The standings, the entrants in this order."""
    rows = tuple(Row(entrant, name(entrant), at + 1, 1500.0 - at, 9, True) for at, entrant in enumerate(order))
    return Told("table", {"table": Table(rows, {}, played, 60)})


def test_a_match_is_drawn_and_told(air: Callable[..., Aired], show: Callable[..., Page], replay: Replay) -> None:
    """The board of the last turn, what it means in words, who plays, what is said, and the standings."""
    aired = air()
    page = show(aired)
    expect(page.locator("#quiet")).to_be_visible()
    aired.script.tell(match(7), table(*range(6)), *turns(replay), line("event", name="a", what=Message("fault.late")))
    last = replay.turns[-1].turn
    expect(page.locator("#where")).to_have_text(f"live \u00b7 match 7 \u00b7 turn {last}", timeout=PATIENCE_MS)
    expect(page.frame_locator("#frame").locator("#board svg, #board canvas").first).to_be_visible()
    expect(page.locator(".card .name")).to_have_text(["a", "b", "c", "d"])
    expect(page.locator("#lines li")).to_have_count(1)
    expect(page.locator("#rows .row .name")).to_have_text([f"bot {number}" for number in range(6)])
    assert page.locator("#caption").inner_text()
    aired.script.tell(Told("end", {"places": [2, 1, 3, 4], "reason": "x", "turn": 1}))
    expect(page.locator(".card.won .name")).to_have_text(["b"])


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [HALL, (3840, 2160), PHONE], ids=["hall", "4k", "phone"])
def test_nothing_is_cut_off_and_nothing_shifts(
    air: Callable[..., Aired], show: Callable[..., Page], replay: Replay, size: tuple[int, int], language: str
) -> None:
    """Nothing is wider than the window; on a big screen nothing is below it either; and parts stay where they are."""
    aired = air(language=language)
    page = show(aired, size)
    aired.script.tell(
        match(1, ("a" * 40, "狼と香辛料の賢い狼のボット", "c", "d")), table(*range(30)), *turns(replay, 0, 3)
    )
    aired.script.tell(*(line("takes-lead", "lead", name="b" * 60, points="1", other_points="0") for _ in range(30)))
    aired.script.tell(Told("next", {"matches": [["a" * 60, "b" * 60]] * 3}))
    expect(page.locator("#lines li")).to_have_count(24)
    expect(page.locator("#where")).to_contain_text("1", timeout=PATIENCE_MS)
    page.evaluate("window.shifts.length = 0")
    aired.script.tell(*turns(replay, 3, 12), table(*reversed(range(30))), line("first", "table", name="x"))
    expect(page.locator("#lines li").first).to_contain_text("x")
    page.evaluate("new Promise(requestAnimationFrame)")
    width, height = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert width <= size[0]
    assert height <= size[1] or size == PHONE
    moved = {*page.evaluate("window.shifts")}
    assert not moved & {"stage", "seats", "centre", "right", "standings", "said", "next", "caption", "frame"}


def test_letters_are_large_on_a_big_screen(air: Callable[..., Aired], show: Callable[..., Page]) -> None:
    """What is said, names and standings have letters of a fiftieth of the screen's height, or more."""
    aired = air()
    page = show(aired)
    aired.script.tell(match(), table(0, 1), line("first", "table", name="x"))
    expect(page.locator("#lines li")).to_have_count(1)
    for part in (".card .name", "#rows .row", "#lines li", "#caption"):
        size = page.locator(part).first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
        assert size >= HALL[1] / 50, part


def test_standings_move(air: Callable[..., Aired], show: Callable[..., Page]) -> None:
    """Who rises or falls moves there, with an arrow that says how far; who wants no motion sees it at once."""
    for motion, moves in (("no-preference", True), ("reduce", False)):
        aired = air()
        page = show(aired, reduced_motion=motion)
        aired.script.tell(match(), table(0, 1, 2, 3))
        expect(page.locator("#rows .row")).to_have_count(4)
        expect(page.locator(".card .about").nth(3)).to_have_text("#4 \u00b7 1497")
        page.evaluate("""() => {
            window.moved = 0;
            const before = Element.prototype.animate;
            Element.prototype.animate = function (...words) { window.moved += 1; return before.apply(this, words); };
        }""")
        aired.script.tell(table(3, 0, 1, 2))
        expect(page.locator(".card .about").nth(3)).to_have_text("#1 \u00b7 1500")
        expect(page.locator("#rows .row .name")).to_have_text(["bot 3", "bot 0", "bot 1", "bot 2"])
        expect(page.locator("#rows .arrow")).to_have_text(["\u25b23", "\u25bc1", "\u25bc1", "\u25bc1"])
        assert page.locator("#rows .arrow").first.get_attribute("aria-label") == "up 3"
        assert (page.evaluate("window.moved") > 0) is moves


def test_more_bots_than_there_is_room_for(air: Callable[..., Aired], show: Callable[..., Page]) -> None:
    """Of many bots the first ones are there, and those who play now, whatever their place."""
    aired = air()
    page = show(aired)
    told = match()
    for seat, entrant in zip(told.values["seats"], (0, 1, 2, 38), strict=True):
        seat["entrant"] = entrant
    aired.script.tell(told, table(*range(40)))
    expect(page.locator("#rows .row.plays .name")).to_have_text(["bot 0", "bot 1", "bot 2", "bot 38"])
    bottom = page.locator("#rows .row").last.bounding_box()
    around = page.locator("#rows").bounding_box()
    assert bottom is not None
    assert around is not None
    assert bottom["y"] + bottom["height"] <= around["y"] + around["height"] + 1


def test_keys(air: Callable[..., Aired], show: Callable[..., Page], replay: Replay) -> None:
    """Space holds the picture while more is told, arrows look back in it, space goes on with what is told now."""
    aired = air()
    page = show(aired)
    aired.script.tell(match(1), *turns(replay, 0, 11))
    where = page.locator("#where")
    expect(where).to_contain_text("turn 9", timeout=PATIENCE_MS)
    page.keyboard.press(" ")
    expect(page.locator("#state")).to_have_text("paused")
    aired.script.tell(*turns(replay, 11, 15), line("first", "table", name="x"))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(where).to_contain_text("turn 7")
    page.keyboard.press("ArrowRight")
    expect(where).to_contain_text("turn 8")
    expect(page.locator("#lines li")).to_have_count(0)
    page.keyboard.press(" ")
    expect(where).to_contain_text("turn 13")
    expect(page.locator("#lines li")).to_have_count(1)
    page.keyboard.press(" ")
    aired.script.tell(match(2), *turns(replay, 0, 4), match(3), *turns(replay, 0, 6))
    expect(where).to_contain_text("match 1")
    page.keyboard.press(" ")
    expect(where).to_contain_text("match 3 \u00b7 turn 4")


def test_it_goes_on_for_hours(air: Callable[..., Aired], show: Callable[..., Page], replay: Replay) -> None:
    """After thousands of turns and lines a page keeps no more than it does after a few hundred."""
    aired = air()
    page = show(aired)
    whole = turns(replay)[1:]
    told = turns(replay)[:1]
    for at in range(4000):
        turn = whole[at % len(whole)].values["turns"][0]
        told.append(Told("turns", {"rate": 500.0, "turns": [{**turn, "turn": at}]}))
        told += [line("first", "table", name=str(at))] if at % 10 == 0 else []
    aired.script.tell(match(1), table(*range(10)), *told)
    expect(page.locator("#where")).to_contain_text("turn 3999", timeout=PATIENCE_MS)
    assert page.evaluate("dohyo.kept") == {"turns": 3000, "lines": 24, "rows": 10, "waiting": 0}
    aired.script.tell(match(2), *turns(replay, 0, 3))
    expect(page.locator("#where")).to_contain_text("match 2")
    assert page.evaluate("dohyo.kept.turns") <= 3
    assert len(aired.server.air.after(0)[1]) < 100


def test_what_strangers_wrote_is_text(air: Callable[..., Aired], show: Callable[..., Page], replay: Replay) -> None:
    """Names are no markup, turn no text around, and fill no more room than there is."""
    aired = air(name=HOSTILE)
    page = show(aired)
    aired.script.tell(match(1, (HOSTILE, "b", "c", "d")), table(0, name=lambda number: HOSTILE), *turns(replay, 0, 2))
    aired.script.tell(line("first", "table", name=HOSTILE), Told("next", {"matches": [[HOSTILE, "b"]]}))
    expect(page.locator("#lines li")).to_have_count(1)
    assert page.locator("img").count() == 0
    assert "\u202e" not in page.locator(".card .name").first.inner_text()
    assert "\u202e" not in page.locator("#rows .name").inner_text()


def test_who_comes_later_sees_the_same(air: Callable[..., Aired], show: Callable[..., Page], replay: Replay) -> None:
    """A page that is opened in the middle of a match has what the first one has; so has one that lost its line."""
    aired = air()
    first = show(aired)
    aired.script.tell(match(4), table(0, 1), line("first", "table", name="x"), *turns(replay, 0, 9))
    expect(first.locator("#where")).to_contain_text("turn 7", timeout=PATIENCE_MS)
    later = show(aired)
    expect(later.locator("#where")).to_contain_text("match 4 \u00b7 turn 7", timeout=PATIENCE_MS)
    expect(later.locator("#lines li")).to_have_count(1)
    expect(later.locator("#rows .row")).to_have_count(2)


def test_chances_are_shown_where_they_are_known(air: Callable[..., Aired], show: Callable[..., Page]) -> None:
    """There is no bar before a chance is known, then one part for each seat; the next match begins without one."""
    aired = air()
    page = show(aired)
    aired.script.tell(match())
    expect(page.locator(".card")).to_have_count(4)
    expect(page.locator(".chances")).to_be_hidden()
    aired.script.tell(Told("chances", {"turn": 3, "chances": [0.7, 0.2, 0.06, 0.04]}))
    expect(page.locator(".chance")).to_have_text(["70%", "20%", "", ""])
    assert page.locator(".chances").get_attribute("aria-label") == "Chances to win: 70 %, 20 %, 6 %, 4 %"
    aired.script.tell(match(2))
    expect(page.locator(".chances")).to_be_hidden()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_axe_finds_nothing_serious(
    air: Callable[..., Aired], show: Callable[..., Page], replay: Replay, theme: str
) -> None:
    """Everybody can read it: names of parts, and colours that differ enough, in the dark and in the light."""
    aired = air()
    page = show(aired, color_scheme=theme, bypass_csp=True)
    aired.script.tell(match(1), table(0, 1, 2, 3), *turns(replay, 0, 3), line("first", "table", name="x"))
    expect(page.locator("#lines li")).to_have_count(1)
    aired.script.tell(match(2), table(3, 0, 1, 2), *turns(replay, 0, 3), line("swing", "chance", name="x", before=1))
    aired.script.tell(Told("next", {"matches": [["a", "b"]]}))
    expect(page.locator("#lines li")).to_have_count(2)
    expect(page.locator("#coming li")).to_have_count(1)
    found = Axe().run(page, context="main", options={"iframes": False}).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"]) for each in serious] == []


def test_the_end_of_a_broadcast_is_said(air: Callable[..., Aired], show: Callable[..., Page]) -> None:
    """Whoever runs it has ended it: the page says so, and asks no more."""
    aired = air()
    page = show(aired)
    aired.script.tell(match())
    expect(page.locator(".card")).to_have_count(4)
    aired.server.air.end()
    expect(page.locator("#state")).to_have_text("The broadcast has ended.")


def test_a_slow_reader_keeps_nobody_waiting(air: Callable[..., Aired], replay: Replay) -> None:
    """What is told goes on at its own time, however long somebody takes to read."""
    aired = air()
    aired.script.tell(match(), *turns(replay))
    end = time.monotonic() + 30
    while len(aired.server.air.after(0)[1]) < len(turns(replay)):
        assert time.monotonic() < end
