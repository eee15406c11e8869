"""`dohyo contest`: by flags and by file, on a terminal and without one, and what is to be seen afterwards."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.series import hand_ins
from dohyo.series.session import go_on
from tests import processes
from tests.cli.conftest import Type
from tests.cli.held import FOUR, LADDER, RUN, SHORT
from tests.cli.screens import Screen
from tests.cli.typed import PATIENCE, Typed, environment, start
from tests.series.contests import ContestListener


def test_lines_where_there_is_no_terminal(first_run: Typed) -> None:
    """Who plays what, how far it is, the table, what became of it: lines without a control character."""
    done = first_run
    lines = done.out.splitlines()
    assert lines[0] == "contest: Drop-Block, round-robin, 4 bots, seed 3"
    assert lines[1].startswith("1 of 4 matches, ")
    assert "4 of 4 matches" in lines
    assert lines[-1] == "The contest is over."
    assert "place  bot" in done.out
    assert "exited, 4 times" in done.out
    assert "\x1b" not in done.out


def test_run_again(held: Type) -> None:
    """The same command again plays nothing more; so does the store alone."""
    for words in (RUN, ("contest", "run", "contest.db", "--trust")):
        done = held(*words)
        assert done.status == 0
        assert "4 matches were played before; it goes on." in done.out
        assert "1 of 4" not in done.out


@pytest.mark.usefixtures("workers")
def test_open_matches_are_told_and_played_again(folder: Path, typed: Type) -> None:
    """Matches that end what plays them stay open: it says so in a line, with the command that plays them again."""
    script = f"#!/bin/sh\n[ -e {folder}/mended ] || kill -9 $PPID\nexec {folder}/still\n"
    (folder / "killer").write_text(script)
    (folder / "killer").chmod(0o755)
    words = (*RUN[:4], *FOUR[:3], "d=./killer", *SHORT)
    told = "count for nobody: 4. To play them again: dohyo contest run contest.db --sandbox none"
    done = typed(*words)
    assert (done.status, done.err.splitlines()[-1].endswith(told)) == (0, True)
    assert "The contest is over." not in done.out
    shown = typed("contest", "show", "contest.db").out
    assert told in shown
    assert "Matches 0 to 3 are open: This match ended the process that played it 3 times." in shown
    assert len(json.loads(typed("contest", "standings", "contest.db", "--json").out)["set_aside"]) == 4
    (folder / "mended").touch()
    done = typed("contest", "run", "contest.db", "--trust")
    assert "4 of 4 matches" in done.out.splitlines()
    assert done.out.splitlines()[-1] == "The contest is over."
    assert done.err == ""


def test_json(typed: Type) -> None:
    """One document, with the contest, how far it is, and the standing; `standings --json` gives the same."""
    done = typed(*RUN, "--json")
    found = json.loads(done.out)
    assert (found["contest"], found["game"], found["format"], found["seed"]) == (
        "contest",
        "drop-block",
        "round-robin",
        3,
    )
    assert (found["state"], found["scheduled"], found["played"], found["set_aside"]) == ("over", 4, 4, [])
    assert [row["matches"] for row in found["standings"]] == [4] * 4
    assert {row["bot"]: row["faults"] for row in found["standings"]}["d"] == {"exited": 4}
    assert json.loads(typed("contest", "standings", "contest.db", "--json").out) == found


def test_by_file(folder: Path, held: Type) -> None:
    """A contest file says the same as flags, and is gone on with under its own name."""
    (folder / "class.toml").write_text(
        'game = "drop-block"\nseed = 3\nclock = "60,mode=cpu"\nsandbox = "none"\n'
        'bots = [{name = "a", bot = "still"}, {name = "b", bot = "still"}, {name = "c", bot = "mumbler"}, '
        '{name = "d", bot = "quitter"}]\n[setup]\nturns = 8\n'
    )
    by_file = json.loads(held("contest", "run", "class.toml", "--json").out)
    by_flags = json.loads(held("contest", "standings", "contest.db", "--json").out)
    standings = [[(r["place"], r["bot"], r["points"]) for r in d["standings"]] for d in (by_file, by_flags)]
    assert standings[0] == standings[1]
    assert (by_file["contest"], (folder / "class.db").exists()) == ("class", True)
    (folder / "class.toml").write_text((folder / "class.toml").read_text().replace("turns = 8", "turns = 12"))
    refused = held("contest", "run", "class.toml")
    assert refused.status == 2
    assert "The contest 'class' was begun with setup.turns = 8, not 12" in refused.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Name a contest file, a store, or a game and bots"),
        (("x.toml", "y.toml"), "One contest file or one store at a time"),
        (("x.toml", "--rounds", "3"), "'--rounds' stands in the contest file"),
        (("drop-block",), "is a game, and stands behind --game: dohyo contest run --game drop-block BOT BOT ("),
        (("drop-block", "a=b", "c"), "behind --game: dohyo contest run --game drop-block a=b c ("),
        (("drop-block", "."), "behind --game: dohyo contest run --game drop-block --folder . ("),
        (("--game", "chess", "x", "--bot", "a=b"), "bots as words, without --bot,"),
        (("--game", "chess", "x", "--bot", "a=b"), "store: dohyo contest run --game chess x a=b ("),
        (("drop-block", "--", "--trust", "a"), "behind --game: dohyo contest run --game drop-block BOT BOT ("),
        (("drop-block", *"abcdefghi"), "behind --game: dohyo contest run --game drop-block BOT BOT ("),
        (("--bot", "a=b"), "name its store: dohyo contest run STORE --bot a=b. To begin one: dohyo contest run"),
        (("contest.db",), "There is no store 'contest.db'"),
        (("still",), "'still' is not a store of Dohyo's"),
        (("contest.db", "--rounds", "3"), "'--rounds' stands in the contest file or in the store already"),
        (
            ("--game", "drop-block", *FOUR, "--workers", "0", *SHORT),
            "'--workers' does not take '0'; it takes a whole number, 1 - 1024",
        ),
        (("--game", "drop-block", "./still", "./still", *SHORT), "Two bots are called 'still'"),
        (("--game", "drop-block", *FOUR, "--option", "tabel=2", *SHORT), "has no option 'tabel' ('table'?)"),
        (("--game", "drop-block", *FOUR, "--format", "double-elimination", *SHORT), "needs matches of two bots"),
    ],
)
def test_mistakes(typed: Type, folder: Path, words: tuple[str, ...], sentence: str) -> None:
    """A mistake is one sentence and status 2, and nothing is begun."""
    done = typed("contest", "run", *words)
    assert done.status == 2
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
    assert not (folder / "contest.db").exists()


def test_looking_at_it(held: Type) -> None:
    """`show`, `standings` and `matches` tell what was played, by whom, and what went wrong."""
    shown = held("contest", "show", "contest.db").out
    assert "Format:    round-robin rounds=1" in shown
    assert "Matches:   4 of 4 matches" in shown
    assert "Bots:      a, b, c, d" in shown
    assert "place  bot" in held("contest", "standings", "contest.db").out
    listed = held("contest", "matches", "contest.db").out.splitlines()
    assert len(listed) == 5
    assert listed[1].endswith("d: exited")
    assert len(held("contest", "matches", "contest.db", "--bot", "a", "--last", "2").out.splitlines()) == 3
    assert "No bot 'e' takes part" in held("contest", "matches", "contest.db", "--bot", "e").err


def test_export(held: Type, folder: Path) -> None:
    """Matches leave as CSV (a line a seat), as JSON, and as headers."""
    rows = list(csv.DictReader(held("contest", "export", "contest.db").out.splitlines()))
    assert len(rows) == 16
    assert [row["faults"] for row in rows if row["bot"] == "d"] == ["exited:1"] * 4
    found = json.loads(held("contest", "export", "contest.db", "--format", "json").out)
    assert [line["match"] for line in found] == [0, 1, 2, 3]
    written = held("contest", "export", "contest.db", "--format", "headers", "--out", "c.pgn")
    assert written.out == "Wrote 4 matches to c.pgn.\n"
    assert '[Round "0.0"]\n[Seat0 "a"]' in (folder / "c.pgn").read_text()
    assert held("contest", "export", "contest.db", "--format", "xml").status == 2


def test_replay(held: Type, folder: Path) -> None:
    """A match is shown, verified and written as `dohyo replay` does."""
    shown = held("contest", "replay", "contest.db", "2").out
    assert "Drop-Block" in shown
    assert "Place  Seat  Bot" in shown
    assert (
        "all 8 turns and the result are what the rules say"
        in held("contest", "replay", "contest.db", "2", "--verify").out
    )
    held("contest", "replay", "contest.db", "2", "--save", "m.replay")
    assert held("replay", "m.replay").status == 0
    assert "has no match 9 that was played" in held("contest", "replay", "contest.db", "9").err
    assert "not 'x'" in held("contest", "replay", "contest.db", "x").err


def test_bots_come_and_go(typed: Type, copy_of: Type) -> None:
    """On a ladder a bot joins, pauses, goes on and leaves between two runs."""
    assert copy_of(*LADDER).status == 0
    assert (
        typed("contest", "add", "contest.db", "e=./still").out
        == "'e' enters: it is in the next matches to be drawn (batch 1).\n"
    )
    assert typed("contest", "pause", "contest.db", "a").out == "'a' pauses from batch 1 on.\n"
    again = typed("contest", "run", "contest.db", "--trust", "--batches", "1", "--json")
    rows = {row["bot"]: row for row in json.loads(again.out)["standings"]}
    assert (rows["a"]["state"], rows["e"]["matches"] > 0) == ("pauses", True)
    assert typed("contest", "resume", "contest.db", "a").out == "'a' plays again from batch 2 on.\n"
    removed = typed("contest", "remove", "contest.db", "b").out
    assert removed.startswith("'b' leaves with batch 2. ")
    assert "remove STORE BOT --annul' it counts for nobody." in removed
    for command in ("remove", "pause", "resume"):
        assert "add STORE NAME=PATH' lets it play again." in typed("contest", command, "contest.db", "b").err


def test_changes_are_told_to_scripts(typed: Type, copy_of: Type) -> None:
    """Who joins, pauses, goes on and leaves, what is ruled and deleted: one document each, nothing else."""
    assert copy_of(*LADDER).status == 0

    def done(command: str, *words: str) -> dict[str, Any]:
        told = typed("contest", command, "contest.db", *words, "--json")
        assert (told.status, told.err) == (0, "")
        found: dict[str, Any] = json.loads(told.out)
        return found

    joined = {"bot": "e", "change": "joined", "batch": 1, "replaces": 0}
    assert joined.items() <= done("add", "e=./still").items()
    assert {"bot": "a", "change": "paused", "batch": 1}.items() <= done("pause", "a").items()
    assert done("resume", "a")["change"] == "resumed"
    assert done("remove", "b")["change"] == "left"
    assert done("annul", "0", "--because", "a test")["voided"] == [0]
    assert done("annul", "0", "--undo")["voided"] == []
    assert done("disqualify", "c", "--because", "a test")["rulings"][-1]["bot"] == "c"
    assert done("disqualify", "c", "--undo")["rulings"][-1]["undoes"] is True
    name = done("standings")["contest"]
    assert {"contest": name, "change": "deleted"}.items() <= done("delete", name, "--force").items()


def test_a_bot_leaves_a_round_robin(typed: Type, folder: Path) -> None:
    """It leaves at once, in each output it is said that matches were passed over; a bot that pauses can come back."""
    words = ("contest", "run", "--game", "drop-block", *FOUR, "e=./still", *SHORT, "--option", "rotate=no")
    assert typed(*words, "--batches", "0").status == 0
    removed = typed("contest", "remove", "contest.db", "d").out
    assert removed.startswith("'d' has left: its matches that have not begun are not played. ")
    assert typed("contest", "pause", "contest.db", "a").out.startswith("'a' pauses: its matches")
    done = typed("contest", "run", "contest.db", "--trust")
    assert (done.status, "0 of 5 matches, 5 passed over" in done.out) == (0, True)
    assert "a bot has left or paused (a, d): 5. They count for nobody" in done.err
    assert "this plays them: dohyo contest run contest.db" in done.err
    assert typed("contest", "resume", "contest.db", "a").out.startswith("'a' plays again: 'dohyo contest run'")
    done = typed("contest", "run", "contest.db", "--trust")
    assert "1 of 5 matches, 4 passed over" in done.out
    assert "a bot has left or paused (d): 4." in done.err
    assert "The contest is over." in done.out
    assert "annul STORE --bot BOT --all" in typed("contest", "remove", "contest.db", "a").err
    assert "4 passed over" in typed("contest", "standings", "contest.db", "--markdown").out.replace("\\", "")
    assert "a bot has left or paused (d): 4." in typed("contest", "show", "contest.db").out
    document = json.loads(typed("contest", "standings", "contest.db", "--json").out)
    assert (document["set_aside"], len(document["passed_over"]), document["played"]) == ([], 4, 1)
    assert typed("contest", "report", "contest.db", "--html", "r.html").status == 0
    assert "a bot has left or paused (d): 4." in Path("r.html").read_text().replace("\u00a0", " ")


def test_a_contest_without_the_matches_of_a_disqualified_bot_is_over(typed: Type, folder: Path) -> None:
    """Nothing of it waits: it is over everywhere, says how many were not played, and taking it back plays them."""
    words = ("contest", "run", "--game", "drop-block", *FOUR, "e=./still", *SHORT, "--option", "rotate=no")
    assert typed(*words, "--batches", "0").status == 0

    def stop(number: int) -> None:
        raise KeyboardInterrupt

    with go_on("contest.db", None, sandbox="none") as contest, pytest.raises(KeyboardInterrupt):
        contest.loop.run(InProcess(), ContestListener(stop))
    assert typed("contest", "disqualify", "contest.db", "d", "--because", "copied", "--matches-count").status == 0
    done = typed("contest", "run", "contest.db", "--trust")
    assert "matches, 3 passed over" in done.out
    assert "The contest is over." in done.out
    assert "3 matches were not played: disqualified (d). 'dohyo contest disqualify STORE BOT --undo'" in done.err
    assert "resume" not in done.err
    shown = typed("contest", "show", "contest.db").out
    assert "State:     over" in shown
    assert "3 matches were not played: disqualified (d)." in shown
    assert typed("contest", "report", "contest.db", "--html", "r.html").status == 0
    page = Path("r.html").read_text().replace("\u00a0", " ")
    assert "3 matches were not played: disqualified (d)." in page
    assert "--undo" not in page
    assert "The contest is not over" not in page
    assert "失格(d)" in typed("contest", "show", "contest.db", "--lang", "ja").out
    assert typed("contest", "disqualify", "contest.db", "d", "--undo").status == 0
    assert "5 of 5 matches" in typed("contest", "run", "contest.db", "--trust").out


def test_a_name_that_stands_bare_is_told_where_it_belongs(typed: Type, folder: Path) -> None:
    """A contest's name goes behind --name, and whoever writes it bare is told so, in both languages."""
    for language in ("en", "ja"):
        wrong = typed("contest", "site", "class.db", "contest", "--out", "x", "--lang", language)
        assert (wrong.status, "--name contest" in wrong.err) == (2, True)


