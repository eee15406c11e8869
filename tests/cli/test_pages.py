"""`dohyo help docs/NAME.md`: a page that a message names is there where the message is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dohyo.cli import pages
from dohyo.core.errors import OperatorError
from tests.cli.conftest import Type
from tests.quality.project import ROOT, SOURCE

NAMED = re.compile(r"\bdocs/[a-z/-]+\.md")


def test_every_page_that_is_named_is_there() -> None:
    """In the sentences of both languages, in what commands and docstrings say: no name is wrong."""
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.json")}
    texts |= {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    named = {name: path for path, text in texts.items() for name in NAMED.findall(text)}
    assert len(named) > 25
    for name, path in named.items():
        assert pages.read(name, "en").startswith("# "), f"{path.relative_to(ROOT)} names {name}"


def test_a_page_is_printed(typed: Type) -> None:
    """As it is written where the output is no terminal, in the language that is asked for, without what is hidden."""
    done = typed("help", "docs/clocks.md")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("# ")
    assert "<!--" not in done.out
    japanese = typed("help", "docs/clocks.md#anything", "--lang", "ja")
    assert japanese.out.splitlines()[0] != done.out.splitlines()[0]


def test_a_page_that_is_not_there_is_a_sentence(typed: Type) -> None:
    """It names the nearest one; a word behind a page is no command."""
    done = typed("help", "docs/clock.md")
    assert (done.status, done.out) == (2, "")
    assert "There is no page 'docs/clock.md' ('docs/clocks.md'?)" in done.err
    assert typed("help", "docs/../README.md").status == 2
    assert "'more'" in typed("help", "docs/clocks.md", "more").err


def test_pages_come_from_the_wheel_where_it_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packed as the build packs them; what lies beside an installation is then not looked at."""
    from tests.quality.project import script

    packed = tmp_path / "docs.zip"
    script("hatch_build", ROOT).pack_pages(ROOT, packed)
    monkeypatch.setattr(pages, "PACKED", packed)
    monkeypatch.setattr(pages, "SOURCES", tmp_path)
    assert pages.read("docs/contests.md", "en").startswith("# Contests")
    with pytest.raises(OperatorError, match="docs/none"):
        pages.read("docs/none", "en")
    in_wheel = pages._all()[0]
    monkeypatch.undo()
    assert in_wheel == pages._all()[0]


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("tutorial", "# Dohyo in twenty minutes"),
        ("docs", "# All pages"),
        ("wondev-woman", "# Wondev Woman"),
        ("chess", "# Chess"),
        ("../src/dohyo/games/shoot_em_up/README.md", "# Shoot-Em-Up"),
    ],
)
def test_pages_and_rules_by_a_word(typed: Type, word: str, title: str) -> None:
    """A page without its folder, the list of all, a game's rules by its name and as pages link to them."""
    done = typed("help", word)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0] == title


def test_the_name_of_a_command_is_one(typed: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`verify` is a page, too; what is neither, or a game without a text, is a sentence."""
    assert typed("help", "verify").out.startswith("Usage: dohyo verify")
    assert "There is no command, page or game 'hunger'" in typed("help", "hunger").err
    (tmp_path / "lone.py").write_text((ROOT / "examples" / "pig.py").read_text())
    monkeypatch.setenv("DOHYO_GAMES", str(tmp_path / "lone.py"))
    done = typed("help", "lone")
    assert (done.status, done.out) == (2, "")
    assert "has no README.md" in done.err


def test_what_is_told_of_comments_stays() -> None:
    """Only a comment that is a line of its own is hidden."""
    assert (
        pages.COMMENT.sub("", "between `<!-- a -->` and\n<!-- hidden\nstill -->\nthe end")
        == "between `<!-- a -->` and\nthe end"
    )


@pytest.mark.parametrize("word", ["rl", "seeds", "api", "research"])
def test_a_word_that_is_no_page_leads_to_those_that_have_it(typed: Type, word: str) -> None:
    """The pages that speak of it the most are named, and the one that is proposed is there and has it."""
    done = typed("help", word)
    assert (done.status, done.out) == (2, "")
    first = re.search(r"Pages with this word: .*'dohyo help ([\w/-]+)' shows one, 'dohyo help docs' lists", done.err)
    assert first is not None
    assert re.search(rf"\b{word.removesuffix('s')}", typed("help", first[1]).out, re.IGNORECASE)
    assert word != "rl" or first[1] == "learning"


def test_words_of_any_kind_are_only_looked_for(typed: Type) -> None:
    """Signs of regular expressions, long words and other scripts are words like others."""
    for word in ("(", ".*", "s", "x" * 5000, "盤" * 10):
        assert "There is no command, page or game" in typed("help", word).err
    assert pages.about("学習", "ja")


def test_a_commands_page_is_named_below_its_help(typed: Type) -> None:
    """`dohyo help compare` says that there is a page, too; of a command without one nothing is said."""
    assert "'dohyo help compare.md'" in typed("help", "compare").out.splitlines()[-1]
    assert "help cache.md" not in typed("help", "cache").out


def test_small_examples_are_shown(typed: Type) -> None:
    """A program as it is written, also by a page's link; a folder's names; what is not there is a sentence."""
    shown = typed("help", "examples/python/researcher.py")
    assert (shown.status, shown.out) == (0, (ROOT / "examples/python/researcher.py").read_text())
    assert typed("help", "../examples/train/README.md").out.startswith("# ")
    assert typed("help", "examples/python").out.count("dohyo help examples/python/") == 3
    for word in ("examples/pythn/researcher.py", "examples/../README.md", "examples/train/trained/weights.json"):
        done = typed("help", word)
        assert (done.status, done.out) == (2, "")
        assert "There is no page" in done.err
