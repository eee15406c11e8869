"""From an order to a report: one match, played in this process."""

from __future__ import annotations

import os
import stat
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from time import monotonic

from dohyo import games
from dohyo.bots import Bot
from dohyo.box import Box
from dohyo.core import replay as replays
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Move, Replay
from dohyo.run.executors.orders import LARGEST_KEPT, Files, MatchOrder, MatchReport
from dohyo.run.housing import box_of
from dohyo.run.quarters import Quarters
from dohyo.run.table import play_match

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


def play_order(order: MatchOrder, worker: str = "") -> MatchReport:
    """Play the match; what came of it.

    Whatever goes wrong is in the report, so that other matches can go on. Only what is no `Exception` is raised:
    `KeyboardInterrupt`, with nothing left running.
    """
    start = monotonic()
    try:
        with Quarters() as quarters:
            players = _settle(order, quarters)
            replay = play_match(
                order.game,
                players,
                seed=order.seed,
                setup=order.setup,
                clock=order.clock,
                sandbox=_box(order.sandbox),
                pondering=order.pondering,
            )
            kept = tuple(_keep(bot, order.keep) for bot in players) if order.keep else ()
        content = replays.encode(replay, compressed=True)
    except OperatorError as error:
        return MatchReport(order.key, error=error.say(), seconds=monotonic() - start, worker=worker, mend=True)
    except Exception:
        # Beside a bot's fault and an operator's mistake there are only defects of ours; the match is set aside.
        return MatchReport(order.key, error=traceback.format_exc(), seconds=monotonic() - start, worker=worker)
    return _report(order.key, replay, content, kept, monotonic() - start, worker)


@cache
def _box(sandbox: str) -> Box:
    return box_of(sandbox)


def _report(
    key: str, replay: Replay, content: bytes, kept: tuple[Files, ...], seconds: float, worker: str
) -> MatchReport:
    seats = range(len(replay.header.seats))
    faults: list[list[str]] = [[] for _ in seats]
    longest: list[float | None] = [None for _ in seats]
    for move in _moves(replay):
        faults[move.seat] += [fault.kind.value for fault in move.faults]
        if move.seconds is not None:
            longest[move.seat] = max(longest[move.seat] or 0.0, move.seconds)
    return MatchReport(
        key,
        content,
        places=replay.result.places,
        scores=replay.result.scores,
        faults=tuple(map(tuple, faults)) if any(faults) else (),
        longest=tuple(longest),
        turns=replay.played,
        seconds=seconds,
        worker=worker,
        kept=kept,
    )


def _moves(replay: Replay) -> list[Move]:
    """Every seat's part of every turn, and what came afterwards."""
    return [move for turn in replay.turns for move in turn.moves] + list(replay.result.last)


# --- bots that keep files


def _settle(order: MatchOrder, quarters: Quarters) -> Sequence[Bot]:
    """The bots where they are to run: those that may keep files, in a folder of their own with what was kept."""
    if not games.find(order.game).lifetimes:
        return order.bots
    players = quarters.settle(order.bots)
    for bot, files in zip(players, order.kept, strict=False):
        if bot.private:
            _put(bot.folder, files)
    return players


def _put(folder: str, files: Files) -> None:
    for name, content in files.items():
        path = os.path.join(folder, os.path.basename(name))
        with suppress(FileNotFoundError):
            os.unlink(path)
        with open(os.open(path, WRITE, 0o644), "wb") as file:
            file.write(content)


def _keep(bot: Bot, names: Sequence[str]) -> Files:
    """The named files of a bot, as far as they are files at all: what lies there now is a stranger's work."""
    found: Files = {}
    for name in names if bot.private else ():
        with suppress(OSError), open(os.open(os.path.join(bot.folder, os.path.basename(name)), READ), "rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_KEPT:
                found[name] = file.read(LARGEST_KEPT)
    return found
