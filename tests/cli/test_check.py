"""`dohyo check`: what a person reads of one bot, and the table of many."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import pytest

from dohyo import games
from dohyo.bench.check import protocol_check
from dohyo.bench.check.diagnosis import diagnose_fault
from dohyo.bench.check.findings import CheckReport
from dohyo.bench.check.in_short import COLUMNS
from dohyo.cli.check import FURTHER
from dohyo.core.faults import Fault, FaultKind
from dohyo.i18n import ENGLISH
from dohyo.terminal.author_texts import Records
from tests import skips
from tests.cli.conftest import ASKED, Type
from tests.cli.typed import type_alone
from tests.processes import nobody_left

__all__ = ["nobody_left"]

SHORT = ("--setup", "turns=8")
LOWER = f"echo READY; {ASKED} echo u; fi; done"
FORTY = ("--setup", "turns=40")
LATE = f"echo READY; n=0; {ASKED} n=$((n + 1)); [ $n -le 6 ] || exit 3; echo N; fi; done"
BROKEN = "int main() { return missing; }\n"


@pytest.fixture(scope="module", autouse=True)
def without_processes() -> None:
    """A class is checked as a teacher does it: what reads the hand-ins, and what plays, are processes apart."""


@pytest.fixture
def hand_ins(folder: Path) -> Path:
    """A folder of hand-ins: a good one, one in small letters, one that gives up, one not unpacked, and a text."""
    place = folder / "hand-ins"
    place.mkdir()
    (folder / "still").rename(place / "still.sh")
    (folder / "quitter").rename(place / "quitter.sh")
    (place / "lower.sh").write_text(f"#!/bin/sh\n{LOWER}\n")
    (place / "late.zip").write_bytes(b"PK")
    (place / "notes.txt").write_text("Thirty of them are expected.\n")
    (place / ".hidden.sh").write_text("exit 1\n")
    return place


@pytest.fixture(autouse=True)
def _waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing that never comes."""
    for name in ("LATE", "NEXT", "LONGER", "SHORT"):
        monkeypatch.setattr(protocol_check, name, 0.05)


def table(out: str) -> dict[str, dict[str, str]]:
    """The rows of a CSV table by bot."""
    return {row["bot"]: row for row in csv.DictReader(io.StringIO(out))}


def test_a_good_bot_in_a_process_of_its_own(folder: Path) -> None:
    """A bot that does nothing wrong: what was examined, its times, exit status 0."""
    status, out, err = type_alone("check", "drop-block", "./still", *SHORT, "--clock", "60", cwd=folder)
    assert (status, err) == (0, "")
    assert out.startswith("Drop-Block: still\n")
    for told in ("It starts.", "It says READY", "It answers turn after turn", "Turns: ", "Fit for a contest."):
        assert told in out
    assert all(line == line.rstrip() for line in out.splitlines())


def test_time_for_the_whole_match(typed: Type) -> None:
    """No turn has a limit of its own then, so none is said to be near it; a command that measures says the same."""
    status, out, err = typed("check", "drop-block", "./still", *SHORT, "--clock", "900+9")
    assert (status, err) == (0, "")
    assert re.search(r"^Turns: \d+; median .*, longest after it [0-9.]+ m?s\.$", out, re.MULTILINE)
    rows = table(typed("check", "drop-block", "./still", *SHORT, "--clock", "900+9", "--each", "--csv").out)
    assert (rows["still"]["limit"], rows["still"]["share"]) == ("", "")
    players = ("./still", "./still", "./still", "./still")
    status, out, err = typed("profile", "drop-block", *players, *SHORT, "--clock", "900+9.5", "--html", "p.html")
    assert (status, err) == (0, "")
    assert " 32.00 s " in out  # a fortieth, and the increment
    assert "half of" not in out


def test_a_bot_that_is_wrong(typed: Type, folder: Path) -> None:
    """What is wrong, where, the remedy, the very input, and exit status 1."""
    (folder / "lower.sh").write_text(f"{LOWER}\n")
    status, out, err = typed("check", "drop-block", "lower.sh", *SHORT, "--clock", "60")
    assert (status, err) == (1, "")
    assert "It wrote 'u' where U is expected" in out
    assert "its turn 1, line 2 of its output, seen" in out
    assert "\u2192 Print U." in out
    assert "        0\n        0\n        0 0 0 0 0 0\n" in out
    assert "EOD\n" in out
    assert "Not fit for a contest yet: one thing is wrong." in out


