"""Where bots of one name are, in as few words as tell them apart: only looked at where names are the same."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dohyo.bots.typed_words import Named, revision
from dohyo.core.bot_spec import CommandLine, Elsewhere, HandIn, Speaking

if TYPE_CHECKING:
    from dohyo.bots import Bot


def last_parts(path: str, alike: Sequence[str]) -> str:
    """The fewest last parts of a path with which no other path in `alike` ends; empty if one is the same."""
    own, others = path.split("/"), [each.split("/") for each in alike]
    for count in range(1, max(map(len, others)) + 1):
        if sum(each[-count:] == own[-count:] for each in others) == 1:
            return "/".join(own[-count:])
    return ""


def place_of(one: Named, bot: Bot, own: str) -> str:
    """Where a bot is, the same for each way to type it: inside the current folder from there; without arguments.

    `own` is the path that revisions without one mean.
    """
    if (asked := revision(one.bot)) is not None:
        return os.path.normpath(asked.path or own)
    program = bot.spec.program if isinstance(bot.spec, Speaking) else bot.spec
    if isinstance(program, Elsewhere):
        return program.address
    if isinstance(program, CommandLine):
        from dohyo.languages import by_ending

        words = program.words
        path = next((word for word in words if by_ending(word) is not None), words[0])
    elif isinstance(program, HandIn):
        path = program.path
    else:
        path = one.text if program is None else program.name
    inside = os.path.relpath(path)
    if "/" not in path or inside.startswith("."):  # a program of the PATH, or elsewhere
        return os.path.normpath(path)
    return inside
