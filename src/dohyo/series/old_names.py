"""Names of a folder's files when a contest is run again: each keeps the name with which it entered."""

from __future__ import annotations

import os

from dohyo.core.notices import Tell
from dohyo.match.hand_in_names import stem_of
from dohyo.series.roster import BuiltBot
from dohyo.series.spec import Spec


def under_old_names(stored: Spec, built: list[BuiltBot], tell: Tell) -> list[BuiltBot]:
    """Let a file of the folder keep its earlier name: two files with the same name change each other's names.

    `tell` is called for those that would now get another name.
    """
    names: dict[str, str] = {}  # the first one that a file had
    newest: dict[str, str] = {}  # the file that has it now
    for noted in (*stored.bots, *stored.joined):
        if noted.path and names.setdefault(noted.path, noted.name) == noted.name:
            newest[noted.name] = noted.path
    known = {noted.name for noted in (*stored.bots, *stored.joined)}
    here = {each.contender.path for each in built}
    taken = {names.get(each.contender.path, "" if each.of_folder else each.contender.name) for each in built}
    found = []
    for each in built:
        path, own = each.contender.path, each.contender.name
        name = names.get(path, own)
        if not each.of_folder:
            found.append(each)
            continue
        file = os.path.basename(path)
        # A file takes nobody's name; nor does what is only written in one, even if the other's file is gone.
        if path not in names and (name in taken or (name in known and each.calls_itself and name != stem_of(file))):
            name = file
        elif path in names and newest[name] != path and newest[name] in here:
            tell("names.newer", bot=name, file=file, newer=os.path.basename(newest[name]))
            continue
        if name != own:
            tell("names.stay", bot=name, name=own)
        found.append(each.called(name))
    return found
