"""What strangers may write for `arena` and `koth`: commands, programs' lines, folders' lines, per-turn answers.

That the arena's output, fed back, gives the same again is held by `tests/games/shoot_em_up/test_echo.py`.
"""

from __future__ import annotations

import io
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.bots.declared import declared_plan
from dohyo.bots.tools import Tools
from dohyo.core.dialogue import CloseInput, Entrant, Lapse, Play, Played, Print, ReadLine, Receive, Send, Start, Stop
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.options import Value
from dohyo.games.abotcalypse.koth import KOTH, MAX_GAMES, SURVIVED
from dohyo.games.shoot_em_up.commands import ARENA, Arena
from dohyo.guests.game_programs.command import read_options
from dohyo.guests.game_programs.dialogue import LONGEST_LINE, Dialogue, content, text
from dohyo.match.processes.launch import Launch
from tests.fuzz.effort import examples
from tests.fuzz.linear import MOST, growth
from tests.games.abotcalypse.contests import DEAD, Scripted

LARGEST = 1 << 15
REQUESTS = 3000  # of a machine that is looked at; R with a large number goes on for ever
FIRST = [b"-", b"-TEST", b"+", b".", b"B", b"B1", b"B0", b"D", b"R", b"G", b"*", b"P", b"!", b"M", b"S", b"/"]
REST = [
    *(
        b"",
        b" ",
        b" 0",
        b" 1",
        b" 3",
        b" 55",
        b" 2147483647",
        b" 999999999",
        b" -1",
        b" 1.5",
        b" 1e9",
        b" 0x1",
        b" nan",
    ),
    *(
        b" " + b"9" * 4000,
        b" " + b"9" * 5000,
        " \u0661".encode(),
        " \xb2".encode(),
        b"\0",
        b"\r",
        b"\x1b[2J",
        b"\xff",
    ),
]
LINE = st.one_of(
    st.builds(bytes.__add__, st.sampled_from(FIRST), st.sampled_from(REST)),
    st.sampled_from(FIRST),
    st.binary(max_size=30),
)
INPUTS = st.lists(LINE, max_size=12).map(b"\n".join)
ANSWER = st.one_of(
    st.sampled_from(
        [b"M 0 0", b"S 0 1", b"S 1 1", b"M 1 0", b"/ thinking", b"S 0 0", b"M\t0 0", b"M 0 \xd9\xa1", b""]
    ),
    st.sampled_from([Fault(kind) for kind in FaultKind]),
    st.binary(max_size=20).map(lambda some: some.replace(b"\n", b"")),
)


def conversation(source: bytes, answers: list[bytes | Fault]) -> list[str]:
    """What the arena prints, at most so many requests long, to a program that gives these answers in turn."""
    lines = iter(source.split(b"\n"))
    machine = Arena().run()
    printed: list[str] = []
    given = 0
    reply: object = None
    with suppress(StopIteration):
        for _ in range(REQUESTS):
            request = machine.send(reply)
            reply = None
            match request:
                case ReadLine():
                    line = next(lines, None)
                    reply = None if line is None else text(line)
                case Print(said):
                    printed.append(said)
                case Receive():
                    answer = answers[given % len(answers)]
                    given += 1
                    reply = text(answer) if isinstance(answer, bytes) else answer
                case Start() | Send() | CloseInput() | Stop():
                    pass
    machine.close()
    return printed


@examples(50, 20_000)
@given(source=INPUTS, answers=st.lists(ANSWER, min_size=1, max_size=6))
def test_any_commands_and_any_answers(source: bytes, answers: list[bytes | Fault]) -> None:
    """Whatever the input says and the program answers, the arena prints lines, each one line, and raises nothing."""
    for line in conversation(source, answers):
        assert b"\n" not in content(line)


@examples(40, 10_000)
@given(source=INPUTS | st.binary(max_size=400))
def test_any_input_without_a_program(source: bytes) -> None:
    """Where there is no program to start, any input ends in an exit status, and what is printed can be written."""

    def none() -> Launch:
        raise OperatorError("bot-no-name")

    out = io.BytesIO()
    status = Dialogue(io.BytesIO(source), out, io.StringIO(), none).run(ARENA.machine())
    assert status == (2 if b"cannot be started" in out.getvalue() else 0)


def test_a_line_without_an_end_is_refused() -> None:
    """A line of the input that nobody could have meant is refused with a sentence before it fills the memory."""
    source = io.BytesIO(b"*" * (LONGEST_LINE + 2))
    with pytest.raises(OperatorError, match="longer than 1 MiB"):
        Dialogue(source, io.BytesIO(), io.StringIO(), lambda: Launch((), "")).run(ARENA.machine())
    assert source.tell() == LONGEST_LINE + 1
    whole = io.BytesIO()
    Dialogue(io.BytesIO(b"*" * LONGEST_LINE), whole, io.StringIO(), lambda: Launch((), "")).run(ARENA.machine())
    assert whole.getvalue() == b"*" * LONGEST_LINE + b"\n"


