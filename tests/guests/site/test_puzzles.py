"""Puzzles on a site: found in public ladders' matches alone, solved by everybody, kept and rated with an account."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect
from sqlalchemy import Connection, delete, insert, update

from dohyo.guests.puzzles.proving import Prover
from dohyo.guests.site import tables
from dohyo.guests.site.arena import ladders, puzzles
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging.puzzling import Puzzling
from dohyo.guests.site.tables import open_site
from dohyo.series.puzzles.puzzle import Puzzle, Source, position_of
from dohyo.series.store.database import Database
from dohyo.system import interpreter
from tests.guests.puzzles.positions import GAME, drawn, puzzle_of
from tests.guests.site.conftest import PATIENCE, RunningSite, Visitor, new_ladder

pytestmark = pytest.mark.xdist_group("site")

WAIT = PATIENCE * 1000  # milliseconds
COUNT = 6


@pytest.fixture(scope="module")
def found() -> list[Puzzle]:
    """Puzzles of a small game."""
    prover, known = Prover(GAME, compiled=False), {}
    for state in drawn(1000, range(7, 11), seed=9):
        one = prover.look(state, time.monotonic() + 600)
        if one is not None:
            made = puzzle_of(state, one.solution, others=one.others, source=Source("here", ("Ada's secret bot",)))
            named = replace(made, id=position_of(made).id)
            known[named.id] = named
        if len(known) == COUNT:
            break
    return list(known.values())


@contextmanager
def opened(site: RunningSite) -> Iterator[Database]:
    """The running site's database."""
    with closing(open_site(SiteFolder(site.folder).site)) as database:
        yield database


@pytest.fixture(scope="module")
def ladder(site: RunningSite, organiser: Visitor, found: list[Puzzle]) -> Ladder:
    """A ladder, from whose matches these puzzles are."""
    slug = new_ladder(organiser, "connectx", "With puzzles")
    with opened(site) as database:
        made = ladders.find(database, slug, None)
        assert made is not None
        assert puzzles.keep(database, made, 1, found) == COUNT
        assert puzzles.keep(database, made, 2, found) == 0  # no doubles
    return made


def ask(visitor: Visitor, what: str, body: dict[str, Any], mark: bool = True) -> tuple[int, Any]:
    """Ask for something as the page does."""
    visitor.get("/sign-in")
    headers = {"X-CSRFToken": visitor.http.cookies.get("dohyo_form") or ""} if mark else {}
    answer = visitor.http.post(f"/puzzles/connectx/{what}", content=json.dumps(body), headers=headers)
    is_json = answer.headers["content-type"].startswith("application/json")
    return answer.status_code, answer.json() if is_json else None


def test_a_visitor_solves_them_and_nothing_is_kept(site: RunningSite, ladder: Ladder, found: list[Puzzle]) -> None:
    """One after the other, in turn; the answer is told, and who played it nowhere."""
    visitor = Visitor(site.url)
    assert "ConnectX" in visitor.get("/puzzles").text
    assert visitor.get("/puzzles/connectx").status_code == 200
    seen, after = [], ""
    for _ in range(COUNT):
        status, told = ask(visitor, "next", {"after": after})
        assert status == 200
        assert "secret" not in json.dumps(told)
        assert "solution" not in told
        after = told["id"]
        seen.append(after)
        right = next(one.solution for one in found if one.id == after)
        status, said = ask(visitor, "answer", {"id": after, "action": right})
        assert (status, said["solved"], said["streak"]) == (200, True, None)
    assert len({*seen}) == COUNT
    with opened(site) as database:
        assert not puzzles.Ratings(database).of("connectx").solvers()


def test_an_accounts_first_answers_are_kept(site: RunningSite, ladder: Ladder, found: list[Puzzle]) -> None:
    """A wrong one, and then the right one of another; the same again changes nothing; all goes with the account."""
    me = Visitor(site.url).sign_up("Puzzle Solver")
    first = ask(me, "next", {})[1]
    wrong = next(one["text"] for one in first["choices"] if one["text"] != _right(found, first))
    status, said = ask(me, "answer", {"id": first["id"], "action": wrong})
    assert (status, said["solved"], said["streak"]) == (200, False, 0)
    assert "It is proven" in said["why"]
    assert ask(me, "answer", {"id": first["id"], "action": _right(found, first)})[1]["streak"] == 0
    second = ask(me, "next", {"after": first["id"]})[1]
    assert second["id"] != first["id"]
    assert second["tried"] == 1
    assert ask(me, "answer", {"id": second["id"], "action": "99"})[1]["counts"] is False
    assert ask(me, "answer", {"id": second["id"], "action": _right(found, second)})[1]["streak"] == 1
    with opened(site) as database:
        (solver,) = puzzles.Ratings(database).of("connectx").solvers()
        assert solver[2].tries == 2


def _right(found: list[Puzzle], told: dict[str, Any]) -> str:
    return next(one.solution for one in found if one.id == told["id"])