def test_who_joins_is_held_against_the_others(typed: Type, copy_of: Type, folder: Path) -> None:
    """Whose files hold the same as another's is told when it joins, and by `show`; of a later version no more."""
    assert copy_of(*LADDER).status == 0
    for name, lines in (("first", "echo A"), ("copy", "echo A")):
        (folder / name).write_text(f"#!/bin/sh\n# mine\necho READY\nwhile read -r line; do {lines}; done\n")
        (folder / name).chmod(0o755)
    assert typed("contest", "add", "contest.db", "f=./first").err == ""
    told = "The files of these hand-ins are the same, byte for byte: f, g"
    assert told in typed("contest", "add", "contest.db", "g=./copy").err
    assert told in typed("contest", "show", "contest.db").out
    (folder / "copy").write_text("#!/bin/sh\n# another\necho READY\nwhile read -r line; do echo A; done\n")
    assert typed("contest", "add", "contest.db", "g=./copy").err == ""
    assert told not in typed("contest", "show", "contest.db").out


@pytest.mark.parametrize("error", [OperatorError("needs-fast"), RuntimeError("the archive\x1b[31m is broken")])
def test_who_has_joined_has_joined(
    typed: Type, copy_of: Type, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it cannot be noted what else is told of a bot that has joined, that is a warning and nothing more."""

    def broken(*_: object) -> None:
        raise error

    assert copy_of(*LADDER).status == 0
    monkeypatch.setattr(hand_ins, "note_newcomer", broken)
    done = typed("contest", "add", "contest.db", "e=./still")
    assert (done.status, done.out) == (0, "'e' enters: it is in the next matches to be drawn (batch 1).\n")
    assert done.err.startswith(
        "'e' has joined, but whether its files are those of another hand-in could not be noted: "
    )
    assert (done.err.count("\n"), "\x1b" in done.err) == (1, False)


def test_who_has_left_a_gauntlet_is_not_told_how_to_come_back(typed: Type) -> None:
    """Nobody can join a gauntlet that has begun, so that advice would be refused."""
    words = (*FOUR, "./still", "--format", "gauntlet", "--option", "candidate=d", *SHORT)
    assert typed("contest", "run", "--game", "drop-block", *words, "--batches", "0").status == 0
    assert typed("contest", "remove", "contest.db", "b").status == 0
    assert typed("contest", "remove", "contest.db", "b").err.endswith("which nobody can join now.\n")


def test_a_gauntlet_is_told_by_shares(typed: Type) -> None:
    """The candidate plays more matches than the others: places and a column go by points a match, in each output."""
    bots = ("a=./quitter", "b=./still", "c=./still", "d=./mumbler", "e=./quitter")
    words = ("--format", "gauntlet", "--option", "candidate=d", "--fault-is-last", *SHORT)
    done = typed("contest", "run", "--game", "drop-block", *bots, *words)
    assert done.status == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert [line[1] for line in lines if line[1:2] and line[1] in "abcde"] == list("bcade")
    assert any(line[1:2] == ["d"] and " 0.0 %" in " ".join(line) and line[-1] == "candidate" for line in lines)
    markdown = typed("contest", "standings", "contest.db", "--markdown").out
    assert "| score | points | matches |" in markdown
    assert "| 88.9 % | 10.67 | 12 |" in markdown
    table = json.loads(typed("contest", "standings", "contest.db", "--json").out)
    assert [(row["bot"], row["place"]) for row in table["standings"]] == [
        (bot, place) for bot, place in zip("bcade", (1, 1, 3, 3, 3), strict=True)
    ]
    assert table["placed_by"] == "share"
    rows = csv.reader(typed("contest", "standings", "contest.db", "--csv").out.splitlines())
    assert [row[:2] for row in rows][1:] == [["1", "b"], ["1", "c"], ["3", "a"], ["3", "d"], ["3", "e"]]
    typed("contest", "report", "contest.db", "--html", "r.html")
    page = Path("r.html").read_text().replace("\u00a0", " ")
    assert ">88.9 %<" in page
    for told in (done.out, markdown.replace("\\", ""), page):
        assert "Places are by points a match" in told


def test_help_without_a_command(typed: Type) -> None:
    """`dohyo contest` alone says what there is; so does `dohyo cluster`."""
    for command in ("contest", "cluster"):
        assert typed(command) == typed(command, "--help")


def test_nobody_joins_what_is_closed(held: Type) -> None:
    """A knock-out is played by those who began it."""
    words = (*RUN, "--format", "single-elimination", "--store", "cup.db")
    assert held(*words).status == 0
    refused = held("contest", "add", "cup.db", "e=./still")
    assert refused.status == 2
    assert "Nobody can join 'contest' now: single-elimination is played by those who began it" in refused.err


def test_ctrl_c(folder: Path) -> None:
    """Ctrl-C ends it at once, leaves nothing running, and says how to go on; it goes on."""
    mark = str(folder)
    # In a game without READY nothing is late, however busy the machine is.
    (folder / "beacon").write_text(f"#!/bin/sh\nread line\necho here > '{folder}/told'\nexec sleep 1000\n")
    (folder / "beacon").chmod(0o755)
    subprocess.run(["mkfifo", str(folder / "told")], check=True)
    words = ("contest", "run", "--game", "wondev-woman", "a=./beacon", "b=./beacon", "--trust", "--clock", "1000")
    words = (*words, "--workers", "1")
    process = start(*words, cwd=folder, env=environment(DOHYO_TEST_MARK=mark))
    assert (folder / "told").read_text() == "here\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == (
        "Stopped after 0 matches; nothing is left running. Go on with: dohyo contest run contest.db --sandbox none\n"
    )
    assert "place  bot" in out
    assert processes.marked("DOHYO_TEST_MARK", mark) == []


def test_ctrl_c_while_bots_are_built(folder: Path) -> None:
    """Nothing was begun, and it says so."""
    (folder / "slow").mkdir()
    (folder / "slow" / "bot.toml").write_text('build = "sh make.sh"\nrun = "sh make.sh"\n')
    (folder / "slow" / "make.sh").write_text(f"echo here > {folder}/told\nexec sleep 1000\n")
    subprocess.run(["mkfifo", str(folder / "told")], check=True)
    process = start("contest", "run", "--game", "drop-block", *FOUR, "./slow", "--trust", cwd=folder)
    assert (folder / "told").read_text() == "here\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert err == "Stopped before the contest was begun; nothing was stored, and nothing is left running.\n"
    assert not (folder / "contest.db").exists()


def test_a_bot_of_the_folder_that_does_not_build(folder: Path, typed: Type) -> None:
    """It is left out, with what the compiler says; once it is mended the contest goes on without it."""
    (folder / "hand-ins" / "dave").mkdir(parents=True)
    for name in ("a", "b", "c", "d"):
        (folder / "hand-ins" / name).write_text(f"{(folder / 'still').read_text()}# {name}\n")
        (folder / "hand-ins" / name).chmod(0o755)
    recipe = folder / "hand-ins" / "dave" / "bot.toml"
    recipe.write_text('build = "sh -c \'seq 20; exit 1\'"\nrun = "sh still"\n')
    (folder / "hand-ins" / "homework.ipynb").write_text("{}")
    words = ("contest", "run", "--game", "drop-block", "--folder", "hand-ins", *SHORT)
    done = typed(*words)
    assert done.status == 0
    assert "'dave' is left out: " in done.err
    assert "\n  19\n  20\n" in done.err
    why = "'homework.ipynb' is a notebook, which nothing can start; save its code as a .py file"
    assert f"'homework.ipynb' is left out: {why}" in done.err
    assert str(folder) not in done.err
    assert "\n  5\n  …\n  11\n" in done.err
    shown = typed("contest", "show", "contest.db").out
    assert f"Left out: 'homework.ipynb'. {why}" in shown
    assert "\n  11\n  12\n" in shown
    assert "\n  20\n" in shown
    assert "\n  5\n  …\n  11\n" in shown
    assert typed("contest", "report", "contest.db", "--html", "r.html", "--hand-ins").status == 0
    assert "<pre>1\n2\n3\n4\n5\n…\n11\n12\n" in (folder / "r.html").read_text()
    recipe.write_text('run = "sh still"\n')
    (folder / "hand-ins" / "dave" / "still").write_text((folder / "still").read_text())
    (folder / "hand-ins" / "d").unlink()
    (folder / "hand-ins" / "homework.ipynb").unlink()
    done = typed(*words)
    assert done.status == 0
    assert done.err == (
        "'d' is gone from the folder; the version in the store plays.\n"
        "'dave' enters: it is in the next matches to be drawn (batch 1).\n"
    )
    assert ", 5 bots, seed" in done.out  # those who have just entered are counted


def test_a_disk_that_is_full(folder: Path, typed: Type) -> None:
    """When files cannot grow any more the contest stops with a sentence; with room it goes on, and loses nothing."""
    words = (*RUN, "--rounds", "10", "--workers", "1")
    typed(*words, "--batches", "0")
    blocks = (folder / "contest.db").stat().st_size // 512 + 128
    limited = ["sh", "-c", f'ulimit -f {blocks}; exec "$@"', "sh", sys.executable, "-m", "dohyo", *words]
    done = subprocess.run(limited, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "run the same command again" in done.stderr
    assert json.loads(typed(*words, "--json").out)["played"] == 40


def test_the_screen(folder: Path) -> None:
    """On a terminal there is a table with a bar, which gives way to the last one; the cursor comes back."""
    with Screen(folder, *RUN, "--rounds", "2", "--workers", "1") as screen:
        screen.wait_for("Building 4 bots ...")
        screen.wait_for("contest: Drop-Block, round-robin, 4 bots, seed 3")
        screen.wait_for("━+  .*of 8 matches")
        screen.wait_for("8 of 8 matches\r\n(.*\r\n)*The contest is over.")
        assert screen.wait_for_end() == 0
        assert screen.raw.rindex("\x1b[?25h") > screen.raw.rindex("\x1b[?25l")


def test_a_busy_machine_is_told_at_the_end(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """How busy it was, and that no result which counts is of a disturbed match; nothing of none played again."""
    monkeypatch.setattr("os.getloadavg", lambda: (500.0, 0.0, 0.0))
    done = typed(*RUN)
    assert done.status == 0
    assert "The machine was busy meanwhile: a load of up to 500 on " in done.err
    assert "no result that counts is of a disturbed match." in done.err
    assert "played again" not in done.err
    again = typed("contest", "run", "contest.db", "--trust")
    assert "busy" not in again.err
