"""Who takes part: from the operator's words to bots that can be started, and to entrants in the store.

Bots may join, pause, resume and leave while the contest runs (`taking_part.py`).

When a contest is started again, a bot of its folder may be missing, repaired or new: students hand in late, repair
what did not build, and remove files. The contest goes on in all these cases.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from dohyo import bots, clean
from dohyo.bots import Bot, archive
from dohyo.bots.content import listed
from dohyo.bots.safe_paths import IGNORED
from dohyo.bots.samples import found_sample
from dohyo.core import notices
from dohyo.core.bot_spec import BotSpec, HandIn, Sample, Speaking, text_of
from dohyo.core.contest import Entrant, Version
from dohyo.core.errors import HandInError, OperatorError
from dohyo.core.game import Game
from dohyo.core.notices import Tell
from dohyo.core.request_fields import STRICT
from dohyo.core.rulings_in_force import InForce, without_disqualified
from dohyo.match.folder_bots import find as find_in_folder
from dohyo.match.found_bots import check_name, find_bots
from dohyo.match.hand_in_names import Names, untaken
from dohyo.match.sandboxing import sandbox_of
from dohyo.series.another import another
from dohyo.series.formats import find
from dohyo.series.replaced import annul_replaced, lost_by_new_version
from dohyo.series.request import ContestRequest
from dohyo.series.spec import MAX_JOINED, MAX_LEFT_OUT, Contender, LeftOut, Spec, as_stored, of_stored
from dohyo.series.store.records import Contest
from dohyo.series.taking_part import come_back, decide_entrants
from dohyo.series.typed_again import meant_by, named_again, to_be_typed
from dohyo.system.hand_in_limits import MAX_ARCHIVE_BYTES

if TYPE_CHECKING:
    from dohyo.series.store import Store
    from dohyo.series.store.files import AnyFiles

MOST = 10_000  # bots
MAX_NAMED = 20  # entries of a folder that are no hand-ins


class BuiltBot(NamedTuple):
    """A bot of the operator, built, and its name."""

    contender: Contender
    bot: Bot
    of_folder: bool = False  # found in the folder, not named by the operator
    calls_itself: bool = False  # and its name is its author's, who may have taken somebody else's

    def called(self, name: str) -> BuiltBot:
        """This bot, under another name in the contest."""
        return self._replace(contender=Contender(name, self.contender.bot))

    def version(self, archive: str | None = None) -> Version:
        """Its version, with the digest of its archive among the store's files where it has one."""
        return Version(self.contender.name, self.bot.digest, self.bot.language, archive)


def gather(
    game: Game,
    request: ContestRequest,
    leave_out: Callable[[str, OperatorError], None],
    tell: Tell,
    seat: Callable[[int], None] = lambda bots: None,
) -> tuple[list[BuiltBot], tuple[LeftOut, ...]]:
    """The bots that are asked for, built, each under a name of its own; and which entries of the folder take no part.

    `seat` is called with their number before anything of a folder is built, and may refuse it.

    `leave_out` is called with each bot of the folder that cannot be used. `tell` is called with messages: how many
    bots there are (before they are built), what is not a hand-in, and which names belong to nobody. Raises
    `OperatorError` for a named bot that cannot be used, for two under one name, and if there are none.
    """
    names = Names.of(request.names)
    if request.names is not None and request.folder is None:
        raise OperatorError("names-without-folder")
    found, left_out = _of_folder(request, names, leave_out, tell, seat)
    names.tell(tell)
    words = [word for _, word in request.bots]
    box = sandbox_of(request.sandbox or STRICT)
    bots_named = find_bots(game, words, request.python, box, follow=False, setup=request.setup) if words else []
    samples = samples_of(game)
    for name, bot in zip(_apart(bots_named, request, samples), bots_named, strict=True):
        check_content(bot, samples)
        found.append(BuiltBot(Contender(check_name(name), lasting(bot.spec)), bot))
    if not found:
        raise OperatorError("contest-no-contenders")
    theirs = untaken([(each.contender.name, each.contender.path, each.calls_itself) for each in found])
    found = [each.called(name) for each, name in zip(found, theirs, strict=True)]
    by_name: dict[str, BuiltBot] = {}
    for each in found:
        name = each.contender.name
        if name in by_name:
            first = by_name[name].contender.typed
            raise OperatorError("contest-one-name", name=name, first=first, second=each.contender.typed)
        by_name[name] = each
    return found, tuple(left_out[:MAX_LEFT_OUT])


