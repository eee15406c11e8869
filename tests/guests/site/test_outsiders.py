"""A ladder of a class: over every address of the site, whoever is not of that class learns nothing of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple
from urllib.parse import unquote

import httpx
import pytest
from litestar.handlers import HTTPRouteHandler

from dohyo.guests.site.api import hand_ins, ladders, matches, routes
from dohyo.guests.site.application import PAGES
from tests.guests.site.conftest import OPEN, RunningSite, Visitor
from tests.guests.site.test_api import token_of
from tests.guests.site.test_classes import MOODLE, class_ladder, links, new_class
from tests.guests.site.test_own_matches import SOURCE

TITLE, HERS, HIS = "Quokka title", "Quokka of hers", "Quokka of his"
FIELD = re.compile(r"\{(\w+):\w+\}")
REFUSED = (400, 401, 403, 404)  # 403: a form of an organiser's


class Hidden(NamedTuple):
    """What is hidden: the ladder, numbers that something of it has, and who has left the class since."""

    slug: str
    numbers: tuple[str, ...]
    leaver: Visitor


def addresses(method: str) -> list[str]:
    """Every address of the site that takes this method, with its fields."""
    handlers = [handler for each in PAGES for handler in each.HANDLERS if isinstance(handler, HTTPRouteHandler)]
    found = {path for handler in handlers if method in handler.http_methods for path in handler.paths}
    calls = [handler for each in (ladders, matches, hand_ins) for handler in each.HANDLERS]
    found |= {routes.PLACE + path for handler in calls if method in handler.http_methods for path in handler.paths}
    return sorted(found)


def filled(path: str, hidden: Hidden) -> Iterator[str]:
    """The address with what leads to something of the ladder in each field; a field that nobody knows is an error."""
    known = {
        "slug": (hidden.slug,),
        "number": hidden.numbers,
        "match": ("0",),
        "name": (HERS, HIS),
        "other": (HIS,),
        "what": ("replay", "input", "turns"),
        "game": ("othello",),
        "secret": ("nothing",),
        "bot": hidden.numbers,
        "student": ("1",),
        "digest": ("0" * 64,),
    }
    fields = FIELD.findall(path)
    for values in product(*(known[field] for field in fields)):
        place = path
        for field, value in zip(fields, values, strict=True):
            place = re.sub(rf"\{{{field}:\w+\}}", value, place, count=1)
        yield place


def said(answer: httpx.Response, path: str) -> tuple[int, str]:
    """What is answered: the status and all of it, also of a redirection, but for the address that was asked for."""
    text = unquote(answer.text + str(answer.headers))
    return answer.status_code, text.replace(path, "")


@pytest.fixture(scope="module")
def hidden(site: RunningSite, organiser: Visitor) -> Iterator[Hidden]:
    """Such a ladder with two bots, and a requested match between them of somebody who has left the class since."""
    place = new_class(organiser, MOODLE.encode())
    slug, secrets = class_ladder(organiser, place, TITLE), links(organiser, place)
    she, he = (Visitor(site.url) for _ in range(2))
    for who, name in ((she, "Ada Lovelace"), (he, "山田 太郎")):
        fields = {"name": f"of {name.split()[0]} here", "password": "correct horse", "has_account": "no"}
        assert who.post(secrets[name], fields).status_code == 303
    ins = [who.hand_in(slug, bot, "a.py", SOURCE + f"# {bot}\n".encode()) for who, bot in ((she, HERS), (he, HIS))]
    for who, at in zip((she, he), ins, strict=True):
        who.await_text(at, "plays</span>")
    he.await_text(f"/ladders/{slug}/bots/{HIS}", "/matches/")
    (bot,) = set(re.findall(r'id="bot-(\d+)"', he.get("/my/bots").text))
    asked = {"seat0": HIS, "seat1": HERS, "count": "1"}
    assert he.post(f"/my/matches/request/{bot}", asked).status_code == 303
    (request,) = set(re.findall(r"/my/matches/(\d+)/remove", he.get("/my/matches").text))
    assert HERS in he.await_text("/my/matches", f'"/my/matches/{request}/0"')
    assert he.get(f"/my/matches/{request}/0/files/replay").status_code == 200
    button = r'/students/(\d+)/remove"(?:(?!</form>).)*<button[^>]*山田'
    (student,) = re.findall(button, organiser.get(place).text, re.DOTALL)
    assert organiser.post(f"{place}/students/{student}/remove", {"sure": "yes"}).status_code == 303
    assert he.get(f"/ladders/{slug}").status_code == 404, "he is not of the class any more"
    for who in (she, he):
        OPEN.remove(who)
    numbers = {"0", request, bot, place.rpartition("/")[2], *(at.rpartition("/")[2] for at in ins)}
    yield Hidden(slug, tuple(sorted(numbers)), he)
    for who in (she, he):
        who.http.close()


def test_no_address_tells_an_outsider_of_a_ladder_of_a_class(site: RunningSite, hidden: Hidden) -> None:
    """Neither a visitor nor an author sees anything of it: pages, events, replays, files, feeds, search."""
    stranger = Visitor(site.url).sign_up("Outside Olga")
    for who in (Visitor(site.url), stranger):
        for form in addresses("GET"):
            for path in filled(form, hidden):
                sought = {"q": "Quokka"} if form == "/search" else {}
                status, text = said(who.get(path, **sought), path)
                for secret in (TITLE, HERS, HIS):
                    assert secret not in text, path
                if "{slug" in form or form.startswith("/my/matches/{"):
                    assert status in (401, 404), path


def test_who_has_left_a_class_reads_nothing_more_of_it(hidden: Hidden) -> None:
    """His requested matches, with replays, inputs and analyses, are hidden with the rest: others play in them."""
    for form in addresses("GET"):
        for path in filled(form, hidden):
            sought = {"q": "Quokka"} if form == "/search" else {}
            status, text = said(hidden.leaver.get(path, **sought), path)
            assert HERS not in text, path
            if "{slug" in form or form.startswith("/my/matches/{"):
                assert status in (401, 404), path


def test_a_token_of_an_outsider_reads_nothing_either(site: RunningSite, hidden: Hidden) -> None:
    """The calls for programs answer as the pages do."""
    stranger = Visitor(site.url).sign_up("Outside Otto")
    for who, secrets in ((stranger, (TITLE, HERS, HIS)), (hidden.leaver, (HERS,))):
        headers = {"Authorization": f"Bearer {token_of(who, 'read', 'hand-in')}"}
        for form in addresses("GET"):
            for path in filled(form, hidden) if form.startswith(routes.PLACE) else ():
                status, text = said(who.http.get(path, headers=headers), path)
                assert not [secret for secret in secrets if secret in text], path
                assert "{slug" not in form or status == 404, path


def test_no_form_about_a_ladder_of_a_class_is_taken_from_an_outsider(site: RunningSite, hidden: Hidden) -> None:
    """Nothing is asked for, changed or withdrawn there by somebody who is not of the class."""
    stranger = Visitor(site.url).sign_up("Outside Osip")
    for form in addresses("POST"):
        if "{slug" in form or form.startswith("/my/matches/{"):
            for path in filled(form, hidden):
                for who in (Visitor(site.url), stranger, hidden.leaver):
                    status, text = said(who.post(path, {"do": "start"}), path)
                    assert status in REFUSED, path
                    assert HERS not in text, path
