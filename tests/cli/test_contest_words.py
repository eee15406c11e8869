"""`dohyo contest` with the words of other programs, as they are typed."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from dohyo.cli.signals import Ended
from dohyo.guests.arenas import contest_words
from dohyo.series.compare import Trial
from tests.cli.conftest import Type

SHORT = ("-setup", "turns=8", "-trust", "-clock", "60,mode=cpu")
ENGINES = [word for name in "abc" for word in ("-engine", "cmd=./still", f"name={name}")]
WORDS = ("-game", "drop-block", *ENGINES, "-engine", "cmd=./quitter", "name=d", "-rounds", "1", "-srand", "3", *SHORT)


def test_a_contest_in_words_of_fastchess(typed: Type, folder: Path) -> None:
    """It is told in our words, played, written as PGN, and goes on by either words."""
    done = typed("contest", *WORDS, "-games", "4", "-event", "Cup", "-site", "Osaka", "-pgnout", "cup.pgn")
    assert done.status == 0
    assert "4 of 4 matches" in done.out
    told = re.search(r"^Understood as: (dohyo contest run .*)$", done.err, re.MULTILINE)
    assert told is not None
    assert done.err.splitlines()[-1] == "Wrote 4 matches to cup.pgn."
    assert (folder / "cup.pgn").read_text().startswith('[Event "Cup"]\n[Site "Osaka"]\n')
    again = typed(*shlex.split(told[1])[1:])
    assert (again.status, "4 matches were played before; it goes on." in again.out) == (0, True)
    assert typed("contest", *WORDS, "-event", "Cup", "-pgnout", "file=cup.pgn", "min=true").status == 0
    (folder / "cup.pgn").write_text('[Event "Somebody\'s"]\n')
    refused = typed("contest", *WORDS, "-event", "Cup", "-pgnout", "cup.pgn")
    assert (refused.status, "is not of the contest 'Cup'" in refused.err) == (2, True)
    assert (folder / "cup.pgn").read_text() == '[Event "Somebody\'s"]\n'


def test_words_of_fastchess_in_japanese(typed: Type) -> None:
    """`-lang ja` counts for all that is said: how the words were understood, notes, and what is wrong with them."""
    two = ("-game", "wondev-woman", *ENGINES[:6], "-lang", "ja", "-trust")
    sprt = ("-sprt", "elo0=0", "elo1=10", "alpha=0.05", "beta=0.05")
    told = typed("contest", *two, *sprt, "-rounds", "1", "-save", "no/such/place").err.splitlines()
    assert told[0].startswith("次のように読み取りました：dohyo compare")
    assert [line for line in told if line.isascii()] == []
    for wrong in (("-rounds",), ("-rounds", "many"), ("-lang",), ("-sprot",), ("-engine", "args=x")):
        done = typed("contest", *two, *wrong)
        assert (done.status, done.err.isascii()) == (2, False)
        assert " a " not in done.err


def test_a_contest_in_words_of_brutaltester(typed: Type, folder: Path) -> None:
    """The logs have what the referee sent, and what each player wrote; other files there are left alone."""
    players = ("-p1", "./still", "-p2", "./still", "-p3", "./mumbler", "-p4", "./quitter")
    words = ("contest", "-r", "drop-block", *players, "-n", "4", "-t", "2", "-i", "3", "-s", "-l", "logs", *SHORT)
    done = typed(*words)
    assert done.status == 0
    assert done.err.splitlines()[-1] == "Wrote 4 matches to logs."
    log = (folder / "logs" / "match-0.log").read_text()
    assert re.match(r"contest drop-block-\w+, match 0, seed \d", log)  # named by its words: the next line is another
    assert "Referee: EOD\n" in log
    assert "Player: N\n" in log
    assert "Fault: exited" in log
    assert "standard error: I give up\n" in log
    assert re.search(r"^Places: \d \d \d \d$", log, re.MULTILINE)
    assert typed(*words).status == 0
    (folder / "logs" / "match-1.log").write_text("mine")
    refused = typed(*words)
    assert (refused.status, "match-1.log" in refused.err) == (2, True)


def test_what_was_played_is_written_after_an_interrupt(
    typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends the contest, and the file of games has the matches until then; nothing played, nothing written."""
    held = contest_words._run

    def interrupted(*words: Any) -> int:
        if plays:
            held(*words)
        raise Ended(130, "Stopped.")

    monkeypatch.setattr(contest_words, "_run", interrupted)
    for plays in (False, True):
        done = typed("contest", *WORDS, "-pgnout", "c.pgn")
        assert (done.status, done.err.splitlines()[-1]) == (130, "Stopped.")
        assert (folder / "c.pgn").exists() is plays
    assert (folder / "c.pgn").read_text().count("[Event ") == 4


