"""Parameters: how they are written, and what a bot is given for a place."""

from __future__ import annotations

import math
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.errors import OperatorError
from dohyo.guests.tune.space import Parameter, places_of, read, toml, values_along, values_at
from dohyo.guests.tune.tuning import LONGEST_VALUE


def test_ways_to_write_one() -> None:
    """Whole numbers, numbers, factors, words, each with its default."""
    words = ["a=1..6", "b=-1.5..2:default=0", "c=1e-4..1:log", "d=x,y-2", "e=1..1000:log:default=10"]
    assert read(words) == (
        Parameter("a", 1, 6, whole=True),
        Parameter("b", -1.5, 2, default="0"),
        Parameter("c", 1e-4, 1, log=True),
        Parameter("d", words=("x", "y-2")),
        Parameter("e", 1, 1000, whole=True, log=True, default="10"),
    )
    assert [one.range for one in read(words)] == ["1..6", "-1.5..2.0", "0.0001..1.0:log", "x,y-2", "1..1000:log"]


@pytest.mark.parametrize(
    ("words", "key"),
    [
        *(([word], "tune-param") for word in ("a", "a=", "=1..2", "a=x", "a=x,x", "a=1..", "a=1..b", "a=nan..1")),
        *(([word], "tune-param") for word in ("9=1..2", "a=1..2:lg", "a=x,y:log", "a=1..inf", "a=1..1e300", "a= ,x")),
        *(([word], "tune-param") for word in ("a=1..2:default=1:default=2", "a=1..2:log:log")),
        *(([word], "tune-param-order") for word in ("a=2..1", "a=1..1", "a=0.5..0.5")),
        (["a=0..1:log"], "tune-param-log"),
        *(([word], "tune-param-default") for word in ("a=1..2:default=3", "a=1..2:default=1.5", "a=x,y:default=z")),
        (["a=1..2:default=x"], "tune-param-default"),
        (["a=1..2", "A=1..2"], "tune-param-twice"),
        ([], "tune-no-params"),
        ([f"a{at}=1..2" for at in range(13)], "tune-many-params"),
    ],
)
def test_mistakes(words: list[str], key: str) -> None:
    """Each mistake is a sentence."""
    with pytest.raises(OperatorError) as caught:
        read(words)
    assert caught.value.key == key
    assert "{" not in caught.value.say()


@given(st.floats(-0.2, 1.2), st.sampled_from(["a=1..6", "a=-2..2.5", "a=1e-4..1:log", "a=1..900:log", "a=x,y,z"]))
def test_a_value_is_in_its_range_and_stays(place: float, word: str) -> None:
    """Whatever place a model asks for, the value is in the range, and its own place gives the same value."""
    (one,) = read([word])
    value = one.value(place)
    assert value in one.words if one.words else one.low <= float(value) <= one.high
    assert one.value(one.place(value)) == value
    assert values_at([one], places_of([one], {"a": value})) == {"a": value}


@given(st.data(), st.floats(0, 1))
def test_extreme_ranges_have_values(data: st.DataObject, place: float) -> None:
    """However narrow, wide or far away a range is, its values lie in it, and a place comes back from each."""
    ends = data.draw(st.lists(st.floats(-1e15, 1e15), min_size=2, max_size=2, unique=True))
    low, high = sorted(ends)
    near = data.draw(st.sampled_from([high, math.nextafter(low, math.inf), low + abs(low) * 1e-9]))
    log = low > 0 and data.draw(st.booleans())
    one = Parameter("a", low, near if near > low else high, log=log)
    value = one.value(place)
    assert one.low <= float(value) <= one.high
    assert -1e-9 <= one.place(value) <= 1 + 1e-9
    assert len(value) <= LONGEST_VALUE


def test_values_of_a_narrow_range_differ() -> None:
    """A range far from zero has as many values as any other."""
    (one,) = read(["a=1234567.1..1234567.9"])
    assert len({one.value(at / 100) for at in range(101)}) > 90


def test_whole_numbers_are_equally_likely() -> None:
    """Each whole number has the same part of the range, the ends too; by factors, each factor has."""
    (plain, factors) = read(["a=1..4", "b=1e-2..1:log"])
    assert [plain.value(at / 8 + 0.01) for at in range(8)] == ["1", "1", "2", "2", "3", "3", "4", "4"]
    assert [factors.value(at) for at in (0, 0.5, 1)] == ["0.01", "0.1", "1"]
    assert values_along(plain, 5) == ["1", "2", "3", "4"]
    assert values_along(factors, 3) == ["0.01", "0.1", "1"]


def test_the_line_for_a_bot_toml_is_toml() -> None:
    """What is printed can be pasted: numbers are numbers there, also small ones."""
    space = read(["depth=1..6", "rate=1e-9..1:log", "mode=x,1"])
    line = toml(space, {"depth": "4", "rate": "1.234e-05", "mode": "1"})
    assert tomllib.loads(line) == {"params": {"depth": 4, "rate": 1.234e-5, "mode": "1"}}
