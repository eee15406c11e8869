"""Bots that keep a file from match to match: it is theirs again after a stop, whoever plays at the same time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dohyo.executors.in_process import InProcess
from dohyo.executors.pool import Pool
from dohyo.series.request import ContestRequest
from dohyo.series.store import open_store
from tests.series.contests import ContestListener, asked, course, opened, play

TURNS, ROUNDS = 4, 3
# It counts the turns that it has ever played in a file, and what it does depends on that.
KEEPER = (
    "echo x >> storage.txt\nif [ $(($(wc -l < storage.txt) % 3)) = 0 ]; then echo move left; else echo rest; fi\n"
)


@pytest.fixture
def wanted(tmp_path: Path) -> ContestRequest:
    """A Swiss of bots that live for a turn."""
    words = []
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "command.txt").write_text("sh keeper.sh\n")
        (tmp_path / name / "keeper.sh").write_text(KEEPER)
        words.append(("", str(tmp_path / name)))
    more: dict[str, Any] = {"rounds": ROUNDS, "setup": {"turns": TURNS}, "bots": words, "game": "abotcalypse"}
    return asked(tmp_path / "c.db", tmp_path, "swiss", **more)


def kept(wanted: ContestRequest) -> list[int]:
    """How many turns each bot has counted."""
    with open_store(wanted.store) as store:
        contest = store.contest()
        digests = [store.keepsake(contest.id, entry.number) for entry in store.entrants(contest.id)]
        contents = [msgspec.msgpack.decode(store.files.get(digest)) for digest in digests if digest is not None]
    return [content["storage.txt"].count(b"\n") for content in contents]


def test_a_file_goes_from_batch_to_batch(wanted: ContestRequest) -> None:
    """A match begins with the file as the bot left it in its last match of the batches before."""
    play(wanted)
    with opened(wanted) as contest:
        turns = dict.fromkeys(range(3), 0)
        for batch in range(ROUNDS):
            last = {}
            for result in contest.store.played(contest.contest.id, batch):
                for seat, number in enumerate(result.fixture.seats):
                    last[number] = int(result.scores[seat])
            turns = {number: count + last.get(number, 0) for number, count in turns.items()}
    assert kept(wanted) == list(turns.values())
    assert max(turns.values()) > TURNS


def test_it_is_there_again_after_a_stop(wanted: ContestRequest, tmp_path: Path) -> None:
    """A contest that is interrupted in the middle of a batch ends as one that was not, also with more workers."""

    def stop(number: int) -> None:
        if number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(wanted, ContestListener(stop))
    play(wanted, executor=Pool(2))
    other = msgspec.structs.replace(wanted, store=str(tmp_path / "other.db"))
    play(other, executor=InProcess())
    assert course(wanted) == course(other)
    assert kept(wanted) == kept(other)
