"""Diagnosis: what is wrong with a line or a fault of a bot, what was probably meant, and the remedy."""

from __future__ import annotations

import difflib
import re

from dohyo.bench.check.crashes import remedy_of
from dohyo.bench.check.findings import Finding, Severity, wrong
from dohyo.bots import Bot
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.game import Game, State
from dohyo.core.sandbox import BUILT, HAND_IN
from dohyo.core.spelling import is_near
from dohyo.i18n import ENGLISH, Message
from dohyo.languages import by_interpreter, flush_hint, has_debug, says_where, traces

SHOWN = 80  # characters of a line that a bot answers
LONG = 4  # letters of a word that may be misspelt; a shorter one is another word
WORD = re.compile(r"-?\d+|[^\W\d_]+")
LISTED = 12  # actions that are named as examples
UTF16 = (b"\xff\xfe", b"\xfe\xff")
ESCAPED = re.compile(r"\\x[89a-f][0-9a-f]")  # how a replay shows bytes that are not UTF-8

# How languages say that a file or a module is missing: it may lie beside what was handed in.
FILE_MISSING = re.compile(
    r"No such file|No module named|ENOENT|[Cc]annot (?:find|open)|NoSuchFile|FileNotFound|not found"
)

READ_ONLY = re.compile(r"[Rr]ead-only file ?system|EROFS")  # the same of a file that it wants to write


def diagnose_line(game: Game, state: State, seat: int, line: bytes) -> int | Finding:
    """The action in a line; otherwise what is wrong with it."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return _encoding(line)
    found = game.protocol.parse(text, state, seat)
    if isinstance(found, int):
        if found in game.rules.CONCESSIONS or game.rules.is_legal(state, seat, found):
            return found
        found = game.refusal(state, seat, found)
    return diagnose_reply(game, state, seat, text, found)


def diagnose_reply(game: Game, state: State, seat: int, text: str, fault: Fault) -> Finding:
    """What is wrong with a reply that the game could not read, or does not allow."""
    legal = [game.protocol.text(action) for action in game.legal_actions(state, seat)]
    examples = "  ".join(legal[:LISTED]) + ("  ..." if len(legal) > LISTED else "") or "-"
    details: dict[str, object] = {"written": quoted(text), "legal": examples}
    if ESCAPED.search(text):
        return wrong("check.encoding", written=f"'{text[:SHOWN]}'")
    if fault.kind is FaultKind.ILLEGAL:
        return wrong("check.illegal", why=_behind(fault), **details)
    if text.startswith("\ufeff"):
        return wrong("check.utf8-mark", **details)
    if "\0" in text:
        return wrong("check.utf16", **details)
    if not text.strip():
        return wrong("check.empty-line", **details)
    meant = _meant(text, game, legal)
    if meant is None:
        return wrong("check.malformed", **details)
    key = "check.case" if meant.upper() == text.strip().upper() else "check.spelling"
    return wrong(key, meant=meant, **details)


def _behind(fault: Fault) -> Message | str:
    """Why an action is not legal, behind a colon; empty if no more is known than the action."""
    why = fault.reason or (None if fault.code in (FaultCode.NOT_LEGAL, "") else fault.told)
    return "" if why is None else Message("check.why", {"why": why})


def _meant(text: str, game: Game, legal: list[str]) -> str | None:
    """The legal action that was probably meant; none if that is not known.

    That is one with the same words, whatever is between them and however they are spelt, or whose own words they
    are (`up` for U). Another number, or another short word, is another action, however near it looks.
    """
    written = _words(text)
    for action in legal:
        if _words(action) == written:
            return action
    for action in legal:
        if _words(game.action_in_words(action, ENGLISH)) == written:
            return action
    near = [action for action in legal if _is_misspelt(written, _words(action))]
    return near[0] if len(near) == 1 else None


def _words(text: str) -> list[str]:
    """The words and numbers in a text, in capitals."""
    return WORD.findall(text.upper())


def _is_misspelt(written: list[str], meant: list[str]) -> bool:
    """Whether these are the same words, some of the long ones misspelt or left out."""
    if written and len(written) < len(meant):
        meant = [word for word in meant if word in written or not word.isalpha() or len(word) < LONG]
    return len(written) == len(meant) and all(
        one == other or (one.isalpha() and len(other) >= LONG and is_near(one, other))
        for one, other in zip(written, meant, strict=True)
    )


def resembles(text: str, word: str) -> bool:
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
    """A bot's line, cut to a length that people read."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def diagnose_fault(
    fault: Fault, limit: float, asked: int, errors: str = "", language: str = "", path: str = ""
) -> Finding:
    """A program's own failure as a finding; it happened in its turn number `asked` (0: before the first one).

    `errors` is what it wrote to standard error, `language` the one that it is written in, `path` what was handed in.
    """
    details = {"detail": fault.told, "status": fault.status, "limit": limit, "turns": asked - 1}
    match fault.kind:
        case FaultKind.EXITED if asked == 0:
            key = "check.ended-before-ready"
        case FaultKind.EXITED if fault.status == 0:
            key = "check.ended" if asked == 1 else "check.one-turn" if asked == 2 else "check.ended-later"
        case _:
            key = f"check.{fault.kind}"
    said = traces.crash_line(errors, language)
    severity: Severity = "warning" if fault.kind is FaultKind.NOT_READY else "wrong"
    found = wrong(key, severity, said=Message("check.why", {"why": said}) if said else "", **details)
    found.errors = traces.excerpt(errors, language)
    if fault.kind is FaultKind.KILLED and has_debug(language) and traces.find(errors, language) is None:
        found.remedy, found.details["command"] = "check.killed.debug", "dohyo check --build debug"
    if found.remedy not in ("", "check.exited.do"):
        return found
    known = remedy_of(errors, language, path) if fault.kind is FaultKind.EXITED and fault.status else None
    if known is not None and known[0] != "check.exited.there":
        found.remedy, found.details = known[0], found.details | known[1]
    elif READ_ONLY.search(errors):
        found.remedy = "check.may-not-write"
    elif FILE_MISSING.search(errors):
        found.remedy = "check.sees-its-copy"
    elif known is not None:
        found.remedy, found.details = known[0], found.details | known[1]
    return found


