"""What an executor is given and gives back: orders, reports, chunks, shares; the executor in this process."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dohyo
from dohyo import bots
from dohyo.core import replay_format as replays
from dohyo.core.clock import Clock
from dohyo.executors import MatchOrder, MatchReport, one_match
from dohyo.executors.in_process import InProcess
from dohyo.executors.one_match import play_order
from dohyo.executors.scheduling import MOST, ChunkSizer, by_physical_core, core_shares
from tests.match.conftest import Bot

CLOCK = Clock(turn=60.0, ready=60.0)


def order(key: str, *specs: str, **more: object) -> MatchOrder:
    """A short match of Drop-Block without a sandbox; one bot sits on all seats."""
    given = bots.resolve(specs * 4 if len(specs) == 1 else specs)
    usual: dict[str, object] = {"seed": 1, "setup": {"turns": 8}, "clock": CLOCK, "sandbox": "none"}
    return MatchOrder(key, "drop-block", tuple(given), **{**usual, **more})  # type: ignore[arg-type]


def test_orders_and_reports_travel(bot: Bot) -> None:
    """An order and a report come out of MessagePack, and out of pickle, as they went in."""
    sent = order("k", bot(), kept=({"a": b"\0"}, {}, {}, {}))
    report = play_order(sent, "w")
    for value in (sent, report):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value)) == value
        assert pickle.loads(pickle.dumps(value)) == value


def test_a_report_says_what_the_replay_says(bot: Bot) -> None:
    """Places, faults in order, and the longest turn by seat are those of the replay, which verifies."""
    fine, wrong, gone = bot(), bot("echo nonsense"), bot("exit 3")
    report = play_order(order("k", fine, wrong, gone, fine), "w")
    replay = replays.decode(report.replay)
    assert dohyo.verify(replay) == report.turns == 8
    assert (report.key, report.worker, report.error) == ("k", "w", "")
    assert report.places == replay.result.places
    assert report.faults == ((), ("malformed", "malformed"), ("exited",), ())
    seconds = [move.seconds for turn in replay.turns for move in turn.moves if move.seat == 0]
    assert report.longest[0] == max(second for second in seconds if second is not None)
    assert report.seconds > max(second or 0 for second in report.longest)


def test_what_cannot_be_played_is_reported(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator's mistake is its sentence, a defect of ours its traceback; neither stops the orders behind it."""
    given = [order("a", bot(), seed=-1), order("b", bot()), order("c", bot())]
    real = one_match.play_match

    def broken(*words: object, **more: object) -> object:
        if more["seed"] == 2:
            raise ZeroDivisionError
        return real(*words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(one_match, "play_match", broken)
    given[1] = msgspec.structs.replace(given[1], seed=2)
    with InProcess() as executor:
        mistake, defect, fine = executor.play(given)
    assert "-1" in mistake.error
    assert "\n" not in mistake.error
    assert "ZeroDivisionError" in defect.error
    assert (fine.key, fine.error, bool(fine.replay)) == ("c", "", True)


def test_files_are_kept_from_match_to_match(tmp_path: Path, nobody_left: None) -> None:
    """A bot in a folder of its own finds what is sent along, and its file comes back; the author's folder stays."""
    folder = tmp_path / "keeper"
    folder.mkdir()
    (folder / "command.txt").write_text("sh keeper.sh")
    (folder / "keeper.sh").write_text("echo x >> storage.txt\nln -s /etc/passwd link.txt\necho 1\n")
    keeper, other = bots.resolve([str(folder), "sh -c 'echo READY; cat'"])
    names = ("storage.txt", "link.txt", "none.txt")
    sent = MatchOrder("k", "abotcalypse", (keeper, other), 1, {"turns": 3}, CLOCK, "none", keep=names)
    first = play_order(sent)
    assert first.error == ""
    count = first.kept[0]["storage.txt"].count(b"x")
    assert count > 0
    assert first.kept == ({"storage.txt": b"x\n" * count}, {})
    second = play_order(msgspec.structs.replace(sent, kept=first.kept))
    assert second.kept[0]["storage.txt"].count(b"x") > count
    assert sorted(os.listdir(folder)) == ["command.txt", "keeper.sh"]


def test_chunks_are_a_second_long() -> None:
    """One match until a match's length is known; then a second's worth, fewer at the end, never none or too many."""
    chunks = ChunkSizer(2)
    assert chunks.size() == chunks.size(100) == 1
    chunks.took(0.1)
    assert (chunks.size(), chunks.size(100), chunks.size(8), chunks.size(1), chunks.size(0)) == (10, 10, 2, 1, 1)
    for _ in range(100):
        chunks.took(1e-6)
    assert chunks.size() == MOST
    for _ in range(100):
        chunks.took(5.0)
    assert chunks.size() == 1


@given(st.integers(1, 64), st.integers(1, 200))
def test_shares_are_fair(cores: int, workers: int) -> None:
    """All cores are shared out, no two workers share one unless they must, and shares are equal to within one."""
    given = core_shares(range(10, 10 + cores), workers)
    sizes = [len(share) for share in given]
    assert len(given) == workers
    assert min(sizes) >= 1
    assert max(sizes) - min(sizes) <= 1
    used = [core for share in given for core in share]
    if workers <= cores:
        assert sorted(used) == list(range(10, 10 + cores))
    else:
        counts = [used.count(core) for core in range(10, 10 + cores)]
        assert max(counts) - min(counts) <= 1


def test_every_core_has_its_place() -> None:
    """Putting cores in order loses none, also where the system says nothing about them."""
    assert sorted(by_physical_core([3, 9999, 0, 1])) == [0, 1, 3, 9999]


def test_a_report_may_be_an_error_alone() -> None:
    """An error travels without a replay."""
    report = MatchReport("k", error="no")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(report), type=MatchReport) == report
