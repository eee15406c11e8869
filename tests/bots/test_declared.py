"""Folders whose author says how they are built and run: `bot.toml` and `command.txt`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from importlib import invalidate_caches, metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from dohyo.bots import declared, resolve
from dohyo.core.errors import BuildError, OperatorError
from dohyo.core.game import GAMES_GROUP, GAMES_VARIABLE
from tests import skips
from tests.bots.conftest import Resolve, Write, run
from tests.bots.programs import PROGRAMS

PYTHON = PROGRAMS["python"][1]


def names_in(folder: Path) -> list[str]:
    """Every file below a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def test_whole_toml(write: Write, one: Resolve) -> None:
    """Every key of bot.toml is obeyed; build and run happen in a copy, the author's folder stays as it was."""
    skips.program("cc")
    toml = """
    name = "The Hunter"
    build = ["cc -o made/hunter *.c && echo built", "rm notes"]
    run = "made/hunter 'two words' --fast"
    lifetime = "series"
    """
    source = """#include <stdio.h>
    int main(int n, char **a) { printf("%s %s%s", a[1], a[2], fopen("notes", "r") ? "!" : ""); }"""
    folder = write({"bot.toml": toml, "hunter.c": source, "made/.keep": "", "notes": "x"})
    bot = one(folder)
    assert run(bot) == "two words --fast"
    assert (bot.name, bot.lifetime, bot.language) == ("The Hunter", "series", "c")
    assert bot.log == "built\n"
    assert names_in(folder) == ["bot.toml", "hunter.c", "made/.keep", "notes"]
    assert not Path(bot.folder).is_relative_to(folder)
    with pytest.raises(OperatorError, match="name the folder instead"):
        one(folder / "bot.toml")


@pytest.mark.parametrize(
    ("toml", "files"),
    [
        ('run = "python3 x.py"', {"x.py": PYTHON}),
        ('run = "python x.py"', {"x.py": PYTHON}),
        ('run = ["python3", "x y.py"]', {"x y.py": PYTHON}),
        ('run = "./x.sh"', {"x.sh": "#!/bin/sh\nread a; echo seen $a\n"}),
        ('run = "x.sh"', {"x.sh": "#!/bin/sh\nread a; echo seen $a\n"}),
        ('run = "/bin/sh x.sh"', {"x.sh": "read a; echo seen $a\n"}),
        ('run = "./made"\nbuild = "cp x made; chmod +x made"', {"x": "#!/bin/sh\nread a; echo seen $a\n"}),
        ('run = "made"\nbuild = "cp x made; chmod +x made"', {"x": "#!/bin/sh\nread a; echo seen $a\n"}),
        ('build = "python make.py"\nrun = "python3 x.py"', {"make.py": f"open('x.py', 'w').write({PYTHON!r})"}),
        ('run = "python3 x.py"\r\n', {"x.py": PYTHON}),
        ("\ufeffrun = 'python3 x.py'", {"x.py": PYTHON}),
        ("name = 'Only a name'", {"main.py": PYTHON}),
        ("", {"main.py": PYTHON}),
        ("run = 'sub/../x.sh --book=sub/../book'", {"x.sh": "#!/bin/sh\nread a; echo seen $a\n", "sub/a": ""}),
    ],
)
def test_ways_to_say_it(toml: str, files: dict[str, str], write: Write, one: Resolve) -> None:
    """Programs in the folder, on the PATH, made by the build, and nothing said at all: each is started."""
    bot = one(write({"bot.toml": toml, **files}))
    assert run(bot) == "seen hello"
    assert bot.lifetime == "match"


