"""What a start costs, counted in modules: time would depend on the machine."""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys

import pytest

from dohyo import __version__, doors
from dohyo.cli import help_lists
from dohyo.cli.help_texts import wide
from dohyo.cli.listing import OURS as SENTENCES
from dohyo.cli.listing import listed
from dohyo.cli.main import OURS, application_of, commands
from dohyo.cli.options import command_of
from dohyo.i18n import LANGUAGES
from tests.cli.conftest import Type
from tests.cli.test_help_in_japanese import walked
from tests.cli.typed import environment, type_alone

COUNT = """
import json, sys
before = set(sys.modules)
from dohyo.cli.main import run
sys.stdout, out = sys.stderr, sys.stdout
assert run(json.loads(sys.argv[1])) == 0
json.dump(sorted(set(sys.modules) - before), out)
"""

# As many as typer needs with a new Python, a door for each guest, and some room: one large library would not fit.
MAX_MODULES = 200  # 15 of them are msgspec's: what is told is one of its values; 3 of ours are the help's lists
OF_REQUESTS = 15  # where what is asked is one, too
HEAVY = {"rich", "pydantic", "numpy", "numba", "asyncio", "multiprocessing", "concurrent", "http", "email"}
ASK = [
    (name,) for name in ("analyse", "check", "compare", "contest", "play", "tune")
]  # by a request, which is a Struct
HEAVY |= {"sqlalchemy", "psycopg", "scipy", "openskill", "distributed"}


def imported(*words: str) -> list[str]:
    """The modules that a command imports."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, json.dumps(words)],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("words", [(), ("--help",), *((name, "--help") for name in commands())], ids=" ".join)
def test_help_imports_little(words: tuple[str, ...]) -> None:
    """`--help` of anything imports only the command line and what lies below it, no large library, few modules."""
    modules = imported(*words)
    asks = words[:1] in ASK
    assert not HEAVY & {module.split(".")[0] for module in modules}
    packages = {module.split(".")[1] for module in modules if module.startswith("dohyo.")}
    with_requests = {"bench", "match", "series"} if asks else set()
    for package in packages & with_requests:
        above = {f"dohyo.{package}", "dohyo.bench.check"}
        assert all(
            module in above or module.endswith("request") for module in modules if f".{package}." in f".{module}."[6:]
        ), "of what carries a request out, nothing is imported"
    packages -= with_requests | {"languages"} if asks else set()  # a hand-in names its language
    packages -= {"doors", "guests", "installed", "terminal"}
    assert packages == {"clean", "cli", "core", "i18n", "interrupts", "system"}
    inside = {module for module in modules if module.startswith("dohyo.guests.") and module.count(".") > 2}
    if words in ((), ("--help",)):
        assert {module.rpartition(".")[2] for module in inside} == {"door"}, "a list of commands imports none of them"
    assert len(modules) <= MAX_MODULES + (OF_REQUESTS if asks else 0), len(modules)


def test_a_command_imports_what_it_needs() -> None:
    """A list for a script needs neither tables nor typer's conversions."""
    roots = {module.split(".")[0] for module in imported("games", "--json")}
    assert not roots & {"rich", "pydantic", "numpy", "numba", "asyncio"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_lists_every_command(typed: Type, language: str) -> None:
    """`dohyo --help` has a line of its own for every command, in groups, in a terminal as narrow as terminals are."""
    lines = typed("--lang", language, "--help").out.splitlines()
    for each in listed(language):
        for name, summary in each.rows:
            assert f"  {name:7}  {summary}" in lines
    assert max(map(wide, lines)) <= 80
    below = typed("--lang", language, "contest", "--help").out.partition("--lang")[0]
    rows = [line for line in below.splitlines() if line.startswith("  ")][1:]
    assert all(re.match(r"  [a-z]+ ", line) for line in rows[:-1]), "so has every command of a contest"


@pytest.mark.parametrize("language", LANGUAGES)
def test_alone_it_fits_into_a_small_terminal(typed: Type, language: str) -> None:
    """`dohyo` alone says what the first commands do, and names all others, in no more than 23 lines."""
    done = typed("--lang", language)
    lines = done.out.splitlines()
    assert (done.status, done.err) == (0, "")
    assert len(lines) < 24
    assert max(map(wide, lines)) <= 80
    for name in ("demo", "games", "new", "play", "check"):
        assert any(line.startswith(f"  {name} ") for line in lines)
    assert all(name in done.out for name in commands())


def test_every_command_of_ours_has_a_sentence() -> None:
    """The list knows the same commands as whoever starts them."""
    assert sorted(row.name for row in SENTENCES) == sorted(OURS)


def test_a_group_that_there_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest's command without a group, or with one that the core has never heard of, is in the last one."""
    theirs = {
        "odd": doors.Command("Does something.", "x:app", group="zoo"),
        "none": doors.Command("Nothing.", "x:app"),
    }
    monkeypatch.setattr("dohyo.cli.listing.below", lambda parent: theirs)
    last = listed("en")[-1]
    assert (last.heading, [name for name, _ in last.rows]) == ("More", ["none", "odd"])


def test_options_below_headings(typed: Type) -> None:
    """The usual options come first, the others below headings, last what every command has; few have no headings."""
    told = typed("compare", "--help").out
    heads = re.findall(r"^(\S.*):$", told, re.MULTILINE)
    assert heads[:2] == ["Arguments", "Options"]
    assert heads[-1] == "Output and help"
    assert {"When it is known", "Game, dice and clock", "How bots run"} <= set(heads)
    assert told.index("--against") < told.index("--save") < told.index("--elo0") < told.index("--seed")
    assert (
        told.index("Output and help:") < told.index("  --json") < told.index("  --lang") < told.index("  -h, --help")
    )
    few = typed("pull", "--help").out
    assert re.findall(r"^(\S.*):$", few, re.MULTILINE) == ["Arguments", "Options"]


@pytest.mark.parametrize("name", commands())
def test_no_list_of_options_is_long(typed: Type, name: str) -> None:
    """Below each heading are no more options than one sees at once."""
    for part in re.split(r"^\S", typed(name, "--help").out, flags=re.MULTILINE):
        assert len(re.findall(r"^  -", part, re.MULTILINE)) <= help_lists.FEW, part


# Commands that tell nothing: they make or change something, run until Ctrl-C, or speak in a form of somebody else's.
SILENT = {
    *("demo", "help", "schema", "referee", "watch", "serve", "connect"),
    *("cluster local", "cluster scheduler", "cluster worker", "cluster keys", "site backup", "site restore"),
    *(f"contest {word}" for word in ("export", "report", "site", "files", "words")),
}


def test_what_tells_something_tells_it_as_a_document(typed: Type) -> None:
    """Every command that tells something has --json."""
    found = {
        path: {word for each in command.params for word in each.opts}
        for name in commands()
        for path, command in walked(command_of(application_of(name)), name)
        if not getattr(command, "commands", {})
    }
    assert {path for path, options in found.items() if "--json" not in options} == SILENT


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ((), ("--help",)),
        (("compare",), ("compare", "--help")),
        (("contest", "run"), ("contest", "run", "--help")),
        (("site", "backup"), ("site", "backup", "--help")),
        (("arena",), ("arena", "--help")),
        (("help",), ("help", "--help")),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_as_a_word(typed: Type, words: tuple[str, ...], same: tuple[str, ...], language: str) -> None:
    """`dohyo help COMMAND` says what `dohyo COMMAND --help` does, and where there is a page on it."""
    done = typed("--lang", language, "help", *words)
    assert (done.status, done.err) == (0, "")
    said = typed("--lang", language, *same).out
    assert done.out.startswith(said)
    assert ("dohyo help compare.md" in done.out[len(said) :]) is (words == ("compare",))


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("compar",), "'compar' ('compare'?)"),
        (("contest", "standing"), "'dohyo contest standing' ('standings'?)"),
        (("play", "drop-block"), "'dohyo play' has no commands below it"),
    ],
)
def test_help_on_what_there_is_not(typed: Type, words: tuple[str, ...], meant: str) -> None:
    """An unknown word is refused in one sentence, which names the nearest."""
    done = typed("help", *words)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert meant in done.err


