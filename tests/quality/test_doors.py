"""Guests come in by doors: ours can be taken away, and a package from outside comes in by the same ones."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.forks import Forks
from tests.quality.project import ROOT, SOURCE, without

GUESTS = sorted(f"guests/{path.parent.name}" for path in (SOURCE / "guests").glob("*/door.py"))
OTHERS = ["classics", "kaggle", "rl"]  # which have doors of their own: games, and imports
TAKEN_AWAY = [*GUESTS, *OTHERS]
# In a copy: every module that is left is imported, and a match, a contest and a look at it work.
LEFT = """
import importlib, pkgutil, sys
import dohyo

for module in pkgutil.walk_packages(dohyo.__path__, "dohyo.", lambda name: None):
    if module.name.endswith((".__main__", "env")) or ".bots." in module.name and ".games." in module.name:
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "dohyo":
            raise
    except Exception as error:
        if type(error).__name__ != "OperatorError":
            raise
"""
# Packages that take long to import. Without one guest, modules that need them are passed over; without any, they are
# imported too. Other people's packages that ours import stay loaded from one guest to the next; nothing of ours does.
SLOW = ("numba", "numpy", "scipy", "distributed", "dask", "torch", "gymnasium", "pettingzoo", "jax", "pufferlib")
LOADED = f"""
import gc, sys, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, asked)
sys.modules.update(dict.fromkeys({SLOW!r}))
{LEFT}
for name in [name for name in sys.modules if name.partition(".")[0] == "dohyo"]:
    del sys.modules[name]
