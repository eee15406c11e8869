"""The last match that was played, kept for the word `last`."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core import playback
from dohyo.core.errors import OperatorError
from dohyo.core.replay import FORMAT, Replay
from dohyo.match.replays import last, replays
from dohyo.system import cache_mark
from tests.cli.conftest import BOTS, Type, folder, typed
from tests.web.matches import play, troubled

__all__ = ["folder", "typed"]

FOLDER = last.FOLDERS[last.WORD]


def place(cache: Path) -> Path:
    """The folder of the matches that were kept from a single folder."""
    (found,) = (cache / FOLDER).iterdir()
    return found


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own: other tests play matches, too."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def kept(cache: Path) -> list[Path]:
    """What is in the folder of kept matches."""
    return sorted(place(cache).iterdir())


def assert_none() -> None:
    """No match is kept, and a sentence says so."""
    with pytest.raises(OperatorError, match="No match is kept as 'last'"):
        last.load()


def test_the_last_match_is_kept_as_it_was(cache: Path) -> None:
    """What is read is what was played, with what was typed; only a few files stay, and nobody else can read them."""
    assert_none()
    for seed in range(7):
        match = troubled() if seed == 6 else play(seed)
        assert last.keep(match, ["hunter", "a\udcff", str(seed)])
    found, told = last.load()
    assert (found.header.dohyo, found.turns, found.result) == (FORMAT, match.turns, match.result)
    assert (told.words, told.folder) == (("hunter", "a\ufffd", "6"), os.getcwd())
    assert replays.find("last") == found
    assert len(kept(cache)) == last.MAX_FILES
    assert {file.stat().st_mode & 0o777 for file in kept(cache)} == {0o600}
    assert place(cache).stat().st_mode & 0o777 == 0o700


def test_a_match_that_cannot_be_kept_leaves_none(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a match is too large, an earlier one is not taken for it."""
    assert last.keep(play(1), [])
    monkeypatch.setattr(last, "MAX_BYTES", 1000)
    assert not last.keep(play(2), [])
    assert kept(cache) == []
    assert_none()


def test_a_folder_that_others_can_open_is_not_used(cache: Path) -> None:
    """Nothing is written to a folder that is not private, nor read from it, and nothing fails."""
    assert last.keep(play(1), [])
    before = kept(cache)
    place(cache).chmod(0o755)
    assert not last.keep(play(2), [])
    assert kept(cache) == before
    assert_none()
    place(cache).chmod(0o700)
    assert last.load()[0].header.seed == 1


def test_what_an_ended_process_left_is_removed(cache: Path) -> None:
    """A file that was never finished goes with the next match, but not one that may still be written."""
    assert last.keep(play(1), ["a"])
    for name, age in ((".old", 2 * last.OLD), (".new", 0)):
        (place(cache) / name).touch()
        os.utime(place(cache) / name, (time.time() - age,) * 2)
    assert last.keep(play(2), ["a"])
    assert sorted(file.name for file in place(cache).iterdir() if file.name[0] == ".") == [".new"]


