"""Crash reports: the place in the author's own source, what went wrong, and what is shown of them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo.languages import traces
from dohyo.languages.crash_forms import CRASH_FORMS, Traceback

PYTHON = """thinking about it
Traceback (most recent call last):
  File "/bot/bot.py", line 3, in main
    table[key]
KeyError: 'a'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/bot/bot.py", line 30, in <module>
    main()
  File "/bot/plans/best.py", line 7, in think
    return json.loads(text)
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: turn 3
	at Bot.main(Bot.java:4)
Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 3
	at java.base/java.util.ImmutableCollections$ListN.get(ImmutableCollections.java:680)
	at Plan.best(Plan.java:7)
	... 1 more
"""
NODE = """/bot/plan.js:7
    throw new Error("no");
    ^

Error: no
    at JSON.parse (<anonymous>)
    at best (/bot/plan.js:7:9)
    at Object.<anonymous> (/bot/bot.js:3:1)
    at node:internal/main/run_main_module:28:49
"""
NODE_SYNTAX = """/bot/bot.js:3
  let x = ;
          ^

SyntaxError: Unexpected token ';'
    at wrapSafe (node:internal/modules/cjs/loader:1469:18)
"""
RUST = """
thread 'main' (2) panicked at over.rs:2:25:
attempt to add with overflow
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1fa/library/std/src/panicking.rs:689:5
   3: bot::think
             at /build/over.rs:2:25
"""
GO = """panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.(*Bot).think(...)
	/build/plan.go:4
main.main()
	/build/bot.go:5 +0x26f
"""
RACE = """==================
WARNING: DATA RACE
Read at 0x0000005df780 by goroutine 8:
  main.think.func1()
      /build/race.go:4 +0x44
"""
ADDRESS = """=================================================================
==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x603000000060 at pc 0x5652fce9d447 bp 0x7ffd
WRITE of size 4 at 0x603000000060 thread T0
    #0 0x5652fce9d446 in memcpy ../../../../src/libsanitizer/sanitizer_common/interceptors.inc:827
    #1 0x5652fce9d446 in Plan::best(int) /build/plan.cpp:14:3
    #2 0x5652fce9d446 in main /build/bot.cpp:5

allocated by thread T0 here:
    #1 0x5652fce9d3d4 in main /build/bot.cpp:4
