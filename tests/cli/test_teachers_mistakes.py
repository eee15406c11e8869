"""What a teacher types wrongly, or has a right to type: one sentence with the remedy, and nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dohyo.bots.typed_words import named
from dohyo.core.errors import OperatorError
from dohyo.series import rulings
from dohyo.series.another import another, with_command
from dohyo.series.loop import Loop
from dohyo.series.session import look
from dohyo.series.store import open_store
from tests.cli.conftest import Type
from tests.series.contests import write_bot
from tests.series.made_contests import hold

FOUR = ("hunter", "mine", "other", "random")
BESIDE = ("b=./still", "c=./still", "a a=./still")
FEW = ("--setup", "turns=9", "--seed", "11", "--clock", "60", "--sandbox", "none", "--trust")


@pytest.fixture
def store(folder: Path) -> Path:
    """A store with a contest 'spring' of Drop-Block that is over."""
    hold(folder / "s.db", game="drop-block", names=FOUR, rounds=1)
    return folder / "s.db"


def test_a_further_contest_is_begun_by_its_name_only(store: Path, typed: Type) -> None:
    """Without a name nothing begins beside another contest, and no bot is built for it; with one, it begins."""
    words = ("contest", "run", "--game", "drop-block", *["./still"] * 3, "a=./still", "--store", "s.db", *FEW)
    done = typed(*words)
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(
        "The store 's.db' holds another contest already (spring); add --name NAME to begin a further one in it, "
        "or begin another contest in a file of its own: "
        "dohyo contest run --game drop-block ./still ./still ./still a=./still "
        "--setup turns=9 --seed 11 --clock 60 --sandbox none --trust --store s-2.db\n"
    )
    assert "--name NAME" in typed(*words, "--lang", "ja").err
    with open_store("s.db") as opened:
        assert [contest.name for contest in opened.contests()] == ["spring"]


def test_several_contests_are_chosen_by_name(store: Path, typed: Type) -> None:
    """The sentence names `--name`."""
    with open_store("s.db") as opened:
        opened.begin("contest", "drop-block", {}, 1.0)
    done = typed("contest", "standings", "s.db")
    assert done == (2, "", "The store 's.db' holds several contests; say which by --name: spring, contest.\n")
    assert "--name" in typed("contest", "standings", "s.db", "--lang", "ja").err


def test_a_contest_is_deleted(store: Path, typed: Type) -> None:
    """Only with --force, and only the one: its rows go, others' stay, and the store is whole afterwards."""
    with open_store("s.db") as opened:
        matches = {contest.name: contest for contest in opened.contests()}
        spring = matches["spring"].id
        opened.begin("contest", "drop-block", {}, 1.0)
        played = sum(batch.played for batch in opened.progress(spring))
    done = typed("contest", "delete", "s.db", "spring")
    assert (done.status, done.out) == (2, "")
    assert f"with {played} match" in done.err
    assert "--force" in done.err
    assert "--force" in typed("contest", "delete", "s.db", "spring", "--lang", "ja").err
    done = typed("contest", "delete", "s.db", "spring", "--force")
    assert (done.status, done.err) == (0, "")
    with open_store("s.db") as opened:
        assert [contest.name for contest in opened.contests()] == ["contest"]
        assert not list(opened.verify())
        assert not opened.entrants(spring)
    assert typed("contest", "delete", "s.db", "sprig", "--force").status == 2
    hold(store, game="drop-block", names=FOUR, rounds=1)  # it can begin anew
    assert typed("contest", "standings", "s.db", "--name", "spring").status == 0


@pytest.mark.parametrize("word", ["pause", "remove", "resume"])
def test_nobody_leaves_a_contest_that_is_over(word: str, store: Path, typed: Type) -> None:
    """There is no next batch, so it would be a lie to say from when."""
    done = typed("contest", word, "s.db", "hunter")
    assert (done.status, done.out) == (2, "")
    assert "'spring' is over" in done.err
    assert "「spring」は終わった" in typed("contest", word, "s.db", "hunter", "--lang", "ja").err


