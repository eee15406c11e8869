"""Recognises programs that need no building: executable files and command lines."""

from __future__ import annotations

import hashlib
import os
import platform
from contextlib import suppress
from pathlib import Path

from dohyo.bots.build_plan import BuildPlan, behind_env, check_words, inside, named
from dohyo.bots.content import digest_of, printable
from dohyo.bots.tools import Tools
from dohyo.core import parameters
from dohyo.core.errors import OperatorError
from dohyo.languages import Words, by_ending, is_tool

LONGEST_NAME = 32  # characters of a command line that serve as its name
_MACH_O = (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe")
_MACH_O_OR_JAVA = b"\xca\xfe\xba\xbe"  # a program for several processors, or a compiled class
# The processor that an ELF file is made for, at byte 18.
_ELF_MACHINES = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64", 21: "ppc64le", 22: "s390x"}
_SHELL_WORDS = frozenset({"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1"})


def head(path: Path, size: int = 256) -> bytes:
    """The first bytes of a file; `OperatorError` when it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise OperatorError("bot-unreadable", bot=printable(str(path))) from error


def own_program(path: Path) -> bool:
    """Whether a file is a compiled program, or an executable script: something the system itself can start."""
    start = head(path, 4)
    return start == b"\x7fELF" or start in _MACH_O or (start[:2] == b"#!" and os.access(path, os.X_OK))


def program_plan(spec: str, path: Path, handed_in: Path, tools: Tools, *, name: str = "") -> BuildPlan:
    """The build plan for an executable file of the folder `handed_in`; `OperatorError` for one that cannot start."""
    start = head(path)
    if not start:
        raise OperatorError("bot-empty-file", bot=spec)
    several = start[:4] == _MACH_O_OR_JAVA and platform.system() == "Darwin" and path.suffix != ".class"
    known = start[:4] == b"\x7fELF" or start[:4] in _MACH_O or several or start[:2] == b"#!"
    if known and not os.access(path, os.X_OK):
        raise OperatorError("bot-not-executable", bot=spec)
    if not known:
        raise OperatorError("bot-unknown-kind", bot=spec)
    foreign = _foreign(start)
    if foreign:
        raise OperatorError("bot-foreign", bot=spec, machine=foreign)
    reader = _reader(start, spec, tools) if start[:2] == b"#!" else ""
    return BuildPlan(
        spec=spec,
        name=name or path.stem or path.name,
        command=(inside(path, handed_in),),
        folder=inside(path.parent, handed_in),
        digest=digest_of({path.name: path}),
        files=(path.relative_to(handed_in).as_posix(),),
        uses=(reader,) if reader else (),
    )


def _foreign(start: bytes) -> str:
    """The kind of machine that a program is made for, when this is not one; else empty."""
    if start[:4] in _MACH_O:
        return "" if platform.system() == "Darwin" else "macOS"
    if start[:4] != b"\x7fELF" or len(start) < 20:
        return ""
    if platform.system() != "Linux":
        return "Linux"
    machine = _ELF_MACHINES.get(int.from_bytes(start[18:20], "little" if start[5] == 1 else "big"), "")
    mine = platform.machine().lower().replace("amd64", "x86_64").replace("arm64", "aarch64")
    runs = {mine, "i386" if mine == "x86_64" else mine, "arm" if mine == "aarch64" else mine}
    return machine if machine and mine in _ELF_MACHINES.values() and machine not in runs else ""


def _reader(start: bytes, spec: str, tools: Tools) -> str:
    """The name of the program that starts a script, where that is one of the PATH; else empty.

    Reports what the system would not: that the interpreter named in the first line does not exist.
    """
    line = start[2:].partition(b"\n")[0]
    if line.endswith(b"\r"):
        raise OperatorError("bot-script-line-ends", bot=spec)
    words = os.fsdecode(line).split()
    if not words:
        return ""
    by_name = os.path.basename(words[0]) == "env"
    if by_name:
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        if not words:
            return ""
    name = os.path.basename(words[0])
    found = tools.find(name)
    if found is not None and (by_name or found == words[0]):
        return name
    if by_name or not os.path.exists(words[0]):
        raise OperatorError("bot-script-interpreter", bot=spec, interpreter=printable(words[0]))
    return ""


def command_plan(spec: str, words: list[str], tools: Tools) -> BuildPlan:
    """The build plan for a command line, run in the current folder; `spec` is what messages call it.

    It is the operator's own: the files and folders that its words name can be read at their own paths. Its digest
    covers its words and the files that they name, so that a changed program is another bot. Raises `OperatorError`
    where its first word is no program.
    """
    first = start_of(words[0], tools)
    if first is None:
        raise OperatorError("bot-no-program", bot=spec, program=printable(words[0]))
    if _SHELL_WORDS & set(words):
        raise OperatorError("bot-command-shell", bot=spec)
    check_words(cut_name(spec), tuple(words))
    sources = [word for word in words if by_ending(word) is not None]
    language = by_ending(sources[0]) if sources else None
    rest, uses = words[1:], _used(words[0], first, spec, tools)
    at = behind_env(words)
    if at and (program := start_of(words[at], tools)) is not None:
        rest[at - 1] = program if "/" not in words[at] else words[at]
        uses = (*uses, *_used(words[at], program, spec, tools))
    return BuildPlan(
        spec=spec,
        name=_name(words, sources),
        command=(first, *rest),
        folder=os.getcwd(),
        digest=digest_of_words(words),
        language=language.name if language else "",
        uses=uses,
        shown=(*shown_first(first), *named(words[1:], os.getcwd())),
    )


def _used(word: str, first: str, spec: str, tools: Tools) -> Words:
    """Which of the operator's programs a command line's first word is, or is started by."""
    if "/" not in word:
        return ("python",) if first == tools.python else (word,)
    with suppress(OperatorError):  # a wrong first line is reported when it is started
        start = head(Path(first))
        reader = _reader(start, spec, tools) if start[:2] == b"#!" else ""
        return (reader,) if reader else ()
    return ()


def shown_first(program: str) -> list[str]:
    """What is shown of a program that the operator names: an interpreter's installation, or the one file.

    A program of another name, in a folder called `bin` say, may be a stranger's, and shows nothing beside itself.
    """
    return [program] if os.path.isfile(program) and not is_tool(os.path.basename(program)) else []


def start_of(word: str, tools: Tools) -> str | None:
    """The absolute path of the program that a command's first word means, or None.

    Bots that say `python` mean the bots' Python: on many machines nothing is called so.
    """
    if word == "python3" or (word == "python" and tools.find(word) is None):
        return tools.python
    return tools.find(word)


def _name(words: list[str], sources: list[str]) -> str:
    """What a table calls a command line: the program's own name, and what follows it."""
    main = sources[0] if sources else words[0]
    rest = words[words.index(main) + 1 :]
    return cut_name(" ".join([Path(main).stem or main, *parameters.in_short(rest)]))


def cut_name(name: str) -> str:
    """A command line as the name of a bot: fit for a table."""
    name = printable(name)
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."


def digest_of_words(words: list[str], with_files: bool = True) -> str:
    """SHA-256, in hex, over words, and the files that they name where these are the operator's own."""
    whole = hashlib.sha256()
    for word in words:
        whole.update(b"word\0" + os.fsencode(word) + b"\0")
        if with_files and os.path.isfile(word):  # unlike a Path's own, it takes a word that is too long for a name
            path = Path(word)
            whole.update(digest_of({path.name: path}).encode())
    return whole.hexdigest()
