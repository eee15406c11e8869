"""The door for other programs that referee matches: by a package from outside, and where the guest is gone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.guests.arenas.referees.programs import write_players, write_referee
from tests.quality.project import ROOT, without
from tests.quality.test_doors import installed, run

BOTS = ("A=random.py", "B=other.py")
RUN = ("-m", "dohyo", "contest", "run", "--game", "toss.coin", *BOTS, "--store", "c.db", "--trust", "--seed", "1")
GO_ON = ("-m", "dohyo", "contest", "run", "c.db", "--trust")
WRONG = """
from dohyo.doors import Guest

GUEST = Guest(referees={"coin": "outside.nowhere:COIN", "dice": "outside.door:GUEST"})
"""


@pytest.fixture
def site(tmp_path: Path) -> str:
    """The package that docs/doors.md shows, as installers leave it; the folder to search. Beside it two bots."""
    page = (ROOT / "docs" / "doors.md").read_text()
    sources = re.findall(r"```python\n# dohyo_coin/(\w+\.py)\n(.*?)```", page, re.DOTALL)
    found = installed(tmp_path, "outside.door:GUEST")
    for name, source in sources:
        (Path(found) / "outside" / name).write_text(source.replace("dohyo_coin", "outside"))
    assert {name for name, _ in sources} == {"door.py", "kind.py"}
    for name in ("random.py", "other.py"):
        (tmp_path / name).write_text(f"print('{name}')\n")
    (tmp_path / "toss.coin").write_text("a coin\n")
    return found


def test_a_referee_from_outside(tmp_path: Path, site: str) -> None:
    """A contest is played by it, its records are read and compared; the operator's word alone names it."""
    done = run(ROOT / "src", tmp_path, *RUN, more=site)
    assert done.returncode == 0, done.stderr
    shown = run(ROOT / "src", tmp_path, "-m", "dohyo", "contest", "show", "c.db", more=site)
    assert "another program (coin)" in shown.stdout, shown.stderr
    told = run(ROOT / "src", tmp_path, "-m", "dohyo", "contest", "replay", "c.db", "0", "--json", more=site)
    record = json.loads(told.stdout)
    assert record["coin"] == ("tails" if record["seed"] % 2 else "heads")
    text = run(ROOT / "src", tmp_path, "-m", "dohyo", "contest", "replay", "c.db", "0", more=site).stdout
    assert text.splitlines()[-1] == record["coin"]
    verified = run(ROOT / "src", tmp_path, "-m", "dohyo", "contest", "verify", "c.db", more=site)
    assert (verified.returncode, verified.stderr) == (0, "")
    again = run(ROOT / "src", tmp_path, *GO_ON, more=site)
    assert (again.returncode, "--referee" in again.stderr) == (2, True), again.stderr
    assert run(ROOT / "src", tmp_path, *GO_ON, "--referee", "toss.coin", more=site).returncode == 0
    (tmp_path / "toss.coin").write_text("another coin\n")
    changed = run(ROOT / "src", tmp_path, *GO_ON, "--referee", "toss.coin", more=site)
    assert (changed.returncode, "is not the referee with which" in changed.stderr) == (2, True), changed.stderr


def test_without_its_package_a_contest_is_shown(tmp_path: Path, site: str) -> None:
    """What needs the referee is refused in one sentence that names it; so is a game by it, which is a name then."""
    assert run(ROOT / "src", tmp_path, *RUN, more=site).returncode == 0
    shown = run(ROOT / "src", tmp_path, "-m", "dohyo", "contest", "show", "c.db")
    assert (shown.returncode, "another program (coin)" in shown.stdout) == (0, True), shown.stderr
    for words in (("contest", "replay", "c.db", "0"), ("contest", "verify", "c.db"), ("verify", "c.db", "--trust")):
        done = run(ROOT / "src", tmp_path, "-m", "dohyo", *words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "brings coin (referees)" in done.stdout + done.stderr
    done = run(ROOT / "src", tmp_path, *RUN)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "There is no game 'toss.coin'" in done.stderr


def test_a_referee_that_cannot_be_read_is_a_sentence(tmp_path: Path, site: str) -> None:
    """Who names such a word is told so; all else works."""
    (Path(site) / "outside" / "door.py").write_text(WRONG)
    (tmp_path / "toss.dice").write_text("")
    for word, said in (("toss.coin", "outside.nowhere"), ("toss.dice", "it is no kind of referee")):
        done = run(ROOT / "src", tmp_path, *RUN[:5], word, *RUN[6:], more=site)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert said in done.stderr
    assert run(ROOT / "src", tmp_path, "-m", "dohyo", "--help", more=site).returncode == 0


def test_where_the_guest_is_gone_its_files_are_refused(place: Path, tmp_path: Path) -> None:
    """A referee's file gets one sentence, as a game, in a contest file, as an option; what was played is shown."""
    write_players(tmp_path)
    write_referee(tmp_path)
    (tmp_path / "class.toml").write_text('game = "referee.toml"\nbots = ["./rock", "./paper"]\n')
    begin = ("contest", "run", "--game", "referee.toml", "./rock", "./paper", "--trust", "--store")
    assert run(ROOT / "src", tmp_path, "-m", "dohyo", *begin, "c.db").returncode == 0
    with without(place, "guests/arenas"):
        are_refused(place, tmp_path, begin)


def are_refused(place: Path, folder: Path, begin: tuple[str, ...]) -> None:
    """In this copy no referee's file is played; what stands in `c.db` is shown."""
    for words in (
        (*begin, "d.db"),
        ("contest", "run", "class.toml", "--trust"),
        ("contest", "run", "c.db", "--referee", "referee.toml", "--trust"),
        ("compare", "referee.toml", "./rock", "./paper", "--trust"),
        ("play", "referee.toml", "./rock", "./paper", "--trust"),
        ("contest", "replay", "c.db", "0"),
        ("contest", "verify", "c.db"),
    ):
        done = run(place, folder, "-m", "dohyo", *words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), (words, done.stderr)
        assert "brings toml (referees)" in done.stdout + done.stderr, (words, done.stderr)
    for words in (("show", "c.db"), ("standings", "c.db"), ("site", "c.db", "--out", "s")):
        done = run(place, folder, "-m", "dohyo", "contest", *words)
        assert done.returncode == 0, (words, done.stderr)
