"""New bots as real programs: each language's starter is built, plays without a fault, answers as its test says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dohyo import bots
from dohyo.core.options import resolve
from dohyo.games import find
from dohyo.guests.starters import names
from dohyo.guests.starters.folder import make_bot
from dohyo.guests.starters.language import language as language_of
from dohyo.i18n import ENGLISH
from dohyo.match.play import play_match
from tests import skips

PATIENCE = 600.0  # seconds until a program counts as hanging; no test depends on how much less it takes
# By language: what it needs here, and the game whose starter is built in the ordinary run; "" for all of them.
LANGUAGES = {
    "python": ("", ""),
    "javascript": ("node", ""),
    "c": ("cc", "wondev-woman"),
    "cpp": ("g++", "abotcalypse"),
    "csharp": ("mcs", "shoot-em-up"),
    "go": ("go", "drop-block"),
    "java": ("javac", "wondev-woman"),
    "kotlin": ("kotlinc", "drop-block"),  # where it is started once, and not for each turn
    "rust": ("cargo", "shoot-em-up"),
}
# A short match of each game: its setup.
GAMES = {
    "abotcalypse": {"turns": 40},
    "drop-block": {"turns": 48},
    "shoot-em-up": {"pairs": 30},
    "wondev-woman": {"map": "square"},
}
CASES = [
    pytest.param(language, game, marks=() if usual in ("", game) else pytest.mark.full)
    for language, (_, usual) in LANGUAGES.items()
    for game in GAMES
]


def made(language: str, game: str, place: Path) -> Path:
    """A new bot's folder; skips the test where the language's tools are missing."""
    if need := LANGUAGES[language][0]:
        skips.program(need)
    chosen = find(game)
    return make_bot(chosen, language, str(place / "mine"), resolve(chosen.options, {}), {}, ENGLISH).folder


def test_every_language_is_tried() -> None:
    """No language that can be asked for is left out."""
    assert LANGUAGES.keys() == {*names()}


@pytest.mark.parametrize(("language", "game"), CASES)
def test_it_plays_and_answers_as_recorded(language: str, game: str, tmp_path: Path) -> None:
    """The folder as it is made is built, plays without a fault, and answers the recorded input as recorded."""
    folder = made(language, game, tmp_path)
    before = {path.relative_to(folder) for path in folder.rglob("*")}
    others = ["random"] * (max(2, find(game).seats[0]) - 1)
    replay = play_match(game, [folder, *others], seed=5, setup=GAMES[game], clock=PATIENCE)
    faults = [fault for turn in replay.turns for move in turn.moves if move.seat == 0 for fault in move.faults]
    assert not faults
    assert sum(move.seat == 0 and move.reply is None for turn in replay.turns for move in turn.moves) > 3
    (bot,) = bots.resolve([str(folder)])
    assert (bot.name, bot.language) == ("mine", language_of(language).row)
    given, wanted = (folder / "test" / name for name in ("input.txt", "answers.txt"))
    done = subprocess.run(
        bot.command,
        cwd=bot.folder,
        input=given.read_bytes(),
        capture_output=True,
        timeout=PATIENCE,
        env={"DOHYO_SEED": "1"},
        check=True,
    )
    assert done.stdout == wanted.read_bytes()
    assert {path.relative_to(folder) for path in folder.rglob("*")} == before


@pytest.mark.parametrize(
    "language",
    [language if language == "python" else pytest.param(language, marks=pytest.mark.full) for language in LANGUAGES],
)
def test_its_own_test_passes(language: str, tmp_path: Path) -> None:
    """`sh test.sh` says that all is well, leaves nothing behind, and notices another answer, which it can accept."""
    folder = made(language, "drop-block", tmp_path)
    before = {path.relative_to(folder) for path in folder.rglob("*")}

    def tested(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            ["sh", folder / "test.sh", *words], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        return done.returncode, done.stdout + done.stderr

    status, said = tested()
    assert (status, said.splitlines()[:1]) == (0, ["31 lines of output, as in test/answers.txt."]), said
    assert {path.relative_to(folder) for path in folder.rglob("*")} == before
    if language == "python":
        main, answers = folder / "main.py", folder / "test" / "answers.txt"
        main.write_text(main.read_text().replace("RANDOM.choice(ANSWERS)", '"A"'))
        status, said = tested()
        assert status == 1
        assert "sh test.sh --accept" in said
        assert " of 31 answers (>) differ from test/answers.txt (<)" in said
        assert len(said.splitlines()) <= 8
        assert tested("--accept")[0] == tested()[0] == 0
        assert set(answers.read_text().splitlines()) == {"READY", "A"}
        main.write_text(main.read_text().replace("        print(bot", "        turn.number % 8 or print(bot"))
        status, said = tested("--accept")
        assert status == 1
        assert "instead of 31" in said
