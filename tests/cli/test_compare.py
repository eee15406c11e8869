"""`dohyo compare`: what it prints, in a terminal, in a file and for scripts, and its exit status."""

from __future__ import annotations

import json
import math
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

import dohyo
from dohyo import doors, games
from dohyo.bench.disagreement import Disagreement
from dohyo.bots import Bot
from dohyo.cli.compare import _run as play_compared
from dohyo.core.errors import OperatorError
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series.compare import Terms, Trial
from dohyo.series.formats.comparison import Against, SoFar
from dohyo.series.sequential import Comparison, Hypotheses, Verdict
from dohyo.terminal.compare_kept import kept_lines
from dohyo.terminal.comparison import ComparisonOutput
from tests import processes
from tests.cli.conftest import Type
from tests.cli.screens import Screen
from tests.cli.typed import PATIENCE, environment, start

MARK = "DOHYO_TEST_MARK"
SHORT = ("--trust", "--seed", "4", "--clock", "60", "--setup", "turns=8")


def test_better(typed: Type) -> None:
    """A climber is better than dice: exit status 0, the figures, and one sentence at the end."""
    done = typed(
        "compare", "wondev-woman", "climber", "random", "--elo1", "600", "--trust", "--clock", "60", "--seed", "3"
    )
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "Wondev Woman: climber against random"
    assert lines[1].startswith("Is it better at all?")
    assert lines[1].endswith("Seed 3.")
    assert lines[-1].startswith("Better: by at least +")
    for word in ("W-D-L", "pairs by points", "Elo at least +", "LOS 9", "LLR", "-3.00 .. 3.00"):
        assert word in done.out
    assert done.err == ""


def test_worse_by_its_faults(typed: Type, folder: Path) -> None:
    """Who loses by quitting is told so, with what finds out why: exit status 1."""
    (folder / "leaver").write_text("#!/bin/sh\nread line\nexit 3\n")
    (folder / "leaver").chmod(0o755)
    words = ("./leaver", "random", "--elo1", "400", "--trust", "--seed", "4", "--clock", "60")
    done = typed("compare", "wondev-woman", *words)
    assert done.status == 1
    lines = done.out.splitlines()
    assert lines[-1].startswith("Not better: -")
    told = re.search(
        r"^leaver misbehaved in (\d+) of (\d+) matches \(exited, (\d+) times\), and lost (\d+) of them.$",
        done.out,
        re.M,
    )
    assert told is not None, done.out
    misbehaved, played, exits, lost = map(int, told.groups())
    assert misbehaved == played == exits
    assert 1 < lost <= played
    assert "'dohyo check wondev-woman BOT' tells what is wrong with it." in lines


@pytest.mark.parametrize(
    ("better", "elo", "elo0", "said"),
    [
        (True, (23, 12), 0, "Better: by +23 ± 11 Elo, after 400 matches."),
        (True, (2, -3), -10, "Not worse: +2 ± 5 Elo, after 400 matches."),
        (False, (4, -2), 0, "Not better: +4 ± 6 Elo, after 400 matches; surely less than 10 Elo better."),
        (False, (-30, -40), 0, "Worse: by 30 ± 10 Elo, after 400 matches."),
        (None, (5, -5), 0, "Cannot tell yet after 200 pairs: +5 ± 10 Elo, better with a probability of 80.0 %;"),
    ],
)
def test_one_sentence(better: bool | None, elo: tuple[float, float], elo0: float, said: str) -> None:
    """What it comes to is told in one sentence, for each way in which it can end; in Japanese too."""
    bots = [Bot(name, ("/bin/false",), "/", name, "python") for name in ("new", "old")]
    trial = Trial(games.find("wondev-woman"), bots, Terms(hypotheses=Hypotheses(elo0=elo0)))
    middle, low = elo
    known = msgspec.structs.replace(trial.known, matches=400)
    known.verdict = Verdict(200, better, 0, -2.94, 2.94, middle, low, 2 * middle - low, 0.8)
    assert ComparisonOutput(trial, ENGLISH, as_json=False).sentence(known).startswith(said)
    assert ComparisonOutput(trial, Speaker("ja"), as_json=False).sentence(known) != said


