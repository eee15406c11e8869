"""Bots that are called otherwise after their contest has begun: while it runs, and by a corrected list of names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.series import renaming
from dohyo.series.request import ContestRequest
from dohyo.series.session import look
from dohyo.series.store import open_store
from tests.series.contests import BOTS, ContestListener, Notes, asked, opened

ADA = ("early,Adda", "middling,Bob", "late,Cy")


def of_list(store: Path, folder: Path, *rows: str, **more: Any) -> ContestRequest:
    """A contest of a folder of hand-ins with a list of names."""
    names = store.with_name("names.csv")
    names.write_text("".join(f"{row}\n" for row in rows))
    return asked(store, folder, bots=[], folder=str(folder), names=str(names), **more)


def called(wanted: ContestRequest) -> tuple[list[str], list[tuple[str, str]]]:
    """The names of a contest's first three bots when it is begun or gone on with, and what is told."""
    notes = Notes()
    with opened(wanted, notes=notes) as contest:
        found = {Path(each.path).name: each.name for each in look(contest.store, None).spec.bots}
        assert set(found.values()) == {each.name for each in contest.loop.roster.entrants}
    return [found[name] for name in BOTS[:3]], notes.told


def test_a_corrected_list_of_names(folder: Path, store: Path) -> None:
    """The same command with the corrected list renames: one, two that were interchanged, and these back again.

    Where the list has a name that only its bot had before, it is taken for the old one.
    """
    assert called(of_list(store, folder, *ADA))[0] == ["Adda", "Bob", "Cy"]
    mended = of_list(store, folder, "early,Ada", "middling,Cy", "late,Bob")
    told = [("contest.renamed", "Adda"), ("contest.renamed", "Bob"), ("contest.renamed", "Cy")]
    assert called(mended)[0] == ["Ada", "Cy", "Bob"]
    names, back = called(of_list(store, folder, *ADA))
    assert names == ["Ada", "Bob", "Cy"]
    assert sorted(back) == [("contest.renamed", "Bob"), ("contest.renamed", "Cy"), ("names.stay", "Ada")]
    other = of_list(store.with_name("other.db"), folder, *ADA)
    called(other)
    assert sorted(
        called(of_list(store.with_name("other.db"), folder, "early,Ada", "middling,Cy", "late,Bob"))[1]
    ) == (told)


def test_a_name_that_was_corrected_by_hand_stays(folder: Path, store: Path) -> None:
    """The list still has the misspelt one, and the same command takes nothing back."""
    called(of_list(store, folder, *ADA))
    with open_store(str(store)) as opened_store:
        renaming.rename(opened_store, opened_store.contest(None), "Adda", "Ada")
    assert called(of_list(store, folder, *ADA)) == (["Ada", "Bob", "Cy"], [("names.stay", "Ada")])


def test_names_that_two_bots_have_interchanged_mean_who_has_them_now(folder: Path, store: Path) -> None:
    """Typed with their new names, each stays who it is: nobody gets the other's program."""
    early, late, *others = (str(folder / name) for name in ("early", "late", "steady", "still"))
    with opened(asked(store, folder, bots=[("a", early), ("b", late), *zip("cd", others, strict=True)])):
        pass
    with open_store(str(store)) as there:
        for old, new in (("a", "t"), ("b", "a"), ("t", "b")):
            renaming.rename(there, there.contest(None), old, new)
    with opened(asked(store, folder, bots=[("b", early), ("a", late), *zip("cd", others, strict=True)])) as contest:
        assert [each.name for each in contest.loop.roster.entrants] == ["b", "a", "c", "d"]


def test_a_list_that_is_wrong_renames_nobody(folder: Path, store: Path) -> None:
    """Where the command is refused for other terms, nobody is called otherwise."""
    called(of_list(store, folder, *ADA))
    with pytest.raises(OperatorError, match="seed"):
        opened(of_list(store, folder, "early,Ada", *ADA[1:], seed=12))
    with open_store(str(store)) as there:
        assert "Adda" in [each.name for each in there.entrants(there.contest(None).id)]


def test_a_bot_is_renamed_while_the_contest_runs(folder: Path, store: Path) -> None:
    """It plays on, also one that no store starts: the process that plays has it already."""
    words = [("", f"sh {folder / name}") for name in BOTS]
    names = [f"b{number}" for number in range(len(BOTS))]
    wanted = asked(store, folder, "ladder", bots=list(zip(names, [word for _, word in words], strict=True)))
    with opened(wanted) as contest:

        def change(number: int) -> None:
            if number == 1:
                for name in names:
                    renaming.rename(contest.store, contest.contest, name, name.upper())

        contest.loop.run(InProcess(), ContestListener(change), 2)
        assert [each.name for each in contest.loop.roster.read()] == [name.upper() for name in names]
        assert contest.store.count_batches(contest.contest.id) == 2
        assert not list(contest.store.verify())
    with opened(wanted) as again:
        again.loop.run(InProcess(), ContestListener(), 1)


@pytest.mark.parametrize(
    ("format_", "options", "now"),
    [
        ("gauntlet", {"candidate": "late"}, {"candidate": "tardy"}),
        ("league", {"bosses": ["late", "early"]}, {"bosses": ["tardy", "early"]}),
        ("swiss", {"ratings": {"late": 1.0, "early": 2.0}}, {"ratings": {"tardy": 1.0, "early": 2.0}}),
    ],
)
def test_options_that_name_a_bot(
    folder: Path, store: Path, format_: str, options: dict[str, Any], now: dict[str, Any]
) -> None:
    """They name it as it is called now, and the old command goes on; while it runs, the bot keeps its name."""
    wanted = asked(store, folder, format_, options=options, rounds=1)
    with opened(wanted), open_store(str(store)) as beside, pytest.raises(OperatorError, match="is being run"):
        renaming.rename(beside, beside.contest(None), "late", "tardy")
    with open_store(str(store)) as there:
        renaming.rename(there, there.contest(None), "late", "tardy")
        assert now.items() <= look(there, None).spec.options.items()
    opened(wanted).store.close()
