"""What is drawn while a contest runs."""

from __future__ import annotations

import io
from pathlib import Path
from time import monotonic

import pytest
from rich.cells import cell_len
from rich.console import Console

from dohyo.i18n import Speaker
from dohyo.series.session import begin
from dohyo.terminal import contest_live
from tests.series.contests import asked, write_bots


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_progress_is_never_cut(
    tmp_path: Path, width: int, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that it says can be read, however narrow the terminal is: the bar beside it takes what is left."""
    write_bots(tmp_path / "bots")
    monkeypatch.setattr("dohyo.terminal.contest_live.standings_of", lambda *_: None)
    with begin(asked(tmp_path / "c.db", tmp_path / "bots"), frozen=False, leave_out=lambda *_: None) as session:
        screen = contest_live.Screen(session, Speaker(language))
        screen.total, screen.played, screen.aside, screen.began = 144, 112, 3, monotonic() - 1000
        out = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
        out.print(screen)
        drawn = out.file.getvalue().split("\n", 1)[1]  # type: ignore[attr-defined]
    assert "…" not in drawn
    told = drawn.replace("━", "").replace("\n", "").replace(" ", "")
    assert told == screen.summary().replace(" ", "")
    room = width - cell_len(screen.summary()) - len(contest_live.GAP)
    assert drawn.count("━") == (0 if room < contest_live.LEAST_BAR else min(room, contest_live.BAR))
