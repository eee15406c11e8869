"""Builds the site: a folder of pages for each language, the generator's work on them, one packed file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from docs.website import first_match
from docs.website.links import Links, Place, shown_at
from docs.website.pages import GROUPS, LANGUAGES, ROOT, Page, place_of, title_of, written_pages
from docs.website.rendering import headings, rendered

BUILD = ROOT / "build"
THEME = Path(__file__).parent / "theme"
NOTE = {"ja": "このページはまだ日本語になっていません。英語で表示しています。"}
LONGEST_TITLE = 44  # characters of a title in the navigation
PACKED = "dohyo-docs.zip"
STAMP = (1980, 1, 1, 0, 0, 0)  # of each file in the packed site: the same site gives the same bytes


class SiteError(Exception):
    """The site could not be built, for reasons that stand in the pages: one sentence a line."""


def build(site: Path, work: Path, root: Path = ROOT) -> list[Page]:
    """Build the site into the folder `site`, with `work` for what the generator reads; the pages.

    Both folders are made anew. Raises `SiteError` for dead links, and for whatever the generator complains of.
    """
    pages = all_pages(root)
    for folder in (site, work):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    dead = [line for language in LANGUAGES for line in stage(pages, language, work, root)]
    if dead:
        raise SiteError("\n".join(dict.fromkeys(dead)))
    with ThreadPoolExecutor() as side_by_side:
        list(side_by_side.map(lambda language: _generate(work / language), LANGUAGES))
    for language in LANGUAGES:
        shutil.copytree(
            work / language / "site", site / ("" if language == LANGUAGES[0] else language), dirs_exist_ok=True
        )
    return pages


def all_pages(root: Path = ROOT) -> list[Page]:
    """What people wrote, and what is made from the code, in the navigation's order."""
    from docs.website.reference import generated_pages

    return sorted([*written_pages(root), *generated_pages(root)], key=place_of)


# --- what the generator reads


def stage(pages: Sequence[Page], language: str, work: Path, root: Path = ROOT) -> list[str]:
    """Write the pages and the settings of one language's site into `work / language`; its dead links."""
    home = work / language
    folder = home / "pages"
    links = Links(pages, root)
    identifiers = {page.target: _write(folder, page, language, links) for page in pages}
    for name in sorted(links.shown):
        _write_shown(folder, name, root)
    links.check_anchors(identifiers)
    for name in sorted(links.copied):
        target = folder / "files" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, target)
    settings = tomllib.loads((root / "zensical.toml").read_text(encoding="utf-8"))["project"]
    settings |= {"docs_dir": "pages", "site_dir": "site", "nav": navigation(pages, language)}
    settings["theme"] |= {"language": language, "custom_dir": str(THEME)}
    settings["extra"] = {"homepage": "index.html", "generator": False}
    settings["extra"]["alternate"] = True  # the switch between languages: theme/partials/alternate.html
    (home / "zensical.toml").write_text(f"project = {_toml(settings)}\n", encoding="utf-8")
    return links.dead


def _write(folder: Path, page: Page, language: str, links: Links) -> set[str]:
    """Write a page for the generator; the identifiers in it."""
    text, written_in = page.text(language)
    source = f"{page.name}.md" if written_in == LANGUAGES[0] else f"{page.name}.{written_in}.md"
    place = Place(source, page.target, language)
    aliases = None
    if written_in != LANGUAGES[0]:
        aliases = [heading.identifier for heading in headings(page.texts[LANGUAGES[0]])]
    found = rendered(
        text,
        lambda link: links.resolve(place, link),
        written_in,
        aliases,
        lambda link: nav_title(target, written_in) if (target := links.page(place, link)) else "",
    )
    body = found.text
    if written_in != language:
        body = _with_note(body, f'<p class="dohyo-note" lang="{language}">{NOTE[language]}</p>')
    path = folder / f"{page.target}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    if first_match.FILM.search(body):
        path.with_name(f"{first_match.NAME}.html").write_text(first_match.page(language), encoding="utf-8")
        body = first_match.framed(body, language)
    path.write_text(body, encoding="utf-8")
    same = aliases if aliases and len(aliases) == len(found.identifiers) else []
    return {*found.identifiers, *same, *re.findall(r'\bid="([^"]+)"', body)}


