"""Engines that are started before their matches: whether each has the options that its operator has typed, and plays
the variant that the setup asks for; and their handshake, for `dohyo check`.

For its options an engine is asked before the first match, once. What an author wrote into a `bot.toml` is not the
operator's mistake: there a wrong option, or a variant that the engine does not play, is the engine's fault in its
match (`uci.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from msgspec.structs import replace

from dohyo import clean
from dohyo.bench.check.findings import Finding, fine, wrong
from dohyo.bots import Bot
from dohyo.core import parameters
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import Value, resolve
from dohyo.core.referee import Referee
from dohyo.core.spelling import closest, meant
from dohyo.guests.engines.group import Engines
from dohyo.guests.engines.uci import EngineOption, EngineProcess, plain
from dohyo.guests.engines.uci_protocol import LIMITS, PROTOCOL, VARIANTS
from dohyo.interrupts import DeferSignals
from dohyo.match.play import seat_launch
from dohyo.match.players.players import Players
from dohyo.match.processes.launch import Launch
from dohyo.match.sandboxing import launch, told_of
from dohyo.sandbox import Sandbox
from dohyo.sandbox.environment import unsandboxed_environment


class Features(NamedTuple):
    """What an engine has told: its options, by their plain names; and variants, in XBoard's protocol."""

    options: Mapping[str, EngineOption]
    variants: frozenset[str] = frozenset()


_asked: dict[tuple[str, ...], Features | None] = {}  # by command: engines that were asked; none: not ready


def check_options(
    game: Game, bot: Bot, typed: Sequence[str], sandbox: Sandbox, wanted_setup: Mapping[str, object]
) -> None:
    """Raise `OperatorError` for a value of an option that the engine has not told, or that it does not take.

    `typed` are the operator's words for them. The same where the setup's variant is one that it does not play. An
    engine that is not ready is no mistake in an option: its match says what is wrong with it.
    """
    variant = game.engine_variant(resolve(game.options, wanted_setup, game.catalogue))
    setup = game.draw_setup(resolve(game.options, {}, game.catalogue), 0)
    told = {**unsandboxed_environment(os.environ), **told_of(game, game.usual_clock(), setup)}
    program = launch(bot, told, sandbox)
    own = parameters.settings(parameters.parted(typed)[1])  # the words of its `bot.toml` are values, too
    wanted = {name: value for name, value in program.settings.items() if name in own and name not in LIMITS}
    if not wanted and not variant:
        return
    if program.command not in _asked:
        _asked[program.command] = _told(game, program, setup)
    if (told_by_it := _asked[program.command]) is None:
        return
    if variant:
        _check_variant(bot, told_by_it, variant)
    known = told_by_it.options
    for name, value in wanted.items() if known else ():
        option = known.get(name)
        if option is None:
            close = closest(name, list(known))
            nearest = meant(_typed(known[close]) if close else "")
            raise OperatorError("uci-no-option", bot=bot.name, option=name, nearest=nearest)
        if not option.takes(value):
            raise OperatorError("uci-option-value", bot=bot.name, option=_typed(option), value=value)


def _check_variant(bot: Bot, told_by_it: Features, variant: str) -> None:
    """Raise `OperatorError` for an engine that does not play a variant."""
    if bot.protocol == PROTOCOL:
        for name in VARIANTS.get(variant, {}):
            if name not in told_by_it.options:
                raise OperatorError("uci-no-variant", bot=bot.name)
    elif variant not in told_by_it.variants:
        raise OperatorError("xboard-no-variant", bot=bot.name, variant=variant)


def _typed(option: EngineOption) -> str:
    """An option as it is typed: its own spelling, with `_` for a space."""
    name = clean.line(option.name).replace(" ", "_")
    return f"option.{name}" if plain(name) == plain(option.name) else f"option.{plain(option.name)}"


def _told(game: Game, program: Launch, setup: Mapping[str, object]) -> Features | None:
    """What it tells; none if it does not become ready."""
    referee, clock = Referee(game, dict(setup), game.seats[0], 0), game.usual_clock()
    with _started(Players(referee, {0: replace(program, settings={})}, clock, DeferSignals())) as players:
        if referee.stopped[0] is not None:
            return None
        engine = engine_of(players)
        return Features(engine.options, getattr(engine, "variants", frozenset()))


def check_handshake(
    game: Game,
    bot: Bot,
    limits: Clock,
    seed: int,
    setup: Mapping[str, Value],
    sandbox: Sandbox,
    signals: DeferSignals,
) -> Finding:
    """Start an engine and wait until it is ready; what was found. No program is left running."""
    referee = Referee(game, game.draw_setup(resolve(game.options, setup, game.catalogue), seed), game.seats[0], seed)
    program = seat_launch(game, bot, seed, 0, None, sandbox, limits, referee.setup)
    start = monotonic()
    with _started(Players(referee, {0: program}, limits, signals)) as players:
        seconds = monotonic() - start
        if (fault := referee.stopped[0]) is not None:
            return wrong(f"check.{bot.protocol}-not-ready", detail=fault.told)
        engine = engine_of(players)
        told = {"name": clean.line(engine.name) or bot.name, "options": len(engine.options), "seconds": seconds}
        return fine(f"check.{bot.protocol}", **told)


@contextmanager
def _started(players: Players) -> Iterator[Players]:
    """Start them, and let none run on."""
    try:
        players.start()
        yield players
    finally:
        players.stop_all()


def engine_of(players: Players) -> EngineProcess:
    """The engine on the first seat."""
    group = players.group(0)
    assert isinstance(group, Engines)
    engine = group.processes.player(0)
    assert isinstance(engine, EngineProcess)
    return engine
