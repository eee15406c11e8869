"""What a person reads of the machine."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from dohyo.i18n import ENGLISH
from dohyo.match.doctor import diagnose
from dohyo.terminal.doctor import print_sandbox


@pytest.mark.parametrize("layer", [1, 2, 3, 4])
def test_whether_programs_of_others_are_kept_away_is_said(layer: int) -> None:
    """A teacher reads what the layers that contests ask for keep from bots, in one sentence; not of weaker ones."""
    out = Console(file=io.StringIO(), width=200)
    print_sandbox(replace(diagnose(), taken=layer), out, ENGLISH)
    told = "can neither read your files nor reach the network" in out.file.getvalue()  # type: ignore[attr-defined]
    assert told == (layer <= 2)
