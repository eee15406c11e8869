"""Which pages the site has, where each stands, and in which group of the navigation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "ja")

# The groups, in the navigation's order, with their titles in each language.
GROUPS = {
    "start": ("Start", "はじめに"),
    "authors": ("Bot authors", "ボットを書く"),
    "organisers": ("Teachers, organisers", "授業・大会"),
    "researchers": ("Researchers", "研究する"),
    "rules": ("Games", "ゲーム"),
    "reference": ("Reference", "リファレンス"),
    "background": ("Background", "しくみと背景"),
}

# The pages of each group, in reading order, by their path below the project; a path that ends in / is all pages below
# it. A page that is not named here comes after those that are, in the group that a comment `<!-- group: NAME -->` in
# it says, or its name or folder (`HINTS`).
ORDER = {
    "start": [
        *("README", "docs/tutorial", "docs/faq", "docs/compared", "docs/how-to/index", "docs/uninstall"),
        "docs/contents",
    ],
    "authors": [
        *("docs/bots", "docs/python-bots", "docs/clocks", "docs/debugging", "docs/analysis", "docs/coach"),
        "docs/puzzles",
        *("docs/viewer", "docs/annotations", "docs/compare", "docs/tune", "docs/profile", "docs/search"),
        *("docs/engines", "docs/playing", "docs/connect"),
    ],
    "organisers": [
        *("docs/contests", "docs/watch", "docs/formats", "docs/ratings", "docs/security", "docs/store"),
        *("docs/verify", "docs/scaling", "docs/coming-from"),
    ],
    "researchers": [
        *("docs/games", "docs/simulation", "docs/gpu", "docs/learning", "docs/baselines", "docs/solving"),
        *("docs/notebooks", "docs/performance"),
    ],
    "rules": [
        "src/dohyo/games/",
        "src/dohyo/classics/",
        "docs/reference/games/",
        "docs/classics",
    ],
    "reference": [
        *("docs/reference/commands/", "docs/reference/python/", "docs/reference/"),
        *("docs/replay-format", "docs/glossary"),
    ],
    "background": [
        *(
            "CHANGELOG",
            "docs/roadmap",
            "ROADMAP",
            "docs/deprecation",
            "docs/architecture",
            "docs/doors",
            "CONTRIBUTING",
        ),
        *("CODE_OF_CONDUCT", "SECURITY", "docs/licences", "docs/decisions/"),
    ],
}
HINTS = (
    (r"^examples/", "researchers"),
    (r"^docs/how-to/.*(class|teach|course|contest|organis|ladder|tournament|league|hand-?in)", "organisers"),
    (r"^docs/how-to/.*(research|learn|train|experiment|paper|environment)", "researchers"),
    (r"^docs/how-to/", "authors"),
    (r"^docs/.*(schema|format|protocol|compatib|export)", "reference"),
    (r"^docs/.*(kaggle|research|train)", "researchers"),
    (r"^docs/.*(fastchess|cutechess|brutaltester|psyleague|cgarena|coming|other-arenas|contracts)", "organisers"),
    (r"^docs/.*(uci|chess|battlesnake)", "authors"),
    (r"^docs/.*(verif|sign|trust|upgrade|container|systemd|deploy)", "organisers"),
)
ELSEWHERE = "background"  # pages that nothing above knows

# The list of how-to pages says which are for whom: by words of the headings that they stand below.
HOW_TO = "docs/how-to/index.md"
READERS = ((r"bot", "authors"), (r"research", "researchers"), (r"teach|contest|organis", "organisers"))

# What the navigation calls pages that are not translated, or whose first heading is long, in each language.
TITLES = {"docs/compared": ("Compared with others", "ほかとの比較")}

GROUP = re.compile(r"<!--\s*group:\s*([a-z]+)\s*-->")
POLICIES = ("CODE_OF_CONDUCT", "SECURITY", "SUPPORT")  # which may lie in `.github`
WITH_READMES = ("benchmarks", "container", "deploy", "examples", "packaging")  # folders whose READMEs are pages


class Page(NamedTuple):
    """One page: its text in each language that it has, and where it stands.

    `name` is its path below the project without an ending; `target` its path on the site, without one. A page that
    was made from the code has texts, but no files.
    """

    name: str
    target: str
    texts: dict[str, str]
    group: str = ""
    title: str | tuple[str, str] = ""  # in the navigation; otherwise its first heading
    number: int = 0  # among the how-to pages, as their list has them

    def text(self, language: str) -> tuple[str, str]:
        """The text, and the language that it is in: English where there is no translation."""
        found = language if language in self.texts else LANGUAGES[0]
        return self.texts[found], found


def written_pages(root: Path = ROOT) -> list[Page]:
    """Every page that somebody wrote, in the navigation's order."""
    listed = _how_to_pages(root)
    found = []
    for page in (_read(root, path) for path in _paths(root)):
        group, number = listed.get(page.name, (page.group, len(listed)))
        found.append(page._replace(group=group, number=number))
    return sorted(found, key=place_of)


