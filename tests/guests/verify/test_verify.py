"""`dohyo verify`: a store whose matches are played again, a replay, what is nothing of ours."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from dohyo.cli.signals import Stop
from dohyo.core import replay_format as replays
from dohyo.core.bot_spec import Elsewhere
from dohyo.guests.verify.again import MatchAgain, PlayingAgain
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series.spans import numbers
from dohyo.series.store import open_store
from dohyo.series.typed_again import to_be_typed
from tests.cli.conftest import Type
from tests.cli.held import FOUR, SHORT
from tests.series.store.sealing import seal

# A bot that answers what a file outside says; another file there has how often it was asked.
FICKLE = (
    "echo READY; while read w; do if [ $w = EOD ]; then echo x >> {0}; wc -l < {0} > {0}.count; cat {1}; fi; done"
)


def test_a_store_whose_matches_are_all_the_same(held: Type) -> None:
    """Every match played again is the same, faults and all; a seed chooses the same ones again."""
    done = held("verify", "contest.db", "--all", "--trust")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "'contest.db' is whole: 1 contest, 4 matches."
    assert lines[2:] == ["       4  the same", "No difference in any of the 4 matches."]
    chosen = [json.loads(held("verify", "contest.db", "--matches", "2", "--seed", "5", "--trust", "--json").out)
              for _ in range(2)]  # fmt: skip
    assert chosen[0] == chosen[1]
    assert chosen[0]["findings"] == []
    assert (chosen[0]["again"]["seed"], chosen[0]["again"]["verdicts"]) == (5, {"same": 2})
    assert chosen[0]["again"]["most"] == 2  # the two that were not looked at


@pytest.fixture
def fickle(typed: Type, folder: Path) -> None:
    """Hold a contest with a bot that answers what the file `answer` says."""
    (folder / "answer").write_text("N\n")
    bot = folder / "fickle"
    bot.write_text(f"#!/bin/sh\n{FICKLE.format(folder / 'asked', folder / 'answer')}\n")
    bot.chmod(0o755)
    done = typed("contest", "run", "--game", "drop-block", "a=./fickle", *FOUR[1:3], "d=./still", *SHORT)
    assert done.status == 0, done.err


@pytest.mark.usefixtures("fickle")
def test_a_bot_that_answers_differently_now(typed: Type, folder: Path) -> None:
    """The first bot that answers differently is named with its turn and both answers; the status is 1."""
    (folder / "answer").write_text("U\n")
    done = typed("verify", "contest.db", "--all", "--trust", "--json")
    again = json.loads(done.out)["again"]
    assert (done.status, again["verdicts"]) == (1, {"bot": 4})
    for match in again["matches"]:
        assert (match["bot"], match["before"], match["now"], match["steady"]) == ("a", "N", "U", True)
        assert match["turn"] == match["seat"]  # its first turn
    plain = typed("verify", "contest.db", "--matches", "1", "--seed", "1", "--trust")
    assert plain.status == 1
    assert "recorded N, now U. Played once more, it gave the new answers again." in plain.out
    assert "1 of 1 differ: at most 1e+02 %" not in plain.out
    assert "1 of 1 differ: at most 100 % of all 4 matches could" in plain.out


@pytest.mark.usefixtures("fickle")
def test_a_bot_that_answers_anew_each_time(typed: Type, folder: Path) -> None:
    """A bot whose answer changes between the two playings is told as not deterministic."""
    bot = folder / "answer"
    bot.unlink()
    bot.symlink_to(folder / "asked.count")  # its answer is now how often it was asked: never the same line twice
    done = typed("verify", "contest.db", "--all", "--trust", "--workers", "1", "--json")
    matches = json.loads(done.out)["again"]["matches"]
    assert done.status == 1
    assert {(match["verdict"], match["steady"]) for match in matches} == {("bot", False)}


@pytest.mark.usefixtures("fickle")
def test_what_was_found_before_ctrl_c(typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long run that is stopped tells how far it came, and what differed until then; nothing is said of all."""
    (folder / "answer").write_text("U\n")
    original = PlayingAgain._played

    def stopped(self: PlayingAgain, *given: Any) -> Iterator[MatchAgain]:
        yield from islice(original(self, *given), 2)
        raise Stop(signal.SIGINT)

    monkeypatch.setattr(PlayingAgain, "_played", stopped)
    done = typed("verify", "contest.db", "--all", "--trust", "--workers", "1")
    assert done.status == 130
    assert "Matches played again: 2 of 4" in done.out
    assert done.out.count("recorded N, now U.") == 2
    assert "confidence" not in done.out


