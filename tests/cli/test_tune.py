"""`dohyo tune`: a small real one, what it prints, how it goes on, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dohyo.guests.tune.begin import Prepared
from dohyo.guests.tune.final import final_comparison
from dohyo.guests.tune.output import TuningOutput
from dohyo.guests.tune.record import Record
from dohyo.i18n import Speaker
from tests.cli.conftest import Type
from tests.guests.tune.drawn import BOT, Drawn, bump, run, tuning

# Plays the first legal action if its parameter says so, and otherwise gives up at once.
SCRIPT = """#!/bin/sh
read size; read units
while read row; do
    at=1; while [ $at -lt $((size + 2 * units)) ]; do read row; at=$((at + 1)); done
    read count; first=
    while [ $count -gt 0 ]; do read action; first=${first:-$action}; count=$((count - 1)); done
    [ "$DOHYO_PARAM_MODE" = plays ] && [ "$first" ] && echo "$first" || echo ACCEPT-DEFEAT
done
"""
WORDS = ("tune", "wondev-woman", "./bot", "--param", "mode=rests,plays", "--param", "n=1..3")
QUICK = ("--matches", "32", "--final", "12", "--trust", "--clock", "60", "--workers", "1", "--seed", "3")


@pytest.fixture
def bot(folder: Path) -> Path:
    """The bot, in the current folder."""
    path = folder / "bot"
    path.write_text(SCRIPT)
    path.chmod(0o755)
    return folder


def played_in(path: Path) -> int:
    """How many matches of generations and of the final comparison a store has."""
    with Record(str(path)) as record:
        return record.played


@pytest.mark.process
def test_a_small_tuning_and_on_with_it(typed: Type, bot: Path) -> None:
    """It finds the mode that plays, compares it, says how to use it, writes a page; the same again plays none."""
    done = typed(*WORDS, *QUICK, "--html", "page.html", "--against", "random")
    assert (done.status, done.err) == (0, "")
    for said in (
        "Wondev Woman: tuning bot against random",
        "mode=rests,plays  n=1..3   seed 3",
        "'n' seems to change nothing: the bot answered the same with 1, 3, in 4 matches with each.",
        "the answers stay the same",
        "rests: ",
        "Final comparison with the defaults, 12 pairs on new seeds: W-D-L",
        "The values found are better than the defaults.",
        "'./bot DOHYO_PARAM_MODE=plays DOHYO_PARAM_N=",
        " ... --clock 60 --trust",
        'params = { mode = "plays", n = ',
        "Plots: page.html",
    ):
        assert said in done.out
    assert "<svg" in (bot / "page.html").read_text()
    assert played_in(bot / "tune.db") == 32 + 24
    again = typed(*WORDS, *QUICK, "--against", "random", "--json")
    known = json.loads(again.out)
    assert (known["matches"], known["final"]["matches"], known["best"]["values"]["mode"]) == (32, 24, "plays")
    assert known["outcome"] == "better"
    assert len(known["tried"]) == 16
    assert known["final"]["pairs"] == 12
    assert (known["opponents_faults"], known["terms"]["matches"], known["terms"]["seed"]) == ({}, 32, 3)
    assert played_in(bot / "tune.db") == 32 + 24
    # Its candidates are in no store: what can be checked is, and nothing is called damaged.
    checked = typed("verify", "tune.db", "--trust")
    assert (checked.status, checked.err) == (0, "")
    assert "the matches are not played again" in checked.out
    for name in ("tune", "effects", "final0"):
        told = typed("contest", "show", "tune.db", "--name", name).out
        assert "State:     over" in told
        assert "question" not in told
    # The bot changed: what was played counts for another one.
    (bot / "bot").write_text(SCRIPT + "\n")
    other = typed(*WORDS, *QUICK, "--against", "random")
    assert (other.status, other.out) == (2, "")
    assert "'tune.db' holds a tuning of something else (bot differs)" in other.err
    assert "add --force to begin again" in other.err


@pytest.mark.process
def test_the_command_says_what_is_wrong(typed: Type, folder: Path) -> None:
    """It ends with status 2, names the fault, and the command that plays the last match alone."""
    (folder / "bot").write_text("#!/bin/sh\nwhile read line; do echo what; done\n")
    (folder / "bot").chmod(0o755)
    words = ("--param", "a=1..6", "--matches", "64", "--trust", "--workers", "1", "--seed", "3")
    done = typed("tune", "wondev-woman", "./bot", *words, "--against", "random")
    assert done.status == 2
    assert done.err.startswith("In 10 of the 10 matches played last, a candidate had the fault 'malformed")
    assert "dohyo play wondev-woman" in done.err
    assert "'./bot DOHYO_PARAM_A=" in done.err
    assert " --seed " in done.err


@pytest.mark.parametrize(
    ("language", "said"), [("en", "No better values found; keep yours"), ("ja", "よりよい値は見つかりませんでした")]
)
def test_what_is_not_better_is_not_recommended(language: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no better values were found, that is the last word: nothing says how to play with the others."""
    tuned = run(tuning(Record(None)), Drawn(bump))
    shown = TuningOutput(Prepared(tuned, BOT, ["./bot", "./bot"]), 4, None, Speaker(language), as_json=False)
    assert tuned.best is not None
    shown.comparison = final_comparison(tuned, tuned.best.values, BOT, 4)
    for _ in shown.comparison.play(Drawn(lambda _: 0)):
        pass
    shown.finish()
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1].startswith(said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Nothing to tune is named"),
        (("--param", "a"), "'a' is not a parameter"),
        (("--param", "a=1..2", "--matches", "3"), "a tuning takes 32 to 100000 matches, not 3"),
        (("--param", "a=1..2", "--final", "-1"), "'--final' does not take '-1'; it takes a whole number from 0 on"),
        (("--param", "a=1..2", "--workers", "0"), "'--workers' does not take '0'"),
        (("--param", "a=1..2", "--store", "bot"), "'bot' is not the file of a tuning"),
        (("--param", "a=1..2", "--html", "bot"), "'bot' is there and is not a page of ours"),
        (("--param", "a=1..2", "--html", "t.html", "--store", "t.html"), "--html and --store both name 't.html'"),
    ],
)
def test_refusals(words: tuple[str, ...], said: str, typed: Type, bot: Path) -> None:
    """A mistake is one sentence, before anything is played or written over."""
    done = typed("tune", "wondev-woman", "./bot", *words, "--trust")
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert (bot / "bot").read_text() == SCRIPT
    assert not (bot / "tune.db").exists()


def test_its_format_is_none_that_an_operator_chooses(typed: Type, bot: Path) -> None:
    """Only the tool that draws such a series can begin one."""
    words = ("contest", "run", "--game", "wondev-woman", "climber", "random", "--trust", "--store", "c.db")
    done = typed(*words, "--format", "generations")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("There is no format 'generations'")
    assert "generations," not in done.err
    assert not (bot / "c.db").exists()