def _apart(found: Sequence[Bot], request: ContestRequest, samples: Mapping[str, Path]) -> list[str]:
    """The names of the bots that are asked for: files with one stem are called by their whole names.

    A name that the operator gave stays. So does every name that is there once, as in contests that have begun.
    """
    names = [name or bot.name for (name, _), bot in zip(request.bots, found, strict=True)]
    apart = []
    for (given, _), name, bot in zip(request.bots, names, found, strict=True):
        whole = os.path.basename(_typed(bot.spec, samples))
        apart.append(whole if not given and names.count(name) > 1 and whole else name)
    return apart


def _typed(spec: BotSpec | None, samples: Mapping[str, Path]) -> str:
    """What was typed for a bot; of a sample bot its path."""
    if isinstance(spec, Sample) and spec.name in samples:
        return str(samples[spec.name])
    return "" if spec is None else text_of(spec)


def lasting(spec: BotSpec | None) -> BotSpec | None:
    """What a bot was meant by, as it is stored: a hand-in by its absolute path alone."""
    if isinstance(spec, HandIn):
        return replace(spec, typed="")
    return replace(spec, program=lasting(spec.program)) if isinstance(spec, Speaking) else spec


def check_content(bot: Bot, samples: Mapping[str, Path]) -> None:
    """Raise `OperatorError` for a bot that no store can keep, by its path or by the names of its files."""
    word = "" if bot.spec is None else text_of(bot.spec)
    for text in (word, bot.spec.path if isinstance(bot.spec, HandIn) else ""):
        if clean.storable(text) != text:
            raise OperatorError("contest-path-no-text", path=text)
    archive.check(bot, samples)


def _of_folder(
    request: ContestRequest,
    names: Names,
    leave_out: Callable[[str, OperatorError], None],
    tell: Tell,
    seat: Callable[[int], None],
) -> tuple[list[BuiltBot], list[LeftOut]]:
    """The bots of the folder, and what is omitted from it."""
    named = len(request.bots)
    if request.folder is None:
        tell("contest.building", count=named)
        return [], []

    def building(there: int) -> None:
        seat(there + named)
        tell("contest.building", count=there + named)

    there = find_in_folder(request.folder, MOST, request.python, "", request.sandbox or STRICT, building)
    found: list[BuiltBot] = []
    refused = dict(there.refused)
    for bot, path in zip(there.bots, there.paths, strict=True):
        entry = clean.storable(os.path.basename(path))
        try:
            check_content(bot, {})
        except OperatorError as error:
            refused[entry] = error
        else:
            name = names.of_hand_in(entry, bot.name)  # its own name is cleaned already; it must not stop the contest
            own = Contender(name, lasting(bot.spec))
            found.append(BuiltBot(own, bot, of_folder=True, calls_itself=not names.has_row_for(entry)))
    left_out = []
    for entry, why in refused.items():
        leave_out(entry, why)
        left_out.append(LeftOut.of(names.of_hand_in(entry), why, os.path.join(request.folder, entry)))
    skipped: dict[str, list[str]] = {}
    for entry, key in there.skipped.items():
        if entry not in IGNORED and not entry.startswith("._"):
            who = names.of_other(entry)
            skipped.setdefault(key, []).append(f"{entry} ({who})" if who else entry)
            left_out.append(LeftOut.of(who or entry, OperatorError(key)))
    for key, entries in skipped.items():
        tell(f"{key}.all", names=listed(entries, MAX_NAMED))
    return found, left_out


