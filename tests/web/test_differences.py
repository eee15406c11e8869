"""Differences between JSON values: what they make of the old value is the new one."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from dohyo.web.differences import NOTHING, difference
from tests.web.applied import apply
from tests.web.values import pairs

SCALARS = st.none() | st.booleans() | st.integers(-50, 50) | st.floats(-5, 5) | st.text(max_size=3)
KEYS = st.sampled_from(["a", "b", "0", "1", "length", "-"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def text(value: Any) -> bytes:
    """A value as JSON: there `1`, `1.0` and `true` are not the same, while in Python they are equal."""
    return msgspec.json.encode(value, order="sorted")


@given(VALUES, VALUES)
def test_difference_makes_the_new_value(old: Any, new: Any) -> None:
    """Applied to the old value, a difference yields the new one; the old one is left as it was."""
    before = copy.deepcopy(old)
    change = difference(old, new)
    assert text(apply(old, change)) == text(new)
    assert text(old) == text(before)


def test_difference_makes_a_relative() -> None:
    """Values that have much in common, as frames have, are told apart and put together exactly."""
    for old, new in pairs(2000):
        assert text(apply(old, difference(old, new))) == text(new), (old, new)


@given(VALUES)
def test_equal_values_have_no_difference(value: Any) -> None:
    """Nothing is sent for what did not change."""
    assert difference(value, copy.deepcopy(value)) == NOTHING


def test_differences_are_small() -> None:
    """Only what changed is named, down to the member of a member."""
    old = {"blocks": [0, 0, 0, 0], "players": [{"row": 1, "column": 2}, {"row": 3, "column": 4}], "turn": 1}
    new = {"blocks": [0, 0, 4, 0], "players": [{"row": 1, "column": 2}, {"row": 3, "column": 5}], "turn": 2}
    assert difference(old, new) == {"blocks": {"2": [4]}, "players": {"1": {"column": [5]}}, "turn": [2]}


def test_members_and_elements_come_and_go() -> None:
    """An empty list removes: a member of an object, or an element of an array and all that follow."""
    assert difference({"a": 1, "b": 2}, {"b": 2, "c": 3}) == {"a": [], "c": [3]}
    assert difference([1, 2, 3, 4], [1, 2]) == {"2": []}
    assert difference([1, 2, 3, 4], [1, 2, 3, 4, 5]) == {"4": [5]}


def test_changed_values_share_what_did_not_change() -> None:
    """A thousand frames do not hold a thousand copies of what stands still."""
    old = {"still": [1, 2, 3], "moved": 1}
    assert apply(old, difference(old, {"still": [1, 2, 3], "moved": 2}))["still"] is old["still"]
