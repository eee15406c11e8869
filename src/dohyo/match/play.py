"""One match from start to end: names of bots in, a replay out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from dohyo import __version__
from dohyo.bots import Bot
from dohyo.bots.typed_words import Named, plain
from dohyo.core import seeds
from dohyo.core.clock import Clock, Mode
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.core.replay import DEBUG, FORMAT, Header, Replay, Seat
from dohyo.match import own_games
from dohyo.match.found_bots import PROGRAMS, Program, find_bots, find_named
from dohyo.match.loops.driver import loop_for, note_turns
from dohyo.match.processes.launch import Launch
from dohyo.match.running import UNFINISHED, Match
from dohyo.match.sandboxing import OF_SOME_CLOCKS, launch, sandbox_of, told_of
from dohyo.sandbox import Sandbox
from dohyo.sandbox.environment import settings_for, unsandboxed_environment
from dohyo.system import proc

if TYPE_CHECKING:
    from dohyo.match import python_bot
    from dohyo.match.loops.compiled_loop import LoopBuffers
    from dohyo.match.loops.python_loop import PythonLoop
    from dohyo.match.players.kept import Kept
    from dohyo.match.players.players import Players
    from dohyo.match.working_copies import WorkingCopies

MAX_SEED = seeds.MOST


ERROR_LOG = "errlog.txt"  # in the folder of a bot that lives for a turn


def new_seed() -> int:
    """A seed that nobody can guess, 0 to 2**63 - 1."""
    import secrets

    return secrets.randbelow(MAX_SEED + 1)


class Interrupted(KeyboardInterrupt):
    """A match was interrupted.

    `replay` holds the turns so far, marked as unfinished; if the match was over already, it is complete. The cause of
    this exception is the `KeyboardInterrupt` that the signal's handler raised.
    """

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay


def play_match(
    game: str | Game,
    specs: Sequence[Program | python_bot.Bot | type[python_bot.Bot]],
    *,
    seed: int = 0,
    setup: Mapping[str, object] | None = None,
    clock: str | float | Clock | None = None,
    resume: tuple[Replay, int] | None = None,
    python: str | None = None,
    pondering: bool | None = None,
    sandbox: str | Sandbox = "auto",
    on_turn: Callable[[Replay], None] | None = None,
    on_progress: Callable[[Replay], None] | None = None,
    on_end: Callable[[State], None] | None = None,
    compiled: bool | None = None,
    debug: bool = False,
    on_start: Callable[[Players], None] | None = None,
    asks_where: bool = False,
    first: Mapping[int, str] | None = None,
    mode: Mode | None = None,
    kept: Kept | None = None,
) -> Replay:
    """Play one match of `game`, and return its replay; no program is left running.

    `specs` has an item a seat: a bot's name, as on the command line, a `dohyo.bots.Bot`, or a `dohyo.Bot` or its
    class, which plays in this process. `python` is bots' interpreter. `seed` (0 .. 2**63 - 1) decides the dice,
    `setup` has options by name. `clock` is a `Clock`, a preset or seconds per turn (`match/clocks.py`), `mode` how it
    counts if it does not say. `resume` continues a replay at a turn; `first`, lines by seat, plays that turn before.
    `pondering` asks players to think while others move; False pauses programs then. `on_turn` has the replay after
    every turn, `on_progress` a few times a second, `on_start` the players before they start, `on_end` the last state.
    Without it, the fast path is taken, `compiled` or not. `debug`: debug builds; `asks_where`, `kept`: see `Launch`.

    Raises `OperatorError` for a mistake of the caller; `Interrupted`, with the replay so far, for Ctrl-C.
    """
    chosen = own_games.find(game) if isinstance(game, str) else game
    state, full_setup = beginning(chosen, setup or {}, len(specs), resume, first, seed)
    given = None if clock is None else match_clock(chosen, clock, mode=mode)  # mistakes come before any build
    programs, objects = _parted(specs)
    sandbox = sandbox_of("none" if len(objects) == len(specs) else sandbox)
    players = _players(chosen, programs, python, sandbox, debug, full_setup)
    time_limits, start = given or usual_clock(chosen, players, mode), resume and chosen.rules.LAYOUT.as_dict(state)
    referee = Referee(chosen, full_setup, len(players), seed, state, resume[1] + bool(first) if resume else 0)
    replay = _begun(referee, full_setup, players, time_limits, seed, sandbox, start, pondering is not False)
    with working_copies(chosen) as copies:
        launches = _launches(referee, players, seed, copies, sandbox, time_limits, asks_where, kept is not None)
        here = {seat: one.seated(chosen, seed, seat, time_limits, full_setup) for seat, one in objects.items()}
        loop = None if on_turn or objects else _loop(chosen, compiled, players)
        rest = partial(_show, replay, on_turn, on_progress), pondering, loop, here, kept
        _play(Match(referee, launches, time_limits, *rest), replay, on_start)
    return _ended(replay, referee, on_end)


def match_clock(
    game: Game, clock: str | float | Clock | None, lifetimes: Sequence[str] = (), mode: Mode | None = None
) -> Clock:
    """The clock that is meant; `mode` is how it counts time, where it does not say so itself.

    What reads the operator's words is imported only where there are such words, or a clock that may be refused.
    """
    usual = game.usual_clock(lifetimes)
    is_sound = min(usual.limit(True), usual.limit(False), usual.ready) > 0
    is_measured = mode in (None, "wall") or not proc.missing(mode)
    if clock is None and usual.is_plain and is_sound and is_measured:
        return usual if mode is None else replace(usual, mode=mode)
    from dohyo.match.clocks import read_clock

    return read_clock(game, clock, lifetimes, mode)


def usual_clock(game: Game, players: Sequence[Bot], mode: Mode | None) -> Clock:
    """The clock of a match where none is given; debug builds have more time."""
    usual = match_clock(game, None, lifetimes_of(players), mode)
    if not any(bot.debug for bot in players):
        return usual
    from dohyo.match.clocks import slower

    return slower(usual)


def lifetimes_of(players: Sequence[Bot]) -> list[str]:
    """How long the bots' processes live; one that does not start decides about no clock."""
    return [bot.lifetime for bot in players if not bot.unusable]


