"""Whatever bytes a bot answers, in any game: an action or a fault, in linear time, and a replay that holds."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core import playback
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode, encode
from dohyo.games import all_games
from dohyo.match.processes.bot_process import LONGEST_LINE, shown
from tests.fuzz.effort import examples
from tests.fuzz.linear import MOST, growth
from tests.laws.matches import begin, header, legal_answer
from tests.told import detail

LONGEST_DETAIL = 700  # characters of a fault's words: a replay has one a turn
LEGAL_TURNS = 3  # that follow the strange ones

PIECES = [
    *(
        b"\0",
        b"\t",
        b" ",
        b"\r",
        b"\v",
        b"\x1b[2J",
        b"\x7f",
        b"\x80",
        b"\xff\xfe",
        b"\xc3",
        b"\xed\xa0\x80",
        b"-",
        b"+",
    ),
    *(
        b"nan",
        b"inf",
        b"1e999",
        b"-0",
        b"0x10",
        b"1_0",
        b"9" * 20,
        b"9" * 5000,
        b"-" + b"9" * 5000,
        b"1.5",
        b"%s",
        b"{}",
    ),
    *(
        piece.encode()
        for piece in ("\u0661", "\u2028", "\x85", "\u3000", "\ufeff", "\u0130", "\u017f", "\U0001f4a9", "\xb2")
    ),
    *(b"&", b"/", b"//", b"a", b"A", b"READY", b"EOD", b"ERROR", b"'", b'"', b"\\", b" " * 3000, b"x" * 70_000),
]
PIECE = st.integers(0, len(PIECES) - 1)  # by number: some are long
SEEDS = st.integers(0, 50)
games = pytest.mark.parametrize("name", list(all_games()))


class Changed(NamedTuple):
    """A legal answer, by number, in which at some places so many bytes are replaced by a piece."""

    which: int
    changes: list[tuple[int, int, int]]


class Pieces(NamedTuple):
    """Some of the pieces, by number, one behind the other."""

    which: list[int]


CHANGED = st.builds(
    Changed, st.integers(0, 400), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3), PIECE), max_size=3)
)
ANSWERS = st.one_of(
    st.binary(max_size=40),
    st.builds(Pieces, st.lists(PIECE, max_size=5)),
    st.text(max_size=20).map(lambda text: text.encode("utf-8", "replace")),
    CHANGED,
)


def joined(pieces: Pieces) -> bytes:
    """The bytes of some pieces."""
    return b"".join(PIECES[piece] for piece in pieces.which)


def answered(referee: Referee, seat: int, given: Any) -> str:
    """The line that a player writes, as the referee is told it."""
    line: bytes = given if isinstance(given, bytes) else b""
    if isinstance(given, Pieces):
        line = joined(given)
    elif isinstance(given, Changed):
        legal = referee.game.legal_actions(referee.state, seat) or referee.game.rules.CONCESSIONS
        line = referee.game.protocol.text(legal[given.which % len(legal)]).encode()
        for at, length, piece in given.changes:
            line = line[:at] + PIECES[piece] + line[at + length :]
    return shown(line.replace(b"\n", b" ")[:LONGEST_LINE])


def check_fault(fault: Fault) -> None:
    """A reply's fault is of a kind that a reply can have, and says in a few words what is wrong."""
    assert fault.kind in (FaultKind.MALFORMED, FaultKind.ILLEGAL)
    assert 0 < len(detail(fault)) <= LONGEST_DETAIL


@games
@examples(15, 4000)
@given(seed=SEEDS, answers=st.lists(ANSWERS, max_size=12))
def test_a_match_of_any_answers_is_a_replay(name: str, seed: int, answers: list[Any]) -> None:
    """A match in which bots answer anything is judged to its end, written, read again and verified."""
    game = all_games()[name]
    referee, setup = begin(game, seed)
    chooser, waiting, turns = random.Random(seed), list(answers), LEGAL_TURNS
    while not referee.over and (waiting or turns):
        turns -= not waiting
        answering: dict[int, Answer] = {}
        for seat in referee.pending():
            if waiting:
                answering[seat] = Answer(answered(referee, seat, waiting.pop(0)), seconds=0.001)
            else:
                answering[seat] = legal_answer(referee, seat, chooser)
        for move in referee.submit(answering).moves:
            for fault in move.faults:
                check_fault(fault)
            assert game.protocol.read(move.action) is not None
            assert isinstance(game.message(move.reply or ""), str)
    replay = Replay(header(referee, setup, seed), referee.turns, referee.result())
    written = encode(replay)
    assert len(written) < 20_000 * (1 + len(referee.turns)) * referee.seats
    again = decode(written)
    assert encode(again) == written
    playback.verify(game, again)


@games
@examples(50, 10_000)
@given(seed=SEEDS, answer=ANSWERS)
def test_any_answer_is_an_action_or_a_fault(name: str, seed: int, answer: Any) -> None:
    """Whatever a bot answers, its protocol's reader finds an action that has a text, or says what is wrong."""
    game = all_games()[name]
    referee, _ = begin(game, seed)
    for seat in referee.pending():
        reply = answered(referee, seat, answer)
        read = game.protocol.parse(reply, referee.state, seat)
        if isinstance(read, Fault):
            check_fault(read)
        else:
            assert game.protocol.read(game.protocol.text(read)) == read


@games
@examples(10, 1000)
@given(
    start=st.builds(Pieces, st.lists(PIECE, max_size=2)),
    piece=st.builds(Pieces, st.lists(PIECE, min_size=1, max_size=3)) | CHANGED,
    end=st.builds(Pieces, st.lists(PIECE, max_size=2)),
)
def test_an_answer_is_read_in_proportion(name: str, start: Pieces, piece: Any, end: Pieces) -> None:
    """No line that a bot can write takes longer to be read, or to be shown, than in proportion to its length."""
    game = all_games()[name]
    referee, _ = begin(game, 0)
    seat = referee.pending()[0]
    protocol, state = game.protocol, referee.state
    repeated = answered(referee, seat, piece)[:3000] or " "

    def made(count: int) -> str:
        return shown(joined(start)[:100]) + repeated * (count // len(repeated)) + shown(joined(end)[:100])

    def read(line: str) -> None:
        protocol.parse(line, state, seat)
        protocol.read(line)
        game.message(line)

    assert growth(read, made, LONGEST_LINE) < MOST
