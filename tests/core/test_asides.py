"""What a hundred bots write is cut where their match could not be read again."""

from __future__ import annotations

import pytest

from dohyo import games
from dohyo.core import asides
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Move, Replay, Seat, Turn
from dohyo.core.replay_format import decode, encode
from dohyo.match.processes.bot_process import KEPT_PER_TURN

GAME = games.find("abotcalypse")
SEATS = 100


def played(answer: Answer, turns: int, last: Answer | None = None) -> Replay:
    """A match in which everybody always answers so, and at the end says `last`."""
    setup = resolve(GAME.options, {"turns": turns}, GAME.catalogue)
    referee = Referee(GAME, setup, SEATS, 1)
    while not referee.over:
        referee.submit(dict.fromkeys(referee.pending(), answer))
    seats, rules = (Seat("bot"),) * SEATS, GAME.version
    header = Header(game=GAME.name, rules=rules, setup=setup, seats=seats, seed=1, software="")
    return Replay(
        header, list(referee.turns), referee.result({} if last is None else dict.fromkeys(range(SEATS), last))
    )


@pytest.mark.parametrize("text", ["\0", "\ufffd"])
def test_a_turn_in_which_all_write_as_much_as_is_kept_is_a_line(text: str) -> None:
    """Also the last words: the end of each text stays, and what is gone is counted as bytes."""
    said = text * KEPT_PER_TURN
    replay = decode(encode(played(Answer("rest", stderr=said + "end"), 1, Answer(stderr=said))))
    for move in replay.turns[0].moves:
        assert move.stderr.endswith("end")
        assert 10_000 < len(move.stderr) == KEPT_PER_TURN + 3 - move.stderr_dropped
    assert all(len(move.stderr) + move.stderr_dropped == KEPT_PER_TURN for move in replay.result.last)


def test_ordinary_texts_of_a_turn_stay() -> None:
    """All that is kept of a hundred bots' standard error, if it is of letters."""
    (turn,) = played(Answer("rest", stderr="x" * KEPT_PER_TURN), 1).turns
    assert {len(move.stderr) for move in turn.moves} == {KEPT_PER_TURN}


def test_a_match_of_many_bots_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a share of it; behind that nothing is stored, and of replies the beginning."""
    monkeypatch.setattr(asides, "LARGEST_MATCH", SEATS * 4000)
    said, reply = '"' * 900, "?" * 1000
    replay = played(Answer(reply, stderr=said), 9)
    assert len(encode(replay)) < SEATS * (4000 + 9 * 800)
    moves = [move for turn in replay.turns for move in turn.moves if move.seat == 7]
    assert len(moves[0].stderr) == 900
    assert len(moves[0].reply or "") == 1000
    assert moves[-1].stderr == ""
    assert moves[-1].stderr_dropped == 900
    assert len(moves[-1].reply or "") == asides.REPLY_LEFT


def test_comments_count_as_standard_error_does() -> None:
    """Both are in one line."""
    most = asides.LARGEST_TURN // SEATS
    move = Move(3, "x", stderr="\0" * 16_000, comments="\0" * 65_000, comments_dropped=5)
    asides.cut([Turn(0, moves=(move,))], [], SEATS)
    assert len(move.stderr) == 16_000
    assert 0 < len(move.comments) < most // 6 - 16_000
    assert move.comments_dropped == 5 + 65_000 - len(move.comments)