def check_seed(seed: object) -> None:
    """Raise the `OperatorError` for an invalid seed."""
    if not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise OperatorError("bad-seed", seed=seed, most=MAX_SEED)


def _show(replay: Replay, *looks: Callable[[Replay], None] | None) -> None:
    """Pass the replay so far to the callbacks."""
    for look in looks:
        if look is not None:
            look(replay)


def _play(match: Match, replay: Replay, on_start: Callable[[Players], None] | None) -> None:
    """Play the match; the replay has its result, however this ends."""
    try:
        if on_start is not None:
            on_start(match.players)
        match.play()
    except KeyboardInterrupt as interrupt:
        raise Interrupted(replay) from interrupt
    finally:
        replay.result, replay.cpu, replay.disturbed = match.result, match.cpu, match.disturbed
        replay.disturbed_by = match.players.disturbed_by


def _begun(
    referee: Referee,
    setup: dict[str, object],
    players: Sequence[Bot],
    clock: Clock,
    seed: int,
    sandbox: Sandbox,
    start: dict[str, Any] | None,
    pondering: bool,
) -> Replay:
    """The replay before the match begins; it grows with the referee's turns."""
    head = Header(
        dohyo=FORMAT,
        game=referee.game.name,
        rules=referee.game.version,
        setup=setup,
        seats=tuple(map(_seat, players)),
        clock=clock,
        seed=seed,
        sandbox=sandbox.name,
        software=f"dohyo {__version__}",
        start=start,
        first=referee.first,
        pondering=pondering,
    )
    return Replay(head, referee.turns, UNFINISHED)


