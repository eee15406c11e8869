"""Templates of starters: gaps, lines with conditions, and the empty lines around what is left out."""

from __future__ import annotations

import pytest

from dohyo.guests.starters.templates import fill

BLOCK = """\
type $name {
    $first

    ?parse
        parse() {
            $body
        }

    ?text text()
}

?!parse nothing to parse
end"""


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        (
            {"first": ["a", "b"], "parse": True, "body": "x\ny", "text": True},
            [
                *("type T {", "    a", "    b", ""),
                *("    parse() {", "        x", "        y", "    }", ""),
                *("    text()", "}", "", "end"),
            ],
        ),
        (
            {"first": "a", "parse": False, "body": "", "text": ""},
            ["type T {", "    a", "}", "", "nothing to parse", "end"],
        ),
        (
            {"first": [], "parse": [], "body": "", "text": "t"},
            ["type T {", "    text()", "}", "", "nothing to parse", "end"],
        ),
        ({"first": [], "parse": "p", "body": [], "text": ""}, ["type T {", "    parse() {", "    }", "}", "", "end"]),
    ],
)
def test_what_is_left_out_leaves_no_gap(values: dict[str, str | list[str] | bool], lines: list[str]) -> None:
    """Lines take over the indentation of theirs; no two empty lines meet, and none stands at the edge of a block."""
    assert fill(BLOCK, {"name": "T", **values}) == lines


def test_values_are_not_templates() -> None:
    """A dollar sign or a question mark in a value means nothing; `$$` in a template is a dollar sign."""
    assert fill("$$$name = $text;\n", {"name": "x", "text": "$name ?name $$"}) == ["$x = $name ?name $$;"]
    assert fill("$text", {"text": ["?name", "$name"]}) == ["?name", "$name"]


def test_a_name_without_a_value_is_a_mistake() -> None:
    """A template that asks for what is not there raises, in a line and in a condition."""
    for template in ("a $nmae", "?nmae a", "?!nmae a"):
        with pytest.raises(KeyError, match="nmae"):
            fill(template, {"name": "x"})
