"""Records of prepared bots: the same bot is not recognised twice, and whatever has changed is seen."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.bots import Bot, cache, preparation, prepared, resolve, samples
from dohyo.bots.build_plan import BuildPlan
from dohyo.bots.hand_in import HandInCopy
from dohyo.bots.preparation import BesideCopy, basis_of
from dohyo.core.bot_spec import BotSpec, HandIn
from tests import skips
from tests.bots.conftest import Write, run

SOURCE = "import helper\nprint('seen', helper.WORD)\n"
Again = Callable[..., tuple[Bot, bool]]


@pytest.fixture
def again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Again:
    """Resolve one spec: its bot, and whether it was prepared for that."""
    done: list[BotSpec] = []
    prepare = preparation.prepare

    def noted(specs: list[BotSpec], *arguments: object, **more: object) -> dict[BotSpec, Bot]:
        done.extend(specs)
        return prepare(specs, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(preparation, "prepare", noted)

    def resolved(spec: object, *others: object, **options: object) -> tuple[Bot, bool]:
        done.clear()
        specs = [each if isinstance(each, HandIn) else str(each) for each in (spec, *others)]
        bot = resolve(specs, cache=tmp_path / "cache", **options)[0]  # type: ignore[arg-type]
        return bot, bot.spec in done

    return resolved


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder at the beginning of the PATH, with a `python3` that is a program of its own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    shutil.copy(Path("/bin/sh").resolve(), folder / "python3")
    monkeypatch.setenv("PATH", f"{tmp_path / 'before'}:{folder}:/usr/bin:/bin")
    return folder / "python3"


def test_the_second_time_the_record_is_taken(write: Write, again: Again) -> None:
    """The bot of the record is the same, for a path and for a sample bot, and it runs."""
    folder = write({"bot.py": SOURCE, "helper.py": "WORD = 'one'"})
    for spec, options in ((folder / "bot.py", {}), ("bot", {"samples": samples(folder)})):
        first, was_prepared = again(spec, **options)
        second, is_prepared = again(spec, **options)
        assert (was_prepared, is_prepared) == (True, False)
        assert second == first
        assert run(second) == "seen one"


CHANGES: dict[str, Callable[[Path, Bot], object]] = {
    "the source": lambda folder, bot: (folder / "bot.py").write_text(SOURCE.replace("seen", "Seen")),
    "what it imports": lambda folder, bot: (folder / "helper.py").write_text("WORD = 'two'"),
    "what it imports is gone": lambda folder, bot: (folder / "helper.py").unlink(),
    "it is a link": lambda folder, bot: [
        (folder / "helper.py").rename(folder / "other.py"),
        (folder / "helper.py").symlink_to("other.py"),
    ],
    "something was missing": lambda folder, bot: [
        (folder / "helper").mkdir(),
        (folder / "helper" / "__init__.py").write_text("WORD = 'three'"),
    ],
    "it is executable": lambda folder, bot: (folder / "bot.py").chmod(0o755),
    "its copy": lambda folder, bot: Path(bot.staged, "helper.py").write_text("WORD = 'two'"),
    "more in its copy": lambda folder, bot: Path(bot.staged, "random.py").write_text("WORD = 'two'"),
    "a folder in its copy": lambda folder, bot: Path(bot.staged, "random").mkdir(),
    "less in its copy": lambda folder, bot: Path(bot.staged, "helper.py").unlink(),
    "its copy is gone": lambda folder, bot: shutil.rmtree(bot.staged),
    "another Python": lambda folder, bot: shutil.copytree(folder.parent / "bin", folder.parent / "before"),
    "the Python is another": lambda folder, bot: [
        (folder.parent / "bin" / "python3").unlink(),
        shutil.copy(Path("/bin/ls").resolve(), folder.parent / "bin" / "python3"),
    ],
    "no Python there": lambda folder, bot: (folder.parent / "bin" / "python3").unlink(),
    "the record": lambda folder, bot: [
        path.write_bytes(path.read_bytes()[:-9]) for path in (folder.parent / "cache" / "prepared").iterdir()
    ],
}


@pytest.mark.usefixtures("python")
@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_seen(write: Write, again: Again, change: str) -> None:
    """Whatever the bot came from has changed: it is prepared again, as if there had never been a record."""
    folder = write({"bot.py": SOURCE, "helper.py": "WORD = 'one'"})
    bot, _ = again(folder / "bot.py")
    assert again(folder / "bot.py") == (bot, False)
    CHANGES[change](folder, bot)
    found, is_prepared = again(folder / "bot.py")
    assert is_prepared
    shutil.rmtree(folder.parent / "cache")
    assert again(folder / "bot.py") == (found, True)


def test_other_code_of_ours_is_seen(write: Write, again: Again, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another version of Dohyo has recognised is recognised again."""
    spec = write({"bot.py": "print(1)"}) / "bot.py"
    again(spec)
    monkeypatch.setattr(prepared, "CODE", "another")
    assert again(spec)[1]
    assert not again(spec)[1]


