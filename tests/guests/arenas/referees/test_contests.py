"""Contests and comparisons whose matches a program of others referees."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.core.external_referee import ExternalReferee
from dohyo.executors.messages import MatchOrder
from dohyo.executors.one_match import play_order
from dohyo.guests.arenas.referees.match import decode
from dohyo.series.request import ContestRequest
from dohyo.series.session import begin
from dohyo.series.spec import as_stored, of_stored
from dohyo.series.store import open_store
from tests import processes
from tests.cli.conftest import Type, folder, typed
from tests.guests.arenas.referees.programs import write_players, write_referee
from tests.series.contests import ContestListener, play

__all__ = ["folder", "typed"]

ONE = ("--trust", "--workers", "1")
PATIENCE = 120.0  # seconds: no test waits so long, unless something hangs
RUN = (
    "contest",
    "run",
    "--game",
    "referee.toml",
    "./rock",
    "./paper",
    "./lots",
    "--seed",
    "5",
    "--trust",
    "--workers",
    "1",
)


@pytest.fixture
def here(folder: Path) -> Path:
    """The working folder, with players and the referee's file."""
    write_players(folder)
    write_referee(folder)
    return folder


def records(store: Path) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """Who met and the places, by match; each result has the record of its own match."""
    found = {}
    with open_store(str(store)) as opened:
        contest = opened.contest(None)
        for result in opened.played(contest.id):
            assert result.replay is not None
            record = decode(opened.files.get(result.replay))
            assert (record.seed, record.outcome().places) == (result.fixture.seed, result.places)
            assert result.fixture.number not in found
            found[result.fixture.number] = (result.fixture.seats, result.places)
    return found


def test_a_contest_from_its_beginning_to_the_report(here: Path, typed: Type) -> None:
    """Formats, standings and ratings are as for any game; what looks into a match says what is missing."""
    done = typed(*RUN)
    assert done.status == 0
    assert "Another program referees 'rps'" in done.err
    assert "The contest is over." in done.out
    played = records(here / "contest.db")
    assert len(played) == 6
    # Paper beats rock whoever sits where.
    assert {places for seats, places in played.values() if set(seats) == {0, 1}} == {(1, 2), (2, 1)}
    assert all(places[seats.index(1)] == 1 for seats, places in played.values() if set(seats) == {0, 1})
    shown = typed("contest", "show", "contest.db").out
    assert "Referee:   another program (cgarena)" in shown
    standings = json.loads(typed("contest", "standings", "contest.db", "--json").out)
    assert all(row["elo"] is not None for row in standings["standings"])
    verified = typed("contest", "verify", "contest.db")
    assert (verified.status, verified.err) == (0, "")
    whole, refereed = typed("verify", "contest.db", "--trust").out.splitlines()
    assert whole == "'contest.db' is whole: 1 contest, 6 matches."
    assert refereed.startswith("contest: an external referee judged these matches (6). Only records and digests")
    told = typed("verify", "contest.db", "--trust", "--all", "--json")
    assert (told.status, json.loads(told.out)["again"]) == (0, None)
    assert typed("contest", "report", "contest.db", "--html", "r.html").status == 0
    assert typed("contest", "site", "contest.db", "--out", "site").status == 0
    told = typed("contest", "replay", "contest.db", "0")
    assert typed("contest", "replay", "contest.db", "0", "--pgn", "-").status == 2
    assert told.status == 0
    assert '"ranks"' in told.out
    assert json.loads(typed("contest", "replay", "contest.db", "0", "--json").out)["referee"] == "rps"
    for option in ("--watch", "--faults", "--verify"):
        refused = typed("contest", "replay", "contest.db", "0", option)
        assert (refused.status, refused.out) == (2, "")
        assert "no replay" in refused.err
    bundle = typed("contest", "export", "contest.db", "--format", "bundle", "--out", "results.tar")
    assert bundle.status == 2
    assert "refereed by another program, so nobody could check them by the rules" in bundle.err
    assert not Path("results.tar").exists()


def test_a_store_alone_cannot_say_which_program_is_started(here: Path, typed: Type) -> None:
    """Whoever goes on with a store names the referee's file; a referee that was changed is refused."""
    assert typed(*RUN).status == 0
    refused = typed("contest", "run", "contest.db", "--sandbox", "none", "--trust")
    assert refused.status == 2
    assert "--referee FILE.toml" in refused.err
    again = ("contest", "run", "contest.db", "--trust", "--sandbox", "none", "--referee", "referee.toml")
    assert typed(*again).status == 0
    with (here / "referee.py").open("a") as file:
        file.write("# another one\n")
    for words in (again, RUN):
        changed = typed(*words)
        assert (changed.status, changed.out) == (2, "")
        assert "referee.toml is not the referee with which" in changed.err
    assert "omit it" in typed(*RUN, "--referee", "referee.toml").err