SUMMARY: AddressSanitizer: heap-buffer-overflow /build/plan.cpp:14 in best
"""
ABORTED = """bot: plan.cpp:4: int think(int): Assertion `turns < 3' failed.
AddressSanitizer:DEADLYSIGNAL
=================================================================
==2==ERROR: AddressSanitizer: ABRT on unknown address 0xfffe00000002 (pc 0x7f21b5ea8eec bp 0x7f21b72ae7c0 T0)
    #0 0x7f21b5ea8eec in __pthread_kill_implementation nptl/pthread_kill.c:44
    #1 0x7f21b5e59fb1 in __GI_raise ../sysdeps/posix/raise.c:26
    #5 0x563fee2a6678 in think /build/plan.cpp:4
"""
UNDEFINED = """plan.c:4:34: runtime error: load of null pointer of type 'int'
    #0 0x559a81c87392 in think /build/plan.c:4
    #1 0x559a81c87392 in main /build/bot.c:5
"""
MONO = """
Unhandled Exception:
System.IndexOutOfRangeException: Index was outside the bounds of the array.
  at Plan.Best (System.Int32[] xs, System.Int32 n) [0x00001] in /build/Plan.cs:3
  at Bot.Main () [0x00027] in /build/Bot.cs:4
"""
DOTNET = """Unhandled exception. System.IndexOutOfRangeException: Index was outside the bounds of the array.
   at Plan.Best(Int32[] xs, Int32 n) in /build/Plan.cs:line 3
"""
RUBY = """bot.rb:3:in `best': divided by 0 (ZeroDivisionError)
	from bot.rb:9:in `<main>'
"""
FAULT = """Fatal Python error: Segmentation fault

Thread 0x00007f0b2cb7f6c0 (most recent call first):
  File "/bot/reader.py", line 3 in read

Current thread 0x00007f198226db80 (most recent call first):
  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at
  File "/bot/plan.py", line 4 in best
  File "/bot/bot.py", line 5 in <module>

Extension modules: numpy.core (total: 1)
"""
STUCK = FAULT.replace("Segmentation fault", "Aborted")
STUCK_IN_GO = """SIGABRT: abort
PC=0x4658a2 m=0 sigcode=0

goroutine 1 [running]:
main.think(...)
	/build/plan.go:4
main.main()
	/build/bot.go:11 +0x2 fp=0xc000074f80 sp=0xc000074f78 pc=0x4658a2

goroutine 2 [force gc (idle)]:
runtime.gopark(0x0?, 0x0?, 0x0?, 0x0?, 0x0?)
	/usr/lib/go-1.19/src/runtime/proc.go:363 +0xd6 fp=0xc000038fb0 sp=0xc000038f90 pc=0x4325b6
"""

REPORTS = [
    (PYTHON, "plans/best.py:7, in think: json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
    (FAULT, "plan.py:4, in best: Segmentation fault"),
    (JAVA, "Plan.java:7, in Plan.best: java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 3"),
    (NODE, "plan.js:7, in best: Error: no"),
    (NODE_SYNTAX, "bot.js:3: SyntaxError: Unexpected token ';'"),
    (RUST, "over.rs:2, in bot::think: attempt to add with overflow"),
    (GO, "plan.go:4, in main.(*Bot).think: panic: runtime error: index out of range [3] with length 3"),
    (RACE, "race.go:4, in main.think.func1: WARNING: DATA RACE"),
    (ADDRESS, "plan.cpp:14, in Plan::best: AddressSanitizer: heap-buffer-overflow"),
    (ABORTED, "plan.cpp:4, in think: Assertion `turns < 3' failed."),
    (UNDEFINED, "plan.c:4, in think: load of null pointer of type 'int'"),
    (MONO, "Plan.cs:3, in Plan.Best: System.IndexOutOfRangeException: Index was outside the bounds of the array."),
    (DOTNET, "Plan.cs:3, in Plan.Best: System.IndexOutOfRangeException: Index was outside the bounds of the array."),
    (RUBY, "bot.rb:3, in best: divided by 0 (ZeroDivisionError)"),
    ("it was 3 at last line 7\n", "None"),
]


@pytest.mark.parametrize(("report", "line"), REPORTS, ids=lambda text: text.split("\n")[0][:30])
def test_the_line_that_matters(report: str, line: str) -> None:
    """The innermost place in the author's own files, the function, and what went wrong, of the last report."""
    assert str(traces.find(report)) == line


@pytest.mark.parametrize(
    ("report", "place"),
    [
        (STUCK, "plan.py:4, in best"),
        (PYTHON + STUCK, "plan.py:4, in best"),
        (STUCK_IN_GO, "plan.go:4, in main.think"),
        (ABORTED, "plan.cpp:4, in think"),
        *[(report, "None") for report in (FAULT, PYTHON, GO, ADDRESS, "Fatal Python error: Aborted", "")],
    ],
)
def test_where_a_program_was(report: str, place: str) -> None:
    """Asked by SIGABRT, it says where it was; a report that came by itself is no such answer."""
    assert str(traces.stuck(report)) == place


def test_letters_of_every_alphabet() -> None:
    """Names that are not ASCII, which Python escapes where it was ended, stand as they are; the rest as it came."""
    shown = r'  File "/bot/\u6e21\u8fba\xe9\U0001f600\u202e\udc80\x0a\x41\Uffffffff.py", line 1 in \u8003\u3048\u308b'
    report = f"Fatal Python error: Aborted\n\nCurrent thread 0x01 (most recent call first):\n{shown}\n"
    name = r"渡辺é😀\u202e\udc80\x0a\x41\Uffffffff.py"
    assert str(traces.stuck(f"\\u6e21\n{report}")) == f"{name}:1, in 考える"
    excerpt = traces.excerpt(f"\\u6e21\n{report}").splitlines()
    assert excerpt[0] == r"\u6e21"
    assert excerpt[-1] == f'  File "/bot/{name}", line 1 in 考える'