@pytest.mark.parametrize("columns", [40, 60, 80, 112, 300])
@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_as_wide_as_the_terminal(
    typed: Type, monkeypatch: pytest.MonkeyPatch, columns: int, language: str
) -> None:
    """Lines use the terminal's width, up to what is still easy to read; examples stay as they are typed."""
    monkeypatch.setenv("COLUMNS", str(columns))
    told = typed("--lang", language, "compare", "--help").out.partition("\n    dohyo ")[0]
    widest = max(wide(line) for line in told.splitlines() if "PRESET|SECONDS" not in line)
    room = min(columns, 112)
    assert room - 15 <= widest <= max(room, 52) + 2, widest


@pytest.mark.parametrize("name", commands())
def test_help_of_a_command_begins_with_its_summary(typed: Type, name: str) -> None:
    """What the list of commands says of one is what its own help says."""
    said = " ".join(typed(name, "--help").out.split())
    assert commands()[name] in said
    assert "--lang" in said


def test_version() -> None:
    """`--version` tells the version, in a process of its own."""
    assert type_alone("--version") == (0, f"dohyo {__version__}\n", "")


def test_version_as_a_word(typed: Type) -> None:
    """`dohyo version` tells it, too, with what a report of a defect should name; as a document with --json."""
    told = typed("version")
    assert (told.status, told.err) == (0, "")
    assert told.out.splitlines()[0] == f"dohyo {__version__}"
    facts = json.loads(typed("version", "--json").out)
    assert facts["version"] == __version__
    assert facts["python"] == platform.python_version()
    assert facts["python"] in told.out
    assert facts["place"] in told.out
