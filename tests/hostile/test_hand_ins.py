"""Hand-ins that attack by what they are: names, links, first lines, includes, neighbours, manifests, sources."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dohyo.bots.build_plan import BOT, BUILD, BuildPlan
from dohyo.bots.hand_in import HandInCopy
from dohyo.bots.isolated_reader import from_message
from dohyo.bots.reader_process import to_message
from dohyo.core.errors import OperatorError
from dohyo.match import folder_bots
from tests.hostile import layers
from tests.hostile.scene import SECRETS, Scene, end
from tests.hostile.table import NOT_CONTAINED, REFUSED, each_layer_of, expected
from tests.hostile.test_builds import script_bot
from tests.skips import program

pytestmark = pytest.mark.usefixtures("among_others")

Make = Callable[[Path, Scene], Path]

PYTHON = (
    "print('READY', flush=True)\nwhile True:\n    while input() != 'EOD':\n        pass\n    print('N', flush=True)\n"
)


def tells(*paths: Path | str) -> str:
    """What a script does that tries to read files: it tells what it got."""
    tries = "; ".join(f"""got=$(cat "{path}") && echo "GOT {path}" >&2""" for path in paths)
    return f"{{ {tries}; true; }}"


# --- what a hand-in says of itself


def first_line(home: Path, scene: Scene) -> Path:
    """A build makes a script whose first line reads, to who parts it at a form feed, as a link to the whole disk."""
    build = (
        "mkdir -p e/bin && ln -s / e/bin/python3 && : > e/pyvenv.cfg && cp /bin/sh \"$(printf 'e/bin/python3\\fx')\""
        " && { printf '#!%s/e/bin/python3\\fx\\n' \"$PWD\"; cat body; } > bot && chmod +x bot"
    )
    (home / "bot.toml").write_text(f"build = '''{build}'''\nrun = './bot'\n")
    script_bot(home / "body", tells(scene.store / "secret", "/etc/shadow"))
    return home


def bin_folder(home: Path, scene: Scene) -> Path:
    """A program in a folder called bin, as if it were an interpreter's, with secrets beside that."""
    place = scene.store / "bin"
    place.mkdir(exist_ok=True)
    script_bot(place / "python3", tells(scene.store / "secret"))
    return place / "python3"


def colon_path(home: Path, scene: Scene) -> Path:
    """A path that reads, to who parts it at colons, as a list with somebody else's folder in it."""
    place = Path(f"{home}/a:{scene.store}:")
    place.mkdir(parents=True)
    script_bot(place / "bot.sh", tells(scene.store / "secret"))
    return place / "bot.sh"


JAVA = """
import java.nio.file.*;
public class A {
    public static void main(String[] words) throws Exception {
        System.out.println("READY");
        try { Files.readString(Path.of("%s")); System.err.println("GOT a secret"); } catch (Exception refused) { }
        var in = new java.util.Scanner(System.in);
        while (in.hasNextLine()) if (in.nextLine().equals("EOD")) System.out.println("N");
    }
}
"""


def equals_path(home: Path, scene: Scene) -> Path:
    """A folder of Java sources, which stands in a class path, and whose path reads as an option with a value."""
    program("javac")
    place = Path(f"{home}/a={scene.store}")
    place.mkdir(parents=True)
    (place / "A.java").write_text(JAVA % (scene.store / "secret"))
    return place


def include_above(home: Path, scene: Scene) -> Path:
    """One source that includes a file above its folder."""
    program("cc")
    (home / "deep").mkdir()
    above = os.path.relpath(scene.store, home / "deep")
    (home / "deep" / "bot.c").write_text(f'char secret[] =\n#include "{above}/secret"\n;\nint main(void) {{ }}\n')
    return home / "deep" / "bot.c"


def source_link(home: Path, scene: Scene) -> Path:
    """One source that is a link to a secret."""
    (home / "bot.py").symlink_to(scene.store / "secret")
    return home / "bot.py"


def folder_link(home: Path, scene: Scene) -> Path:
    """A folder that is a link to somebody else's."""
    (scene.store / "bot.py").write_text(PYTHON)
    (home / "bot").symlink_to(scene.store)
    return home / "bot"


