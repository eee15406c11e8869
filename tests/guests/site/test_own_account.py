"""One's own account: password, browsers, data, its end; a link for who has forgotten the password."""

from __future__ import annotations

import asyncio
import gc
import io
import itertools
import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

import pytest
from litestar import Response
from litestar.testing import RequestFactory

from dohyo.core.errors import OperatorError
from dohyo.guests.site.application import _secret
from dohyo.guests.site.arena.own_bots import forget_code, left_behind
from dohyo.guests.site.edge.asking import PIECE, in_pieces, streamed
from dohyo.guests.site.pages.own_account import Sent
from dohyo.guests.site.people import accounts, browsers, own_account
from dohyo.guests.site.tables import open_site
from dohyo.series.store import open_store
from tests.guests.site.conftest import GOOD, PATIENCE, SHORT, RunningSite, Visitor, new_ladder
from tests.guests.site.contests import do, enter, new_contest

NUMBERS: Iterator[int] = itertools.count(1)
SHOWN = "plays</span>"
PASSWORD = "correct horse"


def author(site: RunningSite) -> tuple[str, Visitor]:
    """Somebody new with an account, and the name."""
    name = f"owner {next(NUMBERS)}"
    return name, Visitor(site.url).sign_up(name)


def signed_in(site: RunningSite, name: str, password: str = PASSWORD) -> Visitor:
    """Another browser of somebody."""
    other = Visitor(site.url)
    answer = other.post("/sign-in", {"name": name, "password": password, "next": "/"})
    assert answer.status_code == 303, answer.text
    return other


def test_a_new_password_signs_all_other_browsers_out(site: RunningSite) -> None:
    """Whoever changes the password needs the old one; other browsers are signed out, and the new one is good."""
    name, ann = author(site)
    other = signed_in(site, name)
    wrong = ann.post("/account/password", {"old": "not mine", "new": "battery staple"})
    assert wrong.status_code == 422
    assert "not your password" in wrong.text
    assert ann.post("/account/password", {"old": PASSWORD, "new": "short"}).status_code == 422
    assert ann.post("/account/password", {"old": PASSWORD, "new": "battery staple"}).status_code == 303
    assert "Sign out" in ann.get("/").text
    assert "Sign out" not in other.get("/").text
    assert Visitor(site.url).post("/sign-in", {"name": name, "password": PASSWORD}).status_code == 422
    signed_in(site, name, "battery staple")


def test_ones_own_password_cannot_be_tried_for_ever(site: RunningSite) -> None:
    """A browser that somebody left open gives nobody the password by trying."""
    _, bea = author(site)
    for _ in range(10):
        bea.post("/account/password", {"old": "a guess", "new": "battery staple"})
    assert bea.post("/account/password", {"old": PASSWORD, "new": "battery staple"}).status_code == 429


def test_browsers_are_listed_and_signed_out_one_by_one(site: RunningSite) -> None:
    """Each browser that is signed in is on the page; one's own can be signed out there, nobody else's."""
    name, cleo = author(site)
    other, third = signed_in(site, name), signed_in(site, name)
    _, stranger = author(site)
    names = re.findall(r'name="name" value="([0-9a-f]{64})"', cleo.get("/account").text)
    assert len(names) == 2
    stranger.post("/account/sessions", {"name": names[0]})
    assert "Sign out" in other.get("/").text
    assert "Sign out" in third.get("/").text
    cleo.post("/account/sessions", {"name": names[0]})
    assert ["Sign out" in each.get("/").text for each in (other, third)].count(False) == 1
    cleo.post("/account/sessions")
    assert not any("Sign out" in each.get("/").text for each in (other, third))
    assert "Sign out" in cleo.get("/").text


def test_a_browser_that_has_signed_in_before_has_tries_of_its_own(site: RunningSite) -> None:
    """A classmate behind the same address uses up the tries of a name: its own browser still signs in."""
    name, own = author(site)
    own.post("/sign-out")
    classmate, right = Visitor(site.url), {"name": name, "password": "correct horse"}
    for _ in range(10):
        assert classmate.post("/sign-in", {"name": name, "password": "wrong horse"}).status_code == 422
    assert classmate.post("/sign-in", right).status_code == 429
    forged = Visitor(site.url)
    forged.http.cookies.set("dohyo_browser", own.http.cookies["dohyo_browser"][:-1] + "x")
    assert forged.post("/sign-in", right).status_code == 429
    assert own.post("/sign-in", right).status_code == 303


