"""A match that is watched while it is played: the same frames as in the viewer afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dohyo import bots
from dohyo.core.bot_spec import Sample
from dohyo.core.replay import Replay
from dohyo.games import all_games, find
from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.pages import hand_ins as pages
from dohyo.guests.site.pages import live
from dohyo.guests.site.pages.hand_ins import HandInSource
from dohyo.guests.site.pages.live import LadderSource
from dohyo.guests.site.people import accounts
from dohyo.guests.site.tables import open_site
from dohyo.match.play import play_match
from dohyo.match.replays.live_match import LiveMatch
from dohyo.match.replays.turn_file import TurnFile
from dohyo.series.store.files import Files
from dohyo.web.content import content


def test_a_delayed_match_keeps_its_last_turns_back(tmp_path: Path) -> None:
    """While it is played nobody sees the last turns; once it is over, all of them are there."""
    game = find("othello")
    with TurnFile(tmp_path / "whole") as writer:
        play_match(game, [Sample("random")] * 2, on_turn=writer.on_turn, sandbox="none")
    lines = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    path = tmp_path / "live"
    path.write_bytes(b"".join(lines[:12]))  # the header, and 11 turns
    match = LiveMatch(game, path, delay=8)
    told = match.more()
    assert [turn["turn"] for turn in told[1:]] == [0, 1, 2]
    assert match.more() == []
    with open(path, "ab") as file:
        file.write(b"".join(lines[12:]))
    told += match.more()
    assert match.is_over
    assert len(told) - 1 == len(lines) - 2
    match.close()


class Checked:
    """A hand-in of a site without a server, and the file of its match as another machine sends it, piece by piece."""

    def __init__(self, folder: Path) -> None:
        self.database = open_site(str(folder / "site.db"))
        author = accounts.sign_up(self.database, "Author", "correct horse", "here")
        ladder = ladders.make(self.database, author, "othello")
        files = Files(folder / "files")
        self.number = hand_ins.hand_in(self.database, files, ladder, author, "Bot", "a.py", b"1")
        assert hand_ins.next_waiting(self.database, "judge") is not None
        with TurnFile(folder / "whole") as writer:
            game = find("othello")
            play_match(game, [Sample("random")] * 2, on_turn=writer.on_turn, sandbox="none")
        self.lines = (folder / "whole").read_bytes().splitlines(keepends=True)
        self.path = folder / "live"
        self.source = HandInSource(self.database, game, self.path, self.number)

    def arrives(self, lines: list[bytes]) -> None:
        """More of the file is here."""
        with open(self.path, "ab") as file:
            file.write(b"".join(lines))

    def ends(self, state: hand_ins.State = "entered") -> None:
        """The judge is done with it."""
        assert hand_ins.finish(self.database, self.number, "judge", state, "", None)

    def told(self) -> list[str]:
        """The names of what is new."""
        return [event.name for event in self.source.more()]


@pytest.fixture
def checked(tmp_path: Path) -> Iterator[Checked]:
    """Such a hand-in."""
    found = Checked(tmp_path)
    yield found
    found.source.close()
    found.database.close()


@pytest.mark.parametrize("late", ["all of it", "its end"])
def test_the_last_turns_of_a_match_elsewhere_are_shown(checked: Checked, late: str) -> None:
    """The judge's word that all is done may come before the last turns from its machine: these are waited for."""
    assert checked.told() == ["state"]
    here = 0 if late == "all of it" else len(checked.lines) // 2
    if here:
        checked.arrives(checked.lines[:here])
        assert checked.told() == ["match", "turns"]
    checked.ends()
    assert checked.told() == ["state"]
    assert not checked.source.is_over
    checked.arrives(checked.lines[here:-1])
    assert checked.told() == (["turns"] if here else ["match", "turns"])
    checked.arrives(checked.lines[-1:])
    assert checked.told() == ["done"]
    assert checked.source.is_over


def test_turns_that_never_come_are_not_waited_for(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few seconds the end is told all the same: a judge's machine may have gone."""
    now = 0.0
    monkeypatch.setattr(pages, "monotonic", lambda: now)
    checked.told()
    checked.arrives(checked.lines[:5])
    checked.ends()
    assert "done" not in checked.told()
    now = pages.LAST_TURNS
    assert checked.told() == ["done"]


@pytest.mark.parametrize("state", ["refused", "entered"])
def test_where_no_match_is_to_come_the_end_is_told_at_once(checked: Checked, state: hand_ins.State) -> None:
    """A refused hand-in has no match, and that of one that was done before is in its replay."""
    if state == "refused":
        checked.told()
    checked.ends(state)
    assert checked.told() == ["state", "done"]


GAMES = sorted(name for name, game in all_games().items() if "random" in bots.samples_of(game))


@pytest.mark.parametrize("name", GAMES)
def test_live_frames_are_those_of_the_viewer(tmp_path: Path, name: str) -> None:
    """Whoever watches sees each frame that the page shows later, from the first one on, as it is written."""
    game = all_games()[name]
    seats = max(2, game.seats[0])
    told = []
    with TurnFile(tmp_path / "match") as writer:
        reader = LiveMatch(game, tmp_path / "match")

        def on_turn(replay: Replay) -> None:
            writer.on_turn(replay)
            told.extend(reader.more())

        replay = play_match(game, [Sample("random")] * seats, setup=game.demo, on_turn=on_turn, sandbox="none")
    told.extend(reader.more())
    reader.close()
    shown = content(game, replay, form=lambda whole: whole)["views"][0]["frames"]
    assert [one["frame"] for one in told] == shown
    assert reader.is_over


def test_a_match_that_begins_is_looked_for_less_often_than_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look goes through a folder: turns of the match that is shown are read at once all the same."""
    now, looked = 0.0, 0

    def on_air(folder: Path, series: str) -> None:
        nonlocal looked
        looked += 1

    monkeypatch.setattr(live, "on_air", on_air)
    monkeypatch.setattr(live.time, "monotonic", lambda: now)
    arena = Arena(str(tmp_path / "arena.db"), tmp_path)
    source = LadderSource(arena, tmp_path, ladders.Ladder(1, "othello", "Othello", "othello"))
    for _ in range(100):
        now += 0.1
        source.more()
    assert looked <= 100 * 0.1 / live.NEXT
    arena.close()
