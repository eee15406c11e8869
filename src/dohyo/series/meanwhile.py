"""The folder of a contest that has no end, while the contest runs: new hand-ins enter, and new versions of others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from time import time
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from dohyo.core.errors import OperatorError
from dohyo.core.notices import Tell
from dohyo.series import formats
from dohyo.series.hand_ins import tell_alike, under_old_names
from dohyo.series.renaming import call_as_listed, checked
from dohyo.series.request import ContestRequest
from dohyo.series.roster import BuiltBot, enter_changed, enter_newcomers, gather
from dohyo.series.spec import MAX_LEFT_OUT, as_stored, of_stored
from dohyo.system.hand_in_limits import MAX_ENTRIES

if TYPE_CHECKING:
    from dohyo.series.session import ContestSession

SETTLED = 2.0  # seconds without a change after which a hand-in is not being written any more
MAX_UNSETTLED = 3  # looks in a row: a folder into which somebody always writes is then taken as it is

State = Mapping[str, tuple[tuple[int, ...], ...]]  # by entry: what the system says of it, and of what lies in it


class FolderLooks:
    """Looks into the folder of a contest before each draw, for what has changed there since the time before.

    It is made before the contest's bots are built. The bots that the operator names one by one stay as they are.
    """

    def __init__(self, request: ContestRequest, leave_out: Callable[[str, OperatorError], None], tell: Tell) -> None:
        self._request, self._leave_out, self._tell = request, leave_out, tell
        self._told: set[str] = set()
        self._refused: dict[str, str] = {}  # what was told last of an entry that cannot be used
        self._refused_before: dict[str, str] = {}
        self._known = _state_of(request)
        self._unsettled = 0
        self._named: list[BuiltBot] = []

    def tell_once(self, key: str, **details: object) -> None:
        """Tell what holds of the folder as long as it does, and need not be said at each look."""
        if (what := repr((key, sorted(details.items())))) not in self._told:
            self._told.add(what)
            self._tell(key, **details)

    def leave_out(self, entry: str, error: OperatorError) -> None:
        """Tell of an entry that cannot be used, where that is not what was told of it the time before."""
        self._refused[entry] = error.say()
        if self._refused[entry] != self._refused_before.get(entry):
            self._leave_out(entry, error)

    def begin(self, session: ContestSession, built: list[BuiltBot]) -> None:
        """From now on look before each draw of a contest without an end; `built` are its bots at this time."""
        info = formats.find(session.spec.format).info
        if self._request.folder is not None and info.joins and not info.ends:
            self._named = [each for each in built if not each.of_folder]
            session.loop.before_draw = lambda: self.look(session)

    def look(self, session: ContestSession) -> None:
        """Let enter what is new, if somebody has changed the folder and writes there no more.

        What is wrong with a hand-in is told, and so is what is wrong with all of them: the contest goes on.
        """
        state = _state_of(self._request)
        changed = {name for name in (*state, *self._known) if state.get(name) != self._known.get(name)}
        if not changed:
            return
        newest = max((each[0] for name in changed for each in state.get(name, ())), default=0)
        if abs(time() - newest / 1e9) < SETTLED and self._unsettled < MAX_UNSETTLED:
            self._unsettled += 1
            return
        self._unsettled, self._known = 0, state
        try:
            self._enter(session)
        except OperatorError as error:
            self._tell("contest.folder-not-taken", reason=error)

    def _enter(self, session: ContestSession) -> None:
        store, game = session.store, session.game
        self._refused, self._refused_before = {}, self._refused

        def tell(key: str, **details: object) -> None:
            if key != "contest.building":
                self.tell_once(key, **details)

        built, left_out = gather(game, self._request, self.leave_out, tell, named=self._named)
        contest = store.contest(session.contest.name)  # as it is now: somebody may have joined by another command
        built, names = under_old_names(of_stored(contest.spec), built, tell if self._request.names else _silent)
        call_as_listed(store, contest, checked(contest, store.entrants(contest.id), names), self._tell)
        contest = store.contest(contest.name)
        stored = of_stored(contest.spec)
        for name, _ in enter_changed(store, contest, game, built, True, False, stored.format):
            self._tell("contest.joins", bot=name)
        enter_newcomers(store, contest, game, built, stored, True, self._tell)
        for each in built:
            session.loop.roster.add(each.version(), each.bot)
        alike = tell_alike(store, contest, built, self.tell_once)[:MAX_LEFT_OUT]
        store.amend_spec(
            contest.id, lambda plain: as_stored(replace(of_stored(plain), left_out=left_out, alike=alike))
        )


def _silent(key: str, **details: object) -> None:
    """Ignore the message."""


# --- what lies in a folder


class _Found(NamedTuple):
    entry: str
    status: tuple[int, ...]  # its last change in nanoseconds comes first


def _state_of(request: ContestRequest) -> State:
    """The folder and the list of names as they are now, by what the system says of their files; none is read."""
    state: dict[str, list[tuple[int, ...]]] = {}
    for each in islice(_files(request), MAX_ENTRIES):
        state.setdefault(each.entry, []).append(each.status)
    return {name: tuple(sorted(found)) for name, found in state.items()}


def _files(request: ContestRequest) -> Iterator[_Found]:
    """Every file and folder of each entry, and the list of names as an entry that no file can be called like.

    What the contest itself may write there is none of it.
    """
    store = os.path.basename(request.store)
    with suppress(OSError):
        if request.names is not None:
            yield _Found("", _status(os.stat(request.names)))
    with suppress(OSError), os.scandir(request.folder or ".") as entries:
        for entry in entries:
            if entry.name.startswith((".", store)):
                continue
            with suppress(OSError):
                yield _Found(entry.name, _status(entry.stat(follow_symlinks=False)))
            if entry.is_dir(follow_symlinks=False):
                for place, folders, files in os.walk(entry.path):
                    for name in (*folders, *files):
                        with suppress(OSError):
                            yield _Found(entry.name, _status(os.lstat(os.path.join(place, name))))


def _status(found: os.stat_result) -> tuple[int, ...]:
    return found.st_ctime_ns, found.st_size, found.st_ino, found.st_mode
