"""Who takes part: from the operator's words to bots that can be started, and to versions in the store."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import time
from typing import NamedTuple

from msgspec.structs import replace

from dohyo import bots, clean
from dohyo.app import folder_bots
from dohyo.app.contest.asking import Asked, Tell
from dohyo.app.contest.names import Names, check_name
from dohyo.app.contest.spec import MOST_LEFT_OUT, Contender, LeftOut, Spec
from dohyo.app.play import find_bots
from dohyo.app.sandboxing import sandbox_of
from dohyo.bots import Bot, archive
from dohyo.bots.content import likeness_of, listed
from dohyo.bots.safe_paths import IGNORED
from dohyo.contest.fixtures import Entrant
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.store import Store
from dohyo.store.records import Contest, Entry, Version

MOST = 10_000  # bots
MOST_NAMED = 20  # entries of a folder that are no hand-ins


class Known(NamedTuple):
    """A bot of the operator's, built, and how it is called."""

    contender: Contender
    bot: Bot
    of_folder: bool = False  # rather than named


class Gathered(NamedTuple):
    """Who takes part; what of the folder does not, and why."""

    known: list[Known]
    left_out: tuple[LeftOut, ...] = ()


def gather(
    game: Game,
    asked: Asked,
    leave_out: Callable[[str, OperatorError], None],
    tell: Tell,
    seat: Callable[[int], None] = lambda bots: None,
) -> Gathered:
    """The bots that are asked for, built, each under a name of its own.

    `seat` is given their number before anything of a folder is built, and may refuse it.

    `leave_out` is told of those in the folder that cannot be used, `tell` how many there are, beforehand, what is no
    hand-in, and which names are given to nobody. Raises `OperatorError` for one that is named and cannot be used, for
    two under one name, and where there are none.
    """
    names = Names.of(asked.names)
    if asked.names is not None and asked.folder is None:
        raise OperatorError("names-without-folder")
    found, left_out = _of_folder(asked, names, leave_out, tell, seat)
    names.tell(tell)
    words = [word for _, word in asked.bots]
    built = find_bots(game, words, asked.python, sandbox_of(asked.sandbox), follow=False) if words else []
    samples = samples_of(game)
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
    return Gathered(found, tuple(left_out[:MOST_LEFT_OUT]))


def check_content(word: str, bot: Bot, samples: Mapping[str, Path]) -> None:
    """Raise `OperatorError` for a bot that no store can keep, by its path or by the names of its files."""
    if clean.storable(word) != word:
        raise OperatorError("contest-path-no-text", path=word)
    archive.check(word, samples, bot.staged)


def _of_folder(
    asked: Asked,
    names: Names,
    leave_out: Callable[[str, OperatorError], None],
    tell: Tell,
    seat: Callable[[int], None],
) -> tuple[list[Known], list[LeftOut]]:
    """The bots of the folder, and what is left out of it."""
    named = len(asked.bots)
    if asked.folder is None:
        tell("contest.building", count=named)
        return [], []

    def building(there: int) -> None:
        seat(there + named)
        tell("contest.building", count=there + named)

    there = folder_bots.find(asked.folder, MOST, asked.python, "", asked.sandbox, building)
    found: list[Known] = []
    refused = dict(there.refused)
    for bot, word in zip(there.bots, there.words, strict=True):
        entry = clean.storable(os.path.basename(word))
        try:
            check_content(word, bot, {})
        except OperatorError as error:
            refused[entry] = error
        else:
            name = names.of_hand_in(entry, bot.name)  # its own is cleaned already, and no reason to end a class
            found.append(Known(Contender(name, word), bot, of_folder=True))
    left_out = []
    for entry, why in refused.items():
        leave_out(entry, why)
        left_out.append(LeftOut.of(names.of_hand_in(entry), why, os.path.join(asked.folder, entry)))
    skipped: dict[str, list[str]] = {}
    for entry, key in there.skipped.items():
        if entry not in IGNORED and not entry.startswith("._"):
            skipped.setdefault(key, []).append(entry)
            left_out.append(LeftOut.of(entry, OperatorError(key)))
    for key, entries in skipped.items():
        tell(f"{key}.all", names=listed(entries, MOST_NAMED))
    return found, left_out


def alike_among(known: Sequence[Known]) -> tuple[tuple[str, ...], ...]:
    """The names of those whose files hold the same, whatever the files are called, one of them at least a hand-in."""
    groups: dict[str, list[Known]] = {}
    for each in known:
        if each.bot.staged and (likeness := likeness_of(Path(each.bot.staged))):
            groups.setdefault(likeness, []).append(each)
    told = [group for group in groups.values() if len(group) > 1 and any(each.of_folder for each in group)]
    return tuple(tuple(each.contender.name for each in group) for group in told)


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
                return self._store.files.get(entry.version.archive, archive.LARGEST)
        raise OperatorError("contest-bot-lost", bot=bot.name, spec=bot.digest[:12])

    def _from_store(self, version: Version) -> Bot:
        lost = OperatorError("contest-bot-lost", bot=version.name, spec=version.digest[:12])
        if version.archive is None:
            raise lost
        content = self._store.files.get(version.archive, archive.LARGEST)
        line = archive.foreign_words(content) if version in self._found else ""
        if line:
            raise OperatorError("contest-store-command", bot=clean.line(version.name), line=clean.line(line))
        word = archive.unpack(content)
        (bot,) = find_bots(self._game, [word], self._spec.python, sandbox_of(self._spec.sandbox))
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
        from dohyo.app.contest.changes import enter_version

        enter_version(store, contest, version_of(store, game, each))
        entered.append(name)
    return entered