def test_a_crash(typed: Type) -> None:
    """A bot that gives up: its exit status and the last lines of its standard error."""
    status, out, _ = typed("check", "drop-block", "./quitter", *SHORT, "--clock", "60")
    assert status == 1
    assert "It crashed (exit status 3): I give up" in out
    assert "its standard error:\n" in out
    assert "\n        I give up\n" in out


def test_what_a_bot_writes_does_no_harm(typed: Type, folder: Path) -> None:
    """Nothing that a bot writes reaches the terminal as a command, or as a style."""
    script = f"echo READY; {ASKED} printf '[red]\\033[31m{{0}}\\n'; fi; done"
    (folder / "evil.sh").write_text(f"{script}\n")
    status, out, _ = typed("check", "drop-block", "evil.sh", *SHORT, "--clock", "60")
    assert status == 1
    assert "\x1b" not in out
    assert "[red]" in out


def test_japanese(typed: Type) -> None:
    """Everything is told in Japanese, too."""
    _, out, _ = typed("check", "drop-block", "./quitter", *SHORT, "--clock", "60", "--lang", "ja")
    assert "異常終了しました" in out
    assert "まだ大会に参加できません" in out
    assert "fit" not in out.lower()


def test_json(typed: Type) -> None:
    """With --json there is one document: the examination, whether it is fit, and the sentences."""
    status, out, err = typed("check", "drop-block", "./quitter", *SHORT, "--clock", "60", "--json")
    told = json.loads(out)
    assert (status, err) == (1, "")
    assert (told["game"], told["name"], told["fit"], told["limit"]) == ("drop-block", "quitter", False, 60)
    finding = told["findings"][-1]
    assert (finding["key"], finding["severity"], finding["turn"]) == ("check.exited", "wrong", 1)
    assert finding["says"].startswith("It crashed")
    assert finding["input"].endswith("EOD\n")


LEFT_OUT = (
    "Left out, because they are no source of a known language, no program, no zip or tar and no folder: notes.txt\n"
)


def test_a_folder_as_csv(typed: Type, hand_ins: Path) -> None:
    """One row a hand-in by name, whatever is wrong with it; what is no bot is left out; exit status 1."""
    status, out, err = typed("check", "drop-block", str(hand_ins), "--csv", *SHORT, "--clock", "60")
    assert (status, err) == (1, LEFT_OUT)
    assert out.splitlines()[0] == ",".join((*COLUMNS, *FURTHER))
    rows = table(out)
    assert list(rows) == ["late.zip", "lower.sh", "quitter.sh", "still.sh"]
    assert [row["fit"] for row in rows.values()] == ["no", "no", "no", "yes"]
    assert "unpacked" in rows["late.zip"]["wrong"]
    assert "U is expected" in rows["lower.sh"]["wrong"]
    assert "I give up" in rows["quitter.sh"]["wrong"]
    assert rows["still.sh"]["wrong"] == ""
    assert rows["still.sh"]["language"] == "shell"
    assert int(rows["still.sh"]["turns"]) > 0
    assert 0 < float(rows["still.sh"]["median"]) < 60
    assert 0 < float(rows["still.sh"]["longest"]) < 60
    assert rows["still.sh"]["limit"] == "60.0"
    assert float(rows["still.sh"]["share"]) < 1
    assert rows["late.zip"]["median"] == ""
    assert len(rows["still.sh"]["digest"]) == 64
    assert [row["name"] for row in rows.values()] == [""] * 4


def test_a_folder_as_a_table(typed: Type, hand_ins: Path) -> None:
    """Without --csv the same folder is a table for people, with how many are fit."""
    (hand_ins / "late.zip").unlink()
    status, out, _ = typed("check", "drop-block", str(hand_ins), "--each", *SHORT, "--clock", "60")
    assert status == 1
    assert out.startswith("Bot ")
    assert [line.split()[0] for line in out.splitlines()[1:4]] == ["lower.sh", "quitter.sh", "still.sh"]
    assert "Drop-Block: 1 of 3 are fit." in out


def test_a_folder_of_several_bots_needs_no_word(typed: Type, hand_ins: Path) -> None:
    """A folder that cannot be one bot is taken for several; those that are fit make the exit status 0."""
    for name in ("late.zip", "lower.sh", "quitter.sh"):
        (hand_ins / name).unlink()
    (hand_ins / "again.sh").write_bytes((hand_ins / "still.sh").read_bytes())
    status, out, _ = typed("check", "drop-block", str(hand_ins), *SHORT, "--clock", "60")
    assert status == 0
    assert "2 of 2 are fit" in out
    documents = json.loads(
        typed("check", "drop-block", str(hand_ins), "--each", "--json", *SHORT, "--clock", "60").out
    )
    assert [document["name"] for document in documents] == ["again.sh", "still.sh"]


