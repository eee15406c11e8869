"""`dohyo cluster`: what is wrong is one sentence; what it does is tested where executors are."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.cli.conftest import Type


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the keys that are made out of the person's settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("worker", "10.0.0.1:8786"), "no address of a cluster"),
        (("worker", "tcp://10.0.0.1:8786"), "asks nobody for a key"),
        (("worker", "tls://10.0.0.1:8786"), "There are no keys of a cluster in "),
        (
            ("worker", "tcp://10.0.0.1:8786", "--plain-tcp", "--workers", "0"),
            "does not take '0'; it takes a whole number, 1 - 1024",
        ),
        (("scheduler", "--keys", "x", "--plain-tcp"), "exclude each other"),
        (("local", "--workers", "-1", "--port", "0"), "does not take '-1'; it takes a whole number, 1 - 1024"),
        (("scheduler", "--host", "nobody.invalid", "--port", "0"), "cannot listen at nobody.invalid:0"),
    ],
)
def test_mistakes_are_told(typed: Type, words: tuple[str, ...], told: str) -> None:
    """One sentence, exit status 2, and nothing is left running."""
    done = typed("cluster", *words)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert told in done.err


def test_contests_are_told_the_same(typed: Type) -> None:
    """`contest run --cluster` with an address as it was before there were keys, and the words without an address."""
    contest = ("contest", "run", "--game", "drop-block", *["./still"] * 4, "--trust")
    assert "say --plain-tcp here too" in typed(*contest, "--cluster", "tcp://127.0.0.1:8786").err
    assert "add --cluster ADDRESS" in typed(*contest, "--keys", "x").err


def test_keys_are_made_beforehand(typed: Type, tmp_path: Path) -> None:
    """`cluster keys` says where they are, whether they were there or not."""
    first, second = (typed("cluster", "keys") for _ in range(2))
    assert (first, first.status) == (second, 0)
    assert str(tmp_path / "settings" / "dohyo" / "cluster") in first.out


def test_a_port_that_is_taken(typed: Type) -> None:
    """The sentence names it, and how to take another."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = typed("cluster", "local", "--port", str(port))
    assert done.status == 2
    assert f"127.0.0.1:{port}" in done.err
    assert "--port" in done.err