del dohyo, module
gc.collect()
gc.freeze()
"""
COMMAND_LINE = """
import runpy, sys
sys.argv = ["dohyo", *asked["words"]]
runpy.run_module("dohyo", run_name="__main__", alter_sys=True)
"""
WORDS = (
    ("--help",),
    ("contest", "--help"),
    ("play", "drop-block", *["random"] * 4, "--seed", "1", "--trust", "--save", "m.replay"),
    ("replay", "m.replay", "--html", "m.html"),
    ("contest", "run", "--game", "drop-block", *(f"{name}=random" for name in "abcd"), "--store", "c.db", "--trust"),
    ("contest", "show", "c.db"),
    ("compare", "--help"),
    ("check", "drop-block", "random", "--trust"),
)
SITE = ("contest", "site", "c.db", "--out", "site")  # a guest's, after WORDS
OUTSIDE = """
from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "greet": Command("Say hello.", "outside.command:app"),
        "contest greet": Command("Say hello to a contest.", "outside.command:app"),
    },
    executors={"cluster": "outside.command:reach"},
    formats={"relay": "outside.relay:Relay", "broken": "outside.relay:Nothing"},
)
"""
FORMAT = '''
from dohyo.core.contest import Fixture
from dohyo.series.formats import Format, FormatInfo
from dohyo.series.formats.base import Standing
from dohyo.series.formats.points import PointsCount, ranked


class Relay(Format):
    """Each meets the next one, once."""

    info = FormatInfo("relay", (), waits=False)

    def __init__(self, terms):
        super().__init__(terms)
        self.tally = PointsCount()

    def next(self, entrants):
        self.enter(entrants)
        ends = range(len(entrants) - 1) if not self.batch else ()
        return [Fixture(0, at, (at, at + 1), self.seeds.of(at)) for at in ends]

    def learn(self, results):
        self.tally.add(results)

    def standing(self, entrants, so_far=()):
        points, matches = self.tally.points, self.tally.matches
        rows = [Standing(one.number, 0, points.get(one.number, 0), matches.get(one.number, 0)) for one in entrants]
        return ranked(((row.points,), row) for row in rows)
'''
COMMAND = '''
from dohyo.cli.options import application

app = application()


@app.command()
def greet() -> None:
    """Say hello."""
    print("hello from outside")
'''


def run(place: Path, folder: Path, *words: str, more: str = "") -> subprocess.CompletedProcess[str]:
    """`python` with this source, in this folder."""
    path = os.pathsep.join(filter(None, (str(place), more)))
    environment = {**os.environ, "PYTHONPATH": path, "DOHYO_CACHE": str(folder / "cache"), "DOHYO_LANG": "en"}
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def forks(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """Processes in which every package that is not ours is loaded already."""
    with Forks(f"asked = {str(place)!r}\n{LOADED}", tmp_path_factory.mktemp("forks")) as forks:
        yield forks


def squared(names: list[str]) -> list[list[str]]:
    """Few lists with each name in two of them: of any two names, one list has the first and not the second."""
    side = math.isqrt(len(names) - 1) + 1
    return [names[at::side] for at in range(side)] + [names[at : at + side] for at in range(0, len(names), side)]


def test_any_two_guests_are_apart_once() -> None:
    """What needs a guest is so left there without it, where several are taken away at once."""
    for one in TAKEN_AWAY:
        together = [set(names) for names in squared(TAKEN_AWAY) if one in names]
        assert set.intersection(*together) == {one}


@pytest.mark.parametrize(
    "guests",
    [*squared(TAKEN_AWAY), *(pytest.param([guest], marks=pytest.mark.full) for guest in TAKEN_AWAY)],
    ids=lambda guests: f"{guests[0]} {guests[-1]}",
)
def test_without_a_guest_all_else_works(place: Path, forks: Forks, tmp_path: Path, guests: list[str]) -> None:
    """Where guests' folders are deleted, all other modules are imported, and the core's commands work."""
    environment = {"DOHYO_CACHE": str(tmp_path / "cache"), "DOHYO_LANG": "en"}
    with without(place, *guests):
        done = forks.run(LEFT, tmp_path, environment=environment)
        assert done.returncode == 0, done.stderr
        for words in WORDS[:2]:
            done = forks.run(COMMAND_LINE, tmp_path, *words, environment=environment)
            assert done.returncode == 0, (words, done.stderr)


def test_without_any_guest_all_else_works(place: Path, tmp_path: Path) -> None:
    """The same without all of them: nothing in the core needs one."""
    with without(place, "guests", *OTHERS):
        done = run(place, tmp_path, "-W", "ignore", "-c", LEFT)
        assert done.returncode == 0, done.stderr
        for words in WORDS:
            done = run(place, tmp_path, "-m", "dohyo", *words)
            assert done.returncode == 0, (words, done.stderr)
        for words, sentence in (
            (("tune",), "no command 'dohyo tune'"),
            (("koth", "bots"), "no command 'dohyo koth'"),
            (("contest", "report", "c.db", "--html", "c.html"), "no command 'dohyo contest report'"),
            (SITE, "no command 'dohyo contest site'"),
            (("contest", "run", "c.db", "--cluster", "tls://here:1"), "brings cluster"),
            (("contest", "export", "c.db", "--format", "bundle"), "brings bundle"),
            (("contest", "export", "c.db"), "brings csv"),
            (("verify", "c.db"), "no command 'dohyo verify'"),
            (("contest", "verify", "c.db"), "no command 'dohyo contest verify'"),
            (("contest", "show", "m.replay"), "name the file that has a contest's results"),
        ):
            done = run(place, tmp_path, "-m", "dohyo", *words)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1), (words, done.stderr)
            assert sentence in done.stderr, done.stderr


def test_without_what_runs_them_no_program_of_a_game_is_told_of(place: Path, tmp_path: Path) -> None:
    """Neither `--help` nor `dohyo games` speaks of commands that nobody carries out."""
    with without(place, "guests/game_programs"):
        shown = ((("--help",), "dohyo demo"), (("games",), "abotcalypse"), (("games", "--json"), '"abotcalypse"'))
        for words, there in shown:
            done = run(place, tmp_path, "-m", "dohyo", *words)
            assert (done.returncode, there in done.stdout) == (0, True), (words, done.stderr)
            assert not any(
                word in done.stdout for word in ("programs of their own", "koth", "dohyo arena", '"arena"')
            )


def installed(folder: Path, value: str) -> str:
    """A package from outside, as installers leave it; the folder to search."""
    site = folder / "site-packages"
    (site / "outside").mkdir(parents=True)
    (site / "outside" / "__init__.py").write_text("")
    (site / "outside" / "door.py").write_text(OUTSIDE)
    (site / "outside" / "command.py").write_text(COMMAND)
    (site / "outside" / "relay.py").write_text(FORMAT)
    about = site / "outside-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[dohyo.guests]\noutside = {value}\n")
    return str(site)


def test_a_package_from_outside_comes_in_by_the_same_door(tmp_path: Path) -> None:
    """Its commands are listed and carried out, also below one of ours; of one name, ours wins."""
    site, place = installed(tmp_path, "outside.door:GUEST"), ROOT / "src"
    assert "Say hello." in run(place, tmp_path, "-m", "dohyo", "--help", more=site).stdout
    for words in (("greet",), ("contest", "greet")):
        done = run(place, tmp_path, "-m", "dohyo", *words, more=site)
        assert (done.returncode, done.stdout) == (0, "hello from outside\n"), done.stderr
    code = "from dohyo import doors; print(doors.find('executors', 'cluster'))"
    assert run(place, tmp_path, "-c", code, more=site).stdout == "dohyo.guests.cluster.executor:reach\n"


def test_a_format_from_outside_is_played(tmp_path: Path) -> None:
    """A contest is played with it as with one of ours; one that is broken is a sentence where it is asked for."""
    site, place = installed(tmp_path, "outside.door:GUEST"), ROOT / "src"
    bots = [f"{name}=random" for name in "abc"]
    words = ("contest", "run", "--game", "wondev-woman", *bots, "--store", "c.db", "--trust", "--format")
    done = run(place, tmp_path, "-m", "dohyo", *words, "relay", more=site)
    assert done.returncode == 0, done.stderr
    assert "2 matches" in done.stdout
    done = run(place, tmp_path, "-m", "dohyo", "contest", "show", "c.db", more=site)
    assert "relay" in done.stdout
    done = run(place, tmp_path, "-m", "dohyo", "contest", "show", "c.db")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "There is no format 'relay'" in done.stderr
    done = run(place, tmp_path, "-m", "dohyo", *words, "broken", more=site)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "outside.relay:Nothing" in done.stderr


FORMS = """
from dohyo.doors import Export, Guest

