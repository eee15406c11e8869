"""A replay as JSON Lines, with everything that follows from its moves: for programs that do not have the rules.

The first line is the match and the state that it begins with, then a line for each turn, with the state after it and
what each seat was sent, then the result. docs/replay-lines.md describes every field.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dohyo import clean
from dohyo.core import playback
from dohyo.core.faults import Fault
from dohyo.core.game import Game
from dohyo.core.playback import Moment
from dohyo.core.replay import Move, Replay
from dohyo.i18n import ENGLISH, has
from dohyo.match.replays.sent import Sent

FORMAT = 1


def lines(game: Game, replay: Replay) -> Iterator[str]:
    """The lines, each with its newline, made turn by turn.

    Raises `ReplayError` at the first turn that does not follow from the rules.
    """
    for value in objects(game, replay):
        yield clean.document(value, indent=None)


def objects(game: Game, replay: Replay) -> Iterator[dict[str, Any]]:
    """The objects of the lines, as Python's own values."""
    layout = game.rules.LAYOUT
    yield _match(replay, layout.as_dict(playback.beginning(game, replay)))
    sent = Sent(game, replay)
    names = [seat.name for seat in replay.header.seats]
    for moment in playback.moments(game, replay):
        turn = moment.turn
        moves = [_move(sent, moment, move, names[move.seat]) for move in turn.moves]
        yield {
            "what": "turn",
            "turn": turn.turn,
            "dice": list(turn.dice),
            "moves": moves,
            "state": layout.as_dict(moment.after),
        }
    yield _result(game, replay)


def _match(replay: Replay, state: dict[str, Any]) -> dict[str, Any]:
    header = replay.header
    seats = [
        {"seat": at, "name": seat.name, "digest": seat.digest, "language": seat.language}
        for at, seat in enumerate(header.seats)
    ]
    return {
        "what": "match",
        "format": FORMAT,
        "game": header.game,
        "rules": header.rules,
        "setup": header.setup,
        "seats": seats,
        "clock": msgspec.to_builtins(header.clock),
        "seed": header.seed,
        "first": header.first,
        "software": header.software,
        "state": state,
    }


def _move(sent: Sent, moment: Moment, move: Move, name: str) -> dict[str, Any]:
    """What a seat was sent, what came, and what was carried out."""
    was_asked = move.seconds is not None
    reply = move.action if move.reply is None and was_asked and not move.faults else move.reply
    return {
        "seat": move.seat,
        "bot": name,
        "input": sent.in_turn(moment, move.seat),
        "reply": reply,
        "action": move.action,
        "number": moment.actions[move.seat],
        "seconds": move.seconds,
        "cpu": move.cpu,
        "bank": move.bank,
        "faults": [_fault(fault, sent.game) for fault in move.faults],
        "stderr": move.stderr,
    }


def _fault(fault: Fault, game: Game) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(fault)
    detail = ENGLISH.knowing(game.catalogue).say_any(fault.told)
    return {"kind": fault.kind.value, "code": "", "values": {}, "also": [], "note": False, **told, "detail": detail}


def _result(game: Game, replay: Replay) -> dict[str, Any]:
    result, key = replay.result, replay.result.reason_key
    return {
        "what": "result",
        "turns": replay.played,
        "places": list(result.places),
        "winner": result.winner,
        "scores": list(result.scores),
        "reason": key,
        "sentence": ENGLISH.knowing(game.catalogue).say(key) if has(key, game.catalogue) else key,
        "unfinished": result.unfinished,
        "adjudicated": result.adjudicated,
        "cpu": list(replay.cpu),
    }
