"""A recipe: what recognising a spec finds out, and all that building needs to know.

A recipe is plain values. Where a word of it names the folder of the finished build, which is not known before the
build, it holds `BUILD`, and where it names the folder of what was handed in, `BOT`.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from dohyo.bots.bot import BOT, BUILD

__all__ = ["BOT", "BUILD", "Recipe", "Step", "Words"]

Words = tuple[str, ...]


class Step(msgspec.Struct, frozen=True):
    """One command of a build, run in the build's folder.

    `ways` are tried in turn until one succeeds: the same compiler with ever older standards, say.
    `line` is what its author wrote, where that was a line for a shell.
    """

    ways: tuple[Words, ...]
    line: str = ""


class Recipe(msgspec.Struct, frozen=True):
    """How to make a bot from what the operator named.

    `spec` is the operator's word, for messages. `placed` are the files that stand in the build's folder before the
    first step, by relative name: a path to copy from, or the very bytes. `links` are symbolic links there, by
    relative name. `tools` says which compilers, of which versions, the steps use: a part of the key under which the
    build is kept.

    `files` are all that belong to the hand-in, by relative name. `uses` are names of the operator's programs that the
    bot is built and run with ("python" for the bots' Python, "dohyo" for our own): only those of the table of
    languages, and Pythons, are ever shown to it. `shown` are files and folders that the operator's own command line
    names; absolute paths.
    """

    spec: str
    name: str
    command: Words
    folder: str
    digest: str
    language: str = ""
    lifetime: str = "match"
    placed: dict[str, Path | bytes] = {}
    links: dict[str, str] = {}
    steps: tuple[Step, ...] = ()
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    @property
    def builds(self) -> bool:
        """Whether anything has to be made or copied before the bot can start."""
        return bool(self.placed or self.steps)
