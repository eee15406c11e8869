"""Whether an engine has the options that its operator has typed: asked before the first match, once for each engine.

What an author wrote into a `bot.toml` is not the operator's mistake: there a wrong option is the engine's fault in
its match (`runner/uci.py`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dohyo import clean
from dohyo.app.sandboxing import launch, told_of
from dohyo.bots import Bot
from dohyo.core import parameters
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.core.sandbox import unsandboxed_environment
from dohyo.core.spelling import closest
from dohyo.core.uci_protocol import LIMITS
from dohyo.interrupts import DeferSignals
from dohyo.runner.launch import Launch
from dohyo.runner.players import Players
from dohyo.runner.uci import EngineOption, EngineProcess, plain
from dohyo.sandbox import Sandbox

_asked: dict[tuple[str, ...], Mapping[str, EngineOption]] = {}  # by command: the options of engines that were asked


def check_options(game: Game, bot: Bot, typed: Sequence[str], sandbox: Sandbox) -> None:
    """Raise `OperatorError` for a value of an option that the engine has not told, or that it does not take.

    `typed` are the operator's words for them. An engine that is not ready is no mistake in an option: its match says
    what is wrong with it.
    """
    setup = game.draw_setup(resolve(game.options, {}, game.catalogue), 0)
    told = {**unsandboxed_environment(os.environ), **told_of(game, game.usual_clock(), setup)}
    program = launch(bot, told, sandbox)
    own = parameters.settings(parameters.parted(typed)[1])  # the words of its `bot.toml` are values, too
    wanted = {name: value for name, value in program.settings.items() if name in own and name not in LIMITS}
    if not wanted:
        return
    if program.command not in _asked:
        _asked[program.command] = _options(game, program, setup)
    known = _asked[program.command]
    for name, value in wanted.items() if known else ():
        option = known.get(name)
        if option is None:
            meant = closest(name, list(known))
            nearest = f" ('{_typed(known[meant])}'?)" if meant else ""
            raise OperatorError("uci-no-option", bot=bot.name, option=name, nearest=nearest)
        if not option.takes(value):
            raise OperatorError("uci-option-value", bot=bot.name, option=_typed(option), value=value)


def _typed(option: EngineOption) -> str:
    """An option as it is typed: its own spelling, with `_` for a space."""
    name = clean.line(option.name).replace(" ", "_")
    return f"option.{name}" if plain(name) == plain(option.name) else f"option.{plain(option.name)}"


def _options(game: Game, program: Launch, setup: Mapping[str, object]) -> Mapping[str, EngineOption]:
    """The options that it tells, by their plain names; none if it does not become ready."""
    referee, clock = Referee(game, dict(setup), game.seats[0], 0), game.usual_clock()
    players = Players(referee, {0: replace(program, settings={})}, clock, DeferSignals())
    try:
        players.start()
        if referee.stopped[0] is not None:
            return {}
        engine = players.per_match.player(0)
        assert isinstance(engine, EngineProcess)
        return engine.options
    finally:
        players.stop_all()
