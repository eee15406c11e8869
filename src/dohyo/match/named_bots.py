"""Bots as operators name them beyond a plain word: NAME=BOT, and git:REV[:PATH]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from dohyo.bots import Bot
from dohyo.bots.resolution import Named, named, revision
from dohyo.core.bot_spec import BotSpec, HandIn
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.match.found_bots import find_bots
from dohyo.match.revisions import FoundRevision, find_revision
from dohyo.sandbox import Sandbox

LONGEST_NAME = 64  # characters of a bot's name


def find_named(
    game: Game,
    words: Sequence[str | Named | BotSpec],
    python: str | None,
    sandbox: Sandbox,
    debug: bool = False,
    setup: Mapping[str, object] | None = None,
) -> list[Bot]:
    """The bots that these words mean, built, with their names.

    A bot of a revision is called NAME@REV. `git:REV` without a path means the path of the first of the bots that is a
    file. Of different bots with one name, all but the first get a number. `debug` and `setup` are as for `find_bots`.

    Raises `OperatorError` for a word that names no bot or no revision, and for a name that no bot can have.
    """
    meant = [_parted(word) for word in words]
    revisions = {
        one: find_revision(asked, own_of(meant)) for one in meant if (asked := revision(one.bot)) is not None
    }
    specs = [HandIn(revisions[one].path, typed=one.text) if one in revisions else one.bot for one in meant]
    found = find_bots(game, specs, python, sandbox, debug=debug, setup=setup)
    names = [
        check_name(one.name) if one.name else _usual(bot, revisions.get(one))
        for one, bot in zip(meant, found, strict=True)
    ]
    return [msgspec.structs.replace(bot, name=name) for bot, name in zip(found, distinct(names, found), strict=True)]


def _parted(word: str | Named | BotSpec) -> Named:
    if isinstance(word, Named):
        return word
    return named(word) if isinstance(word, str) else Named("", word)


def own_of(meant: Sequence[Named]) -> str:
    """The path of the first of the bots that is a file, or else the first word that is no revision."""
    plain = [one for one in meant if revision(one.bot) is None]
    return next((one.bot.path for one in plain if isinstance(one.bot, HandIn)), plain[0].text if plain else "")


def check_name(name: str) -> str:
    """The name, if it can be a bot's. Raises `OperatorError`."""
    if not name.isprintable() or not 0 < len(name.strip()) <= LONGEST_NAME:
        raise OperatorError("contest-bot-name", name=name, most=LONGEST_NAME)
    return name.strip()


def _usual(bot: Bot, revision: FoundRevision | None) -> str:
    """A bot's own name, with its revision."""
    return bot.name if revision is None else f"{bot.name}@{revision.label}"


def distinct(names: Sequence[str], found: Sequence[Bot]) -> list[str]:
    """The names, with a number where an earlier bot that is another one has the same."""
    number: Counter[str] = Counter()
    known: dict[tuple[str, str], str] = {}
    for name, bot in zip(names, found, strict=True):
        if (name, bot.digest) not in known:
            number[name] += 1
            known[name, bot.digest] = name if number[name] == 1 else f"{name} ({number[name]})"
    return [known[name, bot.digest] for name, bot in zip(names, found, strict=True)]