def test_a_folder_that_may_be_one_bot(typed: Type, hand_ins: Path) -> None:
    """Where a bot.toml lies in a folder that is taken apart, its owner is told how it is examined as one bot.

    It stays apart: a single hand-in of that name must not hide all the others.
    """
    for name in ("late.zip", "lower.sh", "quitter.sh"):
        (hand_ins / name).unlink()
    words = ("check", "drop-block", str(hand_ins), *SHORT, "--clock", "60")
    assert "leave --each and --csv out" not in typed(*words, "--each").out
    (hand_ins / "bot.toml").write_text('run = "sh still.sh"')
    assert "A bot.toml lies there" in typed(*words, "--each").out
    _, out, err = typed(*words, "--csv")
    assert list(table(out)) == ["still.sh"]
    assert "if it is one, leave --each and --csv out" in err
    assert "Fit for a contest" in typed(*words).out
    (hand_ins / "names.csv").write_text("still.sh,Ann\n")  # a class has names
    assert "A bot.toml lies there" not in typed(*words, "--names", str(hand_ins / "names.csv")).out


def test_a_hand_in_that_does_not_build(typed: Type, hand_ins: Path) -> None:
    """A source that does not build is a row, and the others are examined all the same; alone it is a mistake."""
    skips.program("g++")
    (hand_ins / "aaa.cpp").write_text(BROKEN)
    rows = table(typed("check", "drop-block", str(hand_ins), "--csv", *SHORT, "--clock", "60").out)
    assert "The bot 'aaa.cpp' does not build" in rows["aaa.cpp"]["wrong"]
    assert (rows["aaa.cpp"]["language"], rows["aaa.cpp"]["turns"]) == ("c++", "0")
    assert rows["still.sh"]["fit"] == "yes"
    status, out, err = typed("check", "drop-block", str(hand_ins / "aaa.cpp"))
    assert (status, out) == (2, "")
    assert "missing" in err
    assert "the one bot does not build" in " ".join(typed("check", "--help").out.split())
    (hand_ins / "bbb.cpp").write_text(BROKEN)
    for name in ("lower.sh", "quitter.sh", "still.sh"):
        (hand_ins / name).unlink()
    assert "0 of 3 are fit" in typed("check", "drop-block", str(hand_ins)).out


def test_operators_mistakes(typed: Type, hand_ins: Path, folder: Path) -> None:
    """One sentence with the remedy and exit status 2; a wrong setup or clock is told before anything is examined."""
    (folder / "empty").mkdir()
    mistakes = {
        ("drop-blok", "x"): "no game",
        ("drop-block", "./nobody"): "no bot './nobody'",
        ("drop-block", "empty", "--csv"): "no bot in 'empty'",
        ("drop-block", str(hand_ins), "--csv", "--json"): "omit one of them",
        ("drop-block", str(hand_ins), "--csv", "--clock", "soon"): "no clock 'soon'",
        ("drop-block", str(hand_ins), "--csv", "--setup", "turn=1"): "no setup option 'turn'",
        ("drop-block", str(hand_ins), "--csv", "--seed", "x"): "whole number",
        ("drop-block", str(hand_ins), "--csv", "--seed", "-1"): "0 - 9",
        ("drop-block", "random", "--python", "./no-python"): "no Python interpreter './no-python'",
    }
    for words, told in mistakes.items():
        status, out, err = typed("check", *words)
        assert (status, out) == (2, ""), words
        assert told in err
        assert len(err.splitlines()) == 1


def test_interrupted(folder: Path, nobody_left: None) -> None:
    """Ctrl-C in the midst of an examination ends it with the status that shells know, and nobody is left."""
    import os
    import signal

    from tests.cli.typed import environment, start
    from tests.processes import marked

    os.mkfifo(folder / "asked")
    script = f"echo READY; {ASKED} echo > {folder}/asked; exec sleep 1000; fi; done"
    (folder / "hangs.sh").write_text(f"{script}\n")
    mark = f"{folder.name}-{os.getpid()}"
    words = ("check", "drop-block", "hangs.sh", "--clock", "60", "--trust")
    process = start(*words, cwd=folder, env=environment(DOHYO_MARK=mark))
    (folder / "asked").read_text()  # it has been asked, and will never answer
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "nothing is left running" in err
    assert "Traceback" not in out + err
    assert marked("DOHYO_MARK", mark) == []


