"""From the operator's words for bots to values with a type, and from these to bots that can be started.

A word is read here, once, where it was typed (`named`, `read`): the only place where a text decides what it is. What
comes from somebody else (an entry of a folder, an archive, a name in a replay) is no operator's word: whoever has it
makes the `HandIn` that it is (`core/bot_spec.py`). `resolve` recognises all, and builds what has to be built.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dohyo.bots.bot import Bot
from dohyo.bots.cache import location
from dohyo.bots.prepared import Prepared
from dohyo.core.bot_spec import (
    REVISION,
    BotSpec,
    CommandLine,
    Elsewhere,
    HandIn,
    Revision,
    Sample,
    Speaking,
    text_of,
)
from dohyo.core.errors import OperatorError

if TYPE_CHECKING:
    from dohyo.bots.building import BuildSandbox

MAX_PERSON = 2  # letters of a kind of player that stands alone
PYTHONS = ("python", "python3")  # that always mean a program: the bots' Python
_NO_SAMPLES: Mapping[str, Path] = {}


class Named(NamedTuple):
    """A bot as NAME=BOT: its name, empty where none was typed, and the bot, or a word that is still to be read."""

    name: str
    bot: BotSpec | str

    @property
    def text(self) -> str:
        """What was typed for the bot itself."""
        return self.bot if isinstance(self.bot, str) else text_of(self.bot)


def read(
    word: str, samples: Mapping[str, Path] = _NO_SAMPLES, is_sample: Callable[[str], bool] = lambda name: False
) -> BotSpec:
    """The bot that the operator means by `word`. The first of these that fits counts:

    1. What is there under exactly this name, a file or a folder, is that hand-in. Where a shell's `*` stands for the
       words, strangers have chosen them, and none of the following is what a stranger says.
    2. What begins with the name of a kind of player and `:` is what that kind reads it as: `http://...` is a server's
       address; behind `uci:` stands an engine's program (by 1. and from 3. on), with its arguments and options.
    3. `~/...` is a hand-in in the operator's home folder.
    4. The name of a sample bot.
    5. Several words, or one, that begin with a program: the path of an executable, or a name that the operator's PATH
       finds. They are a command line.
    6. Several words that begin with a hand-in or a sample bot (by 1., 3. or 4.): its arguments follow.

    `samples` are the game's sample bots; `is_sample` may know some of their names faster. Raises `OperatorError` for
    a word that is none of these.
    """
    if (found := existing(word)) is not None:
        return found
    if not word.strip() or "\0" in word:
        raise OperatorError("bot-no-name")
    if kind := _kind_named(word):
        from dohyo.bots.kinds import kind_of

        program = partial(read_words, word, samples=samples, is_followed=True)
        if (bot := kind_of(kind).read(word, program)) is not None:
            return bot
    if (one := _one(word, samples, is_sample)) is not None:
        return one
    from dohyo.bots.build_plan import split

    return read_words(word, split(word), samples)


def read_words(
    word: str, words: Sequence[str], samples: Mapping[str, Path], is_followed: bool = False
) -> HandIn | Sample | CommandLine:
    """The bot that is meant by words that are parted already: the rules of `read` from the third on.

    `word` is what was typed, for the error. Where more words follow (`is_followed`), a single one counts as several
    do.
    """
    if words:
        first, *arguments = words
        if not arguments and not is_followed and (one := existing(first) or _one(first, samples)) is not None:
            return one
        if (program := _program(first)) is not None:
            return CommandLine((program, *arguments))
        one = existing(first) or _one(first, samples)
        if isinstance(one, HandIn):
            return HandIn(one.path, tuple(arguments), names_files=True, typed=one.typed)
        if isinstance(one, Sample):
            return Sample(one.name, tuple(arguments))
    from dohyo.bots.kinds import unknown

    raise unknown(word, samples)


def existing(word: str, typed: str = "") -> HandIn | None:
    """What is there under exactly this name; none if there is nothing. `typed` is what messages call it."""
    try:
        found = os.lstat(word)
    except PermissionError as error:
        from dohyo.bots.content import printable

        raise OperatorError("bot-unreadable", bot=printable(word)) from error
    except (OSError, ValueError):  # not there; or too long for a path, a loop of links, no text, a NUL
        return None
    path, called = os.path.abspath(word), typed or word
    with suppress(OSError):
        if not os.path.samestat(found, os.lstat(path)):  # behind a link, `..` leads elsewhere
            path = os.path.join(os.path.realpath(os.path.dirname(word)), os.path.basename(word))
    return HandIn(path, typed="" if called == path else called)


def named(word: str) -> Named:
    """A bot's name and the bot, from BOT or NAME=BOT; what is there under exactly this name is never parted.

    Before the first `=` a name has no slash and no quote. With a space in it, the word may be a command line instead.
    It is a name if nothing could start that command line, and there is something behind the `=`: no word of the name
    begins with a hyphen, its first word is no program and no file, and BOT is a file, a folder, `git:...`, or begins
    with the name of a kind of player, as `uci:...`.
    """
    if (found := existing(word)) is not None:
        return Named("", found)
    name, equals, bot = word.partition("=")
    is_word = name.startswith("-") or any(sign in name for sign in '/"') or bool(_kind_named(name))
    if equals and name and not is_word:
        is_name = _is_spaced_name(name, bot) if len(name.split()) > 1 else not any(sign in name for sign in " '")
        if is_name:
            return Named(name, existing(bot) or bot)
    return Named("", word)


def plain(word: str) -> Named | BotSpec | str:
    """A bot, with its name from NAME=BOT where there is one; without a name the bot alone."""
    found = named(word)
    return found if found.name or revision(found.bot) else found.bot


def revision(bot: BotSpec | str) -> Revision | None:
    """The revision that the operator means by `git:REV[:PATH]`; none for anything else."""
    if isinstance(bot, str) and bot.startswith(REVISION):
        name, _, path = bot.removeprefix(REVISION).partition(":")
        return Revision(name, path)
    return None


def _one(
    word: str, samples: Mapping[str, Path], is_sample: Callable[[str], bool] = lambda name: False
) -> HandIn | Sample | None:
    """A path in the home folder, or a sample bot."""
    if word.startswith("~") and (found := existing(os.path.expanduser(word), word)) is not None:
        return found
    return Sample(word) if is_sample(word) or word in samples or word.lower() in samples else None


def _program(word: str) -> str | None:
    """The program that begins a command line, as its words say it; none where there is no such program."""
    if "/" not in word and not word.startswith("~"):
        from dohyo.bots.program_files import first

        return word if word in PYTHONS or first(word) is not None else None
    path = word if os.path.lexists(word) else os.path.expanduser(word)
    return path if os.path.isfile(path) and os.access(path, os.X_OK) else None


def _kind_named(word: str) -> str:
    """The kind of player that a word names before its first `:`, or alone, as `me` does.

    Most words have neither, and nobody asks guests: a word of many letters is no person.
    """
    if ":" not in word and not may_name_person(word):
        return ""
    from dohyo.doors import named_in

    return named_in(word)


def may_name_person(word: str) -> bool:
    """Whether a word, or what stands behind its NAME=, is as short as a kind of player that stands alone."""
    return len(word.rpartition("=")[2].partition(":")[0]) <= MAX_PERSON


def _is_spaced_name(name: str, bot: str) -> bool:
    """Whether a text with spaces, before `=` and what may be a bot, is a name and not the beginning of a command."""
    from dohyo.bots.program_files import first

    words = name.split()
    if (
        any(word.startswith(("-", "'")) or "\\" in word for word in words)
        or os.path.exists(words[0])
        or first(words[0]) is not None
    ):
        return False
    return os.path.exists(os.path.expanduser(bot)) or bot.startswith(REVISION) or bool(_kind_named(bot))


def resolve(
    specs: Sequence[str | BotSpec],
    samples: Mapping[str, Path] = _NO_SAMPLES,
    *,
    cache: Path | None = None,
    python: str | None = None,
    build_seconds: float | None = None,
    build_sandbox: BuildSandbox | None = None,
    apart: Collection[str] = (),
    follow: bool = True,
    debug: bool = False,
) -> list[Bot]:
    """The bots that `specs` mean, in the same order, built.

    A text is the operator's word, and is `read`; a value is what it says. Different ones are built side by side, one
    that is named twice is built once, and what was prepared (`prepared.py`) or built before is taken from the cache
    (`cache`, or the folder that `dohyo.bots.cache.location` tells). `python` is the interpreter for bots in Python;
    by default the `python3` of the PATH. `build_seconds` is the time limit for building one bot; by default what the
    operator's environment says (`build_plan.allowed`). `build_sandbox` makes the sandboxes for reading hand-ins and
    running compilers; without it these have our own rights. `apart` are paths of further hand-ins: none of them, and
    none of `specs`, is ever taken for a part of another. Unless `follow`, no other files are copied with a single
    source. With `debug` they are debug builds, kept apart from the others.

    Raises `OperatorError` for a word that means nothing or a bot that cannot be used, `BuildError` for one that does
    not build; of several wrong ones the first. No process is left running in any case, even after an interrupt.
    """
    own_files = build_sandbox is not None and build_sandbox.own_files
    meant: list[BotSpec] = []
    records = Prepared(location(cache), samples, partial(_real_paths, meant, apart), follow, own_files, debug)
    meant += [read(spec, samples, records.has_sample) if isinstance(spec, str) else spec for spec in specs]
    wanted = list(dict.fromkeys(meant))
    if any(isinstance(spec, HandIn | Speaking) for spec in wanted):
        from dohyo.bots.remarks import tell_hidden

        tell_hidden(wanted, samples)
    bots: dict[BotSpec, Bot] = {spec: _elsewhere(spec) for spec in wanted if isinstance(spec, Elsewhere)}
    if python is None:
        bots |= {spec: bot for spec in wanted if spec not in bots and (bot := records.find(spec)) is not None}
    if unknown := [spec for spec in wanted if spec not in bots]:
        from dohyo.bots.preparation import prepare

        bots |= prepare(unknown, records, python, build_seconds, build_sandbox)
    for spec in wanted:
        if bots[spec].log:
            from dohyo.bots.remarks import tell_notes

            tell_notes(bots[spec])
    return [bots[spec] for spec in meant]


def _elsewhere(spec: Elsewhere) -> Bot:
    from dohyo.bots.kinds import kind_of

    return kind_of(spec.address.partition(":")[0]).bot(spec)


def _real_paths(specs: Sequence[BotSpec], apart: Collection[str]) -> set[str]:
    """The real paths of what may be hand-ins."""
    from dohyo.bots.safe_paths import real

    return {real(path) for path in (*apart, *(path for spec in specs for path in paths_in(spec)))}


def paths_in(spec: BotSpec) -> Iterator[str]:
    """What may be a hand-in's path: its own, and every word of a command line and of arguments."""
    if isinstance(spec, Speaking):
        yield from paths_in(spec.program)
    elif isinstance(spec, CommandLine):
        yield from spec.words
    elif isinstance(spec, HandIn | Sample):
        yield from spec.arguments
        if isinstance(spec, HandIn):
            yield spec.path