def reads_beside(home: Path, scene: Scene) -> Path:
    """One source in the operator's own folder: it reads what lies beside it, another bot and the live database."""
    beside = [home / ".env", home / "ladder.db", home / "other" / "bot.py"]
    for path in beside:
        path.parent.mkdir(exist_ok=True)
        path.write_text(SECRETS)
    names = [name for path in beside for name in (path, os.path.relpath(path, home))]
    script_bot(home / "bot.sh", tells(*names))
    return home / "bot.sh"


def command_beside(home: Path, scene: Scene) -> Path:
    """The same, started by a command line of the operator's."""
    return Path(f"sh {reads_beside(home, scene)}")


# --- what is read of it


def toml_deep(home: Path, scene: Scene) -> Path:
    """A manifest of 20,000 brackets."""
    (home / "bot.toml").write_text("run = " + "[" * 20_000)
    return home


def toml_number(home: Path, scene: Scene) -> Path:
    """A manifest with a number of 5000 digits."""
    (home / "bot.toml").write_text("run = " + "7" * 5000)
    return home


def toml_link(home: Path, scene: Scene) -> Path:
    """A manifest that is a link to a file which no copy takes along."""
    (home / ".git").mkdir()
    with (home / ".git" / "large").open("wb") as file:
        file.truncate(900 << 20)
    (home / "bot.toml").symlink_to(".git/large")
    return home


def toml_huge(home: Path, scene: Scene) -> Path:
    """A manifest of 900 MB, which takes no room on the disk."""
    with (home / "bot.toml").open("wb") as file:
        file.truncate(900 << 20)
    return home


def json_deep(home: Path, scene: Scene) -> Path:
    """A package.json of values within values."""
    (home / "package.json").write_text('{"main": ' + "[" * 100_000)
    (home / "index.js").write_text("")
    return home


def cargo_type(home: Path, scene: Scene) -> Path:
    """A Cargo.toml in which programs are a number."""
    program("cargo")
    (home / "Cargo.toml").write_text('bin = 5\n[package]\nname = "bot"\nversion = "0.1.0"\n')
    return home


def include_chain(home: Path, scene: Scene) -> Path:
    """A source that includes 3000 names, each of folders within folders."""
    program("cc")
    lines = "".join(f'#include "{"a/" * 100}{number}.h"\n' for number in range(3000))
    (home / "bot.c").write_text(f"{lines}int main(void) {{ }}\n")
    return home / "bot.c"


def include_itself(home: Path, scene: Scene) -> Path:
    """A source that includes itself."""
    program("cc")
    (home / "a.c").write_text('#include "a.c"\nint main(void) { return 0; }\n')
    return home


def java_quotes(home: Path, scene: Scene) -> Path:
    """A Java source of 80 kB of quotes behind backslashes."""
    program("javac")
    (home / "A.java").write_text('\\"' * 40_000)
    return home / "A.java"


def blank_lines(home: Path, scene: Scene) -> Path:
    """A package whose main source begins with 120 kB of blank lines."""
    (home / "__main__.py").write_text("\n" * 120_000 + PYTHON)
    return home


def ignored_code(home: Path, scene: Scene) -> Path:
    """A program in a folder that is no part of the hand-in, so that no digest would tell that it has changed."""
    (home / ".git").mkdir()
    script_bot(home / ".git" / "bot", "true")
    (home / "bot.toml").write_text('run = "sh .git/bot"\n')
    return home


def many_words(home: Path, scene: Scene) -> Path:
    """A command of so many words that no sandbox can be made for it, which was taken for a defect of ours."""
    (home / "bot.py").write_text(PYTHON)
    (home / "bot.toml").write_text(f"run = {['python', 'bot.py', *['a'] * 9500]}\n")
    return home


def many_sources(home: Path, scene: Scene) -> Path:
    """So many sources that no sandbox can be made for their compiler; the program finds classes by their names."""
    for number in range(9100):
        (home / f"C{number}.java").touch()
    main = 'public static void main(String[] a) throws Exception { Class.forName("C1"); }'
    (home / "Main.java").write_text(f"public class Main {{ {main} }}\n")
    return home


