"""A contest of a folder as a class hands it in: packed files, no hand-ins, copies, names of people."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from pathlib import Path
from types import FrameType
from typing import Any, Literal
from unicodedata import category, normalize

import pytest
from hypothesis import given

from dohyo import clean
from dohyo.core.errors import BuildError, OperatorError
from dohyo.i18n import Speaker
from dohyo.match import folder_bots
from dohyo.match.hand_in_names import Names, read_names, received_name
from dohyo.series.session import look
from dohyo.series.spec import compiler_lines
from dohyo.series.store import open_store
from tests.i18n.test_clean import WILD
from tests.series.contests import Notes, asked, opened, write_bot
from tests.series.test_returning import of_folder


def told(store: Path) -> tuple[dict[str, str], tuple[tuple[str, ...], ...], list[str]]:
    """What a store says of a contest: what was left out and why, whose files are the same, who plays."""
    with open_store(str(store)) as there:
        view = look(there, None)
        left_out = {each.name: each.reason(Speaker("en")) for each in view.spec.left_out}
        return left_out, view.spec.alike, [entry.version.name for entry in view.entrants]


def test_a_zip_takes_part(folder: Path, store: Path) -> None:
    """What a store says of a contest: what was left out and why, which files are the same, who plays."""
    write_bot(folder.parent / "main.sh")
    with zipfile.ZipFile(folder / "zoe.zip", "w") as made:
        made.write(folder.parent / "main.sh", "zoe/main.sh")
    wanted = of_folder(store, folder)
    opened(wanted).store.close()
    assert "zoe" in told(store)[2]
    (folder / "zoe.zip").unlink()
    with opened(wanted) as again:
        number = next(entry.number for entry in again.loop.roster.entrants if entry.version.name == "zoe")
        assert again.loop.roster.bot(number).command


def test_whatever_is_left_out_is_named(folder: Path, store: Path) -> None:
    """Each entry of the folder that does not take part stands in the store with the reason, until that changes."""
    (folder / "notes.txt").write_text("be good")
    (folder / ".hidden.py").write_text("print()")
    (folder / "bot.rar").write_text("Rar!")
    (folder / "__MACOSX").mkdir()
    notes = Notes()
    opened(of_folder(store, folder), notes=notes).store.close()
    left_out = told(store)[0]
    assert set(left_out) == {"notes.txt", ".hidden.py", "bot.rar"}
    assert notes.left_out == ["bot.rar"]
    assert str(folder) not in left_out["bot.rar"]
    (folder / "notes.txt").unlink()
    opened(of_folder(store, folder)).store.close()
    assert set(told(store)[0]) == {".hidden.py", "bot.rar"}


def test_names_that_are_no_text_end_no_contest(folder: Path, store: Path) -> None:
    """A hand-in with a file whose name is no UTF-8 is left out by itself, and so is one that is called so."""
    (folder / "odd").mkdir()
    write_bot(folder / "odd" / "main.sh")
    (folder / "odd" / os.fsdecode(b"\xff.txt")).write_text("")
    write_bot(folder / os.fsdecode(b"\xfe.sh"))
    notes = Notes()
    opened(of_folder(store, folder), notes=notes).store.close()
    assert sorted(notes.left_out) == ["odd", "\ufffd.sh"]
    assert len(told(store)[2]) == 5


def test_the_same_hand_in_twice(folder: Path, store: Path) -> None:
    """Hand-ins whose files hold the same are told, whatever the files are called and however they are packed."""
    (folder / "copy.sh").write_bytes((folder / "early").read_bytes())
    with zipfile.ZipFile(folder / "third.zip", "w") as made:
        made.write(folder / "early", "src/main.sh")
    opened(of_folder(store, folder)).store.close()
    assert [set(names) for names in told(store)[1]] == [{"copy", "early", "third"}]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("names.csv", "early,Ada\nlate,Grace Hopper\n"),
        ("names.csv", "\ufeffFile;Name\r\nearly;Ada\r\n\r\nlate;Grace Hopper\r\n"),
        ("names.txt", 'hand-in\tname\nearly\t"Ada"\nlate\tGrace Hopper\n'),
        ("names.toml", 'early = "Ada"\n"late" = "Grace Hopper"\n'),
    ],
)
def test_hand_ins_have_the_names_of_people(folder: Path, store: Path, file: str, content: str) -> None:
    """A file of hand-ins and names says what they are called in the contest; the rest keep their own names."""
    (folder.parent / file).write_text(content, encoding="utf-8", newline="")
    notes = Notes()
    wanted = asked(store, folder, bots=[], folder=str(folder), names=str(folder.parent / file))
    opened(wanted, notes=notes).store.close()
    assert sorted(told(store)[2]) == ["Ada", "Grace Hopper", "middling", "steady", "still"]
    opened(wanted).store.close()


def test_nobody_is_known_by_a_pseudonym(folder: Path, store: Path) -> None:
    """Who has one is called so in what was left out, too."""
    (folder / "s123.cpp").write_text("int main() { return x; }")
    (folder.parent / "names.csv").write_text("s123,Fox\n")
    opened(asked(store, folder, bots=[], folder=str(folder), names=str(folder.parent / "names.csv"))).store.close()
    left_out = told(store)[0]
    assert list(left_out) == ["Fox"]
    assert "s123" not in left_out["Fox"]
    with open_store(str(store)) as looked_at:
        (fox,) = look(looked_at, None).spec.left_out
    assert "Fox" in "\n".join(fox.log)  # the compiler names the file
    assert "error" in "\n".join(fox.log)
    assert not {"s123", str(folder)} & set(re.findall(r"[\w/]+", "\n".join(fox.log)))


def test_the_first_error_is_among_the_compilers_lines() -> None:
    """What follows from it may fill the last lines; so both are shown, and a line between stands for the rest."""
    before = ["compiling", "warning: -Werror is off"]
    after = [f"note {number}" for number in range(30)]

    def short(lines: list[str]) -> list[str]:
        return compiler_lines(BuildError("bot-build-failed", "\n".join(lines), bot="x"))

    assert short([*before, "a.c:3: error: ';'", *after]) == ["a.c:3: error: ';'", *after[:4], "…", *after[-10:]]
    assert short([*before, *after, "a.c:3: error: ';'"]) == [*after[-9:], "a.c:3: error: ';'"]
    assert short(["./a.go:3:1: x declared and not used", *after])[0].startswith("./a.go:3")  # none is called an error
    near = ["error", *after[:12]]
    assert short(near) == near
    assert short(["error", *after[:3]]) == ["error", *after[:3]]
    assert compiler_lines(OperatorError("contest-no-contenders")) == []


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("", "names-empty"),
        ("early\n", "names-malformed"),
        ("early,\n", "names-malformed"),
        ("early,Ada\nearly,Bob\n", "names-twice"),
        ("early,Ada\nlate,Ada\n", "names-shared"),
        ("early,Jos\u00e9\nlate,Jose\u0301\n", "names-shared"),  # drawn alike
        ("nobody,Ada\n", "names-of-none"),
        (f"early,{'A' * 65}\n", "contest-bot-name"),
        ("early,A\x1b[31m\n", "contest-bot-name"),
        ("a\x00,b\n" * 2, "names-twice"),
        ("PK\x03\x04\x14", "names-no-text"),  # as xlsx begins
        ("%PDF-1.4", "names-no-text"),
        ("x" * (1 << 20), "names-malformed"),
        ("x" * (1 << 21), "names-large"),
    ],
)
def test_lists_of_names_that_are_none(folder: Path, store: Path, content: str, key: str) -> None:
    """Each mistake in the file is one sentence, and nothing is stored."""
    (folder.parent / "names.csv").write_text(content)
    with pytest.raises(OperatorError) as caught:
        opened(asked(store, folder, bots=[], folder=str(folder), names=str(folder.parent / "names.csv")))
    assert caught.value.key == key
    assert caught.value.say(Speaker("ja"))
    assert not store.exists()


def test_a_list_in_toml_holds_texts(tmp_path: Path) -> None:
    """A value of another kind, and what is no TOML, is one sentence."""
    for content in ("early = 3", "early", "a = 1" + "0" * 5000):
        (tmp_path / "n.toml").write_text(content)
        with pytest.raises(OperatorError, match="no list of names"):
            read_names(str(tmp_path / "n.toml"))


def test_names_that_are_all_the_same_take_few_steps() -> None:
    """Each has another one in the end, and for no name are those of all before it tried once more."""
    lines = 0

    def count(frame: FrameType, event: str, value: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        found = folder_bots._apart([("a", "\ufffd")] * 200)
    finally:
        sys.settrace(before)
    assert found[:3] == ["a (\ufffd)", "a (\ufffd)'", "a (\ufffd)''"]
    assert len(set(found)) == 200
    assert lines < 20 * 200


def test_rows_and_hand_ins_that_do_not_meet() -> None:
    """A row without a hand-in, and a hand-in without a row, are told and end nothing; one row is for one hand-in."""
    names = Names({"a": "Ada", "zoe": "Zoe"}, "n.csv")
    assert [names.of_hand_in("a.py"), names.of_hand_in("b.py", "b")] == ["Ada", "b"]
    assert Names({"a": "Ada"}, "n.csv").of_hand_in("c.py", "Ada") == "Ada (c.py)"  # that is somebody else
    lines: list[tuple[str, object]] = []
    names.tell(lambda key, **details: lines.append((key, details["bots"])))
    assert lines == [("names.idle", "zoe"), ("names.unnamed", "b.py")]
    with pytest.raises(OperatorError) as caught:
        names.of_hand_in("a.cpp")
    assert caught.value.key == "names-of-two"


@pytest.mark.parametrize("typed", ["NFC", "NFD"])
@pytest.mark.parametrize("stored", ["NFC", "NFD"])
def test_letters_and_their_marks(tmp_path: Path, typed: Literal["NFC", "NFD"], stored: Literal["NFC", "NFD"]) -> None:
    """A file from a Mac is found by the name that is typed: one letter is the same in one character or in two."""
    (tmp_path / "names.csv").write_text(normalize(typed, "ガギグ.py,Ada\nポ,Zoe\n"))
    names = Names.of(str(tmp_path / "names.csv"))
    assert names.has_row_for(normalize(stored, "ガギグ.py"))
    assert names.of_hand_in(normalize(stored, "ガギグ.py")) == "Ada"
    assert names.of_other(normalize(stored, "ポ.pdf")) == "Zoe"
    (tmp_path / "names.csv").write_text(normalize("NFC", "ガ,Ada\n") + normalize("NFD", "ガ,Zoe\n"))
    with pytest.raises(OperatorError, match="twice"):
        read_names(str(tmp_path / "names.csv"))


def test_each_name_that_does_not_meet_is_told() -> None:
    """Whoever mends the list reads all that is missing at once, also of a large class."""
    names = Names({"a": "Ada", **{f"s{at}": f"N{at}" for at in range(60)}}, "n.csv")
    names.of_hand_in("a.py")
    told: list[object] = []
    names.tell(lambda key, **details: told.append(details["bots"]))
    assert told == [", ".join(f"s{at}" for at in range(60))]


def calling_itself(folder: Path, name: str) -> None:
    """Put a hand-in into the folder, the last of all, whose author says that it has this name."""
    (folder / "zz").mkdir()
    write_bot(folder / "zz" / "main.sh")
    (folder / "zz" / "bot.toml").write_text(f'name = "{name}"\nrun = "sh main.sh"\n')


@pytest.mark.parametrize("row", ["early", "nobody"])
def test_no_hand_in_takes_the_row_of_another(folder: Path, store: Path, row: str) -> None:
    """What an author calls a bot in `bot.toml` is compared with no row, whether that person has handed in or not."""
    (folder.parent / "names.csv").write_text(f"{row},Ada\nlate,Grace\n")
    calling_itself(folder, row)
    opened(asked(store, folder, bots=[], folder=str(folder), names=str(folder.parent / "names.csv"))).store.close()
    calls_itself = "early (zz)" if row == "early" else "nobody"  # a file has that name, too
    names = {"Grace", "middling", "steady", "still", calls_itself, *(["Ada"] if row == "early" else ["early"])}
    assert set(told(store)[2]) == names


@pytest.mark.parametrize("name", ["Ada", "hunter", "other"])
def test_no_hand_in_takes_the_name_of_another(folder: Path, store: Path, name: str) -> None:
    """Who calls itself as a person of the list, or a bot of the operator, is told by its file; all others play on."""
    (folder.parent / "names.csv").write_text("early,Ada\n")
    calling_itself(folder, name)
    more = [("", "hunter"), ("other", "hunter")]
    wanted = asked(store, folder, bots=more, folder=str(folder), names=str(folder.parent / "names.csv"))
    opened(wanted).store.close()
    there = told(store)[2]
    assert {name, f"{name} (zz)", "Ada", "hunter", "other"} <= set(there)
    assert len(set(there)) == len(there) == 8
    opened(wanted).store.close()
    assert told(store)[2] == there


@pytest.mark.parametrize(
    ("path", "first", "told"),
    [
        ("n.csv", "Datei", "names.heading"),
        ("n.csv", "gone.py", "names.idle"),  # a file's name is no heading
        ("n.toml", "Datei", "names.idle"),  # TOML has none
    ],
)
def test_a_heading_in_any_language_is_told_as_one(path: str, first: str, told: str) -> None:
    """A first row that belongs to no hand-in, where others do, is a heading; it is told, should it be none."""
    names = Names({first: "Name", "a": "Ada"}, path)
    names.of_hand_in("a.py")
    lines = []
    names.tell(lambda key, **details: lines.append((key, details.get("bots", details.get("row")))))
    assert lines == [(told, first if told == "names.idle" else "Datei, Name")]


def test_a_format_that_cannot_be_is_refused_before_anything_is_built(folder: Path, store: Path) -> None:
    """What the game and the format decide is said before a class is examined."""
    built = folder.parent / "built"
    (folder / "builder").mkdir()
    (folder / "builder" / "bot.toml").write_text(f'build = "touch {built}"\nrun = "./bot"\n')
    with pytest.raises(OperatorError) as caught:
        opened(asked(store, folder, "double-elimination", bots=[], folder=str(folder)))
    assert caught.value.key == "format-two-seats"
    assert not built.exists()
    assert not store.exists()


def test_who_is_left_out_takes_nobodys_seat(folder: Path, store: Path) -> None:
    """A format for as many as the game seats begins where there are too many hand-ins, if enough cannot be used."""
    while len(list(folder.iterdir())) > 4:
        next(folder.iterdir()).unlink()
    (folder / "broken.c").write_text("int main(")
    opened(asked(store, folder, "king-of-the-hill", bots=[], folder=str(folder))).store.close()
    assert set(told(store)[0]) == {"broken.c"}
    write_bot(folder / "fifth.sh")
    with pytest.raises(OperatorError) as caught:
        opened(asked(store.with_name("other.db"), folder, "king-of-the-hill", bots=[], folder=str(folder)))
    assert caught.value.key == "format-all-in-one-fixed"


# --- what a stranger's file is called here


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("佐々木.py", "佐々木.py"),
        ("yamada太郎.py", "yamada太郎.py"),
        ("हिन्दी.py", "हिन्दी.py"),
        ("ชื่อที่นี่.cpp", "ชื่อที่นี่.cpp"),
        ("நிரல்.zip", "நிரல்.zip"),
        ("x" + "\u0323" * 9 + ".py", "x" + "\u0323" * 4 + "_.py"),
        ("\u093f-\u093f.py", "bot.py"),
        ("x\ufe0f.py", "x_.py"),
        ("क्‍षत्रिय.py", "क्_षत्रिय.py"),
        ("\u304b\u3099\u304f.zip", "\u304c\u304f.zip"),  # as macOS sends it
        ("../C:\\my bot\\../../robot.tar.gz", "robot.tar.gz"),
        ("-rf.py", "rf.py"),
        (".py", "bot.py"),
        ("\U0001f602.tar.gz", "bot.tar.gz"),
        ("\u202egpj.\u2066py", "gpj._py"),
        ("\u3164\0\ud800.js", "bot.js"),
        ("...", "bot"),
        ("", "bot"),
        ('"x\r\ny.py', "x_y.py"),
    ],
)
def test_a_strangers_file_keeps_its_name_and_ending(given: str, kept: str) -> None:
    """A name in any writing stays with its ending; nothing of it is a path, an option, or not to be seen."""
    assert received_name(given) == kept


@given(WILD)
def test_any_name_can_be_a_strangers_files(text: str) -> None:
    """Whatever is sent as a name becomes one that fits every disk, and is the same when it is sent again."""
    name = received_name(text)
    assert 0 < len(name.encode()) <= clean.LONGEST_FILE
    marks = "".join(letter for letter in name if category(letter) in ("Mn", "Mc"))
    assert re.fullmatch(rf"[^\W_][\w.+{marks}-]*", name)
    assert received_name(name) == name
    assert received_name(f"{text.replace('/', '').replace(chr(92), '')}.py").endswith(".py")
