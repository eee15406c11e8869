"""`dohyo verify`: a store whose matches are played again, a bundle of results and its signature, a replay."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from dohyo.cli.signals import Stop
from dohyo.core import replay_format as replays
from dohyo.core.bot_spec import Elsewhere
from dohyo.guests.bundles import check as bundle_check
from dohyo.guests.bundles import minisign
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series.again import MatchAgain, PlayingAgain
from dohyo.series.spans import numbers
from dohyo.series.store import open_store
from dohyo.series.typed_again import to_be_typed
from dohyo.system import plain_tar
from tests import skips
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
    assert lines[0] == "'contest.db' is whole: contests 1, matches 4."
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


# --- bundles


@pytest.fixture
def bundle(held: Type) -> Type:
    """Have the contest's bundle as `r.tar`."""
    done = held("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar")
    assert (done.status, done.out) == (0, "Wrote 4 matches to r.tar.\n")
    return held


def members() -> dict[str, bytes]:
    """The members of `r.tar`."""
    with open("r.tar", "rb") as file:
        return dict(plain_tar.read(file, 1 << 24))


def rewrite(found: dict[str, bytes], *, sums: bool = True) -> None:
    """Write `r.tar` anew, as somebody does who means harm: with the right digests."""
    import hashlib

    if sums:
        found["SHA256SUMS"] = "".join(
            f"{hashlib.sha256(content).hexdigest()}  {name}\n"
            for name, content in sorted(found.items())
            if name != "SHA256SUMS"
        ).encode()
    with open("r.tar", "wb") as file:
        plain_tar.write(file, sorted(found.items()))


def test_a_bundle_holds_together(bundle: Type, folder: Path) -> None:
    """A bundle is the same bytes each time, holds nothing of the machine, and is verified without bots and store."""
    first = Path("r.tar").read_bytes()
    assert bundle("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar").status == 0
    assert Path("r.tar").read_bytes() == first
    assert str(folder).encode() not in b"".join(
        content for name, content in members().items() if not name.startswith("replays/")
    )
    for path in folder.iterdir():
        if path.name != "r.tar":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    done = bundle("verify", "r.tar")
    assert (done.status, done.err) == (0, "")
    assert "replays followed by the rules 4, schedule and standings recomputed" in done.out
    document = json.loads(bundle("verify", "r.tar", "--json").out)
    assert (document["matches"], document["replays"], document["findings"]) == (4, 4, [])
    assert (document["signed"], document["rated"]) == (False, True)


def test_other_programs_read_it(bundle: Type, folder: Path) -> None:
    """`tar` unpacks it, and `sha256sum -c` finds every file as it should be."""
    assert bundle("verify", "r.tar").status == 0
    subprocess.run(["tar", "xf", "r.tar"], check=True)
    done = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 6 + 4
    assert all(line.endswith(": OK") for line in done.stdout.splitlines())


def change_place(found: dict[str, bytes]) -> None:
    """Let somebody have done worse in match 2."""
    matches = json.loads(found["matches.json"])
    matches[2]["places"][0] += 1
    found["matches.json"] = (json.dumps(matches, ensure_ascii=False, indent=1) + "\n").encode()


def change_seed(found: dict[str, bytes]) -> None:
    """Say that the contest had another seed than it drew matches from."""
    found["contest.json"] = found["contest.json"].replace(b'"seed": 3', b'"seed": 4')


def leave_out(found: dict[str, bytes]) -> None:
    """Leave out a match that somebody did not like, everywhere but in the standings."""
    matches = json.loads(found["matches.json"])
    del matches[0], found["replays/000000000.replay.zst"]
    found["matches.json"] = (json.dumps(matches, ensure_ascii=False, indent=1) + "\n").encode()
    lines = found["matches.csv"].decode().splitlines(keepends=True)
    found["matches.csv"] = "".join(line for line in lines if ",drop-block,0," not in line).encode()


def change_standings(found: dict[str, bytes]) -> None:
    """Give the first another place."""
    found["standings.json"] = found["standings.json"].replace(b'"place": 1', b'"place": 2', 1)


def change_table(found: dict[str, bytes]) -> None:
    """Change the table alone that people read."""
    found["standings.csv"] = found["standings.csv"].replace(b"\n1,", b"\n2,", 1)


