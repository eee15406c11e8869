"""A bot that ends when it is out already has done nothing wrong: one judgement, in everything that tells of it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from dohyo import games
from dohyo.core.replay_format import decode
from dohyo.i18n import ENGLISH
from dohyo.web.content import content
from tests import skips
from tests.cli.conftest import Type

FALLS = """
import sys
print("READY", flush=True)
while True:
    me = int(input())
    for _ in range(7):
        input()
    fallen = [input().split()[0] == "-1" for _ in range(4)]
    input()
    if fallen[me]:
        sys.exit(3)
    print("U", flush=True)
"""
FALLS_IN_JAVA = """
import java.util.Scanner;

public class Falls {
    public static void main(String[] words) {
        Scanner in = new Scanner(System.in);
        System.out.println("READY");
        while (true) {
            int me = in.nextInt();
            for (int i = 0; i < 37; i++)
                in.nextInt();
            boolean fallen = false;
            for (int i = 0; i < 4; i++) {
                fallen |= in.nextInt() == -1 && i == me;
                in.nextInt();
                in.next();
                in.nextInt();
            }
            in.next();
            if (fallen)
                throw new RuntimeException("fallen");
            System.out.println("U");
        }
    }
}
"""
# An empty list has no first element; who has nothing legal left in a league without points has lost by that.
TAKES_THE_FIRST = """
size, units = int(input()), int(input())
while True:
    for _ in range(size + 2 * units):
        input()
    legal = [input() for _ in range(int(input()))]
    print(legal[0], flush=True)
"""
TAKES_THE_FIRST_IN_JAVA = """
import java.util.*;

class Player {
    public static void main(String[] words) {
        Scanner in = new Scanner(System.in);
        int size = in.nextInt(), units = in.nextInt();
        while (true) {
            for (int i = 0; i < size; i++)
                in.next();
            for (int i = 0; i < 4 * units; i++)
                in.nextInt();
            List<String> legal = new ArrayList<>();
            for (int i = in.nextInt(); i > 0; i--)
                legal.add(in.next() + " " + in.nextInt() + " " + in.next() + " " + in.next());
            System.out.println(legal.get(0));
        }
    }
}
"""
LEAVES_AT_THE_END = """
import sys
for line in sys.stdin:
    if line[0] in "WL":
        sys.exit(3)
    print("S 0 1", flush=True)
"""
PATIENT = ("--clock", "60,mode=wall", "--trust", "--seed")
SEED, SEED_OF_CONTEST = "4", "3"  # with which the bot is out before its match has ended


class Case(NamedTuple):
    """A game and its setup; a bot that ends when it is out, and who plays too; whether its match then goes on."""

    game: str
    setup: tuple[str, ...]
    others: tuple[str, ...]
    file: str
    text: str
    is_told: bool = True


CASES = (
    Case("drop-block", (), ("random",) * 3, "falls.py", FALLS),
    Case("drop-block", (), ("random",) * 3, "Falls.java", FALLS_IN_JAVA),
    Case("wondev-woman", ("--setup", "league=wood2"), ("first.py",), "first.py", TAKES_THE_FIRST),
    Case("wondev-woman", (), ("Player.java",), "Player.java", TAKES_THE_FIRST_IN_JAVA),
    Case("shoot-em-up", (), ("leaves.py",), "leaves.py", LEAVES_AT_THE_END, is_told=False),
)


def of_each(of_java: Sequence[pytest.MarkDecorator] = ()) -> pytest.MarkDecorator:
    """Run a test with each case; those in Java with these marks."""
    cases = [
        pytest.param(case, id=f"{case.game} {case.file}", marks=of_java if case.file.endswith(".java") else ())
        for case in CASES
    ]
    return pytest.mark.parametrize("case", cases, indirect=True)


@pytest.fixture
def case(request: pytest.FixtureRequest, folder: Path) -> Case:
    """The game that is played, with the bot's file in the folder."""
    case: Case = request.param
    if case.file.endswith(".java"):
        skips.program("javac")
    (folder / case.file).write_text(case.text)
    return case