def test_browsers_are_known_no_more_once_the_password_is_another_one(tmp_path: Path) -> None:
    """Whoever knew the old password may have signed in: that browser has no tries of its own at the new one."""
    with closing(open_site(str(tmp_path / "site.db"))) as database:
        ann, bob = (accounts.sign_up(database, name, PASSWORD, "here") for name in ("Ann", "Bob"))
        _secret(database)
        marks = {one.id: browsers.mark_of(database, one.id) for one in (ann, bob)}
        assert browsers.is_marked(database, marks[ann.id], ann.id)
        assert not browsers.is_marked(database, marks[bob.id], ann.id)
        own_account.change_password(database, ann, "battery staple")
        assert not browsers.is_marked(database, marks[ann.id], ann.id)
        assert browsers.is_marked(database, marks[bob.id], bob.id)
        assert browsers.is_marked(database, browsers.mark_of(database, ann.id), ann.id)


def test_an_export_is_made_once_at_a_time_and_ends_where_nobody_reads_it() -> None:
    """A second one is refused while one is on its way; the file closes also where what sends it is dropped."""
    sent = Sent(7)
    sent.file = file = io.BytesIO(b"zip")
    with pytest.raises(OperatorError):
        Sent(7)
    Sent(8).close()
    del sent
    assert file.closed
    again = Sent(7)
    again.file = io.BytesIO(b"zip")
    assert [*again] == [b"zip"]
    Sent(7).close()


def _sent_to_who_hangs_up(answer: Response[Any]) -> None:
    """Send an answer to somebody who takes in its first piece and hangs up; Python looks for no cycles meanwhile."""

    async def send_it() -> None:
        hung_up = asyncio.Event()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                hung_up.set()
                await asyncio.Event().wait()  # nobody reads on

        async def receive() -> Any:
            await hung_up.wait()
            return {"type": "http.disconnect"}

        await answer.to_asgi_response(None, RequestFactory().get())({}, receive, send)  # type: ignore[arg-type,typeddict-item]

    gc.disable()
    try:
        with ThreadPoolExecutor(1) as pool:  # a browser of other tests may have a loop in this thread
            pool.submit(asyncio.run, send_it()).result()
    finally:
        gc.enable()


def test_who_hangs_up_midway_can_ask_for_another_export_at_once() -> None:
    """The export ends, and its file closes, when nobody takes it in any more."""
    sent = Sent(9)
    sent.file = file = io.BytesIO(bytes(3 * PIECE))
    _sent_to_who_hangs_up(in_pieces(sent, sent.close, "own.zip", "application/zip"))
    assert file.closed
    Sent(9).close()


def test_a_file_that_nobody_takes_in_to_its_end_is_closed() -> None:
    """A contest's export is gone from the disk when it is closed."""
    file: IO[bytes] = io.BytesIO(bytes(3 * PIECE))
    _sent_to_who_hangs_up(streamed(file, "contest.tar"))
    assert file.closed


def test_an_export_that_is_thrown_away_while_another_begins_keeps_nobody_waiting() -> None:
    """Python may throw one away at any place of the same thread, also where another one holds the lock."""
    thrown_away = Sent(10)
    with Sent._lock:
        assert Sent._lock.acquire(blocking=False), "whoever holds it can take it again"
        Sent._lock.release()
        del thrown_away
    Sent(10).close()


def test_an_organisers_link_gives_another_password_once(site: RunningSite, organiser: Visitor) -> None:
    """Who has forgotten the password gets a link from an organiser: it is good once, and no author makes one."""
    name, dan = author(site)
    assert dan.post("/account/reset-link", {"name": name}).status_code == 404
    assert organiser.post("/account/reset-link", {"name": "nobody at all"}).status_code == 422
    assert "An organiser makes you a link" in Visitor(site.url).get("/sign-in").text
    row = organiser.get("/people", search=name).text
    assert re.search(rf'action="/account/reset-link".*value="{name}"', row), "a button beside the person"
    links = []
    for _ in range(2):
        found = re.search(r"/reset/([\w-]+)", organiser.post("/account/reset-link", {"name": name}).text)
        assert found is not None
        links.append(found[0])
    fresh = Visitor(site.url)
    assert fresh.get(links[0]).status_code == 410
    assert fresh.post(links[0], {"new": "battery staple"}).status_code == 410
    assert fresh.post(links[1], {"new": "short"}).status_code == 422
    assert fresh.post(links[1], {"new": "battery staple"}).status_code == 303
    assert fresh.post(links[1], {"new": "another one yet"}).status_code == 410
    assert "Sign out" not in dan.get("/").text
    signed_in(site, name, "battery staple")


