"""What strangers wrote is harmless wherever it comes out: a terminal, a file of text, CSV, JSON, a page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from dohyo.bench.check import hand_ins as check_hand_ins
from dohyo.bench.check.findings import CheckReport
from dohyo.core.game import Game
from tests.cli.arsenal import (
    ABOTCALYPSE,
    DROP_BLOCK,
    FORMULA,
    NOISE,
    TAG,
    WILD,
    assert_harmless,
    assert_harmless_on_screen,
    hand_ins,
    playing,
)
from tests.cli.conftest import Type
from tests.cli.screens import Screen
from tests.cli.typed import Typed

HERE = ("--sandbox", "none")
FEW = ("--setup", "turns=8", "--clock", "60")


@pytest.fixture(scope="module")
def arsenal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hand-ins for Drop-Block, which no test changes."""
    return hand_ins(tmp_path_factory.mktemp("arsenal"), DROP_BLOCK)


@pytest.fixture(scope="module")
def examined() -> dict[object, list[CheckReport]]:
    """What was found in hand-ins before, by their paths."""
    return {}


@pytest.fixture
def examined_once(examined: dict[object, list[CheckReport]], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hand-ins are examined once for all tests, which look at how it is told."""
    examine = check_hand_ins.check_all

    def check_all(game: Game, paths: Sequence[Path], **options: Any) -> Iterator[CheckReport]:
        key = (game.name, *paths)
        if key not in examined:
            examined[key] = list(examine(game, paths, **options))
        return iter(examined[key])

    monkeypatch.setattr(check_hand_ins, "check_all", check_all)


@pytest.fixture
def seen(typed: Type) -> Type:
    """Type a command, and look at everything that it prints."""

    def type_(*words: str) -> Typed:
        done = typed(*words)
        assert "Traceback" not in done.err
        assert_harmless(done.out)
        assert_harmless(done.err)
        return done

    return type_


@pytest.fixture
def contest(seen: Type, copy_of: Type, arsenal: Path) -> Type:
    """The contest of these hand-ins in `c.db`, played; and a way to ask for something of it."""
    words = ("./still", "--folder", str(arsenal), *FEW, "--store", "c.db", "--trust", "--workers", "1")
    done = copy_of("contest", "run", "--game", "drop-block", *words)
    assert done.status == 0, done.err
    assert "Traceback" not in done.err
    assert_harmless(done.out)
    assert_harmless(done.err)
    assert "is not UTF-8, and a contest's store cannot keep it" in done.err
    return lambda command, *words: seen("contest", command, "c.db", *words)


def rows(text: str) -> list[list[str]]:
    """The rows of a CSV file, all as wide as the first; none of its cells is computed, also where ; parts cells."""
    found = list(csv.reader(io.StringIO(text)))
    assert {len(row) for row in found} == {len(found[0])}
    for separator in ",;\t":
        for row in csv.reader(io.StringIO(text), delimiter=separator):
            assert [cell for cell in row if cell.lstrip()[:1] in tuple("=+@-") and not number(cell)] == []
    return found


def number(text: str) -> bool:
    """Whether it is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


# --- check


@pytest.mark.parametrize("which", range(8))
def test_check_of_one(seen: Type, arsenal: Path, which: int) -> None:
    """The examination of a hand-in shows nothing of it raw, whether it plays, does not build, or is none at all."""
    bot = sorted(arsenal.iterdir())[which]
    assert seen("check", "drop-block", str(bot), *FEW, *HERE).status in (1, 2)


@pytest.mark.usefixtures("examined_once")
def test_check_of_many(seen: Type, arsenal: Path) -> None:
    """The table has one row a hand-in, whatever their names hold."""
    done = seen("check", "drop-block", str(arsenal), "--each", *FEW, *HERE)
    table = done.out.split("\n\n")[0].splitlines()
    assert len([line for line in table if not line.startswith(" ")]) == 1 + 8
    assert "[red]x" in done.out


@pytest.mark.usefixtures("examined_once")
def test_check_as_csv(seen: Type, arsenal: Path) -> None:
    """So has the CSV file, and nothing in it is a formula."""
    found = rows(seen("check", "drop-block", str(arsenal), "--csv", *FEW, *HERE).out)
    assert len(found) == 1 + 8
    assert f"'{FORMULA}" in [row[0] for row in found]


@pytest.mark.usefixtures("examined_once")
def test_check_as_json(seen: Type, arsenal: Path) -> None:
    """JSON says all of it as it is, by escapes."""
    found = json.loads(seen("check", "drop-block", str(arsenal), "--each", "--json", *FEW, *HERE).out)
    assert {WILD, FORMULA, TAG} < {each["name"] for each in found}


# --- play, replay


def test_play_and_replay(seen: Type, arsenal: Path) -> None:
    """The closing table, faults, boards, and the same from the replay's file, show nothing raw."""
    bots = playing(arsenal)
    seen("play", "drop-block", *bots, *FEW, *HERE, "--faults", "--save", f"{WILD}.replay", "--html", "m.html")
    assert seen("play", "drop-block", *bots, *FEW, *HERE, "--watch").status == 0
    for words in ((), ("--faults",), ("--verify",), ("--watch",)):
        assert seen("replay", f"{WILD}.replay", *words).status == 0
    told = json.loads(seen("replay", f"{WILD}.replay", "--faults", "--json").out)
    assert told["seats"][0]["name"] == WILD
    assert NOISE in told["seats"][0]["faults"][0]["stderr"]
    page = Path("m.html").read_text(encoding="utf-8")
    assert_harmless(page.split("</title>")[0].split("<title>")[1])
    assert "<img src=x" not in page


def test_names_that_are_not_there(seen: Type, arsenal: Path) -> None:
    """An error that quotes a name quotes it in one harmless line."""
    for words in (
        ("play", WILD, "a", "b"),
        ("play", "drop-block", WILD, "a", "b", "c"),
        ("check", "drop-block", f"./{WILD}"),
        ("replay", f"nowhere/{WILD}"),
        ("play", "drop-block", *["random"] * 4, "--setup", f"{WILD}=1"),
        ("play", "drop-block", *["random"] * 4, "--setup", f"turns={WILD}"),
        ("play", "drop-block", *["random"] * 4, "--clock", WILD),
        ("play", "drop-block", *["random"] * 4, f"--{WILD}"),
        ("compare", "drop-block", "random", f"git:{WILD}:{WILD}"),
        ("contest", "run", f"{WILD}.toml"),
        ("contest", "show", f"{WILD}.db"),
        ("contest", "show", f"postgresql://u:p@nowhere.invalid/{WILD}"),
        (WILD,),
    ):
        done = seen(*words)
        assert done.status == 2, words
        assert len(done.err.splitlines()) == 1


# --- koth


def test_koth(seen: Type, folder: Path) -> None:
    """So do `koth` and its files; the leaderboard has one row a bot. Its lines are looked at in a terminal."""
    hill = hand_ins(folder, ABOTCALYPSE)
    done = seen("koth", str(hill), *("-n", "1"), "--turns", "4", "--clock", "60", *HERE, "--json", "--out", "results")
    assert done.status == 0, done.err
    board = Path("results/leaderboard.txt").read_text(encoding="utf-8")
    assert_harmless(board)
    assert len(board.splitlines()) == 4
    assert len(json.loads(done.out)["bots"]) == 4


# --- contests


def test_contest_looks(contest: Type) -> None:
    """What is looked up in a contest's store shows nothing raw; a row a bot in the table, a line a failure below."""
    assert contest("show").status == 0
    table = contest("standings").out.split("\n\n")[0].splitlines()
    mark = next(
        at for at, line in enumerate(table) if line.startswith("! ")
    )  # what the mark of those means that failed
    assert mark == 1 + 4
    failed = sum(line.lstrip().startswith("!") for line in table[1:mark])
    assert len(table) == mark + 1 + failed + 1  # why each failed, and what shows more
    contest("matches", "--faults")
    assert json.loads(contest("standings", "--json").out)["standings"]
    contest("replay", "0", "--faults")
    contest("pause", WILD)
    contest("remove", f"x{WILD}")
    contest("matches", "--bot", f"x{WILD}")


def test_contest_export(contest: Type) -> None:
    """What is exported has a row a seat and no formula; headers are a line each; JSON says names as they are."""
    found = rows(contest("export").out)
    assert (len(found) - 1) % 4 == 0
    assert f"'{FORMULA}" in {row[found[0].index("bot")] for row in found}
    assert json.loads(contest("export", "--format", "json").out)[0]["bots"]
    headers = contest("export", "--format", "headers").out
    assert all(line == "" or line.startswith("[") for line in headers.splitlines())
    for language, begins in (("ja", b"\xef\xbb\xbfcontest,"), ("en", b"contest,")):  # a mark that Excel needs
        contest("export", "--lang", language, "--out", f"{language}.csv")
        assert Path(f"{language}.csv").read_bytes().startswith(begins)
    contest("export", "--format", "json", "--out", "e.json")
    assert json.loads(Path("e.json").read_text(encoding="utf-8"))


def test_contest_report(contest: Type) -> None:
    """The page of a contest holds names as text."""
    assert contest("report", "--html", "r.html").status == 0
    page = Path("r.html").read_text(encoding="utf-8")
    assert_harmless(page)
    assert "<img src=x" not in page


# --- compare


def test_compare(seen: Type, arsenal: Path) -> None:
    """A comparison names its bots in one line each."""
    bots = playing(arsenal)
    words = ("compare", "drop-block", *bots[:2], "--itself", "--max-pairs", "1", *FEW, *HERE)
    assert seen(*words).status in (0, 1, 3)
    assert json.loads(seen(*words, "--json").out)["bots"]


# --- a terminal

TYPED: dict[str, Callable[[Path], tuple[str, ...]]] = {
    "check": lambda home: ("check", "drop-block", str(home / WILD), *FEW, *HERE),
    "check-each": lambda home: ("check", "drop-block", str(home), "--each", *FEW, *HERE),
    "check-json": lambda home: ("check", "drop-block", str(home), "--each", "--json", *FEW, *HERE),
    "play": lambda home: ("play", "drop-block", *playing(home), *FEW, *HERE, "--faults"),
    "contest": lambda home: (
        *("contest", "run", "--game", "drop-block", "./still", "--folder", str(home), "--trust"),
        *(*FEW, "--workers", "1"),
    ),
    "compare": lambda home: (
        "compare",
        "drop-block",
        *playing(home)[:2],
        "--itself",
        "--max-pairs",
        "1",
        *FEW,
        *HERE,
    ),
}


@pytest.mark.parametrize(
    "command",
    [pytest.param(name, marks=[pytest.mark.full] * (name in ("check-each", "check-json"))) for name in TYPED],
)
def test_terminal(folder: Path, arsenal: Path, command: str) -> None:
    """A terminal is sent nothing but text and rich's own colours and moves of the cursor."""
    with Screen(folder, *TYPED[command](arsenal)) as screen:
        assert screen.wait_for_end() in (0, 1, 3)
        assert_harmless_on_screen(screen.raw)


def test_terminal_of_koth(folder: Path) -> None:
    """The same of `koth`, which tells how far it is on one line."""
    home = hand_ins(folder, ABOTCALYPSE)
    with Screen(folder, "koth", str(home), "-n", "1", "--turns", "4", "--clock", "60", *HERE) as screen:
        assert screen.wait_for_end() == 0
        assert_harmless_on_screen(screen.raw)


def test_watching_in_a_terminal(folder: Path, arsenal: Path) -> None:
    """The same of the board that is drawn again and again."""
    with Screen(folder, "play", "drop-block", *playing(arsenal), *FEW, *HERE, "--watch") as screen:
        screen.wait_for("turn 7")
        screen.press("q")
        assert screen.wait_for_end() == 0
        assert_harmless_on_screen(screen.raw)
