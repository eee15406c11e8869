"""One match from start to end: names of bots in, a replay out."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dohyo import __version__, bots, games
from dohyo.core import flat, playback
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State
from dohyo.core.options import nearest, resolve
from dohyo.core.referee import Referee
from dohyo.core.replay import Header, Replay, Result, Seat
from dohyo.play.match import Launch, play

MOST_SEED = (1 << 63) - 1


class Interrupted(KeyboardInterrupt):
    """A match was interrupted; `replay` holds what was played, marked as unfinished."""

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay


def play_match(
    game: str | Game,
    specs: Sequence[str | os.PathLike[str]],
    *,
    seed: int = 0,
    setup: Mapping[str, object] | None = None,
    clock: str | float | Clock | None = None,
    resume: tuple[Replay, int] | None = None,
    on_turn: Callable[[Replay], None] | None = None,
) -> Replay:
    """Play one match of `game` and return its replay.

    `specs` names one bot a seat, as on the command line: a source file, an executable, a folder, a command line, or
    a sample bot. `seed` (0 .. 2**63 - 1) decides the dice. `setup` holds the game's options by name. `clock` is a
    preset of the game, seconds a turn, or a `Clock`. `resume` takes up a replay at a turn; its setup is then kept.
    `on_turn` is called after every turn, outside everybody's thinking time, with the replay so far, which grows.

    Raises `OperatorError` for what the caller got wrong, and `Interrupted` (a `KeyboardInterrupt`) with the replay so
    far when a signal ends the match early. No program is left running in any case.
    """
    chosen = games.find(game) if isinstance(game, str) else game
    if not 0 <= seed <= MOST_SEED:
        raise OperatorError("bad-seed", seed=seed, most=MOST_SEED)
    state, full_setup = _begin(chosen, setup or {}, len(specs), resume)
    time_limits = read_clock(chosen, clock)
    names = [os.fspath(spec) for spec in specs]
    players = bots.resolve(names, bots.samples(Path(chosen.folder) / "bots"))
    referee = Referee(chosen, full_setup, len(players), seed, state)
    header = Header(
        game=chosen.name,
        rules=chosen.version,
        setup=full_setup,
        seats=tuple(Seat(bot.name, bot.digest, bot.language) for bot in players),
        clock=time_limits,
        seed=seed,
        software=f"dohyo {__version__}",
        start=None if resume is None else chosen.rules.LAYOUT.as_dict(state),
    )
    launches = [Launch(bot.command, bot.folder, environment(seed, seat)) for seat, bot in enumerate(players)]
    so_far = Replay(header, referee.turns, Result((), None, "unfinished", unfinished=True))
    try:
        result = play(referee, launches, time_limits, on_turn and (lambda *_: on_turn(so_far)))
    except KeyboardInterrupt as interrupt:
        raise Interrupted(Replay(header, referee.turns, referee.result())) from interrupt
    return Replay(header, referee.turns, result)


def read_clock(game: Game, clock: str | float | Clock | None) -> Clock:
    """The clock that the operator's word means: a preset, or seconds a turn; by default the game's first preset."""
    presets = game.clocks
    if clock is None:
        return next(iter(presets.values()))
    if isinstance(clock, Clock):
        return clock
    if isinstance(clock, str) and clock in presets:
        return presets[clock]
    try:
        seconds = float(clock)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 86400:
        raise OperatorError(
            "unknown-clock", clock=clock, nearest=nearest(str(clock), list(presets)), known=", ".join(presets)
        )
    return Clock(turn=seconds)


def environment(seed: int, seat: int) -> dict[str, str]:
    """What a bot's process sees: our own environment, and DOHYO_SEED, a number of its own for this match and seat.

    A bot that draws its random numbers from it plays the same match again for the same seed. It comes from a stream
    of its own: the match's dice cannot be worked out from it.
    """
    source = flat.source(seed, seat, flat.BOT_STREAM)
    return {**os.environ, "DOHYO_SEED": str(flat.uniform(source, 1 << 31))}


def _begin(
    game: Game, setup: Mapping[str, object], seats: int, resume: tuple[Replay, int] | None
) -> tuple[State, dict[str, object]]:
    """The state to begin with, and the whole setup."""
    fewest, most = game.seats
    if not fewest <= seats <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} - {most}"
        raise OperatorError("wrong-number-of-bots", game=game.name, wanted=wanted, given=seats)
    if resume is None:
        full = resolve(game.options, setup)
        return game.new_state(full, seats), full
    replay, turn = resume
    if setup:
        raise OperatorError("setup-with-from")
    if len(replay.header.seats) != seats:
        raise OperatorError("wrong-number-of-bots", game=game.name, wanted=len(replay.header.seats), given=seats)
    return playback.state_at(game, replay, turn), dict(replay.header.setup)


def refuse_windows() -> None:
    """Raise `OperatorError` on Windows, where pipes and process groups are other things."""
    if platform.system() == "Windows":
        raise OperatorError("no-windows")
