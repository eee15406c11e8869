"""A build plan: the result of recognising a bot, with everything that is needed to build and start it.

A plan has only plain values. Its words contain `BUILD` for the folder of the finished build, which is not known
before the build, and `BOT` for the folder of what was handed in.

`make` writes the plan for sources of one language: the commands of the language's row, their places filled in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dohyo.bots.bot import BOT, BUILD
from dohyo.bots.content import decode, digest_of, listed, printable
from dohyo.bots.tools import Tools
from dohyo.core.errors import OperatorError
from dohyo.languages import Language, Way, Words
from dohyo.system import hand_in_limits as limits

if TYPE_CHECKING:
    from dohyo.bots.prepared import Basis

OURS = str(Path(__file__).parent / "runtime")
SANITIZERS = Path(OURS) / "sanitizers.h"
RUNTIME = "dohyo-runtime"  # in `uses`: the files that Dohyo adds to the language
OPTIONS_FILE = "dohyo-sanitizers.h"  # in the folder of a debug build: the same
PROGRAM = "dohyo-bot"  # a name that no author's file or folder would have

_PLACE = re.compile(r"\{(\w+)\}")
_PYTHON_2 = re.compile("(python|pypy)2")

Values = Mapping[str, str | Words]
Placed = Mapping[str, Path | bytes]

SECONDS = 60.0  # of the processor, for all steps of one bot, where the operator allows no other time
ALLOWED = "DOHYO_BUILD_SECONDS"  # the variable with another time; builds can read it too
MAX_SECONDS = 86_400.0
BUILD_MODE = "DOHYO_BUILD"  # the variable that says `debug` to the commands of a debug build


class Step(msgspec.Struct, frozen=True):
    """One command of a build, run in the build's folder.

    `ways` are tried in order until one succeeds: for example, the same compiler with older and older standards.
    `line` is what its author wrote, if that was a line for a shell. Where it `may_fail`, the bot plays all the same.
    """

    ways: tuple[Words, ...]
    line: str = ""
    may_fail: bool = False


class BuildPlan(msgspec.Struct, frozen=True):
    """How to make a bot from what the operator named.

    `spec` is the operator's word, for messages. `placed` are the files in the build's folder before the first step,
    by relative name: a path to copy from, or the bytes. `links` are symbolic links there, by relative name. `tools`
    says which compilers, of which versions, the steps use: a part of the build's key in the cache.

    `files` are all that belong to the hand-in, by relative name; `left_out` are sources of a folder that are none of
    the program: tests, old copies, other programs; `apart` are entries that may be bots of their own. `uses` are
    names of the operator's programs that the bot is built and run with ("python" for the bots' Python, "dohyo" for
    our own): only those of the table of languages, and Pythons, are ever shown to it. `shown` are files and folders
    that the operator's own command line names; absolute paths. `debug` says that it is a debug build.
    """

    spec: str
    name: str
    command: Words
    folder: str
    digest: str
    language: str = ""
    lifetime: str = "match"
    placed: dict[str, Path | bytes] = {}
    links: dict[str, str] = {}
    steps: tuple[Step, ...] = ()
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    debug: bool = False

    @property
    def builds(self) -> bool:
        """Whether anything has to be made or copied before the bot can start."""
        return bool(self.placed or self.steps)


class Recognised(NamedTuple):
    """A build plan; the folder with the copy of the hand-in, empty for an operator's command line; and the operator's
    programs that it uses.

    `alone` says that it is a file which was handed in without its folder. `basis` is what was looked at, if a record
    of that would be whole (`prepared.py`).
    """

    plan: BuildPlan
    staged: str = ""
    alone: bool = False
    programs: Words = ()
    basis: Basis | None = None


def split(line: str) -> list[str]:
    """A command line's words, split as a shell does; `OperatorError` for a quote without its end."""
    import shlex

    try:
        return shlex.split(line)
    except ValueError as error:
        raise OperatorError("bot-command-quotes", bot=printable(line)) from error


def behind_env(words: Sequence[str]) -> int:
    """Which word of a command names its program: the first, or the one that `env`, as the first, starts.

    0 where `env` gets an option whose words only it can tell apart, or starts nothing.
    """
    if not words or words[0] not in ("env", "/usr/bin/env", "/bin/env"):
        return 0
    at = 1
    while at < len(words) and (words[at] in ("-i", "-", "-u") or "=" in words[at]):
        at += 2 if words[at] == "-u" else 1
    return at if at < len(words) and not words[at].startswith("-") else 0


def named(words: Sequence[str], folder: str) -> list[str]:
    """The files and folders that the operator's words name, each word as a whole."""
    found: list[str] = []
    for word in words:
        if word and len(word) <= limits.MAX_WORD_PATH_CHARACTERS and "\0" not in word:
            path = os.path.normpath(os.path.join(folder, word))
            if os.path.isfile(path) or os.path.isdir(path):
                found.append(path)
    return found


