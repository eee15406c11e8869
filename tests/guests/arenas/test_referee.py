"""`dohyo referee`: one match for another arena's runner, and nothing else on the output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dohyo import games
from dohyo.core import replay_format
from dohyo.executors.refereed import game_of_word
from dohyo.guests.arenas.match_contracts import CONTRACTS, Contract, read
from tests.cli.conftest import Type, folder, typed, without_processes
from tests.guests.arenas.referees.programs import write_players, write_referee

__all__ = ["folder", "typed", "without_processes"]

# A clock that a busy machine does not make run, and a match of few turns.
BOX = ("--sandbox", "none", "--trust", "--clock", "60,mode=cpu", "--setup", "turns=8")
STILL = ("./still",) * 4
ONE_LEFT = ("./still", "./quitter", "./still", "./still")


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_match_is_told_in_each_contract(typed: Type, contract: Contract) -> None:
    """The result alone is on the output, and no fault changes the exit status."""
    done = typed("referee", "drop-block", "--for", contract, "--seed", "7", *ONE_LEFT, "--fault-is-last", *BOX)
    assert (done.status, done.err) == (0, "")
    found = read(contract, done.out.encode(), 4)
    assert found.places[1] == 4
    assert found.failed == (False, True, False, False)
    assert contract == "brutaltester" or done.out.count("\n") == 1


def test_the_same_seed_gives_the_same_match(typed: Type) -> None:
    """The seed decides the match; one below zero is a seed too, modulo 2**63."""
    words = ("referee", "drop-block", "--for", "cgarena", *STILL, *BOX, "--seed")
    first, again, negative = (json.loads(typed(*words, seed).out) for seed in ("7", "7", str(7 - (1 << 63))))
    for one in (first, again, negative):
        one["attributes"] = [each for each in one["attributes"] if each["name"] != "longest_ms"]
    assert first == again == negative


def test_brutaltester_names_players_seed_and_log_in_its_way(typed: Type, folder: Path) -> None:
    """It adds its own words behind the referee's command line."""
    players = [word for seat, bot in enumerate(STILL, 1) for word in (f"-p{seat}", bot)]
    done = typed(
        "referee", "drop-block", "--for", "brutaltester", *BOX, *players, "-d", "seed=12", "-l", "game1.json"
    )
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "seed=12"
    content = (folder / "game1.json").read_bytes()
    assert content.startswith(b"{")
    assert replay_format.decode(content).header.seed == 12


def test_a_replay_is_compressed_by_its_name(typed: Type, folder: Path) -> None:
    """As elsewhere, .zst says so; a file that is something else is not replaced."""
    words = ("referee", "drop-block", *STILL, *BOX, "--seed", "7", "--save")
    assert typed(*words, "m.replay.zst").status == 0
    content = (folder / "m.replay.zst").read_bytes()
    assert not content.startswith(b"{")
    assert replay_format.decode(content).header.seed == 7
    (folder / "notes").write_text("mine")
    assert typed(*words, "notes").status == 2
    assert (folder / "notes").read_text() == "mine"


def test_another_arenas_referee_can_serve_a_third(typed: Type, folder: Path) -> None:
    """A game that another program referees is told in any of the contracts."""
    file = write_referee(folder, "brutaltester")
    rock, paper, *_ = write_players(folder)
    done = typed("referee", str(file), "--for", "psyleague", rock, paper, "--trust", "--seed", "3")
    assert (done.status, done.err) == (0, "")
    told = json.loads(done.out)
    assert told["ranks"] == [1, 0]
    assert told["test_data"] == {"seed": "3"}  # how many turns it had, nobody but that program knows


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--for", "chess", *STILL), "'--for' does not take 'chess'"),
        (("./still",), "is played by 4 bots, not by 1"),
        ((*STILL, "-p1", "./still"), "named twice"),
        (("-p1", "./still", "-p3", "./still"), "number them -p1, -p2"),
        ((*STILL, "-d", "7"), "it takes seed=N"),
        ((*STILL, "--seed", "x"), "does not take 'x'"),
        (("./still", "./gone", "./still", "./still"), "gone"),
    ],
)
def test_a_mistake_is_one_sentence_on_standard_error(typed: Type, words: tuple[str, ...], said: str) -> None:
    """The runner finds nothing on the output, and an exit status that is none of a match."""
    done = typed("referee", "drop-block", *words, *BOX)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_a_referee_that_fails_is_a_mistake(typed: Type, folder: Path) -> None:
    """Without a result nothing is printed, so that no arena counts the match."""
    (folder / "crooked").write_text("exit 3")
    file = write_referee(folder, command="sh crooked {PLAYERS}")
    done = typed("referee", str(file), "./still", "./still", "--trust")
    assert (done.status, done.out) == (2, "")
    assert "exit status 3" in done.err


