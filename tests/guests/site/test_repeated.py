"""Two bots that draw nothing, in a game without dice: they repeat one match, and the pages say so."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from dohyo import games
from dohyo.core.bot_spec import Sample
from dohyo.core.contest import Fixture, Result
from dohyo.core.replay_format import decode, encode
from dohyo.guests.site.arena import meetings
from dohyo.guests.site.arena.house import begins_alike
from dohyo.guests.site.arena.meetings import _repeats
from dohyo.match.play import play_match
from dohyo.series.store.files import Files


def result(files: Files, number: int, seed: int, seats: tuple[int, int]) -> Result:
    """A match of two bots that choose by chance, with this seed of theirs; to the contest it has another one."""
    replay = play_match(games.find("othello"), [Sample("random")] * 2, seed=seed, sandbox="none")
    fixture = Fixture(0, number, seats, 1000 + number)
    return Result(fixture, replay.result.places, tuple(replay.result.scores or ()), replay=files.put(encode(replay)))


def test_matches_that_are_the_same_move_for_move_are_told(tmp_path: Path) -> None:
    """On both seats the same match again and again is a repetition; one that differs, or few matches, are none."""
    files = Files(tmp_path)
    store = SimpleNamespace(files=files)
    seats = (0, 1), (1, 0)
    same = [result(files, 3 * at + again, 5 + at, seats[at]) for at in range(2) for again in range(3)]
    assert _repeats(store, same)  # type: ignore[arg-type]
    assert not _repeats(store, same[:2])  # type: ignore[arg-type]
    other = next(
        each
        for each in (result(files, 9, seed, seats[1]) for seed in range(7, 99))
        if (each.places, each.scores) == (same[5].places, same[5].scores)
    )
    assert not _repeats(store, [*same[:5], other]), "the result is the same, the match is not"  # type: ignore[arg-type]


def test_a_replay_that_cannot_be_read_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing, damaged, no replay or a long one: the page of two bots is there all the same."""
    monkeypatch.setattr(meetings, "_COMPARED", OrderedDict())
    files = Files(tmp_path)
    store: Any = SimpleNamespace(files=files)
    same = [result(files, number, 5, (0, 1)) for number in range(3)]
    with monkeypatch.context() as short:
        short.setattr(meetings, "COMPARED", 10)
        assert not _repeats(store, same)
    digest = str(same[1].replay)
    path = tmp_path / digest[:2] / digest[2:]
    content = path.read_bytes()
    path.unlink()
    assert not _repeats(store, same)
    path.write_bytes(b"damaged")
    assert not _repeats(store, same)
    path.write_bytes(content)
    assert _repeats(store, same), "nothing of before is kept"
    none = [structs.replace(each, replay=files.put(b"no replay")) for each in same]
    assert not _repeats(store, none)


def test_replays_are_compared_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks at the page again makes nobody read them again; of many answers the last ones are kept."""
    files = Files(tmp_path)
    store: Any = SimpleNamespace(files=files)
    read: list[bytes] = []
    monkeypatch.setattr(meetings, "decode", lambda content: read.append(content) or decode(content))
    monkeypatch.setattr(meetings, "KEPT", 1)
    monkeypatch.setattr(meetings, "_COMPARED", OrderedDict())
    both = [[result(files, number, seed, (0, 1)) for number in range(3)] for seed in (21, 22)]
    for same, times in ((both[0], 3), (both[0], 3), (both[1], 6), (both[0], 9)):
        assert _repeats(store, same)
        assert len(read) == times


def test_which_games_begin_alike() -> None:
    """Othello has neither dice nor drawn openings; dice, or openings that are drawn, make matches differ."""
    assert begins_alike(games.find("othello"))
    assert not begins_alike(games.find("backgammon"))
    chess = games.find("chess")
    assert begins_alike(chess)
    assert not begins_alike(chess, {"opening": "random"})
