"""What a bot was sent in a match, turn by turn, and what it wrote: for its author."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.i18n import ENGLISH, Speaker
from dohyo.match.replays import recorded
from dohyo.match.replays.sent import Sent
from dohyo.match.telling.fault_words import kind_and_detail

PAGE = 20  # turns
LONGEST = 4000  # characters of a text on a page; a file has all of it
MAX_INPUT = 64 << 20  # bytes of a file


class OwnTurn(msgspec.Struct, frozen=True):
    """One turn of a bot: what it was `sent`, what it answered, and what was made of that.

    `action` is what was carried out. `seconds` is none if it was not asked.
    """

    turn: int
    sent: str
    answer: str
    action: str
    seconds: float | None
    faults: tuple[str, ...] = ()
    stderr: str = ""


class Turns(msgspec.Struct, frozen=True):
    """A page of them. `unknown`: what its program was sent cannot be told, as it speaks another protocol.

    `after` is what it wrote to standard error after its last turn, on the last page.
    """

    turns: list[OwnTurn]
    page: int
    has_next: bool
    unknown: bool = False
    after: str = ""


def page_of(replay: Replay, seat: int, page: int, speaker: Speaker) -> Turns:
    """Some turns of a seat."""
    first = (page - 1) * PAGE
    found = list(islice(_turns(replay, seat, speaker), first, first + PAGE + 1))
    unknown = not Sent(games.find(replay.header.game), replay).is_known(seat)
    has_next = len(found) > PAGE
    after = "" if has_next else "".join(move.stderr for move in replay.result.last if move.seat == seat)
    return Turns([_bounded(one) for one in found[:PAGE]], page, has_next, unknown, _cut(after))


def page_with(replay: Replay, seat: int, turn: int) -> int:
    """The page of a turn of a seat; of one in which it was not asked, that of its last one before."""
    own = [
        one.turn for one in replay.turns if any(move.seat == seat and move.seconds is not None for move in one.moves)
    ]
    before = sum(other < turn for other in own)
    return max(0, before if turn in own else before - 1) // PAGE + 1


def _turns(replay: Replay, seat: int, speaker: Speaker) -> Iterator[OwnTurn]:
    game = games.find(replay.header.game)
    sent = Sent(game, replay)
    known = sent.is_known(seat)
    for one in recorded.asked(game, replay, seat, sent):
        move = one.move
        faults = (
            speaker.say("joined.colon").join(filter(None, kind_and_detail(fault, game, speaker)))
            for fault in move.faults
        )
        prompt = (one.prompt + sent.closing(seat)).decode("utf-8", "replace") if known else ""
        answer = move.action if move.reply is None else move.reply
        yield OwnTurn(one.turn, prompt, answer, move.action, move.seconds, tuple(faults), move.stderr)


def _bounded(one: OwnTurn) -> OwnTurn:
    return msgspec.structs.replace(one, sent=_cut(one.sent), answer=_cut(one.answer), stderr=_cut(one.stderr))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}\n[...]\n{text[-LONGEST // 2 :]}"


def whole_input(replay: Replay, seat: int) -> bytes:
    """Exactly what the program on a seat was sent, from the first byte to the last; empty if that cannot be told."""
    whole = bytearray()
    try:
        for piece in recorded.inputs(games.find(replay.header.game), replay, seat):
            whole += piece
            if len(whole) > MAX_INPUT:
                break
    except OperatorError:
        return b""
    return bytes(whole)


def as_lines(replay: Replay, seat: int) -> bytes:
    """All turns of a seat as JSON Lines."""
    return b"".join(msgspec.json.encode(one) + b"\n" for one in _turns(replay, seat, ENGLISH))
