"""Bots as operators name them beyond a plain word: NAME=BOT, and git:REV[:PATH]."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from dohyo.app.found_bots import find_bots
from dohyo.app.revisions import Revision, find_revision, is_revision
from dohyo.bots import Bot
from dohyo.bots.engines import PREFIX
from dohyo.bots.resolution import SERVERS
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.sandbox import Sandbox
from dohyo.system.search_path import which

LONGEST_NAME = 64  # characters of a bot's name


def named(word: str) -> tuple[str, str]:
    """A bot's name and the word for it, from BOT or NAME=BOT; the name of an existing file is never split.

    Before the first `=` a name has no slash and no quote. With a space in it, the word may be a command line instead.
    It is a name if nothing could start that command line, and there is something behind the `=`: no word of the name
    begins with a hyphen, its first word is no program and no file, and BOT is a file, a folder, `git:...`, `uci:...`
    or a server's address.
    """
    name, equals, bot = word.partition("=")
    if not equals or not name or name.startswith(("-", PREFIX)) or any(sign in name for sign in '/"'):
        return "", word
    is_name = _is_spaced_name(name, bot) if len(name.split()) > 1 else not any(sign in name for sign in " '")
    return (name, bot) if is_name and not os.path.exists(word) else ("", word)


def _is_spaced_name(name: str, bot: str) -> bool:
    """Whether a text with spaces, before `=` and what may be a bot, is a name and not the beginning of a command."""
    words = name.split()
    if (
        any(word.startswith(("-", "'")) or "\\" in word for word in words)
        or os.path.exists(words[0])
        or which(words[0])
    ):
        return False
    return os.path.exists(os.path.expanduser(bot)) or is_revision(bot) or bot.startswith((PREFIX, *SERVERS))


def find_named(
    game: Game, words: Sequence[str], python: str | None, sandbox: Sandbox, debug: bool = False
) -> list[Bot]:
    """The bots that these words mean, built, with their names.

    A bot of a revision is called NAME@REV. `git:REV` without a path means the path of the first of the bots that is a
    file. Of different bots with one name, all but the first get a number. `debug` is as for `find_bots`.

    Raises `OperatorError` for a word that names no bot or no revision, and for a name that no bot can have.
    """
    pairs = [named(word) for word in words]
    plain = [bot for _, bot in pairs if not is_revision(bot)]
    own = next((bot for bot in plain if os.path.exists(bot)), plain[0] if plain else "")
    revisions = {bot: find_revision(bot, own) for _, bot in pairs if is_revision(bot)}
    specs = [revisions[bot].path if bot in revisions else bot for _, bot in pairs]
    found = find_bots(game, specs, python, sandbox, debug=debug)
    names = [
        check_name(name) if name else _usual(bot, revisions, one)
        for (name, one), bot in zip(pairs, found, strict=True)
    ]
    return [msgspec.structs.replace(bot, name=name) for bot, name in zip(found, distinct(names, found), strict=True)]


def check_name(name: str) -> str:
    """The name, if it can be a bot's. Raises `OperatorError`."""
    if not name.isprintable() or not 0 < len(name.strip()) <= LONGEST_NAME:
        raise OperatorError("contest-bot-name", name=name, most=LONGEST_NAME)
    return name.strip()


def _usual(bot: Bot, revisions: Mapping[str, Revision], word: str) -> str:
    """A bot's own name, with its revision."""
    return f"{bot.name}@{revisions[word].label}" if word in revisions else bot.name


def distinct(names: Sequence[str], found: Sequence[Bot]) -> list[str]:
    """The names, with a number where an earlier bot that is another one has the same."""
    number: Counter[str] = Counter()
    known: dict[tuple[str, str], str] = {}
    for name, bot in zip(names, found, strict=True):
        if (name, bot.digest) not in known:
            number[name] += 1
            known[name, bot.digest] = name if number[name] == 1 else f"{name} ({number[name]})"
    return [known[name, bot.digest] for name, bot in zip(names, found, strict=True)]
