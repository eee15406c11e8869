"""What pages weigh, and how often a browser fetches what stays the same."""

from __future__ import annotations

import gzip
import re
from types import SimpleNamespace

import pytest

from dohyo.guests.site.application import _environment, compile_templates
from dohyo.guests.site.edge.outside import Outside
from tests.guests.site.conftest import Visitor, new_ladder

MOST = 100_000  # bytes of the first page with all that it loads


def _weight(visitor: Visitor, path: str, seen: set[str]) -> int:
    """Bytes as they travel, of a page and everything that it loads by itself."""
    if path in seen:
        return 0
    seen.add(path)
    with visitor.http.stream("GET", path) as answer:
        assert answer.status_code == 200, path
        travelled = b"".join(answer.iter_raw())
    text = gzip.decompress(travelled) if answer.headers.get("content-encoding") == "gzip" else travelled
    loads = re.findall(r'<(?:link|script|img|iframe)\b[^>]*?(?:href|src)="(/[^"]*)"', text.decode("utf-8", "replace"))
    return len(travelled) + sum(_weight(visitor, each, seen) for each in loads if "feed" not in each)


def test_the_first_page_is_light(organiser: Visitor, visitor: Visitor) -> None:
    """With all that it loads by itself it is less than 100 kB, also where ladders are on it."""
    for number in range(3):
        new_ladder(organiser, "chess", f"Light {number}")
    seen: set[str] = set()
    assert _weight(visitor, "/", seen) < MOST
    assert any(path.endswith("/site.css") for path in seen)


def test_no_view_waits_for_a_template(monkeypatch: pytest.MonkeyPatch) -> None:
    """Templates that were compiled ahead are not compiled again when a page is looked at."""
    environment = _environment(Outside("http://localhost"), None)
    compile_templates(SimpleNamespace(template_engine=SimpleNamespace(engine=environment)))  # type: ignore[arg-type]
    monkeypatch.setattr(environment, "compile", lambda *_: pytest.fail("it is compiled at its first view"))
    assert [environment.get_template(name).name for name in ("front.html", "macros.html")]


def test_static_files_are_kept_under_an_address_of_their_own(visitor: Visitor) -> None:
    """A page names static files by an address that changes with them, and a browser may keep these for ever."""
    (address,) = re.findall(r'<link rel="stylesheet" href="(/static/[0-9a-f]{16}/site.css)"', visitor.get("/").text)
    assert "immutable" in visitor.get(address).headers["cache-control"]
    short = visitor.get("/static/site.css")
    assert short.headers["cache-control"] == "no-store"
    assert short.content == visitor.get(address).content
    other = address.replace("/static/", "/static/0")
    assert visitor.get(other).status_code == 404


def test_pages_are_compressed_and_not_always_of_one_length(visitor: Visitor) -> None:
    """Who reads along cannot tell from lengths what is in a page; who cannot read it gets it as it is."""
    lengths = {int(visitor.get("/sign-up").headers["content-length"]) for _ in range(20)}
    assert len(lengths) > 1
    plain = visitor.http.get("/sign-up", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert int(plain.headers["content-length"]) > max(lengths)


def test_answers_say_how_long_the_server_took(visitor: Visitor) -> None:
    """Whoever looks for what is slow finds it in the browser's own tools: for pages, files and what is not there."""
    for path in ("/", "/static/site.css", "/nothing"):
        assert re.fullmatch(r"app;dur=\d+", visitor.get(path).headers["server-timing"]), path
