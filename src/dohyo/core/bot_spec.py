"""What a bot is meant by, as values: a word is parsed once, where it comes from, and its value says what may be done.

Who reads a text chooses the type, and no later code looks at a string to choose another one. The operator's own words
can become any of them (`dohyo.bots.typed_words.read`). What strangers write becomes a `HandIn` whose arguments name
no files, or nothing at all: file names in a folder of hand-ins, archives, the names in replays, stores and bundles.
"""

from __future__ import annotations

import msgspec

from dohyo.core.sandbox import OUR_PREFIX

REVISION = "git:"  # how the operator's word for a bot of a git repository begins


class HandIn(msgspec.Struct, frozen=True, tag="hand-in", omit_defaults=True):
    """A file or a folder that somebody handed in, by its absolute path, with arguments for its program.

    It is copied, read and built in a sandbox, and its program sees nothing but the copy and its build. `names_files`
    says that the arguments are the operator's own: the files that they name are shown to it. An `entry` was found in
    a folder of hand-ins: nothing beside it belongs to it, and a manifest stands for itself alone. `typed` is what
    messages call it, where that is not the path.
    """

    path: str
    arguments: tuple[str, ...] = ()
    names_files: bool = False
    entry: bool = False
    typed: str = ""


class Sample(msgspec.Struct, frozen=True, tag="sample", omit_defaults=True):
    """A sample bot of a game, by its name; its arguments are the operator's."""

    name: str
    arguments: tuple[str, ...] = ()


class CommandLine(msgspec.Struct, frozen=True, tag="command-line", omit_defaults=True):
    """A program of the operator's with its arguments, started in the current folder; it sees what its words name."""

    words: tuple[str, ...]


class Speaking(msgspec.Struct, frozen=True, tag="speaking", omit_defaults=True):
    """A program that speaks another protocol than its game's: as the operator named it, and words for the protocol
    and for its options (`core/parameters.py`)."""

    program: HandIn | Sample | CommandLine
    settings: tuple[str, ...]


class Elsewhere(msgspec.Struct, frozen=True, tag="elsewhere", omit_defaults=True):
    """A player that is not started here, by its address; how that begins, up to the first `:`, says of which kind."""

    address: str


BotSpec = HandIn | Sample | CommandLine | Speaking | Elsewhere


class Revision(msgspec.Struct, frozen=True, tag="revision", omit_defaults=True):
    """A bot of a git repository: the revision, and its path there; without a path, that of the bot beside it."""

    revision: str
    path: str = ""

    @property
    def typed(self) -> str:
        """What is typed for it."""
        return f"{REVISION}{self.revision}" + (f":{self.path}" if self.path else "")


def text_of(spec: BotSpec) -> str:
    """What a person types for it, as one word of a command; a shell needs it quoted (`shlex.quote`)."""
    import shlex

    if isinstance(spec, Elsewhere):
        return spec.address
    program, settings = (spec.program, spec.settings) if isinstance(spec, Speaking) else (spec, ())
    if isinstance(program, CommandLine):
        words = (*program.words, *settings)
    else:
        name = program.name if isinstance(program, Sample) else program.typed or program.path
        words = (name, *program.arguments, *settings)
        if len(words) == 1:
            return name
    if any(word.startswith(OUR_PREFIX) for word in words):
        from dohyo.core import parameters

        if (typed := parameters.as_typed(words)) is not None:
            return typed[0] + shlex.join(typed[1])
    return shlex.join(words)
