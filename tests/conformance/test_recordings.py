"""Every game against the recorded games of its original referee, and the command that says so."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import skips
from tests.conformance import recordings
from tests.conformance.__main__ import main

GAMES = sorted(recordings.comparisons())


def slice_of(game: str) -> Path:
    """The recordings that are shipped."""
    return recordings.SLICES / f"{game}{recordings.ENDING}"


@pytest.mark.parametrize("game", GAMES)
def test_the_slice_is_reproduced(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Our rules give every shipped recorded game again, with no difference, and a line says so."""
    status = main([game, str(slice_of(game))])
    said = capsys.readouterr()
    assert (status, said.err) == (0, "")
    head, *counts = said.out.split()
    assert head == game
    names, numbers = zip(*(count.split("=") for count in counts), strict=True)
    assert names == ("games", recordings.comparisons()[game].COUNTED, "differences")
    assert int(numbers[0]) >= 10, "a slice holds at least ten games"
    assert int(numbers[1]) >= 1000, "and a thousand positions"
    assert numbers[2] == "0"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_more_recordings_are_reproduced(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """So it is with all recordings that can be found beside the project."""
    files = recordings.files(game)
    if not files:
        sentence = f"no recordings in {recordings.folder() / game}; DOHYO_RECORDINGS names the folder above"
        skips.skip_for(skips.Reason.MISSING, sentence)
    assert main([game, *map(str, files)]) == 0, capsys.readouterr().err
    assert "differences=0" in capsys.readouterr().out


def test_every_slice_is_small_and_has_a_module() -> None:
    """A slice is under 1 MB, and each game that has one is compared, and the other way round."""
    slices = sorted(recordings.SLICES.glob(f"*{recordings.ENDING}"))
    assert [path.name.removesuffix(recordings.ENDING) for path in slices] == GAMES
    assert all(path.stat().st_size < 1_000_000 for path in slices)


def test_recordings_are_looked_for_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """$DOHYO_RECORDINGS names a folder with one folder a game; without it the one beside the project is taken."""
    monkeypatch.setenv("DOHYO_RECORDINGS", str(tmp_path))
    assert recordings.files("drop-block") == []
    (tmp_path / "drop-block").mkdir()
    file = tmp_path / "drop-block" / f"games{recordings.ENDING}"
    file.touch()
    assert recordings.files("drop-block") == [file]
    monkeypatch.delenv("DOHYO_RECORDINGS")
    assert recordings.folder() == recordings.ROOT.parent / "shared" / "conformance"


@pytest.mark.process
def test_the_command_is_one_line_and_a_status() -> None:
    """`python -m tests.conformance GAME FILE` from the project's root prints its line and nothing else."""
    words = [sys.executable, "-m", "tests.conformance", GAMES[0], str(slice_of(GAMES[0]))]
    done = subprocess.run(words, cwd=recordings.ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{GAMES[0]} games=")
    assert done.stdout.endswith(" differences=0\n")
    assert done.stdout.count("\n") == 1


def test_several_files_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Games and states of all files named are added up."""
    game = GAMES[0]
    first = next(recordings.recorded_games(slice_of(game)))
    files = [write(tmp_path / f"{n}.gz", [first] * n) for n in (1, 2)]
    assert main([game, *files]) == 0
    assert f"{game} games=3 " in capsys.readouterr().out


def test_wrong_use_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown game, no file, or a file that is none of recordings: a sentence, nothing counted, exit 2."""
    plain = tmp_path / "plain.gz"
    plain.write_text("{}")
    cut = tmp_path / "cut.gz"
    cut.write_bytes(slice_of(GAMES[0]).read_bytes()[:5000])
    words = [[], [GAMES[0]], ["draughts", str(plain)], [GAMES[0], str(tmp_path / "missing")]]
    words += [[GAMES[0], str(plain)], [GAMES[0], str(cut)], [GAMES[0], write(tmp_path / "none.gz", [])]]
    for wrong in words:
        assert main(wrong) == 2, wrong
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.endswith(".\n"), said.err
        assert "Traceback" not in said.err


def write(path: Path, games: list[object]) -> str:
    """Write recorded games as a file of recordings; its name."""
    path.write_bytes(gzip.compress("".join(json.dumps(game) + "\n" for game in games).encode(), mtime=0))
    return str(path)
