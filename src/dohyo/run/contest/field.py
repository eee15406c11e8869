"""Who takes part: from the operator's words to bots that can be started, and to versions in the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import time
from typing import NamedTuple

from msgspec.structs import replace

from dohyo import bots
from dohyo.bots import Bot, archive, archived
from dohyo.contest.fixtures import Entrant
from dohyo.core import clean
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.run import entrants
from dohyo.run.contest.asking import Asked
from dohyo.run.contest.spec import Contender, Spec
from dohyo.run.housing import box_of
from dohyo.run.table import find_bots
from dohyo.store import Store
from dohyo.store.records import Contest, Entry, Version

MOST = 10_000  # bots
LONGEST_NAME = 64  # characters


class Known(NamedTuple):
    """A bot of the operator's, built, and how it is called."""

    contender: Contender
    bot: Bot
    of_folder: bool = False  # rather than named


def gather(
    game: Game,
    asked: Asked,
    leave_out: Callable[[str, OperatorError], None],
    building: Callable[[int], None] = lambda bots: None,
) -> list[Known]:
    """The bots that are asked for, built, each under a name of its own.

    `leave_out` is told of those in the folder that cannot be used, `building` how many there are, beforehand. Raises
    `OperatorError` for one that is named and cannot be used, for two under one name, and where there are none.
    """
    found: list[Known] = []
    samples, named = samples_of(game), len(asked.bots)
    if asked.folder is None:
        building(named)
    else:
        there = entrants.find(
            asked.folder, MOST, asked.python, "", asked.sandbox, lambda there: building(there + named)
        )
        for name, error in there.refused.items():
            leave_out(name, error)
        for bot, word in zip(there.bots, there.words, strict=True):
            try:
                check_content(word, bot, samples)
                found.append(Known(Contender(bot.name, word), bot, of_folder=True))
            except OperatorError as error:
                leave_out(bot.name, error)
    words = [word for _, word in asked.bots]
    built = find_bots(game, words, asked.python, box_of(asked.sandbox), follow=False) if words else []
    for (name, word), bot in zip(asked.bots, built, strict=True):
        check_content(word, bot, samples)
        found.append(Known(Contender(check_name(name or bot.name), archive.located(word, samples)), bot))
    if not found:
        raise OperatorError("contest-no-contenders")
    by_name: dict[str, Known] = {}
    for known in found:
        name = known.contender.name
        if name in by_name:
            first = by_name[name].contender.bot
            raise OperatorError("contest-one-name", name=name, first=first, second=known.contender.bot)
        by_name[name] = known
    return found


def check_content(word: str, bot: Bot, samples: Mapping[str, Path]) -> None:
    """Raise `OperatorError` for a bot that no store can keep, by its path or by the names of its files."""
    if clean.storable(word) != word:
        raise OperatorError("contest-path-no-text", path=word)
    archive.check(word, samples, bot.staged)


def check_name(name: str) -> str:
    """The name, if it can be one."""
    if not name.isprintable() or not 0 < len(name.strip()) <= LONGEST_NAME:
        raise OperatorError("contest-bot-name", name=name, most=LONGEST_NAME)
    return name.strip()


def samples_of(game: Game) -> dict[str, Path]:
    """The game's sample bots."""
    return dict(bots.samples(Path(game.folder) / "bots"))


def version_of(store: Store, game: Game, known: Known) -> Version:
    """A bot's version, its archive in the store."""
    content = archive.pack(known.contender.bot, samples_of(game), known.bot.staged)
    return Version(known.contender.name, known.bot.digest, known.bot.language, store.files.put(content))


def as_entrants(entries: Sequence[Entry]) -> list[Entrant]:
    """Who takes part, as formats know it."""
    return [Entrant(e.number, e.version.name, e.since, e.until, e.absences, e.follows) for e in entries]


class Field:
    """The bots of a contest by their entrants' numbers, built where they are needed first.

    What is not `known` comes from the store. Command lines that it held when this began are run with `commands`
    alone: they may be anybody's. Those that come later are written by who may write to the operator's store.
    """

    def __init__(
        self,
        store: Store,
        contest: Contest,
        game: Game,
        spec: Spec,
        known: Sequence[Known],
        commands: bool = False,
    ) -> None:
        self._store = store
        self._contest = contest
        self._game = game
        self._spec = spec
        self._bots = {(each.contender.name, each.bot.digest): each.bot for each in known}
        self.entries: list[Entry] = []
        self.read()
        self._found = set() if commands else {entry.version for entry in self.entries}

    def read(self) -> list[Entry]:
        """Who takes part, as the store has it now."""
        self.entries = self._store.entrants(self._contest.id)
        return self.entries

    def bot(self, number: int) -> Bot:
        """The bot of an entrant, under its name in the contest.

        Raises `OperatorError` when its version is not there any more.
        """
        version = self.entries[number].version
        key = (version.name, version.digest)
        if key not in self._bots:
            self._bots[key] = self._from_store(version)
        return replace(self._bots[key], name=version.name)

    def archive_of(self, bot: Bot) -> bytes:
        """What the author of a bot that plays handed in, for machines that build it themselves.

        Raises `OperatorError` when it is not in the store.
        """
        for entry in self.entries:
            if entry.version.digest == bot.digest and entry.version.archive is not None:
                return self._store.files.get(entry.version.archive, archived.LARGEST)
        raise OperatorError("contest-bot-lost", bot=bot.name, spec=bot.digest[:12])

    def _from_store(self, version: Version) -> Bot:
        lost = OperatorError("contest-bot-lost", bot=version.name, spec=version.digest[:12])
        if version.archive is None:
            raise lost
        content = self._store.files.get(version.archive, archived.LARGEST)
        line = archive.foreign_words(content) if version in self._found else ""
        if line:
            raise OperatorError("contest-store-command", bot=clean.line(version.name), line=clean.line(line))
        word = archive.unpack(content)
        (bot,) = find_bots(self._game, [word], self._spec.python, box_of(self._spec.sandbox))
        if bot.digest != version.digest:
            raise lost
        return bot


def enter_first(store: Store, contest: Contest, game: Game, known: Sequence[Known]) -> None:
    """Enter those who begin the contest."""
    entries = [Entry(number, version_of(store, game, each)) for number, each in enumerate(known)]
    store.enter(contest.id, entries, time())


def enter_changed(
    store: Store, contest: Contest, game: Game, known: Sequence[Known], joins: bool, frozen: bool, format_name: str
) -> list[str]:
    """Let new versions enter of bots whose files have changed; their names.

    Raises `OperatorError` where that is not wanted, or where the format takes no new versions.
    """
    entered = []
    for each in known:
        own = [entry for entry in store.entrants(contest.id) if entry.version.name == each.contender.name]
        digests = [entry.version.digest for entry in own]
        if not own or each.bot.digest in digests or own[-1].until is not None:
            continue
        name = each.contender.name
        if frozen:
            raise OperatorError("contest-bot-changed-frozen", bot=name, name=contest.name)
        if not joins:
            raise OperatorError("contest-bot-changed", bot=name, name=contest.name, format=format_name)
        from dohyo.run.contest.changes import enter_version

        enter_version(store, contest, version_of(store, game, each))
        entered.append(name)
    return entered
