"""Matches of a ladder that are watched while they are played, and the feeds of what is new."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from time import monotonic, time
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from msgspec import structs
from playwright.sync_api import Browser, expect

from dohyo import games
from dohyo.bots import samples_of
from dohyo.core.bot_spec import Sample
from dohyo.core.contest import Entrant, Version
from dohyo.core.replay_format import decode
from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.executors.one_match import play_order
from dohyo.executors.told import FRESH, GAP, Told, on_air, watch
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.news import _leaders, _moments
from dohyo.guests.site.arena.standings import LadderPage, Played
from dohyo.guests.site.arena.terms import Terms
from dohyo.guests.site.pages import live
from dohyo.guests.site.pages.live import STALE, LadderSource
from dohyo.match.found_bots import find_bots
from dohyo.match.play import play_match
from dohyo.match.replays.live_match import LiveMatch
from dohyo.match.replays.turn_file import TurnFile
from dohyo.sandbox import choose
from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder

ATOM = "{http://www.w3.org/2005/Atom}"


class Asked:
    """An executor that plays nothing, and keeps the orders that it got."""

    workers = 1

    def __init__(self) -> None:
        self.orders: list[MatchOrder] = []

    def play(self, orders: Iterator[MatchOrder]) -> Iterator[MatchReport]:
        """A report for each order."""
        for order in orders:
            self.orders.append(order)
            yield MatchReport(order.key)

    def close(self) -> None:
        """Nothing runs."""


def orders(first: int, count: int) -> list[MatchOrder]:
    """So many matches, that nobody plays."""
    return [MatchOrder(str(number), "shoot-em-up", (), number) for number in range(first, first + count)]


def test_only_what_is_watched_is_written(tmp_path: Path) -> None:
    """A ladder that nobody watches is played as ever; of a watched one, one match at a time is written."""
    asked = Asked()
    told = Told(asked, tmp_path, "ladder-3")
    list(told.play(orders(0, 3)))
    watch(tmp_path, "ladder-4")
    list(told.play(orders(3, 3)))
    assert [order.told for order in asked.orders] == [""] * 6
    watch(tmp_path, "ladder-3")
    list(told.play(orders(6, 3)))
    assert [order.told for order in asked.orders[6:]] == [str(tmp_path / "ladder-3-match-6"), "", ""]
    Path(asked.orders[6].told).touch()
    list(Told(asked, tmp_path, "ladder-3").play(orders(9, 1)))  # of the next batch: too soon after the last one
    assert asked.orders[9].told == ""
    for name, age in (("ladder-3-match-6", GAP), ("ladder-3-watched", FRESH)):
        path = tmp_path / name
        os.utime(path, (path.stat().st_mtime - age - 1, path.stat().st_mtime - age - 1))
        list(Told(asked, tmp_path, "ladder-3").play(orders(10, 1)))
    assert [bool(order.told) for order in asked.orders[10:]] == [True, False]


def test_a_match_that_is_written_is_the_match_that_is_played(tmp_path: Path) -> None:
    """Its turns are in the file as in its replay, whose moves are those of the match that nobody watches."""
    game = games.find("shoot-em-up")
    assert "random" in samples_of(game)
    bots = tuple(find_bots(game, [Sample("random")] * 2, None, choose("none"), follow=False))
    path = tmp_path / "ladder-1-match-7"
    path.write_bytes(b"of a match that was begun before")
    reports = [play_order(MatchOrder("7", game.name, bots, 7, sandbox="none", told=told)) for told in (str(path), "")]
    replays = [decode(report.replay) for report in reports]
    moves = [[[move.action for move in turn.moves] for turn in replay.turns] for replay in replays]
    assert moves[0] == moves[1]
    found = on_air(tmp_path, "ladder-1")
    assert found is not None
    match = LiveMatch(game, found.path)
    told = match.more()
    match.close()
    assert match.is_over
    assert found.number == 7
    assert len(told) - 1 == len([turn for turn in replays[0].turns if turn.moves])


@pytest.mark.parametrize("age", [0.0, STALE + 1], ids=["just over", "long over"])
def test_a_match_that_is_long_over_is_not_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: float) -> None:
    """Who comes while a ladder rests is told of the match that was stored last, and that the ladder rests."""
    game = games.find("othello")
    with TurnFile(tmp_path / "ladder-1-match-7") as writer:
        play_match(game, [Sample("random")] * 2, on_turn=writer.on_turn, sandbox="none")
    then = time() - age
    os.utime(tmp_path / "ladder-1-match-7", (then, then))
    newest = LadderPage(recent=[Played(9, [("a", 1), ("b", 2)], then)])
    monkeypatch.setattr(live, "ladder_page", lambda store, slug: newest)
    monkeypatch.setattr(live, "ladder_rests", lambda *_: True)
    arena: Any = SimpleNamespace(opened=lambda: nullcontext(None))
    source = LadderSource(arena, tmp_path, Ladder(1, "othello", "Othello", "othello"))
    told = [(event.name, event.data) for _ in range(2) for event in source.more()]
    source.close()
    last = [("played", '{"number":9}'), ("rests", "true")]
    assert told[-2:] == last
    assert [name for name, _ in told[:-2]] == ([] if age else ["match", "turns"])


@pytest.mark.parametrize("distant", [0, 1])
@pytest.mark.parametrize("name", ["leduc-poker", "othello"])
def test_no_bot_at_home_watches_what_is_hidden_from_it(tmp_path: Path, name: str, distant: int) -> None:
    """Where bots at home play, a match of a game with secrets is shown once it is over; any other at once."""
    game = games.find(name)
    with TurnFile(tmp_path / "whole") as writer:
        play_match(game, [Sample("random")] * 2, on_turn=writer.on_turn, sandbox="none")
    lines = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    path = tmp_path / "ladder-1-match-7"
    path.write_bytes(b"".join(lines[:3]))  # the header, and two turns
    arena: Any = SimpleNamespace(opened=lambda: nullcontext(None))
    ladder = Ladder(1, name, name, name, distant=distant)
    source = LadderSource(arena, tmp_path, ladder)
    is_hidden = bool(distant) and name == "leduc-poker"
    assert [event.name for event in source.more()] == ["match"] + ["turns"] * (not is_hidden)
    with open(path, "ab") as file:
        file.write(b"".join(lines[3:]))
    assert [event.name for event in source.more()] == ["turns"]
    source.close()


def test_a_full_disk_stops_no_match(tmp_path: Path) -> None:
    """Where turns cannot be written, the match is played all the same."""
    game = games.find("shoot-em-up")
    bots = tuple(find_bots(game, [Sample("random")] * 2, None, choose("none"), follow=False))
    report = play_order(MatchOrder("7", game.name, bots, 7, sandbox="none", told=str(tmp_path / "gone" / "match")))
    assert not report.error
    assert report.replay


@pytest.fixture(scope="module")
def slug(site: RunningSite, organiser: Visitor) -> str:
    """A ladder with a bot of an author, which is played from now on."""
    slug = new_ladder(organiser, "shoot-em-up", "Watched & <told>")
    author = Visitor(site.url).sign_up("Feed author")
    author.await_text(author.hand_in(slug, "Newcomer", "bot.py", GOOD.read_bytes() + b"# feed\n"), "It plays now in")
    author.await_text(f"/ladders/{slug}", f"/ladders/{slug}/matches/")
    return slug


def events(site: RunningSite, path: str, wanted: str) -> list[tuple[str, str]]:
    """What a stream tells until this event."""
    found = []
    name, end = "", monotonic() + PATIENCE
    with Visitor(site.url).http.stream("GET", path, timeout=PATIENCE) as answer:
        assert answer.status_code == 200
        for line in answer.iter_lines():
            assert monotonic() < end
            if line.startswith("event: "):
                name = line[7:].strip()
            elif line.startswith("data: "):
                found.append((name, line[6:]))
                if name == wanted:
                    return found
    raise AssertionError(found)


def test_a_ladder_is_watched_while_it_is_played(site: RunningSite, slug: str) -> None:
    """As soon as somebody watches, a match comes turn by turn, with nothing that bots wrote besides."""
    author = Visitor(site.url).sign_up("Another feed author")
    author.hand_in(slug, "Late", "bot.py", GOOD.read_bytes() + b"# late\n")  # a ladder may rest by now
    found = events(site, f"/ladders/{slug}/live/events", "turns")
    told = json.loads(found[-1][1])
    assert len(told["names"]) == 2
    begun = json.loads(next(data for name, data in found if name == "match"))
    assert begun["names"] == told["names"]
    assert {key for turn in told["turns"] for move in turn["moves"] for key in move} <= {"seat", "action", "faults"}


def test_its_page_shows_something_in_any_case(site: RunningSite, browser: Browser, slug: str) -> None:
    """A match on air, or the one that was just played; never an empty board, and nothing is an error."""
    context = browser.new_context(base_url=site.url, locale="en")
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"/ladders/{slug}/live")
    expect(page.locator("#which")).to_be_visible(timeout=PATIENCE * 1000)
    expect(page.frame_locator(".board iframe").locator("#board svg, #board canvas").first).to_be_visible()
    assert wrong == []
    context.close()


def test_feeds_tell_what_is_new(visitor: Visitor, slug: str) -> None:
    """New versions and leaders, in well-formed Atom with whole addresses, whatever things are called."""
    for path, title in (("/feed.atom", "Dohyo"), (f"/ladders/{slug}/feed.atom", "Watched & <told>")):
        answer = visitor.get(path)
        assert answer.headers["content-type"].startswith("application/atom+xml")
        root = Xml.fromstring(answer.text)
        assert root.findtext(f"{ATOM}title") == title
        entries = root.findall(f"{ATOM}entry")
        told = [entry.findtext(f"{ATOM}title") or "" for entry in entries]
        if slug in path:
            assert "Newcomer, version 1, plays on Watched & <told>" in told
        names = [entry.findtext(f"{ATOM}id") or "" for entry in entries]
        assert len({*names}) == len(names)
        assert all(name.startswith("http://127.0.0.1") and " " not in name for name in names)
    assert visitor.get("/ladders/nothing/feed.atom").status_code == 404
    assert f'href="/ladders/{slug}/feed.atom"' in visitor.get(f"/ladders/{slug}").text


class Rated:
    """A store that knows who led after which batch."""

    def __init__(self, leading: list[list[int]]) -> None:
        self.leading = leading

    def count_batches(self, contest: int) -> int:
        """How many batches there are."""
        return len(self.leading)

    def leaders(self, contest: int, batch: int, most: int, floor: float) -> list[int]:
        """The best after a batch, the best first."""
        return self.leading[batch]

    def reached(self, contest: int, batch: int) -> float:
        """When it was over."""
        return 1000.0 * batch


def test_who_takes_the_lead_is_news_once() -> None:
    """A change is told with its moment; nothing while the same one leads, and nobody leads who has left."""
    entrants = [Entrant(number, Version(name, str(number))) for number, name in enumerate(("Anna", "Berta", "Gone"))]
    entrants[2] = structs.replace(entrants[2], until=2)
    store: Any = Rated([[], [0, 1], [2, 0], [1, 0], [1, 0], [0, 1]])
    assert _leaders(store, 1, entrants) == [("Anna", 1000.0), ("Berta", 3000.0)]


def test_a_contest_tells_its_moments() -> None:
    """What has come to pass of a contest's times is news; what is to come is not."""
    now = time()
    terms = Terms(opens=now - 100, closes=now - 50, starts=now + 50, format="round-robin")
    ladder = Ladder(1, "cup", "Cup", "shoot-em-up", played=terms)
    assert [(each.kind, each.bot) for each in _moments(ladder)] == [("opens", ""), ("closes", "")]
    assert _moments(Ladder(1, "cup", "Cup", "shoot-em-up")) == []


def test_a_page_says_what_it_is_about(visitor: Visitor, slug: str) -> None:
    """A link that somebody posts elsewhere shows a title and a sentence; names in them are text."""
    text = visitor.get(f"/ladders/{slug}").text
    assert '<meta property="og:title" content="Watched &amp; &lt;told&gt;">' in text
    assert '<meta property="og:url" content="http://127.0.0.1' in text
    assert '<meta name="description" content="Shoot-Em-Up' in text


def test_a_pages_title_fills_no_field(organiser: Visitor) -> None:
    """What the head of a page says of it is in no form: a field of that name begins empty."""
    assert 'name="title" value=""' in organiser.get("/ladders/new").text
