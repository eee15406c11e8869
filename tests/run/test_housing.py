"""What bots may do in the box that they play in."""

from __future__ import annotations

import os
from typing import Any

import pytest

from dohyo.bots import Bot
from dohyo.box import Box
from dohyo.play import system
from dohyo.run.housing import house_of


@pytest.mark.parametrize(("ours", "limit"), [({1}, 1.0), ({0, 2}, 2.0), ({0, 1, 2, 3}, 0.0)])
def test_a_bot_gets_our_share_of_the_processors(
    ours: set[int], limit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where we are kept to some of the machine's processors, the box lets a bot have no more."""
    given: list[Any] = []
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(system, "cores", lambda: ours)
    monkeypatch.setattr(Box, "builder", lambda self, *words, **more: given.extend(words))
    house_of(Bot("b", ("/bin/true",), "/", "", ""), {}, Box(1, "box"))
    assert given[-1].cores == limit