def test_all_that_is_known_of_somebody_can_be_loaded(site: RunningSite, organiser: Visitor) -> None:
    """The zip has the account, the code as it was handed in, and results; no secret, and nothing of anybody else."""
    slug = new_ladder(organiser, "shoot-em-up", "Exports")
    name, eve = author(site)
    _, fay = author(site)
    place = eve.hand_in(slug, "Own data", "../own.py", GOOD.read_bytes())
    fay.hand_in(slug, "Not hers", "other.py", GOOD.read_bytes() + b"# a secret of Fay\n")
    eve.await_text(place, SHOWN)
    eve.await_text(f"/ladders/{slug}/bots/Own%20data", "/matches/")
    with zipfile.ZipFile(io.BytesIO(eve.post("/account/export").content)) as archive:
        names = archive.namelist()
        texts = {each: archive.read(each) for each in names}
    assert json.loads(texts["account.json"])[0]["name"] == name
    code = next(each for each in names if each.endswith("/own.py"))
    assert texts[code] == GOOD.read_bytes()
    assert b"Own data" in texts["results.csv"]
    whole = b"".join(texts.values())
    assert b"a secret of Fay" not in whole
    assert b"argon2" not in whole
    secret = eve.http.cookies["dohyo_session"]
    assert secret.encode() not in whole
    assert all(".." not in each and not each.startswith("/") for each in names)


def test_a_deleted_account_leaves_results_without_a_name(site: RunningSite, organiser: Visitor) -> None:
    """Name, code and logs go, the bot leaves its ladder, what waits is withdrawn; its matches stay."""
    slug = new_ladder(organiser, "shoot-em-up", "Leaving")
    name, gus = author(site)
    place = gus.hand_in(slug, "Left behind", "a.py", GOOD.read_bytes() + b"# of Gus\n")
    gus.await_text(place, SHOWN)
    page = gus.await_text(f"/ladders/{slug}/bots/Left%20behind", "/matches/")
    match = page.partition(f'href="/ladders/{slug}/matches/')[2].partition('"')[0]
    assert gus.post("/account/delete", {"password": "a guess"}).status_code == 422
    assert "Sign out" in gus.get("/").text
    assert gus.post("/account/delete", {"password": PASSWORD}).status_code == 303
    assert "Sign out" not in gus.get("/").text
    assert Visitor(site.url).post("/sign-in", {"name": name, "password": PASSWORD}).status_code == 422
    everybody = Visitor(site.url)
    assert name not in everybody.get(f"/ladders/{slug}").text
    assert everybody.get(f"/ladders/{slug}/matches/{match}").status_code == 200
    assert name not in organiser.get(place).text
    with sqlite3.connect(site.folder / "site.db") as database:
        told = "\n".join(database.iterdump())
    assert name not in told
    assert not [
        path for path in (site.folder / "files").rglob("*") if path.is_file() and b"# of Gus" in path.read_bytes()
    ]
    Visitor(site.url).sign_up(name)  # and the name is free again


def test_the_last_organiser_stays(site: RunningSite, organiser: Visitor) -> None:
    """A site keeps somebody who can organise it; another site's tests made others, who may go."""
    with sqlite3.connect(site.folder / "site.db") as database:
        others = database.execute("select count(*) from people where role = 'organiser'").fetchone()[0] - 1
    if not others:
        answer = organiser.post("/account/delete", {"password": PASSWORD})
        assert answer.status_code == 422
        assert "only organiser" in answer.text


@pytest.mark.parametrize("path", ["/account", "/my/bots"])
def test_pages_of_ones_own_ask_for_an_account(visitor: Visitor, path: str) -> None:
    """A visitor is asked to sign in."""
    assert visitor.get(path).status_code == 401


@pytest.mark.parametrize(
    "path", ["/account/password", "/account/sessions", "/account/export", "/account/delete", "/account/reset-link"]
)
def test_a_forged_form_changes_no_account(site: RunningSite, path: str) -> None:
    """Without the mark that our own pages give it, no form about an account is taken."""
    _, hal = author(site)
    assert hal.http.post(path, data={"password": PASSWORD}).status_code == 403
    assert "Sign out" in hal.get("/").text


