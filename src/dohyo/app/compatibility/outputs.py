"""The files that other programs' words ask for: a contest's matches as PGN, and what was written in each match."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.app.compatibility.understood import Understood
from dohyo.core.errors import MachineError, OperatorError, ReplayError

if TYPE_CHECKING:
    from dohyo.app.contest.export import Line
    from dohyo.core.game import Game
    from dohyo.core.replay import Replay
    from dohyo.store import Store

COMMENT = re.compile(r"\s*\{[^}]*\}")  # of a move in PGN
LOOKED_AT = 1 << 14  # bytes of a file that is there already


def check(found: Understood, name: str) -> None:
    """Raise `OperatorError` now for files that could not be written at the end, or that are somebody else's."""
    from dohyo.app.files import check_place, read_bounded

    if found.pgn is not None:
        check_place(found.pgn)
        if Path(found.pgn).exists() and not is_of(read_bounded(found.pgn, LOOKED_AT), name):
            raise OperatorError("words-file-there", path=found.pgn, name=name)
    if found.logs is not None:
        folder = Path(found.logs)
        if folder.exists() and not folder.is_dir():
            raise MachineError("cannot-write", path=found.logs, reason="not a folder")
        for path in folder.glob("match-*.log") if folder.exists() else ():
            if not read_bounded(path, LOOKED_AT).decode("utf-8", "replace").startswith(_heading(name)):
                raise OperatorError("words-file-there", path=path, name=name)


def is_of(content: bytes, name: str) -> bool:
    """Whether a file is empty, or has matches of the contest or comparison of this name, as we write them.

    `content` are its first `LOOKED_AT` bytes.
    """
    begins = content.decode("utf-8", "replace")
    return not begins or (begins.startswith(_event(name)) and '[Replay "' in begins)


def _event(name: str) -> str:
    from dohyo.app.contest.export import quoted

    return f'[Event "{quoted(name)}"]\n'


def _heading(name: str) -> str:
    return f"contest {clean.line(name)}, match "


def write(found: Understood, name: str) -> list[tuple[str, int]]:
    """Write what was asked for of the contest of this name; the files or folders, with the number of matches."""
    from dohyo.app.contest.export import Counted, lines
    from dohyo.app.contest.session import look
    from dohyo.app.files import write_pieces
    from dohyo.store import open_store

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


def as_pgn(
    store: Store, game: Game, found: Iterable[Line], site: str | None = None, is_bare: bool = False
) -> Iterator[str]:
    """Each match as a game in PGN, with its place in the contest among the tags; in games without moves, the tags.

    `site` is the tag of that name, where it is not the game's name. With `is_bare` moves have no comments.
    """
    for line in found:
        content = None if line.replay is None or game.pgn is None else store.files.get(line.replay)
        yield block(game, line, content, site, is_bare)


def block(game: Game, line: Line, replay: bytes | None, site: str | None = None, is_bare: bool = False) -> str:
    """One match of `as_pgn`, with an empty line behind it. Without its encoded `replay` it has tags alone."""
    from dohyo.app.contest.export import as_headers
    from dohyo.core import replay_format

    head = next(as_headers([line], site))
    if replay is None or game.pgn is None:
        return head
    text: str = game.pgn(replay_format.decode(replay))
    tags, _, moves = text.partition("\n\n")
    ours = head.strip().splitlines()
    own = {tag.partition(" ")[0] for tag in ours}
    kept = [tag for tag in tags.splitlines() if tag.partition(" ")[0] not in own]
    return "\n".join([*ours, *kept, "", COMMENT.sub("", moves) if is_bare else moves]).rstrip("\n") + "\n\n"


def _write_logs(store: Store, game: Game, found: Iterable[Line], folder: Path, name: str) -> None:
    """A file for each match that has a replay; those that are there already are as they would be."""
    from dohyo.app.files import write_pieces
    from dohyo.core import replay_format

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError("cannot-write", path=folder, reason=error.strerror) from error
    for line in found:
        path = folder / f"match-{line.match}.log"
        if line.replay is not None and not path.exists():
            replay = replay_format.decode(store.files.get(line.replay))
            write_pieces(path, log_of(game, replay, f"{_heading(name)}{line.match}, seed {line.seed}"))


def log_of(game: Game, replay: Replay, heading: str) -> Iterator[str]:
    """What the referee sent, what the players answered and wrote to standard error, turn by turn, as text."""
    from dohyo.core import playback
    from dohyo.core.sent import Sent

    sent = Sent(game, replay)
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
                yield "".join(f"Fault: {fault.kind.value} {clean.line(fault.detail)}\n" for fault in move.faults)
    except ReplayError as error:
        yield f"\n{error}\n"
    for move in replay.result.last:
        yield _said(f"Player {move.seat}, standard error at the end", move.stderr)
    yield f"\nPlaces: {' '.join(map(str, replay.result.places))}\n"


def _said(who: str, text: str) -> str:
    """Lines with who has written them before each."""
    return "".join(f"{who}: {line}\n" for line in clean.block(text).splitlines())
