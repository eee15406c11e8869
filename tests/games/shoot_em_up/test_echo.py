"""An output of the arena, fed back as input, gives the same output again: to the byte, whatever program it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from dohyo.games.shoot_em_up import commands
from tests.fuzz.effort import is_full
from tests.games.shoot_em_up.scripted import End, Script, Talks

MOVES = [f"M {dx} {dy}\n".encode() for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
SHOTS = [f"S {dx} {dy}\n".encode() for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
COMMENTS = [b"/\n", b"/ thinking\n", b"// P 1 1\n", b"/\r\n", b"/ \xff\x00\n", b"/" + b"x" * 300 + b"\n"]
BAD = [
    *(b"M\n", b"M 0 0 \n", b"M 0 0\r\n", b"M 2 0\n", b"S 0 0\n", b"Surely\n", b"S 1 1\x00\n", b"M \xc3\x28\n"),
    *(b"\n", b" \n", b"x\n", b"P 1 1\n", b"N\n", b"W\n", b"! ROUNDS\n", b"-x\n", b"G 55\n", b"R 9\n", b"D\n", b"*\n"),
    *(b"\xff\xfe\n", b"\x00\n", b"\r\n", b"+\r+\n", "\u2028M 0 0\n".encode(), b"\x85\x0b\x0c\x1c\n"),
]

answer = st.one_of(
    st.sampled_from(MOVES + SHOTS),
    st.sampled_from(SHOTS),
    st.lists(st.sampled_from(MOVES + SHOTS + COMMENTS), max_size=4).map(b"".join),
)
hostile_answer = st.one_of(
    answer,
    st.sampled_from(BAD),
    st.lists(st.sampled_from(MOVES + SHOTS + COMMENTS + BAD), max_size=4).map(b"".join),
    st.binary(max_size=20),
)
comments = st.lists(st.sampled_from(COMMENTS), max_size=2).map(b"".join)
good_answer = st.tuples(comments, st.sampled_from(SHOTS + MOVES)).map(b"".join)
well_behaved = st.builds(
    dict,
    answers=st.lists(good_answer, min_size=1, max_size=6),
    asides=comments,
    last=st.sampled_from([b"", b"/ bye\n"]),
)
hostile = st.builds(
    dict,
    answers=st.lists(hostile_answer, min_size=1, max_size=6),
    asides=st.one_of(st.just(b""), hostile_answer),
    last=st.one_of(st.just(b""), hostile_answer),
    life=st.one_of(st.none(), st.integers(1, 30)),
    end=st.sampled_from(End),
    flood=st.sampled_from([b"", b"/ flood\n", b"x", b"M 0 0\n"]),
)
in_combat = st.sampled_from([b"+", b"+", b"+", b"+", b".", b"B", b"B1", b"B0", b"D", b"D show", b"D\xc3("])
anywhere = st.one_of(
    st.sampled_from(
        [b"", b"*", b"* comment", b"G 0", b"G 55", b"G 999999999", b"R 0", b"R 3", b"R", b"G 1234567890"]
    ),
    st.sampled_from([b"P 1 2", b"H 0 1", b"N", b"W", b"L", b"M 0 0", b"S 1 1", b"/ x", b"! y", b"! ERROR: x: "]),
    st.sampled_from(
        [b"+\r", b"+ ", b"++", b"B2", b"\x00", b"\xff", b"*\r", b" ", b"x", b"+", b".", b"B", b"D", b"B1"]
    ),
    st.binary(max_size=8).map(lambda some: some.replace(b"\n", b"")),
)
combat = st.tuples(
    st.sampled_from([b"-", b"-TEST", b"-\xff\xfe\x00", b"--"]),
    st.lists(st.one_of(in_combat, in_combat, in_combat, anywhere), min_size=1, max_size=8),
).map(lambda parts: [parts[0], *parts[1]])
block = st.one_of(combat, combat, st.sampled_from([[b"R 1"], [b"R 2"]]), st.lists(anywhere, max_size=4))
files = st.tuples(
    st.lists(block, min_size=1, max_size=5).map(lambda blocks: b"\n".join(b"\n".join(block) for block in blocks)),
    st.sampled_from([b"", b"\n"]),
).map(b"".join)

MANY = (15 if is_full() else 1) * settings().max_examples
PRINTED_OF_OURS = (b"P", b"H", b"N", b"W", b"L", b"M", b"S", b"/", b"!")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two limits that nobody would wait for."""
    monkeypatch.setattr(commands, "MAX_PAIRS", 60)
    monkeypatch.setattr(commands, "MAX_COMMENTS", 20)


