"""From words for bots to built bots, with the samples of a game and the sandbox for their builds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from dohyo import bots
from dohyo.bots import Bot
from dohyo.bots.resolution import Named
from dohyo.core import notices
from dohyo.core.bot_spec import ENGINES, BotSpec, CommandLine, Engine, HandIn, Sample, Server
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.sandbox import OUR_PREFIX
from dohyo.match.sandboxing import BuildSandbox
from dohyo.sandbox import Sandbox

Program = str | os.PathLike[str] | BotSpec | Named | Bot  # what a bot that is a program may be given as
PROGRAMS = (str, os.PathLike, HandIn, Sample, CommandLine, Engine, Server, Named, Bot)


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
    With `debug` they are debug builds (docs/debugging.md). In a `setup` of a variant, engines that are called so have
    to play it.
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
        check_spoken(game, bot)
        if isinstance(spec, Engine) or (isinstance(spec, str) and spec.startswith(ENGINES) and bot.protocol):
            from dohyo.bots.engines import parted
            from dohyo.match.engine_options import check_options

            typed = spec.settings if isinstance(spec, Engine) else parted(spec)[1]
            check_options(game, bot, typed, sandbox, setup or {})
    return bots_found


def check_spoken(game: Game, bot: Bot) -> None:
    """Raise `OperatorError` for a server or an engine in a game that has no messages for it.

    A program that may be an engine, and is not called one, is told of.
    """
    if bot.url and game.http is None:
        raise OperatorError("game-without-servers", game=game.name, bot=bot.name)
    if game.uci is None and any(word.startswith(OUR_PREFIX) for word in bot.command) and bot.protocol:
        raise OperatorError("game-without-engines", game=game.name, bot=bot.name)
    if game.uci is not None and bot.command and not bot.language and not bot.protocol:  # a program that nobody built
        notices.tell("maybe-engine", bot=bot.name)