@pytest.mark.parametrize(
    ("score", "pairs", "said", "figure"),
    [
        (1.0, 8, "Better: by at least +137 Elo, after 16 matches.", "Elo at least +137 (95 %)   LOS 99.8 %   LLR"),
        (0.0, 8, "Worse: by at least 137 Elo, after 16 matches.", "Elo at most -137 (95 %)   LOS 0.2 %   LLR"),
        (
            1.0,
            4,
            "Better, after 8 matches: too few to tell by how much.",
            "Elo at least -19 (95 %)   LOS 96.9 %   LLR",
        ),
    ],
)
def test_what_is_told_where_one_side_scored_all(score: float, pairs: int, said: str, figure: str) -> None:
    """Only the end of the interval that is known, in the sentence, the figures and the document alike."""
    bots = [Bot(name, ("/bin/false",), "/", name, "python") for name in ("new", "old")]
    trial = Trial(games.find("wondev-woman"), bots, Terms(hypotheses=Hypotheses(elo0=0, elo1=50)))
    known = msgspec.structs.replace(trial.known, matches=2 * pairs)
    known.verdict = msgspec.structs.replace(Comparison(None).take([score] * pairs), better=score > 0)
    shown = ComparisonOutput(trial, ENGLISH, as_json=False)
    assert shown.sentence(known) == said
    assert any(line.startswith(figure) for line in shown._lines(known))


