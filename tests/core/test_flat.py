"""Flat states, random numbers and digits: the ground that every rule stands on."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core import flat, text

LAYOUT = flat.Layout("Sample", ("far", "i8", 0), ("exact", "f8", 2), ("turn", "i4", 0), ("row", "i1", 3))

STATES = st.builds(
    lambda far, exact, turn, row: {"far": far, "exact": exact, "turn": turn, "row": row},
    st.integers(-(2**63), 2**63 - 1),
    st.lists(st.floats(allow_nan=False), min_size=2, max_size=2),
    st.integers(-(2**31), 2**31 - 1),
    st.lists(st.integers(-128, 127), min_size=3, max_size=3),
)


@given(STATES)
def test_a_state_survives_bytes_and_dictionaries(values: dict[str, object]) -> None:
    """Packed and unpacked, told as a dictionary and read back, a state is the same."""
    state = LAYOUT.from_dict(values)
    assert LAYOUT.as_dict(LAYOUT.unpack(LAYOUT.pack(state))) == values
    assert LAYOUT.pack(LAYOUT.copy(state)) == LAYOUT.pack(state)
    assert len(LAYOUT.pack(state)) == LAYOUT.size == 8 + 16 + 4 + 3


@given(STATES)
def test_a_record_holds_the_same_bytes(values: dict[str, object]) -> None:
    """The compiled form's record begins with the bytes that `pack` writes."""
    import numpy

    packed = LAYOUT.pack(LAYOUT.from_dict(values))
    record = numpy.zeros(1, LAYOUT.dtype())
    for name, value in values.items():
        record[name][0] = value
    assert record.tobytes()[: LAYOUT.size] == packed


def test_a_copy_is_independent() -> None:
    """What is changed in a copy does not change the original."""
    state = LAYOUT.new()
    LAYOUT.copy(state).row[1] = 5
    assert state.row == [0, 0, 0]


def test_fields_are_kept_widest_first() -> None:
    """Whatever the order in which they are declared, a record needs no padding; shapes keep that order."""
    layout = flat.Layout("Any", ("small", "i1", 0), ("grid", "i1", (2, 3)), ("wide", "i4", 0))
    assert [name for name, _, _ in layout.fields] == ["wide", "small", "grid"]
    assert layout.shapes == {"small": (), "grid": (2, 3), "wide": ()}
    assert list(layout.shapes) == ["small", "grid", "wide"]
    assert len(layout.new().grid) == 6
    assert layout.size == 4 + 1 + 6


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ([("a", "u1", 0)], "the kind of Wrong.a is 'u1', and must be one of i8, f8, i4, i2, i1"),
        ([("a", "i1", -1)], "the length of Wrong.a is -1"),
        ([("a", "i1", (3, 0))], r"the length of Wrong.a is \(3, 0\)"),
        ([("a", "i1", "3")], "the length of Wrong.a is '3'"),
        ([("a", "i1", 0), ("a", "i2", 0)], "two fields of Wrong have the same name"),
    ],
)
def test_a_layout_that_cannot_be_is_refused(fields: list[Any], said: str) -> None:
    """With a sentence that says which field, and what may stand there."""
    with pytest.raises(ValueError, match=said):
        flat.Layout("Wrong", *fields)


@pytest.mark.parametrize(("field", "value"), [("turn", 2**31), ("far", -(2**63) - 1)])
def test_a_value_that_does_not_fit_is_an_error(field: str, value: int) -> None:
    """The plain form raises where the compiled one would wrap around silently."""
    state = LAYOUT.new()
    setattr(state, field, value)
    with pytest.raises(struct.error):
        LAYOUT.pack(state)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"row": [0, 0]}, "row"),
        ({"row": [0, 0, 200]}, "128"),
        ({"row": 1}, "row"),
        ({"turn": 1.5}, "turn"),
        ({"turn": True}, "turn"),
        ({"more": 1}, "other fields"),
    ],
    ids=["too short", "too large", "no row", "no integer", "a truth value", "unknown"],
)
def test_a_dictionary_that_does_not_fit_is_refused(change: dict[str, object], reason: str) -> None:
    """A start that was tampered with is not taken for a state."""
    with pytest.raises(ValueError, match=reason):
        LAYOUT.from_dict({**LAYOUT.as_dict(LAYOUT.new()), **change})


