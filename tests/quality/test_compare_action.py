"""The action that compares a pull request's bot: what it types and plays, and a comment of what strangers wrote."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from dohyo.games import find
from dohyo.sandbox import strongest
from tests import skips
from tests.cli.typed import environment
from tests.quality.project import ROOT, script

ACTION = ROOT / ".github" / "actions" / "compare"


@pytest.fixture(scope="module")
def action() -> ModuleType:
    """Its script."""
    return script("compare", ACTION)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose last commit makes the bot a better one; the current folder."""
    samples = Path(find("wondev-woman").folder) / "bots"
    home = tmp_path / "repository"
    home.mkdir()
    monkeypatch.chdir(home)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    git("init", "-q", "-b", "main")
    for bot in ("random.py", "climber.py"):
        shutil.copy(samples / bot, home / "mybot.py")
        git("add", ".")
        git("-c", "user.name=me", "-c", "user.email=me@example.org", "commit", "-q", "-m", bot)
    return home


def git(*words: str) -> None:
    """Run git here."""
    subprocess.run(["git", *words], check=True, capture_output=True)


@pytest.mark.usefixtures("repository")
def test_it_plays_a_pull_request_s_bot_against_the_base(tmp_path: Path) -> None:
    """In a real repository: the document, the summary and the comment, by the program that a workflow starts."""
    if strongest().layer > 2:
        skips.skip_for(skips.Reason.KERNEL, "there is no sandbox that a contest would take")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "dohyo").write_text(f'#!/bin/sh\nexec {sys.executable} -P -m dohyo "$@"\n', encoding="utf-8")
    (programs / "dohyo").chmod(0o755)
    asked = {"GAME": "wondev-woman", "BOT": "mybot.py", "BASE": "HEAD~1", "MAX_PAIRS": "2", "SEED": "1"}
    asked["BASE"] = subprocess.run(
        ["git", "rev-parse", "HEAD~1"], capture_output=True, text=True, check=True
    ).stdout.strip()
    summary = tmp_path / "summary.md"
    done = subprocess.run(
        [sys.executable, "-I", ACTION / "compare.py", "play"],
        env=environment(
            PATH=f"{programs}{os.pathsep}{os.environ['PATH']}",
            GITHUB_STEP_SUMMARY=str(summary),
            **{f"COMPARE_{name}": value for name, value in asked.items()},
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(Path("comparison.json").read_bytes())
    assert (document["matches"], document["won"]) == (4, 4)
    assert document["terms"]["sandbox"] == "require"
    told = summary.read_text(encoding="utf-8")
    assert "**Not known yet**: at least " in told
    assert "| 4 | 0 | 0 | at least " in told
    words = [sys.executable, "-I", ACTION / "compare.py", "comment", "comparison.json"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == told


@pytest.mark.usefixtures("repository")
def test_what_a_workflow_says_are_words_and_no_shell_s(action: ModuleType) -> None:
    """Settings become options of the command; what is missing or not here is one sentence."""
    asked = {"COMPARE_GAME": "g", "COMPARE_BOT": "a b.py", "COMPARE_BASE": "main", "COMPARE_SETUP": "x=1 y=2;z"}
    words = action.order({**asked, "COMPARE_CLOCK": "1", "COMPARE_AGAINST": "", "PATH": "/bin"})
    assert words[:5] == ["dohyo", "compare", "g", "a b.py", "git:main"]
    assert words[5:] == [
        *("--itself", "--json", "--sandbox", "require", "--max-pairs", "200", "--clock", "1"),
        *("--setup", "x=1", "--setup", "y=2;z"),
    ]
    for change, sentence in (
        ({"COMPARE_GAME": " "}, "'game' is missing"),
        ({"COMPARE_BASE": "--upload-pack=x"}, "no commit and no branch"),
        ({"COMPARE_BASE": "0" * 40}, "fetch-depth: 0"),
    ):
        with pytest.raises(action.WrongError, match=sentence):
            action.order({**asked, **change})


EVIL = "x](https://evil.example) @everyone <img src=x>\n| a |\x1b[31m`$(id)`\u202e\u2028"


def test_a_comment_holds_nothing_of_a_stranger_s(action: ModuleType) -> None:
    """No link, mention, tag, new row or control sequence comes out of names; no words out of numbers."""
    bot = {"name": EVIL, "faulty": 3, "faulty_lost": EVIL}
    row = {"name": EVIL, "won": EVIL, "tied": -1, "lost": True, "elo": 10**400, "elo_low": None, "elo_high": 2}
    found = {"game": EVIL, "decision": EVIL, "matches": 10**400, "baselines": [row] * 99, "bots": [bot, 7]}
    told = action.comment({**found, "elo": float("nan")})
    assert len(told) < 20_000
    for bad in ("\x1b", "\u202e", "\u2028"):
        assert bad not in told, bad
    plain = re.sub(r"`[^`]*`", "", told.removeprefix(action.MARK))  # a mention in a span of code is none
    for bad in ("](", "@", "<", "evil", "`"):
        assert bad not in plain, bad
    lines = told.splitlines()
    assert sum(line.startswith("| ") for line in lines) == 1 + action.MAX_ROWS + 2
    assert all(line.count("|") in (0, 6, 4) or line.startswith(("### ", "|--")) for line in lines)


@pytest.mark.parametrize("made", ["missing", "link", "folder", "no JSON", "a list", "deep", "large"])
def test_a_file_that_is_no_comparison_is_refused(
    action: ModuleType, tmp_path: Path, made: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one sentence, whatever a stranger's job has left."""
    file = tmp_path / "comparison.json"
    makers: dict[str, Callable[[], object]] = {
        "missing": lambda: None,
        "link": lambda: file.symlink_to("/etc/passwd"),
        "folder": file.mkdir,
        "no JSON": lambda: file.write_text("{"),
        "a list": lambda: file.write_text("[]"),
        "deep": lambda: file.write_text("[" * 200_000),
        "large": lambda: file.write_text(" " * (action.MAX_BYTES + 1)),
    }
    makers[made]()
    assert action.main(["comment", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


def test_no_module_of_a_pull_request_is_imported_before_the_sandbox() -> None:
    """The current folder has the stranger's files: a `venv.py` among them would run with the job's own rights."""
    text = (ACTION / "action.yml").read_text(encoding="utf-8")
    starts = re.findall(r"python3(?: -\S+)*", text)
    assert starts
    assert all(each.split()[1:2] == ["-I"] for each in starts), starts


def test_every_setting_of_the_action_reaches_the_command(action: ModuleType) -> None:
    """Each input is passed on in the environment, and none is put into a line of a shell."""
    text = (ACTION / "action.yml").read_text(encoding="utf-8")
    inputs = text.partition("inputs:\n")[2].partition("\nruns:")[0]
    names = [line.strip().rstrip(":") for line in inputs.splitlines() if line[:2] == "  " and line[2] != " "]
    assert {"game", "bot", "base", "fail"} <= set(names)
    for name in names:
        assert text.count(f"${{{{ inputs.{name} }}}}") == 1, name
    for block in text.split("run: ")[1:]:
        assert "${{" not in block.partition("\n    - ")[0].partition("env:")[0]