@examples(6, 1500)
@given(piece=LINE, end=st.sampled_from([b"", b"\n"]))
def test_an_input_is_read_in_proportion(piece: bytes, end: bytes) -> None:
    """No line, however long, and no lines, however many, take longer than in proportion, where no combat runs."""
    repeated = piece[:500].lstrip(b"-R") + end or b"*"

    def read(source: bytes) -> None:
        Dialogue(io.BytesIO(source), io.BytesIO(), io.StringIO(), lambda: Launch((), "")).run(ARENA.machine())

    assert growth(read, lambda count: repeated * (count // len(repeated)), LARGEST) < MOST


# --- koth


NUMBER = st.one_of(
    st.sampled_from(
        ["", "0", "1", "10", "-1", "1e9", "nan", "inf", "0x10", "1_0", "\u0661", "\xb2", " 5 ", "9" * 5000]
    ),
    st.text(max_size=8),
)


@examples(40, 10_000)
@given(words=st.fixed_dictionaries({option.name: st.none() | NUMBER for option in KOTH.options}))
def test_any_words_for_the_options_of_koth(words: dict[str, str | None]) -> None:
    """Whatever is typed for an option is a value, or a sentence."""
    with suppress(OperatorError):
        values = read_options(KOTH, words)
        assert 1 <= values["n"] <= MAX_GAMES


@examples(25, 5000)
@given(
    names=st.lists(st.text(max_size=30), max_size=5, unique=True),
    refused=st.lists(st.text(max_size=30), max_size=2),
    said=st.text(max_size=50),
    data=st.data(),
)
def test_a_contest_of_any_names(names: list[str], refused: list[str], said: str, data: st.DataObject) -> None:
    """Whatever bots are called, say and score, the contest ends with its leaderboard, or for want of bots."""

    def match(play: Play) -> Played | None:
        if data.draw(st.integers(0, 9)) == 0:
            return None
        scores = {name: data.draw(st.integers(0, 10**12)) for name in play.names}
        fates = {name: data.draw(st.sampled_from([SURVIVED, DEAD])) for name in play.names}
        kinds = st.builds(
            Lapse, st.sampled_from(play.names), st.integers(0, 10**6), st.sampled_from(FaultKind), st.booleans()
        )
        return Played(scores, fates, tuple(data.draw(st.lists(kinds, max_size=3))))

    entrants = [*(Entrant(name, said or "no") for name in refused), *(Entrant(name) for name in names)]
    contest = Scripted(entrants, match, dict.fromkeys(names, (said,)))
    if names:
        assert contest.run(n=2).status == 0
    else:
        with pytest.raises(OperatorError):
            contest.run(n=2)


WORD = st.sampled_from(
    ["python", "python3", "./bot", "bot.py", "../x", "/bin/true", "''", '"', "\\", "-", "a:b=c", "~", "$HOME", ";"]
)
COMMANDS = st.one_of(
    st.lists(st.lists(WORD, max_size=4).map(" ".join), max_size=4).map(lambda lines: "\n".join(lines).encode()),
    st.text(max_size=60).map(lambda some: some.encode("utf-8", "replace")),
    st.binary(max_size=60),
    st.tuples(st.sampled_from(["'", '"', "\\", "a ", "\n", "a/", "../"]), st.integers(1, 20_000)).map(
        lambda pair: (pair[0] * pair[1]).encode()
    ),
)
TOML: st.SearchStrategy[Value] = st.recursive(
    st.sampled_from(
        ['"a"', "'./bot'", '"../x"', "1", "1.5", "nan", "true", "1979-05-27", '""', '"\\u0000"', "0x" + "f" * 9000]
    ),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda values: f"[{', '.join(values)}]")
        | inner.map(lambda value: f"{{ a = {value} }}")
    ),
    max_leaves=4,
)
KEYS = st.sampled_from(["name", "build", "run", "lifetime", "python", "a.b", '""', "'x y'"])


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """A folder with a bot in it."""
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text("print('rest')\n")
    return folder


def recognised(folder: Path, name: str, written: bytes) -> None:
    """Recognise the folder with this file in it; a sentence is one of the answers."""
    (folder / name).write_bytes(written)
    with suppress(OperatorError):
        declared_plan(str(folder), folder, Tools(folder.parent, shutil.which("true")))


def test_any_command_txt_is_read(handed_in: Path) -> None:
    """Whatever stands in a `command.txt`, the bot is recognised or refused with a sentence."""

    @examples(30, 5000)
    @given(written=COMMANDS)
    def attempt(written: bytes) -> None:
        recognised(handed_in, "command.txt", written)

    attempt()


def test_any_bot_toml_is_read(handed_in: Path) -> None:
    """Whatever keys and values a `bot.toml` has, the bot is recognised or refused with a sentence."""

    @examples(30, 5000)
    @given(table=st.dictionaries(KEYS, TOML, max_size=4))
    def attempt(table: dict[str, Any]) -> None:
        lines = [f"{key} = {value}\n" for key, value in table.items()]
        recognised(handed_in, "bot.toml", "".join(lines).encode())

    attempt()