def test_python_of_a_bot(write: Write, one: Resolve, cache: Path) -> None:
    """A bot may name its Python; else `python` in its lines is the operator's choice."""
    fake = "#!/bin/sh\necho own interpreter\n"
    folder = write({"bot.toml": 'build = "python x.py"\nrun = "python x.py"', "own": fake, "x.py": PYTHON})
    chosen = resolve([str(folder)], cache=cache, python=str(folder / "own"))[0]
    assert chosen.log.strip() == run(chosen) == "own interpreter"
    write({"bot.toml": 'run = "python3 x.py"\npython = "./own"'})
    assert run(one(folder)) == "own interpreter"
    write({"bot.toml": 'run = "python3 x.py"\npython = "python9.99"'})
    with pytest.raises(OperatorError, match=r"no Python interpreter 'python9\.99'"):
        one(folder)


@pytest.mark.parametrize("run_line", ['run = "python3 x.py"', ""])
@pytest.mark.parametrize("word", ["./own", "{folder}/own", "strange-program"])
def test_what_an_author_names_is_not_started_to_be_looked_at(
    word: str, run_line: str, write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outside the bot's sandbox, only a Python of the PATH is asked what it is: anything else may be a trap."""
    trap = f"#!/bin/sh\necho started >> {tmp_path}/started\necho 3\n"
    folder = write({"own": trap, "path/strange-program": trap, "main.py": PYTHON, "x.py": PYTHON})
    monkeypatch.setenv("PATH", f"{folder}/path", prepend=os.pathsep)
    write({"bot.toml": f'{run_line}\npython = "{word.format(folder=folder)}"'})
    bot = one(folder)
    assert Path(bot.command[0]).name == Path(word).name
    assert not (tmp_path / "started").exists()


def test_command_txt(write: Write, one: Resolve) -> None:
    """All lines but the last prepare, the last one runs, once a turn; empty lines and old line ends do not matter."""
    lines = "echo preparing\r\n\r\necho 'print(\"seen\", input())' > made.py\npython made.py 'a b'\r\n\n"
    folder = write({"command.txt": lines, "storage.txt": "kept"})
    bot = one(folder)
    assert run(bot) == "seen hello"
    assert (bot.lifetime, bot.name, bot.command[1:]) == ("turn", folder.name, ("made.py", "a b"))
    assert bot.log == "preparing\n"
    assert (Path(bot.folder) / "storage.txt").read_text() == "kept"
    assert names_in(folder) == ["command.txt", "storage.txt"]
    with pytest.raises(OperatorError, match="name the folder instead"):
        one(folder / "command.txt")


def test_toml_beside_command_txt(write: Write, one: Resolve) -> None:
    """A bot.toml says what a command.txt cannot: the name, and that one process lives for a whole match."""
    toml = 'name = "Quick"\nlifetime = "match"'
    bot = one(write({"bot.toml": toml, "command.txt": "true\npython3 x.py", "x.py": PYTHON}))
    assert (bot.name, bot.lifetime, run(bot)) == ("Quick", "match", "seen hello")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"bot.toml": 'name = "x"\nrum = "x"'}, r"unknown key 'rum' \('run'\?\); known are: name, build, run"),
        ({"bot.toml": 'run = "x'}, r"bot.toml of .* cannot be read: .*line 1"),
        ({"bot.toml": "run = 3"}, r"'run' takes \"...\", \[\"...\", \"...\"\]"),
        ({"bot.toml": "run = []"}, "'run' takes"),
        ({"bot.toml": 'run = ""'}, "'run' takes"),
        ({"bot.toml": "build = {}"}, "'build' takes"),
        ({"bot.toml": 'name = "two\\nlines"'}, "'name' takes"),
        ({"bot.toml": f'name = "{"x" * 65}"'}, "'name' takes"),
        ({"bot.toml": "params = 3"}, "'params' takes { depth = 4"),
        ({"bot.toml": 'params = { "a b" = 4 }'}, "'params' takes"),
        ({"bot.toml": "params = { a = 1, A = 1 }"}, "'params' takes"),
        ({"bot.toml": "params = { a = true }"}, "'params' takes"),
        ({"bot.toml": 'params = { a = "\\u0007" }'}, "'params' takes"),
        ({"bot.toml": 'lifetime = "forever"'}, '\'lifetime\' takes "match", "turn", "series"'),
        ({"bot.toml": 'build = "make"', "main.py": ""}, "says how to build, but not how to run"),
        ({"bot.toml": 'run = "x \'y"'}, "without its end in 'x 'y'; close it"),
        ({"bot.toml": 'run = "nowhere-to-be-found"'}, "'nowhere-to-be-found', which is neither in its folder nor"),
        ({"bot.toml": 'run = "/nowhere/x"'}, "runs '/nowhere/x', which is neither"),
        ({"bot.toml": 'run = "../other/x"'}, r"lead out of its folder with '\.\./other/x'"),
        ({"bot.toml": 'run = "./x"\nbuild = "cc -I../include -o x x.c"'}, r"with '-I\.\./include'; put what"),
        ({"bot.toml": 'run = "python3 x.py --book=a/../../b"'}, "lead out of its folder"),
        ({"command.txt": ""}, "names no command to run: the last line of its command.txt"),
        ({"command.txt": "\n \r\n"}, "names no command to run: the last line of its command.txt"),
        ({"command.txt": "true\npython3 'x.py"}, "command.txt of .* without its end"),
        ({"command.txt": "true\n./missing.sh x"}, "made no 'missing.sh'; correct its build or run command"),
    ],
)
def test_mistakes(files: dict[str, str], said: str, write: Write, one: Resolve) -> None:
    """Each mistake in what an author declares is one sentence that says where and what instead."""
    with pytest.raises(OperatorError, match=said):
        one(write(files))