GUEST = Guest(exports={"story": Export("outside.story:write", "outside.story:is_one", "outside.story:verify")})
"""
STORY = """
from pathlib import Path

from dohyo.core.errors import OperatorError
from dohyo.doors import Verified
from dohyo.i18n import Message


def write(asked, speaker):
    Path(asked.out).write_text(f"Once upon a time: {asked.form}\\n")


def is_one(head):
    return head.startswith(b"Once")


def verify(path, key, signature, told):
    told(1)
    said = Message("bundle.no-signature", {"path": path})
    found = [] if "story" in path.read_text() else [Message("bundle.no-replay", {"number": 7})]
    refusal = OperatorError("bundle-not-whole", path=path, count=1) if found else None
    return Verified({"what": "story"}, found, [said], [], refusal)
"""


def test_a_form_from_outside_is_written_and_verified(tmp_path: Path) -> None:
    """`contest export` knows it by its name, `verify` by how it begins, and tells what its check gives back."""
    site, place = installed(tmp_path, "outside.forms:GUEST"), ROOT / "src"
    (Path(site) / "outside" / "forms.py").write_text(FORMS)
    (Path(site) / "outside" / "story.py").write_text(STORY)
    words = ("-m", "dohyo", "contest", "export", "c.db", "--format", "story", "--out", "s.txt")
    assert run(place, tmp_path, *words, more=site).returncode == 0
    done = run(place, tmp_path, "-m", "dohyo", "verify", "s.txt", more=site)
    assert (done.returncode, done.stdout.count("\n"), "s.txt" in done.stdout) == (0, 1, True), done.stderr
    (tmp_path / "s.txt").write_text("Once upon a time, changed")
    done = run(place, tmp_path, "-m", "dohyo", "verify", "s.txt", "--json", more=site)
    assert done.returncode == 2, done.stderr
    found = json.loads(done.stdout)
    assert (found["what"], [each["key"] for each in found["findings"]]) == ("story", ["bundle.no-replay"])


@pytest.mark.parametrize(
    "value", ["outside.nowhere:GUEST", "outside.door:Command", "outside.wrong:GUEST", "outside.ends:GUEST"]
)
def test_a_broken_guest_is_a_sentence(tmp_path: Path, value: str) -> None:
    """A package that cannot be read is named once, and every command still works."""
    site = installed(tmp_path, value)
    (Path(site) / "outside" / "wrong.py").write_text(f"{OUTSIDE}\nGUEST = Guest(commands={{'graph': 'Draw.'}})\n")
    (Path(site) / "outside" / "ends.py").write_text("raise SystemExit('bye')\n")
    done = run(ROOT / "src", tmp_path, "-m", "dohyo", "--help", more=site)
    assert done.returncode == 0
    assert "The package behind the guest outside cannot be read" in done.stderr
    assert done.stderr.count("\n") == 1
    assert "tune" in done.stdout


BAD = """
from dohyo.doors import Command, Commands, Export, Guest