def test_it_can_be_turned_off(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With DOHYO_LAST=0 nothing is kept, nor where there is no place for it."""
    monkeypatch.setenv("DOHYO_LAST", "0")
    assert not last.keep(play(1), [])
    assert not cache.exists()
    monkeypatch.delenv("DOHYO_LAST")
    cache.write_text("no folder")
    assert not last.keep(play(1), [])
    assert_none()


def test_a_match_that_goes_on_from_another_is_kept_apart(cache: Path) -> None:
    """However often one goes on from `last`, it stays the match that it was; the other has a word of its own."""
    begun, other = play(1), play(1, setup={"turns": 20})
    other.header = replace(other.header, start=matches_start(other))
    assert last.keep(begun, ["a"]) == "last"
    with pytest.raises(OperatorError, match="No match is kept as 'last-from'"):
        replays.find("last-from")
    assert last.keep(other, ["b"]) == "last-from"
    assert (last.load()[1].words, last.load("last-from")[1].words) == (("a",), ("b",))
    assert replays.find("last").turns == begun.turns
    assert replays.find("last-from").turns == other.turns


def matches_start(match: Replay) -> dict[str, object]:
    """A state that a match may begin with."""
    game = games.find(match.header.game)
    return dict(game.rules.LAYOUT.as_dict(playback.state_at(game, match, 0)))


def test_matches_that_end_at_once_do_not_mix(cache: Path) -> None:
    """Of many that are kept at once, whoever reads finds one of them, whole, with its own words."""
    matches = [play(seed, setup={"turns": 20}) for seed in range(4)]

    def keep(number: int) -> str:
        match = matches[number % 4]
        return last.keep(match, [str(match.header.seed)])

    def read(_: int) -> tuple[Replay, last.Typed]:
        return last.load()

    keep(0)
    with ThreadPoolExecutor(4) as pool:
        done = pool.map(keep, range(80))
        for found, told in pool.map(read, range(40)):
            assert found.turns == matches[int(told.words[0])].turns
        assert all(done)
    assert len(kept(cache)) <= last.MAX_FILES + 4


def test_each_folder_has_its_own(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is played in another folder is not `last` here; a folder that is reached by a link is the same folder."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to("one")
    monkeypatch.chdir(tmp_path / "one")
    assert last.keep(play(1), [])
    monkeypatch.chdir(tmp_path / "other")
    assert_none()
    assert last.keep(play(2), [])
    monkeypatch.chdir(tmp_path / "link")
    assert last.load()[0].header.seed == 1


def test_not_every_folder_is_kept_for_ever(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many folders the ones that were used last stay, and what an older version kept for all goes."""
    monkeypatch.setattr(last, "MAX_FOLDERS", 2)
    cache_mark.mark(cache)
    (cache / FOLDER).mkdir(parents=True)
    (cache / FOLDER / "12-ab").touch()
    match = play(1)
    for number in range(4):
        (tmp_path / str(number)).mkdir()
        monkeypatch.chdir(tmp_path / str(number))
        assert last.keep(match, [])
        for at, one in enumerate(sorted((cache / FOLDER).iterdir(), key=lambda each: each.stat().st_mtime)):
            os.utime(one, (at, at))
    assert len(list((cache / FOLDER).iterdir())) == 2
    assert last.load()[0].header.seed == 1


def test_it_is_told_which_match_it_is(typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `last` is typed, one line says which match it is, and nothing is added to what the command prints."""
    monkeypatch.setitem(sys.modules, "numba", None)  # which would have to compile
    status, out, err = typed("replay", "last", "--verify")
    assert (status, out) == (2, "")
    assert "for this folder" in err
    bots = ("./still", "./mumbler", "./still", "./still")
    assert typed("play", "drop-block", *bots, "--trust", "--seed", "5", "--setup", "turns=8")[0] == 0
    for words in (
        ("replay", "last"),
        ("rerun", "last", "0", "./still", "--trust"),
        ("analyse", "last", "--seconds", "1"),
    ):
        status, out, err = typed(*words)
        assert status == 0, err
        assert err.count("'last' is: drop-block, still, mumbler, still") == 1
        assert "seed 5, 8 turns, played 20" in err
        assert "is: drop-block" not in out


def test_standard_error_of_a_bot_without_faults(typed: Type, folder: Path) -> None:
    """One line says where it can be read, after the match and of its replay; nothing where nobody wrote any."""
    quiet = BOTS["still"].replace("$word", '"$word"')
    (folder / "quiet").write_text(quiet)
    (folder / "talks").write_text(f"echo hello >&2; {quiet}")
    others = ["sh quiet"] * 3
    words = ("play", "drop-block", "sh talks", *others, "--setup", "turns=9", "--trust")
    told = "wrote to standard error: 'dohyo replay last --watch' shows it"
    assert typed(*words).out.count(told) == 1
    assert typed("replay", "last").out.count(told) == 1
    assert (
        "standard error" not in typed("play", "drop-block", "sh quiet", *others, "--setup", "turns=9", "--trust").out
    )


def test_what_is_typed_after_a_match(typed: Type, folder: Path) -> None:
    """`last` stands wherever a replay does: looked at, run again with the bots that were typed, taken up."""
    (folder / "asks").write_text(BOTS["mumbler"])
    words = ("play", "drop-block", "sh asks", "./still", "./still", "./still", "--setup", "turns=9", "--seed", "11")
    assert "'dohyo replay last --faults' shows each fault" in typed(*words, "--trust").out
    assert "malformed, 3 times" in typed("replay", "last").out
    assert typed("replay", "last", "--inputs", "1", "--turn", "1").out.startswith("1\n")
    again = typed("rerun", "last", "0", "--trust")
    assert (again.status, "in all 3 turns" in again.out or "3 turns:" in again.out) == (0, True)
    taken_up = ("play", "drop-block", *["./still"] * 4, "--trust", "--from", "last@5")
    assert "from turn 5 on" in typed(*taken_up).out
    assert "9 turns" in typed("replay", "last").out  # the match that was branched from
    assert "'last-from' means this match by now" in typed(*taken_up, "--first", "1=U").out
    assert "Continued from another replay at turn 6." in typed("replay", "last-from").out
    typed(*taken_up[:-2], "--setup", "turns=4", "--save", "last")
    typed(*taken_up[:-2], "--setup", "turns=5")
    assert (
        "after 5 turns" in typed("replay", "last").out
    )  # whatever is called so: a stranger's file must not pass for it
    assert "after 4 turns" in typed("replay", "./last").out
