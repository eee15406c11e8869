"""Engines as kinds of players: those that speak UCI, and those that speak XBoard's protocol."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from dohyo.bots.bot import Bot
from dohyo.bots.kinds import ReadProgram
from dohyo.core import parameters
from dohyo.core.bot_spec import Speaking
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.guests.engines import uci_protocol, words, xboard_protocol
from dohyo.match.players.judge import Judge
from dohyo.match.players.kind import PlayerKind
from dohyo.match.players.player import Group, MatchContext
from dohyo.match.processes.launch import Launch
from dohyo.match.replays.sent import Sent, Telling
from dohyo.sandbox import Sandbox


class EngineKind(PlayerKind):
    """A program that the operator, or its author in a `bot.toml`, has called an engine."""

    def read(self, word: str, program: ReadProgram) -> Speaking:
        """Its program, and words for its protocol and options."""
        command, settings = words.parted(word)
        return Speaking(program(command), settings)

    def group(self, launches: Mapping[int, Launch], context: MatchContext) -> Group:
        """The engines of a match."""
        from dohyo.guests.engines.group import Engines

        return Engines(launches, context)

    def check(self, game: Game, bot: Bot, spec: object, sandbox: Sandbox, setup: Mapping[str, object]) -> None:
        """Raise `OperatorError` in a game that engines do not play, and for options that are wrong.

        What an author wrote into a `bot.toml` is not the operator's mistake: it is not looked at here.
        """
        if game.uci is None:
            raise OperatorError("game-without-engines", game=game.name, bot=bot.name)
        typed = words.typed_settings(spec)
        if typed is not None:
            from dohyo.guests.engines.options import check_options

            check_options(game, bot, typed, sandbox, setup)

    def judges(self, game: Game) -> str:
        """Engines say scores, in games that they play."""
        return "" if game.uci is None else f"{self.protocol}:PROGRAM"

    def judging(
        self, game: Game, bot: Bot, sandbox: Sandbox, setup: Mapping[str, object]
    ) -> AbstractContextManager[Judge]:
        """The engine as a match has it, asked for its scores."""
        from dohyo.guests.engines.judging import judging

        return judging(game, bot, sandbox, setup)


class UciKind(EngineKind):
    """An engine that speaks UCI."""

    title, protocol, tells = "UCI", uci_protocol.PROTOCOL, True
    unsaid, not_found = "inputs-engine", "rerun-engine"

    def meant(self, word: str) -> str | None:
        """The word for a chess engine of this name, where systems keep such programs."""
        is_there = "/" not in word and any(os.access(f"{folder}/{word}", os.X_OK) for folder in words.GAMES)
        return f"uci:{word}" if is_there else None

    def hint(self, game: Game) -> str:
        """A program in a game of engines may be one."""
        return "" if game.uci is None else "maybe-engine"

    def limits(self, bot: Bot) -> str:
        """What stands in each `go` behind the time."""
        return uci_protocol.limits_of(parameters.settings(parameters.parted(bot.command)[1]))

    def may_be_kept(self, launch: Launch) -> bool:
        """It may: it can be told that another match begins."""
        return True

    def can_tell(self, game: Game, replay: Replay) -> bool:
        """Whether a replay has all that an engine is told."""
        return game.uci is not None and replay.header.clock is not None

    def telling(self, sent: Sent) -> Telling:
        """What engines were sent in a recorded match."""
        from dohyo.guests.engines.telling import ToEngines

        return ToEngines(sent)

    def given(self, arguments: Sequence[str]) -> tuple[str, ...] | None:
        """The words for the protocol and options, these as tables show them: `hash=4`, `go_nodes=5`."""
        return (*parameters.speaking("uci"), *(words.setting(words.as_typed(each)) for each in arguments))

    def is_harmless(self, word: str) -> bool:
        """Whether it is no option, or sets one to a number, true or false."""
        _, equals, value = word.partition("=")
        is_number = value.removeprefix("-").isdecimal() and value.isascii()
        return not equals or is_number or value.lower() in ("true", "false")


class XboardKind(EngineKind):
    """An engine that speaks XBoard's protocol: what it is sent depends on features that are in no replay."""

    title, protocol = "XBoard", xboard_protocol.PROTOCOL
    untold = "inputs-xboard"


UCI, XBOARD = UciKind(), XboardKind()
