"""`dohyo koth`: real bots in a folder, from the command to its files."""

from __future__ import annotations

import json
import os
import select
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

import dohyo
from tests import processes
from tests.cli.conftest import Type
from tests.cli.screens import Screen
from tests.cli.typed import PATIENCE, environment, start

MARK = "DOHYO_TEST_MARK"
LONG = ("--clock", "1000")
SHORT = ("-n", "2", "--turns", "6", "--seed", "4", *LONG)
# A process a turn, which counts its turns; and one a match, which answers at every empty line.
KEEPER = {"command.txt": "sh bot.sh", "bot.sh": "echo x >> storage.txt\necho rest\n"}
LASTING = 'while IFS= read -r line; do [ "$line" ] || echo rest; done\n'

Make = Callable[[str, Mapping[str, str]], Path]


@pytest.fixture
def make(folder: Path) -> Make:
    """Put a bot into the folder `hill`: a folder with these files."""

    def write(name: str, files: Mapping[str, str]) -> Path:
        home = folder / "hill" / name
        home.mkdir(parents=True)
        for file, content in files.items():
            (home / file).write_text(content)
        return home

    return write


@pytest.fixture
def hill(folder: Path, make: Make) -> Path:
    """A folder with two bots, one of each kind."""
    make("keeper", KEEPER)
    (folder / "hill" / "lasting.sh").write_text(LASTING)
    return folder / "hill"


def board(out: str) -> list[str]:
    """The leaderboard at the end of what was printed."""
    return out.rpartition("\n\n")[2].splitlines()


# --- a contest


def test_whole_contest(typed: Type, hill: Path) -> None:
    """Every game is told, with replays that verify; the leaderboard is printed last, and in a file as well."""
    status, out, err = typed("koth", "hill", *SHORT)
    assert status == 0
    assert out.splitlines()[0] == "Bots: 2. Games: 2, of at most 6 turns each."
    assert out.splitlines()[1].startswith("Game 1 of 2: keeper ")
    assert [line[:24] for line in board(out)] == ["keeper               -> ", "lasting              -> "]
    assert "Everything is written to koth-1." in err
    assert "--seed 4 holds the same contest again" in err
    results = hill.parent / "koth-1"
    assert (results / "leaderboard.txt").read_text().splitlines() == board(out)
    names = sorted(path.name for path in results.iterdir())
    assert names == ["bots", "game-01.replay.zst", "game-02.replay.zst", "leaderboard.txt"]
    scores = []
    for name in names[1:3]:
        replay = dohyo.load(results / name)
        assert dohyo.verify(replay) == len(replay.turns)
        assert [seat.name for seat in replay.header.seats] == ["keeper", "lasting"]
        assert not [move.faults for turn in replay.turns for move in turn.moves if move.faults]
        scores.append(replay.result.scores)
    assert board(out)[0] == f"keeper               -> {'+'.join(f'{s[0]:3.0f}' for s in scores)} = " + str(
        int(sum(s[0] for s in scores))
    )


def test_storage_lasts_and_the_author_s_folder_stays(typed: Type, hill: Path) -> None:
    """What a bot writes into its folder is there in its next game, in a copy among the results."""
    typed("koth", "hill", *SHORT)
    results = hill.parent / "koth-1"
    asked = 0
    for path in sorted(results.glob("game-*")):
        asked += sum(move.seat == 0 for turn in dohyo.load(path).turns for move in turn.moves)
    assert asked > 6
    assert (results / "bots" / "keeper" / "storage.txt").read_text().count("x") == asked
    assert sorted(os.listdir(hill / "keeper")) == ["bot.sh", "command.txt"]
    assert sorted(os.listdir(hill)) == ["keeper", "lasting.sh"]


def test_the_same_again(typed: Type, hill: Path) -> None:
    """The same seed and bots give the same output and files; another contest never writes over the first."""
    first, again, _ = (typed("koth", "hill", *SHORT[:5], seed, *LONG).out for seed in ("4", "4", "5"))
    assert first == again
    digests = [
        [turn.digest for turn in dohyo.load(hill.parent / f"koth-{number}" / "game-02.replay.zst").turns]
        for number in (1, 2, 3)
    ]
    assert digests[0] == digests[1] != digests[2]


def test_place_for_the_results(typed: Type, hill: Path) -> None:
    """--out names it; results beside the bots, earlier ones or those of this contest, are no bots."""
    assert typed("koth", "hill", "-n", "1", "--turns", "2", *LONG, "--out", "new/place").status == 0
    assert (hill.parent / "new" / "place" / "leaderboard.txt").exists()
    os.chdir(hill)
    (hill.parent / "new" / "place").rename(hill / "of last week")
    for told in ("Skipped, being no bots: of last week\n", "Skipped, being no bots: koth-1, of last week\n"):
        done = typed("koth", ".", "-n", "1", "--turns", "2", *LONG)
        assert done.status == 0
        assert done.out.startswith(told)
        assert len(board(done.out)) == 2