GUEST = Guest(
    commands={
        "contest nothing": Command("Nothing.", "outside.nowhere:app"),
        "contest show": Command("Ours.", "outside.command:app"),
        "nothing": Command("Nothing.", "outside.nowhere:app"),
    },
    exports={
        "csv": Export("outside.nowhere:write"),
        "odd": Export("outside.nowhere:write", "outside.nowhere:is_one", "x:y"),
    },
    more_commands={
        "nothings": Commands("Nothing more.", "outside.nowhere:names", "outside.nowhere:made"),
        "scripts": Commands("Scripts, too.", "outside.scripts:names", "outside.scripts:made"),
    },
)
"""


def test_one_bad_command_of_a_guest_does_not_take_the_others_away(tmp_path: Path) -> None:
    """It is a sentence when it is typed, and listed as the others are; what is ours is never replaced."""
    site = installed(tmp_path, "outside.bad:GUEST")
    (Path(site) / "outside" / "bad.py").write_text(BAD)
    for words in (("show", "--help"), ("--help",)):
        done = run(ROOT / "src", tmp_path, "-m", "dohyo", "contest", *words, more=site)
        assert (done.returncode, "What is played" in done.stdout, done.stderr) == (0, True, "")
    for words in (("nothing",), ("contest", "nothing"), ("contest", "nothing", "--help")):
        done = run(ROOT / "src", tmp_path, "-m", "dohyo", *words, more=site)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "outside.nowhere" in done.stderr
    (tmp_path / "m.replay").write_bytes(b"no replay")
    done = run(ROOT / "src", tmp_path, "-m", "dohyo", "verify", "m.replay", more=site)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


SCRIPTS = """
from dohyo.cli.options import application


def names():
    return ["hello", "play", "nothing"]


def made(name, speaker):
    app = application()

    @app.command()
    def say() -> None:
        print(name, speaker.language)

    return app
"""


def test_commands_whose_names_a_guest_finds_out(tmp_path: Path) -> None:
    """They are carried out and corrected, and replace none that is listed; what cannot be read is a sentence."""
    site = installed(tmp_path, "outside.bad:GUEST")
    (Path(site) / "outside" / "bad.py").write_text(BAD)
    (Path(site) / "outside" / "scripts.py").write_text(SCRIPTS)

    def typed(*words: str) -> subprocess.CompletedProcess[str]:
        return run(ROOT / "src", tmp_path, "-m", "dohyo", *words, more=site)

    done = typed("--lang", "ja", "hello")
    assert (done.returncode, done.stdout) == (0, "hello ja\n"), done.stderr
    assert "Scripts, too." in typed("--help").stdout
    assert "koth" in typed("kooth").stderr
    assert "'hello'?" in typed("helo").stderr
    assert "Play one match" in typed("play", "--help").stdout
    assert typed("nothing").returncode == 2


@pytest.mark.parametrize("words", [(), ("--lang", "ja"), ("--lang=ja",)], ids=" ".join)
def test_a_file_called_as_an_option_is_refused_whatever_stands_before(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A hand-in called `--trust`, which a shell writes for `*`, takes nobody out of the sandbox."""
    (tmp_path / "--trust").write_text("")
    done = run(ROOT / "src", tmp_path, "-m", "dohyo", *words, "play", "drop-block", *["random"] * 4, "--trust")
    assert done.returncode == 2
    assert "--trust" in done.stderr


