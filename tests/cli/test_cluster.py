"""`dohyo cluster`: what is wrong is one sentence; what it does is tested where executors are."""

from __future__ import annotations

import socket

import pytest

from tests.cli.conftest import Type


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("worker", "10.0.0.1:8786"), "no address of a cluster"),
        (("worker", "tcp://10.0.0.1:8786", "--workers", "0"), "at least one worker, not 0"),
        (("local", "--workers", "-1", "--port", "0"), "at least one worker, not -1"),
        (("scheduler", "--host", "nobody.invalid", "--port", "0"), "cannot listen at nobody.invalid:0"),
    ],
)
def test_mistakes_are_told(typed: Type, words: tuple[str, ...], told: str) -> None:
    """One sentence, exit status 2, and nothing is left running."""
    done = typed("cluster", *words)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert told in done.err


def test_a_port_that_is_taken(typed: Type) -> None:
    """The sentence names it, and how to take another."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = typed("cluster", "local", "--port", str(port))
    assert done.status == 2
    assert f"127.0.0.1:{port}" in done.err
    assert "--port" in done.err
