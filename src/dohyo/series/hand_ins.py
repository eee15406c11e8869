"""Hand-ins of a contest: which of them hold the very same files, and the notes about it in a store.

When a contest is run again, each keeps the name that it has there, unless the operator's list has another one.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dohyo.bots import archive
from dohyo.bots.content import likeness, likeness_of
from dohyo.core.contest import Version
from dohyo.core.errors import OperatorError
from dohyo.core.notices import Tell
from dohyo.match.hand_in_names import stem_of
from dohyo.series.renaming import former
from dohyo.series.roster import BuiltBot
from dohyo.series.spec import MAX_LEFT_OUT, Spec, as_stored, of_stored
from dohyo.series.store import Store
from dohyo.series.store.records import Contest
from dohyo.system.hand_in_limits import MAX_ARCHIVE_BYTES


def alike_among(built: Sequence[BuiltBot], stored: Mapping[str, str] | None = None) -> tuple[tuple[str, ...], ...]:
    """Names of bots with the same file contents, whatever the files are called; at least one is a hand-in.

    `stored` are those who take part and are not among these: by their names, as `likenesses` gives them.
    """
    groups: dict[str, list[tuple[str, bool]]] = {}
    for each in built:
        if each.bot.staged and (likeness := likeness_of(Path(each.bot.staged))):
            groups.setdefault(likeness, []).append((each.contender.name, each.of_folder))
    for name, likeness in (stored or {}).items():
        groups.setdefault(likeness, []).append((name, True))
    told = [group for group in groups.values() if len(group) > 1 and any(is_hand_in for _, is_hand_in in group)]
    return tuple(tuple(name for name, _ in group) for group in told)


def likenesses(store: Store, contest: Contest, without: Collection[str]) -> dict[str, str]:
    """What the files of those who take part hold, by their names, `without` some; not of who has no files."""
    last = {each.name: each.version for each in store.entrants(contest.id) if each.until is None}
    found = {name: _likeness(store, version) for name, version in last.items() if name not in without}
    return {name: likeness for name, likeness in found.items() if likeness}


def note_newcomer(store: Store, contest: Contest, version: Version, called: Collection[str]) -> tuple[str, ...]:
    """Update the notes beside the terms after a bot has joined; the names of bots with the same files.

    An omitted entry is no longer listed if it is `called` like the bot or its file.
    """
    last = {entrant.version.name: entrant.version for entrant in store.entrants(contest.id) if entrant.until is None}
    own, name = _likeness(store, version), version.name
    alike = tuple(each.name for each in last.values() if own and _likeness(store, each) == own)

    def change(plain: dict[str, Any]) -> dict[str, Any]:
        spec = of_stored(plain)
        groups = [tuple(each for each in group if each != name) for group in spec.alike]
        groups = [group for group in groups if len(group) > 1 and not set(group) <= set(alike)]
        groups += [alike] if len(alike) > 1 else []
        left_out = tuple(each for each in spec.left_out if each.name not in called)
        return as_stored(replace(spec, alike=tuple(groups[-MAX_LEFT_OUT:]), left_out=left_out))

    store.amend_spec(contest.id, change)
    return alike if len(alike) > 1 else ()


def _likeness(store: Store, version: Version) -> str:
    """The contents of a version's files, whatever they are called; empty if there are none or they are unreadable."""
    if version.archive is None:
        return ""
    with suppress(OperatorError):
        found = archive.read(store.files.get(version.archive, MAX_ARCHIVE_BYTES))
        return likeness(content for content, _ in found.files.values() if content)
    return ""


# --- when a contest is run again


def under_old_names(stored: Spec, built: list[BuiltBot], tell: Tell) -> tuple[list[BuiltBot], dict[str, str]]:
    """Let a file of the folder keep its earlier name: two files with the same name change each other's names.

    The operator's list of names gives it another one; these come back, too, by the names that bots have in the
    contest. A name that a bot had before means the bot as it is called now, in that list and wherever it is typed.
    `tell` is called for those that would now get another name.
    """
    before = former(stored)
    names: dict[str, str] = {}  # the first one that a file had
    newest: dict[str, str] = {}  # the file that has it now
    for noted in (*stored.bots, *stored.joined):
        if noted.path and names.setdefault(noted.path, noted.name) == noted.name:
            newest[noted.name] = noted.path
    known = {noted.name for noted in (*stored.bots, *stored.joined)}
    here = {each.contender.path for each in built}
    taken = {names.get(each.contender.path, "" if each.of_folder else each.contender.name) for each in built}
    found, given = [], dict[str, str]()
    for each in built:
        path, own = each.contender.path, each.contender.name
        name = names.get(path, own)
        if not each.of_folder:
            found.append(each.called(before.get(own, own)))
            continue
        file = os.path.basename(path)
        # A file takes nobody's name; nor does what is only written in one, even if the other's file is gone.
        if path not in names and (name in taken or (name in known and each.calls_itself and name != stem_of(file))):
            name = file
        elif path in names and newest[name] != path and newest[name] in here:
            tell("names.newer", bot=name, file=file, newer=os.path.basename(newest[name]))
            continue
        elif path in names and name != own and not each.calls_itself and before.get(own) != name:
            given[name] = name = own
        if name != own:
            tell("names.stay", bot=name, name=own)
        found.append(each.called(name))
    return found, given
