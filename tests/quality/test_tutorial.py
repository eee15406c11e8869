"""The tutorial: who types what stands there sees what stands there; with the wheel alone, and in Japanese."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.sandbox import WEAKEST_REQUIRED, strongest
from tests.quality.pages import Typed, bash, blocks, first_missing, patient, plain, replaced, walk
from tests.quality.project import ROOT
from tests.quality.test_how_to import Shell
from tests.skips import Reason, skip_for

pytestmark = pytest.mark.xdist_group("wheel")

PAGES = {"en": ROOT / "docs" / "tutorial.md", "ja": ROOT / "docs" / "tutorial.ja.md"}


@pytest.fixture
def sandboxed() -> None:
    """A contest is played in a sandbox."""
    if strongest().layer > WEAKEST_REQUIRED:
        skip_for(Reason.KERNEL, "a contest needs a sandbox of layer 1 or 2")


@pytest.mark.usefixtures("sandboxed")
def test_every_command_works_and_prints_what_is_shown(installed: Path, tmp_path: Path) -> None:
    """From an empty folder, with nothing but the installed wheel, in the page's order."""
    programs = patient(str(installed / "dohyo"), tmp_path / "programs")
    work = tmp_path / "work"
    work.mkdir()
    environment = {
        "PATH": f"{programs}:{installed}:{os.environ['PATH']}",
        "HOME": str(tmp_path / "home"),
        "DOHYO_LANG": "en",
        "LANG": "C.UTF-8",
        "COLUMNS": "200",
    }

    def shell(lines: str, folder: Path) -> Typed:
        done = subprocess.run(
            [bash(), "-e", "-c", lines],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        return done.returncode, done.stdout

    walk(PAGES["en"], work, shell)


@pytest.mark.usefixtures("sandboxed")
def test_every_command_prints_what_is_shown_in_japanese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in the other language, typed in this process: that the wheel plays, the English page has shown."""
    variables = {"DOHYO_LANG": "ja", "COLUMNS": "200", "DOHYO_CACHE": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    shell = Shell(patient(f"{sys.executable} -m dohyo", tmp_path / "programs"))
    (tmp_path / "work").mkdir()
    walk(PAGES["ja"], tmp_path / "work", shell)


def test_what_is_shown_is_looked_for_in_its_order() -> None:
    """Lines may be left out only where dots stand, and only what differs by its nature may differ."""
    printed = "first\nwon in 1.5 ms   at 3.2/s\n  ^^^^\nlast: 7\n"
    for shown in ("first\nwon in 20 ms at 7/s\nlast: 7", "...\nlast: ...", "first\n...", "...\nwon ...\nlast: 7"):
        assert first_missing(shown, printed) is None
    for shown, missing in (
        ("first\nlast: 7", "last: 7"),
        ("first\nwon in 20 ms at 7/s", "(the end before 'last: 7')"),
        ("first\n...\nlast: 8", "last: 8"),
        ("...\nlast: 7\nfirst", "first"),
        ("first\nwon in 20 s at 7/s\nlast", "last"),
    ):
        assert first_missing(shown, printed) == missing
    assert plain("a  1.5 ms --clock 60") == ["a TIME"]


def test_a_page_without_a_shell_is_refused(tmp_path: Path) -> None:
    """A command that fails, a file that is not as shown, a block that nobody carries out: errors, with the line."""
    page = tmp_path / "page.md"
    for text, said in (
        ("```sh\nfalse\n```\n", "page.md:1: ends with 1, not 0"),
        ("<!-- exit: 1 -->\n```sh\ntrue\n```\n", "page.md:2: ends with 0, not 1"),
        ("\n```\nls\n```\n", "page.md:2: is it a command"),
        ("```text\nready\n```\n", "page.md:1: no command stands before"),
        ("```sh\ntrue\n```\n```text\nready\n```\n", "page.md:4: not printed: 'ready'"),
        (
            '```python title="a.py"\nA = 1\n```\n```python title="a.py [...]"\nA = 2\n```\n',
            "page.md:4: this is not in a.py",
        ),
    ):
        page.write_text(text, encoding="utf-8")
        with pytest.raises(AssertionError, match=re.escape(said)):
            walk(page, tmp_path, lambda lines, folder: (int(lines == "false\n"), ""))


def test_a_definition_is_replaced_where_it_stands(tmp_path: Path) -> None:
    """The rest of the file stays, byte for byte."""
    path = tmp_path / "a.py"
    path.write_text("A = 1\n\n\nclass B:\n    def c(self):\n        return 1\n\n    def d(self):\n        return 2\n")
    body = "    def c(self):\n        return 3\n"
    assert replaced(path, "c", body) == path.read_text().replace("return 1", "return 3")
    assert replaced(path, "B", "class B: ...\n") == "A = 1\n\n\nclass B: ...\n"


def test_nothing_is_passed_over_but_the_installation() -> None:
    """The tutorial has one block that a test cannot run."""
    for page in PAGES.values():
        (left,) = [block.body for block in blocks(page.read_text(encoding="utf-8")) if block.not_run]
        assert "pip install ./dohyo " in left


def test_nobody_is_told_to_install_what_is_not_published() -> None:
    """Until a version is published, no block that a newcomer would type asks a registry for Dohyo itself."""
    pages = ("README", "docs/tutorial", "docs/service", "docs/how-to/install-offline")
    asked = re.compile(r"^[^#]*\b(?:pip (?:install|download) [^#]*(?<=[ '])dohyo\b|(?:uvx|pipx run) dohyo)")
    for name in [f"{page}{language}.md" for page in pages for language in ("", ".ja")]:
        parts = (ROOT / name).read_text(encoding="utf-8").split("\n```")
        typed = [line for block in parts[1::2] for line in block.splitlines()[1:] if "--no-index" not in line]
        assert typed
        assert not [line for line in typed if asked.search(line)], name