def _with_note(body: str, note: str) -> str:
    """The page with a note below its first heading."""
    heading, line_end, rest = body.partition("\n")
    return f"{heading}\n\n{note}\n{rest}" if heading.startswith("# ") else f"{note}\n\n{heading}{line_end}{rest}"


def _write_shown(folder: Path, name: str, root: Path) -> None:
    """Write a page that shows a file of the project: a program that a page leads to."""
    text = (root / name).read_text(encoding="utf-8")
    kind = Path(name).suffix.removeprefix(".")
    fence = "`" * (3 + max((len(run) for run in re.findall(r"`{3,}", text)), default=0))
    page = rendered(f"# `{name}`\n\n{fence}{kind}\n{text}{fence}\n", str, LANGUAGES[0])
    path = folder / f"{shown_at(name)}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nsearch:\n  exclude: true\n---\n{page.text}", encoding="utf-8")


def navigation(pages: Sequence[Page], language: str) -> list[dict[str, Any]]:
    """The navigation: groups, in them pages, and the decisions in a list of their own."""
    column = LANGUAGES.index(language)
    found: list[dict[str, Any]] = []
    for group, titles in GROUPS.items():
        entries: list[dict[str, Any]] = []
        inner: dict[str, list[dict[str, Any]]] = {}
        for page in pages:
            if page.group != group:
                continue
            entry = {nav_title(page, language): f"{page.target}.md"}
            title = (SECTIONS.get(_section(page)) or ("", ""))[column]
            if not title:
                entries.append(entry)
            elif title in inner:
                inner[title].append(entry)
            else:
                inner[title] = [entry]
                entries.append({title: inner[title]})
        found.append({titles[column]: entries})
    return found


# Lists inside a group, by the folder on the site.
SECTIONS = {
    "decisions": ("Decisions", "決定の記録"),
    "how-to": ("How to", "手順"),
    "examples": ("Examples", "例"),
    "reference/commands": ("Commands", "コマンド"),
    "reference/python": ("Python", "Python"),
    "reference/games": ("Setup and input", "設定と入力"),
}


def _section(page: Page) -> str:
    folder = page.target.rpartition("/")[0]
    return next((name for name in SECTIONS if folder == name or folder.startswith(f"{name}/")), "")


def nav_title(page: Page, language: str) -> str:
    """What the navigation calls a page: what stands behind a colon in its first heading is left out."""
    if page.title:
        return page.title if isinstance(page.title, str) else page.title[LANGUAGES.index(language)]
    title = title_of(page.text(language)[0]) or page.target
    short = re.split(r"[::] ?", title)[0]
    return short if len(title) > LONGEST_TITLE // 2 and len(short) > 3 and "decisions/" not in page.target else title


def _toml(value: Any) -> str:
    """A value as TOML, tables in one line."""
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {_toml(v)}" for key, v in value.items()) + " }"
        )
    if isinstance(value, list):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)


# --- the generator


def _generate(home: Path) -> None:
    """Run the generator, which must find nothing to complain of; its pages are in `home / "site"`."""
    words = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(home / "zensical.toml")]
    done = subprocess.run(words, cwd=home, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SiteError(done.stdout + done.stderr)
    made = home / "site"
    for path in [*made.glob("sitemap.xml*"), made / "search.json", made / "404.html"]:  # for servers only
        path.unlink(missing_ok=True)


# --- one file


def pack(site: Path, packed: Path) -> int:
    """Write the site as a zip whose only folder has the file's name; its size in bytes."""
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(site.rglob("*")):
            if path.is_file():
                name = os.path.join(packed.stem, path.relative_to(site).as_posix())
                entry = zipfile.ZipInfo(name, STAMP)
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return packed.stat().st_size