def samples_of(game: Game) -> dict[str, Path]:
    """The game's sample bots."""
    return dict(bots.samples_of(game))


def version_of(store: Store, game: Game, built: BuiltBot) -> Version:
    """A bot's version, its archive in the store."""
    content = archive.pack(built.bot, samples_of(game))
    return built.version(store.files.put(content))


class Roster:
    """The bots of a contest by their entrants' numbers, built where they are needed first.

    Bots that are not in `built` come from the store, and of these only what somebody has handed in: anybody may have
    written it. A command line, an engine or a server plays only where the operator has typed it now.
    """

    def __init__(
        self,
        store: Store,
        contest: Contest,
        game: Game,
        spec: Spec,
        built: Sequence[BuiltBot],
    ) -> None:
        self._store = store
        self._contest = contest
        self._game = game
        self._spec = spec
        self._bots = {(each.contender.name, each.bot.digest): each.bot for each in built}
        self._typed = {each.bot.digest: each.bot for each in built if each.bot.spec is not None}
        self._words: dict[str | None, BotSpec | None] = {}  # by the digest of what was handed in
        self.entrants: list[Entrant] = []
        self.stored: list[Entrant] = []
        self.read()

    def read(self) -> list[Entrant]:
        """Who takes part, as the store has it now; `stored` are the same without what was ruled about them."""
        before, self.stored = self.stored, self._store.entrants(self._contest.id)
        for each, now in zip(before, self.stored, strict=False):  # one that has another name by now is built already
            old = each.name, each.version.digest
            if each.name != now.name and old in self._bots:
                self._bots.setdefault((now.name, now.version.digest), self._bots[old])
        self.entrants = without_disqualified(self.stored, self._store.rulings_of_bots(self._contest.id))
        return self.entrants

    def bot(self, number: int) -> Bot:
        """The bot of an entrant, under its name in the contest.

        Raises `OperatorError` if its version no longer exists.
        """
        version = self.entrants[number].version
        key = (version.name, version.digest)
        if key not in self._bots:
            self._bots[key] = self._from_store(version)
        return replace(self._bots[key], name=version.name)

    def built(self) -> list[Bot]:
        """The bots of those who take part now, as far as they were needed until now."""
        versions = [each.version for each in self.entrants if not each.is_away]
        found = (self._bots.get((version.name, version.digest)) for version in versions)
        return [bot for bot in found if bot is not None]

    def starting(self, number: int) -> Bot:
        """The bot of an entrant, for a match that counts.

        One that cannot be built any more, by what its author handed in, takes part as a bot that does not start, so
        that the others play on. So does one whose code was removed after it had left, or after the contest's end,
        where a match is repeated.
        """
        try:
            return self.bot(number)
        except OperatorError as error:
            may_be_gone = self.entrants[number].until is not None or self._spec.was_over
            is_removed = error.key in ("store-file-missing", "contest-code-removed") and may_be_gone
            if not (isinstance(error, HandInError) or is_removed):
                raise
            if error.key.startswith("archive-"):  # no hand-in makes such an archive: somebody has made the store so
                raise
            version = self.entrants[number].version
            nothing = Bot(version.name, (), "", version.digest, version.language)
            self._bots[version.name, version.digest] = nothing.without_start(error)
            notices.tell("contest-starts-no-more", bot=clean.line(version.name), why=error.say())
            return self.bot(number)

    def archive_of(self, bot: Bot) -> bytes:
        """What the author of a bot that plays handed in, for machines that build it themselves.

        What the operator has typed is packed as that. Raises `OperatorError` when it is not in the store.
        """
        if bot.digest in self._typed:
            return archive.pack(self._typed[bot.digest], samples_of(self._game))
        for entrant in self.entrants:
            if entrant.version.digest == bot.digest and entrant.version.archive is not None:
                return archive.without_rights(self._store.files.get(entrant.version.archive, MAX_ARCHIVE_BYTES))
        raise OperatorError("contest-bot-lost", bot=bot.name, spec=bot.digest[:12])

    def _from_store(self, version: Version) -> Bot:
        lost = OperatorError("contest-bot-lost", bot=version.name, spec=version.digest[:12])
        if version.archive is None:
            raise lost
        try:
            content = self._store.files.get(version.archive, MAX_ARCHIVE_BYTES)
        except OperatorError as error:
            if error.key == "store-file-missing" and version.archive in self._store.removed():
                raise OperatorError("contest-code-removed", bot=clean.line(version.name)) from error
            raise
        found = archive.read(content)
        if not found.name:
            raise self._to_be_typed(version, meant_by(version.name, found, self._spec))
        specs: list[BotSpec] = [archive.unpack(content)]
        if found_sample(samples_of(self._game), found.name) is not None:  # if it is ours, no hand-in's Python runs it
            specs.insert(0, Sample(found.name, found.words))
        for spec in specs:
            (bot,) = find_bots(self._game, [spec], self._spec.python, sandbox_of(self._spec.sandbox))
            if bot.digest == version.digest:
                break
        else:
            raise self._to_be_typed(version, meant_by(version.name, found, self._spec)) if found.words else lost
        return bot

    def _to_be_typed(self, version: Version, spec: BotSpec) -> OperatorError:
        """The error for a bot that is not typed yet. It names the others of its kind: all are typed at once."""
        found: dict[str, BotSpec] = {}
        for entrant in self.entrants:  # in their order: matches that lack the same bots have the same sentence
            own = entrant.version
            if own == version:
                found[own.name] = spec
            elif entrant.until is None and (own.name, own.digest) not in self._bots:
                if own.archive not in self._words:
                    self._words[own.archive] = self._words_of(own)
                if isinstance(words := self._words[own.archive], type(spec)):
                    found.setdefault(own.name, words)
        return to_be_typed(found)

    def _words_of(self, version: Version) -> BotSpec | None:
        """What the store holds of a bot, if that is only words."""
        with suppress(OperatorError):
            content = b"" if version.archive is None else self._store.files.get(version.archive, MAX_ARCHIVE_BYTES)
            kept = archive.read(content) if content else None
            return archive.words_in(kept) if kept is not None and not kept.name else None
        return None

    def add(self, version: Version, bot: Bot) -> None:
        """Take a bot that is built for a version that is to enter, or has entered."""
        self._bots[version.name, version.digest] = bot

    def type_again(self, words: Sequence[str]) -> None:
        """Take bots that the operator types again, NAME=BOT each; they must be those of the contest.

        Raises `OperatorError` for a name that nobody has there, and for another bot than the one that has it.
        """
        versions: dict[str, list[Version]] = {}
        for entrant in self.entrants:
            versions.setdefault(entrant.version.name, []).append(entrant.version)
        for word in words:
            name, bot = named_again(word, versions)
            box, setup = sandbox_of(self._spec.sandbox), self._spec.setup
            (built,) = find_bots(self._game, [bot], self._spec.python, box, follow=False, setup=setup)
            if built.digest not in {version.digest for version in versions[name]}:
                raise OperatorError("contest-typed-other", bot=name, typed=bot, name=self._contest.name)
            self._bots[name, built.digest] = self._typed[built.digest] = built