def _how_to_pages(root: Path) -> dict[str, tuple[str, int]]:
    """For each how-to page that their list has: its group, and its number in the list."""
    path = root / HOW_TO
    group, found = "start", dict[str, tuple[str, int]]()
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("## "):
            group = next((each for words, each in READERS if re.search(words, line, re.IGNORECASE)), "start")
        elif listed := re.match(r"[*-] \[.*\]\(([\w-]+)\.md\)", line):
            found[f"docs/how-to/{listed[1]}"] = group, len(found)
    return found


def _paths(root: Path) -> Iterator[Path]:
    """The English file of each page."""
    listed = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *root.glob("src/dohyo/games/*/README.md")]
    listed += root.glob("src/dohyo/classics/*/README.md")  # of a classic that is a folder
    listed += [path for name in POLICIES if (path := root / ".github" / f"{name}.md").exists()]
    for folder in WITH_READMES:
        listed += (root / folder).rglob("README.md")
    for path in listed:
        if not path.name.endswith(".ja.md") and not path.is_relative_to(root / "docs" / "website"):
            yield path


def _read(root: Path, path: Path) -> Page:
    """A page with its texts."""
    name = path.relative_to(root).as_posix().removesuffix(".md")
    texts = {LANGUAGES[0]: path.read_text(encoding="utf-8")}
    for language in LANGUAGES[1:]:
        translated = path.with_name(f"{path.stem}.{language}.md")
        if translated.exists():
            texts[language] = translated.read_text(encoding="utf-8")
    said = GROUP.search(texts[LANGUAGES[0]])
    group = said[1] if said and said[1] in GROUPS else group_of(name)
    return Page(name, target_of(name), texts, group, TITLES.get(name, ""))


def target_of(name: str) -> str:
    """Where a page stands on the site."""
    if name == "README":
        return "index"
    if name in ("SECURITY", ".github/SECURITY"):  # docs/security.md is another page
        return "security-policy"
    name = name.removeprefix("docs/").removeprefix(".github/")
    name = re.sub(
        r"^src/dohyo/(?:games|classics)/(.*)/README$", lambda found: "rules/" + found[1].replace("_", "-"), name
    )
    name = re.sub(r"^(.+)/README$", lambda found: found[1].replace("_", "-"), name)
    return name.lower() if "/" not in name else name


def group_of(name: str) -> str:
    """The group that a page belongs to."""
    for group, names in ORDER.items():
        if any(_is(name, each) for each in names):
            return group
    return next((group for pattern, group in HINTS if re.search(pattern, name)), ELSEWHERE)


def _is(name: str, listed: str) -> bool:
    """Whether a page is the one that is listed, or below the folder that is."""
    return name.startswith(listed) if listed.endswith("/") else name == listed


def place_of(page: Page) -> tuple[int, int, bool, int, str]:
    """What the navigation is sorted by: group, then the pages that `ORDER` names, how-to pages, and all others."""
    order = ORDER[page.group]
    last = len(order) + ("/how-to/" not in page.name)
    at = next((number for number, each in enumerate(order) if _is(page.name, each)), last)
    return list(GROUPS).index(page.group), at, not page.name.endswith("/index"), page.number, page.name


def title_of(text: str) -> str:
    """A page's first heading, as plain text."""
    found = re.search(r"^#\s+(.+?)\s*#*$", text, re.MULTILINE)
    return plain(found[1]) if found else ""


def plain(inline: str) -> str:
    """A line of Markdown without its marks."""
    inline = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", inline)
    return re.sub(r"[`*]|(?<!\w)_|_(?!\w)", "", inline).strip()