def test_games_of_chess_have_their_moves(typed: Type, folder: Path) -> None:
    """-pgnout has moves in SAN and where each match is kept; min leaves the comments out."""
    engines = ("-engine", "cmd=random", "name=A", "-engine", "cmd=random", "name=B")
    words = (*engines, "-each", "tc=60+1", "-rounds", "1", "-srand", "5", "-trust", "-site", "Osaka")
    assert typed("contest", *words, "-pgnout", "c.pgn", "min").status == 0
    first, second, rest = (folder / "c.pgn").read_text().split('[Event "contest"]\n[Site "Osaka"]\n')[:3]
    assert first == ""
    for text, white in ((second, "A"), (rest, "B")):
        tags, moves = text.split("\n\n", 1)
        assert f'[White "{white}"]' in tags
        assert re.search(r'^\[Replay "[0-9a-f]{64}"\]$', tags, re.MULTILINE)
        result = re.search(r'^\[Result "(.*)"\]$', tags, re.MULTILINE)
        assert result is not None
        assert moves.startswith("1. ")
        assert moves.split()[-1] == result[1]
        assert "{" not in moves
    assert typed("contest", *words, "-pgnout", "c.pgn").status == 0
    assert "{" in (folder / "c.pgn").read_text()
    exported = typed("contest", "export", "contest.db", "--format", "pgn").out
    assert exported == (folder / "c.pgn").read_text().replace('[Site "Osaka"]', '[Site "chess"]')
    single = typed("contest", "replay", "contest.db", "0", "--pgn", "-")
    assert single.status == 0
    assert single.out.split("\n\n", 1)[1].rstrip() in exported
    day = re.search(r'^\[Date "\d{4}\.\d\d\.\d\d"\]$', exported, re.MULTILINE)
    assert day is not None
    assert day[0] in single.out.splitlines()
    assert typed("contest", "replay", "contest.db", "0", "--pgn", "m.pgn").out == "PGN: m.pgn\n"
    assert (folder / "m.pgn").read_text() == single.out
    assert typed("contest", "replay", "contest.db", "0", "--pgn", "m.pgn").status == 2
    assert typed("contest", "replay", "contest.db", "0", "--pgn", "-", "--json").status == 2


def test_sprt_is_what_compare_does(typed: Type) -> None:
    """The comparison, with what differs said before it; its exit status is the command's."""
    engines = ("-engine", "cmd=random", "name=A", "-engine", "cmd=random", "name=B")
    words = ("-sprt", "elo0=0", "elo1=400", "-rounds", "1", "-srand", "5", "-trust", "-clock", "60,mode=cpu")
    done = typed("contest", "-game", "shoot-em-up", *engines, *words)
    assert done.status in (0, 1, 3)
    assert "Understood as: dohyo compare shoot-em-up A=random B=random --elo0 0 --elo1 400 --max-pairs 1" in done.err
    assert "'better' is more than elo0" in done.err
    assert "1 pair  (2 matches" in done.out


def test_sprt_writes_its_matches(typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """-pgnout has the games of a comparison as of a contest, adds more to them, and is written after Ctrl-C too."""
    engines = ("-engine", "cmd=random", "name=A", "-engine", "cmd=random", "name=B", "-each", "tc=60+1", "-trust")
    short = ("-setup", "opening=4k3/8/8/8/8/8/4P3/4K3 w - - 90 60")
    words = ("contest", *engines, *short, "-srand", "5", "-rounds", "1", "-event", "Cup")
    sprt = ("-sprt", "elo0=0", "elo1=400", "-pgnout", "file=s.pgn", "-report", "penta=true")
    done = typed(*words, *sprt)
    assert done.status == 3
    assert "--pgn s.pgn --event Cup" in done.err
    assert "Results are printed in Dohyo's own form" in done.err
    assert done.out.splitlines()[-1] == "Wrote 2 matches to s.pgn."
    assert typed(*words, "-pgnout", "c.pgn").status == 0
    shapes = [re.sub(r"[0-9a-f]{64}|-?[0-9.]+s", "", (folder / name).read_text()) for name in ("s.pgn", "c.pgn")]
    assert shapes[0].replace('[Replay "-"]', '[Replay ""]') == shapes[1]  # seeds are the same, and so are the games
    play = Trial.play

    def interrupted(trial: Trial, executor: Any) -> Any:
        yield next(play(trial, executor))
        raise KeyboardInterrupt

    monkeypatch.setattr(Trial, "play", interrupted)
    done = typed(*words, *sprt, "-json")
    assert done.status == 130
    assert json.loads(done.out)["pgn"] == {"path": "s.pgn", "matches": 2}
    assert (folder / "s.pgn").read_text().count("[Event ") == 4
    (folder / "s.pgn").write_text("mine")
    done = typed(*words, *sprt)
    assert (done.status, "'s.pgn' that is not of matches of 'Cup'" in done.err, done.out) == (2, True, "")
    assert (folder / "s.pgn").read_text() == "mine"
    done = typed("compare", "chess", "random", "random", "--site", "Osaka")
    assert (done.status, "add --pgn FILE" in done.err) == (2, True)


def test_refused_in_one_sentence(typed: Type) -> None:
    """Status 2 and one sentence, in the language that is asked for; nothing is begun."""
    refused = typed("contest", *WORDS, "-maxmoves", "3")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "'-maxmoves' is not read" in refused.err
    assert "対応していません" in typed("contest", "--lang", "ja", *WORDS, "-maxmoves", "3").err
    assert "対応していません" in typed("contest", *WORDS, "-maxmoves", "3", "--lang", "ja").err
    assert not Path("contest.db").exists()


@pytest.mark.parametrize("word", ["-help", "-h", "--help"])
def test_help_tells_of_these_words(typed: Type, word: str) -> None:
    """Who looks for help finds them."""
    done = typed("contest", word)
    assert done.status == 0
    assert "dohyo contest -r wondev-woman -p1" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "foreign"),
    [
        (("run", "-x"), False),
        (("--json",), False),
        (("-h",), False),
        ((), False),
        (("-engine",), True),
        (("-r", "x"), True),
    ],
)
def test_whose_words_they_are(words: tuple[str, ...], foreign: bool) -> None:
    """A command of ours, or an option with two dashes, is ours."""
    assert contest_words.is_foreign(words) is foreign