def _seat(bot: Bot) -> Seat:
    return Seat(bot.name, bot.digest, bot.language, DEBUG if bot.debug else "", *spoken_by(bot))


def spoken_by(bot: Bot) -> tuple[str, str]:
    """The protocol that a bot speaks, empty for its game's own text, and what limits its turns besides the clock."""
    if not bot.kind:
        return "", ""
    from dohyo.match.players.kind import kind_for

    kind = kind_for(bot)
    return kind.protocol, kind.limits(bot)


def _ended(replay: Replay, referee: Referee, on_end: Callable[[State], None] | None) -> Replay:
    """The replay of a match that is over, when its turns are counted and the caller was given its end."""
    note_turns(referee.game, len(replay.turns))
    if on_end is not None:
        on_end(referee.state)
    return replay


def _parted(
    specs: Sequence[Program | python_bot.Bot | type[python_bot.Bot]],
) -> tuple[list[Program], dict[int, python_bot.Owned]]:
    """The bots that are programs, and those that play in this process, by seat; these as records among the others."""
    if all(isinstance(spec, PROGRAMS) for spec in specs):
        return list(specs), {}  # type: ignore[arg-type]
    from dohyo.match.python_bot import parted

    return parted(specs)


def _players(
    game: Game,
    specs: Sequence[Program],
    python: str | None,
    sandbox: Sandbox,
    debug: bool,
    setup: Mapping[str, object],
) -> list[Bot]:
    """The bots of the seats; words may be NAME=BOT and git:REV[:PATH]. Different ones have different names."""
    meant = [plain(spec) if isinstance(spec, str) else spec for spec in specs]
    if any(isinstance(one, Bot) for one in meant) and not any(isinstance(one, Named) for one in meant):
        return find_bots(game, meant, python, sandbox, debug=debug, setup=setup)  # type: ignore[arg-type]
    words = [os.fspath(one) if isinstance(one, os.PathLike) else one for one in meant if not isinstance(one, Bot)]
    named = iter(find_named(game, words, python, sandbox, debug, setup))
    return [spec if isinstance(spec, Bot) else next(named) for spec in specs]


def working_copies(game: Game) -> AbstractContextManager[WorkingCopies | None]:
    """Where bots run in copies of their own, in a game whose bots keep files; none in others."""
    if not game.lifetimes:
        return nullcontext()
    from dohyo.match.working_copies import WorkingCopies

    return WorkingCopies()


def _launches(
    referee: Referee,
    players: Sequence[Bot],
    seed: int,
    copies: WorkingCopies | None,
    sandbox: Sandbox,
    clock: Clock,
    asks_where: bool,
    keeps: bool,
) -> dict[int, Launch]:
    """How each seat's program is started, by seat; a bot that plays in this process has no command.

    If the caller `keeps` players for other matches, it says by what each is known again.
    """
    told = sandbox, clock, referee.setup, asks_where
    launches = {
        seat: seat_launch(referee.game, bot, seed, seat, copies, *told)
        for seat, bot in enumerate(players)
        if bot.command or bot.address or bot.unusable
    }
    return {seat: _may_be_kept(one, players[seat], sandbox) for seat, one in launches.items()} if keeps else launches


def _loop(game: Game, compiled: bool | None, players: Sequence[Bot]) -> PythonLoop | LoopBuffers | None:
    """What plays ordinary turns quickly; none where a player is of a guest's kind."""
    return None if any(bot.kind for bot in players) else loop_for(game, compiled)


