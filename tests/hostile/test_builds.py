"""Attacks before any match: what a folder holds that is handed in, and what happens while it is built."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.bots import build_plan, building
from dohyo.core.errors import OperatorError
from tests.hostile import layers
from tests.hostile.scene import GUESTS, Scene, end
from tests.hostile.table import NOT_CONTAINED, REFUSED, each_layer_of, expected
from tests.skips import program

pytestmark = pytest.mark.usefixtures("among_others")

Make = Callable[[Path, Scene], None]

PROGRAM = """
#include "guest.h"
%s
int main(int argc, char **argv) {
    begin(argc, argv);
    %s;
    return play_on();
}
"""


def link_out(home: Path, scene: Scene) -> None:
    """A link to a folder of somebody else's, among the files that are copied."""
    (home / "bot.toml").write_text('run = "./look"\n')
    script_bot(home / "look", "cat book/secret")
    (home / "book").symlink_to(scene.store)


def dots_out(home: Path, scene: Scene) -> None:
    """A program that lies above the folder."""
    (home / "bot.toml").write_text(f'run = "../{scene.store.name}/look"\n')
    script_bot(scene.store / "look", "true")


def compile_disk(home: Path, scene: Scene) -> None:
    """A line of source that becomes a program larger than the disk that it may use."""
    size = (layers.BUILD_DISK + 64) << 20
    c_bot(home, f"char bomb[{size}] = {{1}};", f'if (bomb[0]) got("a program of {size} bytes")')


def compile_memory(home: Path, scene: Scene) -> None:
    """A few lines of source that take the compiler more memory than it may have."""
    doubled = "\n".join(f"#define A{n + 1} A{n} A{n}" for n in range(20))
    c_bot(
        home,
        f"#define A0 1,\n{doubled}\nstatic int bomb[] = {{A20}};",
        'if (bomb[argc]) got("all of it was compiled")',
    )


def compile_endless(home: Path, scene: Scene) -> None:
    """A few lines of source with which the compiler is never done."""
    program("cc")
    doubled = "\n".join(f"#define A{n + 1} A{n} + A{n}" for n in range(60))
    (home / "main.c").write_text(f"#define A0 1\n{doubled}\n#if A60\n#endif\nint main(void) {{ return 0; }}\n")


def compile_reads(home: Path, scene: Scene) -> None:
    """A source that takes a file of somebody else's into the program."""
    secret = f'__asm__(".data\\nsecret: .incbin \\"{scene.store}/secret\\"\\n.byte 0\\n.text");'
    c_bot(home, f"{secret}\nextern char secret[];", 'if (*secret) got("a secret, at the time of the build")')


def build_reads(home: Path, scene: Scene) -> None:
    """A line of a build that copies a file of somebody else's."""
    (home / "bot.toml").write_text(f'build = "cp {scene.store}/secret book"\nrun = "./look"\n')
    script_bot(home / "look", 'echo "GOT $(cat book)" >&2')


def build_changes(home: Path, scene: Scene) -> None:
    """A line of a build that takes from everybody the right to read a file of somebody else's."""
    line = f"chmod 0 {scene.store}/secret && touch changed"
    (home / "bot.toml").write_text(f'build = "{line}"\nrun = "./look"\n')
    script_bot(home / "look", "[ -e changed ] && echo GOT the rights >&2")


def swaps_while_counted(home: Path, scene: Scene) -> None:
    """A line of a build that asks to be told which of its folders is looked into: then it hides files behind that."""
    program("cc")
    watches = 'inotify_add_watch(inotify_init1(0), ".", IN_OPEN)'
    source = f"#include <sys/inotify.h>\nint main(void) {{ return {watches} < 0; }}\n"
    (home / "watch.c").write_text(source)
    (home / "bot.toml").write_text('build = "cc watch.c -o watch && ./watch && touch told"\nrun = "./look"\n')
    script_bot(home / "look", "[ -e told ] && echo GOT where the count is >&2")


def python_reads(home: Path, scene: Scene) -> None:
    """A program that is named as the bot's Python, and copies somebody's file when it is asked what it is."""
    (home / "bot.toml").write_text('run = "python bot.py"\npython = "./own"\n')
    (home / "bot.py").touch()
    script_bot(home / "own", "true", before=f"cp {scene.store}/secret {scene.folder}/planted && echo 3")


def build_daemon(home: Path, scene: Scene) -> None:
    """A line of a build that leaves a process behind in a session of its own."""
    child = "setsid sh -c 'echo > began; exec sleep 60' < /dev/null > /dev/null 2>&1"
    line = f"mkfifo began; HOSTILE={scene.token} {child} & cat began"
    (home / "bot.toml").write_text(f'build = "{line}"\nrun = "./look"\n')
    script_bot(home / "look", "true")


