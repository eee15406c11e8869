"""What `dohyo check` knows of each language: how it flushes its output, and what its crash reports look like."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from dohyo.bots import Bot

# How an answer leaves the program at once, in each language.
FLUSH = {
    "c": 'printf("%s\\n", answer); fflush(stdout);',
    "c#": "Console.Out.Flush();",
    "c++": "std::cout << answer << std::endl; (or fflush(stdout); after printf)",
    "d": "stdout.flush();",
    "go": "writer.Flush()",
    "haskell": "hFlush stdout",
    "java": "System.out.flush();",
    "javascript": "process.stdout.write(answer + '\\n')",
    "kotlin": "System.out.flush()",
    "lua": "io.stdout:flush()",
    "nim": "flushFile(stdout)",
    "ocaml": "flush stdout",
    "pascal": "Flush(Output);",
    "perl": "$| = 1;",
    "php": "fflush(STDOUT);",
    "python": "print(answer, flush=True)",
    "ruby": "$stdout.sync = true",
    "rust": "std::io::stdout().flush().unwrap();",
    "scala": "System.out.flush()",
    "swift": "fflush(stdout)",
}
INTERPRETERS = {
    "python": "python",
    "java": "java",
    "node": "javascript",
    "ruby": "ruby",
    "perl": "perl",
    "php": "php",
}


class Traceback(NamedTuple):
    """How a language writes a place in the source: a pattern with the groups `file` and `line`.

    With `last`, the last place in a report counts, and the report's last line says what went wrong; otherwise the
    first place does.
    """

    place: re.Pattern[str]
    last: bool = False


TRACEBACKS = (
    Traceback(re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE), last=True),  # Python
    Traceback(
        re.compile(r"^\s*at .*?\(?(?P<file>[^\s()]+\.(?:java|js|cjs|mjs|kt|scala)):(?P<line>\d+)", re.MULTILINE)
    ),
    Traceback(re.compile(r"panicked at (?P<file>[^\s:]+):(?P<line>\d+)")),  # Rust
    Traceback(re.compile(r"^\s*(?P<file>/[^\s:]+\.go):(?P<line>\d+)", re.MULTILINE)),
)


def flush_hint(language: str) -> str | None:
    """How an answer is flushed in a language, as code; none where it is not known."""
    return FLUSH.get(language)


def language_of(bot: Bot) -> str:
    """A bot's language; of a command line, what its first word says."""
    if bot.language in FLUSH or not bot.command:
        return bot.language
    program = re.sub(r"[\d.]+$", "", os.path.basename(bot.command[0]))
    return INTERPRETERS.get(program, bot.language)
