"""From words for bots to built bots, with the samples of a game and the sandbox for their builds.

Operators name bots beyond a plain word, too: NAME=BOT, and git:REV[:PATH].
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from dohyo import bots, clean
from dohyo.bots import Bot
from dohyo.bots.typed_words import Named, named, revision
from dohyo.core import notices
from dohyo.core.bot_spec import BotSpec, CommandLine, Elsewhere, HandIn, Sample, Speaking
from dohyo.core.errors import HandInError, OperatorError
from dohyo.core.game import Game
from dohyo.match.sandboxing import BuildSandbox
from dohyo.sandbox import Sandbox

if TYPE_CHECKING:
    from dohyo.match.git_trees import FoundRevision

Program = str | os.PathLike[str] | BotSpec | Named | Bot  # what a bot that is a program may be given as
PROGRAMS = (str, os.PathLike, HandIn, Sample, CommandLine, Speaking, Elsewhere, Named, Bot)
LONGEST_NAME = 64  # characters of a bot's name


def find_bots(
    game: Game,
    specs: Sequence[str | os.PathLike[str] | BotSpec | Bot],
    python: str | None,
    sandbox: Sandbox,
    *,
    follow: bool = True,
    debug: bool = False,
    setup: Mapping[str, object] | None = None,
) -> list[Bot]:
    """The bots that are meant, built; those that are bots already stay as they are. A text is the operator's word.

    Without `follow`, a single source comes without the files beside it, as in contests, where others' hand-ins are
    beside it.
    With `debug` they are debug builds (docs/debugging.md). In a `setup` of a variant, players who can say
    whether they play it have to.
    """
    meant = [os.fspath(one) if isinstance(one, os.PathLike) else one for one in specs if not isinstance(one, Bot)]
    samples = bots.samples_of(game)
    found = iter(
        bots.resolve(
            meant,
            samples,
            python=python,
            build_sandbox=BuildSandbox(sandbox),
            follow=follow,
            debug=debug,
        )
    )
    bots_found = [spec if isinstance(spec, Bot) else next(found) for spec in specs]
    for spec, bot in zip(specs, bots_found, strict=True):
        _check_spoken(game, bot, spec, sandbox, setup or {})
    return bots_found


def _check_spoken(game: Game, bot: Bot, spec: object, sandbox: Sandbox, setup: Mapping[str, object]) -> None:
    """Raise `OperatorError` for a player of a guest's kind that cannot play this game; `spec` is what was meant.

    A program that may be of such a kind, and is not called so, is told of.
    """
    if bot.kind:
        from dohyo.match.players.kind import kind_for

        try:
            kind = kind_for(bot)
        except OperatorError as error:
            if isinstance(spec, HandIn):  # its author's words, or those of whoever has packed it
                raise HandInError(error.key, **error.message.values) from error
            raise
        kind.check(game, bot, spec, sandbox, setup)
    elif bot.command and not bot.language:  # a program that nobody built
        from dohyo.match.players.kind import player_kinds

        for _, kind in player_kinds():
            if hint := kind.hint(game):
                notices.tell(hint, bot=bot.name)


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
    file. Different bots of one name are told apart by their paths. `debug` and `setup` are as for `find_bots`.

    Raises `OperatorError` for a word that names no bot or no revision, and for a name that no bot can have.
    """
    meant = [_parted(word) for word in words]
    revisions = {}
    for one in meant:
        if (asked := revision(one.bot)) is not None:
            from dohyo.match.git_trees import find_revision

            revisions[one] = find_revision(asked, own_of(meant))
    specs = [HandIn(revisions[one].path, typed=one.text) if one in revisions else one.bot for one in meant]
    found = find_bots(game, specs, python, sandbox, debug=debug, setup=setup)
    names = [
        check_name(one.name) if one.name else _usual(bot, revisions.get(one))
        for one, bot in zip(meant, found, strict=True)
    ]
    apart = distinct(names, meant, found)
    return [msgspec.structs.replace(bot, name=name) for bot, name in zip(found, apart, strict=True)]


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
    if not can_be_name(name):
        raise OperatorError("contest-bot-name", name=name, most=LONGEST_NAME)
    return name.strip()


def can_be_name(name: str) -> bool:
    """Whether a bot may be called so: letters that can be printed, not too many."""
    return name.isprintable() and 0 < len(name.strip()) <= LONGEST_NAME


def _usual(bot: Bot, revision: FoundRevision | None) -> str:
    """A bot's own name, with its revision."""
    if revision is None:
        return bot.name
    is_unnamed = bot.name == os.path.basename(os.path.normpath(revision.path))  # it has its folder's
    return f"{(revision.whole if is_unnamed else '') or bot.name}@{revision.label}"


def distinct(names: Sequence[str], meant: Sequence[Named], found: Sequence[Bot]) -> list[str]:
    """The names; where different bots have the same, as their `bot.toml` may say, each with where it is.

    That is as many of the last parts of its path as tell it from the others, however the path was typed. A number
    stands where no part does, or where no bot could be called so.
    """
    programs = {(name, bot.digest): (one, bot) for name, one, bot in zip(names, meant, found, strict=True)}
    shown = {name: clean.line(name).strip() for name in names}  # what a reader sees has to differ
    if len({shown[name] for name, _ in programs}) == len(programs):
        return list(names)
    from dohyo.match.told_apart import last_parts, place_of

    places = {key: place_of(*program, own_of(meant)) for key, program in programs.items()}
    known, number, bearers = {}, Counter[str](), Counter(shown[name] for name, _ in programs)
    for (name, digest), place in places.items():
        number[shown[name]] += 1
        own = last_parts(place, [each for (other, _), each in places.items() if shown[other] == shown[name]])
        if bearers[shown[name]] > 1 and own and can_be_name(f"{name} ({own})"):
            known[name, digest] = f"{name} ({own})"
        else:
            known[name, digest] = name if number[shown[name]] == 1 else f"{name} ({number[shown[name]]})"
    return [known[name, bot.digest] for name, bot in zip(names, found, strict=True)]
