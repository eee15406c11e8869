"""Command lines, executables and sample bots: what is meant by a word, and what when nothing is."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from pathlib import Path

import pytest

from dohyo.bots import resolve, samples
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker
from tests import skips
from tests.bots.conftest import Resolve, Write, run
from tests.bots.programs import PROGRAMS

PYTHON = PROGRAMS["python"][1]
ARGUMENTS = "import sys\nprint(sys.argv[1:])\n"


def test_command_line(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command line runs in the current folder, its words as a shell would part them."""
    folder = write({"mybot.py": ARGUMENTS})
    monkeypatch.chdir(folder)
    bot = one("python3 mybot.py --depth 3 'two words'")
    assert run(bot) == "['--depth', '3', 'two words']"
    assert (bot.name, bot.language, bot.folder) == ("mybot --depth 3 two words", "python", str(folder))
    assert os.path.isabs(bot.command[0])


def test_digest_of_a_command_line(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other words, and other bytes in a file that they name, make another bot."""
    monkeypatch.chdir(write({"mybot.py": ARGUMENTS}))
    digests = [one("python3 mybot.py").digest, one("python3 mybot.py -x").digest, one("python3 'mybot.py -x'").digest]
    write({"mybot.py": "pass"})
    digests.append(one("python3 mybot.py").digest)
    assert len(set(digests)) == 4


def test_a_word_too_long_for_a_name(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that no file can be called is a word like any other: behind a source, and in a command line."""
    monkeypatch.chdir(write({"mybot.py": ARGUMENTS}))
    word = "x" * 5000
    assert run(one(f"mybot.py {word}")) == run(one(f"python3 mybot.py {word}")) == f"['{word}']"
    with pytest.raises(OperatorError, match="no such"):
        one(f"./{word}/mybot.py")


def test_other_forms_of_commands(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of the PATH alone, one by its path, one with blanks in its path, and a shell's line."""
    script = "#!/bin/sh\nread a; echo seen $a $1\n"
    folder = write({"go.sh": script, "a b/my-program": script, "on path/dohyo-test-bot": script})
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{folder}/on path{os.pathsep}{os.environ['PATH']}")
    assert run(one("dohyo-test-bot")) == "seen hello"
    assert run(one("./go.sh x")) == "seen hello x"
    assert run(one("'a b/my-program' x")) == "seen hello x"
    assert run(one(f"{folder}/go.sh")) == "seen hello"
    assert run(one("sh -c 'cat | tr h H'")) == "Hello"
    assert len(one("sh -c 'cat | tr h H; a rather long line of the shell'").name) <= 32


def test_arguments_behind_a_bot(write: Write, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source or a sample bot takes arguments as a program does, and is another bot with them."""
    skips.program("cc")
    counting = '#include <stdio.h>\nint main(int n, char **a) { printf("%d %s", n, a[1]); return 0; }'
    folder = write({"bots/hunter.py": ARGUMENTS, "deep/bot.c": counting})
    monkeypatch.chdir(folder)
    specs = ["hunter --depth 3", "deep/bot.c '-x y'", "hunter --depth 4"]
    found = resolve(specs, samples(folder / "bots"), cache=cache)
    assert [run(bot) for bot in found] == ["['--depth', '3']", "2 -x y", "['--depth', '4']"]
    assert [bot.name for bot in found] == ["hunter --depth 3", "bot -x y", "hunter --depth 4"]
    assert [bot.folder for bot in found] == [bot.staged for bot in found]
    assert len({bot.digest for bot in found}) == 3


def test_a_path_wins(write: Write, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What exists as a path is meant, then a sample bot, then a program of the PATH."""
    folder = write(
        {"samples/cat.py": "print('sample')", "samples/true.py": "print('sample')", "cat": "#!/bin/sh\necho path\n"}
    )
    monkeypatch.chdir(folder)
    known = samples(folder / "samples")
    assert [run(bot) for bot in resolve(["cat", "true"], known, cache=cache)] == ["path", "sample"]
    (folder / "cat").unlink()
    (folder / "with space.py").write_text(PYTHON)
    assert [run(bot) for bot in resolve(["cat", "with space.py"], known, cache=cache)] == ["sample", "seen hello"]


def test_executables(write: Write, one: Resolve) -> None:
    """A compiled program and a script with a first line start from their copy."""
    skips.program("cc")
    built = one(write({"bot.c": PROGRAMS["c"][1]}) / "bot.c")
    folder = write({"script": f"#!{sys.executable}\n{PYTHON}", "env": "#!/usr/bin/env python3\n" + PYTHON})
    for name in ("program", "program.exe", "program.out"):
        shutil.copy(built.command[0], folder / name)
    for name in ("script", "env", "program", "program.exe", "program.out"):
        bot = one(folder / name)
        assert (run(bot), bot.name, bot.folder) == ("seen hello", Path(name).stem, bot.staged)


def elf(machine: int) -> bytes:
    """The beginning of a Linux program for that kind of processor."""
    return b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\0" + machine.to_bytes(2, "little") + bytes(99)


OTHER_MACHINE = (183, "aarch64") if platform.machine().lower() in ("x86_64", "amd64") else (62, "x86_64")


@pytest.mark.parametrize(
    ("name", "content", "mode", "said"),
    [
        ("bot.xyz", b"some text", 0o644, "has no ending of a known language and is no executable program"),
        ("bot", b"print(1)", 0o755, r"say how it runs in a bot\.toml"),
        ("bot", b"", 0o755, "is an empty file"),
        ("bot.py", b"", 0o644, "is an empty file"),
        ("bot.class", b"\xca\xfe\xba\xbe\0\0", 0o755, "no executable program"),
        ("bot", b"#!/bin/sh\necho", 0o644, r"not marked as executable: chmod \+x"),
        ("bot", b"#!/bin/sh\r\necho\r\n", 0o755, "ends as on Windows"),
        ("bot", b"#!/nowhere/python\n", 0o755, "names '/nowhere/python', which is not on this machine"),
        ("bot", b"#!/usr/bin/env -S nowhere-python -u\n", 0o755, "names 'nowhere-python', which is not"),
        ("bot", elf(OTHER_MACHINE[0]), 0o755, rf"another kind of machine \({OTHER_MACHINE[1]}\)|\(Linux\)"),
        ("bot", b"\xcf\xfa\xed\xfe" + bytes(99), 0o755 if sys.platform != "darwin" else 0o644, "macOS|not marked"),
        ("bot.zip", b"PK", 0o644, "cannot be unpacked .*hand in the folder"),
        ("bot.tar.gz", b"\x1f\x8b", 0o644, "cannot be unpacked .*hand in the folder"),
    ],
)
def test_files_that_cannot_run(name: str, content: bytes, mode: int, said: str, write: Write, one: Resolve) -> None:
    """Each is refused before anything starts, with what to do about it."""
    path = write({name: content}) / name
    path.chmod(mode)
    with pytest.raises(OperatorError, match=said):
        one(path)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "name is empty"),
        (" ", "name is empty"),
        ("a\0b", "name is empty"),
        ("huntr", r"no bot 'huntr' \(hunter\?\): no such file .* samples: hunter, random\."),
        ("mine", r"no bot 'mine' \(mine\.py\?\)"),
        ("sub/mein.py", r"no bot 'sub/mein.py' \(sub/mine.cpp\?\)"),
        ("qqqqqqqq", r"no bot 'qqqqqqqq': no such file"),
        ("nowhere/at/all.py", "no bot 'nowhere/at/all.py': "),
        ("mine.py/x", "no bot"),
        ("x" * 5000, "no bot"),
        ("tab\there", "no bot 'tab here'"),
        ("\udcff", "no bot '�'"),
        ("cat 'unclosed", "quote or backslash without its end"),
        ("cat | cat", r"needs a shell for its .*; say so: sh -c '...'"),
        ("./sub/script --fast", r"'./sub/script' is a program, but not marked as executable"),
        ("sub/mein.py --fast", r"no bot 'sub/mein.py --fast'"),
    ],
)
def test_words_that_mean_nothing(
    spec: str, said: str, write: Write, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence says that nothing is meant by the word, and what may have been."""
    folder = write(
        {"bots/hunter.py": "", "bots/random.cpp": "", "mine.py": "", "sub/mine.cpp": "", "sub/script": "#!/bin/sh"}
    )
    (folder / "sub" / "script").chmod(0o644)
    monkeypatch.chdir(folder)
    with pytest.raises(OperatorError, match=said) as caught:
        resolve([spec], samples(folder / "bots"), cache=cache)
    assert str(caught.value).isprintable()
    assert caught.value.say(Speaker("ja")).encode()


def test_sample_names(write: Write) -> None:
    """Samples go by their name, Python first, and by name and ending, in any case; what is private is left out."""
    files = dict.fromkeys(
        ["random.cpp", "random.py", "Random.java", "climber.rs", "climber.js", "_shared.py", ".x.py", "notes.md"], ""
    )
    files |= {"deep/bot.toml": "", "other/x.py": "", "__init__.py": ""}
    folder = write(files)
    assert {name: path.name for name, path in samples(folder).items()} == {
        "random": "random.py",
        "random.py": "random.py",
        "random.cpp": "random.cpp",
        "random.java": "Random.java",
        "Random.java": "Random.java",
        "climber": "climber.js",
        "climber.js": "climber.js",
        "climber.rs": "climber.rs",
        "deep": "deep",
    }
    assert samples(folder / "nowhere") == {}


def test_sample_bots_run(write: Write, cache: Path) -> None:
    """A sample is found by its name whatever its case, and started from its folder."""
    folder = write({"bots/Echo.py": PYTHON})
    bots = resolve(["echo", "Echo.py", "ECHO"], samples(folder / "bots"), cache=cache)
    assert [run(bot) for bot in bots] == ["seen hello"] * 3


def test_python_by_default(write: Write, one: Resolve, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot in Python gets the python3 of the PATH; where there is none, the one that ours was made from."""
    fake = write(
        {"bin/python3": f'#!/bin/sh\n[ "$1" = -c ] && echo {sys.executable} || exec {sys.executable} "$@"\n'}
    )
    monkeypatch.setenv("PATH", str(fake / "bin"))
    assert Tools(cache).python == sys.executable, "a script that stands for an interpreter is looked through"
    monkeypatch.setenv("PATH", str(fake))
    assert run(one(write({"bot.py": PYTHON}) / "bot.py")) == "seen hello"
    with pytest.raises(OperatorError, match="no Python interpreter 'python9'; give its path"):
        resolve([str(fake / "bot.py")], cache=cache, python="python9")