def test_json(typed: Type, hill: Path) -> None:
    """One document says all: seed, options, bots, games, where things are."""
    status, out, _ = typed("koth", "hill", *SHORT, "--json")
    document = json.loads(out)
    assert status == 0
    assert (document["seed"], document["n"], document["turns"]) == (4, 2, 6)
    assert document["bots"] == ["keeper", "lasting"]
    assert [match["number"] for match in document["matches"]] == [1, 2]
    for match in document["matches"]:
        replay = dohyo.load(match["replay"])
        assert replay.header.seed == match["seed"]
        assert tuple(match["played"]["scores"].values()) == replay.result.scores


def test_in_japanese(typed: Type, hill: Path) -> None:
    """The sentences, the game's own too, are in the language that is asked for."""
    assert "ボット 2 体、1 試合" in typed("koth", "hill", "-n", "1", "--turns", "2", *LONG, "--lang", "ja").out


def test_on_a_terminal_one_sees_how_far_it_is(hill: Path) -> None:
    """A line on standard error: the game, the turn, how many bots are still in play."""
    with Screen(hill.parent, "koth", "hill", "-n", "1", "--turns", "2", *LONG) as screen:
        screen.wait_for("examining keeper")
        screen.wait_for("game 1, turn 1: 2 of 2 bots in play")
        assert screen.wait_for_end() == 0


def test_help(typed: Type) -> None:
    """`dohyo koth --help` tells what the game declares; `dohyo games` lists it; `dohyo koht` is corrected."""
    out = " ".join(typed("koth", "--help").out.split())
    assert "-n N Games: 1 to 1000. Without it: 10." in out
    assert "--turns TURNS" in out
    assert "dohyo koth" in typed("games").out
    assert "'koth'?" in typed("koht").err


# --- bots that are none, or bad ones


def test_who_cannot_play_is_left_out(typed: Type, hill: Path, make: Make) -> None:
    """Files that are no bots are named; what cannot be built is told with its compiler's words; the others play."""
    (hill / "README.md").write_text("About us.\n")
    (hill / ".hidden").mkdir()
    make("broken", {"command.txt": "echo halfway; exit 7\nsh bot.sh", "bot.sh": "echo rest\n"})
    make("empty", {})
    status, out, _ = typed("koth", "hill", *SHORT)
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "Skipped, being no bots: .hidden, README.md"
    assert lines[1].startswith("broken does not take part: ")
    assert lines[2] == "    halfway"
    assert lines[3].startswith("empty does not take part: ")
    assert lines[4].startswith("Bots: 2. ")
    assert len(board(out)) == 2


def test_who_misbehaves_rests(typed: Type, hill: Path, make: Make) -> None:
    """A bot that fails, or says nothing of use, is told of before and after; the contest goes on."""
    make("crasher", {"command.txt": "sh bot.sh", "bot.sh": "echo oh no >&2\nexit 3\n"})
    make("talker", {"command.txt": "echo hello"})
    status, out, _ = typed("koth", "hill", *SHORT)
    assert status == 0
    (found,) = [line for line in out.splitlines() if line.startswith("crasher misbehaves")]
    assert "turn 0 (its turn 1): " in found
    assert "(exit status 3): oh no. It has to go on" in found  # two sentences
    assert "talker misbehaves" in out
    summed = [line for line in out.splitlines() if line.startswith(("crasher: ", "talker: "))]
    assert len(summed) == 2
    assert summed[0].endswith(" turns without an answer (exited), first in game 1 turn 0")
    assert summed[1].endswith(" turns with a fault (malformed), first in game 1 turn 0")
    assert len(board(out)) == 4
    assert "oh no" in (hill.parent / "koth-1" / "bots" / "crasher" / "errlog.txt").read_text()


def test_who_hangs_rests(typed: Type, folder: Path, make: Make) -> None:
    """A bot that never answers is told of; no process of it is left."""
    make("hanger", {"command.txt": "sh bot.sh", "bot.sh": "sleep 1000\n"})
    before = processes.children()  # of tests before this one, such as a process that looks after what Python shares
    done = typed("koth", "hill", "-n", "1", "--turns", "2", "--clock", "0.05")
    assert done.status == 0
    assert "hanger: 2 turns without an answer (time-out), first in game 1 turn 0" in done.out
    for left in set(processes.children()) - set(before):  # killed, and perhaps just ending, or not yet collected
        with suppress(ProcessLookupError):
            ending = os.pidfd_open(left)
            try:
                assert select.select([ending], [], [], 60.0)[0] == [ending]
            finally:
                os.close(ending)


