"""Chess and the other classics as they are typed: their list, an opening from a file, a game in PGN."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.cli.conftest import Type

MATE = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"


def test_the_classics_are_listed_apart(typed: Type) -> None:
    """All games without them, and their names below; one is described when it is named."""
    status, out, _ = typed("games")
    assert status == 0
    listed = out.splitlines()[-1].removesuffix(".").rpartition(": ")[2].split(", ")
    assert {"backgammon", "chess", "go", "hex", "kuhn-poker", "leduc-poker", "othello"} <= {*listed}
    assert "opening=" not in out
    status, out, _ = typed("games", "chess")
    assert out.startswith("chess   Chess: ")
    assert "opening=usual" in out
    _, out, _ = typed("games", "chess", "hex", "--json")
    assert [game["name"] for game in json.loads(out)] == ["chess", "hex"]


def test_a_game_in_pgn(typed: Type, folder: Path) -> None:
    """From a position in a file to the notation of what was played."""
    (folder / "book.epd").write_text(f"{MATE}\n")
    words = ("play", "chess", "random", "random", "--seed", "4", "--setup", "opening=@book.epd")
    assert typed(*words, "--save", "m.replay", "--clock", "20+5").status == 0
    status, out, err = typed("replay", "m.replay", "--pgn", "-")
    assert (status, err) == (0, "")
    assert f'[FEN "{MATE}"]' in out
    assert '[TimeControl "20+5"]' in out
    assert typed("replay", "m.replay", "--pgn", "m.pgn").out == "PGN: m.pgn\n"
    assert (folder / "m.pgn").read_text() == out
    status, _, err = typed("replay", "m.replay", "--pgn", "m.pgn")
    assert (status, "--force" in err) == (2, True)
    assert typed("replay", "m.replay", "--pgn", "m.pgn", "--force").status == 0
    assert typed("replay", "m.replay", "--pgn", "-", "--verify").err.startswith("--pgn gives that one thing")


def test_what_cannot_be(typed: Type, folder: Path) -> None:
    """One sentence each."""
    typed("play", "kuhn-poker", "random", "random", "--save", "k.replay")
    assert typed("replay", "k.replay", "--pgn", "-").err.startswith("kuhn-poker has no notation in PGN")
    (folder / "long").write_text("x" * (1 << 20) + "x")
    for value, said in (("@none", "'none' cannot be read"), ("@long", "too long"), ("e5e4", "does not take 'e5e4'")):
        status, _, err = typed("play", "chess", "random", "random", "--setup", f"opening={value}")
        assert status == 2
        assert said in err


def test_a_pipe_in_the_place_of_a_book(typed: Type) -> None:
    """A book that somebody has replaced by a pipe is refused: nobody may ever write to it. Here somebody does."""
    os.mkfifo("book.epd")
    writer = subprocess.Popen(["sh", "-c", "echo 8/8/8/8/8/8/8/8 > book.epd"])
    try:
        done = typed("play", "chess", "random", "random", "--setup", "opening=@book.epd")
    finally:
        writer.kill()
        writer.wait()
    assert done.status == 2
    assert "not an ordinary file" in done.err