def test_names_with_spaces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full name before `=` and a bot is a name; whatever could be started as a command line stays one."""
    (folder / "hand ins").mkdir()
    for name in ("s1.py", "hand ins/s2.py", "book.bin"):
        (folder / name).touch()
    for word in ("Charles Babbage=s1.py", "山田 太郎=./hand ins/s2.py", "Mary O'Brien=s1.py", "A B=git:HEAD:s1.py"):
        assert (named(word).name, named(word).text) == tuple(word.split("=", 1))
    for word in (
        "python3 s1.py book=book.bin",  # a program
        "./still book=book.bin",  # a path
        "still book=book.bin",  # a file
        "bot --book=book.bin",  # an option
        "bot 'a=s1.py'",
        "'my bot' a=s1.py",
        "Charles Babbage=nowhere.py",  # nothing is there
        "Charles Babbage=python3 s1.py",
    ):
        assert (named(word).name, named(word).text) == ("", word)
    (folder / "Charles Babbage=s1.py").touch()
    assert named("Charles Babbage=s1.py").name == ""


def test_full_names_are_played(folder: Path, typed: Type) -> None:
    """They stand in the table as typed."""
    bots = ["Charles Babbage=./still", "山田 太郎=./still", "a=./still", "b=./still"]
    done = typed("contest", "run", "--game", "drop-block", *bots, "--store", "c.db", *FEW)
    assert (done.status, "Charles Babbage" in done.out, "山田 太郎" in done.out) == (0, True, True)


def test_changed_files_of_a_gauntlet(folder: Path, typed: Type) -> None:
    """It takes no new versions: the sentence says what goes on with the old ones, and that goes on."""
    words = (
        "contest",
        "run",
        "--game",
        "drop-block",
        "--format",
        "gauntlet",
        *["./still"],
        "a=./still",
        "b=./still",
        "c=./still",
    )
    assert typed(*words, "--store", "my c.db", *FEW).status == 0
    script = folder / "still"
    script.write_text(script.read_text() + "# repaired\n")
    done = typed(*words, "--store", "my c.db", *FEW)
    assert (done.status, "which the store has (dohyo contest run 'my c.db'), or begin another" in done.err) == (
        2,
        True,
    )
    assert "「dohyo contest run 'my c.db'」" in typed(*words, "--store", "my c.db", *FEW, "--lang", "ja").err
    assert typed("contest", "run", "my c.db", "--sandbox", "none", "--trust").status == 0
    assert os.path.exists("my c.db")


def test_changed_files_of_a_round_robin_that_is_over(folder: Path, typed: Type) -> None:
    """What was played goes on counting until somebody asks for the new version: nothing is written before that."""
    words = ("contest", "run", "--game", "drop-block", "./still", "a=./still", "b=./own", "c=./still", *FEW)
    own = folder / "own"
    own.write_text((folder / "still").read_text())
    own.chmod(0o755)
    first = typed(*words, "--store", "my c.db")
    table = typed("contest", "standings", "my c.db").out
    assert first.status == 0
    own.write_text(own.read_text() + "# edited by mistake\n")
    done = typed(*words, "--store", "my c.db")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "The contest 'contest' was played to its end, and files of bots have changed since: b; with new versions, 4 "
        "matches of the old ones would count for nobody, for good. Add --replace to let them enter. The table as it "
        "is: dohyo contest standings 'my c.db'\n"
    )
    assert "--replace" in typed(*words, "--store", "my c.db", "--lang", "ja").err
    assert typed("contest", "standings", "my c.db").out == table
    assert typed(*words, "--store", "my c.db", "--replace", "--frozen").status == 2
    assert typed(*words, "--store", "my c.db", "--replace").status == 0
    assert typed(*words, "--store", "my c.db").status == 0


@pytest.mark.parametrize("way", ["before", "after"])
def test_a_second_change_before_the_replaced_matches_are_played(
    folder: Path, typed: Type, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Once the operator has given up the end, a further version enters as in any unfinished contest.

    So it is whether it was stopped before the first new match or after the last: only the next end asks again.
    """
    words = ("contest", "run", "--game", "drop-block", "./still", "a=./own", "b=./other", "c=./still", *FEW)
    for name in ("own", "other"):
        write_bot(folder / name)
    assert typed(*words).status == 0
    run = Loop.run

    def stops(self: Loop, *given: Any) -> bool:
        if way == "after":
            run(self, *given)
        raise KeyboardInterrupt

    write_bot(folder / "own", "echo U")
    with monkeypatch.context() as patched:
        patched.setattr(Loop, "run", stops)
        assert typed(*words, "--replace").status == 130
    write_bot(folder / "other", "echo D")
    again = typed(*words)
    assert (again.status, "A new version of 'b' enters." in again.err) == (0, True)
    write_bot(folder / "other", "echo L")
    over = typed(*words)
    assert (over.status, "was played to its end" in over.err) == (2, True)