def seat_launch(
    game: Game,
    bot: Bot,
    seed: int,
    seat: int,
    copies: WorkingCopies | None,
    sandbox: Sandbox,
    clock: Clock | None = None,
    setup: Mapping[str, object] | None = None,
    asks_where: bool = False,
) -> Launch:
    """How one seat's program is started; where a game has bots that keep files, in a folder of its own.

    It is told its limits by `clock`, by default the game's usual one, and how its input is written by `setup`. With
    `asks_where` it is asked where it is when its time is over.
    """
    if bot.address:
        return Launch((), "", {}, address=bot.address, name=bot.name)
    at_home = bot if copies is None else copies.make([bot])[0]
    a_turn = bot.lifetime == "turn" and "turn" in game.lifetimes
    if at_home.unusable:
        return Launch((), "", {}, a_turn=a_turn, unusable=at_home.unusable)
    told = environment(seed, seat, game, clock or game.usual_clock([bot.lifetime]), setup)
    told |= settings_for(bot.programs, debug=bot.debug, asks_where=asks_where)
    # Its log is part of its own copy, which ends with the match: in the cache it would be read in later ones.
    log = ERROR_LOG if a_turn and at_home.private else ""
    found = launch(at_home, told, sandbox, a_turn=a_turn, log=log)
    return replace(found, asks_where=asks_where, name=bot.name)


def _may_be_kept(found: Launch, bot: Bot, sandbox: Sandbox) -> Launch:
    """The same program, which may be kept for other matches of this bot: those in which all but the seed is the same.

    A copy that is the match's own ends with the match, and so does the program in it.
    """
    if not found.protocol or found.folder != bot.folder:
        return found
    from dohyo.match.players.kind import kind_for

    if not kind_for(found).may_be_kept(found):
        return found
    told = sorted((name, value) for name, value in (found.environment or {}).items() if name != "DOHYO_SEED")
    words = (bot.name, bot.digest, sandbox.name, found.command, found.program, found.folder, told)
    return replace(found, kept_as=repr(words))


def environment(
    seed: int,
    seat: int,
    game: Game | None = None,
    clock: Clock | None = None,
    setup: Mapping[str, object] | None = None,
) -> dict[str, str]:
    """A bot's environment variables: some of ours, and DOHYO_SEED, its own seed for this match and seat.

    A bot that draws its random numbers from it plays the same match again for the same seed. It does not reveal the
    match's seed, from which the dice and the others' seeds come (`core/seeds.py`). In a `game` it is also told that,
    its limits by the `clock`, or the usual ones, and of the `setup` what its input is written by.
    """
    told = {} if game is None else told_of(game, clock or game.usual_clock(), setup)
    ours = {name: text for name, text in unsandboxed_environment(os.environ).items() if name not in OF_SOME_CLOCKS}
    return {**ours, **told, "DOHYO_SEED": str(seeds.of_bot(seed, seat))}


def beginning(
    game: Game,
    setup: Mapping[str, object],
    seats: int,
    resume: tuple[Replay, int] | None,
    first: Mapping[int, str] | None,
    seed: int,
) -> tuple[State, dict[str, object]]:
    """The state a match begins with, and its whole setup, in which nothing is left open that its seed decides.

    The words are those of `play_match`. Raises `OperatorError` for what it refuses.
    """
    check_seed(seed)
    fewest, most = game.seats
    if not fewest <= seats <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} - {most}"
        raise OperatorError("wrong-number-of-bots", game=game.name, wanted=wanted, given=seats)
    if resume is None:
        if first:
            raise OperatorError("first-without-from")
        full = game.draw_setup(resolve(game.options, setup, game.catalogue), seed)
        return game.new_state(full, seats), full
    replay, turn = resume
    if setup:
        raise OperatorError("setup-with-from")
    if len(replay.header.seats) != seats:
        raise OperatorError("wrong-number-of-bots", game=game.name, wanted=len(replay.header.seats), given=seats)
    from dohyo.core import playback

    if first:
        from dohyo.match.first_turn import state_after

        state = state_after(game, replay, turn, first)
    else:
        state = playback.state_at(game, replay, turn)
    game.reseat(state)
    return state, dict(replay.header.setup)
