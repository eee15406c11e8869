"""`dohyo contest site`: a contest as plain files, of which none lies outside the folder and no link leads nowhere."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dohyo import games
from dohyo.core import replay_format as replays
from dohyo.i18n import ENGLISH
from dohyo.web.content import content
from tests.cli.conftest import Type
from tests.series.made_contests import HOSTILE, hold


class Links(HTMLParser):
    """The targets of all links of a page, and the elements that it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.elements: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        self.elements.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


@pytest.fixture
def made(held: Type) -> Type:
    """Type commands where a contest of four matches has become a site."""
    told = "A site to open in a browser or to serve: out/index.html (bots 4, matches 4)\n"
    assert held("contest", "site", "contest.db", "--out", "out") == (0, told, "")
    return held


def test_every_link_leads_to_a_file_of_the_site(made: Type, folder: Path) -> None:
    """From the report to each bot, from each bot to its matches and back: all links are relative, and lead there."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in (folder / "out").rglob("*.html")}
    assert len(pages) == 1 + 4 + 4
    for path, page in pages.items():
        for link in page.links:
            if not link.startswith("data:") and path.parent.name != "matches":  # whose scripts are in it
                to = (path.parent / link.partition("#")[0]).resolve()
                assert to in pages or (to.name.endswith(".replay.zst") and to.is_file()), (path, link)
    index = pages[folder / "out" / "index.html"]
    assert {f"bots/{number}.html" for number in range(4)} <= set(index.links)
    assert "../matches/2.html" in pages[folder / "out" / "bots" / "1.html"].links


def test_replays_lie_beside_their_pages(made: Type, folder: Path) -> None:
    """The replay of each match is there, as it is in the store."""
    for number in range(4):
        replay = replays.decode((folder / "out" / "matches" / f"{number}.replay.zst").read_bytes())
        whole = json.loads(made("contest", "replay", "contest.db", str(number), "--json").out)
        assert [seat.name for seat in replay.header.seats] == [seat["name"] for seat in whole["seats"]]


def test_replays_are_linked(made: Type, folder: Path) -> None:
    """From the match's page and from the list of each bot that played in it, as a file to keep."""
    for number in range(4):
        page = (folder / "out" / "matches" / f"{number}.html").read_text(encoding="utf-8")
        assert f'<a href="{number}.replay.zst" download="{number}.replay.zst">The replay</a>' in page
        own = Links((folder / "out" / "bots" / f"{number}.html").read_text(encoding="utf-8")).links
        assert {f"../matches/{match}.replay.zst" for match in range(4)} <= set(own)


def test_a_bots_page_says_why_it_failed(made: Type, folder: Path) -> None:
    """For each kind of fault what one match recorded, with a link to that turn; the match has the words too."""
    page = (folder / "out" / "bots" / "3.html").read_text(encoding="utf-8")
    why = re.search(r'<li>exited, status 3: I give up <a href="\.\./matches/3\.html#t=(\d+)&amp;seat=(\d)">', page)
    assert why is not None
    replay = replays.decode((folder / "out" / "matches" / "3.replay.zst").read_bytes())
    (fault,) = [(turn.turn, move.seat) for turn in replay.turns for move in turn.moves
                if any(fault.kind == "exited" for fault in move.faults)][:1]  # fmt: skip
    assert (int(why[1]), int(why[2])) == fault
    assert "Why it failed" not in (folder / "out" / "bots" / "0.html").read_text(encoding="utf-8")
    said = [move.get("said") for turn in content(games.find("drop-block"), replay, ENGLISH)["turns"] for move in turn]
    assert "I give up" in said
    seat = next(at for at, each in enumerate(replay.header.seats) if each.name == "a")
    own = content(games.find("drop-block"), replay, ENGLISH, seat=seat)
    assert not any("said" in move for turn in own["turns"] for move in turn)


def test_names_of_strangers_are_text(typed: Type, folder: Path) -> None:
    """A name that is markup is text on every page, and no file is called by it."""
    hold(folder / "s.db", rounds=1)
    assert typed("contest", "site", "s.db", "--out", "out").status == 0
    pages = list((folder / "out").rglob("*.html"))
    assert all("img" not in Links(path.read_text(encoding="utf-8")).elements for path in pages)
    bot = (folder / "out" / "bots" / "0.html").read_text(encoding="utf-8")
    assert "Won - drawn - lost" in bot  # of two bots: the words of the report
    assert "Ahead - level" not in bot
    assert any("&lt;img" in path.read_text(encoding="utf-8") for path in pages)
    assert {path.name for path in (folder / "out" / "bots").iterdir()} == {f"{number}.html" for number in range(8)}
    assert HOSTILE not in " ".join(path.name for path in pages)


def test_nothing_is_written_outside(made: Type, folder: Path) -> None:
    """A folder with other files is refused, a link in a site is replaced or refused and never followed."""
    (folder / "mine").mkdir()
    (folder / "mine" / "index.html").write_text("mine")
    done = made("contest", "site", "contest.db", "--out", "mine")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("'mine' has files in it that are not a site's")
    assert [path.name for path in (folder / "mine").iterdir()] == ["index.html"]
    (folder / "out" / "index.html").unlink()
    (folder / "out" / "index.html").symlink_to(folder / "mine" / "index.html")
    (folder / "out" / "bots" / "99.html").write_text("old")
    assert made("contest", "site", "contest.db", "--out", "out").status == 0
    assert (folder / "mine" / "index.html").read_text() == "mine"
    assert not (folder / "out" / "index.html").is_symlink()
    assert not (folder / "out" / "bots" / "99.html").exists()
    for path in (folder / "out" / "bots").iterdir():
        path.unlink()
    (folder / "out" / "bots").rmdir()
    (folder / "out" / "bots").symlink_to(folder / "mine")
    done = made("contest", "site", "contest.db", "--out", "out")
    assert (done.status, done.out) == (2, "")
    assert [path.name for path in (folder / "mine").iterdir()] == ["index.html"]