def where_it_was(found: Finding, fault: Fault, errors: str, bot: Bot) -> None:
    """Add to a finding where the bot was when its time was over, from what it wrote; or how to learn that."""
    if fault.kind not in (FaultKind.TIMEOUT, FaultKind.NOT_READY):
        return
    language = language_of(bot)
    if (was := traces.stuck(errors, language)) is not None:
        found.details["place"] = str(was)
        if found.key == "check.no-answer":
            found.remedy = "check.no-answer.there"
        found.errors = found.errors or traces.excerpt(errors, language)
    elif not bot.debug and says_where(language) and not says_where(language, debug=False):
        found.details["place"] = ""


PER_TURN_KEYS = {
    "check.empty-line": "check.silent-turn",
    **dict.fromkeys(("check.ended", "check.one-turn", "check.ended-later"), "check.held-open"),
}


def for_process_per_turn(found: Finding, per_turn: bool, note: bool) -> Finding:
    """The finding as it is for a bot with a process for each turn, or where the referee has made it a note."""
    if per_turn and found.key in PER_TURN_KEYS:
        found.key = PER_TURN_KEYS[found.key]
        found.remedy = f"{found.key}.do"
    return as_note(found) if note else found


def as_note(found: Finding) -> Finding:
    """The finding as a warning: the player was out of the match already."""
    found.severity = "warning"
    found.remedy = "check.nothing-legal"
    return found


def with_flush_hint(bot: Bot, finding: Finding) -> Finding:
    """The finding, and with it how the bot's own language flushes its output, where that is known."""
    code = flush_hint(language_of(bot))
    if code is not None:
        finding.details["code"] = code
        finding.remedy = "check.flush.with"
    return finding


def language_of(bot: Bot) -> str:
    """A bot's language; for a command line, the language that its first word names."""
    if flush_hint(bot.language) is not None or not bot.command:
        return bot.language
    found = by_interpreter(bot.command[0])
    return bot.language if found is None else found.name


def with_sandbox_paths(errors: str, bot: Bot) -> str:
    """What a bot wrote, where the cache's folders get the names that they have in the sandbox.

    Their real paths are long and say nothing to the bot's author.
    """
    for place, name in ((bot.built, BUILT), (bot.staged, HAND_IN)):
        if place:
            errors = errors.replace(place, name)
    return errors
