"""Bundles of results: written from a contest, and verified without bots and store; signed by minisign."""

from __future__ import annotations

import io
import json
import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from dohyo.guests.bundles import check as bundle_check
from dohyo.guests.bundles import minisign, plain_tar
from tests import skips
from tests.cli.conftest import Type


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
