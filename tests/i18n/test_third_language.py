"""A third language of messages is one file, which any package can bring."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.i18n.catalogue import HERE
from tests.quality.project import SOURCE

BOT = "import sys\nprint('READY\\nnonsense', flush=True)\nsys.stdin.read()\n"
SENTENCES = {
    "fault.malformed": "MISFORMATA",
    "detail.no-line": "NENIU LINIO",
    "drop-block.detail.letter": "{written:quoted} ESTAS NENIU EL {letters}",
    "fault-at": "TURNO {turn}, SEĜO {seat} ({bot}): {fault}",
    "unknown-game": "NENIU LUDO {name}",
    "tune-no-params": "NENIUJ PARAMETROJ",
}
HELP = {"Language of messages.": "LINGVO DE MESAĜOJ.", "Usage: ": "UZADO: "}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A package with a third language, as installers leave it; none of its code can be imported."""
    words = tmp_path / "site" / "esperanto" / "words"
    words.mkdir(parents=True)
    (words.parent / "__init__.py").write_text("raise SystemExit('imported')\n")
    (words / "eo.json").write_text(json.dumps({"all": SENTENCES, "help": HELP}))
    about = tmp_path / "site" / "esperanto-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: esperanto\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[dohyo.words]\nesperanto = esperanto.words\n")
    return tmp_path / "site"


def typed(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`dohyo` with this package installed."""
    path = os.pathsep.join((str(SOURCE.parent), str(site)))
    environment = {**os.environ, "PYTHONPATH": path, "DOHYO_CACHE": str(folder / "cache"), "DOHYO_LANG": "eo"}
    command = [sys.executable, "-m", "dohyo", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.process
def test_a_match_its_faults_and_the_help_in_a_third_language(site: Path, tmp_path: Path) -> None:
    """Faults of the core and of a game, refusals and `--help` are in it; what it lacks is in English."""
    (tmp_path / "bot.py").write_text(BOT)
    bots = ["bot.py", "random", "random", "random"]
    done = typed(site, tmp_path, "play", "drop-block", *bots, "--seed", "1", "--trust", "--save", "m.replay")
    assert done.returncode in (0, 1), done.stderr
    listed = typed(site, tmp_path, "replay", "m.replay", "--faults")
    faults = listed.stdout + listed.stderr
    assert "SEĜO 0 (bot): MISFORMATA: 'nonsense' ESTAS NENIU EL U R D L A N" in faults
    assert "LINGVO DE MESAĜOJ." in typed(site, tmp_path, "play", "--help").stdout
    assert typed(site, tmp_path, "play", "chesss", "random", "random").stderr.startswith("NENIU LUDO chesss")
    assert "en, ja, eo" in typed(site, tmp_path, "games", "--lang", "xx").stderr


@pytest.mark.process
@pytest.mark.parametrize("content", ['{"unknown-game": "x"}', "[" * 100_000, "\xff", ""])
def test_a_file_that_is_no_words_is_a_sentence(site: Path, tmp_path: Path, content: str) -> None:
    """It is named once, and everything is in English."""
    (site / "esperanto" / "words" / "eo.json").write_bytes(content.encode("latin-1"))
    done = typed(site, tmp_path, "games", "drop-block")
    assert (done.returncode, done.stderr.count("eo.json"), done.stderr.count("\n")) == (0, 1, 1), done.stderr


def test_no_code_names_a_third_language() -> None:
    """The languages that Dohyo brings are the files that are there."""
    assert {path.stem for path in HERE.glob("*.json")} == {"en", "ja"}
