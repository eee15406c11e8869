"""Replays that somebody wrote by hand: whatever stands in them, they are refused with a sentence."""

from __future__ import annotations

import copy
import hashlib
import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core import playback
from dohyo.core import replay_format as replays
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay_format import decode, encode
from tests.core.matches import GAME, played

LINES = [json.loads(line) for line in encode(played(turns=6)).splitlines()][:-1]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NUMBERS = st.integers(-300, 300) | st.sampled_from([2**31, -(2**31) - 1, 2**63, -(2**64), 10**30])


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(way for key, part in inner for way in places(part, (*path, key)))]


PLACES = [way for way in places(LINES) if way]


def sealed(lines: list[Any]) -> bytes:
    """The lines as a file, with a checksum that fits."""
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return body + b'{"sha256":"' + hashlib.sha256(body).hexdigest().encode() + b'"}\n'


def with_value(way: tuple[Any, ...], value: Any) -> list[Any]:
    """The lines with one place changed."""
    lines = copy.deepcopy(LINES)
    at: Any = lines
    for key in way[:-1]:
        at = at[key]
    at[way[-1]] = value
    return lines


def read(content: bytes) -> None:
    """All that is done with a replay: read it, play it again, take it up at each turn."""
    replay = decode(content)
    playback.verify(GAME, replay)
    for turn in range(len(replay.turns) + 1):
        playback.state_at(GAME, replay, turn)


def test_the_untouched_lines_are_a_replay() -> None:
    """Sealed again without a change, the lines are read and verified."""
    read(sealed(LINES))


@given(way=st.sampled_from(PLACES), value=NUMBERS | JSON)
def test_any_value_in_any_place_is_refused_or_harmless(way: tuple[Any, ...], value: Any) -> None:
    """One value replaced by another, of whatever kind: our own error, or a replay that still holds."""
    with suppress(OperatorError):
        read(sealed(with_value(way, value)))


def test_a_move_of_another_seat_is_found() -> None:
    """A line says who moved: another seat, nobody, or the same one twice is not what the rules say."""
    move = LINES[1]["moves"][0]
    for moves in ([{**move, "seat": 1}], [move, move], [move, {**move, "seat": 2}], [{**move, "seat": -1}]):
        with pytest.raises(ReplayError) as caught:
            read(sealed(with_value((1, "moves"), moves)))
        assert (caught.value.key, caught.value.message.values) == ("replay-turn-differs", {"turn": 0})


@pytest.mark.parametrize("number", [-1, 1, 7])
def test_a_line_with_another_number_is_found(number: int) -> None:
    """Lines are numbered from 0 without gaps, also where the moves would fit."""
    with pytest.raises(ReplayError) as caught:
        read(sealed(with_value((1, "turn"), number)))
    assert caught.value.key == "replay-turn-missing"


def test_every_moment_keeps_states_of_its_own() -> None:
    """Turns taken together show each its own states, not the last one's."""
    replay = decode(sealed(LINES))
    moments = list(playback.moments(GAME, replay))
    digest = GAME.rules.LAYOUT.digest
    assert [digest(moment.after) for moment in moments] == [turn.digest for turn in replay.turns]
    assert [moment.before.turn for moment in moments] == list(range(len(moments)))


def test_what_unpacks_to_too_much_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that unpacks to more than any match needs is not called cut off."""
    monkeypatch.setattr(replays, "MAX_BYTES", 1000)
    with pytest.raises(ReplayError) as caught:
        read(encode(played(turns=200), compressed=True))
    assert caught.value.key == "replay-too-large"


@pytest.mark.parametrize("count", [0, 1, 3, 5, 100])
def test_a_number_of_seats_that_the_game_does_not_have_is_refused(count: int) -> None:
    """Four play Drop-Block; a header with any other number of seats is none of its replays."""
    with pytest.raises(OperatorError):
        read(sealed(with_value((0, "seats"), [{"name": "x"}] * count)))


@pytest.mark.parametrize(
    "change",
    [
        {"turn": 1, "limit": 2**31 - 1, "row": [100, 0, 0, 0]},
        {"row": [0, 0, 0, -128]},
        {"facing": [7, 7, 7, 7]},
        {"turn": -5},
        {"block": [127] * 36, "turn": 2**31 - 1, "limit": 2**31 - 1},
        {"turn": "1"},
    ],
    ids=["off the board", "far off", "facing nowhere", "before time", "at the end of time", "no number"],
)
def test_a_start_that_cannot_be_is_refused_or_played(change: dict[str, Any]) -> None:
    """A start that no match can come to does no harm: a sentence, never an exception of another kind."""
    state = GAME.rules.LAYOUT.as_dict(playback.beginning(GAME, decode(sealed(LINES))))
    lines = with_value((0, "start"), {**state, "dealt": 1, **change})
    with pytest.raises(OperatorError):
        read(sealed(lines))


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"dohyo":1,"game":' + b'{"a":' * 100_000,
        b'{"dohyo":1,"x":"\xff\xfe"}',
        b'{"dohyo":1e400}',
        b'{"dohyo":' + b"1" * 5000 + b"}",
        b"\x00" * 100,
        b'{"dohyo":1,"game":"drop-block","setup":' + b"[" * 5000 + b"]" * 5000 + b"}",
    ],
    ids=["deep", "deep objects", "no text", "infinity", "many digits", "zeros", "deep and whole"],
)
@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
def test_a_line_that_no_reader_likes_is_refused(line: bytes, first: bool) -> None:
    """Nesting without end, bytes that are no text, numbers without end: a sentence for each, wherever they stand."""
    lines = [json.dumps(value).encode() for value in LINES]
    body = b"\n".join([line, *lines[1:]] if first else [*lines[:-1], line]) + b"\n"
    begun = time.process_time()
    with pytest.raises(OperatorError):
        read(body + b'{"sha256":"' + hashlib.sha256(body).hexdigest().encode() + b'"}\n')
    assert time.process_time() - begun < 5
