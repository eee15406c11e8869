"""JSON schemas, by which editors complete and check files: `bot.toml`, contest files, a replay's header, puzzles.

Made from what the readers themselves use: their keys, bounds and formats (`bots/declared.py`,
`series/request.py`), and the types of headers and puzzles. Draft 7, which every editor's TOML extension reads; those
of types are what msgspec makes.

What a schema accepts its reader accepts, but for what draft 7 cannot say: characters that cannot be printed, quotes
of a command line that do not close, parameters whose names differ in capitals alone, whole numbers written with a
point, which options a game has, and what depends on files.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from dohyo import doors
from dohyo.bots import declared
from dohyo.bots.bot import LIFETIMES
from dohyo.core.asked import WORD, schema
from dohyo.core.options import takes_in
from dohyo.core.parameters import LONGEST_NAME
from dohyo.core.replay import Header
from dohyo.i18n import ENGLISH
from dohyo.match.files import read_bounded
from dohyo.series import formats
from dohyo.series.puzzles.file import Line
from dohyo.series.request import ContestRequest

MAX_BYTES = 1 << 20  # of a schema
DRAFT = "http://json-schema.org/draft-07/schema#"
PRINTED = "^[^\\u0000-\\u001f\\u007f]*$"  # the characters that are surely none to print
FILLED = "^[^\\u0000]*[^\\u0000\\s\\u001c-\\u001f\\u0085][^\\u0000]*$"  # something besides spaces
Schema = dict[str, Any]


def bot_schema() -> Schema:
    """The schema of `bot.toml`."""
    lines: Schema = {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": WORD}}
    keys: Schema = {
        "name": {
            "description": "Shown in tables. Without it: the folder's name.",
            "allOf": [
                {"type": "string", "maxLength": declared.LONGEST_NAME},
                {"pattern": FILLED},
                {"pattern": PRINTED},
            ],
        },
        "build": {
            "description": "A line for the shell, or a list of lines, that builds the bot in a copy of its folder.",
            "oneOf": [{"type": "string", "pattern": FILLED}, lines],
        },
        "run": {
            "description": "A command line, or a list of words, that starts the bot. Without it: what Dohyo finds.",
            "oneOf": [{"type": "string", "pattern": FILLED}, lines],
        },
        "lifetime": {
            "description": "How long one process lives, in games that leave the choice.",
            "enum": list(LIFETIMES),
        },
        "python": {
            "description": "The interpreter that 'python' and 'python3' mean in these lines; 'dohyo': Dohyo's own.",
            "type": "string",
            "pattern": FILLED,
            "examples": ["python3.12", "pypy3", "dohyo"],
        },
        "params": _values_of_parameters(),
    }
    known = [name for name, kind in doors.brought("players").items() if kind.is_program]
    keys["protocol"] = {
        "description": "What the program speaks, where that is not its game's own protocol: uci, xboard (engines).",
        **({"enum": known} if known else {"type": "string"}),
    }
    assert tuple(keys) == declared.KEYS
    return {
        "$schema": DRAFT,
        "title": "bot.toml",
        "description": "How a bot for Dohyo is built and run. Every key may be left out.",
        "type": "object",
        "additionalProperties": False,
        "properties": keys,
    }


def _values_of_parameters() -> Schema:
    """The values of a bot's parameters, by name."""
    return {
        "description": "Values of the bot's parameters, by name.",
        "type": "object",
        "maxProperties": declared.MAX_PARAMS,
        "propertyNames": {"pattern": f"^[A-Za-z][A-Za-z0-9_]{{0,{LONGEST_NAME - 1}}}$"},
        "additionalProperties": {
            "oneOf": [
                {"type": "number", "minimum": -1e100, "maximum": 1e100},
                {"type": "string", "maxLength": declared.LONGEST_VALUE, "pattern": PRINTED},
            ]
        },
    }


def contest_schema() -> Schema:
    """The schema of a contest file."""
    about = "What 'dohyo contest run FILE.toml' plays."
    made = schema(ContestRequest)
    formats_ = [_of_format(name) for name in formats.all_formats()]
    return {"$schema": DRAFT, "title": "A contest of Dohyo", "description": about, **made, "allOf": formats_}


def replay_schema() -> Schema:
    """The schema of the first line of a replay (docs/replay-format.md)."""
    about = "The first line of a replay, as docs/replay-format.md describes it; other fields are ignored."
    return _of_type(Header, "The header of a Dohyo replay", about)


def puzzles_schema() -> Schema:
    """The schema of a line of a file of puzzles, behind the first one (docs/puzzles.md)."""
    about = "A line of a file of puzzles behind its first one, as docs/puzzles.md describes it; it has one key."
    return _of_type(Line, "A line of a file of Dohyo's puzzles", about)


def _of_type(kind: type, title: str, about: str) -> Schema:
    """The schema that msgspec makes of a type."""
    made = msgspec.json.schema(kind)
    for each in made["$defs"].values():
        each["description"] = inspect.cleandoc(each.get("description", ""))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": about,
        **made,
    }


def _of_format(name: str) -> Schema:
    """Which options a format has. A file that names none has the usual one."""
    options = {
        option.name: {"description": f"{option.about}: {takes_in(option, ENGLISH)}."}
        for option in formats.find(name).info.options
    }
    chosen: Schema = {"properties": {"format": {"const": name}}}
    if name != formats.USUAL:
        chosen["required"] = ["format"]
    return {"if": chosen, "then": {"properties": {"options": {"properties": options, "additionalProperties": False}}}}


def is_schema(path: str) -> bool:
    """Whether a file may be replaced by a schema: it is one of ours, or is empty."""
    start = read_bounded(path, MAX_BYTES)
    if not start:
        return True
    try:
        found = msgspec.json.decode(start)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("title") in [make()["title"] for make in SCHEMAS.values()]


SCHEMAS: Mapping[str, Callable[[], Schema]] = {
    "bot": bot_schema,
    "contest": contest_schema,
    "replay": replay_schema,
    "puzzles": puzzles_schema,
}
