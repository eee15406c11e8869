"""A bot: a program on disk, recognised and built, ready to be started."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace

from dohyo.core.bot_spec import BotSpec
from dohyo.core.sandbox import BUILT, HAND_IN, OUR_PREFIX, Mount, Shown

LONGEST_REASON = 300  # characters
LIFETIMES = ("match", "turn", "series")

# Placeholders in the words of a command: for the folder with the copy of what was handed in, and for the folder of
# the build. No path and no argument of a process can contain these.
BOT = "\0bot\0"
BUILD = "\0build\0"
# Files by which authors say how their folder is built and run.
TOML, COMMANDS = "bot.toml", "command.txt"
COPY = "bot"  # the name of every copy of a hand-in, so that a path does not show what its author called it


class Bot(msgspec.Struct, frozen=True):
    """A program that can be started: what to run, where, and what it was made from.

    `command` is the argument list, its first word an absolute path. `folder` is the absolute working directory. Both
    are as they are on this machine; `form` is the same, command first and folder last, with `BOT` and `BUILD` instead
    of the two folders, so that a sandbox with a file system of its own can show these under neutral paths (empty if
    there is nothing to replace).

    `staged` is the copy of what was handed in, `built` the folder of the build; each is empty if there is none.
    `programs` are the operator's interpreters that it runs with, `shown` the files and folders that the operator's
    own command line names: absolute paths.

    `digest` is SHA-256, in hex, over what the author handed in: the files by relative name and bytes, or a command
    line's words. `lifetime` says how long one process of it lives: a match, a turn or a series of matches. `log` is
    what the build printed, at most 64 KiB of it.

    A bot that is declared by a `bot.toml` or `command.txt` runs from its build's folder: it is `copied`. To let it
    store files, that folder is copied once more first (`match/working_copies.py`), so that the copy in the cache
    stays as it was built; the folder is then `private`, and the bot may write to it. `debug` says that it is a debug
    build.

    A bot that is not started here has an `address`, and no command. `spec` is what it was meant by; none for a bot
    that nobody named. `is_lone` says that it was handed in as a single file. `left_out` are sources of
    its folder, by relative name, that are not built: they are none of the program. `apart` are entries of it that
    look like bots of their own, and of which the program uses nothing (`apart.py`).

    A bot that cannot be used here, by what its author handed in, takes part as one that does not start: `unusable`
    says why, in English.
    """

    name: str
    command: tuple[str, ...]
    folder: str
    digest: str
    language: str
    lifetime: str = "match"
    log: str = ""
    copied: bool = False
    private: bool = False
    form: tuple[str, ...] = ()
    staged: str = ""
    built: str = ""
    programs: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    debug: bool = False
    address: str = ""
    unusable: str = ""
    spec: BotSpec | None = None
    is_lone: bool = False
    left_out: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()

    @property
    def protocol(self) -> str:
        """What it speaks, as "uci"; empty for its game's own protocol."""
        if not any(word.startswith(OUR_PREFIX) for word in self.command):
            return ""
        from dohyo.core import parameters

        return parameters.without_protocol(self.command)[1]

    @property
    def kind(self) -> str:
        """The kind of player that a guest brings for it, by name; empty for a program that speaks its game's own
        protocol."""
        return self.address.partition(":")[0] or self.protocol

    def words(self, own_files: bool) -> tuple[str, ...]:
        """The command to start in a sandbox with its own file system, or in one without."""
        return fill(self.form[:-1], HAND_IN, BUILT) if own_files and self.form else self.command

    def sees(self, own_files: bool) -> Shown:
        """What it sees of the disk in such a sandbox, and where it starts."""
        folder = fill(self.form[-1:], HAND_IN, BUILT)[0] if own_files and self.form else self.folder
        mounts = [Mount(path, path) for path in self.shown]
        for place, neutral, mark in ((self.staged, HAND_IN, BOT), (self.built, BUILT, BUILD)):
            if place:
                writable = self.private and self.form[-1:] == (mark,)
                mounts.append(Mount(place, neutral if own_files else place, writable))
        return Shown(folder, tuple(mounts), self.programs)

    def moved(self, own: str) -> Bot:
        """This bot in another copy of the folder that it runs from, which only it uses.

        That is the folder of its build, or, where nothing is built, the copy of what was handed in.
        """
        of_hand_in = self.form[-1:] == (BOT,)
        staged, built = (own, self.built) if of_hand_in else (self.staged, own)
        *command, folder = fill(self.form, staged, built)
        return replace(self, command=tuple(command), folder=folder, staged=staged, built=built, private=True)

    def without_start(self, error: Exception) -> Bot:
        """This bot as one that cannot be started: its author's doing, as the error says."""
        from dohyo import clean

        return replace(self, unusable=clean.line(str(error))[:LONGEST_REASON])

    def given(self, words: tuple[str, ...]) -> Bot:
        """This bot with more words behind its command, such as values of parameters (`core/parameters.py`)."""
        form = (*self.form[:-1], *words, self.form[-1]) if self.form else ()
        return replace(self, command=(*self.command, *words), form=form)


def declares(folder: Path) -> bool:
    """Whether a file of the folder says how it is built and run."""
    return (folder / TOML).is_file() or (folder / COMMANDS).is_file()


def fill(words: tuple[str, ...], staged: str, built: str) -> tuple[str, ...]:
    """Words in which the two folders replace the placeholders."""
    return tuple(word.replace(BOT, staged).replace(BUILD, built) for word in words)
