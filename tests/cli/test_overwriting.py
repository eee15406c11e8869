"""What is written over: a replay only over a replay, a page only over a page; and output that cannot be written."""

from __future__ import annotations

import os
import subprocess
import tracemalloc
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.core.replay_format import _zstd, begins, encode
from dohyo.match import files
from dohyo.match.replays import replays
from tests.cli.conftest import Type
from tests.cli.typed import start
from tests.series.made_contests import hold
from tests.web.matches import play

FEW = ("--setup", "turns=9", "--seed", "11", "--trust", "--clock", "60")
PLAY = ("play", "drop-block", "./still", "./still", "./still", "./still", *FEW)
SOURCE = "print('mine')\n"


@pytest.mark.parametrize("option", ["--save", "--html"])
def test_a_source_is_not_overwritten(option: str, typed: Type, folder: Path) -> None:
    """A file that is something else stays as it is, and no match is played for nothing; with --force it goes."""
    mine = folder / "mybot.py"
    mine.write_text(SOURCE)
    done = typed(*PLAY, option, "mybot.py")
    assert (done.status, done.out, done.err.count("\n"), "--force" in done.err) == (2, "", 1, True)
    assert mine.read_text() == SOURCE
    assert typed(*PLAY, option, "mybot.py", "--force").status == 0
    assert mine.read_text() != SOURCE


@pytest.mark.parametrize("name", ["m.replay", "m.replay.zst"])
def test_a_replay_is_overwritten_by_a_replay(name: str, typed: Type, folder: Path) -> None:
    """The same command twice writes the same file twice, compressed or not; an empty file is filled."""
    (folder / name).write_bytes(b"")
    for _ in range(2):
        assert typed(*PLAY, "--save", name, "--html", "m.html").status == 0
        assert replays.is_replay(name)
    assert typed(*PLAY, "--html", name).status == 2
    assert typed(*PLAY, "--save", "m.html").status == 2
    assert typed("replay", name, "--html", "m.html").status == 0
    assert typed("replay", name, "--html", "./still").status == 2


def test_what_looks_like_a_replay(folder: Path) -> None:
    """A compressed file of something else, and JSON of something else, are no replays."""
    packed = zstd_of(b"not a replay\n" * 9)
    broken = (b"\x28\xb5\x2f\xfdno more", packed, b'{"dohy', b'{"dohyo":', b'{"dohyo":1}\n', b"{}\n", b"x")
    for content in broken:
        (folder / "file").write_bytes(content)
        assert not replays.is_replay("file")


