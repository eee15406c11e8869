"""What a shell offers after TAB: commands, options, games, sample bots, setup keys, formats, stores, files.

The shell's function is typer's (`--install-completion`, `--show-completion`): it starts `dohyo` with the words so far
in the environment, and typer finds the parameter that is being typed. What that parameter takes follows from its
metavar, the word that `--help` shows for it, by the table `BY_METAVAR`. So a command says nothing about completion.

A start for TAB imports the one command that is typed, and a game only for its bots and its setup. Whatever goes wrong
gives no offers, and no message: the person is in the middle of a line. Shells evaluate parts of what they are
offered, and a file's name may be a stranger's, so only plain words are offered (`PLAIN`).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from itertools import islice
from typing import Any, NamedTuple, NoReturn

from dohyo.i18n import ENGLISH

BASH_WORDS, BASH_AT = "COMP_WORDS", "COMP_CWORD"
SPLIT = "_DOHYO_SPLIT"  # set here, when bash has parted a word at its `=`
SHELLS = ("bash", "zsh", "fish")
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+=/-]*")
CHOICE = re.compile(r"[a-z][\w+#-]*(\|[a-z][\w+#-]*)+|debug")
ROOT = "."  # what stands for the whole command among what the words say: no parameter has this name
MAX_FILES = 1000  # entries of a folder that are looked at

Offer = Callable[[dict[str, Any]], Iterable[str]]


class Item(NamedTuple):
    """One offer, as typer writes it for the shell; `help` is shown by zsh and fish."""

    value: str
    help: str | None = None
    type: str = "plain"


def check_shell() -> None:
    """Raise `OperatorError` where no shell is found above this process for which there is a function."""
    import shellingham  # type: ignore[import-untyped]

    from dohyo.core.errors import OperatorError

    try:
        name = shellingham.detect_shell()[0]
    except shellingham.ShellDetectionFailure:
        name = "?"
    if name not in SHELLS:
        raise OperatorError("no-completion", shell=name, known=", ".join(SHELLS))


def answer(command: Any, language: str) -> NoReturn:
    """Print what may follow, for the shell, and end the process."""
    _rejoin(os.environ)
    os.environ["COLUMNS"] = "10000"  # typer breaks a long sentence, and a shell takes each line for an offer
    status = 0
    try:
        command.main(args=[], prog_name="dohyo", standalone_mode=False, obj=language)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except Exception:  # a line that is half typed may be wrong in any way
        pass
    sys.exit(status)


def _rejoin(environment: MutableMapping[str, str]) -> None:
    """Bash parts a word at every `=`: make one word of it again, as typer reads it."""
    words = environment.get(BASH_WORDS, "").split("\n")
    at = environment.get(BASH_AT, "")
    if "=" not in words or not at.isdecimal():
        return
    joined: list[str] = []
    for word in words[: int(at) + 1]:
        if joined and (word == "=" or joined[-1].endswith("=")):
            joined[-1] += word
        else:
            joined.append(word)
    environment[BASH_WORDS] = "\n".join(joined)
    environment[BASH_AT] = str(len(joined) - 1)
    environment[SPLIT] = "yes"


# --- commands and parameters that offer


def taught(command: Any) -> Any:
    """The command, and all below it, with offers for its parameters; it is changed in place."""
    for parameter in command.params:
        offer = offer_for(parameter.metavar or "", parameter.name)
        if offer is not None:
            parameter.shell_complete = _completer(offer)
    for inner in getattr(command, "commands", {}).values():
        taught(inner)
    return command


def _completer(offer: Offer) -> Callable[[Any, str], list[Item]]:
    def complete(context: Any, typed: str) -> list[Item]:
        return [Item(word) for word in _fitting(offer(_given(context)), typed)]

    return complete


def commands(known: Iterable[tuple[str, str]], typed: str) -> list[Item]:
    """The commands whose names begin as typed, each with its sentence."""
    return [Item(name, about) for name, about in known if name.startswith(typed)]


def _given(context: Any) -> dict[str, Any]:
    """What the words so far say, by the names of parameters.

    Where the last word is an option that waits for its value, typer leaves the arguments before it unread.
    """
    arguments = [each.name for each in context.command.params if each.param_type_name == "argument"]
    unread = zip(arguments, context.args, strict=False)
    return {
        ROOT: context.find_root(),
        **dict(unread),
        **{name: value for name, value in context.params.items() if value is not None},
    }


def _fitting(words: Iterable[str], typed: str) -> Iterator[str]:
    """The words that go on as typed. Where bash has parted the word, only the part after its `=`."""
    before = typed.partition("=")[0] + "=" if os.environ.get(SPLIT) and "=" in typed else ""
    for word in dict.fromkeys(words):
        if word.startswith(typed) and PLAIN.fullmatch(word):
            yield word.removeprefix(before)


def offer_for(metavar: str, name: str) -> Offer | None:
    """What a parameter offers; none where the shell's own offer, files, is right."""
    if CHOICE.fullmatch(metavar):
        return lambda given: metavar.split("|")
    if metavar == "KEY=VALUE":
        return (lambda given: _options(_game(given).options)) if name == "setup" else _format_options
    if (metavar, name) == ("FILE", "file"):  # what is read; where a FILE is written to, the shell offers files
        return _replays
    for word, offer in BY_METAVAR.items():
        if word in metavar:
            return offer
    return None


