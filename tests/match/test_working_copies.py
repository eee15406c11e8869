"""Bots that keep files run in copies of their own, as long as a contest lasts; never in the author's folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from dohyo import bots
from dohyo.core import replay_format
from dohyo.core.errors import MachineError, OperatorError
from dohyo.core.faults import FaultKind
from dohyo.executors.messages import MatchOrder
from dohyo.executors.one_match import play_order
from dohyo.match.play import play_match
from dohyo.match.working_copies import WorkingCopies
from dohyo.system import disk
from dohyo.system import hand_in_limits as limits
from tests.processes import nobody_left
from tests.told import detail

__all__ = ["nobody_left"]

COUNTER = """
import os, sys
n = int(open("storage.txt").read()) if os.path.exists("storage.txt") else 0
open("storage.txt", "w").write(str(n + 1))
sys.stderr.write(f"run {n} in turn {os.environ['DOHYO_TURN']}\\n")
print("rest" if "s" in sys.argv[1].lower() else "move up")
"""


def hand_in(folder: Path, source: str, *commands: str) -> str:
    """A challenge's bot; its folder."""
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(source)
    (folder / "command.txt").write_text("\n".join([*commands, "python3 bot.py"]))
    return str(folder)


@pytest.mark.usefixtures("nobody_left")
def test_a_bot_of_the_challenge_plays_from_a_copy(tmp_path: Path) -> None:
    """Its process lives for a turn, keeps its files over the turns, and the author's folder stays as it was."""
    folder = hand_in(tmp_path / "counter", COUNTER, "echo prepared > prepared.txt")
    replay = play_match("abotcalypse", [folder, folder], setup={"turns": 4, "columns": "10,60"}, seed=5)
    told = [[move.stderr for move in turn.moves] for turn in replay.turns if turn.moves]
    assert told == [[f"run {turn} in turn {turn}\n"] * 2 for turn in range(4)]
    assert all(move.action == "rest" and not move.faults for turn in replay.turns for move in turn.moves)
    assert replay.header.clock is not None
    assert replay.header.clock.preset == "challenge"
    assert sorted(os.listdir(folder)) == ["bot.py", "command.txt"]


@pytest.mark.usefixtures("nobody_left")
def test_files_last_over_matches_in_the_same_copy(tmp_path: Path) -> None:
    """A bot that was copied goes on where it was; its log holds what it complained of and what went wrong."""
    folder = hand_in(tmp_path / "counter", COUNTER, "echo prepared > prepared.txt")
    silent = hand_in(tmp_path / "silent", "")
    with WorkingCopies(tmp_path / "copies") as copies:
        copied = copies.make(bots.resolve([folder, silent]))
        for seed in (1, 2):
            replay = play_match("abotcalypse", copied, setup={"turns": 2, "columns": "10,60"}, seed=seed)
    assert [move.stderr for move in replay.turns[0].moves] == ["run 2 in turn 0\n", ""]
    assert [fault.kind for fault in replay.turns[0].moves[1].faults] == [FaultKind.MALFORMED]
    counter = tmp_path / "copies" / "counter"
    assert (counter / "storage.txt").read_text() == "4"
    assert (counter / "prepared.txt").exists()
    assert (counter / "errlog.txt").read_text().splitlines()[2] == "run 2 in turn 0"
    log = (tmp_path / "copies" / "silent" / "errlog.txt").read_text()
    assert log == "[dohyo] turn 0: malformed: no output\n[dohyo] turn 1: malformed: no output\n" * 2


def test_the_same_bot_twice_has_two_folders(tmp_path: Path) -> None:
    """Names that are the same, or no good as a folder's, are made different; temporary copies go away."""
    folder = hand_in(tmp_path / "a", "")
    (tmp_path / "a" / "bot.toml").write_text('name = "../x y"')
    with WorkingCopies() as copies:
        copied = copies.make(bots.resolve([folder, folder]))
        places = [Path(bot.folder) for bot in copied]
        assert [place.name for place in places] == ["x-y", "x-y-2"]
        (places[0] / "closed").mkdir()
        (places[0] / "closed" / "file").write_text("x")
        (places[0] / "closed").chmod(0o500)
    assert not any(place.exists() for place in places)
    assert not places[0].parent.exists()


def test_others_stay_where_they_are(tmp_path: Path) -> None:
    """A bot that is a source of its author's runs where it always does."""
    (tmp_path / "plain.py").write_text("print('rest')")
    with WorkingCopies(tmp_path / "copies") as copies:
        (bot,) = bots.resolve([str(tmp_path / "plain.py")])
        assert copies.make([bot]) == [bot]
    assert not (tmp_path / "copies").exists()


def test_no_room_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no copy can be made, the operator is told for which bot."""
    folder = hand_in(tmp_path / "a", "")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dohyo.system.used_again.copy", full)
    with (
        WorkingCopies(tmp_path / "copies") as copies,
        pytest.raises(OperatorError, match=r"copy of the bot 'a'.*No space"),
    ):
        copies.make(bots.resolve([folder]))


def test_one_process_a_match_has_the_matchs_clock(tmp_path: Path) -> None:
    """Where no bot lives for a turn the clock is the one for programs that live on; they find the view's end."""
    replay = play_match("abotcalypse", ["rest", "random"], setup={"turns": 3}, seed=5)
    assert replay.header.clock is not None
    assert replay.header.clock.preset == "match"


