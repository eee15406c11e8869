"""The file to which a comparison adds its matches: each that counts, once, whatever ends the comparison."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.core.contest import Fixture
from dohyo.core.contest import Result as Played_
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Header, Replay, Result, Seat
from dohyo.core.replay_format import encode
from dohyo.executors import MatchOrder, MatchReport
from dohyo.series.compare import Trial
from dohyo.series.compare_folder import ComparisonFolder
from dohyo.series.exports.pgn import PgnFile
from tests.series.test_compare import DUEL, Played, bot
from tests.series.test_compare_folder import FAR, played

# A match of another game than that of the file.
HEADER = Header(game="wondev-woman", rules=1, setup={}, seats=(Seat("a"), Seat("b")), seed=7, software="test")
REPLAY = encode(Replay(HEADER, [], Result((1, 2), None, "over")))
BLOCK = re.compile(r'\[Round "(\d+)\.(\d+)"\]\n\[White "(\w+)"\]\n\[Black "(\w+)"\]\n\[Result "([\d/-]+)"\]')


class Interrupted(Played):
    """An executor that is interrupted after so many matches."""

    def __init__(self, answer: Callable[[MatchOrder], MatchReport], dice: int | None, after: int) -> None:
        super().__init__(answer, dice)
        self.after = after

    def play(self, orders: Any) -> Iterator[MatchReport]:
        for count, report in enumerate(super().play(orders)):
            if count == self.after:
                raise KeyboardInterrupt
            yield report


def compared(path: Path, folder: Path | None = None, dice: int | None = None, after: int | None = None) -> Trial:
    """The comparison, played to its end, or interrupted after so many matches."""
    names = [bot(name) for name in ("new", "old")]
    with PgnFile(path, DUEL) as file:
        kept = None if folder is None else ComparisonFolder(folder)
        trial = Trial(DUEL, names, FAR, kept, pgn=file)
        try:
            for _ in trial.play(Played(played, dice) if after is None else Interrupted(played, dice, after)):
                pass
        except KeyboardInterrupt:
            trial.write_rest()
        finally:
            if kept is not None:
                kept.close()
    return trial


def numbers(path: Path) -> list[int]:
    """The numbers of the matches in a file, in its order."""
    return [int(number) for _, number, *_ in BLOCK.findall(path.read_text())]


@pytest.mark.parametrize("dice", [None, 3])
def test_each_match_that_counts_once(tmp_path: Path, dice: int | None) -> None:
    """In the order of their numbers, whichever ended first, and none after the decision; with who sat where."""
    path = tmp_path / "g.pgn"
    trial = compared(path, dice=dice)
    found = BLOCK.findall(path.read_text())
    assert trial.known.verdict.better
    assert [int(number) for _, number, *_ in found] == list(range(trial.known.matches))
    assert [white for _, _, white, *_ in found[:4]] == ["new", "old", "new", "old"]
    won = sum((white == "new") == (result == "1-0") for _, _, white, _, result in found)
    assert won == trial.known.won
    assert path.read_text().startswith('[Event "comparison"]\n[Site "wondev-woman"]\n[Date "20')
    assert path.read_text().endswith('[Replay "-"]\n\n')


@pytest.mark.parametrize("after", [1, 7, 40])
def test_what_was_played_is_written_when_it_is_interrupted(tmp_path: Path, after: int) -> None:
    """Matches of rounds that are not complete too; and who goes on has each match once, as without an interrupt."""
    path = tmp_path / "g.pgn"
    compared(path, tmp_path / "kept", 3, after)
    assert len(numbers(path)) == after
    assert sorted(set(numbers(path))) == sorted(numbers(path))
    trial = compared(path, tmp_path / "kept", 3)
    assert trial.stored == after
    whole = tmp_path / "whole.pgn"
    compared(whole)
    assert set(range(trial.known.matches)) <= set(numbers(path))
    assert len(numbers(path)) == len(set(numbers(path)))
    assert {*BLOCK.findall(whole.read_text())} <= {*BLOCK.findall(path.read_text())}
    kept = set(re.findall(r'\[Replay "([^"-][^"]*)"\]', path.read_text()))
    assert {file.name for file in (tmp_path / "kept").glob("*.zst")} <= kept


def test_matches_of_another_day_get_their_moves_from_the_folder(tmp_path: Path) -> None:
    """Where the process died before it wrote them, they are written by the one that goes on, without a date."""
    compared(tmp_path / "lost.pgn", tmp_path / "kept", None, 3)  # 2 is in a round that is not complete
    path = tmp_path / "g.pgn"
    compared(path, tmp_path / "kept")
    blocks = path.read_text().split("\n\n")
    assert ['[Date "????.??.??"]' in block for block in blocks[:5]] == [True, True, True, False, False]


def test_they_are_added_to_those_that_are_there(tmp_path: Path) -> None:
    """A second comparison loses nothing of the first, and a match that was cut off stays alone."""
    path = tmp_path / "g.pgn"
    compared(path)
    first = path.read_text()
    compared(path)
    assert path.read_text() == first * 2
    path.write_text(first[:-9])
    compared(path)
    assert path.read_text() == f"{first[:-9]}\n\n{first}"


def test_a_comparison_of_other_bots_hides_no_match(tmp_path: Path) -> None:
    """The same seed and the same numbers are those of another comparison, if others sat there."""
    path, names = tmp_path / "g.pgn", [bot(name) for name in ("new", "other")]
    with PgnFile(path, DUEL) as file:
        for _ in Trial(DUEL, names, FAR, pgn=file).play(Played(played)):
            pass
    before = len(numbers(path))
    compared(tmp_path / "lost.pgn", tmp_path / "kept", None, 3)
    trial = compared(path, tmp_path / "kept")
    assert numbers(path)[before:] == list(range(trial.known.matches))
    compared(path, tmp_path / "kept")
    assert len(numbers(path)) == before + trial.known.matches  # these are there


def test_a_match_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    """By the comparison that goes on: its tags are there, but not all of it."""
    path = tmp_path / "g.pgn"
    compared(path, tmp_path / "kept", None, 3)
    path.write_text(path.read_text()[:-1])
    trial = compared(path, tmp_path / "kept")
    assert numbers(path) == [0, 1, 2, *range(2, trial.known.matches)]


@pytest.mark.parametrize("content", [b"no replay", REPLAY[:-9], REPLAY], ids=["none", "cut", "other game"])
def test_a_replay_that_cannot_be_read_leaves_its_tags(tmp_path: Path, content: bytes) -> None:
    """A folder of replays may be damaged or a stranger's; what is in the file then is who won."""
    path, names = tmp_path / "g.pgn", ("new", "old")
    with PgnFile(path, games.find("chess")) as file:
        file.add(Played_(Fixture(0, 0, (0, 1), 7), (1, 2)), [(name, bot(name)) for name in names], content)
    assert BLOCK.findall(path.read_text()) == [("0", "0", "new", "old", "1-0")]
    assert path.read_text().endswith('[Replay "-"]\n\n')