KINDS = """
from dohyo.doors import Guest, PlayerKind

GUEST = Guest(players={"first": PlayerKind("outside.kind:FIRST"), "none": PlayerKind("outside.nowhere:NONE")})
"""
KIND = '''
from dohyo.bots import Bot
from dohyo.core.bot_spec import Elsewhere
from dohyo.core.referee import Answer
from dohyo.match.players.kind import PlayerKind
from dohyo.match.players.player import Group


class First(Group):
    """Each takes the first legal action."""

    def __init__(self, launches, context):
        self.seats, self.referee = frozenset(launches), context.referee

    def ask(self, seats, limits, behind):
        game, state = self.referee.game, self.referee.state
        return {seat: Answer(game.protocol.text(min(game.legal_actions(state, seat))), (), 0.25) for seat in seats}


class Kind(PlayerKind):
    title = protocol = "first"

    def read(self, word, program):
        return Elsewhere(word)

    def bot(self, spec):
        name = spec.address.partition(":")[2]
        return Bot(name=name, command=(), folder="", digest="", language="", address=spec.address)

    def check(self, game, bot, spec, sandbox, setup):
        pass

    def group(self, launches, context):
        return First(launches, context)


FIRST = Kind()
'''


def with_kinds(folder: Path) -> str:
    """A package from outside that brings a kind of player, and one that cannot be read; the folder to search."""
    site = installed(folder, "outside.kinds:GUEST")
    (Path(site) / "outside" / "kinds.py").write_text(KINDS)
    (Path(site) / "outside" / "kind.py").write_text(KIND)
    return site


def test_a_kind_of_player_from_outside_plays(tmp_path: Path) -> None:
    """The operator's word before the first `:` names it; it plays beside programs, and the replay says what it is."""
    site, words = with_kinds(tmp_path), ("-m", "dohyo", "play", "othello", "first:Ann", "random", "--trust")
    done = run(ROOT / "src", tmp_path, *words, "--seed", "1", "--save", "m.replay", more=site)
    assert done.returncode == 0, done.stderr
    code = (
        "from dohyo.match.replays.replays import load, verify; "
        "m = load('m.replay'); verify(m); s = m.header.seats[0];"
        "print(s.name, s.protocol, {move.seconds for turn in m.turns for move in turn.moves if move.seat == 0})"
    )
    assert run(ROOT / "src", tmp_path, "-c", code, more=site).stdout == "Ann first {0.25}\n"
    shown = run(ROOT / "src", tmp_path, "-m", "dohyo", "replay", "m.replay", "--inputs", "0", more=site)
    assert (shown.returncode, "'first'" in shown.stderr) == (2, True), shown.stderr


def test_a_kind_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    """Who asks for it is told so; `--help`, other players and a word that means nothing work."""
    site = with_kinds(tmp_path)
    for words, status in (
        (("--help",), 0),
        (("play", "othello", "none:Ann", "random", "--trust"), 2),
        (("play", "othello", "first:Ann", "random", "--trust"), 0),
        (("play", "othello", "rendom", "random", "--trust"), 2),
    ):
        done = run(ROOT / "src", tmp_path, "-m", "dohyo", *words, more=site)
        assert (done.returncode, "Traceback" in done.stderr) == (status, False), (words, done.stderr)
        if "none:Ann" in words:
            assert (done.stderr.count("\n"), "outside.nowhere" in done.stderr) == (1, True), done.stderr


def test_a_file_of_that_name_is_no_player_of_another_kind(tmp_path: Path) -> None:
    """A hand-in called as such a word, which a shell writes for `*`, stays a hand-in."""
    site = with_kinds(tmp_path)
    (tmp_path / "first:Ann").write_text("no program")
    done = run(ROOT / "src", tmp_path, "-m", "dohyo", "play", "othello", "first:Ann", "random", "--trust", more=site)
    assert done.returncode == 2, done.stderr
