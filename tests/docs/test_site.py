"""The site is whole: every page in each language, no dead link, nothing from elsewhere, one small file."""

from __future__ import annotations

import posixpath
import re
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest
from docs.website import __main__ as command
from docs.website.build import NOTE, navigation, pack
from docs.website.links import FORM
from docs.website.pages import GROUPS, ROOT

from tests.docs.conftest import Site

pytestmark = pytest.mark.process

MOMENT = re.compile(r"t=\d+$")  # of the match on the first page: no heading, but what it begins with
LARGEST = 15_000_000  # bytes of the packed site


def test_every_page_is_there_in_each_language(site: Site) -> None:
    """Each page stands where it should; one without a translation says so on the Japanese site, and only there."""
    for page in site.pages:
        for language, place in (("en", f"{page.target}.html"), ("ja", f"ja/{page.target}.html")):
            assert place in site.html, place
            untranslated = language not in page.texts
            assert (NOTE["ja"] in site.html[place].text) == untranslated, place


def test_no_link_is_dead(site: Site) -> None:
    """Every link, picture, script and style of every page is a file of the site, and every anchor is in its page."""
    dead = []
    for place, html in site.html.items():
        for tag, _, value in html.leads:
            if re.match(r"[a-z]+:", value):
                continue
            path, _, anchor = value.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(place), unquote(path))) if path else place
            if target in site.html:
                if anchor and not MOMENT.match(anchor) and unquote(anchor) not in site.html[target].identifiers:
                    dead.append(f"{place}: {value}: no such heading")
            elif not (site.folder / target).is_file() or target.startswith(".."):
                dead.append(f"{place}: <{tag}> {value}")
    assert not dead, "\n".join(sorted(set(dead))[:40])


def test_nothing_comes_from_elsewhere(site: Site) -> None:
    """No page fetches a script, style, font or picture from another host; only links that one clicks lead out."""
    for place, html in site.html.items():
        for tag, attribute, value in html.leads:
            if re.match(r"(https?:)?//", value):
                assert tag == "a", f"{place}: <{tag} {attribute}={value!r}>"
                assert FORM.match(value), f"{place}: {value}"
    for path in site.folder.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//|@import", path.read_text(encoding="utf-8")), path


def test_the_switch_leads_to_the_same_page(site: Site) -> None:
    """Each page leads to itself in the other language."""
    for page in site.pages:
        for own, other in ((f"{page.target}.html", f"ja/{page.target}.html"), (f"ja/{page.target}.html", "")):
            wanted = other or f"{page.target}.html"
            base = posixpath.dirname(own)
            led = {posixpath.normpath(posixpath.join(base, each.value)) for each in site.html[own].leads}
            assert wanted in led, own


def test_the_navigation_has_every_page(site: Site) -> None:
    """Each page is in exactly one group, in both languages, under a title; and the groups are not empty."""
    for language in ("en", "ja"):
        groups = navigation(site.pages, language)
        assert len(groups) == len(GROUPS)
        found: list[str] = []
        for group in groups:
            ((_, entries),) = group.items()
            assert entries
            for entry in entries:
                ((title, place),) = entry.items()
                inner = place if isinstance(place, list) else [entry]
                assert title
                found += [path for each in inner for path in each.values()]
        assert sorted(found) == sorted(f"{page.target}.md" for page in site.pages)


def test_the_packed_site_is_small(site: Site, tmp_path: Path) -> None:
    """One file with everything in one folder, below 15 MB."""
    packed = tmp_path / "docs.zip"
    assert pack(site.folder, packed) < LARGEST
    with zipfile.ZipFile(packed) as archive:
        names = archive.namelist()
    assert {"docs/index.html", "docs/ja/index.html", "docs/search.js", "docs/dohyo/iframe-worker.js"} <= set(names)
    assert all(name.startswith("docs/") for name in names)


def test_the_same_site_is_packed_into_the_same_bytes(tmp_path: Path) -> None:
    """Neither the time nor the rights of the files are in the packed site."""
    packed = []
    for number in (1, 2):
        home = tmp_path / str(number)
        (home / "site").mkdir(parents=True)
        (home / "site" / "a.html").write_text("a")
        (home / "site" / "b.html").write_text("b")
        (home / "site" / "a.html").chmod(0o600 if number == 1 else 0o644)
        pack(home / "site", home / "docs.zip")
        packed.append((home / "docs.zip").read_bytes())
    assert packed[0] == packed[1]


def test_a_folder_of_other_things_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody's folder stays: one sentence, exit status 2."""
    (tmp_path / "mine.txt").write_text("mine")
    assert command.main(["--out", str(tmp_path)]) == 2
    assert (tmp_path / "mine.txt").exists()
    assert "name another folder" in capsys.readouterr().err


def test_the_site_is_not_committed() -> None:
    """What is built lies in a folder that git ignores."""
    assert command.BUILD == ROOT / "build"
    assert "build/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