def test_what_is_somebody_elses_is_refused(tmp_path: Path) -> None:
    """A file that we did not write, or of another event, stays as it is; so does what is no file."""
    path = tmp_path / "g.pgn"
    path.write_text('[Event "Cup"]\n[Replay "-"]\n\n')
    with pytest.raises(OperatorError, match=r"g\.pgn' that is not of matches of 'comparison'"):
        PgnFile(path, DUEL)
    assert path.read_text() == '[Event "Cup"]\n[Replay "-"]\n\n'
    PgnFile(path, DUEL, "Cup").close()
    os.mkfifo(tmp_path / "pipe")
    for name in ("", "pipe", "no/where", "x\0y"):
        with pytest.raises(OperatorError, match="cannot be written"):
            PgnFile(f"{tmp_path}/{name}", DUEL)
    new = tmp_path / "new.pgn"
    with PgnFile(new, DUEL):
        with pytest.raises(OperatorError, match="Another comparison is writing to"):
            PgnFile(new, DUEL)
        assert new.exists()
    assert not new.exists()  # nothing was played


def test_an_interrupt_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the writing and the next line: what is written again is the same, at the same place."""
    path, write, calls = tmp_path / "g.pgn", os.pwrite, iter(range(1 << 20))

    def interrupted(descriptor: int, content: bytes, at: int) -> int:
        wrote = write(descriptor, content, at)
        if next(calls) == 5:
            raise KeyboardInterrupt
        return wrote

    monkeypatch.setattr(os, "pwrite", interrupted)
    compared(path)
    assert numbers(path) == [0, 1, 2, 3, 4, 5]


def test_a_full_disk_ends_it_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first match that cannot be written ends the comparison; no part of it stays, and nothing comes behind."""
    path, write = tmp_path / "g.pgn", os.pwrite
    begins = '[Event "comparison"]\n[Replay "-"]\n'  # a match that was cut off
    path.write_text(begins)

    def full(descriptor: int, content: bytes, at: int) -> int:
        if len(content) <= 9:
            raise OSError(28, "No space left on device")
        return write(descriptor, content[:-9], at)

    monkeypatch.setattr(os, "pwrite", full)
    with PgnFile(path, DUEL) as file:
        trial = Trial(DUEL, [bot("new"), bot("old")], FAR, pgn=file)
        with pytest.raises(OperatorError, match="No space left"):
            next(trial.play(Played(played)))
        monkeypatch.undo()
        trial.write_rest()
        assert (file.count, path.read_text()) == (0, begins)