def test_bots_of_one_name(typed: Type, folder: Path, make: Make) -> None:
    """Two bots that call themselves the same are told apart by their files."""
    for name in ("a", "b"):
        make(name, {"bot.toml": 'name = "Hero"\nrun = "sh bot.sh"\n', "bot.sh": LASTING})
    out = typed("koth", "hill", "-n", "1", "--turns", "2", *LONG).out
    assert [line[:12].rstrip() for line in sorted(board(out))] == ["Hero (a)", "Hero (b)"]


# --- the operator's mistakes

MISTAKES = {
    ("koth",): ["DIR", "--help"],
    ("koth", "nowhere"): ["'nowhere' cannot be read", "check the name"],
    ("koth", "still"): ["'still' cannot be read"],
    ("koth", "nothing"): ["no bot in 'nothing'"],
    ("koth", "many"): ["101 bots in 'many'", "at most 100"],
    ("koth", "hill", "-n", "0"): ["'-n' does not take '0'", "1 to 1000"],
    ("koth", "hill", "-n", "x"): ["'-n' does not take 'x'"],
    ("koth", "hill", "--turns", "0"): ["'--turns' does not take '0'", "1 to 1000000"],
    ("koth", "hill", "--rules", "new"): ["'--rules' does not take 'new'", "post or classic"],
    ("koth", "hill", "--seed", "x"): ["whole number", "'x'"],
    ("koth", "hill", "--seed", "-1"): ["from 0 to", "-1"],
    ("koth", "hill", "--clock", "chalenge"): ["no clock 'chalenge'", "('challenge'?)"],
    ("koth", "hill", "--python", "no-such-python"): ["no-such-python"],
    ("koth", "hill", "--out", "."): ["'.' is not empty", "--out"],
    ("koth", "hill", "--out", "still/x"): ["'still/x' cannot be written"],
    ("koth", "hill", "--turn", "5"): ["no option '--turn'", "'--turns'?"],
    ("koth", "hill", "more"): ["does not take 'more'"],
    ("koth", "bad"): ["None of the bots can be used", "try again"],
}


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_mistakes(typed: Type, hill: Path, words: tuple[str, ...]) -> None:
    """One sentence that names the remedy, exit status 2, and no folder is left."""
    root = hill.parent
    (root / "nothing").mkdir()
    (root / "nothing" / "notes.txt").write_text("none\n")
    (root / "many").mkdir()
    for number in range(101):
        (root / "many" / f"{number}.sh").write_text(LASTING)
    (root / "bad" / "empty").mkdir(parents=True)
    before = sorted(root.iterdir())
    status, _, err = typed(*words)
    assert status == 2
    sentence = err.splitlines()[-1]
    assert all(part in sentence for part in MISTAKES[words]), sentence
    assert err.splitlines()[:-1] in ([], ["Everything is written to koth-1."])
    assert sorted(root.iterdir()) == before


# --- interrupted


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_contest_keeps_what_was_played(folder: Path, make: Make, number: signal.Signals) -> None:
    """The leaderboard of the finished games is printed, every replay is there, no process is left."""
    os.mkfifo(folder / "told")
    beacon = f"""echo >> storage.txt
        if [ $(wc -l < storage.txt) = 9 ]; then echo x > "{folder}/told"; sleep 1000; fi
        echo rest"""
    make("beacon", {"command.txt": "sh bot.sh", "bot.sh": beacon})
    words = ("koth", "hill", "--turns", "5", "--seed", "4", "--trust", *LONG)
    process = start(*words, cwd=folder, env=environment(**{MARK: str(folder)}))
    assert (folder / "told").read_text() == "x\n"
    process.send_signal(number)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert processes.marked(MARK, str(folder)) == []
    assert process.returncode == 128 + number
    assert err.splitlines()[-1] == "Interrupted; nothing is left running, and what was played is in koth-1."
    assert board(out) == ["beacon               ->   5 = 5"]
    results = folder / "koth-1"
    assert (results / "leaderboard.txt").read_text().splitlines() == board(out)
    replays = [dohyo.load(results / f"game-0{game}.replay.zst") for game in (1, 2)]
    assert [replay.result.unfinished for replay in replays] == [False, True]
    assert [replay.played for replay in replays] == [5, 3]
    assert dohyo.verify(replays[1]) == len(replays[1].turns)


def test_interrupted_before_the_first_game(folder: Path, make: Make) -> None:
    """While bots are built or examined there is nothing to keep: no folder is left, and no process."""
    os.mkfifo(folder / "told")
    make("slow", {"command.txt": f'echo x > "{folder}/told"; sleep 1000\nsh bot.sh', "bot.sh": "echo rest"})
    process = start("koth", "hill", "--trust", cwd=folder, env=environment(**{MARK: str(folder)}))
    assert (folder / "told").read_text() == "x\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert processes.marked(MARK, str(folder)) == []
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "Interrupted; nothing is left running."
    assert not (folder / "koth-1").exists()