def test_a_long_name_in_large_letters_can_be_copied(tmp_path: Path) -> None:
    """A name of 64 letters of four bytes each, which no disk takes for a folder's, is cut."""
    folder = hand_in(tmp_path / "a", "")
    (tmp_path / "a" / "bot.toml").write_text(f'name = "{chr(0x20000) * 64}"', encoding="utf-8")
    with WorkingCopies(tmp_path / "copies") as copies:
        places = [bot.folder for bot in copies.make(bots.resolve([folder, folder]))]
    assert len(set(places)) == 2


def test_a_name_that_the_disk_does_not_take_is_the_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a name of the bot's own is too long for the disk of the copies, it is that bot that cannot play."""
    folder = hand_in(tmp_path / "a", "")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENAMETOOLONG, "File name too long", "x" * 200)

    monkeypatch.setattr("dohyo.system.used_again.copy", refuse)
    with WorkingCopies(tmp_path / "copies") as copies:
        (bot,) = copies.make(bots.resolve([folder]))
    assert "this machine's disk cannot hold" in bot.unusable
    monkeypatch.setattr("dohyo.system.used_again.copy", full)
    with WorkingCopies(tmp_path / "copies") as copies, pytest.raises(MachineError):
        copies.make(bots.resolve([folder]))


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES, errno.ESTALE, errno.ENOENT])
def test_a_disk_that_fails_is_nobodys_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Where the cache or the folder of the copies fails, the match waits for the operator; no bot loses it."""
    found = bots.resolve([hand_in(tmp_path / "a", ""), hand_in(tmp_path / "b", "#")])

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("dohyo.system.used_again.copy", fail)
    report = play_order(MatchOrder("k", "abotcalypse", tuple(found), 5, {"turns": 2, "columns": "10,60"}))
    assert (report.mend, report.replay) == (True, b"")
    assert os.strerror(number) in report.error


def test_a_cache_that_was_emptied_is_nobodys_fault(tmp_path: Path) -> None:
    """The same where somebody has removed the built bots while a contest plays."""
    (bot,) = bots.resolve([hand_in(tmp_path / "a", "")])
    disk.remove(bot.folder)
    with WorkingCopies(tmp_path / "copies") as copies, pytest.raises(MachineError, match="No such file"):
        copies.make([bot])


def full(*_: object, **__: object) -> None:
    """As of a disk without room."""
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.usefixtures("nobody_left")
def test_one_that_cannot_be_copied_plays_as_one_that_does_not_start(tmp_path: Path) -> None:
    """What a build has left too deep to be copied is that bot's own fault in every turn, and the others play on."""
    good, bad = hand_in(tmp_path / "good", COUNTER), hand_in(tmp_path / "bad", f"{COUNTER}#")
    found = bots.resolve([good, bad])
    inner = Path(found[1].folder).joinpath(*["d"] * limits.MAX_BUILT_DEPTH)
    inner.mkdir(parents=True)
    (inner / "x").touch()
    report = play_order(MatchOrder("k", "abotcalypse", tuple(found), 5, {"turns": 2, "columns": "10,60"}))
    assert (report.error, report.mend) == ("", False)
    assert report.faults == ((), ("exited", "exited"))
    (fault, *_) = replay_format.decode(report.replay).turns[0].moves[1].faults
    assert "could not be started: The build of 'bad' left folders in each other" in detail(fault)


@pytest.mark.usefixtures("nobody_left")
@pytest.mark.parametrize("way", ["order", "match"])
def test_nothing_of_a_match_stays_in_the_cache(tmp_path: Path, way: str) -> None:
    """A bot that lives a turn and needs no build, too, has a folder of its own in each match.

    What was written there, the author's log or a file that the referee keeps, is in no later match, and never in the
    cache.
    """
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "bot.toml").write_text('lifetime = "turn"')
    (folder / "bot.py").write_text(
        "import os, sys\nsys.stderr.write(','.join(sorted(os.listdir('.'))) + '\\n')\n"
        "open('own', 'w').write('x')\nprint('rest')\n"
    )
    found = bots.resolve([str(folder)])
    assert not found[0].copied
    before = sorted(os.listdir(found[0].staged))
    for seed in (1, 2):
        setup: dict[str, object] = {"turns": 2, "columns": "10"}
        if way == "match":
            replay = play_match("abotcalypse", found, setup=setup, seed=seed)
        else:
            kept = ({"storage.txt": b"7"},)
            order = MatchOrder("k", "abotcalypse", tuple(found), seed, setup, keep=("storage.txt",), kept=kept)
            report = play_order(order)
            assert report.error == ""
            replay = replay_format.decode(report.replay)
        seen = replay.turns[0].moves[0].stderr.strip().split(",")
        assert set(seen) == {"bot.py", "bot.toml"} | ({"storage.txt"} if way == "order" else set())
        assert "errlog.txt,own" in replay.turns[1].moves[0].stderr
    assert sorted(os.listdir(found[0].staged)) == before