def test_a_recording_that_does_not_follow_from_the_rules(held: Type) -> None:
    """Whoever changes a state and makes all checksums anew is found: that is serious, and the status is 2."""
    with open_store("contest.db") as store:
        played = list(store.played(store.contest().id))
        recorded = replays.decode(store.files.get(str(played[1].replay)))
        recorded.turns[3].digest = "00000000"
        broken = store.files.put(replays.encode(recorded, compressed=True))
    with closing(sqlite3.connect("contest.db")) as database:
        database.execute("UPDATE results SET replay = ? WHERE match = 1", (broken,))
        database.commit()
    seal("contest.db")
    done = held("verify", "contest.db", "--all", "--trust")
    assert done.status == 2
    assert "       1  do not follow from the rules" in done.out
    assert "contest, match 1: " in done.out
    assert done.err.startswith("Matches of 'contest.db' that do not follow from the rules: 1.")


def test_what_cannot_be_played_again(held: Type) -> None:
    """A bot whose files are not in the store is named as such, and the others are compared; the status is 1."""
    with closing(sqlite3.connect("contest.db")) as database:
        database.execute("UPDATE bot_versions SET archive = NULL WHERE bot = (SELECT id FROM bots WHERE name = 'a')")
        database.commit()
    seal("contest.db")
    done = held("verify", "contest.db", "--all", "--trust")
    assert done.status == 1
    assert "       4  could not be played again" in done.out
    assert "contest, 4 matches (0 to 3), could not be played again: The version of 'a' " in done.out
    assert " % of " not in done.out  # nothing was compared, so nothing is said of all


def test_what_cannot_be_played_again_counts_as_different(held: Type) -> None:
    """Who hides a match by losing its replay gains nothing: it counts in the share of all that could differ."""
    with closing(sqlite3.connect("contest.db")) as database:
        database.execute("UPDATE results SET replay = NULL WHERE match IN (0, 2)")
        database.commit()
    seal("contest.db")
    every = held("verify", "contest.db", "--all", "--trust")
    assert "0 of all 4 matches differ, and 2 could not be compared." in every.out
    words = ("verify", "contest.db", "--matches", "3", "--seed", "1", "--trust")
    report = json.loads(held(*words, "--json").out)["again"]
    lost = report["verdicts"]["unplayable"]
    assert report["compared"] == 3 - lost
    assert report["most"] == lost + 1  # and the one that was not drawn
    some = held(*words)
    assert f"0 of {3 - lost} differ, and {lost} could not be compared: counting those as different" in some.out


def test_bots_that_are_command_lines(typed: Type, folder: Path) -> None:
    """What is not run because a store says so is told once for all matches, with the remedy where that helps."""
    (folder / "mine").write_text((folder / "still").read_text())
    bots = ("a=sh ./mine", *FOUR[1:])
    assert typed("contest", "run", "--game", "drop-block", *bots, *SHORT).status == 0
    done = typed("verify", "contest.db", "--all", "--trust")
    assert done.status == 1
    (told,) = [line for line in done.out.splitlines() if "'a'" in line]
    assert told.startswith(
        "contest, 4 matches (0 to 3), could not be played again: The store holds 'a' as words alone"
    )
    (option,) = re.findall(r"add (--bot '.*?') to the command", told)
    assert shlex.split(option) == ["--bot", "a=sh ./mine"]
    done = typed("verify", "contest.db", "--all", "--trust", *shlex.split(option))
    assert (done.status, "       4  the same" in done.out) == (0, True)
    (folder / "mine").write_text((folder / "still").read_text() + "# another\n")
    done = typed("verify", "contest.db", "--all", "--trust", *shlex.split(option))
    assert (done.status, "'sh ./mine' is not the 'a' that plays" in done.err) == (2, True)


