"""Bots that join, pause, go on and leave, also while the contest runs: what is written takes effect with a batch.

The next batch is the first that is not scheduled yet. A change that was decided while another batch was being
scheduled is decided again: the store refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from time import time
from typing import Any

from msgspec.structs import replace

from dohyo.app.contest.spec import MOST_LEFT_OUT, as_stored, of_stored
from dohyo.bots import archive
from dohyo.bots.content import likeness
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest
from dohyo.store import Store
from dohyo.store.records import Contest, Entry, StaleError, Version

Decision = Callable[[Sequence[Entry], int], list[Entry]]
MOST_TRIES = 100  # a batch is hardly ever scheduled in between; so often in a row, something is wrong


def enter_version(store: Store, contest: Contest, version: Version) -> int:
    """Let a bot join: a new one, the next version of one that takes part, or one that had left.

    The batch with which it does. Raises `OperatorError` when this very version takes part already.
    """

    def decide(entries: Sequence[Entry], batch: int) -> list[Entry]:
        own = [entry for entry in entries if entry.version.name == version.name]
        last = own[-1] if own else None
        if last is not None and last.version.digest == version.digest:
            if last.until is None:
                raise OperatorError("contest-takes-part", bot=version.name, name=contest.name)
            return [_back(last, batch)]
        new = Entry(len(entries), version, since=batch, follows=None if last is None else last.number)
        return [replace(last, until=batch), new] if last is not None and last.until is None else [new]

    return _decide(store, contest, decide)


def _back(entry: Entry, batch: int) -> Entry:
    """One who had left, and is there again from `batch` on."""
    left = entry.until
    gap = ((left, batch),) if left is not None and left < batch else ()
    return replace(entry, until=None, absences=(*entry.absences, *gap))


def note_newcomer(store: Store, contest: Contest, version: Version, called: Collection[str]) -> tuple[str, ...]:
    """Note what a bot that has joined changes in what is told beside the terms; the names of those it is alike to.

    Of an entry that was left out, and is `called` as the bot is or its file, that is told no more.
    """
    last = {entry.version.name: entry.version for entry in store.entrants(contest.id) if entry.until is None}
    own, name = _likeness(store, version), version.name
    alike = tuple(each.name for each in last.values() if own and _likeness(store, each) == own)

    def change(plain: dict[str, Any]) -> dict[str, Any]:
        spec = of_stored(plain)
        groups = [tuple(each for each in group if each != name) for group in spec.alike]
        groups = [group for group in groups if len(group) > 1 and not set(group) <= set(alike)]
        groups += [alike] if len(alike) > 1 else []
        left_out = tuple(each for each in spec.left_out if each.name not in called)
        return as_stored(replace(spec, alike=tuple(groups[-MOST_LEFT_OUT:]), left_out=left_out))

    store.amend_spec(contest.id, change)
    return alike if len(alike) > 1 else ()


def _likeness(store: Store, version: Version) -> str:
    """What a version's files hold, whatever they are called; empty where there are none, or they cannot be read."""
    if version.archive is None:
        return ""
    with suppress(OperatorError):
        found = archive.read(store.files.get(version.archive, archive.LARGEST))
        return likeness(content for content, _ in found.files.values() if content)
    return ""


def leave(store: Store, contest: Contest, name: str) -> int:
    """Let a bot leave; the batch with which it does."""
    return _change(store, contest, name, lambda entry, batch: replace(entry, until=batch))


def pause(store: Store, contest: Contest, name: str) -> int:
    """Let a bot pause; the batch from which on it does. Raises `OperatorError` when it does already."""

    def decide(entry: Entry, batch: int) -> Entry:
        if _pauses(entry):
            raise OperatorError("contest-paused-already", bot=name)
        return replace(entry, absences=(*entry.absences, (batch, None)))

    return _change(store, contest, name, decide)


def resume(store: Store, contest: Contest, name: str) -> int:
    """Let a bot play again that pauses; the batch from which on it does. Raises `OperatorError` if it does not."""

    def decide(entry: Entry, batch: int) -> Entry:
        if not _pauses(entry):
            raise OperatorError("contest-not-paused", bot=name)
        *before, (start, _) = entry.absences
        return replace(entry, absences=tuple(before) if start >= batch else (*before, (start, batch)))

    return _change(store, contest, name, decide)


def _pauses(entry: Entry) -> bool:
    return bool(entry.absences) and entry.absences[-1][1] is None


def _change(store: Store, contest: Contest, name: str, change: Callable[[Entry, int], Entry]) -> int:
    def decide(entries: Sequence[Entry], batch: int) -> list[Entry]:
        here = {entry.version.name: entry for entry in entries if entry.until is None}
        if name not in here:
            known = ", ".join(here)
            raise OperatorError(
                "contest-no-entrant", bot=name, name=contest.name, nearest=nearest(name, here), known=known or "-"
            )
        return [change(here[name], batch)]

    return _decide(store, contest, decide)


def _decide(store: Store, contest: Contest, decide: Decision) -> int:
    for _ in range(MOST_TRIES):
        scheduled = len(store.progress(contest.id))
        batch = max(1, scheduled)  # those of batch 0 are who began the contest
        changed = decide(store.entrants(contest.id), batch)
        # Of two bots that join in one moment, the second finds its number taken: a `ValueError`.
        with suppress(StaleError, ValueError):
            store.enter(contest.id, changed, time(), scheduled)
            return batch
    raise RuntimeError("the contest changes faster than one can join it")