def enter_first(
    store: Store, contest: Contest, game: Game, built: Sequence[BuiltBot], *, has_archives: bool = True
) -> None:
    """Enter those who begin a series, with the archive of each of whom somebody can say what it was made of."""
    entrants = []
    for number, each in enumerate(built):
        is_kept = has_archives and each.bot.spec is not None
        entrants.append(Entrant(number, version_of(store, game, each) if is_kept else each.version()))
    store.enter(contest.id, entrants, time())


def typed_store(where: str) -> str:
    """A store as a person types it in a shell: a path below the current folder by its shorter form."""
    if "://" not in where and os.path.isabs(where) and Path(where).is_relative_to(Path.cwd()):
        where = os.path.relpath(where)
    return shlex.quote(where)


def changed(store: Store, contest: Contest, built: Sequence[BuiltBot]) -> list[BuiltBot]:
    """Those of these bots that take part, and whose files have changed: they are of no version that was there."""
    found = []
    for each in built:
        own = [entrant for entrant in store.entrants(contest.id) if entrant.version.name == each.contender.name]
        digests = [entrant.version.digest for entrant in own]
        if own and each.bot.digest not in digests and own[-1].until is None:
            found.append(each)
    return found


def keep_what_is_over(store: Store, contest: Contest, built: Sequence[BuiltBot]) -> None:
    """Raise `OperatorError` where new versions of changed bots would make matches of a contest count for nobody that
    is over, or was and goes on with what was ruled since."""
    out = InForce(store.rulings_of_bots(contest.id)).disqualified
    names = [each.contender.name for each in changed(store, contest, built) if each.contender.name not in out]
    lost = lost_by_new_version(store, contest, names)
    spec = of_stored(contest.spec)
    if lost and (contest.state == "over" or (spec.was_over and not spec.is_replacing)):
        where = typed_store(store.database.address.shown)
        raise OperatorError(
            "contest-over-changed", name=contest.name, bots=listed(names), count=lost, store=where, option="--replace"
        )