@pytest.mark.parametrize("way", ["ruled", "killed"])
def test_changed_files_of_a_round_robin_that_was_over(folder: Path, typed: Type, way: str) -> None:
    """The same where it goes on after its end, with what was ruled since, and did not come to an end again."""
    words = ("contest", "run", "--game", "drop-block", "./still", "a=./still", "b=./own", "c=./still", *FEW)
    own = folder / "own"
    own.write_text((folder / "still").read_text())
    own.chmod(0o755)
    assert typed(*words, "--store", "c.db").status == 0
    if way == "killed":
        assert typed(*words, "--store", "c.db").status == 0
    with open_store("c.db") as store:
        if way == "killed":
            store.set_state(store.contest().id, "running")
        else:
            assert rulings.reopen(look(store, None))
    own.write_text(own.read_text() + "# edited by mistake\n")
    done = typed(*words, "--store", "c.db")
    assert (done.status, done.out, "--replace" in done.err) == (2, "", True)
    assert typed(*words, "--store", "c.db", "--replace").status == 0


RUN = ("contest", "run", "--game", "drop-block", "./still")
WRONG = {
    "a folder": (
        ("contest", "run", "hand ins"),
        "dohyo contest run --game GAME --folder 'hand ins'\n",
        "「hand ins」はフォルダーです",
    ),
    "a folder alone": (
        ("contest", "run", "--folder", "hand ins"),
        "dohyo contest run --game GAME --folder 'hand ins', or write both into a contest file and type dohyo contest "
        "run FILE.toml.\n",
        "大会ファイルに書いて",
    ),
    "a store": (
        ("replay", "my s.db"),
        "dohyo contest replay 'my s.db' MATCH (dohyo contest matches 'my s.db' lists them).\n",
        "dohyo contest replay 'my s.db' MATCH",
    ),
    "a table": (
        ("contest", "standings", "check.csv"),
        "name the file that has a contest's results, such as contest.db.\n",
        "大会の結果を入れたファイル",
    ),
    "a contest file": (
        ("contest", "report", "class.toml", "--html", "r.html"),
        "name the file that has a contest's results, such as class.db.\n",
        "例：class.db",
    ),
    "results": (
        ("contest", "verify", "results.tar"),
        "'dohyo verify results.tar' checks",
        "dohyo verify results.tar",
    ),
    "no page": (("contest", "report", "class.db"), "needs --html FILE;", "--html FILE"),
    "no folder": (("contest", "site", "class.db"), "needs --out DIR;", "--out DIR"),
    "a comma": ((*RUN, "--clock", "0,1"), "There is no clock '0,1' ('0.1'?)", "「0.1」ですか"),
    "a comma of two": (("check", "drop-block", "./still", "--clock", "1,25"), "('1.25'?)", "「1.25」ですか"),
    "knockout": ((*RUN, "--format", "knockout"), "('single-elimination'?)", "single-elimination"),
    "Knock-Out": ((*RUN, "--format", "Knock-Out"), "('single-elimination'?)", "single-elimination"),
    "総当たり": ((*RUN, "--format", "総当たり"), "('round-robin'?)", "round-robin"),
    "spaces": (("check", "drop-block", "my", "hand", "ins"), "a name with spaces needs quotes", "引用符で囲んで"),
    "no such command": (
        ("contest", "standing", "class.db"),
        "There is no command 'dohyo contest standing' ('standings'?); there are: run, ",
        "「dohyo contest standing」というコマンドはありません(「standings」ですか？)",
    ),
    "no such file": (
        ("replay", "nowhere"),
        "(No such file or directory)",
        "(そのファイルやフォルダーはありません)",
    ),
    "no file": (("replay", "hand ins"), "(Is a directory)", "(フォルダーです)"),
    "below a file": (("replay", "check.csv/a"), "(Not a directory)", "(途中にフォルダーでないものがあります)"),
}


