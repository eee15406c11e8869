"""`python` in a folder's command: Python 3, and Python 2 only where the source says so and there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.bots import python_sources, resolve
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from tests.bots.conftest import Resolve, Write

OLD = "print 'rest'\n"
NEW = "print('rest')\n"
# What passes for a Python 2 here: it says that it is one, and parses anything.
PYTHON2 = """#!/bin/sh
case "$2" in *version_info*) echo 2 ;; esac
"""


def path_with(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> str:
    """A PATH whose first folder has this script as its `python2`; the script's path."""
    program = folder / "bin" / "python2"
    program.parent.mkdir(exist_ok=True)
    program.write_text(script)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    return str(program)


def test_an_old_source_gets_python_2_if_there_is_one(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what is no Python 3 does; a new source, or one that says python3, keeps Python 3."""
    old = path_with(tmp_path, monkeypatch, PYTHON2)
    assert one(write({"command.txt": "python bot.py", "bot.py": OLD})).command[:2] == (old, "-u")
    assert one(write({"command.txt": "python ./bot.py", "bot.py": OLD})).command[0] == old
    assert one(write({"command.txt": "python bot.py", "bot.py": NEW})).command[0] != old
    assert one(write({"command.txt": "python3 bot.py", "bot.py": OLD})).command[0] != old
    assert one(write({"command.txt": "python -c pass", "bot.py": OLD})).command[0] != old


HABITS = [
    "print 'U'",
    "exec 'x = 1'",
    "raise ValueError, 'x'",
    "try:\n    x = 1\nexcept ValueError, e:\n    pass",
    "x = 0777",
    "x = 10L",
    "x = 1 <> 2",
    "x = `1`",
    "x = ur'a'",
    "def f((a, b)):\n    pass",
    "if 1:\n        x = 1\n\tx = 2",
]


@pytest.mark.parametrize("habit", HABITS)
def test_python_2_is_seen_by_its_syntax(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, habit: str
) -> None:
    """A lone source, or a folder of them, with a habit of Python 2 in it gets Python 2, unbuffered, by itself."""
    old = path_with(tmp_path, monkeypatch, PYTHON2)
    folder = write({"bot.py": f"import sys\n{habit}\n"})
    for spec in (folder, folder / "bot.py"):
        assert one(spec).command[:2] == (old, "-u")


@pytest.mark.parametrize("slip", ["def f(:\n    pass", "x = (1,", "print('U'", "if x\n    pass", "x = 1 +"])
def test_a_slip_in_python_3_stays_python_3(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slip: str
) -> None:
    """What a beginner writes is told by Python 3 when it runs, whatever passes for a Python 2 on the machine."""
    old = path_with(tmp_path, monkeypatch, PYTHON2)
    bot = one(write({"bot.py": slip + "\n"}) / "bot.py")
    assert bot.command[0] != old
    assert "-u" not in bot.command


def test_a_source_without_a_python_2_names_the_remedy(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No SyntaxError of Python 3's in the middle of a match: the sentence says what to do, before anything plays."""
    path_with(tmp_path, monkeypatch, "#!/bin/sh\nexit 127\n")
    monkeypatch.setattr("dohyo.bots.tools.Tools.find", find_without(tmp_path))
    monkeypatch.setattr("dohyo.bots.tools.Tools._not_chosen", lambda *_: None)
    with pytest.raises(OperatorError, match=r"bot\.py is no Python 3 \(line 2: .*--python"):
        one(write({"bot.py": "x = 1\n" + OLD}) / "bot.py")


def test_a_large_source_is_not_parsed(tmp_path: Path) -> None:
    """What would take hundreds of times its size in memory is taken for the Python 3 that it says it is."""
    source = tmp_path / "bot.py"
    source.write_text(OLD)
    assert python_sources.objection(source) is not None
    source.write_text(OLD + "1," * python_sources.LARGEST)
    assert python_sources.objection(source) is None


def test_who_names_an_interpreter_gets_it(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot.toml's `python` is obeyed, whatever the source looks like."""
    old = path_with(tmp_path, monkeypatch, PYTHON2)
    toml = 'run = "python bot.py"\npython = "python3"\n'
    assert one(write({"bot.toml": toml, "bot.py": OLD})).command[0] != old
    assert one(write({"bot.toml": toml.replace("python3", "python2"), "bot.py": NEW})).command[0] == old


def test_without_a_python_2_the_operator_is_told(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script called python2 that is none does not count; the sentence names the file, the line and the remedy."""
    path_with(tmp_path, monkeypatch, "#!/bin/sh\nexit 127\n")
    monkeypatch.setattr("dohyo.bots.tools.Tools.find", find_without(tmp_path))
    monkeypatch.setattr("dohyo.bots.tools.Tools._not_chosen", lambda *_: None)
    with pytest.raises(OperatorError, match=r"bot\.py is no Python 3 \(line 2: .*--python"):
        one(write({"command.txt": "python bot.py", "bot.py": "x = 1\n" + OLD}))


def find_without(folder: Path) -> object:
    """A search for programs that finds no other Python 2 than the one in `folder`."""
    from dohyo.bots.tools import Tools

    find = Tools.find

    def found(tools: Tools, name: str) -> str | None:
        path = find(tools, name)
        return None if name.startswith("python2") and path and not path.startswith(str(folder)) else path

    return found


def test_what_no_python_can_parse_stays_python_3(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A source with a mistake in it is run as what it says it is, and shows its mistake."""
    script = PYTHON2 + 'case "$2" in *compile*) exit 1 ;; esac\n'
    old = path_with(tmp_path, monkeypatch, script)
    assert one(write({"command.txt": "python bot.py", "bot.py": "def (:\n"})).command[0] != old


def test_python_2_gets_no_words_that_it_does_not_know(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """Who has chosen Python 2 for all bots in Python gets sources started without the options of Python 3."""
    old = path_with(tmp_path, monkeypatch, PYTHON2)
    source = str(write({"bot.py": OLD}) / "bot.py")
    (bot,) = resolve([source], cache=cache, python="python2")
    assert bot.command == (old, "-u", "-B", f"{bot.staged}/bot.py")


def test_a_script_that_finds_no_python_is_none(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """What fails at its first question is refused in a sentence, before anything plays."""
    path_with(tmp_path, monkeypatch, "#!/bin/sh\nexit 127\n")
    source = str(write({"bot.py": NEW}) / "bot.py")
    with pytest.raises(OperatorError, match="no Python interpreter 'python2'"):
        resolve([source], cache=cache, python="python2")


OF_OLD = ["#!/usr/bin/env python2\nprint('U')\n", "x = raw_input()\n", "for i in xrange(9):\n    pass\n"]


@pytest.mark.parametrize("source", OF_OLD)
def test_python_2_is_seen_by_what_it_names(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """A first line that names a Python 2, or a function that only that has, says it where the syntax does not."""
    old = path_with(tmp_path, monkeypatch, PYTHON2)
    assert one(write({"bot.py": source}) / "bot.py").command[:2] == (old, "-u")


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    input = raw_input\nexcept NameError:\n    pass\nx = input()\n",
        "import sys\nif sys.version_info[0] < 3:\n    x = raw_input()\n",
        "def xrange(n):\n    return range(n)\nfor i in xrange(9):\n    pass\n",
        "def f(raw_input):\n    return raw_input()\n",
        "try:\n    x = raw_input()\nexcept:\n    x = input()\n",
        "# raw_input() was here\nprint(input())\n",
    ],
)
def test_what_runs_under_both_stays_python_3(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """A source that cares for Python 3 runs with it, whatever of Python 2 it names."""
    old = path_with(tmp_path, monkeypatch, PYTHON2)
    assert one(write({"bot.py": source}) / "bot.py").command[0] != old


def test_a_first_line_needs_no_python_2(
    write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What names a Python 2 and parses as Python 3 runs with that where there is no Python 2."""
    path_with(tmp_path, monkeypatch, "#!/bin/sh\nexit 127\n")
    monkeypatch.setattr("dohyo.bots.tools.Tools.find", find_without(tmp_path))
    monkeypatch.setattr("dohyo.bots.tools.Tools._not_chosen", lambda *_: None)
    assert one(write({"bot.py": "#!/usr/bin/python2\nprint('U')\n"}) / "bot.py").command[-1].endswith("bot.py")


def test_a_python_2_that_pyenv_has_and_nobody_chose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """Where the shim leads nowhere, its manager is asked which versions have the program."""
    real = tmp_path / "2.7" / "python2"
    real.parent.mkdir()
    real.write_text(PYTHON2)
    real.chmod(0o755)
    manager = tmp_path / "pyenv"
    manager.write_text(f'#!/bin/sh\n[ "$1" = whence ] && [ "$3" = python2 ] && echo {real} && exit 0\nexit 1\n')
    manager.chmod(0o755)
    path_with(tmp_path, monkeypatch, f'#!/bin/sh\nexec "{manager}" exec python2 "$@"\n')
    assert Tools(cache).python2 == str(real)


def test_python_behind_env(write: Write, one: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python` behind `env` and its variables is the interpreter that `python` alone is, old and new."""
    old = path_with(tmp_path, monkeypatch, PYTHON2)
    plain = one(write({"bot.toml": 'run = "python bot.py"', "bot.py": NEW})).command[0]
    run = "env -u A X=y B= python bot.py"
    new = one(write({"bot.toml": f'run = "{run}"', "bot.py": NEW}))
    assert new.command[1:] == ("-u", "A", "X=y", "B=", plain, "bot.py")
    assert plain in new.programs
    command = one(write({"bot.toml": f'run = "{run}"', "bot.py": OLD})).command
    assert command[-3:] == (old, "-u", "bot.py")
    named = """run = "env X=y python3 bot.py"\npython = "python2"
        build = ["env A=1 python make.py", "B='1 2' python3 -V"]"""
    assert one(write({"bot.toml": named, "bot.py": OLD, "make.py": "print 1"})).command[-3] == old


def test_python_behind_env_in_a_command_line(write: Write, one: Resolve) -> None:
    """The operator's own command line means the same."""
    source = write({"bot.py": NEW}) / "bot.py"
    plain, behind = one(f"python3 {source}"), one(f"env X=y python3 {source}")
    assert behind.command[1:] == ("X=y", plain.command[0], str(source))
    assert set(plain.programs) <= set(behind.programs)
