"""A recipe: what recognising a spec finds out, and all that building needs to know.

A recipe is plain values. Where a word of it names the folder of the finished build, which is not known before the
build, it holds `BUILD`, and where it names the folder of what was handed in, `BOT`.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from dohyo.bots.bot import BOT, BUILD
from dohyo.core.errors import OperatorError

__all__ = ["BOT", "BUILD", "Recipe", "Step", "Words", "check_words"]

Words = tuple[str, ...]

# What a sandbox can start: bubblewrap takes 9000 words, its own among them, and the kernel takes words of 2 MiB
# together, the environment among them.
MOST_WORDS, LONGEST_COMMAND = 1000, 64 << 10  # of a command that starts a bot; the second in bytes
MOST_BUILDING, LONGEST_BUILDING = 8000, 1 << 20  # of a command of a build, where every source is a word


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


def check_words(spec: str, command: Words, steps: tuple[Step, ...] = ()) -> None:
    """Refuse a bot whose command, or a command of whose build, is more than a sandbox can start.

    Raises `OperatorError`.
    """
    if _is_more(command, MOST_WORDS, LONGEST_COMMAND):
        raise OperatorError("bot-long-command", bot=spec, words=MOST_WORDS, kibibytes=LONGEST_COMMAND >> 10)
    if any(_is_more(way, MOST_BUILDING, LONGEST_BUILDING) for step in steps for way in step.ways):
        raise OperatorError("bot-long-build", bot=spec, words=MOST_BUILDING, kibibytes=LONGEST_BUILDING >> 10)


def _is_more(words: Words, most: int, longest: int) -> bool:
    return len(words) > most or sum(len(word.encode("utf-8", "surrogatepass")) for word in words) > longest
