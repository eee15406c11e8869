"""A contest's matches as PGN, as chess programs read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dohyo.core.game import Game
    from dohyo.series.exports.export import ResultLine
    from dohyo.series.store import Store

COMMENT = re.compile(r"\s*\{[^}]*\}")  # of a move in PGN
LOOKED_AT = 1 << 14  # bytes of a file that is there already


def is_of(content: bytes, name: str) -> bool:
    """Whether a file is empty, or has matches of the contest or comparison of this name, as we write them.

    `content` are its first `LOOKED_AT` bytes.
    """
    begins = content.decode("utf-8", "replace")
    return not begins or (begins.startswith(_event(name)) and '[Replay "' in begins)


def _event(name: str) -> str:
    from dohyo.series.exports.export import quoted

    return f'[Event "{quoted(name)}"]\n'


def as_pgn(
    store: Store, game: Game, found: Iterable[ResultLine], site: str | None = None, is_bare: bool = False
) -> Iterator[str]:
    """Each match as a game in PGN, with its place in the contest among the tags; in games without moves, the tags.

    `site` is the tag of that name, where it is not the game's name. With `is_bare` moves have no comments.
    """
    for line in found:
        content = None if line.replay is None or game.pgn is None else store.files.get(line.replay)
        yield block(game, line, content, site, is_bare)


def block(game: Game, line: ResultLine, replay: bytes | None, site: str | None = None, is_bare: bool = False) -> str:
    """One match of `as_pgn`, with an empty line behind it. Without its encoded `replay` it has tags alone."""
    from dohyo.core import replay_format
    from dohyo.series.exports.export import as_headers

    head = next(as_headers([line], site))
    if replay is None or game.pgn is None:
        return head
    text: str = game.pgn(replay_format.decode(replay))
    tags, _, moves = text.partition("\n\n")
    ours = head.strip().splitlines()
    own = {tag.partition(" ")[0] for tag in ours}
    kept = [tag for tag in tags.splitlines() if tag.partition(" ")[0] not in own]
    return "\n".join([*ours, *kept, "", COMMENT.sub("", moves) if is_bare else moves]).rstrip("\n") + "\n\n"