@of_each()
def test_one_match(case: Case, typed: Type, folder: Path) -> None:
    """`play`, `replay`, `--strict`, `--watch` and the page: a note where it happened, and no fault."""
    played = typed("play", case.game, case.file, *case.others, *case.setup, *PATIENT, SEED, "--strict", "--save", "m")
    assert played.status == 0, played.out + played.err
    found = json.loads(typed("replay", "m", "--json").out)
    faults = [fault for seat in found["seats"] for fault in seat["faults"]]
    assert bool(faults) == case.is_told
    assert all(fault["note"] for fault in faults)
    for text in (played.out, typed("replay", "m").out):
        assert ("already out, ended in turn" in text) == case.is_told
        assert "--faults" not in text  # there are none to look at
    assert ("no fault is counted" in typed("replay", "m", "--faults").out) == case.is_told
    page = content(games.find(case.game), decode((folder / "m").read_bytes()), ENGLISH)["standings"]
    assert ([line["faults"] for line in page], {line["stopped"] for line in page}) == ([{}] * len(page), {None})
    assert any(line["ended"] for line in page) == case.is_told
    assert ("(the result is the same)" in typed("replay", "m", "--watch").out) == case.is_told


@of_each([pytest.mark.full])
def test_check(case: Case, typed: Type) -> None:
    """It is fit."""
    done = typed("check", case.game, case.file, *case.setup, *PATIENT, SEED, "--json")
    assert (done.status, json.loads(done.out)["fit"]) == (0, True)


@of_each([pytest.mark.full])
def test_a_contest(case: Case, typed: Type, folder: Path) -> None:
    """Table, matches, JSON, CSV, report and site count no fault, and a fault's last place is nobody's."""
    bots = [f"{name}={bot}" for name, bot in zip("abcd", (case.file, *case.others), strict=False)]
    begun = ("contest", "run", "--game", case.game, *bots, "--store", "c.db", "--workers", "1", "--fault-is-last")
    done = typed(*begun, *case.setup, *PATIENT, SEED_OF_CONTEST)
    assert done.status == 0, done.out + done.err
    told = [done.out, *(typed("contest", word, "c.db").out for word in ("show", "standings", "matches"))]
    assert not [line for text in told for line in text.splitlines() if "exited" in line or "! " in line]
    rows = json.loads(typed("contest", "standings", "c.db", "--json").out)["standings"]
    assert [(row["faulty"], row["fails"]) for row in rows] == [(0, False)] * len(bots)
    assert typed("contest", "matches", "c.db", "--faults").out.count("exited") == 0
    assert typed("contest", "verify", "c.db").status == 0
    sheet = typed("contest", "export", "c.db").out
    assert sheet
    assert not any("exited" in value for row in csv.reader(io.StringIO(sheet)) for value in row)
    typed("contest", "report", "c.db", "--html", "page.html")
    typed("contest", "site", "c.db", "--out", "site")
    pages = [folder / "page.html", *(folder / "site").rglob("*.html")]
    assert len(pages) > 1
    for page in pages:
        assert "fault in " not in page.read_text(encoding="utf-8"), page


def test_a_comparison(typed: Type, folder: Path) -> None:
    """`compare` counts none either."""
    (folder / "first.py").write_text(TAKES_THE_FIRST)
    words = (
        "compare",
        "wondev-woman",
        "first.py",
        "./first.py",
        "--itself",
        "--setup",
        "league=wood2",
        "--max-pairs",
        "2",
    )
    told = typed(*words, "--workers", "1", "--json", *PATIENT, SEED).out
    assert json.loads(told)["matches"] > 0
    assert (told.count('"faulty": 0'), told.count('"faulty"')) == (2, 2)
