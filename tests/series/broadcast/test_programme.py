"""A whole broadcast: of a contest that is over, of one that is being played, of one that only begins."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.replay_format import decode
from dohyo.executors.told import is_watched, wishes
from dohyo.games import find
from dohyo.i18n import Speaker
from dohyo.match.replays.live_match import LiveMatch
from dohyo.series.broadcast import programme
from dohyo.series.broadcast.lines import Line
from dohyo.series.broadcast.programme import RECENT, Programme, Told
from dohyo.series.broadcast.stage import Stage
from dohyo.series.store import open_store
from dohyo.series.watched import live_folder, series_of
from tests.series.contests import asked, opened, play, write_bots

Hear = Callable[[list[Told]], bool]


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small contest that is over."""
    home = tmp_path_factory.mktemp("held")
    write_bots(home / "bots")
    store = home / "c.db"
    play(asked(store, home / "bots"))
    session = opened(asked(store, home / "bots"))
    with session:
        session.store.set_state(session.contest.id, "over")
    return store


def told_by(programme: Programme, enough: Hear, seconds: float = 4000.0) -> list[Told]:
    """All that a programme tells until it is enough, on a clock that nobody waits for."""
    now, told = 1000.0, []
    while now < 1000.0 + seconds:
        told += programme.more(now)
        if enough(told):
            return told
        now += 0.25
    raise AssertionError([each.name for each in told][-50:])


def ends(count: int) -> Hear:
    """Enough, once so many matches have ended."""
    return lambda told: sum(each.name == "end" for each in told) >= count


def numbers(told: list[Told]) -> list[int]:
    """The matches that were shown."""
    return [each.values["number"] for each in told if each.name == "match"]


def lines(told: list[Told]) -> list[Line]:
    """What was said."""
    return [each.values["line"] for each in told if each.name == "line"]


def test_a_contest_that_is_over_is_a_film(held: Path) -> None:
    """Match after match is shown from its first position to its last turn, none twice, with who has won."""
    with closing(Programme(Stage(open_store(str(held))))) as programme:
        told = told_by(programme, ends(3))
    shown = numbers(told)
    assert len(shown) == len({*shown})
    begun = [each for each in told if each.name == "match"]
    assert not any(each.values["live"] for each in begun)
    with open_store(str(held)) as store:
        contest = store.contest()
        for number, end in zip(shown, (each for each in told if each.name == "end"), strict=False):
            result = store.result(contest, number)
            assert tuple(end.values["places"]) == result.places
            at = told.index(next(each for each in begun if each.values["number"] == number))
            turns = [
                turn for each in told[at : told.index(end)] if each.name == "turns" for turn in each.values["turns"]
            ]
            assert result.replay is not None
            replay = decode(store.files.get(result.replay))
            assert turns[0]["turn"] is None
            played = [turn.turn for turn in replay.turns if turn.moves]
            assert [turn["turn"] for turn in turns[1:]] == played
            last = list(playback.moments(Stage(store).game, replay))[-1]
            game = Stage(store).game
            assert turns[-1]["frame"] == game.frame(last.before, last.actions, last.events, last.after)


@pytest.mark.parametrize("age", [0.0, RECENT + 1], ids=["now", "long ago"])
def test_only_what_has_just_ended_is_called_so(held: Path, monkeypatch: pytest.MonkeyPatch, age: float) -> None:
    """A match that ended some minutes ago was played before, also in a contest that goes on."""
    with open_store(str(held)) as store:
        newest = max(each.at for each in store.played(store.contest().id))
        oldest = min(each.at for each in store.played(store.contest().id))
    monkeypatch.setattr(programme, "time", lambda: newest + age if age else oldest)
    with closing(Programme(Stage(open_store(str(held))))) as shown:
        told = told_by(shown, ends(1))
    assert next(each.values["film"] for each in told if each.name == "match") is bool(age)


def test_everybody_of_a_contest_is_seen(held: Path) -> None:
    """After a few matches each bot was on the screen."""
    with closing(Programme(Stage(open_store(str(held))))) as programme:
        told = told_by(programme, ends(8))
        known = {each.number for each in programme.stage.entrants()}
    seen = {seat["entrant"] for each in told if each.name == "match" for seat in each.values["seats"]}
    assert seen == known


