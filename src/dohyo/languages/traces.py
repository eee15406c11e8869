"""Reads crash reports (tracebacks, sanitizers' reports, panics): where in the author's own source it went wrong.

The forms are in `crash_forms.py`. What is read here was written by strangers: only a bounded
part of it, line by line, each line cut.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from dohyo.languages import all_languages
from dohyo.languages.crash_forms import CRASH_FORMS, Traceback

MAX_TEXT = 1 << 17  # characters of a report that are read, from its end: twice what is kept of a turn
LONGEST = 1000  # characters of a line that are read
LINES = 12  # of standard error without a report, the last ones; and of what comes before a report
MAX_LINES = 200  # of a report; of a longer one the middle is left out
BEFORE = 3  # lines before a report in which a failed check may say why
SAID = 300  # characters of what went wrong
OWN_FOLDERS = ("/bot/", "/build/")  # of what was handed in, and of its build, in a sandbox
# Where the types of arguments begin in C++'s name of a function: with templates they can be lines long.
ARGUMENTS = re.compile(r"(?<!\{lambda)(?<!operator)(?<=[\w>])\(|(?<=operator\(\))\(")
# Files of the system, of languages and of libraries; functions of C++'s and Rust's own (others: `Traceback.foreign`).
FOREIGN_FILE = re.compile(
    r"/usr/|/lib|/opt/|/snap/|/rustc/|\.\./|<|node:|internal/|.*/(?:lib/python\d|site-packages/|\.cargo/|\.rustup/|"
    r"node_modules/|go/(?:src|pkg)/)"
)
FOREIGN_FUNCTION = re.compile(r"core::|std::|__")
# What programs print that SIGABRT has ended from outside, or by abort().
ABORTED = re.compile(r"Fatal Python error: Aborted|ERROR: AddressSanitizer: ABRT|SIGABRT: abort")
# A letter, in places that are `escaped`.
ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
THREAD = re.compile(r'(?:Exception in thread "[^"]*" |Caused by: |Uncaught )')


class Crash(NamedTuple):
    """Where a program failed: the file as its author calls it, the line, the function if that is known; and why."""

    file: str
    line: int
    function: str = ""
    said: str = ""

    def __str__(self) -> str:
        """In one line: `plan.py:7, in best: KeyError: 'no'`."""
        place = f"{self.file}:{self.line}" + (f", in {self.function}" if self.function else "")
        return f"{place}: {self.said}" if self.said else place


class Report(NamedTuple):
    """A crash report in a text: what it comes to, its first and last line, whether its places are `escaped`."""

    crash: Crash
    first: int
    last: int
    escaped: bool


class _Place(NamedTuple):
    at: int
    file: str
    line: int
    function: str
    said: str

    def is_own(self, form: Traceback) -> bool:
        if self.file.startswith(OWN_FOLDERS):
            return True
        is_foreign = FOREIGN_FUNCTION.match(self.function) or (form.foreign and re.match(form.foreign, self.function))
        return not FOREIGN_FILE.match(self.file) and not is_foreign


def find(text: str, language: str = "") -> Crash | None:
    """Where a program failed, from what it wrote to standard error; none if no report is in it.

    The place is the innermost one in the author's own files, if one is known. `language` is tried first.
    """
    report = _report(_lines(text), language)
    return None if report is None else report.crash


def stuck(text: str, language: str = "") -> Crash | None:
    """Where a program was when SIGABRT ended it from outside (`Launch.asks_where`); none if it did not say."""
    found = find(text, language) if ABORTED.search(text[-MAX_TEXT:]) else None
    return None if found is None else found._replace(said="")


def excerpt(text: str, language: str = "", lines: int = LINES) -> str:
    """What matters of a standard error: the whole last report with `lines` lines before it, else the last `lines`.

    Of more than `MAX_LINES` lines, a line with their number stands for the middle; a longer line is cut.
    """
    read = _lines(text)
    shown = [line if len(line) < LONGEST else f"{line}..." for line in read]
    report = _report(read, language)
    if report is None:
        return "\n".join(shown[-lines:])
    if report.escaped:
        shown[report.first : report.last + 1] = map(_unescaped, shown[report.first : report.last + 1])
    shown = shown[max(0, report.first - lines) :]
    left_out = len(shown) - MAX_LINES
    if left_out > 0:
        shown[MAX_LINES // 2 : -MAX_LINES // 2] = [f"[... {left_out} lines ...]"]
    return "\n".join(shown)


def _lines(text: str) -> list[str]:
    return [line[:LONGEST] for line in text[-MAX_TEXT:].rstrip().splitlines()]


def _report(lines: Sequence[str], language: str) -> Report | None:
    for form in _forms(language):
        if (found := _in_form(lines, form)) is not None:
            return found
    return None


@cache
def _forms(language: str) -> tuple[Traceback, ...]:
    """The forms of reports, those of the language first."""
    rows = sorted(all_languages(), key=lambda row: row.name != language)  # the others stay in their order
    forms = (CRASH_FORMS[form] if isinstance(form, str) else form for row in rows for form in row.crash_forms)
    return tuple(dict.fromkeys(forms))


def _in_form(lines: Sequence[str], form: Traceback) -> Report | None:
    """The last report of a form."""
    places = list(_places(lines, form))
    if not places:
        return None
    begin = _beginning(lines, form, places)
    places = [place for place in places if place.at >= begin]
    own = [place for place in places if place.is_own(form)] or places
    place = own[-1] if form.last else own[0]
    said = place.said or _said(lines, form, begin, places)
    same = (
        other.function for other in places if (_called(other.file), other.line) == (_called(place.file), place.line)
    )
    function = place.function or next(filter(None, same), "")
    function = "" if function.startswith("<") else ARGUMENTS.split(function)[0]
    first = begin if form.begins else max(0, places[0].at - 1)
    return Report(Crash(_called(place.file), place.line, function, said[:SAID]), first, places[-1].at, form.escaped)


def _places(lines: Sequence[str], form: Traceback) -> Sequence[_Place]:
    pattern, above = re.compile(form.place), re.compile(form.above)
    found = []
    for at, line in enumerate(lines):
        if (match := pattern.match(line)) is not None:
            groups = match.groupdict()
            named = above.match(lines[at - 1]) if form.above and at else None
            function = groups.get("function") or (named["function"] if named else "")
            number = int(match["line"][:9])
            file, function = (_unescaped(name) if form.escaped else name for name in (match["file"], function))
            found.append(_Place(at, file, number, function.strip(), groups.get("said") or ""))
    return found


def _unescaped(text: str) -> str:
    """The text with letters where it has their escapes; what cannot be printed stays escaped."""

    def letter(escape: re.Match[str]) -> str:
        number = int(next(filter(None, escape.groups())), 16)
        return chr(number) if 127 < number <= sys.maxunicode and chr(number).isprintable() else escape[0]

    return ESCAPE.sub(letter, text)


def _beginning(lines: Sequence[str], form: Traceback, places: Sequence[_Place]) -> int:
    """The line in which the last report, or the part of it that says most, begins."""
    if not form.begins:
        return 0
    pattern = re.compile(form.begins)
    return max((at for at in range(places[-1].at + 1) if pattern.match(lines[at])), default=0)


def _said(lines: Sequence[str], form: Traceback, begin: int, places: Sequence[_Place]) -> str:
    """What went wrong."""
    if form.says:
        pattern = re.compile(form.says)
        near = max(0, begin - BEFORE)
        told = [*lines[near:], *lines[near - 1 :: -1]] if near else lines  # the nearest before it, if none is near
        return next((match["said"] for line in told if (match := pattern.match(line))), "")
    if form.last:
        behind = lines[places[-1].at + 1 :]
        return next((line for line in behind if line and not line[0].isspace()), "")
    if places[0].at == begin and len(lines) > begin + 1:  # a place that begins the report: the next line says it
        return lines[begin + 1].strip()
    before = [line for line in lines[begin : places[0].at] if line and not line[0].isspace()]
    named = (line for line in before if "rror" in line or "xception" in line)
    return THREAD.sub("", next(named, before[-1] if before else "")).strip()


def _called(file: str) -> str:
    """A file as its author calls it: below the folder of the hand-in, otherwise its name alone."""
    for folder in OWN_FOLDERS:
        if file.startswith(folder):
            return file.removeprefix(folder)
    return file.rpartition("/")[2] if file.startswith("/") else file


def crash_line(errors: str, language: str = "") -> str:
    """Where and why a program failed, in one line; without a crash report the last line that it wrote."""
    found = find(errors, language)
    if found is not None:
        return str(found)
    said = next((line.strip() for line in reversed(errors[-MAX_TEXT:].splitlines()) if line.strip()), "")
    return said if len(said) <= SAID else f"{said[:SAID]}..."