def add_file(found: dict[str, bytes]) -> None:
    """Add a file that belongs to nothing."""
    found["replays/000000009.replay.zst"] = found["replays/000000001.replay.zst"]


def swap_replays(found: dict[str, bytes]) -> None:
    """Put the replay of another match in a match's place."""
    found["replays/000000001.replay.zst"] = found["replays/000000002.replay.zst"]


CHANGES = [change_place, change_seed, leave_out, change_standings, change_table, add_file, swap_replays]


@pytest.mark.parametrize("change", CHANGES)
def test_a_bundle_that_was_changed(bundle: Type, change: Callable[[dict[str, bytes]], None]) -> None:
    """Whatever is changed is found, though all digests are made anew."""
    found = members()
    change(found)
    assert found != members()
    rewrite(found)
    done = bundle("verify", "r.tar")
    assert done.status == 2
    assert done.err.startswith("The results in 'r.tar' do not hold together, findings: ")
    assert done.out.count("\n") > 1
    assert ("Matches of the schedule without a result: 1." in done.out) is (change is leave_out)


def test_faults_without_end(bundle: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """What all matches together may have of faults is bounded too: each is one in memory."""
    found = members()
    faults = sum(sum(kinds.values()) for line in json.loads(found["matches.json"]) for kinds in line["faults"])
    monkeypatch.setattr(bundle_check, "MAX_FAULTS_IN_ALL", faults)
    assert bundle("verify", "r.tar").status == 0
    monkeypatch.setattr(bundle_check, "MAX_FAULTS_IN_ALL", faults - 1)
    assert "too many faults" in bundle("verify", "r.tar").err


def test_a_digest_that_is_not_right(bundle: Type) -> None:
    """A file that is not the one of `SHA256SUMS` is named."""
    found = members()
    found["README.txt"] += b"\n"
    rewrite(found, sums=False)
    assert "README.txt is missing, or is not the file" in bundle("verify", "r.tar").out


HOSTILE = {
    "no contest": lambda found: found.pop("contest.json"),
    "no JSON": lambda found: found.update({"contest.json": b"{"}),
    "a newer form": lambda found: found.update(
        {"contest.json": found["contest.json"].replace(b'"bundle": 1', b'"bundle": 2')}
    ),
    "deep": lambda found: found.update({"matches.json": b"[" * 100_000}),
    "faults without end": lambda found: found.update(
        {"matches.json": found["matches.json"].replace(b'"faults": [', b'"faults": [{"late": 999999999999},', 1)}
    ),
    "seats without places": lambda found: found.update(
        {"matches.json": found["matches.json"].replace(b'"places": [', b'"places": [1,', 1)}
    ),
    "another game": lambda found: found.update(
        {"contest.json": found["contest.json"].replace(b'"drop-block"', b'"no-such-game"')}
    ),
    "a number too large": lambda found: found.update(
        {"matches.json": found["matches.json"].replace(b'"seed": ', b'"seed": 99999999999999999999', 1)}
    ),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_a_strangers_bundle(bundle: Type, how: str) -> None:
    """What nobody's Dohyo wrote is refused in one sentence."""
    found = members()
    HOSTILE[how](found)
    rewrite(found)
    done = bundle("verify", "r.tar")
    assert (done.status, len(done.err.splitlines())) == (2, 1), done.err


# --- signatures


@pytest.fixture
def keys(folder: Path) -> str:
    """A pair of keys, `key.pub` and `key.sec`, by the real program."""
    program = skips.program("minisign")
    subprocess.run([program, "-G", "-W", "-p", "key.pub", "-s", "key.sec"], capture_output=True, check=True)
    return program


@pytest.mark.parametrize("without_library", [False, True])
def test_a_signature(bundle: Type, keys: str, without_library: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What we have signed `minisign` accepts, and so do we; of anything changed both say no."""
    words = ("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar")
    done = bundle(*words, "--sign", "key.sec")
    assert (done.status, done.out.splitlines()[-1]) == (0, "Signature: r.tar.minisig")
    real = [keys, "-Vm", "r.tar", "-p", "key.pub"]
    assert subprocess.run(real, capture_output=True, check=False).returncode == 0
    if without_library:
        monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    own = bundle("verify", "r.tar", "--key", "key.pub")
    assert own.status == 0
    assert own.out.splitlines()[0] == (
        "r.tar: the signature is right. Its comment: dohyo contest contest, drop-block, matches 4"
    )
    assert bundle("verify", "r.tar", "--key", Path("key.pub").read_text().splitlines()[1]).status == 0
    content = bytearray(Path("r.tar").read_bytes())
    content[700] ^= 1
    Path("r.tar").write_bytes(content)
    done = bundle("verify", "r.tar", "--key", "key.pub")
    assert (done.status, done.out) == (2, "")
    assert "do not trust it" in done.err
    assert subprocess.run(real, capture_output=True, check=False).returncode != 0


def test_signatures_that_are_none(bundle: Type, keys: str) -> None:
    """A signature of another key, a changed trusted comment, an unreadable one or key: refused in one sentence."""
    done = bundle("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar", "--sign", "key.sec")
    assert done.status == 0
    subprocess.run([keys, "-G", "-W", "-p", "other.pub", "-s", "other.sec"], capture_output=True, check=True)
    assert "another key" in bundle("verify", "r.tar", "--key", "other.pub").err
    assert "no public key" in bundle("verify", "r.tar", "--key", "contest.db").err
    text = Path("r.tar.minisig").read_text()
    Path("r.tar.minisig").write_text(text.replace("matches 4", "matches 5"))
    assert "do not trust it" in bundle("verify", "r.tar", "--key", "key.pub").err
    Path("r.tar.minisig").write_text("hello\n")
    assert "is no signature" in bundle("verify", "r.tar", "--key", "key.pub").err


ASKING = """#!/bin/sh
printf 'Password: '
read word
[ "$word" = right ]
"""
SIGNING = """
from pathlib import Path
from dohyo.guests.bundles import minisign
minisign.sign(Path('r.tar'), 'key.sec', '-')
"""


@pytest.mark.parametrize(("typed_in", "status"), [("right", 0), ("wrong", 1)])
def test_the_password_is_asked_on_the_terminal(tmp_path: Path, typed_in: str, status: int) -> None:
    """What `minisign` asks is seen there, and answered there; what it says of a wrong password, too."""
    program = tmp_path / "minisign"
    program.write_text(ASKING)
    program.chmod(0o755)
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    with (
        closing(os.fdopen(ours, "r+b", buffering=0)) as terminal,
        subprocess.Popen(
            [sys.executable, "-c", SIGNING], stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, env=environment
        ) as process,
    ):
        os.close(theirs)
        seen = b""
        while b"Password: " not in seen:
            seen += terminal.read(1024)
        terminal.write(f"{typed_in}\n".encode())
        with suppress(OSError):  # how a terminal ends whose other side is closed
            while piece := terminal.read(1024):
                seen += piece
        assert process.wait() == status
    assert (b"minisign-failed" in seen) == bool(status)


def test_a_signature_that_was_broken_off(bundle: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while `minisign` asks: the bundle is there, and one sentence says that it is not signed."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(minisign, "sign", interrupted)
    done = bundle("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar", "--sign", "key.sec")
    assert done.status == 130
    assert "'r.tar' is written and not signed. To sign it: minisign -S -s key.sec -m r.tar" in done.err
    assert bundle("verify", "r.tar").status == 0


def test_without_the_program(bundle: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `minisign` the bundle is written all the same, and the remedy is told; only bundles are signed."""
    monkeypatch.setenv("PATH", "/nowhere")
    done = bundle("contest", "export", "contest.db", "--format", "bundle", "--out", "r.tar", "--sign", "key.sec")
    assert done.status == 2
    assert "minisign -S -s key.sec -m r.tar" in done.err
    assert bundle("verify", "r.tar").status == 0
    assert "Only a bundle" in bundle("contest", "export", "contest.db", "--sign", "key.sec").err


def test_it_is_bounded() -> None:
    """A tar whose header promises more than there is, or than a member may have, costs nothing; nor do links."""
    for size in (1 << 32, 1 << 20):
        with pytest.raises(plain_tar.TarError):
            list(plain_tar.read(io.BytesIO(plain_tar.header("contest.json", size)), 1 << 21))
