"""Words that people type: each is understood, or refused with one sentence; never a traceback."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dohyo import bots, games
from dohyo.bots.typed_words import named
from dohyo.cli import main
from dohyo.cli.options import command_of, read_setup
from dohyo.cli.play_from import read_start
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.games import all_games
from dohyo.guests.cluster.keys import cluster_access
from dohyo.i18n import Speaker
from dohyo.match.clocks import read_clock
from dohyo.series.store.address import read_address
from tests.fuzz.effort import examples
from tests.fuzz.linear import MOST, growth

LARGEST = 1 << 16
LONGEST_SENTENCE = 4000  # characters, for words of some hundred

# What words are made of, as far as something minds it.
PARTS = [
    *(
        "",
        "0",
        "1",
        "7",
        "-1",
        "+5",
        "1.5",
        ".",
        "-",
        "--",
        "1e3",
        "1e999",
        "-1e999",
        "nan",
        "inf",
        "1_0",
        "0x10",
        "9" * 30,
    ),
    *(
        "9" * 5000,
        "\u0661",
        "\xb2",
        "\u2163",
        "=",
        "==",
        ",",
        "/",
        "@",
        ":",
        "://",
        "%",
        "{}",
        "{0}",
        "%s",
        "[",
        "]",
        "\\",
    ),
    *(
        "'",
        '"',
        " ",
        "\t",
        "\n",
        "\0",
        "\x1b[2J",
        "\u2028",
        "\udcff",
        "\U0001f4a9",
        "tcp",
        "tcp://",
        "localhost",
        ":8786",
    ),
    *(
        "sqlite",
        "postgresql",
        "a",
        "b",
        "mode",
        "fair",
        "wall",
        "bank",
        "grace",
        "strikes",
        "online",
        "finals",
        "turns",
    ),
    *(
        "players",
        "blocks",
        "columns",
        "places",
        "grid",
        "units",
        "league",
        "random",
        "git:",
        "HEAD",
        "yes",
        "none",
        "auto",
    ),
    *("U", "~", "~x", "0,0,U", "../", "m.replay@", "x" * 300),
]
WORDS = st.one_of(st.lists(st.sampled_from(PARTS), max_size=6).map("".join), st.text(max_size=30))


def _start(word: str) -> object:
    return read_start(word, games.find("drop-block"))


def _clock(game: Game) -> Callable[[str], object]:
    return lambda word: read_clock(game, word)


def _setup(game: Game, option: str) -> Callable[[str], object]:
    return lambda word: game.new_state(resolve(game.options, {option: word}), game.seats[0])


READERS: dict[str, Callable[[str], object]] = {
    "setup": lambda word: read_setup([word]),
    "from": _start,
    "cluster": lambda word: cluster_access(word, None, True),
    "store": read_address,
    "bot": named,
    "game": games.find,
    **{f"clock of {name}": _clock(game) for name, game in all_games().items()},
    **{
        f"{option.name} of {name}": _setup(game, option.name)
        for name, game in all_games().items()
        for option in game.options
    },
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, where we are."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check_sentence(error: OperatorError) -> None:
    """The error can be said, in every language, at no greater length than anybody reads."""
    for language in ("en", "ja"):
        assert 0 < len(error.say(Speaker(language))) < LONGEST_SENTENCE


@pytest.mark.parametrize("reader", READERS)
@settings(examples(40, 3000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(word=WORDS)
def test_any_word_is_understood_or_refused(reader: str, folder: Path, word: str) -> None:
    """Whatever is typed, its reader gives a value, or raises what has a sentence that can be told."""
    try:
        READERS[reader](word)
    except OperatorError as error:
        check_sentence(error)


@pytest.mark.parametrize("reader", READERS)
@settings(examples(3, 60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=WORDS, piece=WORDS, end=WORDS)
def test_a_word_is_read_in_proportion(reader: str, folder: Path, start: str, piece: str, end: str) -> None:
    """However long a word is, reading it takes time in proportion."""

    def read(word: str) -> None:
        with suppress(OperatorError):
            READERS[reader](word)

    repeated = piece[:500] or "1"
    assert growth(read, lambda count: start + repeated * (count // len(repeated)) + end, LARGEST) < MOST


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def nested(depth: int) -> Any:
    """A list in a list, and so on."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


VALUES = JSON | st.integers(400, 5000).map(lambda digits: 10**digits) | st.integers(1, 20_000).map(nested)