HAND_INS: dict[str, Make] = {
    make.__name__: make
    for make in (
        *(first_line, bin_folder, colon_path, equals_path, include_above, source_link, folder_link),
        *(reads_beside, command_beside),
        *(toml_deep, toml_number, toml_link, toml_huge, json_deep, cargo_type, include_chain, include_itself),
        *(java_quotes, blank_lines, ignored_code, many_words, many_sources),
    )
}


# In layer 3 a compiler reads thousands of files before this one is refused; in layer 2 it never begins.
LONG = ("many_sources", 3)
CASES: list[Any] = each_layer_of((name,) for name in HAND_INS)


@pytest.mark.parametrize(
    ("name", "layer"),
    [pytest.param(*case.values, marks=pytest.mark.full) if case.values == LONG else case for case in CASES],
)
def test_a_hand_in_is_met_as_the_table_says(scene: Scene, name: str, layer: int) -> None:
    """What attacks by its names and texts is refused in a sentence, or gets nothing that it came for."""
    layers.need(layer)
    home = scene.folder / f"{name}-{scene.token}"
    home.mkdir()
    spec = HAND_INS[name](home, scene)
    cell = expected()[name][layer]
    told, said = None, ""
    try:
        told = scene.play_folder(spec, layer)
    except OperatorError as error:
        said = f"{error}\n{getattr(error, 'log', '')}"
    left = scene.left()
    for pid in left:
        end(pid)
    got = bool(left) or SECRETS.strip() in said or (told is not None and bool(told.marked("GOT")))
    assert got == (cell.word == NOT_CONTAINED), told and told.marks
    assert (told is None) == (cell.word == REFUSED), said or (told and told.faults)
    if told is not None and cell.word != NOT_CONTAINED:
        assert {kind.value for kind, _ in told.faults} <= {cell.word}, (told.faults, told.marks)


@pytest.mark.parametrize("broken", [False, True])
def test_no_hand_in_of_a_class_is_part_of_another(scene: Scene, broken: bool) -> None:
    """In a folder of hand-ins a lone source is alone, also where another of them cannot be used."""
    (scene.place / "rival.py").write_text("IDEA = 1\n")
    (scene.place / "thief.py").write_text("import rival\n")
    if broken:
        (scene.place / "empty.py").touch()
    found = folder_bots.find(str(scene.place), 9, None, sandbox="none")
    thief = next(bot for bot in found.bots if bot.name == "thief")
    assert os.listdir(thief.staged) == ["thief.py"]
    assert list(found.refused) == (["empty.py"] if broken else [])


@pytest.mark.parametrize(
    "forged",
    [
        *({"shown": ["/etc"]}, {"folder": "/etc"}, {"lifetime": "ever"}, {"files": ["../x"]}, {"links": {"/x": "y"}}),
        *({"command": ["x"] * 2000}, {"steps": [{"ways": [["x"] * 9000]}]}),
        *({"command": ["x\0y"]}, {"steps": [{"ways": [["x", f"{BUILD}/\0"]]}]}, {"folder": f"{BOT}/\0"}),
    ],
)
def test_what_the_reader_says_opens_nothing(scene: Scene, forged: dict[str, object]) -> None:
    """A reader that a hand-in has broken into can tell no path to be shown, and nothing that leads out."""
    plan = BuildPlan("x", "x", (BOT,), BOT, "", files=("bot.py",))
    taken = HandInCopy("x", scene.place, scene.place, {"bot.py"}, {}, alone="bot.py")
    message = {**to_message(plan, scene.place), **forged}
    if "shown" in forged:
        assert from_message(message, taken).shown == ()
        return
    with pytest.raises(Exception, match=r"unknown answer|leads out|not there|has more than|zero byte"):
        from_message(message, taken)


@pytest.mark.parametrize(("asked", "told"), [(False, True), (True, False), (True, True)])
def test_only_who_asked_for_a_debug_build_gets_one(scene: Scene, asked: bool, told: bool) -> None:
    """It has more memory, and no limit on what it reserves: a reader that was broken into cannot tell that it is."""
    plan = BuildPlan("x", "x", (BOT,), BOT, "", files=("bot.py",), debug=told)
    taken = HandInCopy("x", scene.place, scene.place, {"bot.py"}, {}, alone="bot.py")
    assert from_message(to_message(plan, scene.place), taken, debug=asked).debug is (asked and told)
