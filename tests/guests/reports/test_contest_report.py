"""`dohyo contest report`: a page from a store, and nothing lost by a slip of the hand."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Type
from tests.series.made_contests import hold

FEW = ("hunter", "mine", "other", "random")


def test_a_page_is_written(typed: Type, folder: Path) -> None:
    """The page of a store's contest is written, in the person's language; where it is, is told."""
    hold(folder / "s.db", game="drop-block", names=FEW, rounds=1)
    done = typed("contest", "report", "s.db", "--html", "r.html")
    assert done == (0, "To look at in a browser: r.html\n", "")
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "Who beat whom" in page
    done = typed("contest", "report", "s.db", "--html", "r.html", "--lang", "ja", "--name", "spring")
    assert done == (0, "ブラウザーで見る：r.html\n", "")
    assert "対戦成績" in (folder / "r.html").read_text(encoding="utf-8")


def test_a_page_has_the_title_that_is_given(typed: Type, folder: Path) -> None:
    """A class has its own name above its page, and above those of a site; the contest is still chosen by name."""
    hold(folder / "s.db", game="drop-block", names=FEW, rounds=1)
    assert typed("contest", "report", "s.db", "--html", "r.html", "--title", "Class <3B>, spring").status == 0
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert "<title>Class &lt;3B&gt;, spring</title>" in page
    assert page.count("Class &lt;3B&gt;, spring") == 2
    assert typed("contest", "site", "s.db", "--out", "web", "--title", "Class 3B").status == 0
    assert "<title>Class 3B</title>" in (folder / "web" / "index.html").read_text(encoding="utf-8")
    assert "Class 3B" in next((folder / "web" / "bots").iterdir()).read_text(encoding="utf-8")


def test_a_page_never_takes_a_stores_place(typed: Type, folder: Path) -> None:
    """A page that would be written over a store, or nowhere, is refused in one sentence, and the store stays."""
    hold(folder / "s.db", game="drop-block", names=FEW, rounds=1)
    before = (folder / "s.db").read_bytes()
    for words, said in (
        (("s.db", "--html", "s.db"), "'s.db' is a store, and nothing in it is to be lost"),
        (("s.db", "--html", "/no/r.html"), "'/no/r.html' cannot be written"),
        (("s.db", "--html", "r.html", "--name", "autumn"), "There is no contest 'autumn' in the store"),
        (("other.db", "--html", "r.html"), "There is no store 'other.db'"),
        (("s.db",), "'dohyo contest report' needs --html FILE"),
    ):
        done = typed("contest", "report", *words)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(said)
    assert (folder / "s.db").read_bytes() == before
    assert not (folder / "r.html").exists()
