"""Doors: how guests come in, those of `dohyo.guests` and those of packages that somebody installed.

A guest says what it brings in one value, a `Guest`, without importing any of it. One of ours is a folder of
`dohyo.guests`, and the value is `GUEST` in its `door.py`. An installed package names such a value by an entry point
in the group `dohyo.guests`:

    [project.entry-points."dohyo.guests"]
    graphs = "dohyo_graphs.door:GUEST"

A guest's sentences are files `words/en.json`, `words/ja.json` beside its `door.py`; those of a package are named by
an entry point in the group `dohyo.words` (`dohyo.i18n.catalogue`).

What is brought is named as "package.module:name", and imported when it is used. A package that cannot be read is a
notice, and all others still work. `docs/doors.md` explains each door with an example.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from dohyo import installed
from dohyo.core import notices
from dohyo.core.errors import OperatorError

if TYPE_CHECKING:
    from dohyo.i18n import Message

GROUP = "dohyo.guests"
OURS = os.path.join(os.path.dirname(__file__), "guests")


class Command(NamedTuple):
    """A command of `dohyo`: its sentence in `--help`, of one line, and its typer application.

    `group` is a word of the groups in that list: of `dohyo` start, play, improve, contest, site, games, tools
    (`dohyo.cli.listing`), of `dohyo contest` look, part, change, out, store (`dohyo.cli.contest`). Any other word, or
    none, is the last group. Of two in a group the one with the lower `place` comes first.

    `claims` names a function of the words behind the parent command: whether they are this command's although they do
    not name it. `epilog` is added to the parent's help; to that of `dohyo` itself as one sentence.
    """

    says: str
    app: str
    hidden: bool = False
    claims: str = ""
    epilog: str = ""
    group: str = ""
    place: int = 100


class Commands(NamedTuple):
    """Commands of `dohyo` whose names are only known when one is asked for, as the programs that games bring along.

    `names()` gives them, and `app(name, speaker)` the typer application of one, with its help by that speaker. The
    sentence `says` in `dohyo --help` says where they are listed.
    """

    says: str
    names: str
    app: str


class Export(NamedTuple):
    """A form in which `dohyo contest export` writes a whole contest.

    `write(asked, speaker)` does it, for an `ExportRequest`. `is_one(head)` says of a file's first 512 bytes whether
    `dohyo verify` has such a file before it. Then `verify(path, key, signature, told)` checks it, and returns what
    came of it, a `Verified`; `told` is called with the number of matches checked so far.
    """

    write: str
    is_one: str = ""
    verify: str = ""


class ExportRequest(NamedTuple):
    """What is to be written: a contest of a store in a form, to the file `out` or the output.

    `sign` is a secret key of minisign. With `force` any file is written over, with `everything` results that do not
    count are written, too. `files` is where the store's files are, an `AnyFiles`, if not in the usual place.
    """

    store: str
    name: str | None
    form: str
    out: str | None
    sign: str | None
    force: bool
    everything: bool
    files: Any = None


class Verified(NamedTuple):
    """What came of checking such a file.

    Each of `findings` says what is wrong with it, and with any there is a `refusal`. A person reads `before`, the
    findings, `after`; a program `about`, and the findings behind it.
    """

    about: Mapping[str, object]
    findings: Sequence[Message] = ()
    before: Sequence[Message] = ()
    after: Sequence[Message] = ()
    refusal: OperatorError | None = None


class PlayerKind(NamedTuple):
    """A kind of player: `kind` names a `dohyo.match.players.kind.PlayerKind`.

    `is_program` says that its players are programs which are started here, and speak another protocol than their
    game's: a `bot.toml` may say so of its folder. All others are somewhere else, at an address. `check` names what
    `dohyo check` does with such a program before its matches, see `dohyo.bench.check.check`.

    Players who are people have a `desk`: it names a function of a game and a speaker that makes a
    `dohyo.match.people.desk.Desk` in the terminal. The kind's name alone, without `:`, means such a player, too.
    """

    kind: str
    is_program: bool = False
    check: str = ""
    desk: str = ""


class Guest(NamedTuple):
    """What a guest brings, by name.

    commands    of `dohyo`; "contest words" is below `dohyo contest`
    executors   where the matches of a contest are played: `reach(address, keys, plain_tcp)` gives a function that
                makes an executor of what packs bots and of the interpreter for bots in Python
    exports     forms of `dohyo contest export`
    analyses    modules that are started as processes: `match` for a served page, see `dohyo.web.served.running`;
                `positions` for a broadcast, see `dohyo.series.broadcast.judging`; `puzzles` for a site's judge, as
                `match` is. `python` is no module but a function, which `dohyo.series.from_python.analyse` calls
    hints       of what a person could do in its turn: a module that is started as a process, see
                `dohyo.match.people.hints`; asked for the one called "match"
    formats     who plays whom in a series: a class as those of `dohyo.series.formats`, whose `info` has the name
    players     kinds of players; a kind's name is how the operator's word for such a bot begins, up to the first `:`
    languages   that bots may be written in, each a row: a `dohyo.languages.Language` of this name
    more_commands   commands of `dohyo` whose names are not known yet; the name here is theirs together
    referees    other programs that referee matches: a `dohyo.executors.refereed.RefereeKind`; its name is how the
                operator's word for such a game ends, behind the last `.`
    caches      folders of the cache (`dohyo.bots.cache`) whose content is made again when it is needed, each with the
                key of a sentence that says what is in it
    files       where hand-ins and replays are kept, by how the address begins, up to `://`: a function that returns
                files (`dohyo.series.store.files.AnyFiles`) for an address
    """

    commands: Mapping[str, Command] = {}
    executors: Mapping[str, str] = {}
    exports: Mapping[str, Export] = {}
    analyses: Mapping[str, str] = {}
    hints: Mapping[str, str] = {}
    formats: Mapping[str, str] = {}
    players: Mapping[str, PlayerKind] = {}
    languages: Mapping[str, str] = {}
    more_commands: Mapping[str, Commands] = {}
    referees: Mapping[str, str] = {}
    files: Mapping[str, str] = {}
    caches: Mapping[str, str] = {}


@cache
def all_guests() -> dict[str, Guest]:
    """The guests by name, ours first. One that cannot be read is left out, with a notice."""
    found = {}
    for name in (module.name for module in pkgutil.iter_modules([OURS]) if module.ispkg):
        found[name] = importlib.import_module(f"{GROUP}.{name}.door").GUEST
    for name, value in _installed():
        found.setdefault(name, value)
    return found


def _installed() -> Iterator[tuple[str, Guest]]:
    """The guests that installed packages bring.

    Importing what reads entry points takes longer than all else here, so their files are searched for ours first.
    """
    if not installed.entry_points(GROUP):
        return
    from importlib.metadata import entry_points

    try:
        entries = tuple(entry_points(group=GROUP))
    except Exception as error:  # another package's, which nobody can read
        notices.tell("guest-broken", name=GROUP, error=f"{type(error).__name__}: {error}")
        return
    for entry in entries:
        try:
            value = entry.load()
        except (Exception, SystemExit) as error:
            notices.tell("guest-broken", name=entry.name, error=f"{type(error).__name__}: {error}")
            continue
        if not _is_guest(value):
            notices.tell(
                "guest-broken", name=entry.name, error=f"{entry.value} is no Guest, or has something else in it"
            )
            continue
        yield entry.name, value


def _is_guest(value: object) -> bool:
    """Whether it is a `Guest`, with what its fields hold."""
    if not isinstance(value, Guest) or not all(isinstance(field, Mapping) for field in value):
        return False
    kinds: tuple[type, ...] = (Command, str, Export, str, str, str, PlayerKind, str, Commands, str, str, str)
    return all(isinstance(each, kind) for field, kind in zip(value, kinds, strict=True) for each in field.values())


def brought(kind: str) -> dict[str, Any]:
    """All that guests bring of a kind, a field of `Guest`, by name in alphabetical order."""
    every: dict[str, Any] = {}
    for guest in all_guests().values():
        every = {**getattr(guest, kind), **every}
    return dict(sorted(every.items()))


def has_command(name: str) -> bool:
    """Whether a guest brings this command of `dohyo`: without it, nothing says that it shows more."""
    return name in brought("commands")


def find(kind: str, name: str) -> Any:
    """What a guest brings of this kind and name. Raises `OperatorError` if no guest does."""
    known = brought(kind)
    if name not in known:
        raise OperatorError("guest-missing", kind=kind, name=name)
    return known[name]


def named_in(word: str) -> str:
    """The kind of player that the operator's word names before its first `:`; empty where no guest brings one.

    A person's kind may stand alone.
    """
    name, colon, _ = word.partition(":")
    if not (name.isascii() and name.isalnum()) or (kind := brought("players").get(name)) is None:
        return ""
    return name if colon or kind.desk else ""


def load(named: str) -> Any:
    """What "package.module:name" names; imported now. Raises `OperatorError` where that cannot be done."""
    module, _, name = named.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise OperatorError("guest-broken", name=named, error=f"{type(error).__name__}: {error}") from error


def says_yes(named: str, words: Any) -> bool:
    """Whether a guest's function says yes; what cannot be imported says no, with a notice."""
    try:
        return bool(load(named)(words))
    except OperatorError as error:
        notices.tell(error.key, **error.message.values)
        return False
