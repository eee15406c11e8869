"""The forms of crash reports, by name; a language's row says which ones it has. `traces.py` reads them."""

from __future__ import annotations

import msgspec


class Traceback(msgspec.Struct, frozen=True):
    """How a crash report names a place in the source; each pattern is matched with one line, from its beginning.

    `place` has the groups `file` and `line`, and may have `function` and `said` (what went wrong). With `last` the
    innermost place of a report comes last, otherwise first. `begins` is a line with which a report, or a part that
    says more than the part before it, begins. `says` is a line that tells what went wrong, in the group `said`;
    without it that is the line behind the last place with `last`, otherwise the one before the first place. `above`
    finds the group `function` in the line above a place. With `escaped`, letters that are not ASCII stand in places
    as in Python's source: `\\u6e21`. `foreign` are functions of the language's own libraries, by
    how their names begin.

    Strangers write what is matched: a pattern reads each character a small number of times.
    """

    place: str
    last: bool = False
    begins: str = ""
    says: str = ""
    above: str = ""
    foreign: str = ""
    escaped: bool = False


CRASH_FORMS = {
    # What Python's faulthandler prints of a program that was ended by a signal: the innermost place comes first.
    "python-stack": Traceback(
        r'\s*File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>.+)',
        begins=r"Current thread 0x",
        says=r"Fatal Python error: (?P<said>.+)",
        escaped=True,
    ),
    "python": Traceback(
        r'\s*File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?',
        last=True,
        begins=r"\s*Traceback \(most recent call last\):",
    ),
    "at": Traceback(
        r"\s*at (?:(?P<function>.*)[ (])?(?P<file>[^\s()]+\.(?:[cm]?js|ts)):(?P<line>\d+)",
    ),
    "node-syntax": Traceback(r"(?P<file>[^\s()]+\.[cm]?[jt]s):(?P<line>\d+)$", says=r"(?P<said>\w*Error: .+)"),
    # The sanitizers of GCC and Clang: memory and threads, then what is undefined; assert() of C.
    "sanitizer": Traceback(
        r"\s*#\d+ 0x[0-9a-f]+ in (?P<function>.+) (?P<file>[^\s:]+):(?P<line>\d+)",
        begins=r".*(?:ERROR|WARNING): \w+Sanitizer: |[^\s:]+:\d+:\d+: runtime error: ",
        says=r"(?:=+\d+=+(?:ERROR|WARNING): |.*: runtime error: |.*: (?=Assertion )|(?=terminate called after))"
        r"(?P<said>.+?)(?: on (?:unknown )?address .*| \(pid=.*)?$",
    ),
    "undefined": Traceback(r"(?P<file>[^\s:]+):(?P<line>\d+):\d+: runtime error: (?P<said>.+)"),
    "assertion": Traceback(
        r"[^\s:]+: (?P<file>[^\s:]+):(?P<line>\d+): (?P<function>.+): (?P<said>Assertion `.+' failed)", last=True
    ),
    "rust": Traceback(
        r"(?:.*panicked at (?:'(?P<said>.*)', )?|\s+at )(?P<file>[^\s:']+\.rs):(?P<line>\d+)",
        begins=r".*panicked at ",
        above=r"\s*\d+: (?P<function>\S+)",
    ),
    "go": Traceback(
        r"\s+(?P<file>/[^\s:]+\.go):(?P<line>\d+)",
        begins=r"panic: |fatal error: |WARNING: DATA RACE|SIGABRT: abort",
        says=r"(?P<said>(?:panic|fatal error|WARNING): .+)",
        above=r"\s*(?P<function>[^\s(]+(?:\(\*\w+\)[^\s(]+)?)\(",
    ),
    "ruby": Traceback(
        r"(?:\tfrom )?(?P<file>[^\s:]+\.rb):(?P<line>\d+):in [`'](?P<function>[^']*)'(?:: (?P<said>.+))?"
    ),
    "perl": Traceback(r"(?P<said>.+) at (?P<file>\S+\.p[lm]) line (?P<line>\d+)", last=True),
    "php": Traceback(r"PHP (?P<said>.+) in (?P<file>\S+\.php)(?::| on line )(?P<line>\d+)", last=True),
    "lua": Traceback(r"lua\S*: (?P<file>[^\s:]+\.lua):(?P<line>\d+): (?P<said>.+)", last=True),
}