@pytest.mark.parametrize(("words", "english", "japanese"), WRONG.values(), ids=WRONG)
def test_the_remedy_is_what_can_be_typed(
    words: tuple[str, ...], english: str, japanese: str, folder: Path, typed: Type
) -> None:
    """One sentence, with the words that were meant, in both languages; nothing is written."""
    (folder / "hand ins").mkdir()
    for name in ("check.csv", "class.toml", "results.tar"):
        (folder / name).write_text("what: a file\n")
    (folder / "my s.db").write_bytes(b"SQLite format 3\0")
    before = sorted(os.listdir())
    for told, more in ((english, ()), (japanese, ("--lang", "ja"))):
        done = typed(*words, *more)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done.err
        assert told in done.err
        assert "words" not in done.err.split(":")[-1].split(", ")  # a command that nobody types
    assert sorted(os.listdir()) == before


def test_a_long_list_of_bots_is_cut(folder: Path, typed: Type) -> None:
    """At most ten of them are named, and how many more there are."""
    hold(folder / "s.db", game="drop-block", names=[f"s{number}" for number in range(101, 131)], rounds=1)
    for words in (("matches", "s.db", "--bot", "ada"), ("matches", "s.db", "--bot", "ada", "--lang", "ja")):
        done = typed("contest", *words)
        assert (done.status, done.err.count(", s"), "s110, ... (+20)" in done.err) == (2, 9, True)


def test_a_second_contest_is_proposed_with_a_store_of_its_own(folder: Path, typed: Type) -> None:
    """Where the usual store has another contest, the whole command is said that begins this one beside it."""
    hold(folder / "contest.db", game="drop-block", names=FOUR, rounds=1)
    with open_store("contest.db") as opened:
        (spring,) = opened.contests()
        opened.begin("contest", "drop-block", spring.spec, 1.0)
        opened.enter(opened.contest("contest").id, opened.entrants(spring.id), 1.0)
    (folder / "contest-2.db").touch()
    words = ("contest", "run", "--game", "drop-block", "./still", *BESIDE, *FEW)
    command = (
        "dohyo contest run --game drop-block ./still b=./still c=./still 'a a=./still' --setup turns=9 --seed 11 "
    )
    command += "--clock 60 --sandbox none --trust --store contest-3.db"
    told = typed(*words).err.splitlines()[-1]
    assert told.endswith(f"or begin another contest in a file of its own: {command}")
    assert command in typed(*words, "--store", "contest.db").err  # the option typed is replaced
    assert command in typed(*words, "--store=contest.db").err
    assert command in typed("--lang", "ja", *words).err.replace(" --lang ja", "")


def test_a_proposed_command_is_whole_or_not_written() -> None:
    """The option stands before what belongs to a bot; a command too long for a sentence is the option alone."""
    error = OperatorError("contest-closed", name="a", format="b", another=another("results.db"))
    proposed = with_command(error, ["contest", "run", "--", "-x"]).message.values["another"]
    assert proposed.values["command"] == "dohyo contest run --store results-2.db -- -x"
    error = OperatorError("contest-closed", name="a", format="b", another=another("results.db"))
    proposed = with_command(error, ["contest", "run", *["bot"] * 1000]).message.values["another"]
    assert proposed.values["command"] == "--store results-2.db"
    assert another("postgresql://host/name").values == {}
