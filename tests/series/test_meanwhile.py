"""A ladder of a folder that people change while it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.series import meanwhile, session
from dohyo.series.spec import of_stored
from tests.series.contests import ContestListener, write_bot
from tests.series.test_returning import of_folder

Entries = list[tuple[str, int, int | None]]


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is found was written long ago."""
    monkeypatch.setattr(meanwhile, "time", lambda: 1.0e6)


class AfterBatches(ContestListener):
    """Does one of these after each batch."""

    def __init__(self, steps: Sequence[Callable[[], object]]) -> None:
        super().__init__()
        self._left = list(steps)

    def on_batch_over(self, batch: int) -> None:
        """A batch is over."""
        super().on_batch_over(batch)
        if self._left:
            self._left.pop(0)()


def ladder(
    store: Path, folder: Path, *steps: Callable[[], object], frozen: bool = False, **more: object
) -> tuple[Entries, list[str], list[str]]:
    """A ladder with a batch more than `steps`, one of which is done after each batch but the last.

    Who has taken part in which batches, what was told, and what is noted of entries that were left out.
    """
    wanted, told = of_folder(store, folder, "ladder"), list[str]()
    for key, value in more.items():
        setattr(wanted, key, value)

    def leave_out(bot: str, error: OperatorError) -> None:
        told.append(f"left out: {bot}")

    def tell(key: str, **details: object) -> None:
        told.append(f"{key}: {details.get('bot', '')}".removesuffix(": "))

    with session.begin(wanted, frozen=frozen, leave_out=leave_out, tell=tell) as contest, InProcess() as players:
        first = len(told)
        contest.loop.run(players, AfterBatches(steps), len(steps) + 1)
        entries = [(each.version.name, each.since, each.until) for each in contest.loop.roster.read()]
        notes = of_stored(contest.store.contest("c").spec).left_out
    return entries, told[first:], [each.name for each in notes]


def broken(folder: Path) -> None:
    """A hand-in that cannot be used."""
    (folder / "broken.py").write_bytes(b"")


def test_what_comes_meanwhile_takes_part(folder: Path, store: Path) -> None:
    """A new file is a new bot, a changed one a new version, from the next draw on; one that is wrong is left out."""
    entries, told, left_out = ladder(
        store,
        folder,
        lambda: (write_bot(folder / "new", "echo A"), write_bot(folder / "late", "echo U"), broken(folder)),
        lambda: write_bot(folder / "late", "echo D"),
        lambda: None,
    )
    assert entries[5:] == [("late", 1, 2), ("new", 1, None), ("late", 2, None)]
    assert told == [
        "left out: broken.py",
        "contest.joins: late",
        "contest.added: new",
        "contest.joins: late",
    ]
    assert left_out == ["broken.py"]


def test_a_hand_in_that_is_mended_meanwhile_enters(folder: Path, store: Path) -> None:
    """It was left out at the beginning; with it goes the note."""
    broken(folder)
    entries, told, left_out = ladder(
        store, folder, lambda: (folder / "broken.py").write_text("print('READY')\n"), lambda: None
    )
    assert (entries[5:], told, left_out) == ([("broken", 1, None)], ["contest.added: broken"], [])


def test_what_is_wrong_with_all_ends_no_ladder(folder: Path, store: Path) -> None:
    """It is told, and the ladder plays on with those that it has; what is right again is taken."""

    def away() -> None:
        for each in folder.iterdir():
            each.rename(folder.parent / each.name)

    entries, told, _ = ladder(store, folder, away, lambda: write_bot(folder / "new", "echo A"), lambda: None)
    assert entries[5:] == [("new", 2, None)]
    assert told == ["contest.folder-not-taken", "contest.added: new"]


def test_what_is_being_written_waits(folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that has only just changed is not read in the middle; where files always change, not for ever."""
    monkeypatch.setattr(meanwhile, "time", lambda: (folder / "new").stat().st_ctime)
    steps = [lambda: write_bot(folder / "new", "echo A"), *[lambda: None] * (meanwhile.MAX_UNSETTLED + 1)]
    entries, _, _ = ladder(store, folder, *steps)
    assert entries[5:] == [("new", meanwhile.MAX_UNSETTLED + 1, None)]


def test_a_corrected_list_of_names_counts(folder: Path, store: Path) -> None:
    """A hand-in that has another name in it keeps its matches."""
    names = store.with_name("names.csv")
    names.write_text("late,Ann\n")
    entries, told, _ = ladder(store, folder, lambda: names.write_text("late,Anna\n"), names=str(names))
    assert ("Anna", 0, None) in entries
    assert (len(entries), told) == (5, ["contest.renamed: Ann"])


def test_nobody_looks_where_nothing_may_change(folder: Path, store: Path) -> None:
    """A frozen ladder stays as it is, and so does a bot that the operator has named."""
    assert len(ladder(store, folder, lambda: write_bot(folder / "new", "echo A"), frozen=True)[0]) == 5
    (folder / "new").unlink()
    own = write_bot(folder.parent / "own", "echo L")
    entries, told, _ = ladder(
        store.with_name("d.db"),
        folder,
        lambda: (write_bot(Path(own), "echo U"), write_bot(folder / "new", "echo A")),
        bots=[("own", own)],
    )
    assert (entries[6:], told) == ([("new", 1, None)], ["contest.added: new"])