@pytest.mark.parametrize("name", all_games())
@examples(40, 3000)
@given(data=st.data())
def test_any_value_of_a_setup(name: str, data: st.DataObject) -> None:
    """Whatever a contest file or a replay gives for an option, it becomes a setup, or is refused with a sentence."""
    game = all_games()[name]
    option = data.draw(st.sampled_from(game.options or ())) if game.options else None
    if option is not None:
        value = data.draw(VALUES)
        try:
            setup = resolve(game.options, {option.name: value})
            game.new_state(setup, game.seats[0])
        except OperatorError as error:
            check_sentence(error)


@examples(100, 3000)
@given(
    given_clock=st.one_of(
        st.integers(), st.floats(), st.sampled_from([10**400, True]), st.builds(Clock, turn=st.floats())
    )
)
def test_any_number_for_a_clock(given_clock: Any) -> None:
    """From Python too, whatever number is given for a clock is one that can be kept, or is refused."""
    try:
        assert 0 < read_clock(games.find("drop-block"), given_clock).turn <= 86_400
    except OperatorError as error:
        check_sentence(error)


# --- whole command lines

# What stands for a command's own words, by what its help calls them. No bot is ever found.
GIVEN = {"GAME": "drop-block", "FOLDER": "results", "DIR": ".", "ADDRESS": "tcp://127.0.0.1:1", "STORE": "none.db"}
PLACES = ("folder", "html", "name", "out", "output", "save", "store")  # options that name what is written


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and its way: those of the table, the games' own, and those below others."""
    group = group or command_of(main.app)
    context = typer.Context(group)
    context.obj = "en"
    names = [*group.list_commands(context), *(main.more_commands() if not path else ())]
    for name in names:
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, (*path, name))
        elif name != "demo":  # it plays with bots of its own
            yield (*path, name), command


@cache
def known_commands() -> dict[tuple[str, ...], Any]:
    """The same by their ways, found once."""
    return dict(commands())


def options() -> list[Any]:
    """Each command with each of its options that takes a word, as they are typed.

    An ordinary run has each option with one command, and each command with one option; `--full` has all of them.
    """
    every = [
        (" ".join(path), parameter.opts[-1])
        for path, command in known_commands().items()
        for parameter in command.params
        if parameter.param_type_name == "option"
        and not parameter.is_flag
        and (parameter.opts[-1] != "--lang" or path == ("play",))  # the same one everywhere
    ]
    found, known = [], set[str]()
    for path, option in every:
        found.append(pytest.param(path, option, marks=[pytest.mark.full] if {path, option} <= known else []))
        known |= {path, option}
    return found


def line(path: str, option: str, word: str) -> list[str]:
    """The command line: the command's own words, and the option with this word."""
    command = known_commands()[tuple(path.split())]
    words = [
        GIVEN.get(str(parameter.metavar).strip("[]."), "nobody")
        for parameter in command.params
        if parameter.param_type_name == "argument" and (parameter.required or path == "contest run")
    ]
    extra = ["--game", "drop-block"] if path == "contest run" and option != "--game" else []
    trust = ["--trust"] if any("--trust" in p.opts for p in command.params) and option != "--sandbox" else []
    return [
        *path.split(),
        *extra,
        *trust,
        f"{option}={word}" if option.startswith("--") else f"{option}{word}",
        *words,
    ]


@pytest.fixture
def nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot is found or built, no game held to laws, no process is started, no sandbox is tried out."""

    def none(*_: object, **__: object) -> Any:
        raise OperatorError("bot-no-name")

    from dohyo.guests.cluster import processes as cluster_processes
    from dohyo.guests.laws import command as laws_command
    from dohyo.guests.site.judging import judge_process

    run = laws_command._run  # pytest chooses the laws by the word, and holds none
    monkeypatch.setattr(laws_command, "_run", lambda words, silent: run([*words, "--collect-only"], silent))

    monkeypatch.setenv("PATH", str(folder))  # nor is a tool found, which is asked for its version
    monkeypatch.setattr(bots, "resolve", none)
    monkeypatch.setattr(cluster_processes, "ClusterProcesses", none)
    monkeypatch.setattr(judge_process, "JudgeProcess", none)


@pytest.mark.parametrize(("path", "option"), options())
@settings(examples(3, 60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(word=WORDS)
def test_any_word_behind_any_option(
    path: str, option: str, nobody: None, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """Whatever is typed behind an option of a command, that is told in one sentence, or the command goes on."""
    if "\0" in word:  # no shell can type it
        return
    if option.strip("-") in PLACES:
        word = word.replace(os.sep, "").replace("..", "")
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors="replace") for _ in range(2))  # as `main` makes them
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    status = main.run(line(path, option, word))
    err.flush()
    said = err.buffer.getvalue()
    assert status in (0, 1, 2)
    assert status != 2 or 0 < len(said) < 3 * LONGEST_SENTENCE
