"""The files that other programs' words ask for: a contest's matches as PGN, and what was written in each match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.errors import MachineError, OperatorError, ReplayError
from dohyo.guests.arenas.understood import Understood
from dohyo.i18n import ENGLISH, Message
from dohyo.series.exports.pgn import LOOKED_AT, as_pgn, is_of

if TYPE_CHECKING:
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay
    from dohyo.series.exports.export import ResultLine
    from dohyo.series.store import Store


def check(found: Understood, name: str) -> None:
    """Raise `OperatorError` now for files that could not be written at the end, or that are somebody else's."""
    from dohyo.match.files import check_place, read_bounded

    if found.pgn is not None:
        check_place(found.pgn)
        if Path(found.pgn).exists() and not is_of(read_bounded(found.pgn, LOOKED_AT), name):
            raise OperatorError("words-file-there", path=found.pgn, name=name)
    if found.logs is not None:
        folder = Path(found.logs)
        if folder.exists() and not folder.is_dir():
            raise MachineError("cannot-write", path=found.logs, reason=Message("system.no-folder"))
        for path in folder.glob("match-*.log") if folder.exists() else ():
            if not read_bounded(path, LOOKED_AT).decode("utf-8", "replace").startswith(_heading(name)):
                raise OperatorError("words-file-there", path=path, name=name)


def _heading(name: str) -> str:
    return f"contest {clean.line(name)}, match "


def write(found: Understood, name: str) -> list[tuple[str, int]]:
    """Write what was asked for of the contest of this name; the files or folders, with the number of matches."""
    from dohyo.match.files import write_pieces
    from dohyo.series.exports.export import Counted, lines
    from dohyo.series.session import look
    from dohyo.series.store import open_store

    written: list[tuple[str, int]] = []
    with open_store(found.store) as store:
        view = look(store, name, results=False)
        if found.pgn is not None:
            seen = Counted(lines(view))
            write_pieces(found.pgn, as_pgn(store, view.game, seen, found.site, found.is_bare))
            written.append((found.pgn, seen.count))
        if found.logs is not None:
            seen = Counted(lines(view))
            _write_logs(store, view.game, seen, Path(found.logs), name)
            written.append((found.logs, seen.count))
    return written


def _write_logs(store: Store, game: Game, found: Iterable[ResultLine], folder: Path, name: str) -> None:
    """A file for each match that has a replay; those that are there already are as they would be."""
    from dohyo.core import replay_format
    from dohyo.match.files import write_pieces

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError("cannot-write", path=folder, reason=error) from error
    for line in found:
        path = folder / f"match-{line.match}.log"
        if line.replay is not None and not path.exists():
            replay = replay_format.decode(store.files.get(line.replay))
            write_pieces(path, log_of(game, replay, f"{_heading(name)}{line.match}, seed {line.seed}"))


def log_of(game: Game, replay: Replay, heading: str) -> Iterator[str]:
    """What the referee sent, what the players answered and wrote to standard error, turn by turn, as text."""
    from dohyo.core import playback
    from dohyo.match.replays.sent import Sent

    sent = Sent(game, replay)
    english = ENGLISH.knowing(game.catalogue)
    yield heading + "\n"
    for seat, who in enumerate(replay.header.seats):
        yield f"Player {seat}: {clean.line(who.name)}\n"
    try:
        for moment in playback.moments(game, replay):
            for move in moment.turn.moves:
                yield f"\nTurn {moment.turn.turn}, player {move.seat}\n"
                yield _said("Referee", sent.in_turn(moment, move.seat) or "")
                reply = move.reply if move.reply is not None else move.action if not move.faults else None
                yield _said("Player", "" if reply is None else reply)
                yield _said("Player, standard error", move.stderr)
                yield "".join(f"Fault: {fault.kind.value} {english.say_any(fault.told)}\n" for fault in move.faults)
    except ReplayError as error:
        yield f"\n{error}\n"
    for move in replay.result.last:
        yield _said(f"Player {move.seat}, standard error at the end", move.stderr)
    yield f"\nPlaces: {' '.join(map(str, replay.result.places))}\n"


def _said(who: str, text: str) -> str:
    """Lines with who has written them before each."""
    return "".join(f"{who}: {line}\n" for line in clean.block(text).splitlines())
