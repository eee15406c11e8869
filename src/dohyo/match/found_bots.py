"""From words for bots to built bots, with the samples of a game and the sandbox for their builds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from dohyo import bots
from dohyo.bots import Bot
from dohyo.bots.resolution import Named
from dohyo.core import notices
from dohyo.core.bot_spec import BotSpec, CommandLine, Elsewhere, HandIn, Sample, Speaking
from dohyo.core.errors import HandInError, OperatorError
from dohyo.core.game import Game
from dohyo.match.sandboxing import BuildSandbox
from dohyo.sandbox import Sandbox

Program = str | os.PathLike[str] | BotSpec | Named | Bot  # what a bot that is a program may be given as
PROGRAMS = (str, os.PathLike, HandIn, Sample, CommandLine, Speaking, Elsewhere, Named, Bot)


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
