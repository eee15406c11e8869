"""The check of a UCI engine before its matches: its handshake, as in a match."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from dohyo import clean
from dohyo.bench.check.findings import Finding, fine, wrong
from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.game import Game
from dohyo.core.options import Value, resolve
from dohyo.core.referee import Referee
from dohyo.guests.engines.options import engine_of
from dohyo.interrupts import DeferSignals
from dohyo.match.play import seat_launch
from dohyo.match.players.players import Players
from dohyo.sandbox import Sandbox


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
    launch = seat_launch(game, bot, seed, 0, None, sandbox, limits, referee.setup)
    players = Players(referee, {0: launch}, limits, signals)
    start = monotonic()
    try:
        players.start()
        seconds = monotonic() - start
        fault = referee.stopped[0]
        if fault is not None:
            return wrong(f"check.{bot.protocol}-not-ready", detail=fault.told)
        engine = engine_of(players)
        return fine(
            f"check.{bot.protocol}",
            name=clean.line(engine.name) or bot.name,
            options=len(engine.options),
            seconds=seconds,
        )
    finally:
        players.stop_all()