def build_forks(home: Path, scene: Scene) -> None:
    """A line of a build that leaves a grandchild behind, which no closed terminal and no request ends."""
    (home / "leave.sh").write_text(
        f"HOSTILE={scene.token} sh -c \"trap '' HUP INT TERM; echo > began; exec nohup sleep 60\" "
        "< /dev/null > /dev/null 2>&1 &\n"
    )
    line = "mkfifo began; (sh leave.sh &) ; cat began"
    (home / "bot.toml").write_text(f'build = "{line}"\nrun = "./look"\n')
    script_bot(home / "look", "true")


def build_asks(home: Path, scene: Scene) -> None:
    """A line of a build that asks others to run something for it, as a service manager would: by their sockets."""
    code = f"""
import socket
for family, address in ((socket.AF_UNIX, {str(scene.folder / "socket")!r}), (socket.AF_UNIX, {"!" + scene.token!r}),
                        (socket.AF_INET, ("127.0.0.1", {scene.tcp.getsockname()[1]}))):
    try:
        with socket.socket(family) as asked:
            asked.connect(address.replace("!", chr(0)) if isinstance(address, str) else address)
            asked.sendall(b"run this")
    except OSError:
        pass
"""
    (home / "ask.py").write_text(code)
    (home / "bot.toml").write_text('build = "python3 ask.py"\nrun = "./look"\n')
    script_bot(home / "look", "true")


def build_holds(home: Path, scene: Scene) -> None:
    """The same, and it keeps the lock of the build's output: who reads that could not even end."""
    code = """
import os, socket, sys
one, other = socket.socketpair()
ready, begun = os.pipe()
if os.fork():
    sys.exit(not os.read(ready, 1))
os.setsid()
if os.fork():
    os._exit(0)
os.write(begun, b"x")
while True:
    os.splice(one.fileno(), 1, 4096)
"""
    (home / "hold.py").write_text(code)
    (home / "bot.toml").write_text(f'build = "HOSTILE={scene.token} python3 hold.py"\nrun = "./look"\n')
    script_bot(home / "look", "true")


BUILDS: dict[str, Make] = {
    make.__name__: make
    for make in (
        link_out,
        dots_out,
        compile_disk,
        compile_memory,
        compile_endless,
        compile_reads,
        build_reads,
        build_changes,
        swaps_while_counted,
        python_reads,
        build_daemon,
        build_forks,
        build_asks,
        build_holds,
    )
}


@pytest.mark.parametrize(("name", "layer"), each_layer_of((name,) for name in BUILDS))
def test_a_folder_is_met_as_the_table_says(
    scene: Scene, name: str, layer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What attacks before the match is refused, and gets nothing that it came for, except where the table says so."""
    layers.need(layer)
    home = scene.folder / f"{name}-{scene.token}"
    home.mkdir()
    BUILDS[name](home, scene)
    if name == "compile_endless":
        scene.play("exits_0", layer)  # the neighbours are built
        monkeypatch.setattr(building, "used_by", _hurried())
    cell = expected()[name][layer]
    told, said = None, ""
    try:
        told = scene.play_folder(home, layer)
    except OperatorError as error:
        said = f"{error}\n{getattr(error, 'log', '')}"
    left = scene.left()
    for pid in left:
        end(pid)
    got = bool(left) or (told is not None and bool(told.marked("GOT")))
    assert got == (cell.word == NOT_CONTAINED), told and told.marks
    assert (told is None) == (cell.word == REFUSED), said or (told and told.faults)


def _hurried() -> Callable[[int], float]:
    """Processor time that jumps over what a build may use once it has been looked at a few times."""
    looks = iter(range(1_000_000))
    return lambda pid: build_plan.SECONDS + 1 if next(looks) > 3 else 0.0


def script_bot(path: Path, turn: str, before: str = "") -> None:
    """A bot in the shell's language that does one thing in its first turn, and one before it says anything."""
    path.write_text(
        f"#!/bin/sh\n{before}\necho READY\nfirst=1\n"
        'while read -r line; do\n  if [ "$line" = EOD ]; then\n'
        f"    [ $first ] && {turn}\n    first=\n    echo N\n  fi\ndone\n"
    )
    path.chmod(0o755)


def c_bot(home: Path, before: str, attack: str) -> None:
    """A bot in C."""
    program("cc")
    shutil.copy(GUESTS / "guest.h", home)
    (home / "main.c").write_text(PROGRAM % (before, attack))
