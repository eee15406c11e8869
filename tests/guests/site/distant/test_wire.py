"""What both ends say to each other: each takes what the other one sends."""

from __future__ import annotations

import pytest

from dohyo.guests.site.distant import wire
from dohyo.guests.site.distant.wire import Answer
from dohyo.guests.site_client.connecting import wire as at_home


@pytest.mark.parametrize("sign", ["x", "\N{GRINNING FACE}", "\x1b", '"'])
def test_a_line_of_any_length_is_taken(sign: str) -> None:
    """A bot that writes a long line does not lose its connection by that, whatever signs are in it."""
    line = "MOVE 1 2 " + sign * 60_000
    content = at_home.answer("m" * 12, 7, line)
    assert len(content) <= wire.MAX_MESSAGE
    read = wire.read(content)
    assert isinstance(read, Answer)
    assert read.number == 7
    assert line.startswith(read.line)
    assert read.line.startswith("MOVE 1 2 ")