def enter_changed(
    store: Store, contest: Contest, game: Game, built: Sequence[BuiltBot], joins: bool, frozen: bool, format_name: str
) -> list[tuple[str, int]]:
    """Enter new versions of the bots whose files have changed; their names, and how many matches count no more.

    Raises `OperatorError` if that is not wanted, or if the format takes no new versions.
    """
    entered: list[tuple[str, int]] = []
    out = InForce(store.rulings_of_bots(contest.id)).disqualified
    for each in changed(store, contest, built):
        name = each.contender.name
        if name in out:  # whoever is out must not stop the others
            notices.tell("contest.changed-disqualified", bot=name)
            continue
        if frozen:
            raise OperatorError("contest-bot-changed-frozen", bot=name, name=contest.name)
        if not joins:
            where = typed_store(store.database.address.shown)
            key = "contest-bot-changed" if each.bot.staged else "contest-words-changed"
            beside = another(store.database.address.shown)
            raise OperatorError(key, bot=name, name=contest.name, format=format_name, store=where, another=beside)
        lost = lost_by_new_version(store, contest, [name])
        enter_version(store, contest, version_of(store, game, each))
        entered.append((name, lost))
    return entered


# --- who joins, pauses, goes on and leaves


def enter_version(store: Store, contest: Contest, version: Version) -> int:
    """Let a bot join: a new one, the next version of one that takes part, or one that had left.

    Returns the batch with which it joins. Raises `OperatorError` if exactly this version takes part already.
    """

    if version.name in InForce(store.rulings_of_bots(contest.id)).disqualified:
        raise OperatorError("contest-is-disqualified", bot=version.name, name=contest.name)

    def decide(entrants: Sequence[Entrant], batch: int) -> list[Entrant]:
        own = [entrant for entrant in entrants if entrant.version.name == version.name]
        last = next((each for each in own if each.until is None), own[-1] if own else None)
        if last is not None and last.version.digest == version.digest:
            if last.until is None:
                raise OperatorError("contest-takes-part", bot=version.name, name=contest.name)
            return [come_back(last, batch)]
        new = Entrant(len(entrants), version, since=batch, follows=None if last is None else last.number)
        return [replace(last, until=batch), new] if last is not None and last.until is None else [new]

    batch = decide_entrants(store, contest, decide)
    annul_replaced(store, contest)
    return batch