def test_the_whole_report_is_shown() -> None:
    """A report stands whole, with a few lines before it; what is no report is shown to its last lines."""
    chatter = "".join(f"turn {number}\n" for number in range(50))
    long = "".join(f'  File "/bot/bot.py", line {number}, in deep\n    deep()\n' for number in range(1, 60))
    shown = traces.excerpt(
        f"{chatter}Traceback (most recent call last):\n{long}RecursionError: too deep\n"
    ).splitlines()
    assert shown[:2] == ["turn 38", "turn 39"]
    assert len(shown) == 12 + 1 + 2 * 59 + 1
    assert traces.excerpt(chatter, lines=3) == "turn 47\nturn 48\nturn 49"
    longer = traces.excerpt(
        "Traceback (most recent call last):\n" + 9 * long + "RecursionError: too deep\n"
    ).splitlines()
    assert len(longer) == traces.MAX_LINES + 1
    assert f"[... {2 * 9 * 59 + 2 - traces.MAX_LINES} lines ...]" in longer


@pytest.mark.parametrize(
    "piece", ["a", " ", "at (", ":1:", " in ", "#0 0x1 in f /a:", 'File "', "panicked at '", "x line 1 at "]
)
def test_hostile_output_is_read_once(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a bot's output is made, what is matched of it is in proportion to what is kept of it."""
    looked_at = []

    class Counting:
        """A pattern that notes how many characters it is given."""

        def __init__(self, pattern: str) -> None:
            self.pattern = re.compile(pattern)

        def match(self, line: str) -> re.Match[str] | None:
            looked_at.append(len(line) + 1)
            return self.pattern.match(line)

    monkeypatch.setattr(traces, "re", SimpleNamespace(compile=Counting))
    text = (piece * (traces.LONGEST // len(piece)) + "\n") * 120
    traces.find(text)
    traces.excerpt(text)
    patterns = sum(len(list(patterns_of(form))) for form in CRASH_FORMS.values())
    assert sum(looked_at) <= 2 * patterns * len(text)
    assert looked_at or not piece.strip()


def patterns_of(form: Traceback) -> Iterator[str]:
    """The patterns of a form."""
    return filter(None, (form.place, form.above, form.begins, form.says))


def test_no_pattern_reads_again_and_again() -> None:
    """No pattern has a repetition without end within another one: such a one may try all ways to part a line."""
    assert has_nested(r"(a+)+b")
    assert has_nested(r"(?:x|(?=(?:a*b)*))*")
    patterns = [pattern for form in CRASH_FORMS.values() for pattern in patterns_of(form)]
    ours = [traces.FOREIGN_FILE.pattern, traces.FOREIGN_FUNCTION.pattern, traces.THREAD.pattern]
    assert [pattern for pattern in [*patterns, *ours] if has_nested(pattern)] == []


def has_nested(pattern: str) -> bool:
    """Whether a repetition without an end stands in another one."""
    parser = importlib.import_module("re._parser")

    def within(parsed: Any, repeated: bool) -> bool:
        for operation, value in parsed:
            endless = "REPEAT" in str(operation) and value[1] == parser.MAXREPEAT
            if (endless and repeated) or any(within(part, repeated or endless) for part in parts(value)):
                return True
        return False

    def parts(value: Any) -> Iterator[Any]:
        if isinstance(value, parser.SubPattern):
            yield value
        elif isinstance(value, list | tuple):
            for one in value:
                yield from parts(one)

    return within(parser.parse(pattern), False)


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("pick(std::vector<std::__cxx11::basic_string<char, std::char_traits<char> > > const&, int)", "pick"),
        ("(anonymous namespace)::pick<int>(int)", "(anonymous namespace)::pick<int>"),
        ("Plan::operator()(int) const", "Plan::operator()"),
        ("main.(*Plan).best", "main.(*Plan).best"),
    ],
)
def test_a_function_without_its_arguments(called: str, name: str) -> None:
    """What the arguments are in C++ is left out; brackets that belong to a name stay."""
    assert traces.ARGUMENTS.split(called)[0] == name