def forget(site: RunningSite, bot: str, mark: bytes) -> None:
    """Remove the code of somebody who has gone, as the judge does now and then; what has the mark is gone then."""
    database = open_site(str(site.folder / "site.db"))
    try:
        with open_store(str(site.folder / "arena.db")) as store:
            (left,) = [each for each in left_behind(database) if each.name == bot]
            end = monotonic() + PATIENCE
            while not forget_code(database, store, left) and monotonic() < end:
                sleep(SHORT)
        assert not [each for each in left_behind(database) if each.name == bot]
    finally:
        database.close()
    paths = (site.folder / "arena.db.files").rglob("*")
    assert not [path for path in paths if path.is_file() and mark in path.read_bytes()]


def test_the_code_of_a_deleted_account_leaves_the_store(site: RunningSite, organiser: Visitor) -> None:
    """When no match needs it any more, the store of the matches has no code of somebody who has gone."""
    slug = new_ladder(organiser, "shoot-em-up", "Forgotten")
    _, ida = author(site)
    ida.await_text(ida.hand_in(slug, "Forgotten", "a.py", GOOD.read_bytes() + b"# of Ida alone\n"), SHOWN)
    assert ida.post("/account/delete", {"password": PASSWORD}).status_code == 303
    forget(site, "Forgotten", b"# of Ida alone")


def test_who_took_part_in_a_contest_that_is_over_can_delete_the_account(
    site: RunningSite, organiser: Visitor
) -> None:
    """The standings stay as they are, without the name; the code goes, and matches are played again without it."""
    slug = new_contest(organiser, "Long over", rounds="1")
    (name, joy), (_, kim) = author(site), author(site)
    enter(joy, slug, "Over one")
    enter(kim, slug, "Over two")
    do(organiser, slug, "start")
    page = Visitor(site.url).await_text(f"/ladders/{slug}", 'class="winner"')
    assert name in page
    (number,) = re.findall(r"/my/bots/(\d+)", joy.get("/my/bots").text)[:1]
    assert joy.post(f"/my/bots/{number}/version", {"version": "0"}).status_code == 422, "it has taken part"
    assert joy.post("/account/delete", {"password": PASSWORD}).status_code == 303
    after = Visitor(site.url).get(f"/ladders/{slug}").text
    assert name not in after
    assert "Over one" in after
    forget(site, "Over one", b"# Over one")
    do(organiser, slug, "again-matches", numbers="0", because="a test")
    Visitor(site.url).await_text(f"/ladders/{slug}", 'class="winner"')
    with open_store(str(site.folder / "arena.db")) as store:
        assert store.pending(store.contest(slug).id) == []


def test_a_link_for_a_password_is_in_the_log_and_ends_tokens(site: RunningSite, organiser: Visitor) -> None:
    """An organiser's link for another password is noted; who uses it ends the tokens that were made before."""
    author = Visitor(site.url).sign_up("Forgetful Fumi")
    until = (date.today() + timedelta(days=30)).isoformat()
    made = author.post("/tokens", {"name": "old", "read": "yes", "until": until})
    token = re.search(r"dohyo_[A-Za-z0-9_-]{30,}", made.text)
    assert token is not None, made.text
    mine = {"Authorization": f"Bearer {token[0]}"}
    assert Visitor(site.url).http.get("/api/v1/me", headers=mine).status_code == 200
    assert author.post("/webhooks", {"url": "https://stranger.example/"}).status_code == 200
    answer = organiser.post("/account/reset-link", {"name": "Forgetful Fumi"})
    link = re.search(r"/reset/[A-Za-z0-9_-]+", answer.text)
    assert link is not None, answer.text
    assert "by which Forgetful Fumi chooses another password" in organiser.get("/log").text
    assert Visitor(site.url).post("/reset/nonsense", {"new": "battery staple"}).status_code == 410
    assert Visitor(site.url).post(link[0], {"new": "battery staple"}).status_code == 303
    assert Visitor(site.url).http.get("/api/v1/me", headers=mine).status_code == 401
    again = Visitor(site.url)
    assert again.post("/sign-in", {"name": "Forgetful Fumi", "password": "battery staple"}).status_code == 303
    assert "stranger.example" not in again.get("/webhooks").text, "nobody else is told any more"


def test_a_zip_that_unpacks_to_very_much_is_refused(site: RunningSite, organiser: Visitor) -> None:
    """What a version needs is kept with its results: one that is large when unpacked is refused with the reason."""
    slug = new_ladder(organiser, "shoot-em-up", "Large ones")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("main.py", GOOD.read_bytes())
        file.writestr("table.bin", bytes(33 << 20))
    author = Visitor(site.url).sign_up("Large Lena")
    where = author.hand_in(slug, "Large", "bot.zip", packed.getvalue())
    assert "larger than 32 MB" in author.await_text(where, "larger than", 'class="good')