def test_a_path_in_a_store_starts_nothing(here: Path) -> None:
    """What a store says of a referee is never a place where a program is."""
    request = ContestRequest(
        name="c", store="c.db", game="referee.toml", bots=[("", "./rock"), ("", "./paper")], sandbox="none"
    )
    with begin(request, frozen=False, leave_out=lambda *_: None) as session:
        stored = as_stored(session.spec)
    assert set(stored["referee"]) == {"name", "command", "result", "players", "seconds", "digest"}
    forged = of_stored({**stored, "referee": {**stored["referee"], "file": str(here / "referee.toml")}})
    assert forged.referee is not None
    assert "file" not in forged.referee
    order = MatchOrder("1", "rps", (), 7, sandbox="none", referee=ExternalReferee.of_stored(forged.referee))
    assert "name its file with --referee FILE.toml" in play_order(order).error


@pytest.mark.parametrize(
    ("more", "said"),
    [(("--clock", "1"), "omit --clock"), (("--pondering",), "omit --pondering"), (("--setup", "x=1"), "'x'")],
)
def test_what_the_other_program_decides_is_refused(here: Path, typed: Type, more: tuple[str, ...], said: str) -> None:
    """Clock, pondering and setup are the referee's own matter; nothing is begun."""
    done = typed(*RUN, *more)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert not (here / "contest.db").exists()


def test_a_referee_that_is_not_there_begins_nothing(here: Path, typed: Type) -> None:
    """A wrong command is noticed before anything is stored."""
    write_referee(here, command="no-such-referee {PLAYERS}")
    done = typed(*RUN)
    assert done.status == 2
    assert "no-such-referee" in done.err
    assert not (here / "contest.db").exists()


def test_a_contest_file_names_its_referee(here: Path, typed: Type) -> None:
    """As every path in it, the referee's file is relative to the contest's own."""
    (here / "below").mkdir()
    content = 'game = "../referee.toml"\nbots = ["../rock", "../paper"]\nsandbox = "none"\n'
    (here / "below" / "class.toml").write_text(content)
    done = typed("contest", "run", "below/class.toml", "--trust")
    assert done.status == 0, done.err
    assert len(records(here / "below" / "class.db")) == 2


# In the third match the contest's process is killed, as long as there is a file `kill`; the match never ends.
KILLER = """
echo >> count
if [ -e kill ] && [ $(wc -l < count) = 3 ]; then
    echo $$ > hanging
    until [ -s target ]; do sleep 0.01; done
    kill -9 $(cat target)
    exec sleep 1000
fi
exec "$@"
"""


def test_a_contest_that_is_killed_goes_on(here: Path, typed: Type, root: Path) -> None:
    """Killed in the middle of a match, it goes on: every match counts once, and nothing runs on."""
    (here / "killer").write_text(KILLER)
    write_referee(here, command="sh killer python3 referee.py cgarena {SEED} {PLAYERS}")
    (here / "kill").touch()
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    words = [sys.executable, "-m", "dohyo", *RUN]
    with subprocess.Popen(words, cwd=here, env=environment, stdout=-1, stderr=-1) as process:
        (here / "target.part").write_text(str(process.pid))
        (here / "target.part").rename(here / "target")
        process.communicate(timeout=PATIENCE)  # workers hold standard error: they are gone, too
    assert process.returncode == -signal.SIGKILL
    assert not processes.runs(int((here / "hanging").read_text()))
    before = records(here / "contest.db")
    assert 0 < len(before) <= 2
    (here / "kill").unlink()
    done = typed(*RUN)
    assert done.status == 0, done.err
    played = records(here / "contest.db")
    assert len(played) == 6
    assert before.items() <= played.items()
    assert len((here / "count").read_text()) == 3 + 6 - len(before)  # what was stored is not played again


