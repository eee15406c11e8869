"""From an order to a report: one match, played in this process."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from time import monotonic

import msgspec

from dohyo import games
from dohyo.bots import Bot
from dohyo.core import replay_format as replays
from dohyo.core.errors import HandInError, MachineError, OperatorError
from dohyo.core.replay import FORMAT, Header, Move, Replay, Seat
from dohyo.executors.messages import LARGEST_KEPT, Files, MatchOrder, MatchReport
from dohyo.match.clocks import read_clock
from dohyo.match.play import lifetimes_of, play_match
from dohyo.match.players.kept import Kept
from dohyo.match.replays.turn_file import TurnFile
from dohyo.match.running import UNFINISHED
from dohyo.match.sandboxing import sandbox_of
from dohyo.match.working_copies import WorkingCopies
from dohyo.sandbox import Sandbox
from dohyo.system import disk, used_again

MAX_TRIES = 3  # of a match in which the referee itself was stopped for a time
MAX_KEPT = 16 << 20  # bytes of all seats' files: they travel with each order and report, of which many wait at once


def play_order(order: MatchOrder, worker: str = "") -> MatchReport:
    """Play the match; its report.

    A match in which the referee itself was stopped for a time says nothing about its bots, and is played again.
    Whatever goes wrong is in the report, so that other matches can go on. Nothing that is an `Exception` is raised;
    a `KeyboardInterrupt` is, and then nothing is left running.
    """
    start = monotonic()
    try:
        if order.referee is not None:
            from dohyo.executors.refereed import play_refereed

            return play_refereed(order, order.referee, _sandbox(order.sandbox), worker)
        again = 0
        replay, kept = _play(order)
        while replay.disturbed and again < MAX_TRIES - 1:
            again += 1
            replay, kept = _play(order)
        if replay.disturbed:
            error = OperatorError("match-disturbed", seconds=f"{replay.disturbed:.1f}", tries=MAX_TRIES).say()
            took = monotonic() - start
            failed = MatchReport(order.key, error=error, seconds=took, worker=worker, attempts=MAX_TRIES)
            return msgspec.structs.replace(failed, disturbed=True, again=again)
        content = replays.encode(replay, compressed=True)
    except OperatorError as error:
        # What one bot's author has caused is nothing that the operator has to mend before others can play.
        mend = not isinstance(error, HandInError)
        return MatchReport(order.key, error=error.say(), seconds=monotonic() - start, worker=worker, mend=mend)
    except Exception:
        # Not a bot's fault and not an operator's mistake: it is a defect of Dohyo, and the match is left open.
        return MatchReport(order.key, error=traceback.format_exc(), seconds=monotonic() - start, worker=worker)
    report = report_of(order.key, replay, content, kept, monotonic() - start, worker)
    return msgspec.structs.replace(report, again=again)


def _play(order: MatchOrder) -> tuple[Replay, tuple[Files, ...]]:
    """Play the match once; its replay, and what the bots kept."""
    with WorkingCopies() as copies:
        players = _working_copies(order, copies)
        clock = order.clock
        if clock is None and order.mode is not None:
            clock = read_clock(games.find(order.game), None, lifetimes_of(players), order.mode)
        with TurnFile(Path(order.told)) if order.told else nullcontext() as told:
            replay = play_match(
                order.game,
                players,
                seed=order.seed,
                setup=None if order.start else order.setup,
                resume=_taken_up(order),
                clock=clock,
                sandbox=_sandbox(order.sandbox),
                pondering=order.pondering,
                asks_where=order.asks_where,
                kept=_resting() if order.keeps_engines else None,
                on_turn=None if told is None else told.on_turn,
            )
        return replay, tuple(_keep(bot, order.keep, len(players)) for bot in players) if order.keep else ()


def _taken_up(order: MatchOrder) -> tuple[Replay, int] | None:
    """The match from whose last state this one goes on, and its next turn; none if it begins at the beginning."""
    if order.start is None:
        return None
    seats = tuple(Seat(bot.name) for bot in order.bots)
    head = Header(
        dohyo=FORMAT,
        game=order.game,
        rules=games.find(order.game).version,
        setup=order.setup,
        seats=seats,
        seed=order.seed,
        software="",
        start=order.start,
        first=order.first,
    )
    return Replay(head, [], UNFINISHED), order.first


@cache
def _kept() -> Kept:
    """The players that wait in this process for the next match; `end_kept` ends them."""
    return Kept()


def _resting() -> Kept:
    """Those players, paused: who plays in the next match goes on when it is taken."""
    kept = _kept()
    kept.pause()
    return kept


def end_kept() -> None:
    """End the players that wait for another match."""
    _kept().close()


@cache
def _sandbox(sandbox: str) -> Sandbox:
    return sandbox_of(sandbox)


def report_of(
    key: str, replay: Replay, content: bytes, kept: tuple[Files, ...], seconds: float, worker: str
) -> MatchReport:
    """The report of a match, by its replay and what that replay is when it is encoded."""
    faults, longest = faults_and_longest(replay)
    return MatchReport(
        key,
        content,
        places=replay.result.places,
        scores=replay.result.scores,
        faults=faults,
        longest=longest,
        turns=replay.played,
        seconds=seconds,
        worker=worker,
        kept=kept,
    )


def faults_and_longest(replay: Replay) -> tuple[tuple[tuple[str, ...], ...], tuple[float | None, ...]]:
    """By seat, the kinds of faults in order (empty where nobody had any), and the seconds of the longest turn."""
    seats = range(len(replay.header.seats))
    faults: list[list[str]] = [[] for _ in seats]
    longest: list[float | None] = [None for _ in seats]
    for move in _moves(replay):
        faults[move.seat] += [fault.kind.value for fault in move.faults if not fault.note]
        if move.seconds is not None:
            longest[move.seat] = max(longest[move.seat] or 0.0, move.seconds)
    return tuple(map(tuple, faults)) if any(faults) else (), tuple(longest)


def _moves(replay: Replay) -> list[Move]:
    """Every seat's record of every turn, and of the time after the last turn."""
    return [move for turn in replay.turns for move in turn.moves] + list(replay.result.last)


# --- bots that keep files


def _working_copies(order: MatchOrder, copies: WorkingCopies) -> Sequence[Bot]:
    """The bots, ready to run: those that may keep files are in a folder of their own with the kept files."""
    if not games.find(order.game).lifetimes:
        return order.bots
    players = copies.make(order.bots)
    kept = order.kept or ({},) * len(players)
    return [_with_kept(bot, files) for bot, files in zip(players, kept, strict=True)]


def _with_kept(bot: Bot, files: Files) -> Bot:
    """The bot with what it has kept, in the place of whatever it was handed in with there.

    If that cannot be written for a name that this disk does not take, it does not start. Raises `MachineError` where
    nothing can be written: the copy is ours, and no program of the bot has run in it yet.
    """
    try:
        for name, content in files.items() if bot.private else ():
            used_again.put(bot.folder, os.path.basename(name), content)
    except OSError as error:
        no_room = MachineError("no-quarters", bot=bot.name, reason=error)
        if not disk.is_of_names(error):
            raise no_room from error
        return bot.without_start(no_room)
    return bot


def _keep(bot: Bot, names: Sequence[str], seats: int) -> Files:
    """The named files of a bot, if they are regular files: a stranger's program may have put anything there."""
    found: Files = {}
    most = min(LARGEST_KEPT, MAX_KEPT // seats)
    for name in names if bot.private else ():
        content = used_again.read(bot.folder, os.path.basename(name), most)
        if content is not None:
            found[name] = content
    return found
