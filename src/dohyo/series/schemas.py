"""JSON schemas, by which editors complete and check files: `bot.toml`, contest files, the header of a replay.

Made from what the readers themselves use: their keys, bounds and formats (`bots/declared.py`,
`series/request.py`), and the header's own type. Draft 7, which every editor's TOML extension reads; the header's
is what msgspec makes.

What a schema accepts its reader accepts, but for what draft 7 cannot say: characters that cannot be printed, quotes
of a command line that do not close, parameters whose names differ in capitals alone, whole numbers written with a
point, which options a game has, and what depends on files.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from dohyo.bots import declared
from dohyo.bots.bot import LIFETIMES
from dohyo.core.options import takes_in
from dohyo.core.parameters import LONGEST_NAME, PROTOCOLS
from dohyo.core.replay import Header
from dohyo.i18n import ENGLISH
from dohyo.match.files import read_bounded
from dohyo.match.play import MAX_SEED
from dohyo.series import formats, request

MAX_BYTES = 1 << 20  # of a schema
DRAFT = "http://json-schema.org/draft-07/schema#"
PRINTED = "^[^\\u0000-\\u001f\\u007f]*$"  # the characters that are surely none to print
WORD = "^[^\\u0000]*$"
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
        "params": {
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
        },
    }
    keys["protocol"] = {
        "description": "What the program speaks, where that is not its game's own protocol: uci, xboard (engines).",
        "enum": list(PROTOCOLS),
    }
    assert tuple(keys) == declared.KEYS
    return _object("bot.toml", "How a bot for Dohyo is built and run. Every key may be left out.", keys)


def contest_schema() -> Schema:
    """The schema of a contest file."""
    keys = _what_is_played() | _how_it_is_played()
    assert tuple(keys) == tuple(request.KEYS)
    schema = _object("A contest of Dohyo", "What 'dohyo contest run FILE.toml' plays.", keys)
    return {**schema, "required": ["game"], "allOf": [_of_format(name) for name in formats.all_formats()]}


def _what_is_played() -> Schema:
    """The keys of a contest file that say what is played, up to the bots."""
    word = _word()
    return {
        "name": {
            "description": "The contest's name in its store. Without it: the file's name.",
            "type": "string",
            "maxLength": request.LONGEST,
            "pattern": "^[^/\\u0000-\\u001f\\u007f]*$",
        },
        "store": {"description": "Where results are kept: a file, or postgresql://... Without it: NAME.db.", **word},
        "game": {"description": "The game's name ('dohyo games').", **word},
        "format": {"description": "Who plays whom.", "enum": list(formats.all_formats()), "default": formats.USUAL},
        "rounds": {
            "description": "How much is played; what a round is, is the format's matter.",
            "type": "integer",
            "minimum": 1,
            "maximum": formats.MAX_ROUNDS,
            "default": 1,
        },
        "seed": {
            "description": "Decides all dice and lots. Without it: a new one of 63 bits.",
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_SEED,
        },
        "setup": {"description": "The game's options ('dohyo games' lists them).", **_values()},
        "options": {"description": "The format's options.", **_values()},
        "bots": {
            "description": "Who takes part: sample bots, files, folders or command lines.",
            "type": "array",
            "items": {
                "oneOf": [
                    word,
                    {**_object("", "A bot and its name.", {"name": word, "bot": word}), "required": ["bot"]},
                ]
            },
        },
    }


def _how_it_is_played() -> Schema:
    """The keys after those."""
    word, yes_no = _word(), {"type": "boolean", "default": False}
    return {
        "folder": {"description": "Every bot in this folder takes part.", **word},
        "names": {"description": "Who handed in what: a CSV or TOML file of hand-ins and names.", **word},
        "clock": {
            "description": "Time for a turn: a preset of the game or seconds, then KEY=VALUE (docs/clocks.md).",
            "oneOf": [word, {"type": "number"}],
            "examples": ["0.1", "online,mode=fair"],
        },
        "sandbox": {
            "description": "What bots run in ('dohyo doctor').",
            "enum": ["auto", "require", "none"],
            "default": request.USUAL,
        },
        "pondering": {
            "description": "Whether bots run on, and engines ponder, while they are not to move.",
            **yes_no,
        },
        "fault_is_last": {"description": "A bot with a fault has the last place in that match.", **yes_no},
        "python": {"description": "The interpreter for bots in Python. Without it: python3.", **word},
        "workers": {
            "description": "Matches at once. Without it: one a core.",
            "type": "integer",
            "minimum": 1,
            "maximum": request.MAX_WORKERS,
        },
    }


def _word() -> Schema:
    """A path, a name or a command line."""
    return {"type": "string", "pattern": WORD, "maxLength": request.LONGEST_WORD}


def replay_schema() -> Schema:
    """The schema of the first line of a replay (docs/replay-format.md)."""
    made = msgspec.json.schema(Header)
    for each in made["$defs"].values():
        each["description"] = inspect.cleandoc(each.get("description", ""))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The header of a Dohyo replay",
        "description": "The first line of a replay, as docs/replay-format.md describes it; other fields are ignored.",
        **made,
    }


def _object(title: str, about: str, keys: Mapping[str, Schema]) -> Schema:
    """An object with these keys and no others."""
    heads: Schema = {"$schema": DRAFT, "title": title} if title else {}
    return {**heads, "description": about, "type": "object", "additionalProperties": False, "properties": dict(keys)}


def _values() -> Schema:
    """A table of options: plain values, and lists and tables of these."""
    plain: Schema = {"type": ["string", "number", "boolean"]}
    listed: Schema = {"type": "array", "items": plain}
    return {
        "type": "object",
        "additionalProperties": {"anyOf": [plain, listed, {"type": "object", "additionalProperties": plain}]},
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
}
