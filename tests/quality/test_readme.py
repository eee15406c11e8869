"""The README: its bot plays the match that it shows, and that match is the one of its film and of the first page."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from docs.website.first_match import REPLAY

import dohyo
from dohyo.core import replay_format
from dohyo.core.replay import Replay
from tests.quality.pages import blocks, patient, put, walk
from tests.quality.project import ROOT
from tests.quality.test_how_to import Shell

PAGES = {"en": ROOT / "README.md", "ja": ROOT / "README.ja.md"}
MAX_WORDS = 480  # of the English page: one screen and a half
MAX_LINES = 10  # of its bot, without empty ones


@pytest.mark.parametrize("language", PAGES)
def test_the_bot_plays_the_match_that_is_shown(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one saves and types prints what stands there."""
    cache = {"DOHYO_LANG": language, "COLUMNS": "200", "DOHYO_CACHE": str(tmp_path / "cache")}
    for name, value in {**cache, "HOME": str(tmp_path), "GIT_CONFIG_GLOBAL": os.devnull}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "work").mkdir()
    walk(PAGES[language], tmp_path / "work", Shell(patient(f"{sys.executable} -m dohyo", tmp_path / "programs")))


def test_the_first_page_shows_that_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The replay of the first page has the moves of the README's command; where not, run docs/first_match.py."""
    kept = replay_format.decode(REPLAY.read_bytes())
    monkeypatch.chdir(tmp_path)
    for block in blocks(PAGES["en"].read_text(encoding="utf-8")):
        if block.title:
            put(block, tmp_path, "README.md")
    names = [seat.name for seat in kept.header.seats]
    bots = [f"{name}.py" if (tmp_path / f"{name}.py").exists() else name for name in names]
    typed = f"dohyo play {kept.header.game} {' '.join(bots)} --seed {kept.header.seed} "
    assert typed in PAGES["en"].read_text(encoding="utf-8")
    played = dohyo.play(kept.header.game, bots, seed=kept.header.seed, clock=60.0)
    assert moves(played) == moves(kept)


def moves(replay: Replay) -> list[list[str]]:
    """What was answered in each turn."""
    return [[move.action for move in turn.moves] for turn in replay.turns]


def test_it_is_short() -> None:
    """It is read in two minutes: few words, a bot of ten lines, and each door has at most five lines."""
    text = PAGES["en"].read_text(encoding="utf-8")
    assert len(text.split()) <= MAX_WORDS
    (bot,) = [block.body for block in blocks(text) if block.title]
    assert len([line for line in bot.splitlines() if line]) <= MAX_LINES
    doors = [part for part in text.split("\n## ")[1:] if part.startswith("I ")]
    assert len(doors) == 4
    assert all(part.count("\n* ") <= 5 for part in doors)
