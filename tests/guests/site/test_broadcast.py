"""A ladder and a contest of a site on a big screen: what is shown to whom, while standings are frozen and after."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, expect

from dohyo.executors.told import is_watched
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.judging.followers import Event
from dohyo.guests.site.pages.broadcast import BroadcastSource, SiteStage
from dohyo.guests.site.people.accounts import ORGANISER, Person
from dohyo.match.replays.turn_file import TurnFile
from dohyo.series.broadcast import programme
from dohyo.series.broadcast.director import END
from dohyo.series.store import open_store
from tests.guests.site.conftest import GOOD, PATIENCE, RunningSite, Visitor, new_ladder
from tests.series.contests import asked, play, write_bots

pytestmark = pytest.mark.xdist_group("site")


@pytest.fixture(scope="module")
def slug(site: RunningSite, organiser: Visitor) -> str:
    """A ladder with a bot of an author, which is played from now on."""
    slug = new_ladder(organiser, "shoot-em-up", "Shown & <large>")
    author = Visitor(site.url).sign_up("Broadcast author")
    author.await_text(author.hand_in(slug, "Newcomer", "bot.py", GOOD.read_bytes() + b"# big\n"), "It plays now in")
    author.await_text(f"/ladders/{slug}", f"/ladders/{slug}/matches/")
    return slug


def heard(site: RunningSite, path: str, wanted: str) -> list[tuple[str, str]]:
    """What a stream tells until this event."""
    found, name, end = [], "", monotonic() + PATIENCE
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


def test_a_ladder_is_broadcast(site: RunningSite, slug: str) -> None:
    """Whoever listens is told a match with its turns and the standings, and nothing that bots wrote besides."""
    told = heard(site, f"/ladders/{slug}/broadcast/events", "turns")
    kinds = [name for name, _ in told]
    assert kinds.index("match") < kinds.index("turns")
    table = json.loads(next(data for name, data in told if name == "table"))
    assert "Newcomer" in {row["name"] for row in table["rows"]}
    moves = [move for turn in json.loads(told[-1][1])["turns"] for move in turn["moves"]]
    assert {key for move in moves for key in move} <= {"seat", "action", "faults"}


@pytest.mark.parametrize("size", [(1920, 1080), (390, 844)], ids=["hall", "phone"])
@pytest.mark.parametrize("locale", ["en", "ja"])
def test_its_page_shows_a_board(
    site: RunningSite, browser: Browser, slug: str, size: tuple[int, int], locale: str
) -> None:
    """A board, who plays, the standings: in either language, on a big screen and on a phone, without an error."""
    context = browser.new_context(base_url=site.url, locale=locale, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"/ladders/{slug}/broadcast")
    board = page.frame_locator("#frame").locator("#board svg, #board canvas").first
    expect(board).to_be_visible(timeout=PATIENCE * 1000)
    expect(page.locator(".card")).to_have_count(2)
    expect(page.locator("#rows .row .name", has_text="Newcomer")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert ("順位" in page.locator("#standings h2").inner_text()) is (locale == "ja")
    assert wrong == []
    context.close()


def test_it_is_found_from_the_ladders_page(visitor: Visitor, slug: str) -> None:
    """The page says what it broadcasts; a name is text; what is not there is not there."""
    assert f'href="/ladders/{slug}/broadcast"' in visitor.get(f"/ladders/{slug}").text
    page = visitor.get(f"/ladders/{slug}/broadcast")
    assert "Shown &amp; &lt;large&gt;" in page.text
    assert "'unsafe-inline'" not in page.headers["content-security-policy"]
    for path in ("/ladders/none/broadcast", "/ladders/none/broadcast/events", "/broadcast/files/page.py"):
        assert visitor.get(path).status_code == 404
    assert visitor.get("/broadcast/frames/none").status_code == 404
    frame = visitor.get("/broadcast/frames/shoot-em-up").headers["content-security-policy"]
    assert frame.startswith("sandbox allow-scripts;")


def test_a_class_is_broadcast_to_its_members_alone(site: RunningSite, organiser: Visitor, visitor: Visitor) -> None:
    """What a ladder of a class plays is on no screen of others."""
    answer = organiser.post("/classes", {"title": "Evening class"})
    number = answer.headers["location"].rpartition("/")[2]
    made = organiser.post("/ladders/new", {"game": "othello", "title": "Of a class", "group": number})
    path = made.headers["location"] + "/broadcast"
    assert organiser.get(path).status_code == 200
    assert visitor.get(path).status_code == 404
    assert visitor.get(f"{path}/events").status_code == 404


# --- without a server: a contest as it is told while its standings are frozen


class Frozen:
    """A contest that was played, frozen in the middle, and what is told of it to whom."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_bots(folder)
        play(asked(folder / "arena.db", folder))
        with open_store(str(folder / "arena.db")) as store:
            results = sorted(store.played(store.contest().id), key=lambda each: each.at)
        cut = len(results) // 2
        self.until = (results[cut].at + results[cut + 1].at) / 2
        self.early = {each.fixture.number for each in results if each.at <= self.until}
        self.late = {each.fixture.number for each in results if each.at > self.until}
        self.live, copies = folder / "live", folder / "frozen"
        self.live.mkdir()
        copies.mkdir()
        self.arena = Arena(str(folder / "arena.db"), copies)
        self.clock = itertools.count(1000.0, 0.5)
        monkeypatch.setattr(programme, "monotonic", lambda: next(self.clock))

    def ladder(self, *, frozen: bool) -> Ladder:
        """The contest as the site knows it."""
        return Ladder(1, "c", "Cup", "drop-block", frozen=self.until if frozen else None)

    def told(self, person: Person | None, *, frozen: bool = True) -> list[Event]:
        """What somebody is told in some minutes."""
        source = BroadcastSource(self.arena, self.live, self.ladder(frozen=frozen), person)
        found = [event for _ in range(int(20 * (50 + END))) for event in source.more()]
        source.close()
        return found


