"""What is drawn while a contest runs."""

from __future__ import annotations

import io
from pathlib import Path
from time import monotonic

import pytest
from rich.cells import cell_len
from rich.console import Console

from dohyo.i18n import ENGLISH, Speaker
from dohyo.series.session import begin
from dohyo.series.telling.words import time_left
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


@pytest.mark.parametrize(
    ("seconds", "told", "in_japanese"),
    [
        (0.2, "0 s", "0 秒"),
        (59.9, "59 s", "59 秒"),
        (248, "4 min 08 s", "4 分 08 秒"),
        (3725, "1 h 02 min", "1 時間 02 分"),
    ],
)
def test_a_long_time_is_written_for_people(seconds: float, told: str, in_japanese: str) -> None:
    """To the second, or the minute of hours, in the words of each language."""
    assert (time_left(seconds, ENGLISH), time_left(seconds, Speaker("ja"))) == (told, in_japanese)
