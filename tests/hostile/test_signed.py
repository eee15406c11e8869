"""Somebody replaces a signed bundle, or writes into it, between the check of its signature and the reading."""

from __future__ import annotations

import base64
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from dohyo.cli.main import run
from dohyo.guests.bundles import bundle, minisign, plain_tar
from dohyo.guests.bundles import check as bundle_check

NUMBER = b"12345678"


def signed(path: Path) -> str:
    """Sign a file as `minisign` does; the public key."""
    key = Ed25519PrivateKey.generate()
    inner = key.sign(hashlib.blake2b(path.read_bytes()).digest())
    outer = key.sign(inner + b"a comment")
    texts = [base64.b64encode(each).decode() for each in (minisign.HASHED + NUMBER + inner, outer)]
    lines = (f"{minisign.COMMENT}-", texts[0], f"{minisign.TRUSTED}a comment", texts[1])
    path.with_name(path.name + minisign.ENDING).write_text("\n".join(lines) + "\n")
    return base64.b64encode(minisign.KEYS + NUMBER + key.public_key().public_bytes_raw()).decode()


def write(path: Path, name: bytes) -> None:
    """Results of a contest of this name, without any."""
    contest = b'{"bundle":1,"name":"' + name + b'","game":"drop-block","rules":1,"entrants":[],"terms":{}}'
    members = {bundle.SUMS: b"", bundle.CONTEST: contest, bundle.MATCHES_JSON: b"[]"}
    with path.open("wb") as file:
        plain_tar.write(file, sorted(members.items()))


def replace(path: Path) -> None:
    """Put another file into its place."""
    write(path.with_name("other"), b"forged")
    path.with_name("other").replace(path)


def overwrite(path: Path) -> None:
    """Write other bytes into the same file, of the same length, and set its time back."""
    before = path.stat()
    write(path.with_name("other"), b"forged")
    path.write_bytes(path.with_name("other").read_bytes())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", [replace, overwrite])
def test_what_is_read_is_what_was_signed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Path], None],
) -> None:
    """Nothing is told of a file that was replaced or changed after its signature was checked, but one sentence."""
    path = tmp_path / "r.tar"
    write(path, b"honest")
    key = signed(path)
    began = bundle_check.plain_tar.read

    def read(*given: object) -> object:
        change(path)
        return began(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(bundle_check.plain_tar, "read", read)
    assert run(["verify", str(path), "--key", key]) == 2  # it holds too little in any case
    said = "".join(capsys.readouterr())
    assert "forged" not in said
    assert "was changed while" in said
    assert "the signature is right" not in said


def test_a_program_that_reads_from_where_we_stand_reads_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS `/dev/fd/N` is the opened file itself, with its place in it: minisign is to read from the beginning.

    Afterwards the file is read again as if nothing had happened.
    """
    path, program = tmp_path / "results.tar", tmp_path / "minisign"
    path.write_bytes(b"what was signed")
    key = signed(path)
    reads = "import os, sys; sys.exit(os.read(int(sys.argv[4].split('/')[-1]), 100) != b'what was signed')"
    program.write_text(f"#!{sys.executable}\n{reads}\n")
    program.chmod(0o755)
    monkeypatch.setattr(minisign.search_path, "which", lambda name: str(program))
    beside = path.with_name(path.name + minisign.ENDING)
    with path.open("rb") as file:
        digest = minisign._hash(path, file)
        assert minisign._by_program(path, file, minisign.read_signature(beside), minisign.read_key(key))
        assert minisign._hash(path, file) == digest