def test_whoever_comes_later_needs_nothing_of_before(held: Path) -> None:
    """With each match come the standings, and who plays next; and only a match makes others forgotten."""
    with closing(Programme(Stage(open_store(str(held))))) as programme:
        told = told_by(programme, ends(2))
    at = [place for place, each in enumerate(told) if each.begins]
    assert [told[place].name for place in at] == ["match"] * len(at)
    assert all([each.name for each in told[place + 1 : place + 3]] == ["table", "next"] for place in at)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_everything_that_is_said_has_its_sentence(held: Path, language: str) -> None:
    """No key is without a sentence, no sentence without its values: in either language."""
    with closing(Programme(Stage(open_store(str(held))))) as programme:
        told = told_by(programme, ends(5))
        speaker = Speaker(language).knowing(programme.stage.game.catalogue)
    said = [speaker.say_any(line.said) for line in lines(told)]
    assert len(said) > 10
    assert not [each for each in said if "broadcast." in each or "{" in each]


def test_a_contest_without_any_match_is_quiet(folder: Path, store: Path) -> None:
    """Before there is something to be seen, that is told once, and nothing else but standings."""
    with opened(asked(store, folder)):
        pass
    with closing(Programme(Stage(open_store(str(store))))) as programme:
        told = [each for at in range(100) for each in programme.more(1000.0 + at)]
    assert [each.name for each in told if each.name != "table"] == ["quiet"]


@pytest.fixture
def elsewhere(folder: Path, store: Path) -> Iterator[Callable[[], None]]:
    """A contest that another process plays as soon as it is told to; told again, it goes on."""
    with opened(asked(store, folder)):
        pass
    words = [sys.executable, "-m", "tests.series.broadcast.playing", str(store), str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        begin = process.stdin.write
        yield lambda: print(begin("\n"), file=process.stdin, flush=True)
        process.stdin.close()
    assert process.returncode == 0


def test_a_contest_is_watched_while_another_process_plays_it(elsewhere: Callable[[], None], store: Path) -> None:
    """A match that is being played is shown turn by turn, as its replay has it afterwards; then its end is told."""
    with closing(Programme(Stage(open_store(str(store))))) as programme:
        stage = programme.stage
        now, told = 1000.0, []
        told += programme.more(now)
        live = live_folder(stage.store)
        assert live is not None
        assert is_watched(live, series_of(stage.contest))
        elsewhere()
        while not any(each.name == "match" and each.values["live"] for each in told):
            now += 0.25
            told += programme.more(now)
        number = next(each.values["number"] for each in told if each.name == "match" and each.values["live"])
        begun = next(at for at, each in enumerate(told) if each.name == "match" and each.values["number"] == number)
        while not any(each.name == "end" for each in told[begun:]):
            now += 0.25
            told += programme.more(now)
        elsewhere()
        end = next(each for each in told[begun:] if each.name == "end")
        turns = [turn for each in told[begun:] if each.name == "turns" for turn in each.values["turns"]]
        while (result := stage.result(number)) is None:
            pass
        replay = stage.replay(result)
        assert replay is not None
        assert tuple(end.values["places"]) == result.places
        assert [turn["turn"] for turn in turns[1:]] == [turn.turn for turn in replay.turns if turn.moves]


def test_watching_writes_nothing_into_the_store(held: Path) -> None:
    """Whoever plays never waits for who watches: no lease is taken, and nothing in the database changes."""
    with closing(sqlite3.connect(held)) as connection:
        before = "\n".join(connection.iterdump())
    with closing(Programme(Stage(open_store(str(held))))) as programme:
        told_by(programme, ends(1))
        live = live_folder(programme.stage.store)
        assert live is not None
        assert not live.exists()  # of a contest that is over nothing is asked for, either
    with closing(sqlite3.connect(held)) as connection:
        assert "\n".join(connection.iterdump()) == before


def test_strangers_live_files_keep_nobody_waiting(tmp_path: Path) -> None:
    """What is beside a store may come from somebody else: no pipe is waited for, no link followed, and it is read."""
    os.mkfifo(tmp_path / "contest-1-watched")
    os.mkfifo(tmp_path / "contest-1-match-1")
    (tmp_path / "contest-1-match-2").symlink_to("/dev/zero")
    assert wishes(tmp_path, "contest-1") == frozenset()
    for number in (1, 2):
        with pytest.raises(OSError):  # noqa: PT011 - whichever it is
            LiveMatch(find("othello"), tmp_path / f"contest-1-match-{number}")
    for content in (b"{}\n", b"\xff\n", b"[" * 5000 + b"\n", b"x" * 100 + b"\n\n"):
        (tmp_path / "contest-1-match-3").write_bytes(content)
        with closing(LiveMatch(find("othello"), tmp_path / "contest-1-match-3")) as match, pytest.raises(ReplayError):
            match.moments()
