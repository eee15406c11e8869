"""What is wrong with a line that is no legal action, and what was probably meant."""

from __future__ import annotations

import difflib
import os
import re

from dohyo.app.findings import Finding, Severity, wrong
from dohyo.bots import Bot
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game, State
from dohyo.core.house import BUILT, HAND_IN

SHOWN = 80  # characters of a line
LISTED = 12  # actions that are named as examples
LAST_LINES = 12  # of standard error
UTF16 = (b"\xff\xfe", b"\xfe\xff")
ESCAPED = re.compile(r"\\x[89a-f][0-9a-f]")  # how a replay shows bytes that are not UTF-8

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

# How languages say that a file or a module is not there: it may well lie beside what was handed in.
MISSED = re.compile(r"No such file|No module named|ENOENT|[Cc]annot (?:find|open)|NoSuchFile|FileNotFound|not found")

TRACED = (
    re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)', re.MULTILINE),  # Python: the last one counts
    re.compile(r"^\s*at .*?\(?(?P<file>[^\s()]+\.(?:java|js|cjs|mjs|kt|scala)):(?P<line>\d+)", re.MULTILINE),
    re.compile(r"panicked at (?P<file>[^\s:]+):(?P<line>\d+)"),
    re.compile(r"^\s*(?P<file>/[^\s:]+\.go):(?P<line>\d+)", re.MULTILINE),
)


def judge(game: Game, state: State, seat: int, line: bytes) -> int | Finding:
    """The action in a line; otherwise what is wrong with it."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return _encoding(line)
    found = game.protocol.parse(text, state, seat)
    if isinstance(found, int):
        if found in game.rules.CONCESSIONS or game.rules.is_legal(state, seat, found):
            return found
        found = Fault(FaultKind.ILLEGAL)
    return misread(game, state, seat, text, found)


def misread(game: Game, state: State, seat: int, text: str, fault: Fault) -> Finding:
    """What is wrong with a reply that the game could not read, or does not allow."""
    legal = [game.protocol.text(action) for action in game.legal_actions(state, seat)]
    examples = "  ".join(legal[:LISTED]) + ("  ..." if len(legal) > LISTED else "") or "-"
    details = {"written": quoted(text), "legal": examples, "reason": fault.detail}
    if ESCAPED.search(text):
        return wrong("check.encoding", written=f"'{text[:SHOWN]}'")
    if fault.kind is FaultKind.ILLEGAL:
        return wrong("check.illegal", **details)
    if text.startswith("\ufeff"):
        return wrong("check.utf8-mark", **details)
    if "\0" in text:
        return wrong("check.utf16", **details)
    if not text.strip():
        return wrong("check.empty-line", **details)
    meant = _meant(text, legal)
    if meant is None:
        return wrong("check.malformed", **details)
    key = "check.case" if meant.upper() == text.strip().upper() else "check.spelling"
    return wrong(key, meant=meant, **details)


def _meant(text: str, legal: list[str]) -> str | None:
    """The legal action that was probably meant; none if it cannot be told."""
    plain = " ".join(text.split()).upper()
    by_plain = {" ".join(action.split()).upper(): action for action in legal}
    if plain in by_plain:
        return by_plain[plain]
    if close := difflib.get_close_matches(plain, list(by_plain), n=1, cutoff=0.5):
        return by_plain[close[0]]
    letters = all(len(action) == 1 for action in by_plain)
    return by_plain.get(plain[0]) if letters and plain.isalpha() else None


def near(text: str, word: str) -> bool:
    """Whether a line is the word, or was probably meant to be it."""
    plain = text.strip().upper()
    return plain == word.upper() or difflib.SequenceMatcher(None, plain, word.upper()).ratio() > 0.7


def _encoding(line: bytes) -> Finding:
    shown = f"'{line.decode('utf-8', 'backslashreplace')[:SHOWN]}'"
    if line.startswith(UTF16) or b"\0" in line:
        return wrong("check.utf16", written=shown)
    return wrong("check.encoding", written=shown)


def quoted(text: str) -> str:
    """A line as it is shown within a sentence."""
    return repr(cut(text))


def cut(text: str) -> str:
    """A line of a bot's, no longer than anybody reads."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def of_fault(fault: Fault, limit: float, asked: int, errors: str = "") -> Finding:
    """A program's own failure in its turn number `asked` (0: before the first one) as a finding."""
    details = {"detail": fault.detail, "status": fault.status, "limit": limit, "turns": asked - 1}
    match fault.kind:
        case FaultKind.EXITED if asked == 0:
            key = "check.ended-before-ready"
        case FaultKind.EXITED if fault.status == 0:
            key = "check.ended" if asked == 1 else "check.one-turn" if asked == 2 else "check.ended-later"
        case _:
            key = f"check.{fault.kind}"
    said = traced(errors)
    severity: Severity = "warning" if fault.kind is FaultKind.NOT_READY else "wrong"
    found = wrong(key, severity, said=f": {said}" if said else "", **details)
    found.errors = last_lines(errors)
    if MISSED.search(errors) and not found.remedy:
        found.remedy = "check.sees-its-copy"
    return found


OF_A_TURN = {
    "check.empty-line": "check.silent-turn",
    **dict.fromkeys(("check.ended", "check.one-turn", "check.ended-later"), "check.held-open"),
}


def in_place(found: Finding, a_turn: bool, note: bool) -> Finding:
    """The finding as it is told where a process lives for a turn, or where the referee has made it a note."""
    if a_turn and found.key in OF_A_TURN:
        found.key = OF_A_TURN[found.key]
        found.remedy = f"{found.key}.do"
    return noted(found) if note else found


def noted(found: Finding) -> Finding:
    """The finding as it is told where the player was out already."""
    found.severity = "warning"
    found.remedy = "check.nothing-legal"
    return found


def flushing(bot: Bot, finding: Finding) -> Finding:
    """The finding with the bot's own language's words for flushing, where they are known."""
    code = FLUSH.get(language_of(bot))
    if code is not None:
        finding.details["code"] = code
        finding.remedy = "check.flush.with"
    return finding


def language_of(bot: Bot) -> str:
    """A bot's language; of a command line, what its first word tells."""
    if bot.language in FLUSH or not bot.command:
        return bot.language
    program = re.sub(r"[\d.]+$", "", os.path.basename(bot.command[0]))
    return INTERPRETERS.get(program, bot.language)


def in_box(errors: str, bot: Bot) -> str:
    """What a bot wrote, the folders of the cache under the names that a box gives them: they are long.

    Their paths say nothing to its author.
    """
    for place, name in ((bot.built, BUILT), (bot.staged, HAND_IN)):
        if place:
            errors = errors.replace(place, name)
    return errors


def last_lines(errors: str) -> str:
    """The end of what was written to standard error."""
    return "\n".join(cut(line) for line in errors.rstrip().splitlines()[-LAST_LINES:])


def traced(errors: str) -> str:
    """What a crash report says, in one line: the error, and the source's file and line; empty if nothing is known."""
    lines = [cut(line.strip()) for line in errors.rstrip().splitlines() if line.strip()]
    for number, pattern in enumerate(TRACED):
        places = list(pattern.finditer(errors))
        if places:
            place = places[-1] if number == 0 else places[0]
            said = (
                lines[-1] if number == 0 else next((line for line in lines if "rror" in line or "xcept" in line), "")
            )
            return f"{os.path.basename(place['file'])}:{place['line']}: {said}".rstrip(": ")
    return lines[-1] if lines else ""