def test_puzzles_of_other_rules_are_not_read(site: RunningSite, ladder: Ladder, found: list[Puzzle]) -> None:
    """Once a game's rules are others, its older puzzles are not offered, cost no visitor time, and leave room."""
    with opened(site) as database:
        known = puzzles.names(database, "connectx")
        old, of = replace(found[0], rules=GAME.version + 1), tables.puzzles
        row = {
            "ladder": ladder.id,
            "match": 3,
            "game": "connectx",
            "content": msgspec.json.encode(old).decode(),
            "at": 1.0,
        }

        def add(connection: Connection) -> None:
            connection.execute(insert(of), [{"id": f"{each:016x}", **row} for each in range(puzzles.MAX_PUZZLES)])

        database.write(add)
        try:
            assert puzzles.names(database, "connectx") == known
            assert puzzles.counts(database)["connectx"] == len(known)
            assert puzzles.keep(database, ladder, 4, [replace(found[0], id="f" * 16)]) == 1
        finally:
            gone = delete(of).where(of.c.match.in_((3, 4)), of.c.ladder == ladder.id)
            database.write(lambda connection: connection.execute(gone))
        assert puzzles.names(database, "no-such-game") == []


def test_what_strangers_may_not(site: RunningSite, ladder: Ladder) -> None:
    """Without the form's mark, of a game without any, of a puzzle that there is not, in another form."""
    visitor = Visitor(site.url)
    assert ask(visitor, "next", {}, mark=False)[0] == 403
    assert ask(visitor, "next", {"more": 1})[0] == 400
    assert ask(visitor, "answer", {"id": "0" * 16, "action": "1"})[0] == 404
    assert visitor.get("/puzzles/chess").status_code == 404
    assert visitor.get("/puzzles/no-game").status_code == 404


@pytest.mark.parametrize("hidden", [{"frozen": 1.0}, {"group": 700_000}])
def test_what_is_not_for_everybody_shows_none(
    site: RunningSite, ladder: Ladder, found: list[Puzzle], hidden: dict[str, Any]
) -> None:
    """A ladder that is frozen, or for a class: its puzzles are gone at once, and come back when all may see it."""
    table = tables.ladders
    assert puzzles.is_public(ladder)
    assert not puzzles.is_public(replace(ladder, **hidden))
    with opened(site) as database:
        change = update(table).where(table.c.id == ladder.id)
        if "group" in hidden:
            database.write(
                lambda one: one.execute(
                    insert(tables.groups).values(id=hidden["group"], title="7b", by=1, since=0.0, file="", draft="")
                )
            )
        database.write(lambda connection: connection.execute(change.values(**hidden)))
        try:
            assert puzzles.names(database, "connectx") == []
            assert puzzles.find(database, "connectx", found[0].id) is None
            assert Visitor(site.url).get("/puzzles/connectx").status_code == 404
        finally:
            database.write(lambda connection: connection.execute(change.values(**dict.fromkeys(hidden))))
        assert len(puzzles.names(database, "connectx")) == COUNT


class _Found:
    """A worker that finds these puzzles."""

    def __init__(self, found: list[Puzzle]) -> None:
        import msgspec

        told = msgspec.json.encode({"analysis": found, "note": ""}).decode()
        self.code = f"import sys; sys.stdin.buffer.readline(); print({told!r})"


def test_the_judge_looks_at_the_newest_match_once(
    site: RunningSite, organiser: Visitor, found: list[Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its worker finds is kept without names; a ladder for a class, or a contest, is never looked at."""
    slug = new_ladder(organiser, "connectx", "To be looked at")
    Visitor(site.url).await_text(f"/ladders/{slug}", "/matches/")
    monkeypatch.setattr(interpreter, "module", lambda *_: interpreter.alone(_Found(found[:1]).code))
    with opened(site) as database:
        here = ladders.find(database, slug, None)
        assert here is not None
        puzzling = Puzzling(SiteFolder(site.folder), database)
        assert not puzzling.look([replace(here, group=3)])
        assert puzzles.looked(database, here) == -1
        assert puzzling.look([here])
        assert puzzles.looked(database, here) >= 0


@pytest.mark.parametrize(("size", "touch"), [((1280, 800), False), ((390, 844), True)])
def test_they_are_solved_in_a_browser(
    site: RunningSite, browser: Browser, ladder: Ladder, found: list[Puzzle], size: tuple[int, int], touch: bool
) -> None:
    """By keyboard, and by a cell of the board in its frame."""
    context = browser.new_context(
        base_url=site.url, locale="en", has_touch=touch, viewport={"width": size[0], "height": size[1]}
    )
    page, wrong = context.new_page(), []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto("/puzzles")
    page.get_by_role("link", name="ConnectX").click()
    line = page.get_by_role("textbox", name="Type an action")
    for _ in range(3):
        expect(page.locator(".act-list button").first).to_be_visible(timeout=WAIT)
        told = page.evaluate("dohyo.puzzle")
        line.fill(_right(found, told))
        line.press("Enter")
        expect(page.locator(".puzzle-result.right")).to_be_visible(timeout=WAIT)
        page.get_by_role("button", name="Next puzzle").click()
        expect(page.locator(".puzzle-result.right")).to_be_hidden(timeout=WAIT)
    expect(page.frame_locator("iframe").locator(".pick.open").first).to_be_visible(timeout=WAIT)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert re.fullmatch(r".*/puzzles/connectx", page.url)
    assert wrong == []
    context.close()