def test_all_that_has_to_be_typed_is_said_at_once(typed: Type, folder: Path) -> None:
    """One sentence has the options of both command lines, in the language that was asked for; pasted, it works."""
    for name in ("mine", "yours"):
        (folder / name).write_text((folder / "still").read_text())
    bots = ("a=sh ./mine", "b=sh ./yours", *FOUR[2:])
    words = ("contest", "run", "--game", "drop-block", "--format", "gauntlet", *bots, *SHORT)
    assert typed(*words).status == 0
    done = typed("verify", "contest.db", "--trust")
    (told,) = [line for line in done.out.splitlines() if "words alone" in line]
    (option,) = re.findall(r"add (--bot '.*') to the command", told)
    assert shlex.split(option) == ["--bot", "a=sh ./mine", "--bot", "b=sh ./yours"]
    assert typed("verify", "contest.db", "--trust", *shlex.split(option)).status == 0
    assert "words alone" not in typed("verify", "contest.db", "--trust", "--lang", "ja").out
    (folder / "mine").write_text((folder / "still").read_text() + "# another\n")
    done = typed(*words)
    assert (done.status, "the store does not hold these files" in done.err) == (2, True)


def test_what_is_typed_again_must_be_what_played(typed: Type, folder: Path) -> None:
    """A bot without its name, a name that nobody has, and another bot under a name of the contest are refused."""
    (folder / "mine").write_text((folder / "still").read_text() + "# a\n")
    bots = ("a=sh ./mine", *FOUR[1:])
    assert typed("contest", "run", "--game", "drop-block", *bots, *SHORT).status == 0
    wrong = {"sh ./mine": "NAME=BOT", "b c=x": "nobody in the contest", "a=./still": "is not the 'a'"}
    for command in (("verify", "contest.db", "--trust"), ("contest", "run", "contest.db", "--trust")):
        for word, said in wrong.items():
            done = typed(*command, "--bot", word)
            assert (done.status, said in done.err) == (2, True), done.err


def test_a_server_is_typed_again_and_proves_nothing() -> None:
    """Of a server, whose program is nowhere in the store, the sentence says so, with what is typed for it."""
    told = to_be_typed({"a": Elsewhere("http://127.0.0.1:8000/")})
    assert told.key == "contest-type-again-server"
    assert "--bot a=http://127.0.0.1:8000/" in told.say()


def test_numbers_as_spans() -> None:
    """What follows each other is one span, in either language; a long list is cut."""
    assert numbers([0, 1, 2, 5, 7, 8], ENGLISH) == "0 to 2, 5, 7 to 8"
    assert numbers([0, 1, 2, 5], Speaker("ja")) == "0〜2, 5"
    assert numbers(range(0, 40, 2), ENGLISH) == "0, 2, 4, 6, 8, 10, 12, 14, ..."


def test_a_damaged_store_is_not_played(held: Type) -> None:
    """What `contest verify` finds is told first, as it tells it; nothing is played then."""
    with closing(sqlite3.connect("contest.db")) as database:
        database.execute("UPDATE tallies SET firsts = firsts + 1 WHERE entrant = 1")
        database.commit()
    mine, theirs = held("verify", "contest.db", "--trust"), held("contest", "verify", "contest.db")
    assert mine == theirs
    assert mine.status == 2


def test_a_replay(held: Type) -> None:
    """A replay's moves follow from the rules, as `replay --verify` says; options of stores are refused."""
    assert held("contest", "replay", "contest.db", "1", "--save", "m.replay").status == 0
    assert held("verify", "m.replay").out == held("replay", "m.replay", "--verify").out
    assert json.loads(held("verify", "m.replay", "--json").out)["turns"] == 8
    done = held("verify", "m.replay", "--matches", "3")
    assert (done.status, done.err.split(" ")[0]) == (2, "--matches")


def test_wrong_words(held: Type) -> None:
    """Words that exclude each other, and files that are nothing of ours, are one sentence and status 2."""
    Path("text").write_text("hello\n")
    for words in (("contest.db", "--all", "--matches", "2"), ("contest.db", "--key", "k"), ("text",), ("missing",)):
        done = held("verify", *words)
        assert (done.status, len(done.err.splitlines())) == (2, 1), done.err


def test_a_file_that_is_nothing_of_ours(held: Type) -> None:
    """The refusal names all that can be verified: a store, a bundle, a replay."""
    Path("text").write_text("hello\n")
    done = held("verify", "text")
    assert done.status == 2
    assert all(word in done.err for word in ("'text'", "contest.db", "--format bundle", "--save"))