def note_joined(store: Store, contest: Contest, contender: Contender) -> None:
    """Note where a bot that has joined comes from: it keeps its name, whatever its file is called later."""

    def change(plain: dict[str, Any]) -> dict[str, Any]:
        spec = of_stored(plain)
        others = [each for each in spec.joined if (each.path or each.name) != (contender.path or contender.name)]
        return as_stored(replace(spec, joined=(*others, contender)[-MAX_JOINED:]))

    store.amend_spec(contest.id, change)


# --- a contest that is started again


def stored_terms(request: ContestRequest, files: Path | AnyFiles | None = None) -> Spec | None:
    """The terms of the requested contest, as `stored_contest` finds it."""
    found = stored_contest(request, files)
    return None if found is None else found[0]


def stored_contest(
    request: ContestRequest, files: Path | AnyFiles | None = None
) -> tuple[Spec, list[Entrant]] | None:
    """The terms of the requested contest and who is in it, if it was begun before; nothing is written.

    Raises `OperatorError` if the store holds others, and the operator has named none: a slip would begin one there.
    """
    from dohyo.series.store import open_store

    try:
        store = open_store(request.store, files=files)
    except OperatorError:
        return None  # there is none; or it cannot be opened, and the error comes when somebody wants to write to it
    with store:
        known = {contest.name: contest for contest in store.contests()}
        found = known.get(request.name)
        if found is None and known and not request.is_named:
            beside = another(request.store)
            raise OperatorError("contest-name-needed", store=request.store, known=", ".join(known), another=beside)
        entrants = [] if found is None else store.entrants(found.id)
        return (of_stored(found.spec), entrants) if found is not None and entrants else None


def without_strangers(
    stored: Spec, request: ContestRequest, built: list[BuiltBot], closed: str, tell: Tell
) -> tuple[Contender, ...]:
    """The requested bots, to be compared with those at the beginning; the folder's bots are those of that time.

    If a bot's file is gone from the folder, or does not build now, its version in the store plays. Where no version
    may change, `closed` is the key of that error; a file that no longer builds counts as changed.
    """
    began = {each.name for each in stored.bots}
    given = {each.contender.name: each for each in built}
    folder = None if request.folder is None else os.path.abspath(request.folder)
    bots = []
    for each in stored.bots:
        if each.name in given:
            bots.append(given[each.name].contender)
        elif folder is not None and os.path.dirname(each.path) == folder:
            gone = not os.path.lexists(each.path)
            if closed and not gone:
                where = typed_store(request.store)
                beside = {} if closed == "contest-bot-changed-frozen" else {"another": another(request.store)}
                raise OperatorError(
                    closed, bot=each.name, name=request.name, format=stored.format, store=where, **beside
                )
            tell("contest.gone" if gone else "contest.broken", bot=each.name)
            bots.append(each)
    return (*bots, *(each.contender for name, each in given.items() if name not in began and not each.of_folder))


def with_more_rounds(stored: Spec, given: Spec) -> Spec:
    """The stored terms; with the given number of rounds, if that is higher and the earlier rounds stay the same."""
    more = given.rounds > stored.rounds and stored.format == given.format and find(stored.format).info.extends
    return replace(stored, rounds=given.rounds) if more else stored


def enter_newcomers(
    store: Store, contest: Contest, game: Game, built: list[BuiltBot], stored: Spec, joins: bool, tell: Tell
) -> None:
    """Enter bots of the folder that did not take part so far, if the format takes new bots."""
    began = {each.name for each in stored.bots}
    entered = {entrant.version.name for entrant in store.entrants(contest.id)}
    for each in built:
        name = each.contender.name
        if name in began or name in entered:
            continue
        if not joins:
            tell("contest.too-late", bot=name)
            continue
        batch = enter_version(store, contest, version_of(store, game, each))
        note_joined(store, contest, each.contender)
        tell("contest.added", bot=name, batch=batch)
