"""What a start costs, counted in modules: time would depend on the machine."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from dohyo.cli.main import commands
from tests.cli.conftest import Type
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
MAX_MODULES = 198  # 15 of them are msgspec's: what is told is one of its values
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


def test_help_lists_every_command(typed: Type) -> None:
    """`dohyo` alone and `dohyo --help` name every command with what it does."""
    alone, asked = typed(), typed("--help")
    assert alone == asked
    assert alone.status == 0
    for name, summary in commands().items():
        assert f"  {name}" in alone.out
        assert summary.split()[0] in alone.out


@pytest.mark.parametrize("name", commands())
def test_help_of_a_command_begins_with_its_summary(typed: Type, name: str) -> None:
    """What the list of commands says of one is what its own help says."""
    said = " ".join(typed(name, "--help").out.split())
    assert commands()[name] in said
    assert "--lang" in said


def test_version() -> None:
    """`--version` tells the version, in a process of its own."""
    from dohyo import __version__

    assert type_alone("--version") == (0, f"dohyo {__version__}\n", "")