def allowed() -> float:
    """How many processor seconds all steps of one bot may take, as the operator has set it.

    Raises `OperatorError` for an invalid time.
    """
    word = os.environ.get(ALLOWED, "")
    try:
        seconds = float(word or SECONDS)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MAX_SECONDS:
        raise OperatorError("bad-build-seconds", word=printable(word), variable=ALLOWED, most=int(MAX_SECONDS))
    return seconds


def check_words(spec: str, command: Words, steps: tuple[Step, ...] = ()) -> None:
    """Refuse a bot whose command, or a command of whose build, is more than a sandbox can start.

    Raises `OperatorError`.
    """
    words, size = limits.MAX_COMMAND_WORDS, limits.MAX_COMMAND_BYTES
    if _is_more(command, words, size):
        raise OperatorError("bot-long-command", bot=spec, words=words, kibibytes=size >> 10)
    words, size = limits.MAX_BUILD_WORDS, limits.MAX_BUILD_WORDS_BYTES
    if any(_is_more(way, words, size) for step in steps for way in step.ways):
        raise OperatorError("bot-long-build", bot=spec, words=words, kibibytes=size >> 10)


def _is_more(words: Words, most: int, longest: int) -> bool:
    return len(words) > most or sum(len(word.encode("utf-8", "surrogatepass")) for word in words) > longest


class Sources(msgspec.Struct, frozen=True):
    """What was handed in, seen as sources of one language.

    `root` is the folder that relative names start from, `main` the main source relative to it, `compiled` what is
    given to the compiler, `files` and `links` all that was handed in. `handed_in` is the folder that was handed in,
    or that of a single file. `left_out` are sources of the folder, relative to `root`, that are none of the program,
    which starts in `root`.
    """

    spec: str
    name: str
    language: Language
    root: Path
    main: str
    compiled: Words
    files: dict[str, Path]
    links: dict[str, str]
    handed_in: Path
    left_out: Words = ()


def make(
    sources: Sources,
    tools: Tools,
    *,
    more: Values | None = None,
    placed: Placed | None = None,
    before: tuple[Step, ...] = (),
    way: Way | None = None,
) -> BuildPlan:
    """The build plan for `sources`, by this way of their language, or by the first that the machine has tools for.

    `more` are values for further placeholders (`class`, `libraries`, ...), `placed` the files in the build's folder
    if these are not simply `files`, `before` steps that come first. Raises `OperatorError` when tools are missing.
    """
    way, main, compiled = way or usable_way(sources.language, tools, sources.spec), sources.main, sources.compiled
    if way.build and placed is None:
        placed, main, compiled = _placed(sources)
    values: dict[str, str | Words] = {
        "source": inside(sources.root / sources.main, sources.handed_in),
        "main": as_argument(main),
        "stem": str(PurePosixPath(main).with_suffix("")),
        "sources": tuple(as_argument(name) for name in compiled),
        "includes": (),
        "build": BUILD,
        "program": f"{BUILD}/{PROGRAM}",
        "ours": OURS,
        "sanitizers": OPTIONS_FILE,
        **(more or {}),
    }
    if not way.tools:
        values["python"] = tools.python
    debug, paths = bool(tools.debug and way.debug), tools.paths(way)
    alternatives = tuple(fill(words, values, paths) for words in (way.debug if debug else way.build))
    command = fill((debug and way.debug_run) or way.run, values, paths)
    return BuildPlan(
        spec=sources.spec,
        name=sources.name,
        command=unbuffered(command, tools) if not way.tools else command,
        folder=inside(sources.root, sources.handed_in),
        digest=digest_of(sources.files, sources.links),
        language=sources.language.name,
        placed={**(placed or {}), **_settings(way, debug)} if way.build else {},
        links=sources.links if way.build else {},
        steps=(*before, Step(alternatives)) if alternatives else (),
        tools=tool_names(way, tools) if alternatives else (),
        files=tuple(path.relative_to(sources.handed_in).as_posix() for path in sources.files.values()),
        left_out=tuple((sources.root / name).relative_to(sources.handed_in).as_posix() for name in sources.left_out),
        uses=_uses(way, tools),
        debug=debug,
    )


def _settings(way: Way, debug: bool) -> Placed:
    """The sanitizers' settings, for a debug build that takes them."""
    wants = debug and any("{sanitizers}" in words for words in way.debug)
    return {OPTIONS_FILE: SANITIZERS.read_bytes()} if wants else {}


def _uses(way: Way, tools: Tools) -> Words:
    """The names of the programs that a way builds and runs with, and of what Dohyo adds to it."""
    programs = (*way.tools, *way.also) or (tools.python_name,)
    return (*programs, RUNTIME) if any("{ours}" in word for word in way.run) else programs