def test_forgotten_permission(write: Write, one: Resolve) -> None:
    """A script that lost its permission on the way is named with the remedy, not found out at the first turn."""
    folder = write({"bot.toml": 'run = "./x.py"', "x.py": PYTHON})
    with pytest.raises(OperatorError, match=r"runs 'x.py', which is not executable; chmod \+x it, or put"):
        one(folder)


def test_failing_preparation(write: Write, one: Resolve) -> None:
    """A failing line is named, and all that was printed up to it comes along; later lines never run."""
    folder = write({"command.txt": "echo first\necho second >&2; exit 3\ntouch third\ntrue"})
    with pytest.raises(BuildError, match="does not build: its command 'echo second >&2; exit 3' fails") as caught:
        one(folder)
    assert caught.value.log == "first\nsecond\n"


def test_environments_that_know_their_place(write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that writes down where it stands, as environments of Python do, still stands there when it runs."""
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    toml = 'build = "echo \\"#!/bin/sh\\ncat $PWD/words\\" > x; chmod +x x"\nrun = "./x"'
    assert run(one(write({"bot.toml": toml, "words": "seen hello"}))) == "seen hello"


def test_links_of_a_declared_folder(write: Write, one: Resolve) -> None:
    """A link within the folder is a link within the copy, also one that its author wrote with the full path."""
    folder = write({"bot.toml": 'run = "python3 link/x.py"', "real/x.py": "import os\nprint(os.path.islink('link'))"})
    (folder / "link").symlink_to(folder / "real")
    bot = one(folder)
    shutil.rmtree(folder / "real")
    assert run(bot) == "True"


def test_declared_by_a_link(write: Write, one: Resolve) -> None:
    """A bot.toml may itself be a link within the folder."""
    folder = write({"config/a.toml": 'run = "python3 x.py"', "x.py": PYTHON})
    (folder / "bot.toml").symlink_to("config/a.toml")
    assert run(one(folder)) == "seen hello"


def test_quotes_around_python(write: Write, cache: Path) -> None:
    """An interpreter whose path holds blanks is started by build lines too."""
    folder = write({"bot.toml": 'build = "python x.py"\nrun = "python3 x.py"', "x.py": "print(end='made')"})
    odd = write({"a b/python": f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n'}) / "a b" / "python"
    bot = resolve([str(folder)], cache=cache, python=str(odd))[0]
    assert bot.log == run(bot) == "made"


def test_dohyos_own_python(write: Write, one: Resolve) -> None:
    """`python = "dohyo"` is the interpreter that runs Dohyo, in building and running: the bot can import Dohyo."""
    toml = """
    python = "dohyo"
    build = "python make.py"
    run = "python3 x.py"
    """
    source = "import sys, dohyo.core.flat; open('x.py', 'w').write('import dohyo.search, sys; print(sys.executable)')"
    bot = one(write({"bot.toml": toml, "make.py": source}))
    assert bot.command[0] == sys.executable
    assert run(bot) == sys.executable


def test_a_build_with_dohyos_own_python_depends_on_dohyo(
    write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was built with another Dohyo, or another compiler beside it, is built again."""
    folder = write({"bot.toml": 'python = "dohyo"\nbuild = "touch made"\nrun = "python x.py"', "x.py": "print(1)"})
    first = one(folder).folder
    assert one(folder).folder == first
    monkeypatch.setattr(declared, "_version", lambda library: "another")
    assert one(folder).folder != first


def test_a_build_with_dohyos_own_python_depends_on_other_games(
    write: Write, one: Resolve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What was built over another source of a game that is not ours, named or installed, is built again."""
    bot = write({"bot.toml": 'python = "dohyo"\nbuild = "touch made"\nrun = "python x.py"', "x.py": "print(1)"})
    entry = EntryPoint("a-game", "a_game_that_is_installed", GAMES_GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry])
    monkeypatch.syspath_prepend(tmp_path / "site")
    built = [one(bot).folder]
    for game in (tmp_path / "own", tmp_path / "site" / "a_game_that_is_installed"):
        game.mkdir(parents=True)
        for text in ("one", "another"):
            (game / "__init__.py").write_text(f"'{text}'\n", encoding="utf-8")
            monkeypatch.setenv(GAMES_VARIABLE, str(tmp_path / "own"))
            invalidate_caches()
            built.append(one(bot).folder)
    assert len(set(built)) == 5
    assert one(bot).folder == built[-1]


def test_what_lies_beside_a_game_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand-in in the folder of a game changes no build; a pipe and a link there are not opened."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text("from mine import rules\n", encoding="utf-8")
    monkeypatch.setenv(GAMES_VARIABLE, str(tmp_path / "mine"))
    first = declared.own_version()
    os.mkfifo(tmp_path / "mine" / "alice.py")
    (tmp_path / "mine" / "bob.py").symlink_to("/dev/zero")
    (tmp_path / "mine" / "rules.py").symlink_to("/dev/zero")
    assert declared.own_version() == first
    (tmp_path / "mine" / "rules.py").unlink()
    (tmp_path / "mine" / "rules.py").write_text("")
    assert declared.own_version() != first


@pytest.mark.parametrize("words", [["a"] * 1000, ["b" * 100] * 700], ids=["words", "bytes"])
@pytest.mark.parametrize("file", ["bot.toml", "command.txt"])
def test_a_command_that_no_sandbox_could_start(file: str, words: list[str], write: Write, one: Resolve) -> None:
    """A command with more words, or longer ones, than a sandbox takes is refused when it is read."""
    line = ["python3", "x.py", *words]
    text = f"run = {line}" if file == "bot.toml" else " ".join(line)
    with pytest.raises(OperatorError) as caught:
        one(write({file: text, "x.py": PYTHON}))
    assert caught.value.key == "bot-long-command"


def test_a_command_with_many_words_is_started(write: Write, one: Resolve) -> None:
    """A command with as many words as a person would write is none of those."""
    assert run(one(write({"bot.toml": f"run = {['python3', 'x.py', *['a'] * 900]}", "x.py": PYTHON}))) == "seen hello"
