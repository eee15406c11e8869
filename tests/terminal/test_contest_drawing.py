"""Brackets and hills in the terminal: a tree that fits the width, lists where it does not, names made harmless."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.i18n import ENGLISH
from dohyo.series.formats import Format
from dohyo.terminal.brackets import bracket_lines, hill_notes, hill_rows
from tests.cli.conftest import Type
from tests.series.formats.contests import Case, bots
from tests.series.formats.test_eliminations import made, play
from tests.series.made_contests import NAMES, hold

WIDE = "狼と香辛料の賢い狼のボット"


def lines(
    contest: Format, entrants: tuple[Entrant, ...], width: int = 100, names: dict[int, str] | None = None
) -> list[str]:
    """What is drawn of it."""
    bracket = contest.bracket(entrants)
    assert bracket is not None
    return list(bracket_lines(bracket, names or {each.number: each.name for each in entrants}, width, ENGLISH))


def test_a_tree_of_five() -> None:
    """Byes, scores, who goes on, what is not played yet and what is not known: each in its place."""
    contest = made("single-elimination", 5)
    play(contest, bots(5))
    assert lines(contest, bots(5)) == [
        "Bracket",
        "Round 1       Round 2     Final     Champion",
        " 1 b0 bye ───  1 b0 - ─╮",
        "                       ├─    ?  ─╮",
        " 4 b3 2   ─╮           │         │",
        "           ├─  4 b3 - ─╯         │",
        " 5 b4 0   ─╯                     ├─ ?",
        "                                 │",
        " 2 b1 bye ───  2 b1 - ─╮         │",
        "                       ├─    ?  ─╯",
        " 3 b2 bye ───  3 b2 - ─╯",
        "",
        "Before a name stands its seed; the number behind it says how many opponents it was placed before in all"
        " matches of that series, a tie being half. '?' is not known yet.",
    ]


def test_double_elimination_has_two_trees_and_a_final() -> None:
    """Who falls out of the winners' side stands below those of the losers' side whom it meets."""
    contest = made("double-elimination", 4)
    while play(contest, bots(4)):
        pass
    shown = lines(contest, bots(4))
    assert shown[:8] == [
        "Winners' side",
        "Round 1     Round 2     To the grand final",
        " 1 b0 2 ─╮",
        "         ├─  1 b0 2 ─╮",
        " 4 b3 0 ─╯           │",
        "                     ├─ b0",
        " 2 b1 2 ─╮           │",
        "         ├─  2 b1 0 ─╯",
    ]
    at = shown.index("Losers' side")
    assert shown[at + 2 : at + 6] == [
        " 4 b3 0 ─╮",
        "         ├─  3 b2 0 ─╮",
        " 3 b2 2 ─╯           ├─ b1",
        "             2 b1 2 ─╯",
    ]
    assert shown[at + 7 : at + 9] == ["Grand final", "    > 1 b0 2, 2 b1 0"]
    assert "Champion: b0" in shown


@pytest.mark.parametrize("width", [40, 60, 80, 100, 240])
def test_a_tree_is_as_wide_as_the_terminal(width: int) -> None:
    """Names give way first, wide ones too; where even short ones have no room, rounds are lists."""
    names = {bot: (WIDE if bot % 2 else "a" * 24) for bot in range(16)}
    contest = made("single-elimination", 16)
    shown = lines(contest, bots(16), width, names)
    tree = [line for line in shown if "╮" in line or "├" in line]
    assert all(cell_len(line) <= width for line in tree)
    assert bool(tree) == (width >= 80)
    assert any(line.startswith("    ") and "(not played yet)" in line for line in shown) == (width < 80)


def test_tables_of_four_are_lists() -> None:
    """Where several go on from a table there is no tree: who goes on is marked."""
    case = Case("single-elimination", (4, 4), 1, bots(6), {"seeding": "order"}, upsets=0)
    contest = case.make()
    contest.take(
        [
            Result(each, tuple(1 + sorted(each.seats).index(bot) for bot in each.seats))
            for each in contest.next(case.entrants)
        ]
    )
    shown = lines(contest, bots(6))
    assert "    > 3 b2 12, > 4 b3 8, 5 b4 4, 6 b5 0" in shown
    assert "    1 b0 -, 2 b1 -, 3 b2 -, 4 b3 - (0 of 4 matches)" in shown


def test_the_hill_as_a_table() -> None:
    """From which match to which a bot was first, in how many it came first, and who else did."""
    contest = Case("king-of-the-hill", (2, 3), 9, bots(3)).make()
    ends = [(1, 2), (2, 1), (2, 1), (2, 1, 3)]
    played = [Result(Fixture(0, at, tuple(range(len(each))), at), each) for at, each in enumerate(ends)]
    hill = contest.hill(played)
    assert hill is not None
    names = {each.number: each.name for each in bots(4)}
    assert hill_rows(hill, names, ENGLISH)[1] == [("0", "1", "b0", "1 of 2", "b1 1"), ("2", "3", "b1", "2 of 2", "")]
    assert list(hill_notes(hill, names, [0, 1, 2, 3], ENGLISH))[:2] == [
        "b2 entered late; its first match is 3.",
        "b3 waits: it has not played yet.",
    ]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_command_draws_what_the_store_has(typed: Type, folder: Path, language: str) -> None:
    """Below the standing stands the bracket of a knock-out, or the hill; strangers' names are one line of text."""
    names = [*NAMES[:6], "up\x1b[2J\nand\u202edown"]
    for kind, word in (("single-elimination", "╮"), ("double-elimination", "╮"), ("king-of-the-hill", " 0 ")):
        own = names[:4] if kind == "king-of-the-hill" else names
        hold(
            folder / f"{kind}.db",
            game="drop-block" if len(own) == 4 else "wondev-woman",
            kind=kind,
            names=own,
            rounds=2,
        )
        done = typed("contest", "standings", f"{kind}.db", "--lang", language)
        assert (done.status, done.err) == (0, "")
        assert word in done.out
        assert not set(done.out) & set("\x1b\u202e")
    assert ("首位の移り変わり" if language == "ja" else "Who held the hill") in done.out
    hold(folder / "round-robin.db", names=names[:3], rounds=1)
    assert "╮" not in typed("contest", "standings", "round-robin.db").out