def unbuffered(command: Words, tools: Tools) -> Words:
    """A command that begins with the interpreter of these tools, with `-u` behind it where that is Python 2.

    That may be started by `env`, with variables of its own.
    """
    is_old = tools.python_name == "python2" or _PYTHON_2.match(os.path.basename(tools.python)) is not None
    if not is_old or tools.python not in command:
        return command
    at = command.index(tools.python) + 1
    return (*command[:at], "-u", *command[at:])


def inside(path: Path, handed_in: Path) -> str:
    """A file or folder of a hand-in, as a word of a command names it: `handed_in` is the folder of that."""
    relative = path.relative_to(handed_in).as_posix()
    return BOT if relative == "." else f"{BOT}/{relative}"


def usable_way(language: Language, tools: Tools, spec: str) -> Way:
    """The way to use for a language on this machine; `OperatorError` says what to install when there is none."""
    way = tools.way(language)
    if way is None:
        wanted = " / ".join(dict.fromkeys(" + ".join(each.tools) for each in language.ways))
        raise OperatorError("bot-no-tools", bot=spec, language=language.name, tools=wanted, install=language.install)
    return way


def tool_names(way: Way, tools: Tools) -> Words:
    """Which tools a way builds with, and of which version: a part of the build's key."""
    return (*tools.paths(way).values(), tools.version(way) or "")


def fill(words: Words, values: Values, tools: Mapping[str, str]) -> Words:
    """Words of the table with placeholders replaced and tools found; a placeholder may become several words."""
    filled: list[str] = []
    for word in words:
        whole = values.get(word[1:-1]) if _PLACE.fullmatch(word) else None
        if isinstance(whole, tuple):
            filled += whole
        elif word in tools:
            filled.append(tools[word])
        else:
            filled.append(_PLACE.sub(lambda found: str(values.get(found[1], found[0])), word))
    return tuple(filled)


def as_argument(name: str) -> str:
    """A file's name in a form that no compiler takes for an option."""
    return f"./{name}" if name.startswith(("-", "@")) else name


def _placed(sources: Sources) -> tuple[Placed, str, Words]:
    """The files for the build's folder, and the main source and the compiled ones as they are called there."""
    renamed: dict[str, str] = {}
    if len(sources.compiled) <= 1:
        fitting = _fitting(sources.main, sources.language)
        renamed[sources.main] = sources.main if fitting in sources.files else fitting
    placed = {renamed.get(name, name): content for name, content in readable(sources).items()}
    compiled = tuple(renamed.get(name, name) for name in sources.compiled)
    return placed, renamed.get(sources.main, sources.main), compiled


def readable(sources: Sources) -> dict[str, Path | bytes]:
    """The files, those given to the compiler in an encoding that it reads."""
    recoded = {name: _recoded(sources.files[name]) for name in sources.compiled}
    return {name: recoded.get(name) or path for name, path in sources.files.items()}


def _fitting(name: str, language: Language) -> str:
    """A name for a source that its compiler accepts: many need the stem to be the name of a module."""
    path = PurePosixPath(name)
    return name if re.fullmatch(language.stem, path.stem) else str(path.with_name(f"main{path.suffix}"))


def _recoded(path: Path) -> bytes | None:
    """A source in UTF-16, which no compiler reads (Windows calls it "Unicode"), as UTF-8; None for any other."""
    try:
        with path.open("rb") as file:
            if file.read(2) not in (b"\xff\xfe", b"\xfe\xff"):
                return None
        return decode(path.read_bytes()).encode()
    except OSError as error:
        raise OperatorError("bot-unreadable", bot=printable(os.fspath(path))) from error


def stems_of(language: Language, folder: Path) -> Sequence[str]:
    """Names that suggest that a file is the program's main one: those of the language, and the folder's."""
    return [*language.mains, folder.name, "player", "solution", "mybot"]


def meant(
    programs: Sequence[str],
    usual: Iterable[str],
    spec: str,
    called: Callable[[str], str] = lambda name: PurePosixPath(name).stem,
) -> str:
    """Which of several programs is meant: the one with a usual name, as each is `called`; `main.cpp` beats
    `tests/main.cpp`. Raises `OperatorError` where that is none, or several.
    """
    if len(programs) == 1:
        return programs[0]
    stems = {stem.lower() for stem in usual}
    named_so = [name for name in programs if called(name).lower() in stems]
    depth = min((name.count("/") for name in named_so), default=0)
    kept = [name for name in named_so if name.count("/") == depth]
    if len(kept) != 1:
        raise OperatorError("bot-several-mains", bot=spec, mains=listed(kept or programs))
    return kept[0]