@pytest.fixture
def frozen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Frozen]:
    """A contest that is frozen."""
    contest = Frozen(tmp_path, monkeypatch)
    yield contest
    contest.arena.close()


def values(told: list[Event], name: str) -> list[dict[str, object]]:
    """The data of all events of a name."""
    return [json.loads(event.data) for event in told if event.name == name]


def test_nothing_of_later_is_told_while_frozen(frozen: Frozen) -> None:
    """Visitors see a film of what was played before that moment, and the standings of then, and nothing live."""
    with TurnFile(frozen.live / "ladder-1-match-99"):
        told = frozen.told(None)
    shown = {match["number"] for match in values(told, "match")}
    assert shown
    assert shown <= frozen.early
    assert not any(match["live"] for match in values(told, "match"))
    assert {table["played"] for table in values(told, "table")} == {len(frozen.early)}
    assert not any(each["matches"] for each in values(told, "next"))
    assert not is_watched(frozen.live, "ladder-1")


def test_organisers_see_all_while_frozen(frozen: Frozen) -> None:
    """For whom nothing is hidden it is as ever, and after the end everybody is told the same."""
    told = frozen.told(Person(1, "Ms Sato", ORGANISER))
    assert {table["played"] for table in values(told, "table")} == {len(frozen.early | frozen.late)}
    assert is_watched(frozen.live, "ladder-1")
    after = frozen.told(None, frozen=False)
    assert {table["played"] for table in values(after, "table")} == {len(frozen.early | frozen.late)}


def test_secrets_of_a_ladder_with_bots_at_home_are_not_live(frozen: Frozen) -> None:
    """Such a bot could watch what the other seat has: what is shown was played before."""
    with frozen.arena.opened() as store:
        assert store is not None
        for distant in (0, 1):
            ladder = Ladder(1, "c", "Cup", "leduc-poker", distant=distant)
            assert SiteStage(store, frozen.live, ladder, True).is_live is not bool(distant)


def test_a_ladder_that_is_not_begun_is_quiet(tmp_path: Path) -> None:
    """Before its judge has begun there is nothing to tell, and nothing is wrong."""
    arena = Arena(str(tmp_path / "arena.db"), tmp_path)
    source = BroadcastSource(arena, tmp_path, Ladder(1, "none", "None", "othello"), None)
    assert source.more() == []
    source.close()
    arena.close()