def test_what_the_compiler_says_stands_in_a_row(typed: Type, folder: Path) -> None:
    """A bot that does not build has the first error's line in its row, and no more than a line of it."""
    (folder / "hand").mkdir()
    (folder / "hand" / "carol.cpp").write_text("int main() { return missing; }\n" + "x;\n" * 200)
    rows = table(typed("check", "drop-block", "hand", "--csv", *SHORT).out)
    said = rows["carol.cpp"]["wrong"]
    assert "carol.cpp:1:" in said
    assert "missing" in said
    assert len(said) < 700
    assert "missing" in typed("check", "drop-block", "hand", "--each", *SHORT).out


@pytest.mark.parametrize(
    ("lang", "remedy"), [("en", "fix what the compiler reports"), ("ja", "コンパイラーの指摘を直す")]
)
def test_a_text_for_each_author(typed: Type, folder: Path, lang: str, remedy: str) -> None:
    """Each hand-in has a text with what was found, the compiler's lines and the remedy, in the language asked for.

    The replay of the match that went wrong lies in a folder of its own; the teacher's folder is not named.
    """
    (folder / "hand").mkdir()
    (folder / "hand" / "carol.cpp").write_text("int main() { return missing; }\n")
    (folder / "hand" / "a b.sh").write_text(LATE)
    (folder / "hand" / "a-b.sh").write_text((folder / "still").read_text())
    typed("check", "drop-block", "hand", "--csv", "--feedback", "texts", "--lang", lang, *FORTY)
    texts = {path.name: path for path in (folder / "texts").iterdir()}
    assert set(texts) == {"carol.cpp.txt", "a-b.sh.txt", "a-b.sh-2.txt", "replays"}
    (replay,) = texts["replays"].iterdir()
    assert f"replays/{replay.name}" in texts["a-b.sh.txt"].read_text()
    carol = texts["carol.cpp.txt"].read_text()
    assert remedy in carol
    assert "carol.cpp:1:" in carol
    assert str(folder) not in "".join(path.read_text() for path in texts.values() if path.suffix == ".txt")
    assert "\x1b" not in carol
    assert "a b.sh" in texts["a-b.sh.txt"].read_text()
    assert typed("replay", str(replay)).status == 0


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)], ids=["words", "json", "csv"])
def test_a_text_for_the_author_of_the_one_bot_that_does_not_build(typed: Type, folder: Path, form: list[str]) -> None:
    """One bot alone that does not build has its text as well, with the compiler's lines; where is told apart."""
    (folder / "carol.cpp").write_text(BROKEN)
    done = typed("check", "drop-block", "carol.cpp", "--feedback", "texts", *form, *FORTY)
    assert (done.status, done.out) == (2, "")
    assert "For its author: texts/carol.cpp.txt" in done.err
    text = (folder / "texts" / "carol.cpp.txt").read_text()
    assert "fix what the compiler reports" in text
    assert "carol.cpp:1:" in text
    assert str(folder) not in text
    assert "--setup turns=40" in text
    assert typed("check", "drop-block", "carol.cpp", *form, *FORTY).err.startswith(
        "The bot 'carol.cpp' does not build"
    )


def test_no_text_for_a_mistake_of_the_operator(typed: Type, folder: Path) -> None:
    """A wrong option, or a bot that is not there, is no fault of a bot's author."""
    for words in (("still", "--setup", "turns=x"), ("nobody.py",)):
        assert typed("check", "drop-block", *words, "--feedback", "texts").status == 2
        assert list((folder / "texts").iterdir()) == []


def test_a_hand_in_s_name_is_no_option_in_a_text_for_its_author(typed: Type, folder: Path) -> None:
    """A file called like an option stands in the commands of its text as a path, which somebody may copy."""
    (folder / "hand").mkdir()
    (folder / "hand" / "--trust.sh").write_text("exit 3\n")
    assert typed("check", "drop-block", "hand", "--each", "--feedback", "texts", *FORTY).status == 1
    (text,) = (folder / "texts").glob("*.txt")
    commands = [line for line in text.read_text().splitlines() if " dohyo " in line]
    assert commands
    assert all(" ./--trust.sh" in line for line in commands)