def test_the_digest_follows_every_byte() -> None:
    """A state that differs in one field has another digest; the same state has the same."""
    one, other = LAYOUT.new(), LAYOUT.new()
    assert LAYOUT.digest(one) == LAYOUT.digest(other)
    other.row[2] = 1
    assert LAYOUT.digest(one) != LAYOUT.digest(other)
    assert len(LAYOUT.digest(one)) == 8


def test_digests_of_checksums() -> None:
    """Numbers of CRC-32 become the same text all at once as one by one, with leading zeros."""
    packed = [bytes([number, 7]) for number in range(256)] + [b""]
    checksums = [zlib.crc32(one) for one in packed]
    assert flat.digits(checksums) == "".join(flat.digest_of(one) for one in packed)
    assert flat.digits([]) == ""


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_its_known_answers(
    counter: tuple[int, ...], key: tuple[int, int], words: tuple[int, ...]
) -> None:
    """The generator gives the answers that its authors published (Random123, kat_vectors)."""
    source = flat.SOURCE.new()
    source.draw, source.turn, source.game, source.stream = counter
    source.seed_low, source.seed_high = key
    flat.philox(source)
    assert tuple(source.word) == words


@given(st.integers(0, 2**63 - 1), st.integers(1, 2**32))
def test_numbers_stay_in_their_range(seed: int, n: int) -> None:
    """A draw below n is a number from 0 to n - 1."""
    assert 0 <= flat.uniform(flat.source(seed), n) < n


def test_words_that_would_favour_some_numbers_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**32 is one more than a multiple of 3: the word 0 is drawn again, the word 1 counts."""
    words = iter([0, 0, 1, 0, 2**32 - 1])

    def scripted(source: Any) -> None:
        source.word[0] = next(words)

    monkeypatch.setattr(flat, "philox", scripted)
    source = flat.source(1)
    assert flat.uniform(source, 3) == 1
    assert source.draw == 3
    assert flat.uniform(source, 3) == 0
    assert source.draw == 5


def test_draws_are_even() -> None:
    """Of 6000 draws below 6 each number comes up about 1000 times (within five standard deviations)."""
    source = flat.source(1)
    counts = Counter(flat.uniform(source, 6) for _ in range(6000))
    assert all(abs(count - 1000) < 5 * 29 for count in counts.values())
    assert len(counts) == 6


def test_seed_game_turn_and_stream_each_change_the_numbers() -> None:
    """Two sources that differ in anything draw different numbers; equal ones draw the same."""

    def numbers(seed: int, game: int, turn: int, stream: int) -> tuple[int, ...]:
        source = flat.source(seed, game, stream)
        source.turn = turn
        return tuple(flat.uniform(source, 2**32) for _ in range(4))

    every = {numbers(s, g, t, x) for s in (1, 1 + 2**32) for g in (0, 1) for t in (0, 1) for x in (0, 7)}
    assert len(every) == 16
    assert numbers(1, 0, 0, 0) == numbers(1, 0, 0, 0)


@given(
    st.integers(-(2**62), 2**62)
    | st.sampled_from([s * 10**k - d for k in range(18) for s in (1, -1) for d in (0, 1)]),
    st.integers(0, 5),
)
def test_digits_are_those_of_the_number(value: int, at: int) -> None:
    """`put` writes what `str` says, from its place on."""
    buffer = bytearray(40)
    end = text.put(buffer, at, value)
    assert buffer[at:end].decode() == str(value)


def test_events_are_kept_in_order_until_the_log_is_full() -> None:
    """A log holds its events in order; what no longer fits is dropped, and no log at all is welcome too."""
    log = flat.event_log(2).new()
    for kind in (1, 2, 3):
        flat.emit(log, kind, 10, 20, 30)
    assert flat.read_events(log) == [(1, 10, 20, 30), (2, 10, 20, 30)]
    flat.emit(None, 1, 2, 3, 4)
