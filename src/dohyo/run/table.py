"""One match from start to end: names of bots in, a replay out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dohyo import __version__, bots, games
from dohyo.core import flat, playback
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State
from dohyo.core.options import nearest, resolve
from dohyo.core.referee import Referee
from dohyo.core.replay import FORMAT, Header, Replay, Seat
from dohyo.play.match import UNFINISHED, Launch, Match

MOST_SEED = (1 << 63) - 1
MOST_SECONDS = 86400.0  # a turn


class Interrupted(KeyboardInterrupt):
    """A match was interrupted.

    `replay` holds what was played, marked as unfinished; a match that was over already is whole. The cause of this
    exception is the `KeyboardInterrupt` that the signal's handler raised.
    """

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
    far when Ctrl-C ends the match early; so does any other signal whose handler raises a `KeyboardInterrupt`, if it
    was installed by Python and this runs in the main thread. No program is left running in any case.
    """
    chosen = games.find(game) if isinstance(game, str) else game
    if not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
        raise OperatorError("bad-seed", seed=seed, most=MOST_SEED)
    state, full_setup = _begin(chosen, setup or {}, len(specs), resume)
    time_limits = read_clock(chosen, clock)
    names = [os.fspath(spec) for spec in specs]
    players = bots.resolve(names, bots.samples(Path(chosen.folder) / "bots"))
    referee = Referee(chosen, full_setup, len(players), seed, state)
    header = Header(
        dohyo=FORMAT,
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
    replay = Replay(header, referee.turns, UNFINISHED)
    match = Match(referee, launches, time_limits, on_turn and (lambda: on_turn(replay)))
    try:
        match.play()
    except KeyboardInterrupt as interrupt:
        raise Interrupted(replay) from interrupt
    finally:
        replay.result = match.result
    return replay


def read_clock(game: Game, clock: str | float | Clock | None) -> Clock:
    """The clock that the operator's word means: a preset, or seconds a turn; by default the game's first preset."""
    presets = game.clocks
    if clock is None:
        return next(iter(presets.values()))
    if isinstance(clock, str) and clock in presets:
        return presets[clock]
    try:
        limits = clock if isinstance(clock, Clock) else Clock(turn=float(clock))
    except (ValueError, TypeError):
        limits = Clock(turn=0)
    seconds = (limits.turn, limits.turn if limits.first is None else limits.first, limits.ready)
    if not all(0 < limit <= MOST_SECONDS for limit in seconds):
        raise OperatorError(
            "unknown-clock", clock=clock, nearest=nearest(str(clock), list(presets)), known=", ".join(presets)
        )
    return limits


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
    state = playback.state_at(game, replay, turn)
    game.reseat(state)
    return state, dict(replay.header.setup)