def test_the_operator_s_words_are_seen(write: Write, again: Again) -> None:
    """Other ways to name it, another interpreter, other files that belong: each is a question of its own."""
    folder = write({"bot.py": SOURCE, "helper.py": "WORD = 'one'"})
    spec = folder / "bot.py"
    again(spec)
    for asked, options in (
        (spec, {"follow": False}),
        (HandIn(str(spec), entry=True), {}),
        (spec, {"python": sys.executable}),
    ):
        assert again(asked, **options)[1]
    assert not again(spec)[1]
    assert again(spec, folder / "helper.py")[1]  # it is another's now
    alone, _ = again(spec, folder / "helper.py")
    assert not Path(alone.staged, "helper.py").exists()
    whole, is_prepared = again(spec)
    assert is_prepared  # it is nobody else's any more
    assert Path(whole.staged, "helper.py").exists()
    assert not again(spec)[1]


def test_samples_and_files_of_the_same_name(write: Write, again: Again, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new sample bot, or a file in the current folder, may take a name from the one that had it."""
    folder = write({"samples/one.sh": "echo 1", "here/readme": ""})
    monkeypatch.chdir(folder / "here")
    first, _ = again("one", samples=samples(folder / "samples"))
    assert again("one", samples=samples(folder / "samples")) == (first, False)
    (folder / "samples" / "one.py").write_text("print(1)")
    assert again("one", samples=samples(folder / "samples"))[0].language == "python"
    write({"here/one": "#!/bin/sh\necho 1\n"})
    assert Path(again("one", samples=samples(folder / "samples"))[0].command[0]).name == "one"


def test_a_build_has_to_stand(write: Write, again: Again) -> None:
    """A bot that was built is taken from its record as long as its program is there and is the one that counts."""
    skips.program("g++")
    spec = write(
        {"bot.cpp": '#include "w.h"\nint main() { puts(WORD); }', "w.h": '#include <stdio.h>\n#define WORD "1"'}
    )
    first, _ = again(spec / "bot.cpp")
    second, is_prepared = again(spec / "bot.cpp")
    assert (second, is_prepared, run(second)) == (first, False, "1")
    Path(first.command[0]).unlink()
    third, is_prepared = again(spec / "bot.cpp")
    assert (is_prepared, run(third)) == (True, "1")
    Path(third.built, cache.AGAIN).touch()
    assert again(spec / "bot.cpp")[1]


def test_what_has_no_record(write: Write, again: Again, python: Path) -> None:
    """Folders, executables, command lines, and a bot whose Python is a script that asks for another one."""
    folder = write({"one/bot.py": "print(1)", "two": "#!/bin/sh\necho 1\n", "three.py": "print(1)"})
    specs = [str(folder / "one"), str(folder / "two"), f"/bin/cat {folder / 'three.py'}"]
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    for spec in (*specs, str(folder / "three.py")):
        assert again(spec)[1]
        assert again(spec)[1]


def test_a_source_for_which_a_folder_was_listed_has_no_record(write: Write) -> None:
    """A new file in that folder might belong to it: of that no record could tell."""
    root = write({"bot.java": "class Bot {}"})
    taken = HandInCopy("bot", root, root, {"bot.java"}, {}, alone="bot.java")
    plan = BuildPlan("bot", "bot", (), "", "", files=("bot.java",))
    assert basis_of(taken, plan) is not None
    BesideCopy(taken).sources(root, ".java")
    assert basis_of(taken, plan) is None