FILES = {
    "empty": ("", "does not say 'name'"),
    "no toml": ("name = ", "is no TOML"),
    "unknown": ("nmae = 'x'", "'nmae'"),
    "name": ("name = 'A B'\ncommand = 'x {P1}'\nresult = 'cgarena'\nplayers = 1", "'name' does not take 'A B'"),
    "contract": ("name = 'x'\ncommand = 'x {P1}'\nresult = 'chess'\nplayers = 1", "'result' does not take"),
    "players": ("name = 'x'\ncommand = 'x {P1}'\nresult = 'cgarena'\nplayers = [3, 2]", "'players' does not take"),
    "quote": ("name = 'x'\ncommand = '\"x {P1}'\nresult = 'cgarena'\nplayers = 1", "'command' does not take"),
    "place": ("name = 'x'\ncommand = 'x {P1} {P3}'\nresult = 'cgarena'\nplayers = 2", "called '{P3}'"),
    "no place": ("name = 'x'\ncommand = 'x {P1}'\nresult = 'cgarena'\nplayers = 2", "would not get every player"),
    "range": ("name = 'x'\ncommand = 'x {P1} {P2}'\nresult = 'cgarena'\nplayers = [1, 2]", "{PLAYERS}"),
    "seconds": ("name='x'\ncommand='x {P1}'\nresult='cgarena'\nplayers=1\nseconds=0", "'seconds' does not take"),
    "bits": ("name='x'\ncommand='x {P1}'\nresult='cgarena'\nplayers=1\nseed_bits=true", "'seed_bits' does not take"),
    "files": ("name='x'\ncommand='x {P1}'\nresult='cgarena'\nplayers=1\nfiles=['gone']", "gone"),
    "deep": ("name = " + "[" * 5000 + "]" * 5000, "is no TOML"),
    "large": ("#" * 70_000, "larger than 64 KiB"),
}


@pytest.mark.parametrize("wrong", FILES)
def test_a_wrong_file_of_a_referee(typed: Type, folder: Path, wrong: str) -> None:
    """Each mistake in a referee's file is one sentence that names it."""
    content, said = FILES[wrong]
    (folder / "r.toml").write_text(content)
    done = typed("referee", "r.toml", "./still", "./still", "--trust")
    assert (done.status, done.out) == (2, "")
    assert said in done.err, done.err
    assert done.err.count("\n") == 1


def test_no_name_from_a_stranger_opens_a_file(folder: Path) -> None:
    """Only an operator's word is a path: a game's name in a replay or a store never is."""
    from dohyo.core.errors import OperatorError

    file = write_referee(folder)
    assert game_of_word(str(file)).referee is not None
    with pytest.raises(OperatorError) as caught:
        games.find(str(file))
    assert caught.value.key == "unknown-game"


def test_what_needs_rules_says_so(typed: Type, folder: Path) -> None:
    """What looks into a match says in one sentence that another program referees."""
    file = str(write_referee(folder))
    for words in (
        ("play", file, "./still", "./still", "--trust"),
        ("check", file, "./still", "--trust"),
        ("profile", file, "./still", "./still", "--trust"),
        ("new", "bot", file, "--lang", "python"),
    ):
        done = typed(*words)
        assert done.status == 2, words
        assert "Another program referees 'rps'" in done.err, (words, done.err)
        assert done.err.count("\n") == 1, words
