"""What guests leave: in the folder that they are built in, in the one that they play in, and when they are killed.

Each makes a hand-in for aBOTcalypse, whose programs live for a turn and keep files from match to match.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tests.skips import program

Make = Callable[[Path], None]

ODD_NAME = os.fsdecode(b"new\nline \xff \x1b[31m")
HEAD = "".join(f"#include <{name}.h>\n" for name in ("fcntl", "stdio", "unistd", "sys/socket", "sys/stat", "sys/un"))


def hand_in(home: Path, turn: str, build: str = "") -> None:
    """A bot for the shell, whose program does `turn` in each of its runs; `build` is a line of its build."""
    lines = ['run = "./guest"', 'lifetime = "turn"', *([f"build = {build!r}"] if build else [])]
    (home / "bot.toml").write_text("\n".join(lines))
    (home / "guest").write_text(f"#!/bin/sh\n{turn}\necho rest\n")
    (home / "guest").chmod(0o755)


def made_by(home: Path, lines: str) -> str:
    """A line of a build that compiles and runs these lines of a program in C."""
    program("cc")
    (home / "leave.c").write_text(f"{HEAD}int main(void) {{\n{lines}\nreturn 0; }}\n")
    return "cc -o leave leave.c && ./leave"


# --- builds


def build_fifo(home: Path) -> None:
    """Its build leaves a pipe with a name."""
    hand_in(home, "true", "mkfifo left")


def build_socket(home: Path) -> None:
    """Its build leaves a socket with a name, where it may make one."""
    lines = """struct sockaddr_un left = {AF_UNIX, "left"};
        bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&left, sizeof left);"""
    hand_in(home, "true", made_by(home, lines))


def build_device(home: Path) -> None:
    """Its build leaves a device, where it may make one."""
    hand_in(home, "true", "mknod left c 1 3 || true")


def build_closed(home: Path) -> None:
    """Its build leaves a folder and a file that their owner may not read."""
    hand_in(home, "true", "mkdir -p left/in && touch left/in/file && chmod 0 left/in/file left/in left")


def build_deep(home: Path) -> None:
    """Its build leaves folders in each other, beyond what a path can name."""
    lines = """char name[201] = {0};
        for (int i = 0; i < 200; i++) name[i] = 'd';
        for (int i = 0; i < 100; i++) if (mkdir(name, 0700) || chdir(name)) return 1;"""
    hand_in(home, "true", made_by(home, lines))


def build_many(home: Path) -> None:
    """Its build leaves more files than anybody copies for a match; the test asks for fewer than usual."""
    lines = """char name[32];
        for (int i = 0; i < 600; i++) snprintf(name, sizeof name, "left%d", i), close(creat(name, 0600));"""
    hand_in(home, "true", made_by(home, lines))


def build_sparse(home: Path) -> None:
    """Its build leaves a file that says to be larger than any disk, in pieces that it may write."""
    lines = """char name[32];
        for (int i = 0; i < 9; i++) {
            snprintf(name, sizeof name, "left%d", i);
            int left = creat(name, 0600);
            if (ftruncate(left, 47L << 20)) return 1;
        }"""
    hand_in(home, "true", made_by(home, lines))


def odd_names(home: Path) -> None:
    """Names of its files hold a line's end, bytes that are no text, words for a terminal; its build makes more."""
    hand_in(home, "true", made_by(home, 'close(creat("built\\n\\xff", 0600));'))
    (home / ODD_NAME).write_text("x")


# --- what it keeps


def folder_for_file(home: Path) -> None:
    """Hands in a folder with the name of the file that is kept, and makes it a file."""
    hand_in(home, "rm -rf storage.txt; echo x > storage.txt")
    (home / "storage.txt").mkdir()
    (home / "storage.txt" / "inside").write_text("x")


def file_for_folder(home: Path) -> None:
    """Makes a folder of the file that is kept."""
    hand_in(home, "rm -rf storage.txt; mkdir -p storage.txt/inside")
    (home / "storage.txt").write_text("x")


def kept_link(home: Path) -> None:
    """Makes a link of the file that is kept, to one that nobody reads to its end."""
    hand_in(home, "rm -rf storage.txt; ln -s /dev/zero storage.txt")


def kept_fifo(home: Path) -> None:
    """Makes a pipe of the file that is kept, and one of its log."""
    hand_in(home, "rm -rf storage.txt errlog.txt; mkfifo storage.txt errlog.txt; echo said >&2")


def kept_sparse(home: Path) -> None:
    """Keeps a file that says to be larger than any disk."""
    hand_in(home, "truncate -s 1T storage.txt || true")


def kept_closed(home: Path) -> None:
    """Keeps a file that its owner may not read."""
    hand_in(home, "echo x > storage.txt; chmod 0 storage.txt")


def removes_itself(home: Path) -> None:
    """Removes its program, all of its files, and its folder, where it can."""
    hand_in(home, 'here=$PWD; rm -rf ./* ./.[a-z]*; cd / && rmdir "$here"')


def closes_itself(home: Path) -> None:
    """Takes all rights to its own folder."""
    hand_in(home, "chmod 0 .")


def swaps_itself(home: Path) -> None:
    """Puts a link in the place of its folder, where it can."""
    hand_in(home, 'here=$PWD; cd /; mv "$here" "$here-away" && ln -s /etc "$here"')


def remembers(home: Path) -> None:
    """Writes down in a match, in its log and beside it, what it reads in the next one; it needs no build."""
    (home / "bot.toml").write_text('lifetime = "turn"')
    seen = 'if [ "$DOHYO_TURN" = 0 ] && { [ -e errlog.txt ] || [ -e own ]; }; then exit 5; fi'
    (home / "bot.sh").write_text(f"#!/bin/sh\n{seen}\necho said >&2\necho x > own\necho rest\n")


# --- how it dies


def dies_slowly(home: Path) -> None:
    """Leaves a chain of forks with many mappings each, which the kernel takes long to clear away."""
    program("cc")
    source = Path(__file__).parent / "chain" / "dies_slowly.c"
    (home / "main.c").write_text(source.read_text())
    lines = ['run = "./guest"', 'lifetime = "turn"', 'build = "cc -O1 -o guest main.c"']
    (home / "bot.toml").write_text("\n".join(lines))


BUILT: dict[str, Make] = {
    make.__name__: make
    for make in (
        build_fifo,
        build_socket,
        build_device,
        build_closed,
        build_deep,
        build_many,
        build_sparse,
        odd_names,
    )
}
PLAYED: dict[str, Make] = {
    make.__name__: make
    for make in (
        folder_for_file,
        file_for_folder,
        kept_link,
        kept_fifo,
        kept_sparse,
        kept_closed,
        removes_itself,
        closes_itself,
        swaps_itself,
        remembers,
    )
}
DYING: dict[str, Make] = {dies_slowly.__name__: dies_slowly}
LEFTOVERS: dict[str, Make] = {**BUILT, **PLAYED, **DYING}