# --- what there is to offer


def _commands(given: dict[str, Any]) -> Iterable[str]:
    """What `dohyo help` takes: pages, and commands; behind a command those below it."""
    from dohyo.cli import pages
    from dohyo.cli.listing import listed

    words = given.get("words") or ()
    if not words:
        return [*(name for each in listed("en") for name, _ in each.rows), *pages.known()]
    context = given[ROOT]
    command = context.command
    for word in words:
        command = command.get_command(context, word)
    return [name for each in command.listed(context) for name, _ in each.rows]


def _kinds(given: dict[str, Any]) -> Iterable[str]:
    """What `dohyo cache clear` empties."""
    from dohyo.match.kept import NEVER, kinds

    return [kind for kind in kinds() if kind not in NEVER]


def _games(given: dict[str, Any]) -> Iterable[str]:
    """All games, and behind them the classics."""
    from dohyo import classics
    from dohyo.games.names import names

    return list(dict.fromkeys([*names(), *classics.NAMES]))


def _game(given: dict[str, Any]) -> Any:
    from dohyo.games import find

    return find(str(given["game"]))


def _bots(given: dict[str, Any]) -> Iterable[str]:
    """The game's sample bots, without a game none, and what lies here."""
    if "game" in given:
        from dohyo.bots.samples import samples_of

        yield from sorted(name for name in samples_of(_game(given)) if "." not in name)
    from dohyo.languages import by_ending

    yield from (name for name in _files("") if by_ending(name) or os.path.isdir(name) or os.access(name, os.X_OK))


def _format_options(given: dict[str, Any]) -> Iterable[str]:
    from dohyo.series import formats

    return _options(formats.find(str(given.get("format", formats.USUAL))).info.options)


def _options(options: Iterable[Any]) -> Iterator[str]:
    """`key=value` for each word of `takes` that the option takes; `key=` where it takes none of them."""
    from dohyo.core.options import takes_in

    for option in options:
        words = [word for word in re.findall(r"[a-z][\w-]*", takes_in(option, ENGLISH)) if _takes(option, word)]
        yield from (f"{option.name}={word}" for word in words or [""])


def _takes(option: Any, word: str) -> bool:
    try:
        option.read(word)
    except (ValueError, TypeError):
        return False
    return True


def _formats(given: dict[str, Any]) -> Iterable[str]:
    from dohyo.series.formats import all_formats

    return all_formats()


def _contests(given: dict[str, Any]) -> Iterable[str]:
    """What `contest run` takes: with a game bots, otherwise contest files and stores."""
    if "game" in given:
        yield from _bots(given)
    else:
        yield from _files(".toml")
        yield from _files(".db")


def _replays(given: dict[str, Any]) -> Iterable[str]:
    return ["last", *_files(".replay"), *_files(".replay.zst")]


def _files(ending: str) -> list[str]:
    """The files and folders here whose names end so; a folder of strangers' files may hold many."""
    with os.scandir() as found:
        return sorted(each.name for each in islice(found, MAX_FILES) if each.name.endswith(ending))


# A piece of a metavar, and what it offers; the first that is found counts.
BY_METAVAR: dict[str, Offer] = {
    "[COMMAND]": _commands,
    "[KIND]": _kinds,
    "GAME": _games,
    "FILE.toml|STORE|BOT": _contests,
    "BOT": _bots,
    "CANDIDATE": _bots,
    "BASELINE": _bots,
    "OPPONENT": _bots,
    "STORE|RESULTS.tar|REPLAY": lambda given: [*_files(".db"), *_files(".tar"), *_replays(given)],
    "STORE": lambda given: _files(".db"),
    "REPLAY": _replays,
    "FORMAT": _formats,
    "PRESET": lambda given: _game(given).clocks,
}