def test_the_beginning_says_what_a_file_is(folder: Path) -> None:
    """A replay that was cut off is one, too; of a packed one, as much as can be unpacked."""
    content, packed = encode(play(1)), encode(play(1), compressed=True)
    for part in (content, content[: len(content) // 2], packed, packed[:-40]):
        (folder / "file").write_bytes(part)
        assert replays.is_replay("file")


def test_little_is_read_of_what_only_looks_like_a_replay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A packed file that would fill the memory is unpacked no further than a header goes."""
    (folder / "file").write_bytes(zstd_of(bytes(1 << 28)))
    asked = []

    def bounded(content: bytes) -> bool:
        tracemalloc.start()
        found = begins(content)
        asked.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        return found

    monkeypatch.setattr(replays, "begins", bounded)
    assert not replays.is_replay("file")
    assert max(asked) < 1 << 24


def zstd_of(content: bytes) -> bytes:
    """Bytes compressed as a replay is."""
    return bytes(_zstd().compress(content, 1))


def test_check_overwrites_no_source_either(typed: Type, folder: Path) -> None:
    """`check --save` keeps to the same."""
    (folder / "mine.py").write_text(SOURCE)
    done = typed("check", "drop-block", "./still", "--trust", "--save", "mine.py")
    assert (done.status, done.out, (folder / "mine.py").read_text()) == (2, "", SOURCE)


EXPORT = ("contest", "export", "s.db", "--format")
OTHERS = {
    "report": ("contest", "report", "s.db", "--html", "FILE"),
    "csv": (*EXPORT, "csv", "--out", "FILE"),
    "csv in Japanese": ("--lang", "ja", *EXPORT, "csv", "--out", "FILE"),
    "pgn": (*EXPORT, "pgn", "--out", "FILE"),
    "markdown": (*EXPORT, "markdown", "--out", "FILE"),
    "bundle": (*EXPORT, "bundle", "--out", "FILE"),
    "bot's schema": ("schema", "bot", "--out", "FILE"),
    "replay's schema": ("schema", "replay", "--out", "FILE"),
}


@pytest.mark.parametrize("words", OTHERS.values(), ids=OTHERS)
def test_what_commands_write_replaces_its_own_kind(words: tuple[str, ...], typed: Type, folder: Path) -> None:
    """A hand-in and a store stay, as does what only begins alike; an earlier file of the same kind is replaced."""
    hold(folder / "s.db", game="drop-block", names=("hunter", "mine", "other", "random"), rounds=1)
    name = "a.tar" if "bundle" in words else "a.py"
    words = tuple(name if word == "FILE" else word for word in words)
    mine = folder / name
    store = (folder / "s.db").read_bytes()
    for content in (
        SOURCE.encode(),
        b"`code`\n",
        b'[Event "mine"]\n',
        b'{"title": 3}',
        b"README.txt\0of mine",
        store,
    ):
        mine.write_bytes(content)
        done = typed(*words)
        assert (done.status, done.out, done.err.count("\n"), mine.read_bytes()) == (2, "", 1, content)
        assert ("--force" in done.err) == (content != store)
        if content == store:
            assert (typed(*words, "--force").status, mine.read_bytes()) == (2, store)
    mine.write_bytes(b"")
    assert typed(*words).status == 0
    written = mine.read_bytes()
    assert written
    assert typed(*words).status == 0
    mine.write_text(SOURCE)
    assert typed(*words, "--force").status == 0
    assert mine.read_bytes() == written


def test_a_signature_replaces_signatures_only(typed: Type, folder: Path) -> None:
    """What stands where the signature goes is looked at before the bundle is written."""
    hold(folder / "s.db", game="drop-block", names=("hunter", "mine", "other", "random"), rounds=1)
    (folder / "a.tar.minisig").write_text(SOURCE)
    done = typed(*EXPORT, "bundle", "--out", "a.tar", "--sign", "key")
    assert (done.status, done.out) == (2, "")
    assert "'a.tar.minisig' is there already" in done.err
    assert (folder / "a.tar.minisig").read_text() == SOURCE
    assert not (folder / "a.tar").exists()


def test_feedback_replaces_feedback_only(typed: Type, folder: Path) -> None:
    """A hand-in that is called as a text would be stays, and the text gets a number; the next one replaces that."""
    words = ("check", "drop-block", "./still", "--trust", "--setup", "turns=9", "--feedback", "texts")
    (folder / "texts").mkdir()
    (folder / "texts" / "still.txt").write_text(SOURCE)
    for _ in range(2):
        assert "texts/still-2.txt" in typed(*words).out
        assert (folder / "texts" / "still.txt").read_text() == SOURCE
        assert sorted(path.name for path in (folder / "texts").iterdir() if path.suffix == ".txt") == [
            "still-2.txt",
            "still.txt",
        ]
    assert "texts/still.txt" in typed(*words, "--force").out
    assert (folder / "texts" / "still.txt").read_text() != SOURCE


@pytest.mark.parametrize("full", ["m.replay", "m.html"])
def test_a_full_disk_at_the_end(full: str, typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is printed, and what could be written is named, before the sentence about what could not."""
    write = files.write_whole

    def fail(path: str, content: bytes) -> Path:
        if os.fspath(path) == full:
            raise OperatorError("cannot-write", path=path, reason="No space left on device")
        return write(path, content)

    for place in ("dohyo.match.files.write_whole", "dohyo.match.replays.replays.write_whole"):
        monkeypatch.setattr(place, fail)
    status, out, err = typed(*PLAY, "--save", "m.replay", "--html", "m.html")
    assert (status, "No space left" in err, err.count("\n")) == (2, True, 1)
    assert "after 9 turns" in out
    assert "The same command plays the same match again" in out
    assert full not in out
    assert ("m.replay" in out) == (full == "m.html")
    whole = typed(*PLAY, "--save", "m.replay", "--html", "m.html", "--json")
    assert whole.status == 2
    assert '"seats"' in whole.out


@pytest.mark.parametrize(
    "words",
    [("--help",), ("--version",), ("games",), ("play", "--help"), PLAY, ("nonsense",)],
    ids=lambda words: words[0],
)
def test_a_reader_that_goes_away(words: tuple[str, ...], folder: Path) -> None:
    """Where nobody reads on (`| head`), the command ends quietly, with the status of SIGPIPE as others have it."""
    reading, writing = os.pipe()
    os.close(reading)
    into_both = words == ("nonsense",)
    with start(*words, stdout=writing, stderr=writing if into_both else subprocess.PIPE, cwd=folder) as process:
        os.close(writing)
        err = process.communicate()[1]
    assert (process.returncode, err or "") == (141, "")


def test_the_same_fault_again_and_again(typed: Type, folder: Path) -> None:
    """A fault that is made in every turn is one entry, with how often and when; the table tells counts by "times"."""
    status, out, _ = typed(
        "play",
        "drop-block",
        "./mumbler",
        "./still",
        "./quitter",
        "./still",
        *FEW[:1],
        "turns=20",
        *FEW[2:],
        "--faults",
    )
    assert status == 0
    assert "malformed, 5 times" in out
    assert out.count("seat 0, mumbler: malformed") == 1
    assert "  the same 4 times more, in turn 4, 8, 12, 16\n" in out
    assert "stopped in turn 2: exited, status 3" in out
    assert "exited (3)" not in out


def test_a_signal_is_named(typed: Type, folder: Path) -> None:
    """Who was ended by a signal is told with the signal's name."""
    (folder / "crash").write_text("#!/bin/sh\necho READY; read word; kill -SEGV $$\n")
    (folder / "crash").chmod(0o755)
    out = typed("play", "drop-block", "./crash", *["./still"] * 3, *FEW).out
    assert "killed by a signal, SIGSEGV" in out


def test_who_never_answers_is_pointed_to_check(typed: Type, folder: Path) -> None:
    """Also where a fault does not stop a program: one that never answers may keep its answers in its own buffer."""
    words = ("play", "abotcalypse", "./mute", "random", *FEW[:-1], "0.05")
    out = typed(*words).out
    assert "No answer came from 'mute'" in out
    assert "'dohyo check abotcalypse BOT' tells" in out
