"""What to do about a crash, by what the program wrote: which line to mend, which file to save anew, which Python."""

from __future__ import annotations

import os
import re
from typing import Any

from dohyo.bench.check.findings import Finding
from dohyo.bots import Bot
from dohyo.core.bot_spec import HandIn
from dohyo.languages import traces
from dohyo.system.plain_files import open_plain

PYTHON = "python"
NO_MODULE = re.compile(r"No module named '(\w+)")
# Python's words for a source that is not in UTF-8; the second where its first line says that it is.
NOT_UTF8 = re.compile(r"Non-UTF-8 code starting with .{1,9} (?:in file (?P<file>.+?)|on line \d+)(?: on line|,)")
NO_UNICODE = re.compile(r"SyntaxError: \(unicode error\) 'utf-?8' codec can't decode")
NO_SYNTAX = re.compile(r"^(?:SyntaxError|IndentationError|TabError): ", re.MULTILINE)
NO_ACT = re.compile(r"NotImplementedError: \w+ has no method act\(")
CLASS = re.compile(rb"\bdohyo\b")  # in a program that is a class of ours, which prints what `act` returned
ACT = re.compile(rb"\bdef act\b")
MAX_SOURCE = 1 << 18  # bytes of a source that are looked at


def remedy_of(errors: str, language: str, path: str = "") -> tuple[str, dict[str, Any]] | None:
    """The key of what to do about a crash, and its values; none where nothing is known. `path` was handed in."""
    found = traces.find(errors, language)
    place = {} if found is None else {"file": found.file, "at": found.line}
    if language == PYTHON:
        if (found_module := NO_MODULE.search(errors)) is not None:
            module = found_module[1]
            return None if _lies_beside(module, path) else ("check.no-module", {"module": module})
        if (said := NOT_UTF8.search(errors)) is not None or NO_UNICODE.search(errors):
            file = said["file"] if said is not None and said["file"] else place.get("file", "")
            return "check.not-utf8", {"file": os.path.basename(str(file)) or os.path.basename(path)}
        if NO_ACT.search(errors):
            return "check.no-act", {}
        if place and NO_SYNTAX.search(errors):
            return "check.no-syntax", place
    return ("check.exited.there", place) if place else None


def _lies_beside(module: str, path: str) -> bool:
    """Whether a file or folder of this name lies beside the lone file that was handed in."""
    if not os.path.isfile(path):
        return False
    beside = os.path.join(os.path.dirname(path), module)
    return os.path.isfile(f"{beside}.py") or os.path.isdir(beside)


def path_of(bot: Bot) -> str:
    """Where what was handed in lies; empty for a bot that is no hand-in."""
    return bot.spec.path if isinstance(bot.spec, HandIn) else ""


def is_class(bot: Bot) -> bool:
    """Whether a bot is, by its source, a class whose `act` returns the answers: it prints nothing itself."""
    if bot.language != PYTHON:
        return False
    path = path_of(bot)
    names = (
        [path] if os.path.isfile(path) else [os.path.join(path, name) for name in ("mybot.py", "main.py", "bot.py")]
    )
    return any(CLASS.search(text) and ACT.search(text) for text in map(_source, names))


def _source(path: str) -> bytes:
    try:
        with open_plain(path) as file:
            return file.read(MAX_SOURCE)
    except OSError:
        return b""


def for_python(found: Finding, bot: Bot) -> Finding:
    """The finding about a line, with what to do where Python wrote it for somebody: for what is None."""
    if found.key == "check.empty-line" and is_class(bot):
        found.remedy = "check.act-none"
    elif found.key == "check.malformed" and bot.language == PYTHON and found.details.get("written") == "'None'":
        found.remedy = "check.none"
    return found