def test_a_match_that_cannot_be_refereed_stays_open(here: Path, typed: Type) -> None:
    """After three tries it is left open and counts for nobody; the others are played, and a later run tries again."""
    (here / "picky").write_text('echo $4 >> tried; case $4 in *[0-4]) [ -e kind ] || exit 4;; esac; exec "$@"\n')
    write_referee(here, command="sh picky python3 referee.py cgarena {SEED} {PLAYERS}")
    bots = [("", "./rock"), ("", "./paper"), ("", "./lots")]
    request = ContestRequest(name="c", store="c.db", game="referee.toml", bots=bots, seed=5, sandbox="none")
    listener = ContestListener()
    play(request, listener)
    assert listener.aside
    assert listener.results
    assert len(listener.aside) + len(listener.results) == 6
    tried = (here / "tried").read_text().split()
    assert len(tried) == 3 * len(listener.aside) + len(listener.results)
    (here / "kind").touch()
    play(request)
    assert len(records(here / "c.db")) == 6


def test_a_referee_that_tells_no_result(here: Path, typed: Type) -> None:
    """Its errors are the referee's and not ours; equal ones are told once, in words for whoever wrote it."""
    write_referee(here, command="sh -c 'echo hello' {SEED} {PLAYERS}")
    done = typed(*RUN)
    why = "The referee of 'rps' did not tell a result as cgarena reads it: that is not JSON. It last wrote: hello"
    assert done.out.count(why) == 1
    assert done.out.count("is open, for the same reason.") == 5
    open_ = "Matches that are open through errors of the referee, and count for nobody: 6."
    assert open_ in done.err
    shown = typed("contest", "show", "contest.db")
    assert f"Matches 0 to 5 are open: {why}\n" in shown.out
    assert open_ in shown.out
    assert typed("contest", "report", "contest.db", "--html", "r.html").status == 0
    assert "errors of Dohyo" not in (here / "r.html").read_text()


def test_a_comparison(here: Path, typed: Type) -> None:
    """Pairs with the same seed and changed seats, the test's verdict; what was played is kept, as tags too."""
    words = ("compare", "referee.toml", "./paper", "./rock", *ONE, "--seed", "1", "--save", "cmp", "--pgn", "c.pgn")
    done = typed(*words, "--max-pairs", "1", "--json")
    assert done.status == 3, done.err
    document = json.loads(done.out)
    assert (document["won"], document["lost"], document["pentanomial"]) == (2, 0, [0, 0, 0, 0, 1])
    again = typed(*words, "--max-pairs", "2")
    assert again.status == 3
    assert "Another program referees 'rps'" in again.out
    assert "has only the record" in again.out
    rounds = [line for line in (here / "c.pgn").read_text().splitlines() if line.startswith("[Round")]
    assert rounds == [f'[Round "{number // 2}.{number}"]' for number in range(4)]
    refused = typed("compare", "referee.toml", "./paper", "./rock", "--trust", "--clock", "1")
    assert refused.status == 2


def test_faults_that_the_referee_reports_are_counted(here: Path, typed: Type) -> None:
    """In the standings, in a comparison and in its record, which is read again."""
    run = ("contest", "run", "--game", "referee.toml", "./rock", "./quitter", *ONE, "--seed", "5")
    assert typed(*run).status == 0
    assert "error, says its referee" in typed("contest", "matches", "contest.db").out
    words = ("compare", "referee.toml", "./rock", "./quitter", *ONE, "--seed", "1", "--save", "cmp")
    done = typed(*words, "--max-pairs", "1", "--json")
    assert done.status == 3, done.err
    assert json.loads(done.out)["bots"][1]["faults"] == {"reported": 2}
    again = typed(*words, "--max-pairs", "1", "--json")  # nothing is played: it is all in the record
    assert json.loads(again.out)["bots"] == json.loads(done.out)["bots"]


def test_no_cluster_plays_it(here: Path, typed: Type) -> None:
    """A referee's files are on this machine alone."""
    done = typed(*RUN, "--cluster", "tcp://127.0.0.1:9", "--plain-tcp")
    assert done.status == 2
    assert "omit --cluster" in done.err


def test_damaged_terms_are_refused() -> None:
    """A store whose terms name no referee that there can be is refused in one sentence."""
    terms = {"game": "rps", "format": "swiss", "rounds": 1, "seed": 1, "setup": {}, "options": {}, "bots": []}
    referee = {"name": "../x", "command": ["x"], "result": "cgarena", "players": [2, 2]}
    with pytest.raises(OperatorError) as caught:
        of_stored({**terms, "referee": referee})
    assert caught.value.key == "contest-terms-unreadable"
