"""Every mistake of the operator's: one sentence that names the remedy, exit status 2, nothing half-written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dohyo.cli import main
from tests.cli.conftest import Type
from tests.cli.typed import type_alone

FOUR = ("./still",) * 4
PLAY = ("play", "drop-block", *FOUR)

# What is typed -> what the sentence must say: what is wrong, and the remedy.
MISTAKES = {
    ("play",): ["GAME", "--help"],
    ("play", "drop-block"): ["BOT", "--help"],
    ("play", "drop-blok", *FOUR): ["no game 'drop-blok'", "('drop-block'?)", "dohyo games"],
    ("check", "./still"): ["a game before './still'", "'dohyo check GAME ./still'", "drop-block"],
    ("check", "drop-blok"): ["no game 'drop-blok'", "('drop-block'?)"],
    ("check", "./still", "drop-block"): ["'./still' is no game", "'dohyo check drop-block ./still'"],
    ("play", "./still", "drop-block", "random"): ["'./still' is no game", "'dohyo play drop-block ./still random'"],
    ("compare", "./still", "drop-block", "random"): ["'dohyo compare drop-block ./still random'"],
    ("compare", "./still"): ["a game before './still'", "'dohyo compare GAME ./still'"],
    ("play", "drop-block", "./still"): ["4 bots", "not by 1"],
    ("play", "drop-block", *FOUR, "./still"): ["4 bots", "not by 5"],
    ("play", "drop-block", "./still", "./still", "./still", "./stil"): ["no bot './stil'", "./still?"],
    ("play", "drop-block", "./still", "./still", "./still", "huntre"): ["no bot 'huntre'", "(hunter"],
    (*PLAY, "--setup", "turms=5"): ["no setup option 'turms'", "('turns'?)"],
    (*PLAY, "--setup", "turns=-1"): ["'turns' does not take '-1'", "0 to 1000000"],
    (*PLAY, "--setup", "turns="): ["'turns' does not take ''", "0 to 1000000"],
    (*PLAY, "--setup", "turns"): ["KEY=VALUE", "'turns'", "dohyo games"],
    (*PLAY, "--setup", "=5"): ["KEY=VALUE", "'=5'"],
    (*PLAY, "--setup", "turns=5", "--setup", "turns=6"): ["'turns' twice"],
    ("play", "wondev-woman", "./still", "./still", "--setup", "league=brnze"): [
        "'brnze' ('bronze'?)",
        "wood3, wood2",
    ],
    ("play", "wondev-woman", "./still", "./still", "--setup", "league=7"): [
        "'7'; it takes wood3, wood2, wood1, bronze"
    ],
    (*PLAY, "--seed", "seven"): ["whole number", "'seven'"],
    (*PLAY, "--seed", "-7"): ["0 - 9", "-7"],
    (*PLAY, "--seed"): ["'--seed' needs a value", "dohyo play --help"],
    (*PLAY, "--clock", "onlime"): ["no clock 'onlime'", "('online'?)", "seconds"],
    (*PLAY, "--clock", "finals,bnak=2"): ["no 'bnak'", "('bank'?)", "mode, bank, grace"],
    (*PLAY, "--clock", "-1"): ["no clock '-1'", "online, finals"],
    (*PLAY, "--save", "no-folder/m.replay"): ["'", "no-folder/m.replay' cannot be written", "another place"],
    (*PLAY, "--html", "."): ["cannot be written", "not an ordinary file"],
    (*PLAY, "--save", "one", "--html", "./one"): ["both name './one'"],
    (*PLAY, "--from", "m.replay"): ["FILE@TURN", "'m.replay'"],
    (*PLAY, "--first", "1=N"): ["--first needs --from FILE@TURN"],
    (*PLAY, "--from", "m.replay@3", "--first", "N"): ["SEAT=ACTION", "'N'"],
    (*PLAY, "--from", "m.replay@3", "--first", "1="): ["SEAT=ACTION"],
    (*PLAY, "--from", "m.replay@"): ["FILE@TURN", "'m.replay@'"],
    (*PLAY, "--from", "m.replay@last"): ["FILE@TURN"],
    (*PLAY, "--from", "@3"): ["FILE@TURN"],
    (*PLAY, "--from", "m.replay@3"): ["'m.replay' cannot be read", "check the name"],
    (*PLAY, "--watch", "--json"): ["--watch", "--json", "one of them"],
    (*PLAY, "--film", "m.gif"): ["no option '--film'", "--html FILE", "'Save a stretch as a film'"],
    ("replay", "m.replay", "--mp4", "m.mp4"): ["no option '--mp4'", "--html FILE"],
    ("compare", "drop-block", "a", "b", "--film"): ["no option '--film'; ", "--help"],
    (*PLAY, "--sede", "7"): ["no option '--sede'", "('--seed'?)", "dohyo play --help"],
    (*PLAY, "--lang", "fr"): ["no language 'fr'", "en, ja"],
    ("replay",): ["FILE", "--help"],
    ("replay", "m.replay"): ["'m.replay' cannot be read", "check the name"],
    ("replay", "."): ["cannot be read"],
    ("replay", "still"): ["not a Dohyo replay", "dohyo play --save"],
    ("replay", "still", "--html", "./still"): ["'still' is the replay itself", "another name"],
    ("replay", "still", "another"): ["does not take 'another'", "--help"],
    ("games", "draughts"): ["no game 'draughts'", "kuhn-poker"],
    ("games", "--json=yes"): ["'--json' takes no value", "dohyo games --help"],
    ("demo", "--folder", "still/demo"): ["'still/demo' cannot be written"],
    ("compare", "drop-block", "one", "two", "--elo0", "x"): ["'--elo0' does not take 'x'", "takes a number."],
    ("contest", "matches", "c.db", "--last", "-1"): ["'--last' does not take '-1'", "from 0 on."],
    ("contest", "matches", "c.db", "--bot"): ["'--bot' needs a value", "dohyo contest matches --help"],
    ("contest", "matches", "c.db", "--last", "1.5"): ["'--last' does not take '1.5'", "takes a whole number."],
    ("cluster", "scheduler", "--port", "70000"): ["'70000'", "a whole number, 0 - 65535"],
    ("gmaes",): ["no command 'dohyo gmaes'", "('games'?)", "play"],
    ("--jsn",): ["no option '--jsn'"],
}


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_one_sentence_and_status_2(typed: Type, folder: Path, words: tuple[str, ...]) -> None:
    """A mistake is told on standard error, in one line that says what is wrong and what to do; no file appears."""
    before = sorted(folder.iterdir())
    status, out, err = typed(*words)
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    for part in MISTAKES[words]:
        assert part in err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_in_japanese(typed: Type, words: tuple[str, ...]) -> None:
    """Each of these sentences is there in Japanese."""
    status, _, err = typed("--lang", "ja", *words)
    assert status == 2
    assert not err.isascii()


def test_a_bot_that_does_not_build(typed: Type, folder: Path) -> None:
    """The sentence names the bot; below it stands what the compiler says."""
    (folder / "wrong").mkdir()
    toml = "build = 'echo line 1: what is this? >&2; exit 1'\nrun = './bot'\n"
    (folder / "wrong" / "bot.toml").write_text(toml)
    status, out, err = typed("play", "drop-block", *FOUR[1:], "./wrong", "--save", "m.replay")
    sentence, empty, *log = err.splitlines()
    assert (status, out, empty) == (2, "", "")
    assert "wrong' does not build" in sentence
    assert "line 1: what is this?" in log
    assert not (folder / "m.replay").exists()


@pytest.mark.parametrize(
    ("commands", "parts"),
    [
        ("", ["'./bad' names no command to run", "the last line of its command.txt"]),
        ("\n  \n\n", ["'./bad' names no command to run", "the last line of its command.txt"]),
        ('true\npython3 "bot.py\n', ["command.txt of './bad'", "without its end in 'python3 \"bot.py'; close it"]),
    ],
    ids=["empty", "blank lines", "a quote without its end"],
)
def test_a_folder_without_a_command_that_can_be_run(
    typed: Type, folder: Path, commands: str, parts: Sequence[str]
) -> None:
    """A command.txt whose last line is none, or cannot be read, is told in one sentence, and nothing is played."""
    (folder / "bad").mkdir()
    (folder / "bad" / "command.txt").write_text(commands)
    status, out, err = typed("play", "abotcalypse", "./bad", "random", "--save", "m.replay")
    assert (status, out, err.count("\n")) == (2, "", 1)
    for part in parts:
        assert part in err
    assert not (folder / "m.replay").exists()


def test_a_preparing_command_that_fails(typed: Type, folder: Path) -> None:
    """The sentence names bot and command; below it stands what the commands printed."""
    (folder / "bad").mkdir()
    (folder / "bad" / "command.txt").write_text("echo step one\necho line 7 is broken >&2; exit 3\n./bot\n")
    status, out, err = typed("play", "abotcalypse", "random", "./bad", "--save", "m.replay")
    sentence, empty, *log = err.splitlines()
    assert (status, out, empty) == (2, "", "")
    assert "'./bad' does not build: its command 'echo line 7 is broken >&2; exit 3' fails" in sentence
    assert log == ["step one", "line 7 is broken"]
    assert not (folder / "m.replay").exists()


@pytest.mark.parametrize("name", ["m.replay", "m.replay.zst"])
def test_a_replay_that_was_cut_off_or_changed(typed: Type, folder: Path, name: str) -> None:
    """Less than the whole replay, or another byte in it, is refused with the remedy, whatever it is wanted for."""
    assert typed(*PLAY, "--setup", "turns=8", "--save", name).status == 0
    whole = (folder / name).read_bytes()
    (folder / "cut").write_bytes(whole[:-20])
    (folder / "changed").write_bytes(whole.replace(b'"N"', b'"U"', 1) if name == "m.replay" else _flipped(whole))
    for words in (("replay",), ("replay", "--verify"), ("replay", "--html", "page"), ("replay", "--watch")):
        status, out, err = typed(*words, "cut")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "cut off" in err
        status, out, err = typed(*words, "changed")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "was changed" in err
    assert "cut off" in typed(*PLAY, "--from", "cut@3").err
    assert not (folder / "page").exists()


def _flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def test_turns_that_a_replay_does_not_have(typed: Type) -> None:
    """`--from` takes the turns that were played, and keeps the setup and the number of seats."""
    assert typed(*PLAY, "--setup", "turns=8", "--save", "m.replay").status == 0
    assert "no turn 9; take one from 0 to 8" in typed(*PLAY, "--from", "m.replay@9").err
    assert "omit --setup" in typed(*PLAY, "--from", "m.replay@3", "--setup", "turns=9").err
    assert "4 bots" in typed("play", "drop-block", "./still", "--from", "m.replay@3").err


def test_a_place_without_permission(typed: Type, folder: Path) -> None:
    """A folder that cannot be written to is noticed before the match, not after it."""
    locked = folder / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    if os.access(locked, os.W_OK):  # the superuser may write anywhere: a file where a folder should be will do
        locked.rmdir()
        locked.touch()
    (folder / "started").write_text("#!/bin/sh\ntouch was-started\nexec ./still\n")
    (folder / "started").chmod(0o755)
    status, _, err = typed("play", "drop-block", *FOUR[1:], "./started", "--save", "locked/m.replay")
    assert status == 2
    assert "cannot be written" in err
    assert not (folder / "was-started").exists()


def test_no_traceback_in_a_process_of_its_own(folder: Path) -> None:
    """What is so inside this process is so in a shell."""
    status, out, err = type_alone("play", "draughts", "a", "b", cwd=folder)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "Traceback" not in err


def test_our_own_defects_keep_their_traceback(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that is not the operator's mistake is not hidden behind a sentence."""
    monkeypatch.setattr("dohyo.match.play.play_match", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        typed(*PLAY)


AS_ON_WINDOWS = """
import signal, sys
import typer  # it asks for modules of Windows where it finds itself there
for name in ("SIGHUP", "SIGPIPE", "SIGKILL"):
    delattr(signal, name)
sys.platform = "win32"
from dohyo.cli.main import main
sys.argv = ["dohyo", "games"]
main()
"""


def test_windows() -> None:
    """On Windows, where signals have no such names, there is one sentence, and it names WSL2."""
    ended = subprocess.run([sys.executable, "-c", AS_ON_WINDOWS], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert "WSL2" in ended.stderr


def test_a_file_called_as_an_option(typed: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a shell makes of `*`, where somebody handed in a folder called `--trust`, is refused with the remedy."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "--trust").mkdir()
    for words in (("play", "--trust", "drop-block", "a.py"), ("contest", "run", "x", "--trust")):
        came = typed(*words)
        assert came.status == 2
        assert "'--trust' is an option, and also the name of a file or folder here; write './--trust'" in came.err
    for allowed in (("arena", "cat", "--trust"), ("play", "--", "--trust"), ("play", "-", "--sandbox=none")):
        main._check_words(allowed)  # the first is the program's own


def test_no_path_is_suggested_in_a_folder_that_is_not_there(typed: Type, folder: Path) -> None:
    """A folder that does not exist holds nothing; what is called nearly so is named as it is."""
    for name in ("m.html", "index.html", "xyz.py"):
        (folder / name).touch()
    assert typed("check", "drop-block", "abc.py").err.startswith("There is no bot 'abc.py': ")  # .py alone is alike
    said = typed("check", "drop-block", "nodir/").err
    assert said.startswith("There is no bot 'nodir/': ")
    assert "'stil/' (still?)" in typed("check", "drop-block", "stil/").err