def test_a_text_for_the_author_of_a_long_name(typed: Type, folder: Path) -> None:
    """A folder whose name leaves no room for an ending, 63 letters of four bytes each, ends no class."""
    home = folder / "hand" / (chr(0x20000) * 63)
    home.mkdir(parents=True)
    (home / "bot.toml").write_text('run = "sh bot.sh"\n')
    (home / "bot.sh").write_text((folder / "still").read_text())
    done = typed("check", "drop-block", "hand", "--csv", "--feedback", "texts", *FORTY)
    assert "too long" not in done.err
    assert [path.suffix for path in (folder / "texts").iterdir()] == [".txt"]


def test_a_match_that_went_wrong_is_played_again(typed: Type, folder: Path) -> None:
    """Its seed and the command are told, and the command shows the same fault; its replay is saved.

    How often a thing was seen stands behind where it was, or alone without a comma.
    """
    (folder / "late.sh").write_text(LATE)
    done = typed("check", "drop-block", "late.sh", "--save", "m.replay", *FORTY)
    assert "seen 2 times" in done.out
    assert "  , seen" not in done.out
    (line,) = [line for line in done.out.splitlines() if line.startswith("Match 1 again")]
    seed = re.search(r"\(seed (\d+)\): dohyo (play .*)", line)
    assert seed is not None
    again = typed(*shlex.split(seed[2]))
    assert "exited, status 3" in again.out
    (at,) = re.findall(r"match 1, turn (\d+) \(its turn \d+\), seen", done.out)
    assert f"turn {at}, seat 0, late: exited, status 3" in again.out
    each = typed("check", "drop-block", ".", "--each", "--csv", *FORTY).out
    assert re.search(r"match 1, turn \d+ \(its turn \d+\): It ", each)
    assert json.loads(typed("replay", "m.replay", "--json").out)["seed"] == int(seed[1])
    assert "No match went wrong" in typed("check", "drop-block", "still", "--save", "n.replay", *SHORT).out
    assert not (folder / "n.replay").exists()
    (folder / "hand").mkdir()
    (folder / "hand" / "still.sh").write_text((folder / "still").read_text())
    assert "--feedback" in typed("check", "drop-block", "hand", "--each", "--save", "x.replay", *FORTY).err


def test_how_far_it_is_in_a_file_too(typed: Type, hand_ins: Path) -> None:
    """Where no terminal looks on, each hand-in has a line on standard error when its turn comes, not one picture."""
    done = typed("check", "drop-block", str(hand_ins), "--each", *SHORT, "--clock", "60")
    lines = done.err.splitlines()
    assert lines
    assert lines[0].startswith("Examining late.zip (1 of 4)")
    assert "\r" not in done.err


def test_a_class_with_a_hand_in_called_main(typed: Type, tmp_path: Path) -> None:
    """A folder that is taken as one bot, for one is called main, is said to be; a bot's folder of one file is not.

    That stands first in the report, also in the one for scripts.
    """
    for folder, names in (("class", ("main", "alice", "bob")), ("bot", ("main",)), ("odd", ("test",))):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.sh").write_text((tmp_path / "still").read_text())
    told = "The folder is examined as one bot, which uses nothing of 2 other programs in it: alice.sh, bob.sh."
    report = typed("check", "drop-block", "class", *SHORT, "--clock", "60").out
    assert told in " ".join(report.split())
    assert "add --each" in report
    (first, *_) = json.loads(typed("check", "drop-block", "class", *SHORT, "--clock", "60", "--json").out)["findings"]
    assert (first["severity"], first["says"]) == ("warning", told)
    assert "as one bot" not in typed("check", "drop-block", "bot", *SHORT, "--clock", "60").out
    assert "started is test.sh" in typed("check", "drop-block", "odd", *SHORT, "--clock", "60").out


def test_a_remedy_names_its_whole_command(folder: Path) -> None:
    """Where a debug build says more, the text for an author has the command that makes it, as it can be typed."""
    finding = diagnose_fault(Fault(FaultKind.KILLED, status=6), 0.1, 1, language="c++")
    found = CheckReport(game="drop-block", name="crash", findings=[finding])
    records = Records(games.find("drop-block"), "dohyo check drop-block {} --seed 0", ENGLISH, "texts", None, ".")
    records.typed = "hand-ins/crash.cpp"
    records.name_commands(found)
    records.write_text(found)
    text = (folder / "texts" / "crash.txt").read_text()
    assert "says in which line: dohyo check drop-block hand-ins/crash.cpp --seed 0 --build debug\n" in text
    assert text.endswith("To examine it again: dohyo check drop-block hand-ins/crash.cpp --seed 0\n")