def run_of(program: dict[str, object], file: bytes) -> tuple[bytes, Talks]:
    """What the arena prints, and the programs it started."""
    talks = Talks(lambda: Script(**program))  # type: ignore[arg-type]
    return talks.run(file), talks


def lines_of(text: bytes) -> list[bytes]:
    """The lines of a text whose last one may lack its newline."""
    return text.removesuffix(b"\n").split(b"\n") if text else []


def told(talks: Talks) -> Iterator[bytes]:
    """Every line that a program was sent, with its newline."""
    for program in talks.started:
        yield from (line + b"\n" for line in program.sent)


@settings(max_examples=MANY)
@given(program=st.one_of(well_behaved, hostile), file=files)
def test_output_as_input_gives_the_same_output(program: dict[str, object], file: bytes) -> None:
    """For any commands and any program that does the same again."""
    first, talks = run_of(program, file)
    again, _ = run_of(program, first)
    assert again == first
    event(f"errors: {b'! ERROR' in first}, rounds: {b'! ROUNDS' in first}, programs: {min(3, len(talks.started))}")


@settings(max_examples=MANY)
@given(program=st.one_of(well_behaved, hostile), file=files)
def test_every_command_is_echoed_once_and_in_order(program: dict[str, object], file: bytes) -> None:
    """What is left of the output without the program's lines and ours are the commands, all of them."""
    output, _ = run_of(program, file)
    commands_given = [line for line in lines_of(file) if not line.startswith(PRINTED_OF_OURS)]
    assert [line for line in lines_of(output) if not line.startswith(PRINTED_OF_OURS)] == commands_given


@given(program=well_behaved, file=files.map(lambda file: re.sub(rb"(?m)^R ", b"* R ", file)))
def test_lines_for_the_program_can_be_taken_from_the_output(program: dict[str, object], file: bytes) -> None:
    """`grep '^[PHNWLD]'` gives what the program was sent, where it made no error and every D is in a combat."""
    output, talks = run_of(program, file)
    assume(b"! ERROR: the" not in output and b"! ERROR: no end" not in output and b"! ROUNDS" not in output)
    fighting = False
    for line in lines_of(output):
        fighting = line.startswith((b"P", b"H", b"N")) or (fighting and not line.startswith((b"W", b"L")))
        assume(fighting or not line.startswith(b"D"))
    asked = b"".join(
        line + b"\n" for line in lines_of(output) if line.startswith((b"P", b"H", b"N", b"W", b"L", b"D"))
    )
    assert asked == b"".join(told(talks))


@given(program=hostile, rounds=st.integers(1, 6))
def test_rounds_add_up(program: dict[str, object], rounds: int) -> None:
    """w + l + e = n for any program, and only errors are told meanwhile, with how to see the first one again."""
    output, _ = run_of(program, f"R {rounds}".encode())
    *told, last = [line for line in lines_of(output)[1:] if not line.startswith(b"/")]
    errors = [line for line in told if not line.startswith(b"! COMBAT ")]
    words = last.split()
    assert words[:3] == [b"!", b"ROUNDS", str(rounds).encode()]
    assert sum(int(words[at]) for at in (4, 6, 8)) == rounds
    assert len(errors) == int(words[8])
    assert len(told) - len(errors) == min(1, len(errors))
    assert all(line.startswith(b"! ERROR: ") for line in errors)
