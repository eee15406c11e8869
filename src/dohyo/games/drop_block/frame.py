"""Drop-Block, what to draw: a frame says everything, so that no view works a rule out again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.game import Event, Frame
from dohyo.games.drop_block import rules
from dohyo.games.drop_block.protocol import LETTERS


def frame(
    before: Any, actions: Sequence[int | None], events: Sequence[Event], after: Any, seat: int | None = None
) -> Frame:
    """The board after a turn, and what happened in it.

    `turn`: turns played. `mover`: the seat that was to move, none in the first frame; `letter`: its action, and
    `ignored` true when stun or a fall made it void. `blocks`: 36 values. `players`: one a seat, `row` and `column`
    none when fallen, `facing` a letter, `stun`, `fell` the turn in which it fell (-1: before the first), none while
    it stands. `marks`: what happened, in order: `["attack", seat, facing]` and `["aim", seat, block]` for each block
    on its ray, `["blocked", seat, row, column]` (the square it could not enter), `["fall", seat, row, column]`,
    `["drop", block]`, `["return", block]`. `highlights`: attacks and falls, as `[kind, seat]`, for a time line.
    Every seat sees everything.
    """
    movers = [p for p, action in enumerate(actions) if action is not None]
    mover = movers[0] if movers else None
    marks = [mark for event in events if (mark := _mark(event))]
    return {
        "turn": after.turn,
        "mover": mover,
        "letter": LETTERS[actions[mover] or 0] if mover is not None else None,
        "ignored": any(event[0] == rules.IGNORED for event in events),
        "blocks": list(after.block),
        "players": [_player(after, p) for p in range(rules.SEATS)],
        "marks": marks,
        "highlights": [mark[:2] for mark in marks if mark[0] in ("attack", "fall")],
    }


def _player(s: Any, p: int) -> dict[str, Any]:
    fallen = s.row[p] < 0
    return {
        "row": None if fallen else s.row[p],
        "column": None if fallen else s.column[p],
        "facing": LETTERS[s.facing[p]],
        "stun": s.stun[p],
        "fell": s.fallen_at[p] if fallen else None,
    }


def _mark(event: Event) -> list[Any]:
    kind, a, b, c = event
    if kind == rules.ATTACKED:
        return ["attack", a, LETTERS[b]]
    if kind == rules.AIMED:
        return ["aim", a, b]
    if kind == rules.BLOCKED:
        return ["blocked", a, b, c]
    if kind == rules.PLAYER_FELL:
        return ["fall", a, b, c]
    if kind == rules.BLOCK_FELL:
        return ["drop", a]
    if kind == rules.BLOCK_RETURNED:
        return ["return", a]
    return []
