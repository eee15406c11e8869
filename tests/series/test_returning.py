"""A contest of a folder that is asked for again, while pupils mend, add and take away their bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.series.request import ContestRequest
from dohyo.series.session import look
from dohyo.series.store import open_store
from tests.series.contests import ContestListener, Notes, asked, course, opened, play, write_bot


def of_folder(store: Path, folder: Path, format_: str = "round-robin") -> ContestRequest:
    """A contest of all bots of the folder."""
    return asked(store, folder, format_, bots=[], folder=str(folder))


def again(wanted: ContestRequest) -> tuple[list[tuple[str, str]], list[tuple[str, int]]]:
    """What is told when the contest is gone on with, and who takes part since which batch."""
    notes = Notes()
    with opened(wanted, notes=notes) as contest:
        entries = contest.loop.roster.read()
    return notes.told, [(entry.version.name, entry.since) for entry in entries]


def test_a_bot_that_is_gone_from_the_folder_plays(folder: Path, store: Path) -> None:
    """Its version in the store plays on to the end, and one line tells so."""
    wanted = of_folder(store, folder)
    opened(wanted).store.close()
    (folder / "late").unlink()
    told, entries = again(wanted)
    assert told == [("contest.gone", "late")]
    assert "late" in [name for name, _ in entries]
    play(wanted)
    assert len(course(wanted).matches) > 0


def test_so_many_are_gone_that_no_match_could_begin(folder: Path, store: Path) -> None:
    """A match needs four; those who began count, not those who are still there."""
    wanted = of_folder(store, folder)
    opened(wanted).store.close()
    for name in ("late", "early", "steady"):
        (folder / name).unlink()
    assert len(again(wanted)[1]) == 5


def test_a_bot_that_comes_late_to_a_closed_format(folder: Path, store: Path) -> None:
    """The contest goes on without it, and says so."""
    wanted = of_folder(store, folder, "single-elimination")
    opened(wanted).store.close()
    write_bot(folder / "mended")
    told, entries = again(wanted)
    assert told == [("contest.too-late", "mended")]
    assert "mended" not in [name for name, _ in entries]


@pytest.mark.parametrize("format_", ["ladder", "round-robin"])
def test_a_bot_that_comes_late_to_an_open_format(folder: Path, store: Path, format_: str) -> None:
    """On a ladder, and where all meet all, it enters with the next batch, once."""
    wanted = of_folder(store, folder, format_)
    opened(wanted).store.close()
    write_bot(folder / "mended", "echo A")
    told, entries = again(wanted)
    assert told == [("contest.added", "mended")]
    assert entries[-1] == ("mended", 1)
    assert again(wanted) == ([], entries)


def test_a_bot_that_was_broken(folder: Path, store: Path) -> None:
    """A file that is no bot any more is a changed one: refused where none may change, else the old version plays."""
    for format_, name in (("single-elimination", "a.db"), ("ladder", "b.db")):
        wanted = of_folder(store.with_name(name), folder, format_)
        opened(wanted).store.close()
    before = (folder / "late").read_text()
    (folder / "late").unlink()
    (folder / "late").mkdir()
    assert again(wanted)[0] == [("contest.broken", "late")]
    with pytest.raises(OperatorError, match="leave --frozen out"):
        opened(wanted, frozen=True)
    closed = of_folder(store.with_name("a.db"), folder, "single-elimination")
    with pytest.raises(OperatorError, match="files of 'late' have changed"):
        opened(closed)
    (folder / "late").rmdir()
    write_bot(folder / "late")
    (folder / "late").write_text(before)
    assert again(closed)[0] == []


def test_a_file_that_changes_how_another_is_called(folder: Path, store: Path) -> None:
    """Two files of one name are told apart in their names; who began under its own name keeps it."""
    wanted = of_folder(store, folder, "single-elimination")
    opened(wanted).store.close()
    write_bot(folder / "late.sh")
    told, entries = again(wanted)
    assert "late" in [name for name, _ in entries]
    assert [key for key, _ in told] == ["contest.too-late"]


def test_a_row_of_names_that_is_added_is_for_who_takes_part_too(folder: Path, store: Path) -> None:
    """Who takes part is called as the row says from then on, late or not; where it goes again, the name stays."""
    names = store.with_name("names.csv")
    wanted = of_folder(store, folder)
    wanted.names = str(names)
    names.write_text("early,Ann\n")
    opened(wanted).store.close()
    write_bot(folder / "mended", "echo A")
    assert again(wanted)[0] == [("contest.added", "mended")]
    names.write_text("early,Ann\nmended,Mary\nlate,Lara\n")
    told, entries = again(wanted)
    assert sorted(told) == [("contest.renamed", "late"), ("contest.renamed", "mended")]
    assert sorted(name for name, _ in entries) == ["Ann", "Lara", "Mary", "middling", "steady", "still"]
    names.write_text("early,Ann\n")
    told, again_there = again(wanted)
    assert (sorted(told), again_there) == ([("names.stay", "Lara"), ("names.stay", "Mary")], entries)


def test_a_copy_of_a_file_that_is_gone_is_told(folder: Path, store: Path) -> None:
    """Among the hand-ins with the same files are those that take part from the store alone."""
    wanted = of_folder(store, folder)
    opened(wanted).store.close()
    write_bot(folder / "mended", "echo A")
    opened(wanted).store.close()
    (folder / "mended").rename(folder / "other")
    opened(wanted).store.close()
    with open_store(wanted.store) as there:
        assert [sorted(names) for names in look(there, None).spec.alike] == [["mended", "other"]]


def test_a_bot_that_was_named_and_is_not_any_more(folder: Path, store: Path) -> None:
    """Nobody knows what was meant: the sentence says what can be done."""
    wanted = asked(store, folder)
    opened(wanted).store.close()
    fewer = asked(store, folder, bots=wanted.bots[:-1])
    with pytest.raises(OperatorError, match=r"not named now; name it too, or go on .* dohyo contest run STORE"):
        opened(fewer)
    with pytest.raises(OperatorError, match=r"was begun without the bot 'more' \(.*still\)"):
        opened(asked(store, folder, bots=[*wanted.bots, ("more", str(folder / "still"))]))


def plain(wanted: ContestRequest) -> list[tuple[object, ...]]:
    """The matches of a contest that is over, whatever their batches: number, seats, seed, places, moves."""
    return [
        (match.number, match.seats, match.seed, places, moves)
        for match, places, _, _, moves in course(wanted).matches
    ]


def interrupt(number: int) -> None:
    """Stop after the second result."""
    if number == 2:
        raise KeyboardInterrupt


@pytest.mark.parametrize("format_", ["round-robin", pytest.param("gauntlet", marks=pytest.mark.full)])
def test_more_rounds(folder: Path, store: Path, format_: str) -> None:
    """They follow on what was played, which stays; the matches are those of a contest begun with as many."""
    options = {"candidate": "late"} if format_ == "gauntlet" else {"rotate": False}
    short, long = (asked(store, folder, format_, rounds=rounds, options=options) for rounds in (1, 2))
    play(short)
    before = plain(short)
    with pytest.raises(KeyboardInterrupt):
        play(long, ContestListener(interrupt))
    play(long)
    whole = asked(store.with_name("whole.db"), folder, format_, rounds=2, options=options)
    play(whole)
    assert plain(long) == plain(whole)
    assert plain(long)[: len(before)] == before
    assert len(plain(long)) == 2 * len(before)
    with pytest.raises(OperatorError, match="was begun with rounds = 2, not 1"):
        opened(short)


def test_more_rounds_where_they_decide_who_plays(folder: Path, store: Path) -> None:
    """In Swiss and the like the number of rounds is a part of the terms."""
    opened(asked(store, folder, "swiss")).store.close()
    with pytest.raises(OperatorError, match="was begun with rounds = "):
        opened(asked(store, folder, "swiss", rounds=9))
