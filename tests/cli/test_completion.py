"""What a shell offers after TAB, asked as bash, zsh and fish ask."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
import shellingham

from dohyo import classics, games
from dohyo.cli import completion
from dohyo.cli.main import application_of, commands, run
from dohyo.cli.options import command_of
from tests.cli.conftest import Type
from tests.cli.test_help_in_japanese import walked
from tests.cli.typed import PATIENCE, environment

STRANGERS = ("$(touch hacked).py", "a b.py", "`id`.db", "-rf.py", "it's.py", "x;y.replay")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot, a store, a contest file, a replay, and names that a shell would evaluate."""
    for name in ("bot.py", "class.db", "class.toml", "m.replay", "results.tar", *STRANGERS):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def offers(work: Path, capsys: pytest.CaptureFixture[str]) -> Type:
    """Ask what may follow, as the function that bash calls does: in this process."""

    def ask(*words: str, shell: str = "bash") -> set[str]:
        with mock.patch.dict(os.environ):  # the same object: Rich holds on to it from its import on
            os.environ.update({"_DOHYO_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_FISH_ACTION": "get-args"})
            os.environ.update({"COMP_WORDS": "\n".join(["dohyo", *words]), "COMP_CWORD": str(len(words))})
            os.environ["_TYPER_COMPLETE_ARGS"] = " ".join(["dohyo", *words])
            with pytest.raises(SystemExit):
                run([])
        out, err = capsys.readouterr()
        assert err == ""
        return set(out.splitlines())

    return ask  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("pl", {"play"}),
        ("--ver", {"--version"}),
        ("play drop-block --se", {"--seed", "--setup"}),
        ("play wond", {"wondev-woman"}),
        ("play drop-block h", {"hunter"}),
        ("play drop-block b", {"bot.py"}),
        ("compare drop-block hunter r", {"random"}),
        ("play wondev-woman --setup map = ", {"any", "square", "diamond", "random"}),
        ("play wondev-woman --setup lea", {f"league={name}" for name in ("wood3", "wood2", "wood1", "bronze")}),
        ("play wondev-woman --setup league = w", {"wood3", "wood2", "wood1"}),
        ("play drop-block --clock ", {"online", "finals"}),
        ("play drop-block hunter --sandbox ", {"auto", "require", "none"}),
        ("replay ", {"last", "m.replay"}),
        ("verify ", {"class.db", "results.tar", "last", "m.replay"}),
        ("contest sta", {"standings"}),
        ("help comp", {"compare"}),
        ("help contest ru", {"run"}),
        ("help docs/fa", {"docs/faq.md"}),
        ("cache clear la", {"last"}),
        ("contest standings ", {"class.db"}),
        ("contest run ", {"class.db", "class.toml"}),
        ("contest run --game drop-block h", {"hunter"}),
        ("contest run --format sw", {"swiss"}),
        ("contest run --format swiss --option se", {"series=", "seeding=lot", "seeding=rating", "seeding=order"}),
        ("new bot drop-block --lang py", {"python"}),
        ("play no-such-game ", set()),
        ("no-such-command ", set()),
    ],
)
def test_offers(offers: Type, typed: str, wanted: set[str]) -> None:
    """Each word by what it may be; a line that is wrong gives no offers and no message. Bash parts words at `=`."""
    assert offers(*typed.split(" ")) == wanted


def test_every_command_is_offered_in_every_shell(offers: Type) -> None:
    """Without any being imported; zsh and fish show its sentence, in one line however long it is."""
    assert offers("") == set(commands())
    assert offers("", shell="fish") == {f"{name}\t{about}" for name, about in commands().items()}
    assert len(offers("", shell="zsh")) == len(commands())


def test_all_games_are_offered_without_an_import(offers: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their names follow from folders and entry points, and are those that a match finds."""
    known = set(games.all_games())
    monkeypatch.setattr(games, "all_games", lambda: pytest.fail("imports all games"))
    monkeypatch.setattr(games, "_here", lambda folder: pytest.fail(f"imports {folder}"))
    assert offers("play", "") == known | set(classics.NAMES)


def test_names_that_a_shell_would_evaluate_are_not_offered(offers: Type) -> None:
    """What strangers called a file never comes out of completion, but for plain names."""
    for words in (("check", "drop-block", ""), ("replay", ""), ("contest", "show", ""), ("contest", "run", "")):
        for shell in ("bash", "zsh", "fish"):
            assert not any(name in offer for name in STRANGERS for offer in offers(*words, shell=shell)), words


def test_every_metavar_offers_something_or_is_a_value(work: Path) -> None:
    """The table names metavars that some command has."""
    metavars = {
        parameter.metavar or ""
        for name in commands()
        for _, command in walked(command_of(application_of(name)), name)
        for parameter in command.params
    }
    for word in completion.BY_METAVAR:
        assert any(word in metavar for metavar in metavars), word


@pytest.mark.parametrize("shell", ["tcsh", None, "fish"])
def test_a_shell_that_is_not_known(typed: Type, monkeypatch: pytest.MonkeyPatch, shell: str | None) -> None:
    """One sentence, where typer would say less; nothing is written."""

    def detect() -> tuple[str, str]:
        if shell is None:
            raise shellingham.ShellDetectionFailure
        return shell, f"/bin/{shell}"

    monkeypatch.setattr(shellingham, "detect_shell", detect)
    if shell == "fish":
        with pytest.raises(SystemExit) as end:
            typed("--show-completion")
        assert end.value.code == 0
        return
    for option in ("--show-completion", "--install-completion"):
        sentence = f"There is no completion for this shell ({shell or '?'}); type it in one of bash, zsh, fish.\n"
        assert typed(option) == (2, "", sentence)


def test_bash_itself(work: Path) -> None:
    """The function that `--show-completion` prints, called as bash calls it after TAB."""
    program = work / "bin" / "dohyo"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m dohyo "$@"\n')
    program.chmod(0o755)
    script = """
        eval "$(dohyo --show-completion)"
        complete -p dohyo
        COMP_WORDS=(dohyo play wondev-woman --setup league = b); COMP_CWORD=6; _dohyo_completion dohyo
        echo "${COMPREPLY[@]}"
        COMP_WORDS=(dohyo check drop-block ""); COMP_CWORD=3; _dohyo_completion dohyo
        echo "${COMPREPLY[@]}"
    """
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env=environment(PATH=path, HOME=str(work)),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "complete -o default -F _dohyo_completion dohyo",
        "bronze",
        "hunter random sensei trapper bin bot.py",
    ]
    assert not (work / "hacked").exists()
