"""Organisers and everybody with an account: roles, closed accounts, invitations from the page."""

from __future__ import annotations

import csv
import io
import itertools
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.guests.site.people import accounts, directory
from dohyo.guests.site.tables import open_site
from tests.guests.site.conftest import RunningSite, Visitor

NUMBERS: Iterator[int] = itertools.count(1)


def member(site: RunningSite, **more: str) -> tuple[Visitor, str]:
    """Somebody new with an account, and the name."""
    name = f"member {next(NUMBERS)}"
    return Visitor(site.url).sign_up(name, **more), name


def number_of(organiser: Visitor, name: str) -> str:
    """The number of somebody's account, as the page says it."""
    text = organiser.http.get("/people", params={"search": name}).text
    found = re.search(rf'action="/people/(\d+)/\w+">(?:(?!</tr>).)*?{re.escape(name)}"', text, re.DOTALL)
    assert found is not None, text
    return found[1]


def test_a_closed_account_is_nobodys_until_it_is_opened(site: RunningSite, organiser: Visitor) -> None:
    """Closing an account ends its sessions and lets nobody sign in; opened again, its password is good as before."""
    who, name = member(site)
    number = number_of(organiser, name)
    assert organiser.post(f"/people/{number}/close").status_code == 303
    assert "Sign out" not in who.get("/").text
    fields = {"name": name, "password": "correct horse", "next": "/"}
    refused = who.post("/sign-in", fields)
    assert refused.status_code == 422
    assert "closed" in refused.text
    wrong = who.post("/sign-in", {**fields, "password": "wrong horse"})
    assert "This account is closed" not in wrong.text
    assert organiser.post(f"/people/{number}/open").status_code == 303
    assert who.post("/sign-in", fields).status_code == 303


def test_a_link_from_the_page_makes_an_organiser_once(site: RunningSite, organiser: Visitor) -> None:
    """An organiser invites another one from the page, who can be made an author again, at once."""
    answer = organiser.post("/people/invite")
    found = re.search(r"/organise/([\w-]+)", answer.text)
    assert found is not None
    assert found[1] not in organiser.get("/people").text
    other, name = member(site, invitation=found[1])
    assert other.get("/people").status_code == 200
    assert Visitor(site.url).get(f"/organise/{found[1]}").status_code == 410
    assert organiser.post(f"/people/{number_of(organiser, name)}/author").status_code == 303
    assert other.get("/people").status_code == 404


def test_people_are_found_by_a_part_of_the_name(site: RunningSite, organiser: Visitor) -> None:
    """The search takes a part in any letters, and its signs mean nothing else."""
    _, name = member(site)
    text = organiser.http.get("/people", params={"search": name.upper()}).text
    assert name in text
    assert '<th scope="row">Ms Sato' not in text
    assert name not in organiser.http.get("/people", params={"search": "%"}).text
    assert organiser.http.get("/people", params={"page": "999"}).status_code == 200
    assert organiser.http.get("/people", params={"page": "0"}).status_code == 400


def test_authors_and_visitors_cannot_reach_people(site: RunningSite, organiser: Visitor) -> None:
    """For an author the pages about people are not there, and nothing is changed by sending their forms."""
    who, name = member(site)
    number = number_of(organiser, name)
    for path in (f"/people/{number}/organiser", f"/people/{number}/close", "/people/invite"):
        assert who.post(path).status_code == 404
        assert Visitor(site.url).post(path).status_code == 401
    assert who.get("/people").status_code == 404
    assert "organiser</td>" not in organiser.http.get("/people", params={"search": name}).text
    assert organiser.post("/people/999999/close").status_code == 404
    assert organiser.post(f"/people/{number}/rename").status_code == 404


def test_somebody_can_always_organise(tmp_path: Path) -> None:
    """The last organiser who can sign in is not closed, and not made an author while there is no second one."""
    database = open_site(os.fspath(tmp_path / "site.db"))
    try:
        first = accounts.sign_up(database, "First", "long enough", "here", accounts.invite(database))
        other = accounts.sign_up(database, "Other", "long enough", "here", accounts.invite(database))
        directory.change(database, first, other.id, "close")
        for what in ("author", "close"):
            with pytest.raises(OperatorError) as refused:
                directory.change(database, first, first.id, what)  # type: ignore[arg-type]
            assert refused.value.key == "serve-last-organiser"
        directory.change(database, first, other.id, "open")
        assert directory.change(database, first, first.id, "author") == "First"
        assert directory.change(database, first, 1000, "author") is None
    finally:
        database.close()


def test_the_log_says_who_did_what_and_stays(site: RunningSite, organiser: Visitor) -> None:
    """Each change by an organiser stands in the log and in its file; others cannot read it, and nobody changes it."""
    _, name = member(site)
    organiser.post(f"/people/{number_of(organiser, name)}/close")
    page = organiser.get("/log").text
    assert f"closed the account of {name}" in page
    assert "serve.audit." not in page, "each deed has a sentence"
    kept = organiser.get("/log/csv")
    assert kept.headers["content-disposition"].startswith("attachment")
    rows = list(csv.reader(io.StringIO(kept.content.decode("utf-8-sig"))))
    assert rows[1][1:3] == ["Ms Sato", f"closed the account of {name}"]
    other, _ = member(site)
    for path in ("/log", "/log/csv"):
        assert other.get(path).status_code == 404
        assert Visitor(site.url).get(path).status_code == 401
        assert organiser.post(path).status_code == 405
    assert organiser.http.get("/log", params={"before": "1"}).status_code == 200