def test_python_is_told_what_the_document_has(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """`dohyo.compare` takes what the command takes, and has its figures: the test's state, all together, by seat."""
    from dohyo.executors import pool
    from dohyo.executors.in_process import InProcess

    monkeypatch.setattr(pool, "Pool", lambda workers: InProcess())
    words = (
        "--seed 1 --max-pairs 1 --elo0 5 --elo1 60 --alpha 0.1 --beta 0.2 --clock 60 --setup pairs=20 --json --trust"
    )
    done = typed("compare", "shoot-em-up", "gunner", "random", *words.split())
    told = json.loads(done.out)
    given: dict[str, Any] = {"elo0": 5, "elo1": 60, "alpha": 0.1, "beta": 0.2, "clock": 60, "setup": {"pairs": 20}}
    found = dohyo.compare("shoot-em-up", "gunner", "random", seed=1, rounds=1, sandbox="none", **given)
    assert (found.decision, found.matches, list(found.pentanomial or ())) == (
        told["decision"],
        told["matches"],
        told["pentanomial"],
    )
    assert (found.llr, *found.bounds) == (told["llr"], told["lower"], told["upper"])
    for name, key in {"elo": "elo", "low": "elo_low", "high": "elo_high", "superiority": "los"}.items():
        own = getattr(found, name)
        assert told[key] == (own if math.isfinite(own) else None)
    assert [list(each) for each in found.seats] == [
        [one[key] for key in ("seat", "matches", "won", "tied", "lost", "score", "score_low", "score_high")]
        for one in told["seats"]
    ]


def test_python_refuses_the_same_program(tmp_path: Path) -> None:
    """As the command does, before anything is kept; it says how it is played all the same."""
    with pytest.raises(OperatorError, match="add itself=True to play all the same") as refused:
        dohyo.compare("kuhn-poker", "random", "random", sandbox="none", save=tmp_path / "kept")
    assert refused.value.key == "compare-itself"


def test_python_goes_on_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `save` the same call goes on with the same seed; bots in `against` fill seats, and have no row."""
    from dohyo.executors import pool
    from dohyo.executors.in_process import InProcess

    monkeypatch.setattr(pool, "Pool", lambda workers: InProcess())
    given: dict[str, Any] = {"against": ["random"], "clock": 60, "setup": {"turns": 20}, "sandbox": "none"}
    given["save"] = tmp_path / "kept"
    first = dohyo.compare("drop-block", "hunter", "random", rounds=1, **given)
    again = dohyo.compare("drop-block", "hunter", "random", rounds=1, **given)
    assert again == first
    assert len(first.rows) == 1
    assert first.pentanomial is None
    with pytest.raises(OperatorError, match="5"):
        dohyo.compare("drop-block", "hunter", "random", seats=5, sandbox="none")


@pytest.mark.parametrize(
    ("pairs", "better", "elo", "said"),
    [
        (12, None, (-171, -272), "So far it looks worse ("),
        (12, None, (171, 70), "So far it looks better ("),
        (12, None, (5, -5), ""),
        (2, None, (-171, -272), ""),  # too few to say anything
        (12, False, (-171, -272), ""),  # said already
    ],
)
def test_how_it_looks_while_nothing_is_decided(
    pairs: int, better: bool | None, elo: tuple[float, float], said: str
) -> None:
    """While the test is open, one sentence more tells what the interval leaves no doubt of; in Japanese too."""
    bots = [Bot(name, ("/bin/false",), "/", name, "python") for name in ("new", "old")]
    trial = Trial(games.find("wondev-woman"), bots, Terms())
    middle, low = elo
    known = msgspec.structs.replace(trial.known, matches=2 * pairs)
    known.verdict = Verdict(pairs, better, 0, -2.94, 2.94, middle, low, 2 * middle - low, 0.8)
    told = ComparisonOutput(trial, ENGLISH, as_json=False).exceptions(known)
    assert [line.startswith(said) for line in told] == [True] * bool(said)
    assert len(ComparisonOutput(trial, Speaker("ja"), as_json=False).exceptions(known)) == len(told)


def test_cannot_tell(typed: Type) -> None:
    """A bot against itself: only if that is asked for; status 3, and for scripts one document with everything."""
    done = typed("compare", "drop-block", "./still", "copy=./still", "--max-pairs", "2", *SHORT)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("'still' is compared with the same program ('copy', to the byte)")
    assert "--itself" in done.err
    done = typed("compare", "drop-block", "./still", "./still", "--itself", "--max-pairs", "2", *SHORT)
    assert done.status == 3
    assert done.out.splitlines()[-1].startswith("Cannot tell yet after 2 rounds of 4 matches: +0 ± ")
    assert "'still (2)' is the very program that the candidate is" in done.out
    done = typed("compare", "drop-block", "./still", "./still", "--itself", "--max-pairs", "2", *SHORT, "--json")
    assert done.status == 3
    told = json.loads(done.out)
    assert (told["decision"], told["better"], told["pairs"], told["matches"]) == ("undecided", None, 2, 8)
    assert (told["won"], told["tied"], told["lost"], told["elo"]) == (0, 24, 0, 0)
    assert [bot["name"] for bot in told["bots"]] == ["still (1)", "still (2)"]
    assert told["terms"]["seed"] == 4
    assert done.err == ""


def test_several_baselines_are_told_one_by_one(typed: Type, folder: Path) -> None:
    """Of several baselines each has its line, and its part of the document; the whole is told as before."""
    (folder / "leaver").write_text("#!/bin/sh\nread line\nexit 3\n")
    (folder / "leaver").chmod(0o755)
    words = (
        "wondev-woman",
        "./leaver",
        "random",
        "./leaver",
        "--itself",
        "--max-pairs",
        "2",
        "--trust",
        "--seed",
        "4",
    )
    words = (*words, "--clock", "60", "--elo1", "100")
    done = typed("compare", *words)
    assert done.status == 3
    lines = [line for line in done.out.splitlines() if line.startswith("against ")]
    assert [line.split("  ")[0] for line in lines] == ["against random", "against leaver (2)"]
    figures = r"  \d+-\d+-\d+ +\d+ % \(\d+ \.\. \d+\) +[+-]\d+ ± \d+ +\d+\.\d %$"
    assert all(re.search(figures, line) for line in lines)
    seats = [line for line in done.out.splitlines() if line.startswith("on seat ")]
    assert [line.split("  ")[0] for line in seats] == ["on seat 0", "on seat 1"]
    assert len({line.index("%") for line in (*lines, *seats)}) == 1  # one below the other
    told = json.loads(typed("compare", *words, "--json").out)
    assert [one["name"] for one in told["baselines"]] == ["random", "leaver (2)"]
    for part in ("matches", "won", "tied", "lost"):
        assert sum(one[part] for one in told["baselines"]) == told[part]
    for one in told["baselines"]:
        assert one["matches"] == 4
        assert sum(one["pentanomial"]) == told["pairs"] == 2
        assert one["elo_low"] < one["elo"] < one["elo_high"]
        assert [part["matches"] for part in one["seats"]] == [2, 2]
    assert [part["seat"] for part in told["seats"]] == [0, 1]
    assert all(0 <= part["score_low"] <= part["score"] <= part["score_high"] <= 1 for part in told["seats"])
    assert sum(part["lost"] for part in told["seats"]) == told["lost"]
    assert f"W-D-L {told['won']}-{told['tied']}-{told['lost']}" in done.out.splitlines()
    assert "against " not in typed("compare", *words[:3], *words[4:]).out.split("\n", 1)[1]


def test_worse_against_one_of_several() -> None:
    """A baseline against which it became worse is named, though all together it is better; in Japanese too."""
    bots = [Bot(name, ("/bin/false",), "/", name, "python") for name in ("new", "weak", "strong")]
    trial = Trial(games.find("wondev-woman"), bots, Terms())
    known = msgspec.structs.replace(trial.known, matches=400)
    known.verdict = Verdict(100, True, 3, -2.94, 2.94, 60, 30, 90, 0.99)
    known.against = (Against(200, 190, 0, 10, {1.0: 90, 0.5: 10}), Against(200, 50, 0, 150, {0.0: 50, 0.5: 50}))
    assert ComparisonOutput(trial, ENGLISH, as_json=False).exceptions(known) == [
        "But against strong alone it is worse: by 189 ± 46 Elo."
    ]
    (japanese,) = ComparisonOutput(trial, Speaker("ja"), as_json=False).exceptions(known)
    assert "strong" in japanese
    assert "But" not in japanese
    known.verdict = msgspec.structs.replace(known.verdict, better=False, elo=-60, elo_low=-90, elo_high=-30)
    assert ComparisonOutput(trial, ENGLISH, as_json=False).exceptions(known) == []


def test_a_line_now_and_then(typed: Type) -> None:
    """Where there is no terminal a line is printed after 10, 20, 50 rounds, and so on."""
    done = typed("compare", "drop-block", "./still", "./still", "--itself", "--max-pairs", "21", *SHORT)
    progress = [line for line in done.out.splitlines() if line.startswith(("10 rounds", "20 rounds"))]
    assert len(progress) == 2
    assert all("LLR" in line and "Elo" in line for line in progress)


def test_against_its_older_self(typed: Type, folder: Path) -> None:
    """git:HEAD~1 is the candidate's own file at that revision, and is called so."""
    for words in ("init -q", "config user.name somebody", "config user.email somebody@example.org"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)
    text = (folder / "still").read_text()
    for number in range(2):
        (folder / "still").write_text(f"{text}# {number}\n")
        subprocess.run(["git", "add", "still"], cwd=folder, check=True)
        subprocess.run(["git", "commit", "-qm", str(number)], cwd=folder, check=True)
    done = typed("compare", "drop-block", "./still", "git:HEAD~1", "--max-pairs", "1", *SHORT)
    assert done.status == 3
    assert done.out.splitlines()[0] == "Drop-Block: still against still@HEAD~1"
    done = typed("compare", "drop-block", "./still", "git:v9", "--max-pairs", "1", *SHORT)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("There is no revision 'v9' in the repository")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--max-pairs", "0"), "A comparison needs one pair at least, not 0"),
        (("--workers", "0"), "'--workers' does not take '0'; it takes a whole number, 1 - 1024"),
        (("--seats", "2"), "A comparison in drop-block takes 4 seats, not 2"),
        (("--elo0", "5", "--elo1", "5"), "A test tells apart a lower Elo difference from a higher one"),
        (("--alpha", "0.7"), "A test's error rate --alpha lies between 0 and 0.5"),
        (("--setup", "turn=8"), "There is no setup option 'turn'"),
        (("--clock", "blitz"), "There is no clock 'blitz'"),
    ],
    ids=str,
)
def test_mistakes(typed: Type, words: tuple[str, ...], said: str) -> None:
    """What cannot be is told in one sentence, before anything is built or played."""
    done = typed("compare", "drop-block", "./no-such-bot", "./still", *words)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(said)
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("is_own", [True, False])
def test_who_sat_where_the_bots_disagree_is_said(is_own: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not the candidate's seat of that match, it is said who sat there, and where the candidate did.

    What to type is told where there is such a command.
    """
    parted = Disagreement(10, 1 if is_own else 0, "N", "S", is_own)
    result = {"number": 11, "seat": 1, "seed": 5, "result": "lost", "faulty": False, "baseline": 1, "file": "11.zst"}
    terms = SimpleNamespace(sandbox="require")
    trial = SimpleNamespace(
        kept=[SimpleNamespace(**result, disagreement=parted)],
        game=SimpleNamespace(referee=None),
        terms=terms,
        older=1,
        opponents=lambda number: [1],
    )
    folder = SimpleNamespace(path=Path("kept"))
    lines = [line for line, _ in kept_lines(trial, folder, ["new", "old"], ["new.py", "old.py"], ENGLISH, None)]  # type: ignore[arg-type]
    there = "" if is_own else " (old sat there; in the other match of this seed new did)"
    assert f"  turn 10, seat {parted.seat}{there}, sent the same: new answers 'N', old 'S'" in lines
    assert lines[-1] == f"  dohyo rerun kept/11.zst {parted.seat} new.py --until 10"
    monkeypatch.setattr(doors, "has_command", lambda name: False)
    fewer = [line for line, _ in kept_lines(trial, folder, ["new", "old"], ["new.py", "old.py"], ENGLISH, None)]  # type: ignore[arg-type]
    assert fewer == lines[:-1]


def test_what_was_lost_is_kept_and_can_be_typed_for(typed: Type, folder: Path) -> None:
    """With --save the lost matches are there, and what is printed to look at them can be typed as it is."""
    (folder / "leaver").write_text("#!/bin/sh\nread line\nexit 3\n")
    (folder / "leaver").chmod(0o755)
    words = ("compare", "wondev-woman", "./leaver", "random", "--trust", "--clock", "60", "--elo1", "200")
    done = typed(*words, "--max-pairs", "1", "--save", "lost ones", "--seed", "4", "--python", sys.executable)
    assert done.status == 3
    assert "'lost ones' has 2 lost or faulty matches. To look at:" in done.out
    commands = [line.strip() for line in done.out.splitlines() if line.startswith("  dohyo ")]
    assert [command.split()[1] for command in commands] == ["replay", "rerun"]
    assert commands[1].endswith(f" --python {sys.executable} --trust")
    assert "at turn 0" not in done.out
    assert "turn 0, seat 0, sent the same: leaver answers" in done.out
    for command in commands:
        told = typed(*shlex.split(command)[1:])
        assert (told.status, told.err) == (0, "")
    # Without the seed, it is the folder's; the same comparison goes on with what is there.
    done = typed(*words, "--max-pairs", "2", "--save", "lost ones")
    assert (done.status, done.err) == (3, "")
    assert "Goes on with 'lost ones', which has 2 matches already." in done.out
    told = json.loads(typed(*words, "--max-pairs", "2", "--save", "lost ones", "--json").out)
    assert (told["matches"], told["folder"], len(told["kept"])) == (4, "lost ones", 4)
    for kept in told["kept"]:
        assert (kept["faulty"], kept["opponent_faulty"]) == (True, False)
        assert (folder / "lost ones" / kept["file"]).is_file()
        assert kept["disagreement"]["baseline"] == "random"


def test_of_several_baselines_the_older_version_is_told_of(typed: Type, folder: Path) -> None:
    """It is named where the bots part; of matches that it did not play, it is said how to ask it."""
    script = "#!/bin/sh\nread line\nexit "
    for words in ("init -q", "config user.name somebody", "config user.email somebody@example.org"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)
    for status in range(2):
        (folder / "leaver").write_text(f"{script}{status}\n")
        (folder / "leaver").chmod(0o755)
        if not status:
            subprocess.run(["git", "add", "leaver"], cwd=folder, check=True)
            subprocess.run(["git", "commit", "-qm", "first"], cwd=folder, check=True)
    words = ("compare", "wondev-woman", "./leaver", "random", "git:HEAD", "--max-pairs", "1", "--seed", "4")
    done = typed(*words, "--save", "kept", "--trust", "--clock", "60")
    lines = done.out.splitlines()
    assert not any("random answers" in line or "random '" in line for line in lines)
    at = lines.index("  what leaver@HEAD answers to the same input:")
    assert re.fullmatch(r"  dohyo rerun kept/\S+ \d git:HEAD:leaver --trust", lines[at + 1])
    told = typed(*shlex.split(lines[at + 1])[1:])
    assert (told.status, told.err) == (0, "")


def test_bots_that_all_play_against(typed: Type) -> None:
    """They are told apart from the baselines, in the table and for scripts; another number is another comparison."""
    words = ("compare", "drop-block", "./still", "./mumbler", "--against", "./still", "--max-pairs", "1", *SHORT)
    done = typed(*words, "--save", "kept")
    assert done.status == 3
    lines = done.out.splitlines()
    assert lines[:2] == [
        "Drop-Block: still (1) against mumbler",
        "On the other seats, results against whom do not count: still (2).",
    ]
    assert "1 round of 8 matches" in done.out
    assert "very program" not in done.out
    assert "against still" not in done.out.split("\n", 2)[2]
    told = json.loads(typed(*words, "--json").out)
    assert ([one["name"] for one in told["baselines"]], told["against"]) == (["mumbler"], ["still (2)"])
    assert told["won"] + told["tied"] + told["lost"] == told["matches"] == 8
    other = typed(*words[:4], "./still", "--itself", *words[6:], "--save", "kept")
    assert (other.status, other.out) == (2, "")
    assert "'kept' has a comparison with --against 1, not -" in other.err
    none = typed("compare", "wondev-woman", "./still", "./mumbler", "--against", "random", "--trust")
    assert none.err.startswith("With 2 seats there is none for the bots of --against;")


def test_what_is_not_the_same_comparison_does_not_go_on(typed: Type, folder: Path) -> None:
    """Where bots, options or seed are not those of the folder, one sentence says so and what to do."""
    compare = (
        "compare",
        "drop-block",
        "./still",
        "./still",
        "--itself",
        "--max-pairs",
        "1",
        *SHORT,
        "--save",
        "kept",
    )
    assert typed(*compare).status == 3
    refused = {
        ("--seed", "5"): "'kept' has a comparison with --seed 4, not 5; repeat that, give --save another folder, or",
        ("--elo1", "20"): "'kept' has a comparison with --elo1 10, not 20; repeat that",
        ("--clock", "5"): "'kept' has a comparison with --clock 60, not 5; repeat that",
    }
    for words, said in refused.items():
        done = typed(*compare, *words)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(said)
        assert done.err.count("\n") == 1
    (folder / "still").write_text((folder / "still").read_text() + "# edited\n")
    done = typed(*compare)
    assert done.err.startswith("'kept' has a comparison in which 'still (1)' was another version; ")
    assert typed(*compare, "--force").status == 3


def test_it_lives_in_a_terminal(folder: Path) -> None:
    """In a terminal the state stays in its place while it changes, and its last form is printed below."""
    with Screen(
        folder, "compare", "drop-block", "./still", "./still", "--itself", "--max-pairs", "3", *SHORT
    ) as screen:
        assert screen.wait_for_end() == 3
        assert "rounds of 4 matches" in screen.raw
        assert screen.raw.count("3 rounds of 4 matches  (") >= 1
        assert "Cannot tell yet after 3 rounds" in screen.raw


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("raised", [OperatorError("needs-fast"), RuntimeError("match 80")], ids=["operator", "ours"])
def test_an_error_ends_it_with_what_is_known(
    raised: Exception, as_json: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever ends a comparison, the matches before it are told first, and which rounds were left out."""
    bots = [Bot(name, ("/bin/false",), "/", name, "python") for name in ("new", "old")]
    trial = Trial(games.find("wondev-woman"), bots, Terms())

    def play(_: object) -> Iterator[SoFar]:
        trial.known.matches, trial.known.left_out = 80, 3
        yield trial.known
        raise raised

    monkeypatch.setattr(trial, "play", play)
    with pytest.raises(type(raised)):
        play_compared(ComparisonOutput(trial, ENGLISH, as_json=as_json), 1)
    out = capsys.readouterr().out
    if as_json:
        told = json.loads(out)
        assert (told["matches"], told["left_out"], told["interrupted"]) == (80, 3, True)
    else:
        assert "Left out: 3 pairs with a match in which Dohyo itself was stopped" in out
        assert out.splitlines()[-1].startswith("Cannot tell yet")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "--seed 4 plays the same matches again."),
        (("--save", "kept"), "and nothing that was played is lost: the same command goes on."),
        (
            ("--save", "kept", "--force"),
            "and nothing that was played is lost: the same command without --force goes on.",
        ),
    ],
    ids=["", "kept", "anew"],
)
def test_interrupted(folder: Path, more: tuple[str, ...], said: str) -> None:
    """Ctrl-C ends it with what is known so far and how to play on; no process is left."""
    mark = str(folder)
    (folder / "beacon").write_text(f"#!/bin/sh\necho READY\necho here > '{folder}/told'\nexec sleep 1000\n")
    (folder / "beacon").chmod(0o755)
    subprocess.run(["mkfifo", str(folder / "told")], check=True)
    words = ("./beacon", "./still", "--trust", "--seed", "4", "--clock", "1000", "--workers", "1", *more)
    process = start("compare", "drop-block", *words, cwd=folder, env=environment(**{MARK: mark}))
    assert (folder / "told").read_text() == "here\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "\nNothing is known yet: no round has ended.\n" in out
    assert "%" not in out.partition("Seed 4.")[2]  # nor a probability
    assert err.startswith("Interrupted; nothing is left running")
    assert err.endswith(f"{said}\n")
    assert processes.marked(MARK, mark) == []
