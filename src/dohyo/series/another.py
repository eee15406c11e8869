"""Another contest than the one that a store has: where it would begin, and what is added to a command for it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from dohyo.core.errors import OperatorError
from dohyo.i18n import Message
from dohyo.i18n.messages import LONGEST

MAX_STORES = 1000  # beside each other that are looked at for a free name
OPTION = "--store"
KEY = "contest-another"
ANYWHERE = Message("contest-another-anywhere")


def another(where: str) -> Message:
    """What else can be done than to go on in this store: begin another contest in a file that is not there yet.

    Where the store is no file, only that it has to be another store or name.
    """
    if "://" in where:
        return ANYWHERE
    path = Path(where)
    for number in range(2, MAX_STORES):
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        if not os.path.lexists(free):
            if free.is_absolute() and free.is_relative_to(Path.cwd()):
                free = free.relative_to(Path.cwd())
            return Message(KEY, {"command": f"{OPTION} {shlex.quote(str(free))}"})
    return ANYWHERE


def with_command(error: OperatorError, typed: list[str]) -> OperatorError:
    """The error with the whole command to type in the place of the option alone, if it proposes another contest.

    `typed` are the words behind `dohyo`. A command that is too long for a sentence, or holds what no terminal shows,
    is not written out.
    """
    proposed = error.message.values.get("another")
    if not isinstance(proposed, Message) or proposed.key != KEY:
        return error
    option = shlex.split(proposed.values["command"])
    words: list[str] = []
    rest = iter(typed)
    for word in rest:
        if word == "--":
            words += [*option, word, *rest]
            option = []
        elif word == OPTION:
            next(rest, None)
        elif not word.startswith(f"{OPTION}="):
            words.append(word)
    command = shlex.join(["dohyo", *words, *option])
    if len(command) > LONGEST or not command.isprintable():
        return error
    values = {**error.message.values, "another": Message(KEY, {"command": command})}
    error.message = Message(error.message.key, values)
    return error
