"""The how-to pages: each command works, in the page's order, from an empty folder."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from dohyo.cli.main import run
from dohyo.sandbox import WEAKEST_REQUIRED, strongest
from tests.quality.pages import Typed, bash, blocks, patient, walk
from tests.quality.project import ROOT
from tests.skips import Reason, skip_for

FOLDER = ROOT / "docs" / "how-to"
JAPANESE = sorted(FOLDER.glob("*.ja.md"))
# Whose commands are those of an English page is carried out only if it shows what they print.
PAGES = sorted(
    page for page in FOLDER.glob("*.md") if page not in JAPANESE or "```text\n" in page.read_text(encoding="utf-8")
)


class Shell:
    """Types lines: `dohyo` in this process, which is faster than a start of its own, all else into a shell."""

    def __init__(self, programs: Path) -> None:
        """`programs` is a folder with a command `dohyo`, for the shell."""
        own = Path(sys.executable).parent  # whose `python3` has what the pages import
        self._environment = {**os.environ, "PATH": f"{programs}:{own}:{os.environ['PATH']}"}

    def __call__(self, lines: str, folder: Path) -> Typed:
        """Carry out lines in a folder; they end with the first that fails."""
        if any(line.startswith(("export ", "for ", "until ", "while ")) for line in lines.splitlines()):
            return self._in_a_shell(lines, folder)  # a line means something only together with the next
        status, printed = 0, ""
        for line in lines.splitlines():
            words = shlex.split(line, comments=True)
            plain = words[:1] == ["dohyo"] and not {"|", "&&", "&"} & set(words)
            status, more = self._in_this_process(words[1:], folder) if plain else self._in_a_shell(line, folder)
            printed += more
            if status:
                break
        return status, printed

    def _in_this_process(self, words: list[str], folder: Path) -> Typed:
        words, file = (words[:-2], words[-1]) if words[-2:-1] == [">"] else (words, "")
        out, err = io.StringIO(), io.StringIO()
        with chdir(folder), redirect_stdout(out), redirect_stderr(err if file else out):
            status = run(with_patience(words))
        if file:
            (folder / file).write_text(out.getvalue(), encoding="utf-8")
        return status, err.getvalue() if file else out.getvalue()

    def _in_a_shell(self, lines: str, folder: Path) -> Typed:
        done = subprocess.run(
            [bash(), "-e", "-c", lines],
            cwd=folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        return done.returncode, done.stdout


def with_patience(words: list[str]) -> list[str]:
    """A command as `patient` would have it."""
    busy = words[0] in ("play", "check") and "--clock" not in words
    return [*words, "--clock", "60"] if busy else words


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of these pages alone: the word `last` must not mean a match that another worker has played."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_works(page: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page shows works; what needs more than a test has says so in a comment above it."""
    if strongest().layer > WEAKEST_REQUIRED:
        skip_for(Reason.KERNEL, "a contest needs a sandbox of layer 1 or 2")
    monkeypatch.setenv("DOHYO_LANG", "ja" if page in JAPANESE else "en")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("DOHYO_CACHE", str(cache))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    shell = Shell(patient(f"{sys.executable} -m dohyo", tmp_path / "programs"))
    (tmp_path / "work").mkdir()
    walk(page, tmp_path / "work", shell)


@pytest.mark.parametrize("page", JAPANESE, ids=lambda page: page.stem)
def test_a_japanese_page_has_the_same_blocks(page: Path) -> None:
    """All that is typed and all files are those of the English page, which is carried out."""
    texts = [path.read_text(encoding="utf-8") for path in (page, page.with_name(page.name.replace(".ja.md", ".md")))]
    here, there = ([block for block in blocks(text) if block.kind != "text"] for text in texts)
    assert [block._replace(line=0) for block in here] == [block._replace(line=0) for block in there]


def test_the_index_leads_to_every_page() -> None:
    """Each page can be found from the index of its language, and begins with a question."""
    for suffix in (".md", ".ja.md"):
        index = (FOLDER / f"index{suffix}").read_text(encoding="utf-8")
        pages = {page.name for page in FOLDER.glob("*.md")} - {"index.md", "index.ja.md"}
        mine = {name for name in pages if name.endswith(".ja.md") == (suffix == ".ja.md")}
        assert {name for name in mine if f"]({name})" not in index} == set()
        for name in mine:
            title = (FOLDER / name).read_text(encoding="utf-8").splitlines()[0]
            assert title.endswith(("?", "\uff1f")), f"{name} begins with no question"


def test_every_page_is_in_two_languages() -> None:
    """Who writes a bot, teaches, organises or does research may read Japanese."""
    assert {page.name.replace(".ja.md", ".md") for page in JAPANESE} == {
        page.name for page in FOLDER.glob("*.md") if page not in JAPANESE
    }


def test_every_title_of_the_index_is_that_of_its_page() -> None:
    """A link has the page's own words."""
    for suffix in (".md", ".ja.md"):
        for line in (FOLDER / f"index{suffix}").read_text(encoding="utf-8").splitlines():
            if line.startswith("* ["):
                title, name = line[3:].removesuffix(")").split("](")
                assert (FOLDER / name).read_text(encoding="utf-8").startswith(f"# {title}\n"), line


@pytest.mark.parametrize(
    "page", [*FOLDER.glob("*.md"), *(ROOT / "docs").glob("tutorial*.md")], ids=lambda page: page.name
)
def test_a_file_is_named_in_the_text_before_it(page: Path) -> None:
    """A block's title is seen on the site alone: the text says as what to save it, and what to replace."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for block in blocks("\n".join(lines) + "\n"):
        for name in re.split(": ", block.title.removesuffix(" [...]")) if block.title else ():
            assert f"`{name}`" in "\n".join(lines[: block.line]), f"{page.name}:{block.line}: {name} is not named"
