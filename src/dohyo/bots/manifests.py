"""Manifests of projects, and `bot.toml`: TOML and JSON that strangers wrote, read within bounds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from dohyo.bots.content import decode, printable, read_plain
from dohyo.bots.safe_paths import SHOWN
from dohyo.core.errors import OperatorError

LONGEST_MANIFEST = 1 << 20  # bytes
MAX_PARTS = 50  # of a dotted key: reading one takes time by the square of their number


def read_toml(path: Path, spec: str) -> dict[str, Any]:
    """A TOML file's table. Raises `OperatorError` with the line where it cannot be read."""
    import tomllib

    text = _manifest(path, spec).replace("\r\n", "\n")
    if _MANY_PARTS.search(_TOML_TEXTS.sub("''", text)):
        raise _malformed(path, spec, f"a key of more than {MAX_PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        end = f"at line {text.count(chr(10)) + 1}, the end"
        raise _malformed(path, spec, str(error).replace("at end of document", end)) from error
    except RecursionError as error:
        raise _malformed(path, spec, "tables within tables, too deep") from error
    except ValueError as error:  # a number of more digits than Python reads
        raise _malformed(path, spec, str(error)) from error


# What may hold dots that part no key: comments, and texts of each kind. One without an end ends the file: nothing
# behind it is read as TOML either.
_TOML_TEXTS = re.compile(
    r'#[^\n]*|"""(?:[^"\\]|\\.|"(?!""))*(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'(?!''))*(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\.)*(?:"|\n|\Z)'
    r"|'[^'\n]*(?:'|\n|\Z)",
    re.DOTALL,
)
_MANY_PARTS = re.compile(rf"(?<![\w-])(?:(?:''|[\w-]++)[ \t]*+\.[ \t]*+){{{MAX_PARTS}}}")


def read_json(path: Path, spec: str) -> Any:
    """A JSON file's value. Raises `OperatorError` with the place where it cannot be read."""
    try:
        return msgspec.json.decode(_manifest(path, spec))
    except RecursionError as error:
        raise _malformed(path, spec, "values within values, too deep") from error
    except ValueError as error:
        raise _malformed(path, spec, str(error)) from error


def _manifest(path: Path, spec: str) -> str:
    content = read_plain(path, LONGEST_MANIFEST)
    if len(content) > LONGEST_MANIFEST:
        raise _malformed(path, spec, f"more than {LONGEST_MANIFEST >> 20} MiB")
    return decode(content)


def _malformed(path: Path, spec: str, error: str) -> OperatorError:
    return OperatorError("bot-toml-malformed", bot=spec, file=path.name, error=printable(error[:SHOWN]))
