"""A bot: a program on disk, recognised and built, ready to be started."""

from __future__ import annotations

import msgspec

LIFETIMES = ("match", "turn", "series")


class Bot(msgspec.Struct, frozen=True):
    """A program that can be started: what to run, where, and what it was made from.

    `command` is the argument list, its first word an absolute path. `folder` is the absolute working directory.
    `digest` is SHA-256, in hex, over what the author handed in: the files by relative name and bytes, or a command
    line's words. `lifetime` says how long one process of it lives: a match, a turn or a series of matches. `log` is
    what the build printed, at most 64 KiB of it.

    A bot that is declared by a `bot.toml` or `command.txt` runs from a copy in the cache: it is `copied`. Who lets it
    keep files copies `folder` once more first (`dohyo.run.quarters`), so that the copy in the cache stays as it was
    built; the folder is then `private`, and the bot may write to it.
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
