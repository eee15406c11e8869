"""Links of pages, as the site resolves them; what is dead is named, with the page that has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs.website.build import stage
from docs.website.links import Links, Place
from docs.website.pages import Page, group_of, place_of, target_of, written_pages
from docs.website.rendering import rendered, slug_of

HERE = Place("docs/bots.md", "bots", "en")
PAGES = [
    Page("docs/decisions/index", "decisions/index", {"en": "# D\n"}, "background"),
    Page("README", "index", {"en": "# A\n", "ja": "# あ\n"}, "start"),
    Page("docs/bots", "bots", {"en": "# Bots\n## Is it fit\n", "ja": "# ボット\n## 参加できるか\n"}, "authors"),
    Page("src/dohyo/games/drop_block/README", "rules/drop-block", {"en": "# Drop\n"}, "rules"),
]


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("../README.md", "index.html"),
        ("../README.ja.md", "./ja/index.html"),
        ("bots.md#is-it-fit", "bots.html#is-it-fit"),
        ("#is-it-fit", "#is-it-fit"),
        ("../src/dohyo/games/drop_block/README.md", "rules/drop-block.html"),
        ("../src/dohyo/games/drop_block/", "rules/drop-block.html"),
        ("decisions/", "decisions/index.html"),
        ("images/architecture.svg", "files/docs/images/architecture.svg"),
        ("../LICENSE", "files/LICENSE.html"),
        ("https://example.org/a", "https://example.org/a"),
    ],
)
def test_a_link_leads_to_its_place(link: str, leads: str) -> None:
    """Pages, the same page in the other language, folders, pictures, other files of the project, other hosts."""
    links = Links(PAGES)
    assert links.resolve(HERE, link) == leads
    assert links.dead == []


@pytest.mark.parametrize(
    "link", ["gone.md", "../../outside.md", "http://example.org", "https://nowhere", "images/x.png"]
)
def test_a_dead_link_is_named(link: str) -> None:
    """What leads nowhere, out of the project, or to no address of https, is an error that names page and link."""
    links = Links(PAGES)
    links.resolve(HERE, link)
    assert len(links.dead) == 1
    assert "docs/bots.md" in links.dead[0]
    assert link in links.dead[0]


def test_a_dead_anchor_is_named(tmp_path: Path) -> None:
    """A link to a heading that is not there is an error; one to the English heading of a translated page is none."""
    good = Page("docs/a", "a", {"en": "# A\n[fit](bots.md#is-it-fit)\n"}, "authors")
    bad = Page("docs/b", "b", {"en": "# B\n[fit](bots.md#is-it-fat)\n"}, "authors")
    for language in ("en", "ja"):
        assert stage([*PAGES, good], language, tmp_path) == []
        (dead,) = stage([*PAGES, bad], language, tmp_path)
        assert "docs/b.md" in dead
        assert "is-it-fat" in dead


def test_headings_have_the_identifiers_of_github() -> None:
    """Marks and punctuation go, spaces become hyphens, letters of every language stay; a second one is numbered."""
    assert slug_of("Is it fit: `dohyo check`?") == "is-it-fit-dohyo-check"
    assert slug_of("参加できるか: dohyo check") == "参加できるか-dohyo-check"
    assert rendered("# A b\n\n## A b\n", str, "en").identifiers == ["a-b", "a-b-1"]


def test_markdown_is_read_as_github_reads_it() -> None:
    """A list right below its sentence is a list, a bar in a table's code is a bar, a tag is as it stands."""
    text = rendered("So:\n* one\n  * inner\n\n| a |\n| --- |\n| `x\\|y` |\n", str, "en").text
    assert text.count("<ul>") == 2
    assert "<code>x|y</code>" in text


def test_japanese_lines_are_joined() -> None:
    """Where a line ends between Japanese characters there is no space; elsewhere there is one."""
    text = rendered("ブロックを\nゆるめて\n`a` を\n使う and\nmore\n", str, "ja").text
    assert "ブロックをゆるめて" in text
    assert "ゆるめて\n<code>a</code> を使う and\nmore" in text


def test_the_line_that_leads_to_the_translation_goes() -> None:
    """The site has a switch; any other link in the first lines stays."""
    assert "日本語" not in rendered("# A\n\n[日本語](a.ja.md)\n\nText.\n", str, "en").text
    assert "other" in rendered("# A\n\n[other](a.md)\n\nText.\n", str, "en").text


def test_a_new_page_finds_its_group(tmp_path: Path) -> None:
    """A page that no list names has a place all the same: by its folder, by its name, by what it says itself."""
    (tmp_path / "docs" / "how-to").mkdir(parents=True)
    for name, text in (
        ("docs/new.md", "# New\n"),
        ("docs/said.md", "# Said\n\n<!-- group: rules -->\n"),
        ("docs/how-to/run-a-class.md", "# Class\n"),
        ("docs/how-to/run-a-class.ja.md", "# 授業\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    pages = {page.name: page for page in written_pages(tmp_path)}
    assert pages["docs/new"].group == "background"
    assert pages["docs/said"].group == "rules"
    assert pages["docs/how-to/run-a-class"].group == "organisers"
    assert set(pages["docs/how-to/run-a-class"].texts) == {"en", "ja"}
    assert len(pages) == 3


def test_how_to_pages_stand_as_their_list_has_them(tmp_path: Path) -> None:
    """The list of how-to pages says which are for whom, and in which order; one that it lacks has a place as well."""
    home = tmp_path / "docs" / "how-to"
    home.mkdir(parents=True)
    lines = ["# How", "## Begin", "* [c](c.md)", "## I write a bot", "* [b](b.md)", "* [a](a.md)", "## I teach"]
    (home / "index.md").write_text("\n".join([*lines, "* [d](d.md)", ""]), encoding="utf-8")
    for name in "abcde":
        (home / f"{name}.md").write_text(f"# {name}\n", encoding="utf-8")
    found = [(page.name.removeprefix("docs/how-to/"), page.group) for page in written_pages(tmp_path)]
    starts, authors = [("index", "start"), ("c", "start")], [(name, "authors") for name in "bae"]
    assert found == [*starts, *authors, ("d", "organisers")]


def test_pages_stand_in_their_order() -> None:
    """The start comes first, rules before setups, the list of a folder before its pages."""
    assert target_of("README") == "index"
    assert target_of("src/dohyo/games/wondev_woman/README") == "rules/wondev-woman"
    assert group_of("src/dohyo/games/wondev_woman/README") == "rules"
    names = ["docs/reference/commands/play", "README", "docs/reference/commands/index", "docs/tutorial"]
    listed = sorted((Page(name, target_of(name), {}, group_of(name)) for name in names), key=place_of)
    assert [page.target for page in listed] == [
        *("index", "tutorial"),
        *("reference/commands/index", "reference/commands/play"),
    ]
